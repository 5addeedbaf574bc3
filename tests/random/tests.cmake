# Generator, checks and shrinker are a library: the tests use it, and random_scenes, the program for thousands of seeds.
add_library(stiction_random_scenes STATIC
  random/scene_sketch.cpp random/random_scene.cpp random/random_groups.cpp random/random_linkage.cpp
  random/friction_checks.cpp random/island_answer.cpp random/island_checks.cpp random/dissipation_check.cpp random/check_run.cpp
  random/live_session.cpp random/shrink.cpp random/survey.cpp)
target_link_libraries(stiction_random_scenes PUBLIC stiction_options stiction_step stiction_scene stiction_live)
target_include_directories(stiction_random_scenes PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
stiction_precompile(stiction_random_scenes)
stiction_batch(stiction_random_scenes)

add_executable(random_scenes random/random_scenes_main.cpp)
target_link_libraries(random_scenes PRIVATE stiction_random_scenes)
add_dependencies(checks random_scenes)

stiction_test(random/generator_test DEPS random_scenes record)
stiction_test(random/friction_checks_test DEPS random_scenes)
stiction_test(random/island_checks_test DEPS random_scenes)
stiction_test(random/shrink_test DEPS random_scenes)
stiction_test(random/bits_test DEPS random_scenes LABELS threads TIMEOUT 300)
stiction_test(random/seeds_first_test DEPS random_scenes TIMEOUT 600)
stiction_test(random/seeds_second_test DEPS random_scenes TIMEOUT 600)
stiction_test(random/live_session_test DEPS random_scenes TIMEOUT 600)
stiction_test(random/seeds_long_test DEPS random_scenes LABELS long TIMEOUT 3600)
