// bullet.cpp - Bullet: sequential impulses for every scene, the direct MLCP solvers for grasp and
// ramp, btMultiBody for the robot. Built twice, in single and in double precision.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "bench.h"

namespace stiction::peers {

namespace {

#ifdef BT_USE_DOUBLE_PRECISION
constexpr const char* kEngine = "bullet-f64";
#else
constexpr const char* kEngine = "bullet-f32";
#endif

enum class Solver { kImpulses, kDantzig, kLemke };

struct Config {
    std::string name;
    Solver solver = Solver::kImpulses;
    int iterations = 10;
    bool two_directions = false;  // SOLVER_USE_2_FRICTION_DIRECTIONS, off by default
    bool tuned = false;           // broadphase margins scaled to the 4 cm spheres
};

btVector3 bt(Vec v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
Vec vec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

// Bullet multiplies the two coefficients and clamps at 10; the scenes want the
// coefficient as given.
btScalar pair_friction(const btCollisionObject* a, const btCollisionObject* b) {
    return std::min(a->getFriction(), b->getFriction());
}

struct BulletSim : Sim {
    btDefaultCollisionConfiguration collision;
    btCollisionDispatcher dispatcher{&collision};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btMLCPSolverInterface> direct;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> fixed, bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btScalar dt;
    btScalar push = 0;  // on the first body, and back on the last

    BulletSim(const Config& c, double step_size) : dt(btScalar(step_size)) {
        gCalculateCombinedFrictionCallback = pair_friction;
        if (c.tuned) {  // the defaults, 0.05 and 0.02, suit bodies of about a metre
            gDbvtMargin = btScalar(0.005);
            gContactBreakingThreshold = btScalar(0.002);
        }
        if (c.solver == Solver::kImpulses) {
            solver = std::make_unique<btSequentialImpulseConstraintSolver>();
        } else {
            if (c.solver == Solver::kDantzig)
                direct = std::make_unique<btDantzigSolver>();
            else
                direct = std::make_unique<btLemkeSolver>();
            solver = std::make_unique<btMLCPSolver>(direct.get());
        }
        world = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, solver.get(),
                                                          &collision);
        settings(*world, c);
        if (direct) world->getSolverInfo().m_minimumSolverBatchSize = 1;
    }

    ~BulletSim() override {
        for (auto& j : joints) world->removeConstraint(j.get());
        for (auto& b : bodies) world->removeRigidBody(b.get());
        for (auto& b : fixed) world->removeRigidBody(b.get());
    }

    static void settings(btDiscreteDynamicsWorld& w, const Config& c) {
        w.setGravity({0, 0, btScalar(-kGravity)});
        w.getSolverInfo().m_numIterations = c.iterations;
        if (c.two_directions) w.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    }

    btCollisionShape* keep(btCollisionShape* s) {
        shapes.emplace_back(s);
        return s;
    }

    btRigidBody* add(btCollisionShape* shape, double mass, const btTransform& pose, double mu) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
        auto body = std::make_unique<btRigidBody>(btScalar(mass), nullptr, shape, inertia);
        body->setCenterOfMassTransform(pose);
        body->setInterpolationWorldTransform(pose);
        body->setFriction(btScalar(mu));
        body->setRestitution(0);
        body->setActivationState(DISABLE_DEACTIVATION);
        world->addRigidBody(body.get());
        auto& list = mass > 0 ? bodies : fixed;
        list.push_back(std::move(body));
        return list.back().get();
    }

    void step() override {
        if (push != 0) {
            bodies.front()->applyCentralForce({push, 0, 0});
            bodies.back()->applyCentralForce({-push, 0, 0});
        }
        world->stepSimulation(dt, 0);
    }

    int contacts() const override {
        int n = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
            n += const_cast<btCollisionDispatcher&>(dispatcher)
                     .getManifoldByIndexInternal(i)
                     ->getNumContacts();
        return n;
    }

    Vec position(int i) const override { return vec(bodies[i]->getCenterOfMassPosition()); }
    Vec velocity(int i) const override { return vec(bodies[i]->getLinearVelocity()); }
    Vec spin(int i) const override { return vec(bodies[i]->getAngularVelocity()); }
    Quat orientation(int i) const override {
        const btQuaternion q = bodies[i]->getOrientation();
        return {q.w(), q.x(), q.y(), q.z()};
    }

