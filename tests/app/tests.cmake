# These run the program itself.
stiction_test(app/bad_input_test DEPS core)
stiction_test(app/run_test DEPS core LABELS threads)
stiction_test(app/solve_test DEPS core)
foreach(target app_bad_input_test app_run_test app_solve_test)
  target_link_libraries(${target} PRIVATE nlohmann_json::nlohmann_json)
  target_compile_definitions(${target} PRIVATE STICTION_PROGRAM="$<TARGET_FILE:stiction>")
  add_dependencies(${target} stiction)
endforeach()
