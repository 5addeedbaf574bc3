stiction_test(solve/lemke_test DEPS solve)
stiction_test(solve/ppm_test DEPS solve)
stiction_test(solve/independent_rows_test DEPS solve)
