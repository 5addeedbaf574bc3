// contact_quality.cpp - one pass for the sizes that thresholds refer to, one for the measures.
#include "metrics/contact_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/cone_problem.h"

namespace stiction {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double positive_part(double x) { return x < 0 ? 0.0 : x; }  // keeps NaN
void raise(double& largest, double x) {                     // keeps NaN
    if (!(x <= largest) && !std::isnan(largest)) largest = x;
}

struct Contact {
    Vec3 r, u;
    double r_T, u_T;  // lengths
};

Contact contact(const QualityInput& in, std::size_t a) {
    Contact c;
    c.r = {in.r[3 * a], in.r[3 * a + 1], in.r[3 * a + 2]};
    c.u = {in.u[3 * a], in.u[3 * a + 1], in.u[3 * a + 2]};
    c.r_T = c.r.tail<2>().norm();
    c.u_T = c.u.tail<2>().norm();
    return c;
}

struct Sizes {
    double r_N = 0;     // largest normal impulse
    double r = 0;       // largest |r_a|
    double u = 0;       // largest |u_i|, |q_i|
    double q_norm = 0;  // |q|
};

Sizes sizes(const QualityInput& in) {
    Sizes s;
    for (std::size_t a = 0; a < in.mu.size(); ++a) {
        const Contact c = contact(in, a);
        raise(s.r_N, c.r[0]);
        raise(s.r, c.r.norm());
        raise(s.u, c.u.cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
    }
    double sum = 0;
    for (const double q : in.q) {
        raise(s.u, std::abs(q));
        sum += q * q;
    }
    s.q_norm = std::sqrt(sum);
    return s;
}

ContactErrors errors(const QualityInput& in, const QualityThresholds& thresholds, const Sizes& size,
                     std::size_t a, const Contact& c) {
    const double mu = in.mu[a];
    ContactErrors e;
    e.rests = c.r[0] > 0 && c.r[0] > thresholds.rest * size.r_N;
    e.slides = e.rests && c.u_T > thresholds.slide;
    if (!in.phi.empty()) {
        const double bias = in.bias.empty() ? 0.0 : in.bias[a];
        const double after = in.phi[a] + in.h * (c.u[0] - bias);
        e.penetration = positive_part(-after);
        e.gap = std::abs(after);
    }
    const double power = c.r.tail<2>().dot(c.u.tail<2>());
    if (e.slides && c.r_T != 0) e.alignment = std::abs(power / (c.r_T * c.u_T) + 1);
    if (e.rests && !e.slides) e.creep = c.u_T;
    e.cone = positive_part(c.r_T - mu * c.r[0]);
    e.anomalous = positive_part(power);
    const Vec3 uhat(c.u[0] + mu * c.u_T, c.u[1], c.u[2]);
    e.natural = (c.r - project_on_cone(mu, c.r - uhat)).norm();
    const Vec3 x = in.weight[a] * c.r;
    e.scaled = (x - project_on_cone(mu, x - uhat)).norm();
    return e;
}

// Folds one measure of all contacts into its norm.
ErrorNorm fold(const std::vector<ContactErrors>& each, double ContactErrors::*measure) {
    ErrorNorm result;
    double sum = 0;
    for (std::size_t a = 0; a < each.size(); ++a) {
        const double x = each[a].*measure;
        sum += x * x;
        if (!(x <= result.worst) && !std::isnan(result.worst)) {
            result.worst = x;
            result.contact = static_cast<int>(a);
        }
    }
    result.norm = std::sqrt(sum);
    return result;
}

void divide(ErrorNorm& error, double size) {
    error.norm /= size;
    error.worst /= size;
}

}  // namespace

void measure_quality(const QualityInput& in, const QualityThresholds& thresholds,
                     ContactQuality& quality) {
    const std::size_t nc = in.mu.size();
    const Sizes size = sizes(in);
    quality.thresholds = thresholds;
    quality.knows_gaps = !in.phi.empty();
    quality.contacts = static_cast<int>(nc);
    quality.resting = quality.sliding = quality.misaligned = 0;
    quality.min_normal_velocity = nc == 0 ? 0.0 : in.u[0];
    quality.relative_cone = quality.misalignment = 0;
    quality.each.resize(nc);
    for (std::size_t a = 0; a < nc; ++a) {
        const Contact c = contact(in, a);
        const ContactErrors& e = quality.each[a] = errors(in, thresholds, size, a, c);
        quality.resting += e.rests ? 1 : 0;
        quality.sliding += e.slides ? 1 : 0;
        quality.misaligned += e.slides && e.anomalous > 0 ? 1 : 0;
        const double least = quality.min_normal_velocity;
        if (!(c.u[0] >= least) && !std::isnan(least)) quality.min_normal_velocity = c.u[0];
        const double mu = in.mu[a];
        if (size.r != 0) {
            raise(quality.relative_cone, (c.r_T - mu * c.r[0]) / size.r);
            raise(quality.relative_cone, -c.r[0] / size.r);
        }
        if (mu > 0 && c.u_T > thresholds.significant * size.u &&
            c.r[0] > thresholds.significant * size.r) {
            const Eigen::Vector2d wrong = c.r.tail<2>() + (mu * c.r[0] / c.u_T) * c.u.tail<2>();
            raise(quality.misalignment, wrong.norm() / (mu * c.r[0]));
        }
    }
    if (!std::isfinite(size.r + size.u)) quality.misalignment = kNan;
    quality.penetration = fold(quality.each, &ContactErrors::penetration);
    quality.gap = fold(quality.each, &ContactErrors::gap);
    quality.alignment = fold(quality.each, &ContactErrors::alignment);
    quality.creep = fold(quality.each, &ContactErrors::creep);
    quality.cone = fold(quality.each, &ContactErrors::cone);
    quality.anomalous = fold(quality.each, &ContactErrors::anomalous);
    quality.natural = fold(quality.each, &ContactErrors::natural);
    quality.scaled = fold(quality.each, &ContactErrors::scaled);
    divide(quality.natural, std::max(1.0, size.q_norm));
    if (size.q_norm > 0) divide(quality.scaled, size.q_norm);
}

void measure_quality(const ConeProblem& problem, const ConeResult& result,
                     const QualityThresholds& thresholds, VecX& weight, ContactQuality& quality) {
    const int nc = problem.contacts();
    weight.resize(nc);
    for (int a = 0; a < nc; ++a) weight[a] = problem.W.at_diagonal(a).trace() / 3;
    QualityInput input;
    input.mu = view(problem.mu);
    input.r = view(result.r);
    input.u = view(result.u);
    input.q = view(problem.q);
    input.weight = view(weight);
    measure_quality(input, thresholds, quality);
}

}  // namespace stiction
