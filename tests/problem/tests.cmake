stiction_test(problem/contact_problem_test DEPS problem)
