#!/usr/bin/env bash
# pip installs the package from the source tree into an environment that sees the system's packages.
set -euo pipefail
# shellcheck source=tests/install/used.sh
source tests/install/used.sh
build=$1 python=/usr/bin/python3
"$python" -c "import venv, ensurepip, setuptools, wheel" 2>/dev/null || { echo "python3-venv or python3-setuptools is missing"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --system-site-packages "$folder/venv"
# Of a copy: setuptools writes into the tree that it builds.
mkdir "$folder/tree"
cp -r CMakeLists.txt README.md pyproject.toml setup.py src scenes "$folder/tree"
mkdir -p "$folder/tree/tests/data"
cp -r tests/data/problems "$folder/tree/tests/data"
STICTION_BUILD=$build "$folder/venv/bin/pip" install --no-build-isolation --no-index "$folder/tree" >"$folder/log" 2>&1 || fail "$(tail -30 "$folder/log")"
cd /
expect "$folder/venv" env -u STICTION_SCENES -u PYTHONPATH "$folder/venv/bin/python" -c "
import stiction
world = stiction.World('grasp')
world.run(10)
print(stiction.scenes_folder(), len(stiction.Dataset('stick_slip')), stiction.__version__)"
echo passed
