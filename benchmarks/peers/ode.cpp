// ode.cpp - Open Dynamics Engine: the exact boxed-LCP stepper (dWorldStep) and the iterative one
// (QuickStep).
#include <ode/ode.h>

#include <cstdarg>

#include "bench.h"

namespace stiction::peers {

namespace {

struct Config {
    std::string name;
    bool exact = false;
    int iterations = 20;
};

int messages = 0;  // e.g. "LCP internal error", counted per run

void count_message(int, const char*, va_list) { ++messages; }

struct OdeSim : Sim {
    Config config;
    double dt, mu;
    double push = 0;  // on the first body, and back on the last
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    std::vector<dBodyID> bodies;
    int points = 0;

    OdeSim(const Config& c, double step_size, double friction)
        : config(c), dt(step_size), mu(friction) {
        dInitODE2(0);
        dRandSetSeed(0);  // QuickStep shuffles its rows
        dSetMessageHandler(count_message);
        messages = 0;
        world = dWorldCreate();
        space = dHashSpaceCreate(nullptr);
        group = dJointGroupCreate(0);
        dWorldSetGravity(world, 0, 0, -kGravity);
        dWorldSetQuickStepNumIterations(world, c.iterations);
    }

    ~OdeSim() override {
        dJointGroupDestroy(group);
        dSpaceDestroy(space);
        dWorldDestroy(world);
        dCloseODE();
    }

    dBodyID add(dGeomID geom, const dMass& mass, Vec p) {
        dBodyID b = dBodyCreate(world);
        dBodySetMass(b, &mass);
        dBodySetPosition(b, p.x, p.y, p.z);
        dGeomSetBody(geom, b);
        bodies.push_back(b);
        return b;
    }

    static void near(void* self, dGeomID a, dGeomID b) { static_cast<OdeSim*>(self)->touch(a, b); }

    void touch(dGeomID a, dGeomID b) {
        if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
        dContact contact[8];
        int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
        for (int i = 0; i < n; ++i) {
            contact[i].surface.mode = dContactApprox1;
            contact[i].surface.mu = mu;
            dJointAttach(dJointCreateContact(world, group, &contact[i]), dGeomGetBody(a),
                         dGeomGetBody(b));
        }
        points += n;
    }

    void step() override {
        points = 0;
        dSpaceCollide(space, this, near);
        if (push != 0) {
            dBodyAddForce(bodies.front(), push, 0, 0);
            dBodyAddForce(bodies.back(), -push, 0, 0);
        }
        if (config.exact)
            dWorldStep(world, dt);
        else
            dWorldQuickStep(world, dt);
        dJointGroupEmpty(group);
    }

    static Vec vec(const dReal* v) { return {v[0], v[1], v[2]}; }
    int contacts() const override { return points; }
    Vec position(int i) const override { return vec(dBodyGetPosition(bodies[i])); }
    Vec velocity(int i) const override { return vec(dBodyGetLinearVel(bodies[i])); }
    Vec spin(int i) const override { return vec(dBodyGetAngularVel(bodies[i])); }
    Quat orientation(int i) const override {
        const dReal* q = dBodyGetQuaternion(bodies[i]);
        return {q[0], q[1], q[2], q[3]};
    }
    void report(Metrics& m) const override { m.emplace_back("solver_messages", messages); }
};

dMass box_mass(double mass, double side) {
    dMass m;
    dMassSetBoxTotal(&m, mass, side, side, side);
    return m;
}

std::unique_ptr<Sim> make_grasp(const Config& c, int k) {
    using namespace grasp;
    auto sim = std::make_unique<OdeSim>(c, kDt, kMu);
    for (int i = 0; i <= k + 1; ++i) {
        dBodyID b = sim->add(dCreateBox(sim->space, kSide, kSide, kSide), box_mass(kMass, kSide),
                             {x(k, i), 0, 0});
        if (i > 0 && i <= k) continue;
        dJointID slider = dJointCreateSlider(sim->world, nullptr);
        dJointAttach(slider, b, nullptr);
        dJointSetSliderAxis(slider, 1, 0, 0);
    }
    sim->push = force(k);
    return sim;
}

std::unique_ptr<Sim> make_pile(const Config& c, const Pile& pile) {
    auto sim = std::make_unique<OdeSim>(c, pile.dt, pile.mu);
    for (const Pile::Plane& plane : pile.planes)
        dCreatePlane(sim->space, plane.normal.x, plane.normal.y, plane.normal.z, plane.offset);
    for (const Pile::Body& body : pile.bodies) {
        dMass m;
        dGeomID geom = nullptr;
        if (body.radius > 0) {
            dMassSetSphereTotal(&m, body.mass, body.radius);
            geom = dCreateSphere(sim->space, body.radius);
        } else {
            const Vec size{2 * body.half.x, 2 * body.half.y, 2 * body.half.z};
            dMassSetBoxTotal(&m, body.mass, size.x, size.y, size.z);
            geom = dCreateBox(sim->space, size.x, size.y, size.z);
        }
        const dQuaternion q = {body.q.w, body.q.x, body.q.y, body.q.z};
        dBodySetQuaternion(sim->add(geom, m, body.p), q);
    }
    return sim;
}

std::unique_ptr<Sim> make_ramp(const Config& c, double mu) {
    using namespace ramp;
    auto sim = std::make_unique<OdeSim>(c, kDt, mu);
    dMatrix3 tilt;
    dRFromAxisAndAngle(tilt, 0, 1, 0, kAngle);
    dGeomID slab = dCreateBox(sim->space, kSize[0], kSize[1], kSize[2]);
    Vec s = along(0, -kSize[2] / 2);
    dGeomSetPosition(slab, s.x, s.y, s.z);
    dGeomSetRotation(slab, tilt);
    dBodyID b = sim->add(dCreateBox(sim->space, kSide, kSide, kSide), box_mass(kMass, kSide),
                         along(0, kSide / 2));
    dBodySetRotation(b, tilt);
    return sim;
}

}  // namespace

}  // namespace stiction::peers

int main(int argc, char** argv) {
    using namespace stiction::peers;
    const Options options = parse_options(argc, argv);
    const Config exact{"worldstep", true};
    const Config quick20{"quickstep20", false, 20};
    const Config quick50{"quickstep50", false, 50};

    for (int k : grasp::kCounts)
        for (auto& c : {exact, quick20, quick50})
            bench_grasp(options, "ode", c.name, k, [=] { return make_grasp(c, k); });
    for (double mu : {ramp::kSlide, ramp::kStick})
        for (auto& c : {exact, quick20, quick50})
            bench_ramp(options, "ode", c.name, mu, [=] { return make_ramp(c, mu); });
    for (auto& v : granular::kVariants)
        for (auto& c : {quick20, quick50, exact})
            if (!c.exact || v.n <= 1001)  // beyond that the dense matrices do not fit
                bench_granular(options, "ode", c.name, v, [=](auto& p) { return make_pile(c, p); });
    for (auto& scene : pile_scenes())
        for (auto& c : {quick20, quick50})
            bench_pile(options, "ode", c.name, scene, [=](auto& p) { return make_pile(c, p); });
}
