// anderson.cpp - least squares over a short history by its Gram matrix.
#include "solve/factor/anderson.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// At most a window long: on the stack.
using Short = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kAndersonWindow, 1>;

constexpr double kGrowth = 1.5;  // of |f| that drops the history: contacts have changed state
constexpr double kRegularisation = 1e-8;  // of the Gram matrix, times its trace: half of its digits

// Writes the newest differences over the oldest ones.
void learn(AndersonHistory& h, const VecX& before, const VecX& x, const VecX& y) {
    const int k = h.next;
    h.next = (k + 1) % kAndersonWindow;
    h.used = std::min(h.used + 1, kAndersonWindow);
    h.dF.col(k) = x - before - h.f;
    h.dG.col(k) = x - h.g;
    h.dY.col(k) = y - h.y;
    Short row(h.used);
    row.noalias() = h.dF.leftCols(h.used).transpose() * h.dF.col(k);
    h.along.head(h.used) += row;  // f changes by the newest column
    h.along[k] = h.dF.col(k).dot(h.f) + row[k];
    h.gram.row(k).head(h.used) = row.transpose();
    h.gram.col(k).head(h.used) = row;
}

}  // namespace

void start(AndersonHistory& history, Eigen::Index size, Eigen::Index followers) {
    history.dF.resize(size, kAndersonWindow);
    history.dG.resize(size, kAndersonWindow);
    history.dY.resize(followers, kAndersonWindow);
    forget(history);
}

void accelerate(AndersonHistory& h, const VecX& before, VecX& x, VecX& y) {
    const double norm = (x - before).norm();
    if (norm > kGrowth * h.norm) forget(h);
    h.norm = norm;
    const bool combine = h.begun;
    if (combine) learn(h, before, x, y);
    h.f = x - before;
    h.g = x;
    h.y = y;
    h.begun = true;
    if (!combine) return;
    const int n = h.used;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kAndersonWindow, kAndersonWindow>
        gram = h.gram.topLeftCorner(n, n);
    gram.diagonal().array() += kRegularisation * gram.trace();
    const Short gamma = gram.llt().solve(h.along.head(n));
    if (!gamma.allFinite()) return forget(h);
    x.noalias() -= h.dG.leftCols(n) * gamma;
    y.noalias() -= h.dY.leftCols(n) * gamma;
}

}  // namespace stiction
