// mujoco.cpp - MuJoCo: Newton, CG and PGS; elliptic cones (and pyramidal for Newton); the default
// soft contacts and stiffer ones.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "bench.h"

namespace stiction::peers {

namespace {

struct Config {
    std::string name;
    std::string solver = "Newton";
    std::string cone = "elliptic";
    bool stiff = false;
    double impratio = 1;
    int noslip = 0;
};

void fail(const char* message) {
    fprintf(stderr, "mujoco: %s\n", message);
    _exit(4);
}

void ignore(const char*) {
}  // warnings are counted by the engine; it would print them among our lines

struct MujocoSim : Sim {
    mjModel* model = nullptr;
    mjData* data = nullptr;
    std::vector<int> bodies;
    double push = 0;  // on the first and the last body
    bool walking = false;
    std::vector<int> feet;

    explicit MujocoSim(const std::string& xml) {
        mju_user_error = fail;
        mju_user_warning = ignore;
        auto vfs = std::make_unique<mjVFS>();
        mj_defaultVFS(vfs.get());
        mj_makeEmptyFileVFS(vfs.get(), "scene.xml", int(xml.size()));
        std::memcpy(vfs->filedata[0], xml.data(), xml.size());
        char error[1000] = "";
        model = mj_loadXML("scene.xml", vfs.get(), error, sizeof error);
        mj_deleteFileVFS(vfs.get(), "scene.xml");
        if (!model) {
            fprintf(stderr, "mujoco: %s\n", error);
            exit(2);
        }
        data = mj_makeData(model);
        if (!data) {
            fprintf(stderr, "mujoco: no memory for mjData\n");
            exit(3);
        }
    }

    ~MujocoSim() override {
        mj_deleteData(data);
        mj_deleteModel(model);
    }

    void step() override {
        if (push != 0) {
            data->qfrc_applied[model->body_dofadr[bodies.front()]] = push;
            data->qfrc_applied[model->body_dofadr[bodies.back()]] = -push;
        }
        if (walking)
            for (int j = 0; j < 12; ++j)
                data->qfrc_applied[6 + j] =
                    robot::torque(j % 3, data->qpos[7 + j], data->qvel[6 + j]);
        mj_step(model, data);
    }

    int contacts() const override { return data->ncon; }

    // qpos is read rather than xpos: xpos still belongs to the start of the step.
    Vec position(int i) const override {
        if (walking && i < 4) {
            const mjtNum* p = data->geom_xpos + 3 * feet[i];
            return {p[0], p[1], p[2]};
        }
        int b = bodies[walking ? 0 : i], joint = model->body_jntadr[b];
        const mjtNum* q = data->qpos + model->jnt_qposadr[joint];
        if (model->jnt_type[joint] == mjJNT_SLIDE) {
            const mjtNum* p = model->body_pos + 3 * b;
            return {p[0] + q[0], p[1], p[2]};
        }
        return {q[0], q[1], q[2]};
    }
    Vec velocity(int i) const override {
        const mjtNum* v = data->qvel + model->body_dofadr[bodies[walking ? 0 : i]];
        return {v[0], v[1], v[2]};
    }
    Vec spin(int i) const override {
        const mjtNum* v = data->qvel + model->body_dofadr[bodies[i]] + 3;
        return {v[0], v[1], v[2]};
    }
    Quat orientation(int i) const override {
        const mjtNum* q = data->qpos + model->jnt_qposadr[model->body_jntadr[bodies[i]]] + 3;
        return {q[0], q[1], q[2], q[3]};
    }

