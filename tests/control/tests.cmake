stiction_test(control/controls_test DEPS control)
