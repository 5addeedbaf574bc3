stiction_test(step/simulation_test DEPS step scene LABELS threads)
stiction_test(step/allocation_test DEPS step scene)
stiction_test(step/acceleration_problem_test DEPS step scene)
