stiction_test(import/urdf_test DEPS import)
stiction_test(import/urdf_error_test DEPS import)
stiction_test(import/mesh_test DEPS import)
stiction_test(import/xml_levels_test DEPS import)