    void report(Metrics& m) const override {
        int n = 0;
        for (int w = 0; w < mjNWARNING; ++w) n += data->warning[w].number;
        m.emplace_back("warnings", n);
    }
};

std::string open(const Config& c, double dt, double mu, const std::string& size) {
    std::ostringstream x;
    x << "<mujoco><compiler angle='radian'/><size " << size << "/><option timestep='" << dt
      << "' gravity='0 0 " << -kGravity << "' solver='" << c.solver << "' cone='" << c.cone
      << "' impratio='" << c.impratio << "' noslip_iterations='" << c.noslip
      << "'/><default><geom condim='3' friction='" << mu << " 0.005 0.0001'";
    if (c.stiff) x << " solref='0.002 1' solimp='0.99 0.9999 0.001'";
    x << "/></default><worldbody>";
    return x.str();
}

constexpr const char* kClose = "</worldbody></mujoco>";

std::unique_ptr<Sim> make_grasp(const Config& c, int k) {
    using namespace grasp;
    std::ostringstream s;
    s.precision(17);
    s << open(c, kDt, kMu, "njmax='2000' nconmax='500'");
    for (int i = 0; i <= k + 1; ++i) {
        s << "<body pos='" << x(k, i) << " 0 0'>";
        if (i == 0 || i == k + 1)
            s << "<joint type='slide' axis='1 0 0'/>";
        else
            s << "<freejoint/>";
        s << "<geom type='box' size='" << kSide / 2 << ' ' << kSide / 2 << ' ' << kSide / 2
          << "' mass='" << kMass << "'/></body>";
    }
    auto sim = std::make_unique<MujocoSim>(s.str() + kClose);
    for (int i = 0; i <= k + 1; ++i) sim->bodies.push_back(i + 1);
    sim->push = force(k);
    return sim;
}

std::unique_ptr<Sim> make_pile(const Config& c, const Pile& pile) {
    std::ostringstream s;
    s.precision(17);
    // mjData keeps dense blocks of njmax x nv and njmax x njmax and may not pass
    // 2 GB: 2830 contacts is the most that fits with 1001 spheres, and 4004 spheres
    // do not fit at all. Contacts beyond the limit are dropped and counted as warnings.
    std::ostringstream size;
    const int n = int(pile.bodies.size());
    const int wanted = (pile.bodies.front().radius > 0 ? 4 : 16) * n;
    const int most = std::min(wanted, 2830);
    size << "nconmax='" << most << "' njmax='" << most * (c.cone == "elliptic" ? 3 : 4) << "'";
    if (wanted >= 2000) size << " nstack='200000000'";
    s << open(c, pile.dt, pile.mu, size.str());
    for (const Pile::Plane& plane : pile.planes) {
        const Vec& normal = plane.normal;
        s << "<geom type='plane' size='1 1 1' pos='" << plane.offset * normal.x << ' '
          << plane.offset * normal.y << ' ' << plane.offset * normal.z << "' zaxis='" << normal.x
          << ' ' << normal.y << ' ' << normal.z << "'/>";
    }
    for (const Pile::Body& body : pile.bodies) {
        s << "<body pos='" << body.p.x << ' ' << body.p.y << ' ' << body.p.z << "' quat='"
          << body.q.w << ' ' << body.q.x << ' ' << body.q.y << ' ' << body.q.z
          << "'><freejoint/><geom ";
        if (body.radius > 0)
            s << "type='sphere' size='" << body.radius;
        else
            s << "type='box' size='" << body.half.x << ' ' << body.half.y << ' ' << body.half.z;
        s << "' mass='" << body.mass << "'/></body>";
    }
    auto sim = std::make_unique<MujocoSim>(s.str() + kClose);
    for (int i = 0; i < n; ++i) sim->bodies.push_back(i + 1);
    return sim;
}

std::unique_ptr<Sim> make_ramp(const Config& c, double mu) {
    using namespace ramp;
    std::ostringstream s;
    s.precision(17);
    Vec slab = along(0, -kSize[2] / 2), box = along(0, kSide / 2);
    s << open(c, kDt, mu, "njmax='500' nconmax='100'");
    s << "<geom type='box' pos='" << slab.x << " 0 " << slab.z << "' euler='0 " << kAngle
      << " 0' size='" << kSize[0] / 2 << ' ' << kSize[1] / 2 << ' ' << kSize[2] / 2 << "'/>";
    s << "<body pos='" << box.x << " 0 " << box.z << "' euler='0 " << kAngle
      << " 0'><freejoint/><geom type='box' size='" << kSide / 2 << ' ' << kSide / 2 << ' '
      << kSide / 2 << "' mass='" << kMass << "'/></body>";
    auto sim = std::make_unique<MujocoSim>(s.str() + kClose);
    sim->bodies.push_back(1);
    return sim;
}

std::unique_ptr<Sim> make_robot(const Config& c) {
    using namespace robot;
    std::ostringstream s;
    s.precision(17);
    double a = inertia_across(), l = inertia_along(), h = kLinkLength / 2;
    Vec t = torso_inertia();
    const std::string hits = "' contype='2' conaffinity='1'/>";  // the ground only
    s << open(c, kDt, kMu, "njmax='500' nconmax='100'");
    s << "<geom type='plane' size='5 5 1' contype='1' conaffinity='2'/>";
    s << "<body pos='0 0 " << height() << "'><freejoint/><inertial pos='0 0 0' mass='" << kTorsoMass
      << "' diaginertia='" << t.x << ' ' << t.y << ' ' << t.z << "'/><geom type='box' size='"
      << kTorso[0] / 2 << ' ' << kTorso[1] / 2 << ' ' << kTorso[2] / 2 << hits;
    for (int leg = 0; leg < 4; ++leg) {
        double side = left_right(leg);
        std::ostringstream shin;
        shin.precision(17);
        shin << "<inertial pos='0 0 " << -h << "' mass='" << kLinkMass << "' diaginertia='" << a
             << ' ' << a << ' ' << l << "'/><geom type='capsule' size='" << kLinkRadius
             << "' fromto='0 0 0 0 0 " << -kLinkLength << hits;
        s << "<body pos='" << kHipX * front_back(leg) << ' ' << side * kHipY
          << " 0'><joint axis='1 0 0'/><inertial pos='0 " << side * h << " 0' mass='" << kLinkMass
          << "' diaginertia='" << a << ' ' << l << ' ' << a << "'/><geom type='capsule' size='"
          << kLinkRadius << "' fromto='0 0 0 0 " << side * kLinkLength << " 0" << hits
          << "<body pos='0 " << side * kLinkLength << " 0'><joint axis='0 1 0'/>" << shin.str()
          << "<body pos='0 0 " << -kLinkLength << "'><joint axis='0 1 0'/>" << shin.str()
          << "<geom name='foot" << leg << "' type='sphere' size='" << kFootRadius << "' pos='0 0 "
          << -kLinkLength << hits << "</body></body></body>";
    }
    s << "</body>";
    auto sim = std::make_unique<MujocoSim>(s.str() + kClose);
    sim->bodies.push_back(1);
    sim->walking = true;
    for (int leg = 0; leg < 4; ++leg)
        sim->feet.push_back(
            mj_name2id(sim->model, mjOBJ_GEOM, ("foot" + std::to_string(leg)).c_str()));
    for (int j = 0; j < 12; ++j) sim->data->qpos[7 + j] = kPose[j % 3];
    return sim;
}

}  // namespace

}  // namespace stiction::peers

