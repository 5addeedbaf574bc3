stiction_test(scene/expression_test DEPS scene)
stiction_test(scene/scene_test DEPS scene)
stiction_test(scene/scene_error_test DEPS scene)
stiction_test(scene/joint_force_test DEPS scene)
stiction_test(scene/phases_test DEPS scene)
stiction_test(scene/mesh_shape_test DEPS scene)
stiction_test(scene/terrain_test DEPS scene)
target_link_libraries(scene_tests PRIVATE PNG::PNG)  # writes pictures
stiction_test(scene/shipped_scenes_test DEPS scene)
stiction_test(scene/robots_test DEPS scene step)

# The JSON Schema agrees with the shipped scenes. Skipped, with a message, where python3-jsonschema is missing.
find_program(PYTHON3_PROGRAM python3)
if(PYTHON3_PROGRAM)
  add_test(NAME scene/schema COMMAND ${PYTHON3_PROGRAM} tests/scene/check_schema.py
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(scene/schema PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)
endif()
