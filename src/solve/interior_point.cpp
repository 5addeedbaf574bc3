// interior_point.cpp - Mehrotra predictor-corrector with Nesterov-Todd scaling on friction cones.
// The equations are in the header.
#include "solve/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

using Vec2 = Eigen::Vector2d;
using Workspace = InteriorPointWorkspace;
using Contact = InteriorPointContact;

constexpr int kMaxIterations = 100;
constexpr int kPatience = 30;              // iterations without a better residual
constexpr int kDenseLimit = 60;            // unknowns and rows up to which dense LU is taken
constexpr double kLeastSigma = 1e-3;       // the gap falls by no more than this at once
constexpr double kOffCentre = 0.03;        // least of y o z over its mean, else centre
constexpr double kCentringRatio = 3;       // residual over that of a centred point, else centre
constexpr double kFeasible = 0.3;          // part of F in the residual below which to centre
constexpr double kRegularisation = 1e-10;  // tried where factoring fails, relative to the weights
constexpr double kProximal = 1e-12;        // of x, relative to the weights
constexpr double kProximalRow = 1e-10;     // of v, relative to its own weight
constexpr double kFractionToBoundary = 0.99;
constexpr double kCertificate = 1e8;  // infeasible if every feasible x is this much too large
constexpr double kSnap = 1e4;         // residual over tolerance from which to try snap()
constexpr double kFar = 1e30;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The problem in the form that all three entries share.
struct Problem {
    const BlockMatrix& H;
    const VecX& c;
    const VecX& mu;
    const VecX* s = nullptr;
    const SparseRows* C = nullptr;
    const VecX* d = nullptr;
    bool coulomb = false;

    [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
    [[nodiscard]] int rows() const { return d == nullptr ? 0 : static_cast<int>(d->size()); }
    [[nodiscard]] double offset(int a) const {
        return s == nullptr || s->size() == 0 ? 0.0 : (*s)[a];
    }
};

struct Outcome {
    SolveStatus status = SolveStatus::kIterationLimit;
    int iterations = 0;
    int factorisations = 0;
};

// ---- the Lorentz cone ----

double tangent(const Vec3& p) { return std::sqrt(p[1] * p[1] + p[2] * p[2]); }

double determinant(const LorentzPoint& y) { return y.gap * (y.p[0] + tangent(y.p)); }

Vec3 inverse(const LorentzPoint& y) { return Vec3(y.p[0], -y.p[1], -y.p[2]) / determinant(y); }

Vec3 jordan_product(const Vec3& a, const Vec3& b) {
    return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

// x with lambda o x = d.
Vec3 jordan_divide(const Vec3& lambda, const Vec3& d) {
    const double t = tangent(lambda);
    const double determinant = (lambda[0] - t) * (lambda[0] + t);
    const double x0 = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / determinant;
    return {x0, (d[1] - x0 * lambda[1]) / lambda[0], (d[2] - x0 * lambda[2]) / lambda[0]};
}

// y + step d; the gap changes by step d_0 less the growth of |y_T|, found without cancellation.
LorentzPoint advanced(const LorentzPoint& y, const Vec3& d, double step) {
    LorentzPoint result;
    result.p = y.p + step * d;
    const double before = tangent(y.p);
    const double after = tangent(result.p);
    const double product = 2 * (y.p[1] * d[1] + y.p[2] * d[2]);
    const double square = d[1] * d[1] + d[2] * d[2];
    const double growth =
        before + after > 0 ? step * (product + step * square) / (before + after) : 0.0;
    result.gap = y.gap + step * d[0] - growth;
    result.p[0] = after + result.gap;
    return result;
}

// The largest step for which y + step d stays in the cone: least positive root of its determinant.
double longest_step(const LorentzPoint& y, const Vec3& d) {
    const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    const double b = y.gap * d[0] + (tangent(y.p) * d[0] - y.p[1] * d[1] - y.p[2] * d[2]);
    const double c = determinant(y);
    double step = d[0] < 0 ? -y.p[0] / d[0] : kFar;
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0)) return step;
    const double root = std::sqrt(discriminant);
    const double q = b >= 0 ? -(b + root) : root - b;
    if (a != 0 && q / a > 0) step = std::min(step, q / a);
    if (q != 0 && c / q > 0) step = std::min(step, c / q);
    return step;
}

double longest_step(double value, double d) { return d < 0 ? -value / d : kFar; }

