stiction_test(model/shape_test DEPS model)
stiction_test(model/trees_test DEPS model)
stiction_test(model/decompose_test DEPS model)
