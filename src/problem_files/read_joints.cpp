// read_joints.cpp - joints of a frame in any of the forms that its writers gave them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "problem_files/frame_ids.h"
#include "problem_files/read_frame.h"

namespace stiction {

namespace {

struct ConstraintArrays {
    std::vector<std::int64_t> rows, pairs;
    std::vector<double> J, violations, rates, lo, hi;
};

void read_bounds(const FrameSource& in, std::uint64_t nr, ConstraintArrays& c) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    c.lo.assign(nr, -kInfinity);
    c.hi.assign(nr, kInfinity);
    if (in.count("constraints/bounds") > 0) {
        const std::vector<double> bounds = in.table("constraints/bounds", nr, 2, false);
        for (std::size_t i = 0; i < nr; ++i) {
            c.lo[i] = bounds[2 * i];
            c.hi[i] = bounds[2 * i + 1];
        }
    } else {
        const std::string lower = in.find({"constraints/lower_bound", "constraints/lower_bound_f"});
        const std::string upper = in.find({"constraints/upper_bound", "constraints/upper_bound_f"});
        if (!lower.empty()) c.lo = in.table(lower, nr, 1, false);
        if (!upper.empty()) c.hi = in.table(upper, nr, 1, false);
    }
    for (std::size_t i = 0; i < nr; ++i) {
        if (!(c.lo[i] <= c.hi[i]))
            in.refuse("constraints/bounds",
                      "row " + std::to_string(i) + ": the lower bound is above the upper one");
    }
}

std::uint64_t total_rows(const FrameSource& in, const std::vector<std::int64_t>& rows) {
    std::uint64_t total = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
        if (rows[j] < 0 || rows[j] > static_cast<std::int64_t>(kMostFrameRows))
            in.refuse("constraints/rows", "joint " + std::to_string(j) + " has " +
                                              std::to_string(rows[j]) + "; expected 0 to 6");
        total += static_cast<std::uint64_t>(rows[j]);
    }
    if (total > kMostFrameRows) in.refuse("constraints/rows", "more than ten million rows");
    return total;
}

ConstraintArrays read_constraint_arrays(const FrameSource& in) {
    ConstraintArrays c;
    const std::uint64_t nj = in.count("constraints/rows");
    c.rows = in.integers("constraints/rows", nj, 1);
    const std::uint64_t nr = total_rows(in, c.rows);
    const std::string pairs = in.find({"constraints/pairs", "constraints/constraint_pairs"});
    if (pairs.empty()) in.refuse("constraints/pairs", "there is no such dataset");
    c.pairs = in.integers(pairs, nj, 2);
    c.J = in.table("constraints/Jacobian", nr, 12);
    c.violations.assign(nr, 0);
    c.rates.assign(nr, 0);
    const std::string violations = in.find({"constraints/violations", "constraints/violation"});
    if (in.count(violations) > 0) c.violations = in.table(violations, nr, 1);
    if (in.count("constraints/time_derivative") > 0)
        c.rates = in.table("constraints/time_derivative", nr, 1);
    read_bounds(in, nr, c);
    return c;
}

// |J v| of the rows that hold the joint, with the columns as they stand and with those of the two
// bodies exchanged.
double held_speed(const FrameJoint& joint, const std::vector<FrameBody>& bodies, bool swapped) {
    const auto speed = [&](const Vec6& J, int body) {
        if (body == kNone) return 0.0;
        const Twist& twist = bodies[at(body)].twist;
        return J.head<3>().dot(twist.v) + J.tail<3>().dot(twist.w);
    };
    double sum = 0;
    for (const FrameRow& row : joint.rows) {
        if (!row.is_joint()) continue;
        const double u = speed(swapped ? row.J_b : row.J_a, joint.a) +
                         speed(swapped ? row.J_a : row.J_b, joint.b) + row.rate;
        sum += u * u;
    }
    return std::sqrt(sum);
}

// Whether forces along the rows balance: what pushes one body pushes the other the opposite way, with
// no torque left over. Against the world there must be something that pushes.
bool balances(const FrameJoint& joint, const std::vector<FrameBody>& bodies, bool swapped) {
    constexpr double kOff = 1e-6;  // of the rows' size
    for (const FrameRow& row : joint.rows) {
        const Vec6& J_a = swapped ? row.J_b : row.J_a;
        const Vec6& J_b = swapped ? row.J_a : row.J_b;
        if (joint.a == kNone || joint.b == kNone) {
            if ((joint.a == kNone ? J_b : J_a).isZero(0.0)) return false;
            continue;
        }
        const Vec3 lever = bodies[at(joint.a)].p - bodies[at(joint.b)].p;
        const Vec3 force = J_a.head<3>() + J_b.head<3>();
        const Vec3 torque = lever.cross(Vec3(J_a.head<3>())) + J_a.tail<3>() + J_b.tail<3>();
        const double size = J_a.norm() + J_b.norm();
        if (force.norm() > kOff * size || torque.norm() > kOff * std::max(1.0, lever.norm()) * size)
            return false;
    }
    return true;
}

// The 2015 writer may have the two bodies of a joint the other way round than the columns. Rows that
// balance in one order only tell; where they do in both, or in none, |J v| does.
bool unswap(const std::vector<FrameBody>& bodies, FrameJoint& joint) {
    constexpr double kClear = 0.5;  // as they stand unless the other order is clearly better
    const bool given = balances(joint, bodies, false), other = balances(joint, bodies, true);
    const bool slower = held_speed(joint, bodies, true) < kClear * held_speed(joint, bodies, false);
    if (given == other ? !slower : given) return false;
    for (FrameRow& row : joint.rows) std::swap(row.J_a, row.J_b);
    return true;
}

}  // namespace

void read_joints(const FrameSource& in, const FrameIds& ids, ProblemFrame& frame) {
    if (in.count("constraints/rows") == 0) {
        if (in.count("constraints/Jacobian") > 0)
            in.refuse("constraints/rows", "there is no such dataset");
        return;
    }
    const ConstraintArrays c = read_constraint_arrays(in);
    frame.joints.resize(c.rows.size());
    std::size_t r = 0;
    int swapped = 0;
    for (std::size_t j = 0; j < c.rows.size(); ++j) {
        FrameJoint& joint = frame.joints[j];
        joint.b = place_of(in, "constraints/pairs", c.pairs[2 * j], ids);
        joint.a = place_of(in, "constraints/pairs", c.pairs[2 * j + 1], ids);
        if (joint.a == joint.b && joint.a != kNone)
            in.refuse("constraints/pairs", "row " + std::to_string(j) + " names one body twice");
        for (std::int64_t k = 0; k < c.rows[j]; ++k, ++r) {
            FrameRow& row = joint.rows.emplace_back();
            row.J_b = Eigen::Map<const Vec6>(&c.J[12 * r]);
            row.J_a = Eigen::Map<const Vec6>(&c.J[12 * r + 6]);
            row.violation = c.violations[r];
            row.rate = c.rates[r];
            row.lo = c.lo[r];
            row.hi = c.hi[r];
        }
        swapped += unswap(frame.bodies, joint) ? 1 : 0;
    }
    if (swapped > 0)
        frame.remarks.push_back("constraints: in " + std::to_string(swapped) +
                                " joints the columns of the Jacobian belong to the pair the other "
                                "way round");
}

}  // namespace stiction
