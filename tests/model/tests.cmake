stiction_test(model/shape_test DEPS model)