    void report(Metrics& m) const override {
        if (auto* s = dynamic_cast<btMLCPSolver*>(solver.get()))
            m.emplace_back("mlcp_fallbacks", s->getNumFallbacks());
    }
};

btTransform at(Vec p) { return btTransform(btQuaternion::getIdentity(), bt(p)); }

btCollisionShape* cube(double side) {
    btScalar h = btScalar(side / 2);
    return new btBoxShape({h, h, h});
}

std::unique_ptr<Sim> make_grasp(const Config& c, int k) {
    auto sim = std::make_unique<BulletSim>(c, grasp::kDt);
    auto* shape = sim->keep(cube(grasp::kSide));
    for (int i = 0; i <= k + 1; ++i) {
        auto* body = sim->add(shape, grasp::kMass, at({grasp::x(k, i), 0, 0}), grasp::kMu);
        if (i > 0 && i <= k) continue;
        auto joint =
            std::make_unique<btGeneric6DofSpring2Constraint>(*body, btTransform::getIdentity());
        joint->setLinearLowerLimit({1, 0, 0});  // lower above upper: free along x
        joint->setLinearUpperLimit({-1, 0, 0});
        joint->setAngularLowerLimit({0, 0, 0});
        joint->setAngularUpperLimit({0, 0, 0});
        sim->world->addConstraint(joint.get());
        sim->joints.push_back(std::move(joint));
    }
    sim->push = btScalar(grasp::force(k));
    return sim;
}

std::unique_ptr<Sim> make_pile(const Config& c, const Pile& pile) {
    auto sim = std::make_unique<BulletSim>(c, pile.dt);
    for (const Pile::Plane& plane : pile.planes)
        sim->add(sim->keep(new btStaticPlaneShape(bt(plane.normal), btScalar(plane.offset))), 0,
                 at({}), pile.mu);
    btCollisionShape* shape = nullptr;  // that of the body before, where they are alike
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const Pile::Body& body = pile.bodies[i];
        if (i == 0 || !alike(body, pile.bodies[i - 1]))
            shape = sim->keep(body.radius > 0 ? static_cast<btCollisionShape*>(
                                                    new btSphereShape(btScalar(body.radius)))
                                              : new btBoxShape(bt(body.half)));
        const btQuaternion q(btScalar(body.q.x), btScalar(body.q.y), btScalar(body.q.z),
                             btScalar(body.q.w));
        sim->add(shape, body.mass, btTransform(q, bt(body.p)), pile.mu);
    }
    return sim;
}

std::unique_ptr<Sim> make_ramp(const Config& c, double mu) {
    auto sim = std::make_unique<BulletSim>(c, ramp::kDt);
    btQuaternion tilt({0, 1, 0}, btScalar(ramp::kAngle));
    auto* slab =
        sim->keep(new btBoxShape({btScalar(ramp::kSize[0] / 2), btScalar(ramp::kSize[1] / 2),
                                  btScalar(ramp::kSize[2] / 2)}));
    sim->add(slab, 0, btTransform(tilt, bt(ramp::along(0, -ramp::kSize[2] / 2))), mu);
    sim->add(sim->keep(cube(ramp::kSide)), ramp::kMass,
             btTransform(tilt, bt(ramp::along(0, ramp::kSide / 2))), mu);
    return sim;
}

// ---- robot: one floating-base btMultiBody

