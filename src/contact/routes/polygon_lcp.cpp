// polygon_lcp.cpp - from rows to the LCP of the friction polygons and back.
#include "contact/routes/polygon_lcp.h"

#include <algorithm>

#include "contact/island/delassus.h"
#include "contact/island/operators.h"
#include "contact/routes/ladder.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;

constexpr double kAccepted = 10;  // times the tolerance, as pivoting.cpp accepts an answer
// Guess bits per joint: lower limit, upper limit, then (x, y) of motor and of friction.
constexpr int kLimitBits = 2;
// n, the sides and lambda must leave the bit of kStuck; larger polygons start without a guess.
constexpr std::size_t kMaxGuessedSides = 61;

// One island's LCP.
struct Polygons {
    const IslandTask& task;
    IslandRows& rows;
    PolygonRoute& ws;

    [[nodiscard]] int sides() const { return static_cast<int>(ws.directions.size()); }
    [[nodiscard]] std::size_t count() const { return ws.elimination.unknowns.size(); }
    [[nodiscard]] int row(std::size_t i) const { return ws.elimination.unknowns[i]; }
    [[nodiscard]] const RowSource& source(std::size_t i) const { return rows.source[at(row(i))]; }
};

void choose_tangential(const IslandTask& task) {
    for_each_contact(task, [&](int i) {
        task.shared.tangential[at(i)] = task.problem.contacts[at(i)].mu_c > 0 ? 1 : 0;
    });
}

// ---- the unknowns: contacts first, then the others, both link by link

void add_unknown(PolygonRoute& ws, int row, int variable) {
    ws.elimination.unknowns.push_back(row);
    ws.variable.push_back(variable);
}

int number_contacts(const Polygons& s) {
    int variables = 0;
    build_triples(s.task.problem, s.rows, s.task.workspace.triples);
    for (const Triple& triple : s.task.workspace.triples.all) {
        if (triple.contact == kNone) continue;
        add_unknown(s.ws, triple.row[0], variables++);
        if (!triple.cone) continue;
        add_unknown(s.ws, triple.row[1], variables - 1);
        add_unknown(s.ws, triple.row[2], variables - 1);
        variables += s.sides() + 1;
    }
    return variables;
}

Eigen::Index number_unknowns(const Polygons& s) {
    s.ws.elimination.unknowns.clear();
    s.ws.variable.clear();
    int variables = number_contacts(s);
    for (std::size_t r = 0; r < s.rows.rows.size(); ++r) {
        const Kind kind = s.rows.source[r].kind;
        const bool bounded = kind == Kind::kBounded && !is_equality(s.rows.rows[r]);
        if (kind != Kind::kLimit && !bounded) continue;
        add_unknown(s.ws, static_cast<int>(r), variables);
        variables += bounded ? 2 : 1;
    }
    return variables;
}

// ---- the LCP

// Row i of the reduced problem has weights on LCP unknowns: a normal on c_n, s and t on the
// polygon's directions. Calls act(unknown, weight).
template <class Act>
void for_unknowns(const Polygons& s, std::size_t i, const Act& act) {
    const int first = s.ws.variable[i];
    const Kind kind = s.source(i).kind;
    if (kind != Kind::kS && kind != Kind::kT) return act(first, 1.0);
    for (int d = 0; d < s.sides(); ++d)
        act(first + 1 + d, s.ws.directions[at(d)][kind == Kind::kS ? 0 : 1]);
}

void add_column(const Polygons& s, std::size_t j) {
    PolygonRoute& ws = s.ws;
    const auto J = static_cast<Eigen::Index>(j);
    for (std::size_t i = 0; i < s.count(); ++i) {
        const double value = ws.unit * ws.elimination.A(static_cast<Eigen::Index>(i), J);
        if (value == 0) continue;
        for_unknowns(s, j, [&](int q, double weight_q) {
            for_unknowns(s, i, [&](int p, double weight_p) {
                ws.lcp.A(p, q) += weight_p * weight_q * value;
            });
        });
    }
    for_unknowns(s, j, [&](int q, double weight) { ws.lcp.b[q] += weight * ws.elimination.b[J]; });
}

void add_cone_rows(const Polygons& s, std::size_t i) {
    MatX& A = s.ws.lcp.A;
    const int first = s.ws.variable[i];
    const int lambda = first + s.sides() + 1;
    A(lambda, first) = s.task.problem.contacts[at(s.source(i).index)].mu_c;
    for (int d = 1; d <= s.sides(); ++d) {
        A(first + d, lambda) = 1;
        A(lambda, first + d) = -1;
    }
}

// The lower bound's impulse acts on every row, the slack y on this one alone.
void add_bounds(const Polygons& s, std::size_t i) {
    PolygonRoute& ws = s.ws;
    const Row& row = s.rows.rows[at(s.row(i))];
    for (std::size_t k = 0; k < s.count(); ++k) {
        const double value =
            ws.elimination.A(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i));
        for_unknowns(s, k, [&](int p, double weight) { ws.lcp.b[p] += weight * value * row.lo; });
    }
    const int first = ws.variable[i];
    ws.lcp.A(first, first + 1) = 1;
    ws.lcp.A(first + 1, first) = -1;
    ws.lcp.b[first + 1] = (row.hi - row.lo) / ws.unit;
}

