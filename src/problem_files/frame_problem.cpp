// frame_problem.cpp - blocks, links and rows of a frame.
#include "problem_files/frame_problem.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "problem/contact_solution.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

class FrameAssembly {
  public:
    FrameAssembly(const ProblemFrame& frame, const std::string& place, FrameProblem& out)
        : frame_(frame), place_(place), out_(out), problem_(out.problem) {}

    void run() {
        problem_.h = frame_.h;
        add_blocks();
        for (std::size_t j = 0; j < frame_.joints.size(); ++j) add_joint(j);
        out_.row_of.assign(frame_.contacts.size(), kNone);
        out_.turned.assign(frame_.contacts.size(), 0);
        for (std::size_t begin = 0; begin < frame_.contacts.size();) begin = add_pair(begin);
        out_.guess.joints.assign(frame_.joints.size(), kNoGuess);
        std::vector<int> scratch;
        find_islands(problem_, scratch);
    }

  private:
    [[nodiscard]] int block(int body) const {
        return body == kNone ? kNone : out_.block_of[at(body)];
    }

    void add_blocks() {
        LinkSystem& system = problem_.system;
        for (const FrameBody& body : frame_.bodies) {
            out_.block_of.push_back(body.active ? static_cast<int>(system.blocks.size()) : kNone);
            if (!body.active) continue;
            InertiaBlock& block = system.blocks.emplace_back();
            block.offset = system.nv;
            block.mass = body.mass;
            block.inv_mass = 1 / body.mass;
            block.inertia = body.inertia;
            block.inv_inertia = body.inertia.inverse();
            const double k = block.inertia(0, 0);
            block.isotropic = block.inertia == Mat3(k * Mat3::Identity());
            system.nv += 6;
        }
        problem_.v.resize(system.nv);
        problem_.f.resize(system.nv);
        problem_.v_free.resize(system.nv);
        for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
            if (block(static_cast<int>(i)) == kNone) continue;
            const FrameBody& body = frame_.bodies[i];
            const InertiaBlock& b = system.blocks[at(block(static_cast<int>(i)))];
            problem_.v.segment<3>(b.offset) = body.twist.v;
            problem_.v.segment<3>(b.offset + 3) = body.twist.w;
            problem_.f.segment<3>(b.offset) = body.force;
            problem_.f.segment<3>(b.offset + 3) = body.torque;
            apply_inverse_inertia(system, b, problem_.f, problem_.v_free);
        }
        problem_.v_free = problem_.v + problem_.h * problem_.v_free;
    }

    [[nodiscard]] double natural_length(int a, int b) const {
        double length = std::numeric_limits<double>::infinity();
        for (const int id : {block(a), block(b)}) {
            if (id == kNone) continue;
            const InertiaBlock& x = problem_.system.blocks[at(id)];
            length = std::min(length, std::sqrt(3.0 * x.inv_mass / x.inv_inertia.trace()));
        }
        return length;
    }

    // With its length; its rows follow.
    Link start_link(int a, int b, const Vec3& p, double length) {
        Link link;
        link.a = block(a);
        link.b = block(b);
        link.length = length;
        if (a != kNone) link.r_a = p - frame_.bodies[at(a)].p;
        if (b != kNone) link.r_b = p - frame_.bodies[at(b)].p;
        const auto prescribe = [&](int body, int block, const Vec3& r, double sign) {
            if (body == kNone || block != kNone) return;
            const Twist& twist = frame_.bodies[at(body)].twist;
            link.u0.head<3>() += sign * (twist.v + twist.w.cross(r));
            link.u0.tail<3>() += sign * length * twist.w;
        };
        prescribe(a, link.a, link.r_a, 1);
        prescribe(b, link.b, link.r_b, -1);
        LinkRows& rows = problem_.link_rows.emplace_back();
        rows.contact_begin = rows.contact_end = static_cast<int>(problem_.contacts.size());
        rows.joint_begin = rows.joint_end = static_cast<int>(problem_.joints.size());
        rows.limit_begin = rows.limit_end = static_cast<int>(problem_.limits.size());
        rows.bounded_begin = rows.bounded_end = static_cast<int>(problem_.bounded.size());
        return link;
    }

    void end_link(const Link& link) {
        problem_.system.links.push_back(link);
        LinkRows& rows = problem_.link_rows.back();
        rows.contact_end = static_cast<int>(problem_.contacts.size());
        rows.joint_end = static_cast<int>(problem_.joints.size());
        rows.limit_end = static_cast<int>(problem_.limits.size());
        rows.bounded_end = static_cast<int>(problem_.bounded.size());
    }

    // g of a row on the link's velocity, whose point is the centre of one of the bodies.
    Vec6 row_on_link(std::size_t j, const FrameRow& row, const Link& link) const {
        const bool at_a = link.a != kNone;
        Vec6 g = at_a ? row.J_a : Vec6(-row.J_b);
        if (at_a && link.b != kNone) {
            Vec6 other = g;
            other.tail<3>() += link.r_b.cross(Vec3(g.head<3>()));
            const double size = std::max(row.J_a.norm(), row.J_b.norm());
            if ((other + row.J_b).norm() > 1e-6 * std::max(1.0, link.r_b.norm()) * size)
                throw InputError(place_ + ": constraints/Jacobian: rows of joint " +
                                 std::to_string(j) +
                                 " push its two bodies out of balance; are they another pair?");
        }
        g.tail<3>() /= link.length;
        return g;
    }

    void add_joint(std::size_t j) {
        const FrameJoint& joint = frame_.joints[j];
        if (block(joint.a) == kNone && block(joint.b) == kNone) return;
        const int centre = block(joint.a) != kNone ? joint.a : joint.b;
        const double length = natural_length(joint.a, joint.b);
        const Link link = start_link(joint.a, joint.b, frame_.bodies[at(centre)].p, length);
        const auto id = static_cast<int>(problem_.system.links.size());
        for (const FrameRow& row : joint.rows) add_row(row, j, id, link);
        end_link(link);
    }

    // Rows that only turn carry the link's length, so that all are in metres per second.
    void add_row(const FrameRow& row, std::size_t j, int id, const Link& link) {
        Vec6 g = row_on_link(j, row, link);
        const double unit = g.head<3>().norm() <= 1e-12 * g.norm() ? link.length : 1.0;
        g *= unit;
        const auto joint = static_cast<int>(j);
        if (row.is_joint()) {
            problem_.joints.push_back({id, g, -row.rate * unit, row.violation * unit, joint});
        } else if (row.is_limit()) {
            const double phi = row.violation * unit;
            problem_.limits.push_back({id, g, phi, phi > 0 ? phi / frame_.h : 0.0, joint, false});
        } else {
            problem_.bounded.push_back({id, g, -row.rate * unit, 0, row.lo * frame_.h / unit,
                                        row.hi * frame_.h / unit, joint, false});
        }
    }

    // Contacts of one pair that follow one another share a link; returns where the next one begins.
    std::size_t add_pair(std::size_t begin) {
        const std::vector<FrameContact>& all = frame_.contacts;
        std::size_t end = begin;
        Vec3 p0 = Vec3::Zero();
        for (; end < all.size() && all[end].a == all[begin].a && all[end].b == all[begin].b; ++end)
            p0 += all[end].p;
        const bool turn = block(all[begin].a) == kNone;
        const int a = turn ? all[begin].b : all[begin].a;
        const int b = turn ? all[begin].a : all[begin].b;
        if (block(a) == kNone) return end;
        const auto count = static_cast<double>(end - begin);
        p0 /= count;
        double spread = 0;
        for (std::size_t i = begin; i < end; ++i) spread += (all[i].p - p0).squaredNorm();
        spread = std::sqrt(spread / count);
        const double natural = natural_length(a, b);
        const Link link = start_link(a, b, p0, spread > 1e-3 * natural ? spread : natural);
        for (std::size_t i = begin; i < end; ++i) add_contact(i, turn, p0, link);
        end_link(link);
        return end;
    }

    void add_contact(std::size_t i, bool turn, const Vec3& p0, const Link& link) {
        const FrameContact& contact = frame_.contacts[i];
        out_.row_of[i] = static_cast<int>(problem_.contacts.size());
        out_.turned[i] = turn ? 1 : 0;
        const Vec3 n = turn ? Vec3(-contact.n) : contact.n;
        Vec3 s, t;
        tangents(n, s, t);
        const auto row_along = [&](const Vec3& direction) {
            Vec6 g;
            g.head<3>() = direction;
            g.tail<3>() = (contact.p - p0).cross(direction) / link.length;
            return g;
        };
        ContactRow& row = problem_.contacts.emplace_back();
        row.link = static_cast<int>(problem_.system.links.size());
        row.n = row_along(n);
        row.s = row_along(s);
        row.t = row_along(t);
        row.phi = contact.gap;
        row.bias = contact.gap > kTouching * link.length ? contact.gap / frame_.h : 0.0;
        row.mu_c = contact.mu;
        row.key = {contact.a, contact.b, 0, 0, static_cast<std::uint32_t>(i)};
    }

    const ProblemFrame& frame_;
    const std::string& place_;
    FrameProblem& out_;
    ContactProblem& problem_;
};

