// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace sofa::core {

/// Fixed-size column vector of N scalars, stored contiguously and without padding.
/// Value-initialised to zero. Arithmetic is component-wise; `dot`, `cross` and `norm` are free functions.
template <std::size_t N, class T = double>
struct Vec
{
    using value_type = T;
    static constexpr std::size_t size() { return N; }

    std::array<T, N> m{};

    constexpr Vec() = default;

    /// N components, exactly.
    template <class... A>
    requires(sizeof...(A) == N && (std::is_convertible_v<A, T> && ...) && N > 1) constexpr Vec(A... a)
        : m{static_cast<T>(a)...}
    {
    }
    constexpr explicit Vec(T a) requires(N == 1) : m{a} {}
    template <class U>
    constexpr explicit Vec(const Vec<N, U>& o)
    {
        for (std::size_t i = 0; i < N; ++i) m[i] = static_cast<T>(o[i]);
    }

    /// Every component equal to `a`.
    static constexpr Vec filled(T a)
    {
        Vec r;
        r.m.fill(a);
        return r;
    }
    /// Unit vector along axis `i`.
    static constexpr Vec unit(std::size_t i)
    {
        Vec r;
        r.m[i] = T(1);
        return r;
    }

    constexpr T& operator[](std::size_t i) { return m[i]; }
    constexpr const T& operator[](std::size_t i) const { return m[i]; }
    constexpr T* data() { return m.data(); }
    constexpr const T* data() const { return m.data(); }
    constexpr auto begin() { return m.begin(); }
    constexpr auto end() { return m.end(); }
    constexpr auto begin() const { return m.begin(); }
    constexpr auto end() const { return m.end(); }

    constexpr T x() const { return m[0]; }
    constexpr T y() const requires(N > 1) { return m[1]; }
    constexpr T z() const requires(N > 2) { return m[2]; }

    constexpr Vec& operator+=(const Vec& o)
    {
        for (std::size_t i = 0; i < N; ++i) m[i] += o.m[i];
        return *this;
    }
    constexpr Vec& operator-=(const Vec& o)
    {
        for (std::size_t i = 0; i < N; ++i) m[i] -= o.m[i];
        return *this;
    }
    constexpr Vec& operator*=(T s)
    {
        for (auto& a : m) a *= s;
        return *this;
    }
    constexpr Vec& operator/=(T s)
    {
        for (auto& a : m) a /= s;
        return *this;
    }
    friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
    friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
    friend constexpr Vec operator-(Vec a)
    {
        for (auto& c : a.m) c = -c;
        return a;
    }
    friend constexpr Vec operator*(Vec a, T s) { return a *= s; }
    friend constexpr Vec operator*(T s, Vec a) { return a *= s; }
    friend constexpr Vec operator/(Vec a, T s) { return a /= s; }
    friend constexpr bool operator==(const Vec& a, const Vec& b) { return a.m == b.m; }
    friend constexpr auto operator<=>(const Vec& a, const Vec& b) { return a.m <=> b.m; }
};

template <std::size_t N, class T>
constexpr T dot(const Vec<N, T>& a, const Vec<N, T>& b)
{
    T s = a[0] * b[0];
    for (std::size_t i = 1; i < N; ++i) s += a[i] * b[i];
    return s;
}

template <class T>
constexpr Vec<3, T> cross(const Vec<3, T>& a, const Vec<3, T>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// z component of the cross product of two plane vectors.
template <class T>
constexpr T cross(const Vec<2, T>& a, const Vec<2, T>& b)
{
    return a[0] * b[1] - a[1] * b[0];
}

template <std::size_t N, class T>
constexpr T norm2(const Vec<N, T>& a)
{
    return dot(a, a);
}

template <std::size_t N, class T>
T norm(const Vec<N, T>& a)
{
    using std::sqrt;
    return sqrt(dot(a, a));
}

/// `a` scaled to unit length; `fallback` where its length is not above `epsilon`.
template <std::size_t N, class T>
Vec<N, T> normalized(const Vec<N, T>& a, const Vec<N, T>& fallback = {}, T epsilon = T(0))
{
    const T n = norm(a);
    return n > epsilon ? a / n : fallback;
}

template <std::size_t N, class T>
bool isFinite(const Vec<N, T>& a)
{
    for (auto c : a)
        if (!std::isfinite(c)) return false;
    return true;
}

using Vec1 = Vec<1>;
using Vec2 = Vec<2>;
using Vec3 = Vec<3>;
using Vec4 = Vec<4>;
using Vec6 = Vec<6>;

}  // namespace sofa::core
