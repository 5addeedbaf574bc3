stiction_test(plot/plot_test DEPS plot)
stiction_test(plot/performance_profile_test DEPS plot)
stiction_test(plot/heat_map_test DEPS plot)
