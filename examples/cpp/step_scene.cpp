// step_scene.cpp - loads a scene, steps it, reads its contacts, and goes on under another contact model.
#include <stiction/core/error.h>
#include <stiction/world/world.h>

#include <cinttypes>
#include <cstdio>

int main(int argc, char** argv) {
    try {
        stiction::WorldOptions options;
        options.parameters = {{"boxes", "3"}};
        stiction::World world(argc > 1 ? argv[1] : "stack", options);
        world.run(100);
        std::printf("t = %g s, state %016" PRIx64 "\n", world.state().time, world.state_hash());

        Eigen::Vector3d floor = Eigen::Vector3d::Zero();
        for (const stiction::WorldContact& contact : world.contacts()) {
            const stiction::Body& below = world.model().bodies[stiction::at(contact.body_b)];
            if (below.kind == stiction::BodyKind::kStatic) floor += contact.impulse();
        }
        std::printf("%zu contacts; the floor carries %.4f N\n", world.contacts().size(),
                    floor.z() / world.settings().h);

        world.set_contact_model("{model: coulomb_lcp, sides: 8}");
        world.run(100);
        std::printf("%s by %s: residual %.1g\n", name(world.contact_model()).data(),
                    world.report().solver.c_str(), world.report().residual);
    } catch (const stiction::InputError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
    return 0;
}