// y.z = |y_T||z_T| (1 + cos) + ..., every term positive.
double product(const LorentzPoint& y, const LorentzPoint& z) {
    const double ty = tangent(y.p);
    const double tz = tangent(z.p);
    double sum = y.gap * tz + z.gap * ty + y.gap * z.gap;
    if (ty > 0 && tz > 0) {
        const double e1 = y.p[1] / ty + z.p[1] / tz;
        const double e2 = y.p[2] / ty + z.p[2] / tz;
        sum += ty * tz * (e1 * e1 + e2 * e2) / 2;
    }
    return sum;
}

// Nesterov-Todd scaling. False if y or z has left the cone.
bool scale(Contact& k) {
    const double y_root = std::sqrt(determinant(k.y));
    const double z_root = std::sqrt(determinant(k.z));
    if (!(y_root > 0) || !(z_root > 0) || !std::isfinite(y_root + z_root)) return false;
    const Vec3 y = k.y.p / y_root;
    const Vec3 z = k.z.p / z_root;
    const double gamma = std::sqrt((1 + product(k.y, k.z) / (y_root * z_root)) / 2);
    const Vec2 w = (y.tail<2>() - z.tail<2>()) / (2 * gamma);
    const double w0 = std::sqrt(1 + w.squaredNorm());
    const double eta = std::sqrt(y_root / z_root);
    Mat3 S;
    S(0, 0) = w0;
    S.block<1, 2>(0, 1) = w.transpose();
    S.block<2, 1>(1, 0) = w;
    S.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() + w * w.transpose() / (1 + w0);
    k.S = eta * S;
    S.block<1, 2>(0, 1) *= -1;
    S.block<2, 1>(1, 0) *= -1;
    k.S_inverse = S / eta;
    const Vec3 mirrored(w0, -w[0], -w[1]);
    k.P = 2 * mirrored * mirrored.transpose();
    k.P.diagonal() += Vec3(-1, 1, 1);
    k.P /= eta * eta;
    // lambda = S z, in a form without cancellation where y_T and z_T are nearly opposite.
    const double ty = tangent(y);
    const double tz = tangent(z);
    Vec2 t = gamma * (y.tail<2>() + z.tail<2>());
    if (ty > 0 && tz > 0) {
        const Vec2 along = y.tail<2>() / ty;
        const Vec2 miss = along + z.tail<2>() / tz;
        t += along * (k.z.gap / z_root * ty - k.y.gap / y_root * tz) + y[0] * tz * miss;
    } else {
        t += z[0] * y.tail<2>() + y[0] * z.tail<2>();
    }
    const double size = std::sqrt(y_root * z_root);
    k.lambda[0] = size * gamma;
    k.lambda.tail<2>() = size * t / (y[0] + z[0] + 2 * gamma);
    return true;
}

// ---- start ----

// A typical energy: x_N = sqrt(energy / w), u_N = sqrt(energy w) are of the right size for a
// contact of weight w, and all products of the start are equal.
double energy_scale(const Problem& problem) {
    double energy = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const double w = contact_weight(problem.H, a);
        const double s = problem.offset(a);
        energy += problem.c.segment<3>(3 * a).squaredNorm() / w + w * s * s;
    }
    energy /= std::max(1, problem.contacts());
    return energy > 0 ? energy : 1.0;
}

void start(const Problem& problem, double energy, Workspace& ws) {
    const int nc = problem.contacts();
    const int m = problem.rows();
    ws.contact.resize(at(nc));
    ws.x.setZero(3 * nc);
    for (int a = 0; a < nc; ++a) {
        Contact& k = ws.contact[at(a)];
        const double mu = problem.mu[a];
        const double s = problem.offset(a);
        k.has_cone = mu > 0 || s > 0;
        k.has_normal = s > 0 || mu == 0;
        k.weight = contact_weight(problem.H, a);
        k.proximal = kProximal * k.weight;
        k.x_N = std::sqrt(energy / k.weight);
        ws.x[3 * a] = k.x_N;
        k.normal = energy / k.x_N;
        k.y.p = Vec3(mu * k.x_N + s, 0, 0);
        k.y.gap = k.y.p[0];
        k.z.p = Vec3(k.has_cone ? energy / k.y.p[0] : 0.0, 0, 0);
        k.z.gap = k.z.p[0];
    }
    ws.g.resize(m);
    ws.proximal_row.resize(m);
    ws.v.resize(m);
    if (m == 0) return;
    ws.g.noalias() = *problem.C * ws.x;
    ws.g -= *problem.d;
    for (int j = 0; j < m; ++j) {
        double gamma = 0;
        for (SparseRows::InnerIterator it(*problem.C, j); it; ++it) {
            const double w = ws.contact[at(static_cast<int>(it.col() / 3))].weight;
            gamma += it.value() * it.value() / w;
        }
        gamma = gamma > 0 ? gamma : 1.0;
        ws.g[j] = std::max(ws.g[j], std::sqrt(gamma * energy));
        ws.v[j] = energy / ws.g[j];
        ws.proximal_row[j] = kProximalRow * gamma;
    }
}

