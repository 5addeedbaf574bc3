// read_step.cpp - the group `stiction` of a frame, checked so that no index leads outside.
#include <algorithm>
#include <bit>
#include <limits>

#include "core/error.h"
#include "problem_files/model_json.h"
#include "problem_files/read_frame.h"

namespace stiction {

namespace {

constexpr std::uint64_t kMostStepRows = 10'000'000;

// Arrays of the group, with sizes that follow from the arrays themselves.
class StepSource {
  public:
    explicit StepSource(const FrameSource& in) : in_(in) {}

    [[nodiscard]] std::uint64_t rows(const std::string& name, std::uint64_t cols) const {
        const std::uint64_t n = in_.count("stiction/" + name);
        if (n % cols != 0 || n / cols > kMostStepRows)
            refuse(name, "is " + in_.shape_of("stiction/" + name) + "; expected " +
                             std::to_string(cols) + " columns");
        return n / cols;
    }
    [[nodiscard]] std::vector<double> reals(const std::string& name, std::uint64_t n,
                                            std::uint64_t cols, bool finite = true) const {
        return n == 0 ? std::vector<double>{} : in_.table("stiction/" + name, n, cols, finite);
    }
    [[nodiscard]] std::vector<std::int64_t> whole(const std::string& name, std::uint64_t n,
                                                  std::uint64_t cols) const {
        return n == 0 ? std::vector<std::int64_t>{} : in_.integers("stiction/" + name, n, cols);
    }
    [[nodiscard]] std::vector<int> ints(const std::string& name, std::uint64_t n,
                                        std::uint64_t cols) const {
        std::vector<int> out;
        for (const std::int64_t x : whole(name, n, cols)) out.push_back(narrow(name, x));
        return out;
    }
    [[nodiscard]] int narrow(const std::string& name, std::int64_t x) const {
        if (x != static_cast<std::int32_t>(x))
            refuse(name, "found " + std::to_string(x) + "; expected integers of 32 bits");
        return static_cast<int>(x);
    }
    void expect(bool right, const std::string& name, std::size_t row) const {
        if (!right) refuse(name, "row " + std::to_string(row) + " points outside of the problem");
    }
    [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
        in_.refuse("stiction/" + name, what);
    }
    [[nodiscard]] const FrameSource& all() const { return in_; }

