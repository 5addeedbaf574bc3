// Contacts are the same bits, in the same order, for any number of threads.
#include "collide/geometry_checks.h"
#include "core/thread_pool.h"

namespace stiction {
namespace {

World crowd() {
    World world;
    world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    const Shape shapes[] = {Sphere{0.1}, Box{{0.1, 0.08, 0.12}}, Capsule{0.06, 0.1},
                            Cylinder{0.08, 0.1}, random_hull(3, 16, 0.12)};
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        const Vec3 p(random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7), random.uniform(0, 1.2));
        world.add(shapes[i % 5], p, random_rotation(random));
        for (int k = 0; k < 3; ++k) world.state.twist.back().v[k] = random.uniform(-2, 2);
    }
    return world;
}

bool same(const Contact& x, const Contact& y) {
    return x.body_a == y.body_a && x.body_b == y.body_b && x.geom_a == y.geom_a &&
           x.geom_b == y.geom_b && x.feature == y.feature && x.p_A == y.p_A && x.p_B == y.p_B &&
           x.n == y.n && x.phi == y.phi;
}

TEST(CollideThreads, ContactsAreTheSameForAnyNumber) {
    const World world = crowd();
    Narrowphase alone(world.model);
    ContactSet expected, set;
    for (const int threads : {1, 2, 3, 8}) {
        ThreadPool pool(threads);
        Narrowphase shared(world.model);
        State state = world.state;
        for (int step = 0; step < 20; ++step) {
            for (std::size_t b = 1; b < state.pose.size(); ++b)
                state.pose[b].p += 5e-3 * state.twist[b].v;
            alone.collide(world.model, state, 1e-3, expected);
            shared.collide(world.model, state, 1e-3, set, NarrowphaseKind::kExact, &pool);
            ASSERT_GT(expected.contacts.size(), 1000U);
            ASSERT_EQ(set.contacts.size(), expected.contacts.size());
            ASSERT_EQ(set.pairs, expected.pairs);
            for (std::size_t i = 0; i < set.contacts.size(); ++i)
                ASSERT_TRUE(same(set.contacts[i], expected.contacts[i])) << threads << " " << i;
        }
    }
}

}  // namespace
}  // namespace stiction
