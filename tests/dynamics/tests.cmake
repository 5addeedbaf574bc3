stiction_test(dynamics/free_body_test DEPS dynamics)
stiction_test(dynamics/joint_geometry_test DEPS dynamics)
stiction_test(dynamics/tree_test DEPS dynamics)
stiction_test(dynamics/tree_momentum_test DEPS dynamics)