  private:
    const FrameSource& in_;
};

VecX vector_of(const std::vector<double>& x) {
    return Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Vec6 six(const std::vector<double>& x, std::size_t i) { return Eigen::Map<const Vec6>(&x[6 * i]); }

// The list of ways that make_ways() makes of itself, or none where it is no such list.
bool are_ways(const std::vector<int>& columns, const InertiaBlock& block) {
    const auto all = static_cast<std::int64_t>(columns.size());
    if (block.ways < 0 || std::int64_t{block.ways} + block.size + 1 > all) return false;
    const int* list = columns.data() + block.ways;
    const std::int64_t room = all - block.ways - block.size - 1;
    if (list[0] != 0) return false;
    std::vector<int> before;
    for (int k = 0; k < block.size; ++k) {
        if (list[k + 1] <= list[k] || list[k + 1] > room) return false;
        const int* way = list + block.size + 1 + list[k];
        const int count = list[k + 1] - list[k];
        const int previous = count > 1 ? way[count - 2] : kNone;
        if (previous >= k || previous < kNone) return false;
        before.push_back(previous);
    }
    const std::vector<int> made = make_ways(before);
    return std::int64_t{block.ways} + static_cast<std::int64_t>(made.size()) <= all &&
           std::equal(made.begin(), made.end(), list);
}

bool lies_in(const std::vector<double>& pool, int start, std::int64_t count) {
    return start >= 0 && count >= 0 && start + count <= static_cast<std::int64_t>(pool.size());
}

void read_blocks(const StepSource& in, LinkSystem& system) {
    const std::uint64_t n = in.rows("blocks", 7);
    const std::vector<int> ints = in.ints("blocks", n, 7);
    const std::vector<double> reals = in.reals("inertia", n, 20);
    const std::uint64_t pooled = in.rows("M", 1), listed = in.rows("columns", 1);
    system.pool = in.reals("M", pooled, 1);
    system.columns = in.ints("columns", listed, 1);
    for (std::size_t i = 0; i < n; ++i) {
        InertiaBlock& block = system.blocks.emplace_back();
        const int* x = &ints[7 * i];
        block.offset = x[0];
        block.size = x[1];
        block.free_body = x[2] != 0;
        block.isotropic = x[3] != 0;
        block.ways = x[4];
        block.pool_M = x[5];
        block.pool_root = x[6];
        block.mass = reals[20 * i];
        block.inv_mass = reals[20 * i + 1];
        block.inertia = Eigen::Map<const Mat3>(&reals[20 * i + 2]);
        block.inv_inertia = Eigen::Map<const Mat3>(&reals[20 * i + 11]);
        in.expect(block.offset == system.nv && block.size > 0 &&
                      block.size < std::numeric_limits<int>::max() - system.nv,
                  "blocks", i);
        system.nv += block.size;
        if (block.free_body) {
            in.expect(block.size == 6 && block.mass > 0 && block.inv_mass > 0, "blocks", i);
            continue;
        }
        in.expect(are_ways(system.columns, block), "blocks", i);
        const int entries = ways_of(system, block).entries();
        in.expect(lies_in(system.pool, block.pool_M, entries) &&
                      lies_in(system.pool, block.pool_root, entries),
                  "blocks", i);
    }
}

// A side on a tree: its columns ascend, and each has its whole way with it.
bool is_side(const LinkSystem& system, const InertiaBlock& block, const GeneralSide& side) {
    const auto listed = static_cast<std::int64_t>(system.columns.size());
    if (side.columns < 0 || side.count < 0 || std::int64_t{side.columns} + side.count > listed)
        return false;
    if (!lies_in(system.pool, side.X, 6 * std::int64_t{side.count}) ||
        !lies_in(system.pool, side.Z, 6 * std::int64_t{side.count}))
        return false;
    const int* column = system.columns.data() + side.columns;
    const Ways ways = ways_of(system, block);
    std::vector<char> has(at(block.size), 0);
    for (int c = 0; c < side.count; ++c) {
        if (column[c] < 0 || column[c] >= block.size || (c > 0 && column[c] <= column[c - 1]))
            return false;
        has[at(column[c])] = 1;
        for (int d = 0; d < ways.count(column[c]); ++d) {
            if (has[at(ways.way(column[c])[d])] == 0) return false;
        }
    }
    return true;
}

void read_links(const StepSource& in, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    const std::uint64_t n = in.rows("links", 18);
    const std::vector<int> ints = in.ints("links", n, 18);
    const std::vector<double> reals = in.reals("levers", n, 13);
    const auto blocks = static_cast<int>(system.blocks.size());
    for (std::size_t i = 0; i < n; ++i) {
        const int* x = &ints[18 * i];
        const double* y = &reals[13 * i];
        Link link;
        link.a = x[0];
        link.b = x[1];
        link.general_a = {x[2], x[3], x[4], x[5]};
        link.general_b = {x[6], x[7], x[8], x[9]};
        link.length = y[0];
        link.r_a = Eigen::Map<const Vec3>(y + 1);
        link.r_b = Eigen::Map<const Vec3>(y + 4);
        link.u0 = Eigen::Map<const Vec6>(y + 7);
        in.expect(link.a >= kNone && link.b >= kNone && link.a < blocks && link.b < blocks &&
                      (link.a != kNone || link.b != kNone) && link.length > 0,
                  "links", i);
        // Two bodies of one tree share its block; a free body has no pair in itself.
        in.expect(link.a != link.b || !system.blocks[at(link.a)].free_body, "links", i);
        for (const bool a : {true, false}) {
            const int id = a ? link.a : link.b;
            if (id == kNone || system.blocks[at(id)].free_body) continue;
            in.expect(is_side(system, system.blocks[at(id)], a ? link.general_a : link.general_b),
                      "links", i);
        }
        system.links.push_back(link);
        problem.link_rows.push_back({x[10], x[11], x[12], x[13], x[14], x[15], x[16], x[17]});
    }
}

ContactKey key_of(const StepSource& in, const std::string& name, const std::vector<std::int64_t>& x,
                  std::size_t i) {
    const std::int64_t* k = &x[5 * i];
    if (k[4] < 0 || k[4] > std::numeric_limits<std::uint32_t>::max())
        in.refuse(name, "row " + std::to_string(i) + " has no feature of 32 bits");
    return {in.narrow(name, k[0]), in.narrow(name, k[1]), in.narrow(name, k[2]),
            in.narrow(name, k[3]), static_cast<std::uint32_t>(k[4])};
}

void read_contact_rows(const StepSource& in, ContactProblem& problem) {
    const std::uint64_t n = in.rows("contact_links", 1);
    const std::vector<int> link = in.ints("contact_links", n, 1);
    const std::vector<double> N = in.reals("N", n, 6), S = in.reals("S", n, 6),
                              T = in.reals("T", n, 6), phi = in.reals("phi", n, 1),
                              bias = in.reals("bias", n, 1), mu_c = in.reals("mu_c", n, 1),
                              mu_v = in.reals("mu_v", n, 1), eps = in.reals("restitution", n, 1);
    const std::vector<std::int64_t> keys = in.whole("features", n, 5);
    for (std::size_t i = 0; i < n; ++i) {
        in.expect(mu_c[i] >= 0 && mu_v[i] >= 0 && eps[i] >= 0, "mu_c", i);
        problem.contacts.push_back({link[i], six(N, i), six(S, i), six(T, i), phi[i], bias[i],
                                    mu_c[i], mu_v[i], eps[i], key_of(in, "features", keys, i)});
    }
}

void read_joint_rows(const StepSource& in, ContactProblem& problem) {
    const std::uint64_t nj = in.rows("joint_links", 2), nl = in.rows("limit_links", 3),
                        nb = in.rows("bounded_links", 3);
    const std::vector<int> joints = in.ints("joint_links", nj, 2),
                           limits = in.ints("limit_links", nl, 3),
                           bounded = in.ints("bounded_links", nb, 3);
    const std::vector<double> J = in.reals("J", nj, 6), bJ = in.reals("bJ", nj, 1),
                              errors = in.reals("joint_errors", nj, 1), L = in.reals("L", nl, 6),
                              gaps = in.reals("limit_gaps", nl, 1), bL = in.reals("bL", nl, 1),
                              B = in.reals("B", nb, 6), bB = in.reals("bB", nb, 1),
                              compliance = in.reals("compliance", nb, 1),
                              lo = in.reals("lo", nb, 1, false), hi = in.reals("hi", nb, 1, false);
    for (std::size_t i = 0; i < nj; ++i)
        problem.joints.push_back({joints[2 * i], six(J, i), bJ[i], errors[i], joints[2 * i + 1]});
    for (std::size_t i = 0; i < nl; ++i)
        problem.limits.push_back(
            {limits[3 * i], six(L, i), gaps[i], bL[i], limits[3 * i + 1], limits[3 * i + 2] != 0});
    for (std::size_t i = 0; i < nb; ++i) {
        in.expect(lo[i] <= hi[i] && compliance[i] >= 0, "lo", i);
        problem.bounded.push_back({bounded[3 * i], six(B, i), bB[i], compliance[i], lo[i], hi[i],
                                   bounded[3 * i + 1], bounded[3 * i + 2] != 0});
    }
}

// Ranges of one kind of rows follow one another, cover all of them, and each row names its link.
template <class Rows>
void check_ranges(const StepSource& in, const ContactProblem& problem, const Rows& rows,
                  int LinkRows::*begin, int LinkRows::*end) {
    int next = 0;
    for (std::size_t l = 0; l < problem.link_rows.size(); ++l) {
        const LinkRows& range = problem.link_rows[l];
        if (range.*begin == range.*end) continue;
        in.expect(range.*begin == next && range.*end > next && at(range.*end) <= rows.size(),
                  "links", l);
        for (int i = next; i < range.*end; ++i)
            in.expect(rows[at(i)].link == static_cast<int>(l), "links", l);
        next = range.*end;
    }
    in.expect(at(next) == rows.size(), "links", problem.link_rows.size());
}

void check_rows(const StepSource& in, const ContactProblem& problem, const Guess& guess) {
    check_ranges(in, problem, problem.contacts, &LinkRows::contact_begin, &LinkRows::contact_end);
    check_ranges(in, problem, problem.joints, &LinkRows::joint_begin, &LinkRows::joint_end);
    check_ranges(in, problem, problem.limits, &LinkRows::limit_begin, &LinkRows::limit_end);
    check_ranges(in, problem, problem.bounded, &LinkRows::bounded_begin, &LinkRows::bounded_end);
    const auto known = static_cast<std::int64_t>(guess.joints.size());
    const auto check = [&](const auto& rows, const char* name) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            in.expect(rows[i].joint >= 0 && rows[i].joint < known, name, i);
    };
    check(problem.joints, "joint_links");
    check(problem.limits, "limit_links");
    check(problem.bounded, "bounded_links");
}

std::vector<std::uint64_t> unsigned_bits(const std::vector<std::int64_t>& bits) {
    std::vector<std::uint64_t> out;
    for (const std::int64_t x : bits) out.push_back(std::bit_cast<std::uint64_t>(x));
    return out;
}

void read_guess(const StepSource& in, Guess& guess) {
    const std::uint64_t n = in.rows("guess/features", 5);
    const std::vector<std::int64_t> keys = in.whole("guess/features", n, 5);
    const std::vector<double> impulses = in.reals("guess/impulses", n, 3);
    guess.contacts = unsigned_bits(in.whole("guess/contacts", n, 1));
    for (std::size_t i = 0; i < n; ++i) {
        guess.keys.push_back(key_of(in, "guess/features", keys, i));
        guess.impulses.emplace_back(impulses[3 * i], impulses[3 * i + 1], impulses[3 * i + 2]);
    }
    if (in.rows("guess/multipliers", 2) > 0) {
        const std::vector<double> m = in.reals("guess/multipliers", n, 2);
        for (std::size_t i = 0; i < n; ++i) guess.multipliers.emplace_back(m[2 * i], m[2 * i + 1]);
    }
    guess.joints = unsigned_bits(in.whole("guess/joints", in.rows("guess/joints", 1), 1));
    guess.joint_impulses = in.reals("guess/joint_impulses", in.rows("guess/joint_impulses", 1), 1);
    guess.bounded_impulses =
        in.reals("guess/bounded_impulses", in.rows("guess/bounded_impulses", 1), 1);
}

// Files from before there was a choice have exact contacts.
NarrowphaseKind read_narrowphase(const FrameSource& source, const StepSource& in) {
    if (!source.has("stiction/narrowphase")) return NarrowphaseKind::kExact;
    const std::string given = source.text("stiction/narrowphase");
    const auto known = std::find(kNarrowphaseNames.begin(), kNarrowphaseNames.end(), given);
    if (known == kNarrowphaseNames.end()) in.refuse("narrowphase", "expected exact or bullet");
    return static_cast<NarrowphaseKind>(known - kNarrowphaseNames.begin());
}

}  // namespace

RecordedStep read_step(const FrameSource& source, double h) {
    const StepSource in(source);
    RecordedStep step;
    step.step = source.integers("stiction/step", 1, 1).front();
    step.time = source.number("stiction/time");
    // Infinite where impacts are taken one after another, before the solve.
    step.restitution_threshold =
        source.table("stiction/restitution_threshold", 1, 1, false).front();
    step.contradicted = source.integers("stiction/contradicted", 1, 1).front() != 0;
    try {
        step.model = parse_model_json(source.text("stiction/settings"));
    } catch (const InputError& error) {
        in.refuse("settings", error.what());
    }
    step.narrowphase = read_narrowphase(source, in);
    ContactProblem& problem = step.problem;
    problem.h = h;
    problem.gravity = source.number("stiction/gravity");
    if (!(problem.gravity >= 0)) in.refuse("gravity", "expected a number >= 0");
    read_blocks(in, problem.system);
    const auto nv = static_cast<std::uint64_t>(problem.system.nv);
    problem.v = vector_of(in.reals("v", nv, 1));
    problem.f = vector_of(in.reals("f", nv, 1));
    problem.v_free = vector_of(in.reals("v_free", nv, 1));
    read_links(in, problem);
    read_contact_rows(in, problem);
    read_joint_rows(in, problem);
    read_guess(in, step.guess);
    check_rows(in, problem, step.guess);
    std::vector<int> scratch;
    find_islands(problem, scratch);
    return step;
}

}  // namespace stiction
