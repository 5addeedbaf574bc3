// block_krylov.cpp - Eisenstat's product, conjugate gradients, BiCGSTAB.
#include "solve/factor/block_krylov.h"

#include <cmath>

namespace stiction {

namespace {

constexpr int kMaxProducts = 400;  // what takes longer is too stiff a problem to be of use
constexpr int kCheckEvery = 8;     // products: a check costs as much as one

}  // namespace

template <int kSize>
void BlockKrylov<kSize>::analyse(std::span<const int> start, std::span<const int> column) {
    start_.assign(start.begin(), start.end());
    column_.assign(column.begin(), column.end());
    value_.resize(column.size());
}

template <int kSize>
void BlockKrylov<kSize>::clear() {
    for (Block& block : value_) block.setZero();
}

// left D right = I, with left = right' where A is symmetric.
template <int kSize>
void BlockKrylov<kSize>::scale(bool symmetric, int i, const Block& D) {
    Block& left = left_[at(i)];
    if (symmetric) {
        const Eigen::LLT<Block> cholesky(D);
        back_[at(i)] = cholesky.matrixL();
        left = Block::Identity();
        cholesky.matrixL().solveInPlace(left);
        right_[at(i)] = left.transpose();
    } else {
        left = Eigen::PartialPivLU<Block>(D).inverse();
        right_[at(i)].setIdentity();
        back_[at(i)] = D;
    }
}

template <int kSize>
bool BlockKrylov<kSize>::prepare(bool symmetric) {
    const int n = nodes();
    symmetric_ = symmetric;
    for (auto* blocks : {&left_, &right_, &back_}) blocks->resize(at(n));
    for (int i = 0; i < n; ++i) {
        for (int k = start_[at(i)]; k < start_[at(i) + 1]; ++k) {
            if (column_[at(k)] == i) scale(symmetric, i, value_[at(k)]);
        }
        if (!std::isfinite(left_[at(i)].sum())) return false;
    }
    for (Triangle* triangle : {&lower_, &upper_}) {
        triangle->start.assign(1, 0);
        triangle->column.clear();
        triangle->block.clear();
    }
    for (int i = 0; i < n; ++i) {
        for (int k = start_[at(i)]; k < start_[at(i) + 1]; ++k) {
            const int j = column_[at(k)];
            if (j == i || value_[at(k)].isZero(0.0)) continue;
            Triangle& triangle = j < i ? lower_ : upper_;
            triangle.column.push_back(j);
            const Block half = left_[at(i)] * value_[at(k)];
            triangle.block.emplace_back(symmetric ? Block(half * right_[at(j)]) : half);
        }
        lower_.start.push_back(static_cast<int>(lower_.column.size()));
        upper_.start.push_back(static_cast<int>(upper_.column.size()));
    }
    return true;
}

// t = (I + U)^-1 z
template <int kSize>
void BlockKrylov<kSize>::solve_upper(const VecX& z, VecX& t) const {
    using Part = Eigen::Matrix<double, kSize, 1>;
    for (int i = nodes() - 1; i >= 0; --i) {
        Part part = z.segment<kSize>(kSize * i);
        for (int k = upper_.start[at(i)]; k < upper_.start[at(i) + 1]; ++k)
            part.noalias() -= upper_.block[at(k)] * t.segment<kSize>(kSize * upper_.column[at(k)]);
        t.segment<kSize>(kSize * i) = part;
    }
}

// z <- (I + L)^-1 z
template <int kSize>
void BlockKrylov<kSize>::solve_lower(VecX& z) const {
    using Part = Eigen::Matrix<double, kSize, 1>;
    for (int i = 0; i < nodes(); ++i) {
        Part part = z.segment<kSize>(kSize * i);
        for (int k = lower_.start[at(i)]; k < lower_.start[at(i) + 1]; ++k)
            part.noalias() -= lower_.block[at(k)] * z.segment<kSize>(kSize * lower_.column[at(k)]);
        z.segment<kSize>(kSize * i) = part;
    }
}

template <int kSize>
void BlockKrylov<kSize>::multiply(const VecX& z, VecX& product) {
    solve_upper(z, t_);
    product = z - t_;
    solve_lower(product);
    product += t_;
}

template <int kSize>
bool BlockKrylov<kSize>::settled(const VecX& metric, double accuracy) {
    using Part = Eigen::Matrix<double, kSize, 1>;
    solve_upper(y_, x_);
    double rest = 0;
    double size = 0;
    for (int i = 0; i < nodes(); ++i) {
        Part part = r_.segment<kSize>(kSize * i);
        for (int k = lower_.start[at(i)]; k < lower_.start[at(i) + 1]; ++k)
            part.noalias() += lower_.block[at(k)] * r_.segment<kSize>(kSize * lower_.column[at(k)]);
        const auto m = metric.segment<kSize>(kSize * i).array();
        const Part left = back_[at(i)] * part;
        rest += (left.array().square() / m).sum();
        const Part x = right_[at(i)] * x_.segment<kSize>(kSize * i);
        x_.segment<kSize>(kSize * i) = x;
        size += (x.array().square() * m).sum();
    }
    return rest <= accuracy * accuracy * size;
}

template <int kSize>
int BlockKrylov<kSize>::iterate_symmetric(const VecX& metric, double accuracy) {
    double rr = r_.squaredNorm();
    p_ = r_;
    for (int k = 1; k <= kMaxProducts && rr > 0; ++k) {
        multiply(p_, q_);
        const double a = rr / p_.dot(q_);
        y_ += a * p_;
        r_ -= a * q_;
        const double next = r_.squaredNorm();
        if (k % kCheckEvery == 0 && settled(metric, accuracy)) return k;
        p_ = r_ + (next / rr) * p_;
        rr = next;
    }
    (void)settled(metric, accuracy);
    return kMaxProducts;
}

template <int kSize>
int BlockKrylov<kSize>::iterate_general(const VecX& metric, double accuracy) {
    shadow_ = r_;
    p_ = r_;
    double rho = r_.squaredNorm();
    for (int k = 2; k <= kMaxProducts && rho != 0; k += 2) {
        multiply(p_, q_);
        const double a = rho / shadow_.dot(q_);
        s_ = r_ - a * q_;
        multiply(s_, w_);
        const double ww = w_.squaredNorm();
        const double omega = ww > 0 ? w_.dot(s_) / ww : 0.0;
        y_ += a * p_ + omega * s_;
        r_ = s_ - omega * w_;
        const double next = shadow_.dot(r_);
        if (k % kCheckEvery == 0 && settled(metric, accuracy)) return k;
        if (omega == 0) break;
        p_ = r_ + (next / rho * a / omega) * (p_ - omega * q_);
        rho = next;
    }
    (void)settled(metric, accuracy);
    return kMaxProducts;
}

template <int kSize>
int BlockKrylov<kSize>::solve(const VecX& metric, double accuracy, VecX& x) {
    r_.resize(x.size());
    t_.resize(x.size());
    x_.resize(x.size());
    for (int i = 0; i < nodes(); ++i) {
        const auto part = x.segment<kSize>(kSize * i);
        r_.segment<kSize>(kSize * i).noalias() = left_[at(i)] * part;
    }
    solve_lower(r_);
    y_.setZero(x.size());
    const int products =
        symmetric_ ? iterate_symmetric(metric, accuracy) : iterate_general(metric, accuracy);
    x = x_;
    return products;
}

template class BlockKrylov<6>;
template class BlockKrylov<12>;

}  // namespace stiction
