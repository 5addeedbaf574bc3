stiction_test(compare/variants_test DEPS compare)
stiction_test(compare/compare_test DEPS compare)
target_link_libraries(compare_tests PRIVATE nlohmann_json::nlohmann_json)
