// dart.cpp - DART: its default boxed-LCP (Dantzig, PGS as fallback), with Bullet's collision
// detection, and with the default FCL detection where that is quick enough.
#include <dart/collision/bullet/bullet.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "bench.h"

namespace stiction::peers {

namespace {
using namespace dart::dynamics;
using Eigen::Isometry3d;
using Eigen::Vector3d;

struct Config {
    std::string name;
    bool fcl = false;
};

Vec vec(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Vector3d eigen(Vec v) { return {v.x, v.y, v.z}; }
Isometry3d at(Vec p) {
    Isometry3d t = Isometry3d::Identity();
    t.translation() = eigen(p);
    return t;
}

struct DartSim : Sim {
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    std::vector<BodyNode*> bodies;
    double push = 0;  // on the first body, and back on the last
    SkeletonPtr walker;
    std::vector<BodyNode*> shins;

    DartSim(const Config& c, double dt) {
        world->setTimeStep(dt);
        world->setGravity({0, 0, -kGravity});
        auto* solver = world->getConstraintSolver();
        if (!c.fcl)
            solver->setCollisionDetector(dart::collision::BulletCollisionDetector::create());
        solver->getCollisionOption().maxNumContacts = 100000;
    }

    static void shape(BodyNode* body, const ShapePtr& s, double mu,
                      const Isometry3d& pose = Isometry3d::Identity()) {
        auto* node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(s);
        node->setRelativeTransform(pose);
        node->getDynamicsAspect()->setFrictionCoeff(mu);
        node->getDynamicsAspect()->setRestitutionCoeff(0);
    }

    void fixed(const ShapePtr& s, double mu, const Isometry3d& pose) {
        auto skeleton = Skeleton::create("fixed" + std::to_string(world->getNumSkeletons()));
        auto pair = skeleton->createJointAndBodyNodePair<WeldJoint>();
        pair.first->setTransformFromParentBodyNode(pose);
        shape(pair.second, s, mu);
        skeleton->setMobile(false);
        world->addSkeleton(skeleton);
    }

    template <class JointType>
    std::pair<JointType*, BodyNode*> add(const ShapePtr& s, double mass, double mu) {
        auto skeleton = Skeleton::create("body" + std::to_string(bodies.size()));
        auto pair = skeleton->createJointAndBodyNodePair<JointType>();
        shape(pair.second, s, mu);
        Inertia inertia;
        inertia.setMass(mass);
        inertia.setMoment(s->computeInertia(mass));
        pair.second->setInertia(inertia);
        world->addSkeleton(skeleton);
        bodies.push_back(pair.second);
        return pair;
    }

    void step() override {
        if (push != 0) {
            bodies.front()->getSkeleton()->setForce(0, push);
            bodies.back()->getSkeleton()->setForce(0, -push);
        }
        if (walker)
            for (int j = 0; j < 12; ++j)
                walker->setForce(6 + j, robot::torque(j % 3, walker->getPosition(6 + j),
                                                      walker->getVelocity(6 + j)));
        world->step();
    }

    int contacts() const override { return int(world->getLastCollisionResult().getNumContacts()); }
    Vec position(int i) const override {
        if (walker && i < 4)
            return vec(shins[i]->getTransform() * Vector3d(0, 0, -robot::kLinkLength));
        return vec(bodies[walker ? 0 : i]->getCOM());
    }
    Vec velocity(int i) const override {
        return vec(bodies[walker ? 0 : i]->getCOMLinearVelocity());
    }
    Vec spin(int i) const override { return vec(bodies[i]->getAngularVelocity()); }
    Quat orientation(int i) const override {
        const Eigen::Quaterniond q(bodies[i]->getTransform().linear());
        return {q.w(), q.x(), q.y(), q.z()};
    }
};

ShapePtr box(double x, double y, double z) { return std::make_shared<BoxShape>(Vector3d(x, y, z)); }

std::unique_ptr<Sim> make_grasp(const Config& c, int k) {
    using namespace grasp;
    auto sim = std::make_unique<DartSim>(c, kDt);
    for (int i = 0; i <= k + 1; ++i) {
        Isometry3d pose = at({x(k, i), 0, 0});
        if (i == 0 || i == k + 1) {
            auto pair = sim->add<PrismaticJoint>(box(kSide, kSide, kSide), kMass, kMu);
            pair.first->setAxis(Vector3d::UnitX());
            pair.first->setTransformFromParentBodyNode(pose);
        } else {
            auto pair = sim->add<FreeJoint>(box(kSide, kSide, kSide), kMass, kMu);
            pair.first->setTransform(pose);
        }
    }
    sim->push = force(k);
    return sim;
}

std::unique_ptr<Sim> make_pile(const Config& c, const Pile& pile) {
    auto sim = std::make_unique<DartSim>(c, pile.dt);
    for (const Pile::Plane& plane : pile.planes)
        sim->fixed(std::make_shared<PlaneShape>(eigen(plane.normal), plane.offset), pile.mu,
                   at({}));
    ShapePtr shape;  // that of the body before, where they are alike
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const Pile::Body& body = pile.bodies[i];
        if (i == 0 || !alike(body, pile.bodies[i - 1]))
            shape = body.radius > 0 ? std::make_shared<SphereShape>(body.radius)
                                    : box(2 * body.half.x, 2 * body.half.y, 2 * body.half.z);
        Isometry3d pose = at(body.p);
        pose.linear() =
            Eigen::Quaterniond(body.q.w, body.q.x, body.q.y, body.q.z).toRotationMatrix();
        sim->add<FreeJoint>(shape, body.mass, pile.mu).first->setTransform(pose);
    }
    return sim;
}

std::unique_ptr<Sim> make_ramp(const Config& c, double mu) {
    using namespace ramp;
    auto sim = std::make_unique<DartSim>(c, kDt);
    Isometry3d slab = at(along(0, -kSize[2] / 2)), pose = at(along(0, kSide / 2));
    slab.linear() = pose.linear() = Eigen::AngleAxisd(kAngle, Vector3d::UnitY()).toRotationMatrix();
    sim->fixed(box(kSize[0], kSize[1], kSize[2]), mu, slab);
    sim->add<FreeJoint>(box(kSide, kSide, kSide), kMass, mu).first->setTransform(pose);
    return sim;
}

std::unique_ptr<Sim> make_robot(const Config& c) {
    using namespace robot;
    auto sim = std::make_unique<DartSim>(c, kDt);
    sim->fixed(std::make_shared<PlaneShape>(Vector3d::UnitZ(), 0.0), kMu, at({}));

    auto skeleton = Skeleton::create("robot");
    auto inertia = [](double m, Vec com, Vec moment) {
        Inertia i;
        i.setMass(m);
        i.setLocalCOM(eigen(com));
        i.setMoment(moment.x, moment.y, moment.z, 0, 0, 0);
        return i;
    };
    auto base = skeleton->createJointAndBodyNodePair<FreeJoint>();
    base.first->setName("root");
    base.second->setName("torso");
    base.first->setTransform(at({0, 0, height()}));
    base.second->setInertia(inertia(kTorsoMass, {}, torso_inertia()));
    DartSim::shape(base.second, box(kTorso[0], kTorso[1], kTorso[2]), kMu);

    auto capsule = std::make_shared<CapsuleShape>(kLinkRadius, kLinkLength);
    auto foot = std::make_shared<SphereShape>(kFootRadius);
    double a = inertia_across(), l = inertia_along(), h = kLinkLength / 2;
    Isometry3d sideways = Isometry3d::Identity();
    sideways.linear() = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix();
    auto joint = [&](BodyNode* parent, Vec axis, Vec pivot, double angle) {
        auto pair = skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent);
        std::string number = std::to_string(skeleton->getNumBodyNodes());
        pair.first->setName("joint" + number);
        pair.second->setName("link" + number);
        pair.first->setAxis(eigen(axis));
        pair.first->setTransformFromParentBodyNode(at(pivot));
        pair.first->setPosition(0, angle);
        return pair.second;
    };
    for (int leg = 0; leg < 4; ++leg) {
        double side = left_right(leg);
        auto* hip =
            joint(base.second, {1, 0, 0}, {kHipX * front_back(leg), side * kHipY, 0}, kPose[0]);
        hip->setInertia(inertia(kLinkMass, {0, side * h, 0}, {a, l, a}));
        sideways.translation() = Vector3d(0, side * h, 0);
        DartSim::shape(hip, capsule, kMu, sideways);
        auto* thigh = joint(hip, {0, 1, 0}, {0, side * kLinkLength, 0}, kPose[1]);
        auto* shin = joint(thigh, {0, 1, 0}, {0, 0, -kLinkLength}, kPose[2]);
        for (auto* b : {thigh, shin}) {
            b->setInertia(inertia(kLinkMass, {0, 0, -h}, {a, a, l}));
            DartSim::shape(b, capsule, kMu, at({0, 0, -h}));
        }
        DartSim::shape(shin, foot, kMu, at({0, 0, -kLinkLength}));
        sim->shins.push_back(shin);
    }
    skeleton->disableSelfCollisionCheck();
    sim->world->addSkeleton(skeleton);
    sim->bodies.push_back(base.second);
    sim->walker = skeleton;
    return sim;
}

}  // namespace

}  // namespace stiction::peers

int main(int argc, char** argv) {
    using namespace stiction::peers;
    const Options options = parse_options(argc, argv);
    const Config bullet{"dantzig_bullet"};
    const Config fcl{"dantzig_fcl", true};

    for (int k : grasp::kCounts)
        for (auto& c : {bullet, fcl})
            bench_grasp(options, "dart", c.name, k, [=] { return make_grasp(c, k); });
    for (double mu : {ramp::kSlide, ramp::kStick})
        for (auto& c : {bullet, fcl})
            bench_ramp(options, "dart", c.name, mu, [=] { return make_ramp(c, mu); });
    // FCL has no capsule and no plane in this version and puts other shapes in their place.
    bench_robot(options, "dart", bullet.name, [=] { return make_robot(bullet); });
    for (auto& v : granular::kVariants)
        if (v.n <= 1001)
            bench_granular(options, "dart", bullet.name, v,
                           [=](auto& p) { return make_pile(bullet, p); });
    for (auto& scene : pile_scenes())
        bench_pile(options, "dart", bullet.name, scene,
                   [=](auto& p) { return make_pile(bullet, p); });
}