// ---- one iteration ----

// u = H x + c, F, and the infeasibility C x - d - g of the rows.
void evaluate(const Problem& problem, Workspace& ws) {
    multiply_add(problem.H, ws.x, problem.c, ws.u);
    if (problem.rows() > 0) {
        ws.u.noalias() -= problem.C->transpose() * ws.v;
        ws.infeasibility.noalias() = *problem.C * ws.x;
        ws.infeasibility -= *problem.d + ws.g;
    }
    ws.F = ws.u;
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& k = ws.contact[at(a)];
        const double mu = problem.mu[a];
        auto F = ws.F.segment<3>(3 * a);
        if (k.has_normal) F[0] -= k.normal;
        if (!k.has_cone) {
            F.tail<2>().setZero();
            continue;
        }
        // mu z_0 - mu |z_T| = mu gap
        F[0] -= mu * (problem.coulomb ? k.z.gap : k.z.p[0]);
        F.tail<2>() -= k.z.p.tail<2>();
    }
}

// Mean of the complementarity products.
double mean_product(const Workspace& ws) {
    double sum = ws.v.dot(ws.g);
    auto count = static_cast<double>(ws.g.size());
    for (const Contact& k : ws.contact) {
        if (k.has_cone) sum += product(k.y, k.z);
        if (k.has_normal) sum += k.normal * k.x_N;
        count += k.has_cone + k.has_normal;
    }
    return sum / count;
}

// The gradient u and the multipliers that would make the point central, into trial and row_trial.
void centred_multipliers(const Problem& problem, double mean, Workspace& ws) {
    ws.trial.resize(3 * problem.contacts());
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& k = ws.contact[at(a)];
        Vec3 u(0, ws.u[3 * a + 1], ws.u[3 * a + 2]);
        if (k.has_cone) {
            u = mean * inverse(k.y);
            const double z_gap = mean / (k.y.p[0] + tangent(k.y.p));
            u[0] = problem.mu[a] * (problem.coulomb ? z_gap : u[0]);
        }
        if (k.has_normal) u[0] += mean / k.x_N;
        ws.trial.segment<3>(3 * a) = u;
    }
    ws.row_trial = mean * ws.g.cwiseInverse();
}

// One projected step from x, into trial, with its gradient in Hdx: it puts on the boundary, or to
// zero, what the interior can only approach.
void snap(const Problem& problem, Workspace& ws) {
    ws.trial.resize(3 * problem.contacts());
    for (int a = 0; a < problem.contacts(); ++a) {
        Vec3 u = ws.u.segment<3>(3 * a);
        if (problem.coulomb) u[0] += problem.mu[a] * tangent(u);
        const Vec3 x = ws.x.segment<3>(3 * a) - u / ws.contact[at(a)].weight;
        ws.trial.segment<3>(3 * a) = project_on_cone(problem.mu[a], problem.offset(a), x);
    }
    multiply_add(problem.H, ws.trial, problem.c, ws.Hdx);
    if (problem.rows() > 0) ws.Hdx.noalias() -= problem.C->transpose() * ws.v;
}

// Scalings and diagonal blocks. False if a point has left its cone.
bool linearise(const Problem& problem, Workspace& ws) {
    for (int a = 0; a < problem.contacts(); ++a) {
        Contact& k = ws.contact[at(a)];
        const double mu = problem.mu[a];
        k.D.setZero();
        k.slope.setZero();
        if (k.has_cone) {
            if (!scale(k)) return false;
            const double t = tangent(k.z.p);
            if (problem.coulomb && t > 0) k.slope.tail<2>() = mu * k.z.p.tail<2>() / t;
            k.D = k.P;
            k.D.row(0) = mu * k.P.row(0) - k.slope.transpose() * k.P;
            k.D.col(0) *= mu;
        }
        if (k.has_normal) k.D(0, 0) += k.normal / k.x_N;
    }
    return true;
}

