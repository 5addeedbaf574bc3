stiction_test(core/thread_pool_test DEPS core LABELS threads)
stiction_test(core/deadline_test DEPS core)
stiction_test(core/ways_test DEPS core)
stiction_test(core/printable_test DEPS core)
