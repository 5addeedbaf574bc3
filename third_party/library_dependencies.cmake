# library_dependencies.cmake - packages that the libraries need. Installed beside StictionConfig.cmake, which includes it.
find_package(PkgConfig REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)                        # Eigen3::Eigen
find_package(yaml-cpp REQUIRED)                                    # yaml-cpp
find_package(HDF5 REQUIRED COMPONENTS C)                           # hdf5::hdf5
find_package(nlohmann_json REQUIRED)                               # nlohmann_json::nlohmann_json
find_package(Threads REQUIRED)                                     # Threads::Threads
find_package(PNG REQUIRED)                                         # PNG::PNG
find_package(assimp 5.2 REQUIRED)                                  # assimp::assimp

if(TARGET third_party::urdfdom)
  return()  # a project may look for Stiction twice
endif()

# URDF, and the XML reader and message sink that urdfdom itself uses. Its CMake package would add include paths for all.
pkg_check_modules(URDFDOM REQUIRED urdfdom_headers console_bridge tinyxml)
find_library(URDFDOM_MODEL_LIBRARY urdfdom_model REQUIRED)
add_library(third_party::urdfdom INTERFACE IMPORTED GLOBAL)
target_include_directories(third_party::urdfdom SYSTEM INTERFACE ${URDFDOM_INCLUDE_DIRS})
target_compile_options(third_party::urdfdom INTERFACE ${URDFDOM_CFLAGS_OTHER})
target_link_libraries(third_party::urdfdom INTERFACE ${URDFDOM_MODEL_LIBRARY} ${URDFDOM_LINK_LIBRARIES})

# Bullet in double precision, collision and linear math only: no dynamics is linked. find_package(Bullet)
# would silently give the float build.
pkg_check_modules(BULLET64 REQUIRED bullet-float64)
find_library(BULLET_COLLISION_LIBRARY BulletCollision-float64 REQUIRED)
find_library(BULLET_MATH_LIBRARY LinearMath-float64 REQUIRED)
add_library(third_party::bullet_collision INTERFACE IMPORTED GLOBAL)
target_include_directories(third_party::bullet_collision SYSTEM INTERFACE ${BULLET64_INCLUDE_DIRS})
target_compile_options(third_party::bullet_collision INTERFACE ${BULLET64_CFLAGS_OTHER})
target_link_libraries(third_party::bullet_collision INTERFACE ${BULLET_COLLISION_LIBRARY} ${BULLET_MATH_LIBRARY})
