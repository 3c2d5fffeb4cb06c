// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Vec.h"

namespace sofa::core {

/// Fixed-size dense matrix of R rows and C columns, row-major, value-initialised to zero.
template <std::size_t R, std::size_t C = R, class T = double>
struct Mat
{
    using value_type = T;
    static constexpr std::size_t rows() { return R; }
    static constexpr std::size_t cols() { return C; }

    std::array<Vec<C, T>, R> m{};

    constexpr Mat() = default;

    static constexpr Mat identity() requires(R == C)
    {
        Mat r;
        for (std::size_t i = 0; i < R; ++i) r.m[i][i] = T(1);
        return r;
    }
    static constexpr Mat diagonal(const Vec<R, T>& d) requires(R == C)
    {
        Mat r;
        for (std::size_t i = 0; i < R; ++i) r.m[i][i] = d[i];
        return r;
    }
    /// Matrix whose rows are the arguments.
    template <class... V>
    requires(sizeof...(V) == R && (std::is_same_v<V, Vec<C, T>> && ...)) static constexpr Mat fromRows(const V&... v)
    {
        Mat r;
        r.m = {v...};
        return r;
    }
    /// Matrix whose columns are the arguments.
    template <class... V>
    requires(sizeof...(V) == C && (std::is_same_v<V, Vec<R, T>> && ...)) static constexpr Mat fromColumns(const V&... v)
    {
        return Mat<C, R, T>::fromRows(v...).transposed();
    }

    constexpr Vec<C, T>& operator[](std::size_t i) { return m[i]; }
    constexpr const Vec<C, T>& operator[](std::size_t i) const { return m[i]; }
    constexpr T& operator()(std::size_t i, std::size_t j) { return m[i][j]; }
    constexpr const T& operator()(std::size_t i, std::size_t j) const { return m[i][j]; }
    constexpr T* data() { return m[0].data(); }
    constexpr const T* data() const { return m[0].data(); }

    constexpr Vec<R, T> column(std::size_t j) const
    {
        Vec<R, T> r;
        for (std::size_t i = 0; i < R; ++i) r[i] = m[i][j];
        return r;
    }
    constexpr void setColumn(std::size_t j, const Vec<R, T>& v)
    {
        for (std::size_t i = 0; i < R; ++i) m[i][j] = v[i];
    }
    constexpr Mat<C, R, T> transposed() const
    {
        Mat<C, R, T> r;
        for (std::size_t i = 0; i < R; ++i)
            for (std::size_t j = 0; j < C; ++j) r[j][i] = m[i][j];
        return r;
    }
    /// Sub-matrix of r × c entries whose first entry is (i, j).
    template <std::size_t r, std::size_t c>
    constexpr Mat<r, c, T> block(std::size_t i, std::size_t j) const
    {
        Mat<r, c, T> b;
        for (std::size_t k = 0; k < r; ++k)
            for (std::size_t l = 0; l < c; ++l) b[k][l] = m[i + k][j + l];
        return b;
    }
    template <std::size_t r, std::size_t c>
    constexpr void setBlock(std::size_t i, std::size_t j, const Mat<r, c, T>& b)
    {
        for (std::size_t k = 0; k < r; ++k)
            for (std::size_t l = 0; l < c; ++l) m[i + k][j + l] = b[k][l];
    }

    constexpr Mat& operator+=(const Mat& o)
    {
        for (std::size_t i = 0; i < R; ++i) m[i] += o.m[i];
        return *this;
    }
    constexpr Mat& operator-=(const Mat& o)
    {
        for (std::size_t i = 0; i < R; ++i) m[i] -= o.m[i];
        return *this;
    }
    constexpr Mat& operator*=(T s)
    {
        for (auto& r : m) r *= s;
        return *this;
    }
    friend constexpr Mat operator+(Mat a, const Mat& b) { return a += b; }
    friend constexpr Mat operator-(Mat a, const Mat& b) { return a -= b; }
    friend constexpr Mat operator-(Mat a) { return a *= T(-1); }
    friend constexpr Mat operator*(Mat a, T s) { return a *= s; }
    friend constexpr Mat operator*(T s, Mat a) { return a *= s; }
    friend constexpr bool operator==(const Mat& a, const Mat& b) { return a.m == b.m; }