int main(int argc, char** argv) {
    using namespace stiction::peers;
    const Options options = parse_options(argc, argv);
    const Config newton{"newton_ell"};
    const Config pyramid{"newton_pyr", "Newton", "pyramidal"};
    const Config cg{"cg_ell", "CG"};
    const Config pgs{"pgs_ell", "PGS"};
    const Config stiff{"newton_ell_stiff", "Newton", "elliptic", true};
    const Config grip{"newton_ell_stiff_imp100", "Newton", "elliptic", true, 100};
    const Config noslip{"newton_ell_noslip", "Newton", "elliptic", false, 1, 20};
    const Config cg_stiff{"cg_ell_stiff", "CG", "elliptic", true};
    const std::vector<Config> all{newton, pyramid, cg, pgs, stiff, grip, noslip};

    for (int k : grasp::kCounts)
        for (auto& c : all)
            bench_grasp(options, "mujoco", c.name, k, [=] { return make_grasp(c, k); });
    for (double mu : {ramp::kSlide, ramp::kStick})
        for (auto& c : all)
            bench_ramp(options, "mujoco", c.name, mu, [=] { return make_ramp(c, mu); });
    for (auto& c : all) bench_robot(options, "mujoco", c.name, [=] { return make_robot(c); });
    for (auto& v : granular::kVariants) {
        std::vector<Config> list{cg, cg_stiff, pgs};
        if (v.n < 500) list.insert(list.end(), {newton, pyramid, stiff});
        if (v.n > 1001) list = {cg_stiff};  // one line to show that it does not load
        for (auto& c : list)
            bench_granular(options, "mujoco", c.name, v, [=](auto& p) { return make_pile(c, p); });
    }
    for (auto& scene : pile_scenes())
        bench_pile(options, "mujoco", cg_stiff.name, scene,
                   [=](auto& p) { return make_pile(cg_stiff, p); });
}
