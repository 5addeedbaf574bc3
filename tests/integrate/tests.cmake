stiction_test(integrate/integrate_test DEPS step scene)
stiction_test(integrate/projection_test DEPS step scene)
stiction_test(integrate/rk4_test DEPS integrate)
