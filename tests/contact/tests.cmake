stiction_test(contact/no_slip_test DEPS step scene)
stiction_test(contact/coulomb_lcp_test DEPS step scene)
stiction_test(contact/restitution_test DEPS step scene)
stiction_test(contact/coulomb_cone_test DEPS step scene)
