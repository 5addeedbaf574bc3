stiction_test(metrics/contact_quality_test DEPS metrics)
stiction_test(metrics/contact_difference_test DEPS metrics)
stiction_test(metrics/step_quality_test DEPS metrics)
