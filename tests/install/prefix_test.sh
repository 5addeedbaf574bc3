#!/usr/bin/env bash
# Installs into a folder by the command of docs/library.md, builds examples/cpp against it by CMake and by pkg-config, runs them, the program and the module.
set -euo pipefail
# shellcheck source=tests/install/used.sh
source tests/install/used.sh
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/stiction  # ~/stiction of the page
unset DESTDIR

install=$(commands_of docs/library.md Install | grep '^cmake --install')
run_of_page "$install" "$folder"
if grep -rl "#include \"" "$prefix/include"; then fail "a public header includes what is not there"; fi

cp -r examples/cpp "$folder/cpp"
cmake -S "$folder/cpp" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
ninja -C "$folder/build" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
check_examples() {  # check_examples FOLDER
    expect "impulse 1.000000 -0.180000 -0.240000 N s" "$1/one_problem"
    expect "did you mean 'newton'" bash -c "'$1/one_problem' newtn || true"
    local scene=$prefix/share/stiction/scenes/stack.yaml hash
    hash=$("$prefix/bin/stiction" run "$scene" --set boxes=3 --steps 100 | awk '/state hash/ { print $3 }')
    expect "state $hash" "$1/step_scene" "$scene"
    expect "the floor carries 29.4300 N" "$1/step_scene" "$scene"
    expect "no such file" bash -c "'$1/step_scene' nothing.yaml || true"
}
check_examples "$folder/build"

# The solvers alone need Eigen alone: whatever else the package may look for is hidden from CMake.
mkdir "$folder/alone"
cp examples/cpp/one_problem.cpp "$folder/alone"
cat >"$folder/alone/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(Alone LANGUAGES CXX)
foreach(package yaml-cpp HDF5 nlohmann_json PNG assimp PkgConfig)
  set(CMAKE_DISABLE_FIND_PACKAGE_${package} ON)
endforeach()
find_package(Stiction 0.1 REQUIRED COMPONENTS solve)
add_executable(one_problem one_problem.cpp)
target_link_libraries(one_problem PRIVATE stiction::solve)
find_package(Stiction 0.1 QUIET COMPONENTS slove)
if(Stiction_FOUND)
  message(FATAL_ERROR "there is no such component")
endif()
END
cmake -S "$folder/alone" -B "$folder/alone/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
ninja -C "$folder/alone/build" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
expect "impulse 1.000000 -0.180000 -0.240000 N s" "$folder/alone/build/one_problem"

mkdir "$folder/pkg"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib/$(gcc -print-multiarch)/pkgconfig
read -r -a flags <<<"$(pkg-config --cflags --libs stiction)"
c++ -O1 "$folder/cpp/one_problem.cpp" -o "$folder/pkg/one_problem" "${flags[@]}" || fail "pkg-config"
c++ -O1 "$folder/cpp/step_scene.cpp" -o "$folder/pkg/step_scene" "${flags[@]}" || fail "pkg-config"
check_examples "$folder/pkg"

# The lines of C++ in the page.
{
    printf '#include <stiction/world/world.h>\nvoid use(const stiction::Vec3&, const stiction::Vec3&);\n'
    printf 'void page(const stiction::WorldOptions& options) {\n'
    sed -n '/^```cpp/,/^```/{/^```/!p}' docs/library.md
    printf '}\n'
} >"$folder/page.cpp"
grep -q "stiction::World" "$folder/page.cpp" || fail "docs/library.md has no lines of C++"
c++ -fsyntax-only "$folder/page.cpp" "${flags[@]}" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"

use_program "$prefix"
use_module "$prefix" /usr/bin/python3
echo passed
