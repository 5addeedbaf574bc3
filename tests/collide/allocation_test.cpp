// A warm call allocates nothing: neither through new nor through malloc, which Bullet uses.
#include "allocation_count.h"
#include "collide/geometry_checks.h"

namespace stiction {
namespace {

void expect_no_allocation(NarrowphaseKind kind) {
    World world;
    world.add(Plane{}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
    const Shape shapes[] = {Sphere{0.1}, Box{{0.1, 0.08, 0.12}}, Capsule{0.06, 0.1},
                            Cylinder{0.08, 0.1}, random_hull(3, 16, 0.12)};
    Random random(5);
    for (int i = 0; i < 40; ++i) {
        const Vec3 p(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(0, 0.5));
        world.add(shapes[i % 5], p, random_rotation(random));
    }
    // Bodies go to and fro so far that they leave their places in the tree; the second round is the
    // warm one.
    Narrowphase narrowphase(world.model, {0.01});
    ContactSet set;
    State state = world.state;
    const auto round = [&] {
        state = world.state;
        const long before = allocation_count();
        std::size_t contacts = 0;
        for (int step = 0; step < 100; ++step) {
            for (std::size_t b = 1; b < state.pose.size(); ++b)
                state.pose[b].p = world.state.pose[b].p *
                                  (1 + 0.3 * std::sin(0.1 * step + static_cast<double>(b)));
            narrowphase.collide(world.model, state, 1e-3, set, kind);
            contacts += set.contacts.size();
        }
        EXPECT_GT(contacts, 1000U);
        return allocation_count() - before;
    };
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    EXPECT_GT(round(), 0);  // the first round grows the buffers: the count works
    EXPECT_EQ(round(), 0);
}

TEST(Allocation, AWarmCallAllocatesNothing) { expect_no_allocation(NarrowphaseKind::kExact); }

TEST(Allocation, NorDoesAWarmCallOfBullet) { expect_no_allocation(NarrowphaseKind::kBullet); }

}  // namespace
}  // namespace stiction