void take_step(const ProblemFrame& frame, FrameProblem& out) {
    const RecordedStep& step = *frame.step;
    out.problem = step.problem;
    out.model = step.model;
    out.guess = step.guess;
    out.restitution_threshold = step.restitution_threshold;
    out.contradicted = step.contradicted;
    for (std::size_t i = 0; i < frame.contacts.size(); ++i)
        out.row_of.push_back(static_cast<int>(i));
    out.turned.assign(frame.contacts.size(), 0);
    const std::vector<InertiaBlock>& blocks = step.problem.system.blocks;
    const auto free = std::count_if(blocks.begin(), blocks.end(),
                                    [](const InertiaBlock& b) { return b.free_body; });
    const auto active = std::count_if(frame.bodies.begin(), frame.bodies.end(),
                                      [](const FrameBody& b) { return b.active; });
    if (at(free) != blocks.size() || active != free) return;  // trees
    int next = 0;
    for (const FrameBody& body : frame.bodies) out.block_of.push_back(body.active ? next++ : kNone);
}

}  // namespace

FrameProblem make_frame_problem(const ProblemFrame& frame, const std::string& place,
                                bool public_only) {
    FrameProblem out;
    out.model = CoulombCone{};
    if (frame.step && !public_only) {
        take_step(frame, out);
    } else {
        FrameAssembly(frame, place, out).run();
    }
    return out;
}

