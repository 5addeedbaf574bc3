#!/usr/bin/env bash
# A fresh Debian 12 in a folder: the commands under "On Debian 12" of docs/library.md, as they stand there, one after the other.
set -euo pipefail
# shellcheck source=tests/install/used.sh
source tests/install/used.sh
build=$1
cannot() {
    echo "$1"
    exit 77
}
((EUID == 0)) || cannot "only root can make a Debian in a folder"
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap >/dev/null || cannot "debootstrap is missing"
command -v dpkg-shlibdeps >/dev/null || cannot "dpkg-dev is missing"
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
chmod 755 "$folder"
(cd "$build" && cpack -G DEB -B "$folder") >"$folder/log" 2>&1 || fail "$(tail "$folder/log")"
root=$folder/root
debootstrap --variant=minbase bookworm "$root" >"$folder/log" 2>&1 || cannot "no Debian can be had here: $(tail -n 3 "$folder/log")"

cp "$folder"/stiction_*.deb "$root/root"
cp /etc/resolv.conf "$root/etc"
echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/yes"
{
    printf 'set -e\nexport DEBIAN_FRONTEND=noninteractive\ncd /root\n'
    commands_of docs/library.md "On Debian 12"
} >"$root/root/page.sh"
(($(wc -l <"$root/root/page.sh") > 8)) || fail "docs/library.md has no commands for Debian 12"
# Mounts and processes end with the name spaces.
in_root='mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" /bin/bash -x /root/page.sh'
unshare --mount --pid --fork sh -c "$in_root" "$root" >"$folder/log" 2>&1 </dev/null || fail "$(tail -n 30 "$folder/log")"

hash_here() { "$build/bin/stiction" run "$@" | awk '/state hash/ { print $3 }'; }
for text in "state hash   $(hash_here grasp --steps 500)" "state $(hash_here stack --set boxes=3 --steps 100)" \
    "impulse 1.000000 -0.180000 -0.240000 N s" "the floor carries 29.4300 N" "model no_slip, t = 0 s> (720, 1280, 3)" "240 jobs, 240 of them to run"; do
    grep -qF -- "$text" "$folder/log" || fail "expected '$text' in: $(tail -n 40 "$folder/log")"
done
grep -F "the floor carries" "$folder/log" | wc -l | grep -qx 2 || fail "by CMake and by pkg-config: $(tail -n 40 "$folder/log")"
[[ -s $root/root/grasp.png ]] || fail "no picture was drawn"
echo passed
