stiction_test(bench/fold_motors_test DEPS bench step scene)
stiction_test(bench/dense_contact_test DEPS bench step scene)
stiction_test(bench/report_test DEPS bench)
stiction_test(bench/grasp_problems_test DEPS bench step scene)
