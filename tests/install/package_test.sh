#!/usr/bin/env bash
# Makes the Debian package by the command of docs/library.md, unpacks it into a folder as dpkg would, and uses what is in it.
set -euo pipefail
# shellcheck source=tests/install/used.sh
source tests/install/used.sh
build=$1
command -v dpkg-shlibdeps >/dev/null || { echo "dpkg-dev is missing"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
make=$(commands_of docs/library.md Install | grep 'cpack')
run_of_page "$make -B '$folder'" "$folder"
package=$(echo "$folder"/*.deb)
[[ $(dpkg --print-architecture) != amd64 ]] || expect "$(basename "$package")" cat docs/library.md
expect "Package: stiction" dpkg-deb -I "$package"
expect "libyaml-cpp0.7" dpkg-deb -f "$package" Depends
expect "libegl1" dpkg-deb -f "$package" Depends
dpkg-deb -x "$package" "$folder/root"
use_program "$folder/root/usr"
use_module "$folder/root/usr" /usr/bin/python3
ls -sh "$package"
echo passed
