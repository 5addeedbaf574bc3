# The Python module, with the interpreter that it was built for. A file is a test: it ends with status 0, or 77 where a
# package is missing.
if(STICTION_PYTHON)
  add_dependencies(checks stiction_python)
  foreach(name world_test same_bits_test rollout_test problems_test recording_test environment_test image_test sweep_test dask_test examples_test doctest_test types_test)
    add_test(NAME python/${name} COMMAND ${Python_EXECUTABLE} tests/python/${name}.py WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(python/${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
      ENVIRONMENT "PYTHONPATH=${CMAKE_BINARY_DIR}/python;STICTION_PROGRAM=$<TARGET_FILE:stiction>;PYTHONDONTWRITEBYTECODE=1;MPLBACKEND=Agg")
  endforeach()
  set_tests_properties(python/dask_test PROPERTIES LABELS long)
  add_dependencies(checks stiction)  # whose bits and messages they compare
endif()
