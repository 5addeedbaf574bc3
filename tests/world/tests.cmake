stiction_test(world/world_test DEPS world)
stiction_test(world/rollout_test DEPS world LABELS threads)