void build_lcp(const Polygons& s, Eigen::Index variables) {
    PolygonRoute& ws = s.ws;
    const double diagonal = ws.elimination.A.diagonal().sum();
    ws.unit = diagonal > 0 ? static_cast<double>(s.count()) / diagonal : 1.0;
    ws.lcp.A.setZero(variables, variables);
    ws.lcp.b.setZero(variables);
    for (std::size_t j = 0; j < s.count(); ++j) add_column(s, j);
    for (std::size_t i = 0; i < s.count(); ++i) {
        if (s.source(i).kind == Kind::kS) add_cone_rows(s, i);
        if (s.source(i).kind == Kind::kBounded) add_bounds(s, i);
    }
}

// ---- warm start

// Where the bits of a row's unknowns stand, and how many there are.
struct GuessPlace {
    int joint = kNone;  // of the model; kNone: the contact of the row
    int shift = 0;
    int count = 0;
};

GuessPlace guess_place(const Polygons& s, std::size_t i) {
    const RowSource& source = s.source(i);
    const ContactProblem& problem = s.task.problem;
    switch (source.kind) {
        case Kind::kNormal: {
            const bool frictional = problem.contacts[at(source.index)].mu_c > 0;
            return {kNone, 0, frictional ? s.sides() + 2 : 1};
        }
        case Kind::kLimit: {
            const LimitRow& limit = problem.limits[at(source.index)];
            return {limit.joint, limit.upper ? 1 : 0, 1};
        }
        case Kind::kBounded: {
            const BoundedRow& row = problem.bounded[at(source.index)];
            return {row.joint, kLimitBits + (row.friction ? 2 : 0), 2};
        }
        default:
            return {};
    }
}

void guess_basis(const Polygons& s) {
    const IslandTask& task = s.task;
    PolygonRoute& ws = s.ws;
    ws.guess.assign(at(ws.lcp.b.size()), 0);
    bool known = false;
    for (std::size_t i = 0; i < s.count(); ++i) {
        const GuessPlace place = guess_place(s, i);
        if (place.count == 0) continue;
        std::uint64_t bits = kNoGuess;
        if (place.joint == kNone) {
            bits = task.shared.guess.bits[at(s.source(i).index)];
        } else if (at(place.joint) < task.guess.joints.size()) {
            bits = task.guess.joints[at(place.joint)];
        }
        if (bits == kNoGuess || (bits & kStuck) != 0) continue;
        known = true;
        for (int k = 0; k < place.count; ++k)
            ws.guess[at(ws.variable[i] + k)] = (bits >> (place.shift + k)) & 1U;
    }
    if (!known || ws.directions.size() > kMaxGuessedSides) ws.guess.clear();
}

void keep_basis(const Polygons& s) {
    const IslandTask& task = s.task;
    if (s.ws.directions.size() > kMaxGuessedSides) return;
    for (std::size_t i = 0; i < s.count(); ++i) {
        const GuessPlace place = guess_place(s, i);
        if (place.count == 0) continue;
        std::uint64_t bits = 0;
        for (int k = 0; k < place.count; ++k) {
            const bool basic = s.ws.result.basic[at(s.ws.variable[i] + k)] != 0;
            bits |= static_cast<std::uint64_t>(basic) << k;
        }
        if (place.joint == kNone) {
            task.shared.next_contacts[at(s.source(i).index)] = bits;
            continue;
        }
        if (at(place.joint) >= task.shared.next_joints.size()) continue;
        std::uint64_t& all = task.shared.next_joints[at(place.joint)];
        if (all == kNoGuess) all = 0;
        all |= bits << place.shift;
    }
}

void recover_impulses(const Polygons& s) {
    std::fill(s.rows.c.begin(), s.rows.c.end(), 0.0);
    for (std::size_t i = 0; i < s.count(); ++i) {
        double& c = s.rows.c[at(s.row(i))];
        for_unknowns(s, i,
                     [&](int q, double weight) { c += weight * s.ws.unit * s.ws.result.z[q]; });
        if (s.source(i).kind == Kind::kBounded) c += s.rows.rows[at(s.row(i))].lo;
    }
    recover_equalities(s.ws.elimination, s.rows);
}

}  // namespace

IslandResult solve_polygon_lcp(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    const Polygons s{task, task.workspace.rows, task.workspace.polygon()};
    choose_tangential(task);
    build_rows(task, {.tangential = task.shared.tangential});
    make_box_lcp(system, s.rows, task.problem.v_free, s.ws.all);
    choose_equalities(system, s.rows, s.ws.elimination);
    const Eigen::Index variables = number_unknowns(s);
    eliminate(s.ws.all, s.ws.elimination);
    build_lcp(s, variables);
    guess_basis(s);
    LemkeSettings settings;
    settings.stop = exactly(task.stop);
    solve_lemke(s.ws.lcp, settings, s.ws.guess, s.ws.lemke, s.ws.result);
    const LcpResult& lemke = s.ws.result;
    IslandResult result = island_result("lemke", lemke, lemke.pivots);
    // Its status is that of scaled rows, in which those of light bodies hardly count.
    const double size = s.ws.lcp.b.lpNorm<Eigen::Infinity>();
    if (result.status == SolveStatus::kSolved &&
        !(lemke.residual <= kAccepted * settings.stop.tolerance * size))
        result.status = SolveStatus::kIterationLimit;
    if (result.status != SolveStatus::kSolved) {
        result.residual = no_answer().residual;
        return result;
    }
    result.fallback = lemke.regularisation > 0;
    recover_impulses(s);
    apply_impulses(system, s.rows, task.problem.v_free, task.shared.momentum, task.solution.v);
    set_impulses(task, s.rows);
    keep_basis(s);
    return result;
}

}  // namespace stiction
