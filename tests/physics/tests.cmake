stiction_test(physics/held_test DEPS step scene TIMEOUT 300)
stiction_test(physics/moving_test DEPS step scene TIMEOUT 300)
stiction_test(physics/long_test DEPS step scene LABELS long TIMEOUT 1800)