bool same_pattern(const Problem& problem, const Workspace& ws) {
    if (problem.H.start != ws.start || problem.H.column != ws.column) return false;
    if (problem.rows() == 0) return ws.row_start.empty();
    const SparseRows& C = *problem.C;
    return std::equal(C.outerIndexPtr(), C.outerIndexPtr() + C.rows() + 1, ws.row_start.begin(),
                      ws.row_start.end()) &&
           std::equal(C.innerIndexPtr(), C.innerIndexPtr() + C.nonZeros(), ws.row_column.begin(),
                      ws.row_column.end());
}

bool is_dense(const Problem& problem) {
    return problem.rows() > 0 && 3 * problem.contacts() + problem.rows() <= kDenseLimit;
}

// Calls visit(row, column, value) for the lower triangle of (K C'; C -g/v), K = H + D.
template <typename Visit>
void visit_quasi_definite(const Problem& problem, double regularisation, const Workspace& ws,
                          Visit&& visit) {
    const BlockMatrix& H = problem.H;
    const int n = 3 * problem.contacts();
    const auto is_fixed = [&](int i) { return i % 3 != 0 && !ws.contact[at(i / 3)].has_cone; };
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& contact = ws.contact[at(a)];
        for (int k = H.start[at(a)]; k < H.start[at(a) + 1]; ++k) {
            const int b = H.column[at(k)];
            if (b > a) continue;
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < (a == b ? i + 1 : 3); ++j) {
                    double value = H.block[at(k)](i, j);
                    if (a == b) value += contact.D(i, j);
                    if (is_fixed(3 * a + i) || is_fixed(3 * b + j)) value = 0;
                    if (a == b && i == j) {
                        value = is_fixed(3 * a + i)
                                    ? contact.weight
                                    : value + contact.proximal + regularisation * contact.weight;
                    }
                    visit(3 * a + i, 3 * b + j, value);
                }
            }
        }
    }
    for (int j = 0; j < problem.rows(); ++j) {
        for (SparseRows::InnerIterator it(*problem.C, j); it; ++it) {
            const auto column = static_cast<int>(it.col());
            visit(n + j, column, is_fixed(column) ? 0.0 : it.value());
        }
        visit(n + j, n + j, -ws.g[j] / ws.v[j] - ws.proximal_row[j]);
    }
}

void analyse(const Problem& problem, Workspace& ws) {
    if (same_pattern(problem, ws)) return;
    ws.start = problem.H.start;
    ws.column = problem.H.column;
    ws.row_start.clear();
    ws.row_column.clear();
    if (problem.rows() == 0) {
        ws.lu.analyse(problem.H);
        return;
    }
    const SparseRows& C = *problem.C;
    ws.row_start.assign(C.outerIndexPtr(), C.outerIndexPtr() + C.rows() + 1);
    ws.row_column.assign(C.innerIndexPtr(), C.innerIndexPtr() + C.nonZeros());
    if (is_dense(problem)) return;
    // Entries are numbered in the order of the visit; the matrix built from the numbers tells where
    // each one went.
    std::vector<Eigen::Triplet<double>> entries;
    visit_quasi_definite(problem, 0, ws, [&](int row, int column, double) {
        entries.emplace_back(row, column, static_cast<double>(entries.size()));
    });
    const Eigen::Index size = 3 * problem.contacts() + problem.rows();
    ws.quasi.resize(size, size);
    ws.quasi.setFromTriplets(entries.begin(), entries.end());
    ws.quasi_place.resize(entries.size());
    for (int k = 0; k < ws.quasi.nonZeros(); ++k) {
        ws.quasi_place[static_cast<std::size_t>(ws.quasi.valuePtr()[k])] = k;
    }
    ws.ldlt.analyzePattern(ws.quasi);
}

bool factor_blocks(const Problem& problem, double regularisation, Workspace& ws) {
    const BlockMatrix& H = problem.H;
    ws.lu.clear();
    for (int k = 0; k < H.blocks(); ++k) ws.lu.entry(k) = H.block[at(k)];
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& contact = ws.contact[at(a)];
        Mat3& diagonal = ws.lu.entry(H.diagonal[at(a)]);
        diagonal += contact.D;
        diagonal.diagonal().array() += contact.proximal + regularisation * contact.weight;
        if (contact.has_cone) continue;
        for (int k = H.start[at(a)]; k < H.start[at(a) + 1]; ++k) {
            ws.lu.entry(k).bottomRows<2>().setZero();
        }
        diagonal(1, 1) = diagonal(2, 2) = contact.weight;
    }
    return ws.lu.factor();
}

