# What `cmake --install` and cpack give, used from outside: programs built against it, scenes found, the module imported.
add_dependencies(checks stiction_installed)
foreach(kind prefix package pip debian)
  add_test(NAME install/${kind}_test COMMAND bash tests/install/${kind}_test.sh ${CMAKE_BINARY_DIR} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(install/${kind}_test PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
endforeach()
set_tests_properties(install/package_test install/pip_test install/debian_test PROPERTIES LABELS long)
set_tests_properties(install/debian_test PROPERTIES TIMEOUT 1800)  # it fetches 400 MB of packages
