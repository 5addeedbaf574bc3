// lanes.h - vectors of 2, 4 or 8 doubles for the kernels of a sweep: GCC's vector extensions, and
// the few operations that these lack. Only for the sources that are compiled for one instruction
// set each: everything has internal linkage, so that no other code can end up with theirs.
#pragma once

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace stiction {
namespace {

template <int W>
struct Lanes {
    typedef double Real __attribute__((vector_size(8 * W), may_alias));
    typedef long long Mask __attribute__((vector_size(8 * W), may_alias));
};
template <int W>
using Real = typename Lanes<W>::Real;
template <int W>
using Mask = typename Lanes<W>::Mask;

// Entry `lane` on of an aligned array.
template <int W>
inline Real<W> load(const double* x) {
    return *reinterpret_cast<const Real<W>*>(x);
}
template <int W>
inline void store(const Real<W>& from, double* x) {
    *reinterpret_cast<Real<W>*>(x) = from;
}

template <int W>
inline Real<W> all(double x) {
    return x - Real<W>{};
}

#ifdef __x86_64__
inline Real<2> root(const Real<2>& x) { return _mm_sqrt_pd(x); }
inline bool any(const Mask<2>& m) { return _mm_movemask_pd(reinterpret_cast<__m128d>(m)) != 0; }
#ifdef __AVX2__
inline Real<4> root(const Real<4>& x) { return _mm256_sqrt_pd(x); }
inline bool any(const Mask<4>& m) { return _mm256_movemask_pd(reinterpret_cast<__m256d>(m)) != 0; }
#endif
#ifdef __AVX512F__
// The plain form hands on a register that is not set, which GCC 12 warns of.
inline Real<8> root(const Real<8>& x) { return _mm512_maskz_sqrt_pd(0xff, x); }
inline bool any(const Mask<8>& m) {
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(m), reinterpret_cast<__m512i>(m)) != 0;
}
#endif
#else
inline Real<2> root(const Real<2>& x) {
    return Real<2>{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
}
inline bool any(const Mask<2>& m) { return (m[0] | m[1]) != 0; }
#endif

// Rows of 8 doubles, one per lane, to vectors across the lanes, and back.
#ifdef __AVX2__
inline void turn(const Real<4> (&x)[4], Real<4>* y) {
    const Real<4> t0 = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
    const Real<4> t1 = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    const Real<4> t2 = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
    const Real<4> t3 = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
    y[0] = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
    y[1] = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    y[2] = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
    y[3] = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
}
#endif
#ifdef __AVX512F__
// Each half by itself.
inline void turn(const Real<8> (&x)[4], Real<8>* y) {
    const Real<8> t0 = __builtin_shufflevector(x[0], x[1], 0, 8, 2, 10, 4, 12, 6, 14);
    const Real<8> t1 = __builtin_shufflevector(x[0], x[1], 1, 9, 3, 11, 5, 13, 7, 15);
    const Real<8> t2 = __builtin_shufflevector(x[2], x[3], 0, 8, 2, 10, 4, 12, 6, 14);
    const Real<8> t3 = __builtin_shufflevector(x[2], x[3], 1, 9, 3, 11, 5, 13, 7, 15);
    y[0] = __builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13);
    y[1] = __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13);
    y[2] = __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15);
    y[3] = __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15);
}

#endif

inline void load_rows(const double* rows, const int* row, Real<2>* out) {
    const double* const x = rows + 8L * row[0];
    const double* const y = rows + 8L * row[1];
    for (int k = 0; k < 8; k += 2) {
        const Real<2> a = load<2>(x + k), b = load<2>(y + k);
        out[k] = __builtin_shufflevector(a, b, 0, 2);
        out[k + 1] = __builtin_shufflevector(a, b, 1, 3);
    }
}
#ifdef __AVX2__
inline void load_rows(const double* rows, const int* row, Real<4>* out) {
    for (int k = 0; k < 8; k += 4) {
        Real<4> x[4];
        for (int i = 0; i < 4; ++i) x[i] = load<4>(rows + 8L * row[i] + k);
        turn(x, out + k);
    }
}
#endif
#ifdef __AVX512F__
inline void load_rows(const double* rows, const int* row, Real<8>* out) {
    for (int k = 0; k < 8; k += 4) {
        Real<8> x[4];
        for (int i = 0; i < 4; ++i) {
            const Real<4> low = load<4>(rows + 8L * row[i] + k);
            const Real<4> high = load<4>(rows + 8L * row[i + 4] + k);
            x[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
        }
        turn(x, out + k);
    }
}

#endif

// But the row `kept`, which may stand in several lanes.
inline void store_rows(const Real<2>* in, const int* row, int kept, double* rows) {
    for (int lane = 0; lane < 2; ++lane) {
        if (row[lane] == kept) continue;
        double* const x = rows + 8L * row[lane];
        for (int k = 0; k < 8; k += 2)
            store<2>(lane == 0 ? __builtin_shufflevector(in[k], in[k + 1], 0, 2)
                               : __builtin_shufflevector(in[k], in[k + 1], 1, 3),
                     x + k);
    }
}
#ifdef __AVX2__
inline void store_rows(const Real<4>* in, const int* row, int kept, double* rows) {
    Real<4> x[2][4];
    for (int k = 0; k < 2; ++k) {
        const Real<4> half[4] = {in[4 * k], in[4 * k + 1], in[4 * k + 2], in[4 * k + 3]};
        turn(half, x[k]);
    }
    for (int i = 0; i < 4; ++i) {
        if (row[i] == kept) continue;
        store<4>(x[0][i], rows + 8L * row[i]);
        store<4>(x[1][i], rows + 8L * row[i] + 4);
    }
}
#endif
#ifdef __AVX512F__
inline void store_rows(const Real<8>* in, const int* row, int kept, double* rows) {
    Real<8> x[2][4];
    for (int k = 0; k < 2; ++k) {
        const Real<8> half[4] = {in[4 * k], in[4 * k + 1], in[4 * k + 2], in[4 * k + 3]};
        turn(half, x[k]);
    }
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (row[i] != kept)
                store<4>(__builtin_shufflevector(x[k][i], x[k][i], 0, 1, 2, 3),
                         rows + 8L * row[i] + 4 * k);
            if (row[i + 4] != kept)
                store<4>(__builtin_shufflevector(x[k][i], x[k][i], 4, 5, 6, 7),
                         rows + 8L * row[i + 4] + 4 * k);
        }
    }
}
#endif

}  // namespace
}  // namespace stiction