void factor_dense(const Problem& problem, double regularisation, Workspace& ws) {
    const Eigen::Index size = 3 * problem.contacts() + problem.rows();
    ws.dense.setZero(size, size);
    visit_quasi_definite(problem, regularisation, ws, [&](int row, int column, double value) {
        ws.dense(row, column) = ws.dense(column, row) = value;
    });
    ws.dense_lu.compute(ws.dense);
}

bool factor_quasi_definite(const Problem& problem, double regularisation, Workspace& ws) {
    std::size_t next = 0;
    visit_quasi_definite(problem, regularisation, ws, [&](int, int, double value) {
        ws.quasi.valuePtr()[ws.quasi_place[next++]] = value;
    });
    ws.ldlt.factorize(ws.quasi);
    return ws.ldlt.info() == Eigen::Success;
}

bool factor(const Problem& problem, Workspace& ws) {
    double regularisation = 0;
    for (int attempt = 0; attempt < 4; ++attempt) {
        if (problem.rows() == 0) {
            if (factor_blocks(problem, regularisation, ws)) return true;
        } else if (is_dense(problem)) {
            factor_dense(problem, regularisation, ws);
            return true;
        } else if (factor_quasi_definite(problem, regularisation, ws)) {
            return true;
        }
        regularisation = attempt == 0 ? kRegularisation : 100 * regularisation;
    }
    return false;
}

// full <- solution of the factored system; full = (right-hand side, that of the rows) on entry,
// (dx, -dv) on return.
void back_substitute(const Problem& problem, Workspace& ws) {
    if (problem.rows() == 0) {
        ws.lu.solve(ws.full);
    } else if (is_dense(problem)) {
        ws.rhs = ws.dense_lu.solve(ws.full);
        ws.full.swap(ws.rhs);
    } else {
        ws.rhs = ws.ldlt.solve(ws.full);
        ws.full.swap(ws.rhs);
    }
}

// Right-hand side less the matrix times (dx, -dv), into full.
void linear_residual(const Problem& problem, Workspace& ws) {
    const int n = 3 * problem.contacts();
    const int m = problem.rows();
    ws.zero.setZero(n);
    multiply_add(problem.H, ws.dx, ws.zero, ws.Hdx);
    if (m > 0) {
        ws.Hdx.noalias() -= problem.C->transpose() * ws.dv;
        ws.dg.noalias() = *problem.C * ws.dx;
        ws.full.tail(m) = (ws.zeta_v - ws.dv).cwiseProduct(ws.g).cwiseQuotient(ws.v) -
                          ws.proximal_row.cwiseProduct(ws.dv) - ws.infeasibility - ws.dg;
    }
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& k = ws.contact[at(a)];
        Vec3 right = -ws.F.segment<3>(3 * a) - ws.Hdx.segment<3>(3 * a);
        right -= k.D * ws.dx.segment<3>(3 * a) + k.proximal * ws.dx.segment<3>(3 * a);
        right[0] -= k.curvature;
        if (k.has_normal) right[0] += k.zeta_n;
        if (k.has_cone) {
            right[0] += problem.mu[a] * k.zeta[0] - k.slope.dot(k.zeta);
            right.tail<2>() += k.zeta.tail<2>();
        } else {
            right.tail<2>().setZero();
        }
        ws.full.segment<3>(3 * a) = right;
    }
}

// Multiplier steps of a contact from dx. f is the step of F but for their own part: T dz + dn = f.
void multiplier_steps(double mu, const Vec3& dx, const Vec3& f, Contact& k) {
    const double normal_stiffness = k.has_normal ? k.normal / k.x_N : 0.0;
    k.dn = k.has_normal ? k.zeta_n - normal_stiffness * dx[0] : 0.0;
    if (!k.has_cone) {
        if (normal_stiffness > k.weight) k.dn = f[0];
        return;
    }
    k.dy = Vec3(mu * dx[0], dx[1], dx[2]);
    k.dz = k.zeta - k.P * k.dy;
    const bool is_stiff = k.P.norm() > k.weight;
    if (is_stiff) k.dz.tail<2>() = f.tail<2>();
    const double rest = f[0] + k.slope.dot(k.dz);
    if (normal_stiffness > k.weight) {
        k.dn = rest - mu * k.dz[0];
    } else if (is_stiff && mu > 0) {
        k.dz[0] = (rest - k.dn) / mu;
    }
}

