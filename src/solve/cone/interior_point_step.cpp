// interior_point_step.cpp - linearisation, targets and steps of the interior-point method.
#include <algorithm>
#include <cmath>

#include "solve/cone/interior_point_workspace.h"

namespace stiction::interior_point {

namespace {

double longest_step(double value, double d) { return d < 0 ? -value / d : kFarStep; }

// Hdx = H dx - C'dv, dg = C dx.
void multiply_step(const Problem& problem, Workspace& ws) {
    ws.zero.setZero(3 * problem.contacts());
    multiply_add(problem.H, ws.dx, ws.zero, ws.Hdx);
    if (problem.rows() == 0) return;
    ws.Hdx.noalias() -= problem.C->transpose() * ws.dv;
    ws.dg.noalias() = *problem.C * ws.dx;
}

// Right-hand side less the matrix times (dx, -dv), into full.
void linear_residual(const Problem& problem, Workspace& ws) {
    const int m = problem.rows();
    multiply_step(problem, ws);
    if (m > 0) {
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
    k.dz = k.zeta - k.scaling.P * k.dy;
    const bool is_stiff = k.scaling.P.norm() > k.weight;
    if (is_stiff) k.dz.tail<2>() = f.tail<2>();
    const double rest = f[0] + k.slope.dot(k.dz);
    if (normal_stiffness > k.weight) {
        k.dn = rest - mu * k.dz[0];
    } else if (is_stiff && mu > 0) {
        k.dz[0] = (rest - k.dn) / mu;
    }
}

}  // namespace

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

bool linearise(const Problem& problem, Workspace& ws) {
    for (int a = 0; a < problem.contacts(); ++a) {
        Contact& k = ws.contact[at(a)];
        const double mu = problem.mu[a];
        k.D.setZero();
        k.slope.setZero();
        if (k.has_cone) {
            if (!nesterov_todd(k.y, k.z, k.scaling)) return false;
            const double t = tangential_norm(k.z.p);
            if (problem.coulomb && t > 0) k.slope.tail<2>() = mu * k.z.p.tail<2>() / t;
            k.D = k.scaling.P;
            k.D.row(0) = mu * k.scaling.P.row(0) - k.slope.transpose() * k.scaling.P;
            k.D.col(0) *= mu;
        }
        if (k.has_normal) k.D(0, 0) += k.normal / k.x_N;
    }
    return true;
}

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
    multiply_step(problem, ws);
    double step = kFarStep;
    if (m > 0) {
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
    double least = ws.g.size() > 0 ? ws.g.cwiseProduct(ws.v).minCoeff() : kFarStep;
    for (const Contact& k : ws.contact) {
        if (k.has_cone) least = std::min(least, std::sqrt(determinant(k.y) * determinant(k.z)));
        if (k.has_normal) least = std::min(least, k.normal * k.x_N);
    }
    return least;
}

void aim_for_the_boundary(Workspace& ws) {
    for (Contact& k : ws.contact) {
        k.zeta = -k.z.p;
        k.zeta_n = -k.normal;
        k.curvature = 0;
    }
    ws.zeta_v = -ws.v;
}

void aim_for_the_centre(const Problem& problem, double target, double share, Workspace& ws) {
    for (int a = 0; a < problem.contacts(); ++a) {
        Contact& k = ws.contact[at(a)];
        if (k.has_normal) {
            k.zeta_n = (target - share * ws.dx[3 * a] * k.dn) / k.x_N - k.normal;
        }
        if (!k.has_cone) continue;
        const Vec3 second = jordan_product(k.scaling.S_inverse * k.dy, k.scaling.S * k.dz);
        k.zeta = target * inverse(k.y) - k.z.p -
                 share * (k.scaling.S_inverse * jordan_divide(k.scaling.lambda, second));
        if (problem.coulomb) {
            const double linear = k.slope.dot(k.dz);
            const double change =
                problem.mu[a] * (tangential_norm(k.z.p + k.dz) - tangential_norm(k.z.p));
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

}  // namespace stiction::interior_point
