# The real window on an X server without a screen. What it costs is drawing in software, so nothing runs beside it.
stiction_test(window/window_test DEPS core scene view TIMEOUT 300)
stiction_test(window/visitor_test DEPS core scene view TIMEOUT 300)
find_package(X11 REQUIRED)
target_sources(window_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/window/x_messages.cpp)
target_link_libraries(window_tests PRIVATE nlohmann_json::nlohmann_json X11::X11)
target_compile_definitions(window_tests PRIVATE STICTION_PROGRAM="$<TARGET_FILE:stiction>")
add_dependencies(window_tests stiction)
set_tests_properties(window/window_test window/visitor_test PROPERTIES RUN_SERIAL ON)