// Solves for all steps and returns the longest one that stays inside.
double solve_steps(const Problem& problem, Workspace& ws) {
    const int n = 3 * problem.contacts();
    const int m = problem.rows();
    ws.dx.setZero(n);
    ws.dv.setZero(m);
    ws.full.resize(n + m);
    for (int pass = 0; pass < 2; ++pass) {  // the second refines
        linear_residual(problem, ws);
        back_substitute(problem, ws);
        ws.dx += ws.full.head(n);
        ws.dv -= ws.full.tail(m);
    }
    ws.zero.setZero(n);
    multiply_add(problem.H, ws.dx, ws.zero, ws.Hdx);
    double step = kFar;
    if (m > 0) {
        ws.Hdx.noalias() -= problem.C->transpose() * ws.dv;
        ws.dg.noalias() = *problem.C * ws.dx;
        ws.dg += ws.infeasibility + ws.proximal_row.cwiseProduct(ws.dv);
        for (int j = 0; j < m; ++j) {
            step =
                std::min({step, longest_step(ws.g[j], ws.dg[j]), longest_step(ws.v[j], ws.dv[j])});
        }
    }
    for (int a = 0; a < problem.contacts(); ++a) {
        Contact& k = ws.contact[at(a)];
        Vec3 f = ws.F.segment<3>(3 * a) + ws.Hdx.segment<3>(3 * a);
        f += k.proximal * ws.dx.segment<3>(3 * a);
        f[0] += k.curvature;
        multiplier_steps(problem.mu[a], ws.dx.segment<3>(3 * a), f, k);
        if (k.has_cone) step = std::min({step, longest_step(k.y, k.dy), longest_step(k.z, k.dz)});
        if (k.has_normal) {
            step =
                std::min({step, longest_step(k.x_N, ws.dx[3 * a]), longest_step(k.normal, k.dn)});
        }
    }
    return step;
}

void aim_for_the_boundary(Workspace& ws) {
    for (Contact& k : ws.contact) {
        k.zeta = -k.z.p;
        k.zeta_n = -k.normal;
        k.curvature = 0;
    }
    ws.zeta_v = -ws.v;
}

double mean_product_after(double step, const Workspace& ws) {
    double sum = (ws.g + step * ws.dg).dot(ws.v + step * ws.dv);
    auto count = static_cast<double>(ws.g.size());
    for (std::size_t a = 0; a < ws.contact.size(); ++a) {
        const Contact& k = ws.contact[a];
        if (k.has_cone) sum += (k.y.p + step * k.dy).dot(k.z.p + step * k.dz);
        if (k.has_normal) {
            sum +=
                (k.x_N + step * ws.dx[static_cast<Eigen::Index>(3 * a)]) * (k.normal + step * k.dn);
        }
        count += k.has_cone + k.has_normal;
    }
    return sum / count;
}

double least_product(const Workspace& ws) {
    double least = ws.g.size() > 0 ? ws.g.cwiseProduct(ws.v).minCoeff() : kFar;
    for (const Contact& k : ws.contact) {
        if (k.has_cone) least = std::min(least, std::sqrt(determinant(k.y) * determinant(k.z)));
        if (k.has_normal) least = std::min(least, k.normal * k.x_N);
    }
    return least;
}

// Target y o z = target e, with `share` of the second-order terms of the step at hand.
void aim_for_the_centre(const Problem& problem, double target, double share, Workspace& ws) {
    for (int a = 0; a < problem.contacts(); ++a) {
        Contact& k = ws.contact[at(a)];
        if (k.has_normal) {
            k.zeta_n = (target - share * ws.dx[3 * a] * k.dn) / k.x_N - k.normal;
        }
        if (!k.has_cone) continue;
        const Vec3 second = jordan_product(k.S_inverse * k.dy, k.S * k.dz);
        k.zeta =
            target * inverse(k.y) - k.z.p - share * (k.S_inverse * jordan_divide(k.lambda, second));
        if (problem.coulomb) {
            const double linear = k.slope.dot(k.dz);
            const double change = problem.mu[a] * (tangent(k.z.p + k.dz) - tangent(k.z.p));
            k.curvature = share * (change - linear);
        }
    }
    ws.zeta_v = (target - share * ws.dg.array() * ws.dv.array()) / ws.g.array() - ws.v.array();
}

