add_library(stiction_fuzz_targets STATIC fuzz/targets.cpp)
target_link_libraries(stiction_fuzz_targets
  PUBLIC stiction_options stiction_scene stiction_import stiction_problem_files stiction_record stiction_step stiction_sweep stiction_app nlohmann_json::nlohmann_json)
target_include_directories(stiction_fuzz_targets PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
stiction_precompile(stiction_fuzz_targets)

stiction_test(fuzz/corpus_test DEPS fuzz_targets TIMEOUT 300)

if(STICTION_SANITIZE MATCHES "fuzzer")  # ./fuzz: clang's libFuzzer brings main
  # Every counter is cleared and looked at once per input. What no reader calls, or calls with what it has checked, has
  # the sanitizers alone.
  foreach(folder problem solve metrics dynamics control collide assemble contact integrate step plot compare bench draw live view)
    target_compile_options(stiction_${folder} PRIVATE -fno-sanitize-coverage=edge,inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endforeach()
  # fuzz_main.cpp names the symbols that instrumented code makes for its counters: instrumented itself it would get others
  # by these names, empty ones, and register those for the whole program.
  add_executable(stiction_fuzz fuzz/fuzz_main.cpp fuzz/worker.cpp fuzz/child_here.cpp)
  set_source_files_properties(fuzz/fuzz_main.cpp fuzz/worker.cpp fuzz/child_here.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
  target_link_libraries(stiction_fuzz PRIVATE stiction_fuzz_targets)
  target_link_options(stiction_fuzz PRIVATE -fsanitize=fuzzer)
endif()
