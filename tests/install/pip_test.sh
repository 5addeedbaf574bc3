#!/usr/bin/env bash
# pip installs the package from the source tree into an environment that sees the system's packages, by the commands of
# docs/python.md.
set -euo pipefail
# shellcheck source=tests/install/used.sh
source tests/install/used.sh
build=$1 python=/usr/bin/python3
"$python" -c "import venv, ensurepip, setuptools, wheel" 2>/dev/null || { echo "python3-venv or python3-setuptools is missing"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Of a copy: setuptools writes into the tree that it builds.
mkdir "$folder/tree"
cp -r CMakeLists.txt README.md pyproject.toml setup.py src scenes "$folder/tree"
mkdir -p "$folder/tree/tests/data"
cp -r tests/data/problems "$folder/tree/tests/data"
mapfile -t commands < <(commands_of docs/python.md Install | grep -E 'python3 -m venv|bin/pip')
((${#commands[@]} == 2)) || fail "docs/python.md: expected one command with venv and one with pip under 'Install'"
# What pip needs is there; without an index it does not look for it elsewhere.
export STICTION_BUILD=$build PIP_NO_INDEX=1
for command in "${commands[@]}"; do run_of_page "cd '$folder/tree' && $command" "$folder"; done
cd /
expect "$folder/stiction-python" env -u STICTION_SCENES -u PYTHONPATH "$folder/stiction-python/bin/python" -c "
import stiction
world = stiction.World('grasp')
world.run(10)
print(stiction.scenes_folder(), len(stiction.Dataset('stick_slip')), stiction.__version__)"
echo passed
