stiction_test(assemble/assemble_test DEPS assemble step scene)
