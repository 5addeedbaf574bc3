stiction_test(scenes/every_scene_test DEPS step scene TIMEOUT 300)
stiction_test(scenes/granular_test DEPS step scene TIMEOUT 300)
stiction_test(scenes/granular_long_test DEPS step scene LABELS long TIMEOUT 3600)
