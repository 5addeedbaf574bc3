# One small library per folder of src/. DEPS are the folders it may include (the rule of docs/pipeline.md);
# PRIVATE_DEPS are third parties, whose headers stay inside the folder's own sources. .ci/check_includes,
# a phase of ./test, compares the includes with both.

# stiction_build_options has what holds for this project's own files; programs outside get stiction_options alone.
add_library(stiction_build_options INTERFACE)
add_library(stiction_options INTERFACE)
target_compile_features(stiction_options INTERFACE cxx_std_20)
target_include_directories(stiction_options INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
target_link_libraries(stiction_options INTERFACE Eigen3::Eigen $<BUILD_INTERFACE:stiction_build_options>)
target_compile_options(stiction_build_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# The Python module is a shared library made of the same archives. Hidden symbols cannot be replaced by others at load
# time, so that calls and inlining stay those of a program.
target_compile_options(stiction_build_options INTERFACE -fPIC -fvisibility=hidden)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees an impossible overlap in `"text" + std::string` (GCC bug 105651). The other three libstdc++ switches off
  # around its own code by pragmas, which g++ does not keep in precompiled headers; the sanitizers see what they would.
  target_compile_options(stiction_build_options INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
else()
  # clang's takes names of two files that a unity build reads one after the other for shadowing.
  target_compile_options(stiction_build_options INTERFACE -Wno-shadow)
endif()
target_link_options(stiction_options INTERFACE -Wl,--build-id=sha1)  # core/build_id.h
if(STICTION_NATIVE)
  target_compile_options(stiction_build_options INTERFACE -march=native)
  # GCC 12's own AVX-512 headers hand on registers that are meant to be undefined (GCC bug 105593).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(stiction_build_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
endif()
if(STICTION_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code at low optimisation gives false alarms about uninitialised members.
    target_compile_options(stiction_build_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_compile_options(stiction_build_options INTERFACE -fsanitize=${STICTION_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(stiction_build_options INTERFACE -fsanitize=${STICTION_SANITIZE})
endif()

# What nearly every file includes, parsed once: the precompiled header of the library core, which all folders reuse. Only
# Eigen and the standard library, which any file may include; every file still includes what it uses (clang-tidy, a
# phase of ./test --all, reads the sources without it).
set(STICTION_COMMON_HEADERS
  <Eigen/Dense> <Eigen/SparseCore>
  <algorithm> <array> <chrono> <cmath> <cstdint> <cstdio> <cstdlib> <filesystem> <fstream> <functional> <limits> <map>
  <memory> <numbers> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <utility> <variant>
  <vector>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stiction_build_options INTERFACE -fpch-preprocess)  # without it ccache declines to work
  # g++ collects garbage whenever its heap has doubled, and each time walks all of the precompiled headers: a tenth of the time
  # of a batch. Up to 1 GB (in kB here), which batches reach anyway, it need not.
  target_compile_options(stiction_build_options INTERFACE --param=ggc-min-heapsize=1000000)
endif()

# stiction_precompile(target [header ...]): the common headers, reused; with headers of third parties that target wraps,
# a precompiled header of its own that has them too.
function(stiction_precompile target)
  if(ARGN OR target STREQUAL "stiction_core")
    target_precompile_headers(${target} PRIVATE ${STICTION_COMMON_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM stiction_core)
  endif()
endfunction()

# stiction_batch(target [file ...]): compiles the files of target eight at a time. Files of one folder instantiate the same
# templates, so that a batch costs half of what its files cost one by one. Names in the anonymous namespaces of a folder
# must differ for that; the files listed, whose names do not, are compiled by themselves.
function(stiction_batch target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STICTION_BATCH} UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Meant for headers: an Impl with a member of an anonymous namespace, which here is just another file of the batch.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# stiction_library(name SOURCES a.cpp ... [SINGLE b.cpp ...] [DEPS core ...] [PRIVATE_DEPS target ...]); SINGLE are sources
# that are compiled by themselves.
function(stiction_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;SINGLE;DEPS;PRIVATE_DEPS" ${ARGN})
  list(TRANSFORM ARG_DEPS PREPEND stiction_)
  if(ARG_SOURCES)
    add_library(stiction_${name} STATIC ${ARG_SOURCES} ${ARG_SINGLE})
    target_link_libraries(stiction_${name} PUBLIC stiction_options ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
    stiction_precompile(stiction_${name})
    stiction_batch(stiction_${name} ${ARG_SINGLE})
  else()
    add_library(stiction_${name} INTERFACE)
    target_link_libraries(stiction_${name} INTERFACE stiction_options ${ARG_DEPS})
  endif()
endfunction()