struct RobotSim : Sim {
    btDefaultCollisionConfiguration collision;
    btCollisionDispatcher dispatcher{&collision};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &collision};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::unique_ptr<btRigidBody> ground;
    std::unique_ptr<btMultiBody> body;

    explicit RobotSim(const Config& c) {
        using namespace robot;
        gCalculateCombinedFrictionCallback = pair_friction;
        BulletSim::settings(world, c);

        auto* floor = keep(new btStaticPlaneShape({0, 0, 1}, 0));
        ground = std::make_unique<btRigidBody>(0, nullptr, floor);
        ground->setFriction(btScalar(kMu));
        world.addRigidBody(ground.get(), 1, 2);

        body = std::make_unique<btMultiBody>(12, btScalar(kTorsoMass), bt(torso_inertia()), false,
                                             false);
        btScalar across = btScalar(inertia_across()), lengthwise = btScalar(inertia_along());
        btScalar l = btScalar(kLinkLength), h = l / 2;
        btQuaternion same = btQuaternion::getIdentity();
        for (int leg = 0; leg < 4; ++leg) {
            btScalar side = btScalar(left_right(leg));
            int i = 3 * leg;
            body->setupRevolute(i, btScalar(kLinkMass), {across, lengthwise, across}, -1, same,
                                {1, 0, 0},
                                {btScalar(kHipX * front_back(leg)), side * btScalar(kHipY), 0},
                                {0, side * h, 0}, true);
            body->setupRevolute(i + 1, btScalar(kLinkMass), {across, across, lengthwise}, i, same,
                                {0, 1, 0}, {0, side * h, 0}, {0, 0, -h}, true);
            body->setupRevolute(i + 2, btScalar(kLinkMass), {across, across, lengthwise}, i + 1,
                                same, {0, 1, 0}, {0, 0, -h}, {0, 0, -h}, true);
        }
        body->finalizeMultiDof();
        body->setCanSleep(false);
        body->setHasSelfCollision(false);
        body->setLinearDamping(0);
        body->setAngularDamping(0);
        body->setBasePos({0, 0, btScalar(height())});
        body->setWorldToBaseRot(same);
        for (int i = 0; i < 12; ++i) body->setJointPos(i, btScalar(kPose[i % 3]));
        world.addMultiBody(body.get());

        // btCapsuleShape runs along y, btCapsuleShapeZ along z.
        attach(-1, keep(new btBoxShape({btScalar(kTorso[0] / 2), btScalar(kTorso[1] / 2),
                                        btScalar(kTorso[2] / 2)})));
        auto* hip = keep(new btCapsuleShape(btScalar(kLinkRadius), l));
        auto* shin = keep(new btCapsuleShapeZ(btScalar(kLinkRadius), l));
        auto* foot = keep(new btSphereShape(btScalar(kFootRadius)));
        auto* lower = new btCompoundShape();
        keep(lower);
        lower->addChildShape(btTransform::getIdentity(), shin);
        lower->addChildShape(at({0, 0, -kLinkLength / 2}), foot);
        for (int leg = 0; leg < 4; ++leg) {
            attach(3 * leg, hip);
            attach(3 * leg + 1, shin);
            attach(3 * leg + 2, lower);
        }
        btAlignedObjectArray<btQuaternion> q;
        btAlignedObjectArray<btVector3> m;
        body->forwardKinematics(q, m);
        body->updateCollisionObjectWorldTransforms(q, m);
    }

    ~RobotSim() override {
        world.removeMultiBody(body.get());
        for (auto& c : colliders) world.removeCollisionObject(c.get());
        world.removeRigidBody(ground.get());
    }

    btCollisionShape* keep(btCollisionShape* s) {
        shapes.emplace_back(s);
        return s;
    }

    void attach(int index, btCollisionShape* shape) {
        auto c = std::make_unique<btMultiBodyLinkCollider>(body.get(), index);
        c->setCollisionShape(shape);
        c->setFriction(btScalar(robot::kMu));
        world.addCollisionObject(c.get(), 2, 1);  // the ground only
        if (index < 0)
            body->setBaseCollider(c.get());
        else
            body->getLink(index).m_collider = c.get();
        colliders.push_back(std::move(c));
    }

    void step() override {
        for (int i = 0; i < 12; ++i)
            body->addJointTorque(
                i, btScalar(robot::torque(i % 3, body->getJointPos(i), body->getJointVel(i))));
        world.stepSimulation(btScalar(robot::kDt), 0);
    }

    int contacts() const override {
        int n = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
            n += const_cast<btCollisionDispatcher&>(dispatcher)
                     .getManifoldByIndexInternal(i)
                     ->getNumContacts();
        return n;
    }

    Vec position(int i) const override {
        if (i == 4) return vec(body->getBasePos());
        return vec(colliders[1 + 3 * i + 2]->getWorldTransform() *
                   btVector3(0, 0, btScalar(-robot::kLinkLength / 2)));
    }
    Vec velocity(int) const override { return vec(body->getBaseVel()); }
};

}  // namespace

}  // namespace stiction::peers

int main(int argc, char** argv) {
    using namespace stiction::peers;
    const Options options = parse_options(argc, argv);
    const Config si10{"si10"};
    const Config si50{"si50", Solver::kImpulses, 50};
    const Config si50x2{"si50_2dir", Solver::kImpulses, 50, true};
    const Config si500x2{"si500_2dir", Solver::kImpulses, 500, true};
    const Config dantzig{"mlcp_dantzig", Solver::kDantzig, 10};
    const Config lemke{"mlcp_lemke", Solver::kLemke, 10};
    const Config dantzigx2{"mlcp_dantzig_2dir", Solver::kDantzig, 10, true};

    for (int k : grasp::kCounts)
        for (auto& c : {si10, si50, si50x2, si500x2, dantzig, dantzigx2, lemke})
            bench_grasp(options, kEngine, c.name, k, [=] { return make_grasp(c, k); });
    for (double mu : {ramp::kSlide, ramp::kStick})
        for (auto& c : {si10, si50, si50x2, dantzig})
            bench_ramp(options, kEngine, c.name, mu, [=] { return make_ramp(c, mu); });
    for (auto& c : {si10, si50})
        bench_robot(options, kEngine, c.name, [=] { return std::make_unique<RobotSim>(c); });
    const Config tuned10{"si10_tuned", Solver::kImpulses, 10, false, true};
    const Config tuned50{"si50_tuned", Solver::kImpulses, 50, false, true};
    for (auto& v : granular::kVariants) {
        std::vector<Config> list{tuned10};
#ifndef BT_USE_DOUBLE_PRECISION
        list.push_back(tuned50);
        if (v.n <= 1001) list.push_back(si10);
#endif
        for (auto& c : list)
            bench_granular(options, kEngine, c.name, v, [=](auto& p) { return make_pile(c, p); });
    }
    for (auto& scene : pile_scenes())
        for (auto& c : {tuned10, tuned50, si10, si50})
            bench_pile(options, kEngine, c.name, scene, [=](auto& p) { return make_pile(c, p); });
}