void advance(const Problem& problem, double step, Workspace& ws) {
    for (int a = 0; a < problem.contacts(); ++a) {
        Contact& k = ws.contact[at(a)];
        auto x = ws.x.segment<3>(3 * a);
        if (k.has_normal) {
            k.x_N += step * ws.dx[3 * a];
            k.normal += step * k.dn;
            x[0] = k.x_N;
        }
        if (!k.has_cone) continue;
        k.y = advanced(k.y, k.dy, step);
        k.z = advanced(k.z, k.dz, step);
        x.tail<2>() = k.y.p.tail<2>();
        if (!k.has_normal) x[0] = k.y.p[0] / problem.mu[a];
    }
    if (problem.rows() == 0) return;
    ws.g += step * ws.dg;
    ws.v += step * ws.dv;
}

// Multipliers with  x . (Y z + n e + C'v) + s z_0 - d.v >= 0  for every feasible x: if the bracket
// is nearly zero and the rest negative, feasible x are far away or do not exist.
bool shows_infeasibility(const Problem& problem, double energy, Workspace& ws) {
    if (problem.rows() == 0) return false;
    double claim = problem.d->dot(ws.v);
    ws.trial.noalias() = problem.C->transpose() * ws.v;
    double bracket = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& k = ws.contact[at(a)];
        Vec3 b = ws.trial.segment<3>(3 * a);
        if (k.has_normal) b[0] += k.normal;
        if (k.has_cone) {
            b += Vec3(problem.mu[a] * k.z.p[0], k.z.p[1], k.z.p[2]);
            claim -= problem.offset(a) * k.z.p[0];
        } else {
            b.tail<2>().setZero();  // there x_T = 0
        }
        bracket += b.squaredNorm() / k.weight;
    }
    // |x . b| <= |x| |b| in the norms with the weights, in which x is of size sqrt(nc energy).
    const double size = std::sqrt(energy * problem.contacts());
    return claim > 0 && claim > kCertificate * size * std::sqrt(bracket);
}

// The iteration. measure(x, v, u) is the residual of the entry's own law, with u = H x + c - C'v.
// best_x and best_v hold the start and then the best point; their residual is `best`.
template <typename Measure>
Outcome iterate(const Problem& problem, double tolerance, int max_iterations,
                const Deadline& deadline, double& best, Measure&& measure, Workspace& ws) {
    Outcome outcome;
    if (best <= tolerance) {
        outcome.status = SolveStatus::kSolved;
        return outcome;
    }
    const double energy = energy_scale(problem);
    start(problem, energy, ws);
    ws.dg.setZero(problem.rows());
    analyse(problem, ws);
    const double size = problem.c.norm();
    int last_improvement = 0;
    for (;; ++outcome.iterations) {
        evaluate(problem, ws);
        const double residual = measure(ws.x, ws.v, ws.u);
        if (residual < best) {
            best = residual;
            ws.best_x = ws.x;
            ws.best_v = ws.v;
            last_improvement = outcome.iterations;
        }
        if (residual > tolerance && residual < kSnap * tolerance) {
            snap(problem, ws);
            const double snapped = measure(ws.trial, ws.v, ws.Hdx);
            if (snapped < best) {
                best = snapped;
                ws.best_x = ws.trial;
                ws.best_v = ws.v;
                last_improvement = outcome.iterations;
            }
        }
        if (best <= tolerance) {
            outcome.status = SolveStatus::kSolved;
            return outcome;
        }
        if (shows_infeasibility(problem, energy, ws)) {
            outcome.status = SolveStatus::kNoSolution;
            return outcome;
        }
        if (outcome.iterations > 0 && deadline.passed()) {
            outcome.status = SolveStatus::kBudget;
            return outcome;
        }
        if (outcome.iterations >= max_iterations ||
            outcome.iterations - last_improvement >= kPatience || !linearise(problem, ws)) {
            return outcome;
        }
        const double mean = mean_product(ws);
        centred_multipliers(problem, mean, ws);
        const double centred = measure(ws.x, ws.row_trial, ws.trial);
        ++outcome.factorisations;
        if (!factor(problem, ws)) return outcome;

        aim_for_the_boundary(ws);
        const double reach = std::min(1.0, solve_steps(problem, ws));
        const double ratio = std::max(0.0, mean_product_after(reach, ws) / mean);
        double sigma = std::clamp(ratio * ratio * ratio, kLeastSigma, 1.0);
        const bool is_feasible = ws.F.norm() < kFeasible * residual * size;
        if ((is_feasible && residual > kCentringRatio * centred) ||
            least_product(ws) < kOffCentre * mean) {
            sigma = 1;
        }
        const double share = reach * (1 - sigma) * (1 - sigma);
        aim_for_the_centre(problem, sigma * mean, share, ws);
        const double fraction = std::max(kFractionToBoundary, 1 - sigma);
        const double step = std::min(1.0, fraction * solve_steps(problem, ws));
        if (!std::isfinite(step)) return outcome;
        advance(problem, step, ws);
    }
}

