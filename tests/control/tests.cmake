stiction_test(control/controls_test DEPS control)
stiction_test(control/gait_test DEPS control)
stiction_test(control/phases_test DEPS control)
