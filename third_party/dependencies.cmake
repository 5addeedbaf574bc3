# Turns the packages of packages.txt into CMake targets. Nothing is vendored.
include(${CMAKE_CURRENT_LIST_DIR}/library_dependencies.cmake)
find_package(spdlog REQUIRED)                                      # spdlog::spdlog
find_package(CLI11 REQUIRED)                                       # CLI11::CLI11
find_package(glfw3 3.3 REQUIRED)                                   # glfw
pkg_check_modules(epoxy REQUIRED IMPORTED_TARGET epoxy)            # PkgConfig::epoxy
pkg_check_modules(imgui REQUIRED IMPORTED_TARGET imgui)            # PkgConfig::imgui