// Both entries for cone problems. measure(r, u) is the residual of the law that is solved.
template <typename Measure>
void solve_cone_problem(const ConeProblem& problem, bool coulomb, const ConeSettings& settings,
                        const VecX& guess, Measure&& measure, Workspace& ws, ConeResult& result) {
    if (!is_valid(problem)) {
        reset(problem, result);
        result.status = SolveStatus::kNotFinite;
        return;
    }
    if (!problem.bounded.empty()) {
        reset(problem, result);
        result.status = SolveStatus::kIterationLimit;
        return;
    }
    ws.best_x.setZero(problem.q.size());
    ws.best_v.resize(0);
    double best = measure(ws.best_x, problem.q);
    if (guess.size() == problem.q.size() && guess.allFinite()) {
        multiply_add(problem.W, guess, problem.q, ws.u);
        const double residual = measure(guess, ws.u);
        if (residual < best) {
            best = residual;
            ws.best_x = guess;
        }
    }
    Problem view{problem.W, problem.q, problem.mu};
    view.coulomb = coulomb;
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMaxIterations;
    const Outcome outcome = iterate(
        view, settings.tolerance, limit, settings.deadline, best,
        [&](const VecX& x, const VecX&, const VecX& u) { return measure(x, u); }, ws);
    result.r = ws.best_x;
    multiply_add(problem.W, result.r, problem.q, result.u);
    result.status = outcome.status;
    result.iterations = outcome.iterations;
    result.factorisations = outcome.factorisations;
    result.residual = residual(problem, result.r, result.u);
}

}  // namespace

void solve_interior_point(const ConeQp& qp, const ConeQpSettings& settings, Workspace& workspace,
                          ConeQpResult& result) {
    Workspace& ws = workspace;
    result.iterations = result.factorisations = 0;
    ws.best_x.setZero(qp.c.size());
    ws.best_v.setZero(qp.d.size());
    if (!is_valid(qp)) {
        result.x = ws.best_x;
        result.y = ws.best_v;
        result.status = SolveStatus::kNotFinite;
        result.residual = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    result.residual = residual(qp, ws.best_x, ws.best_v, qp.c);
    const Problem view{qp.H, qp.c, qp.mu, &qp.s, &qp.C, &qp.d};
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMaxIterations;
    const Outcome outcome = iterate(
        view, settings.tolerance, limit, settings.deadline, result.residual,
        [&](const VecX& x, const VecX& v, const VecX& u) { return residual(qp, x, v, u); }, ws);
    result.x = ws.best_x;
    result.y = ws.best_v;
    result.status = outcome.status;
    result.iterations = outcome.iterations;
    result.factorisations = outcome.factorisations;
}

ConeResidual relaxed_residual(const ConeProblem& problem, const VecX& r, const VecX& u) {
    double natural = 0;
    double scaled = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const double mu = problem.mu[a];
        const double weight = problem.W.at_diagonal(a).trace() / 3;
        const Vec3 r_a = r.segment<3>(3 * a);
        const Vec3 u_a = u.segment<3>(3 * a);
        const Vec3 x = weight * r_a;
        natural += (r_a - project_on_cone(mu, 0, r_a - u_a)).squaredNorm();
        scaled += (x - project_on_cone(mu, 0, x - u_a)).squaredNorm();
    }
    const double size = problem.q.norm();
    return {std::sqrt(natural) / std::max(1.0, size),
            size > 0 ? std::sqrt(scaled) / size : std::sqrt(scaled)};
}

void solve_convex_relaxation(const ConeProblem& problem, const ConeSettings& settings,
                             const VecX& guess, Workspace& workspace, ConeResult& result) {
    solve_cone_problem(
        problem, false, settings, guess,
        [&](const VecX& r, const VecX& u) { return relaxed_residual(problem, r, u).worst(); },
        workspace, result);
}

void solve_interior_point(const ConeProblem& problem, const ConeSettings& settings,
                          const VecX& guess, Workspace& workspace, ConeResult& result) {
    solve_cone_problem(
        problem, true, settings, guess,
        [&](const VecX& r, const VecX& u) { return residual(problem, r, u).worst(); }, workspace,
        result);
}

}  // namespace stiction