FrameAnswer make_answer(const ProblemFrame& frame, const FrameProblem& from,
                        const ContactSolution& solution) {
    FrameAnswer answer;
    answer.solver = solution.solver;
    answer.status = solution.status;
    answer.iterations = solution.iterations;
    answer.residual = solution.residual;
    answer.v = solution.v;
    answer.c_j = solution.c_j;
    answer.c_l = solution.c_l;
    answer.c_b = solution.c_b;
    for (std::size_t i = 0; i < from.block_of.size(); ++i) {
        const int block = from.block_of[i];
        if (block == kNone) {
            answer.velocities.push_back(frame.bodies[i].twist);
            continue;
        }
        const int offset = from.problem.system.blocks[at(block)].offset;
        answer.velocities.push_back(
            {solution.v.segment<3>(offset), solution.v.segment<3>(offset + 3)});
    }
    for (std::size_t i = 0; i < from.row_of.size(); ++i) {
        const int row = from.row_of[i];
        answer.c_n.push_back(row == kNone ? 0.0 : solution.c_n[at(row)]);
        answer.c_s.push_back(row == kNone ? 0.0 : solution.c_s[at(row)]);
        answer.c_t.push_back(row == kNone ? 0.0 : solution.c_t[at(row)]);
        const double sign = from.turned[i] != 0 ? -1 : 1;
        Vec3 s = Vec3::Zero(), t = Vec3::Zero();
        if (row != kNone) {
            s = sign * from.problem.contacts[at(row)].s.head<3>();
            t = sign * from.problem.contacts[at(row)].t.head<3>();
        }
        answer.s.push_back(s);
        answer.t.push_back(t);
    }
    return answer;
}

}  // namespace stiction
