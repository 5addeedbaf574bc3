# These run the program itself.
foreach(name bad_input_test run_test)
  stiction_test(app/${name} DEPS core)
  target_link_libraries(app_${name} PRIVATE nlohmann_json::nlohmann_json)
  target_compile_definitions(app_${name} PRIVATE STICTION_PROGRAM="$<TARGET_FILE:stiction>")
  add_dependencies(app_${name} stiction)
endforeach()
