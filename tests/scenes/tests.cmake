stiction_test(scenes/every_scene_test DEPS step scene TIMEOUT 300)
