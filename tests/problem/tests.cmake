stiction_test(problem/contact_problem_test DEPS problem)
stiction_test(problem/link_system_test DEPS problem)