    friend constexpr Vec<R, T> operator*(const Mat& a, const Vec<C, T>& v)
    {
        Vec<R, T> r;
        for (std::size_t i = 0; i < R; ++i) r[i] = dot(a.m[i], v);
        return r;
    }
};

template <std::size_t R, std::size_t K, std::size_t C, class T>
constexpr Mat<R, C, T> operator*(const Mat<R, K, T>& a, const Mat<K, C, T>& b)
{
    Mat<R, C, T> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t k = 0; k < K; ++k)
            for (std::size_t j = 0; j < C; ++j) r[i][j] += a[i][k] * b[k][j];
    return r;
}

/// Aᵀ v without forming the transpose.
template <std::size_t R, std::size_t C, class T>
constexpr Vec<C, T> transposeTimes(const Mat<R, C, T>& a, const Vec<R, T>& v)
{
    Vec<C, T> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) r[j] += a[i][j] * v[i];
    return r;
}

/// Dyadic product a bᵀ.
template <std::size_t R, std::size_t C, class T>
constexpr Mat<R, C, T> outer(const Vec<R, T>& a, const Vec<C, T>& b)
{
    Mat<R, C, T> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) r[i][j] = a[i] * b[j];
    return r;
}

/// Skew-symmetric matrix [a]× with [a]× b = a × b.
template <class T>
constexpr Mat<3, 3, T> crossMatrix(const Vec<3, T>& a)
{
    Mat<3, 3, T> r;
    r[0] = {T(0), -a[2], a[1]};
    r[1] = {a[2], T(0), -a[0]};
    r[2] = {-a[1], a[0], T(0)};
    return r;
}

template <std::size_t N, class T>
constexpr T trace(const Mat<N, N, T>& a)
{
    T s = a[0][0];
    for (std::size_t i = 1; i < N; ++i) s += a[i][i];
    return s;
}

template <class T>
constexpr T determinant(const Mat<1, 1, T>& a)
{
    return a[0][0];
}
template <class T>
constexpr T determinant(const Mat<2, 2, T>& a)
{
    return a[0][0] * a[1][1] - a[0][1] * a[1][0];
}
template <class T>
constexpr T determinant(const Mat<3, 3, T>& a)
{
    return dot(a[0], cross(a[1], a[2]));
}

/// Inverse by cofactors. The caller guarantees det ≠ 0; the result is not finite otherwise.
template <class T>
constexpr Mat<2, 2, T> inverse(const Mat<2, 2, T>& a)
{
    const T d = T(1) / determinant(a);
    Mat<2, 2, T> r;
    r[0] = {a[1][1] * d, -a[0][1] * d};
    r[1] = {-a[1][0] * d, a[0][0] * d};
    return r;
}
template <class T>
constexpr Mat<3, 3, T> inverse(const Mat<3, 3, T>& a)
{
    const T d = T(1) / determinant(a);
    // Rows of adj(A)ᵀ are cross products of the rows of A.
    return Mat<3, 3, T>::fromColumns(cross(a[1], a[2]) * d, cross(a[2], a[0]) * d, cross(a[0], a[1]) * d);
}

template <std::size_t R, std::size_t C, class T>
T norm(const Mat<R, C, T>& a)
{
    using std::sqrt;
    T s = T(0);
    for (std::size_t i = 0; i < R; ++i) s += norm2(a[i]);
    return sqrt(s);
}

using Mat2 = Mat<2, 2>;
using Mat3 = Mat<3, 3>;
using Mat6 = Mat<6, 6>;

}  // namespace sofa::core
