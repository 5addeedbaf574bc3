# What `cmake --install` and the Debian package hold: libraries with their public headers, CMake and pkg-config files, the
# program with its scenes, pages, man page, completions and menu entry, the Python package.
include(GNUInstallDirs)
if(NOT "$CACHE{CMAKE_INSTALL_DOCDIR}")
  set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/stiction)  # in lower case, as the package is called
endif()
include(CMakePackageConfigHelpers)
set(STICTION_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Stiction)

# Folders whose libraries are installed, those that use others first, as a linker wants them.
set(STICTION_INSTALLED_FOLDERS world live problem_files record scene import step integrate contact assemble collide control
    dynamics metrics solve problem model core)
foreach(folder ${STICTION_INSTALLED_FOLDERS})
  set_target_properties(stiction_${folder} PROPERTIES EXPORT_NAME ${folder})
  list(APPEND targets stiction_${folder})
  get_target_property(type stiction_${folder} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(APPEND STICTION_LIBRARIES " -lstiction_${folder}")
  endif()
endforeach()
set_target_properties(stiction_options PROPERTIES EXPORT_NAME options)
install(TARGETS ${targets} stiction_options EXPORT StictionTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# What dependencies.cmake makes of packages without a CMake package: StictionConfig.cmake makes them again.
install(EXPORT StictionTargets NAMESPACE stiction:: DESTINATION ${STICTION_CMAKE_FOLDER})

add_custom_target(stiction_installed)  # what `cmake --install` copies, to be built before
add_dependencies(stiction_installed stiction ${targets})
if(STICTION_PYTHON)
  add_dependencies(stiction_installed stiction_python)
endif()

# The public headers (docs/library.md), with all that they include, as <stiction/FOLDER/NAME.h>.
set(headers world/rollout.h world/world.h solve/cone/solve_named.h core/error.h)
set(done)
while(headers)
  list(POP_FRONT headers header)
  list(APPEND done ${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${header})
  file(READ ${header} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" included ${include})
    if(NOT included IN_LIST done AND NOT included IN_LIST headers)
      list(APPEND headers ${included})
    endif()
  endforeach()
  string(REGEX REPLACE "#include \"([^\"]+)\"" "#include <stiction/\\1>" text "${text}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/include/stiction/${header} CONTENT "@text@" @ONLY)
endwhile()
install(DIRECTORY ${CMAKE_BINARY_DIR}/include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(packaging ${CMAKE_SOURCE_DIR}/packaging)
configure_package_config_file(${packaging}/StictionConfig.cmake.in ${CMAKE_BINARY_DIR}/StictionConfig.cmake
                              INSTALL_DESTINATION ${STICTION_CMAKE_FOLDER})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/StictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/StictionConfig.cmake ${CMAKE_BINARY_DIR}/StictionConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/third_party/library_dependencies.cmake DESTINATION ${STICTION_CMAKE_FOLDER})
file(RELATIVE_PATH STICTION_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${packaging}/stiction.pc.in ${CMAKE_BINARY_DIR}/stiction.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/stiction.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS stiction RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/scenes ${CMAKE_SOURCE_DIR}/sweeps DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/tests/data/problems DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction FILES_MATCHING PATTERN "*.h5")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)  # where Debian looks for it
install(FILES ${packaging}/stiction.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${packaging}/stiction.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME stiction)
install(FILES ${packaging}/_stiction DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${packaging}/stiction.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${packaging}/stiction.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)

if(STICTION_PYTHON)
  set(python_folder lib/python3/dist-packages/stiction)  # where Debian's Python looks below /usr
  install(TARGETS stiction_python LIBRARY DESTINATION ${python_folder})
  install(DIRECTORY python/stiction/ DESTINATION ${python_folder} PATTERN "__pycache__" EXCLUDE)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stiction)
set(CPACK_PACKAGE_VENDOR Stiction)
set(CPACK_PACKAGE_CONTACT "Stiction <stiction@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Rigid bodies in contact, with contact models to choose from")
set(CPACK_PACKAGE_DESCRIPTION "A time-stepping simulator of rigid bodies whose contact model can be switched while it runs: program, C++ library, Python module.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what program and module link; headers and archives need the -dev packages besides
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1-mesa-dri, fonts-roboto-unhinted")  # opened while it runs, for pictures
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, python3, python3-numpy, python3-scipy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libeigen3-dev, libyaml-cpp-dev, libhdf5-dev, nlohmann-json3-dev, libpng-dev, libassimp-dev, liburdfdom-dev, libtinyxml-dev, libconsole-bridge-dev, libbullet-dev, pkg-config")
include(CPack)
