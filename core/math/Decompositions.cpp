// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/Decompositions.h"

#include <algorithm>
#include <limits>

namespace sofa::core {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <std::size_t N>
double maxAbs(const Mat<N>& a)
{
    double m = 0.;
    for (const auto& row : a.m)
        for (const double v : row) m = std::max(m, std::abs(v));
    return m;
}

/// Power of two by which entries of magnitude up to `m` are multiplied so that squares and their products neither
/// overflow nor lose digits by underflow. One for ordinary magnitudes; exact, so results do not depend on it.
double safeScale(double m)
{
    constexpr double small = 1e-60, large = 1e60;
    if (m == 0. || !std::isfinite(m) || (m > small && m < large)) return 1.;
    return std::ldexp(1., std::clamp(-std::ilogb(m), -1022, 1022));
}

/// Rotation (c, s) with  c² + s² = 1  that maps (a, b) to (r, 0): r = c a + s b ≥ 0.
struct Givens
{
    double c = 1., s = 0.;
    Givens(double a, double b)
    {
        const double r = std::hypot(a, b);
        if (r > 0.) {
            c = a / r;
            s = b / r;
        }
    }
};

/// Angle that diagonalises the symmetric matrix with diagonal (app, aqq) and off-diagonal apq: t = tan θ, the smaller
/// root of t² + 2 ζ t − 1 = 0 with ζ = (aqq − app) / (2 apq) (Golub, Van Loan, "Matrix Computations", section 8.5.2).
struct JacobiRotation
{
    double c, s, t;
    JacobiRotation(double app, double aqq, double apq)
    {
        const double zeta = (aqq - app) / (2. * apq);
        t = (zeta >= 0. ? 1. : -1.) / (std::abs(zeta) + std::sqrt(1. + zeta * zeta));
        c = 1. / std::sqrt(1. + t * t);
        s = c * t;
    }
};

/// Columns p and q of the matrix become c p − s q and s p + c q.
template <std::size_t N>
void rotateColumns(Mat<N>& a, std::size_t p, std::size_t q, double c, double s)
{
    for (std::size_t i = 0; i < N; ++i) {
        const double ap = a[i][p], aq = a[i][q];
        a[i][p] = c * ap - s * aq;
        a[i][q] = s * ap + c * aq;
    }
}

/// Exchanges columns p and q and negates one of them: a rotation by a right angle.
template <std::size_t N>
void turnColumns(Mat<N>& a, std::size_t p, std::size_t q)
{
    for (std::size_t i = 0; i < N; ++i) {
        const double t = a[i][p];
        a[i][p] = a[i][q];
        a[i][q] = -t;
    }
}

template <std::size_t N>
Mat<N> timesDiagonalTimesTranspose(const Mat<N>& v, const Vec<N>& d, const Mat<N>& w)
{
    Mat<N> r;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            double sum = 0.;
            for (std::size_t k = 0; k < N; ++k) sum += v[i][k] * d[k] * w[j][k];
            r[i][j] = sum;
        }
    return r;
}

/// V diag(d) Vᵀ, exactly symmetric.
template <std::size_t N>
Mat<N> symmetricFromEigen(const Mat<N>& v, const Vec<N>& d)
{
    Mat<N> r = timesDiagonalTimesTranspose(v, d, v);
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < i; ++j) r[i][j] = r[j][i];
    return r;
}

template <std::size_t N>
Polar<N> polarFromSvd(const Svd<N>& d)
{
    Polar<N> p;
    p.r = d.u * d.v.transposed();
    p.s = symmetricFromEigen(d.v, d.s);
    return p;
}

template <std::size_t N>
Polar<N> orthogonalFromSvd(Svd<N> d)
{
    if (d.s[N - 1] < 0.) {
        d.s[N - 1] = -d.s[N - 1];
        for (std::size_t i = 0; i < N; ++i) d.u[i][N - 1] = -d.u[i][N - 1];
    }
    return polarFromSvd(d);
}

template <std::size_t N>
Mat<N> rotationDerivative(const Svd<N>& d, const Mat<N>& dF)
{
    const Mat<N> m = d.u.transposed() * dF * d.v;
    Mat<N> omega;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = i + 1; j < N; ++j) {
            const double sum = d.s[i] + d.s[j];
            if (std::abs(sum) <= 1e-14 * d.s[0]) continue;
            omega[i][j] = (m[i][j] - m[j][i]) / sum;
            omega[j][i] = -omega[i][j];
        }
    return d.u * omega * d.v.transposed();
}

template <std::size_t N>
SymmetricEigen<N> jacobiEigen(const Mat<N>& a)
{
    SymmetricEigen<N> e;
    const double scale = safeScale(maxAbs(a));
    Mat<N> m = a * scale;
    double total = 0.;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = i; j < N; ++j) total += (i == j ? 1. : 2.) * m[i][j] * m[i][j];
    // Off-diagonal entries this small change no digit of the result.
    const double negligible = 1e-3 * epsilon * std::sqrt(total);
    for (int sweep = 0; sweep < 30; ++sweep) {
        bool rotated = false;
        for (std::size_t p = 0; p < N; ++p)
            for (std::size_t q = p + 1; q < N; ++q) {
                const double apq = m[p][q];
                if (!(std::abs(apq) > negligible)) continue;
                rotated = true;
                const JacobiRotation j(m[p][p], m[q][q], apq);
                m[p][p] -= j.t * apq;
                m[q][q] += j.t * apq;
                m[p][q] = 0.;
                for (std::size_t k = 0; k < N; ++k) {
                    if (k == p || k == q) continue;
                    double& akp = k < p ? m[k][p] : m[p][k];
                    double& akq = k < q ? m[k][q] : m[q][k];
                    const double x = akp, y = akq;
                    akp = j.c * x - j.s * y;
                    akq = j.s * x + j.c * y;
                }
                rotateColumns(e.vectors, p, q, j.c, j.s);
            }
        if (!rotated) break;
    }
    for (std::size_t i = 0; i < N; ++i) e.values[i] = m[i][i] / scale;
    for (std::size_t i = 0; i + 1 < N; ++i)
        for (std::size_t j = 0; j + 1 < N - i; ++j)
            if (e.values[j] < e.values[j + 1]) {
                std::swap(e.values[j], e.values[j + 1]);
                turnColumns(e.vectors, j, j + 1);
            }
    return e;
}

template <std::size_t N>
Mat<N> projectPositive(const Mat<N>& a)
{
    SymmetricEigen<N> e = jacobiEigen(a);
    if (!(e.values[N - 1] < 0.)) return a;
    for (double& v : e.values) v = std::max(v, 0.);
    return symmetricFromEigen(e.vectors, e.values);
}

}  // namespace

Svd3 svd(const Mat3& f)
{
    Svd3 d;
    const double scale = safeScale(maxAbs(f));
    Mat3 a = f * scale;
    const double total = norm(a);

    // A = F V with orthogonal columns.
    for (int sweep = 0; sweep < 15; ++sweep) {
        bool rotated = false;
        for (std::size_t p = 0; p < 2; ++p)
            for (std::size_t q = p + 1; q < 3; ++q) {
                double alpha = 0., beta = 0., gamma = 0.;
                for (std::size_t i = 0; i < 3; ++i) {
                    alpha += a[i][p] * a[i][p];
                    beta += a[i][q] * a[i][q];
                    gamma += a[i][p] * a[i][q];
                }
                // Orthogonal to working precision, or a remainder far below the rounding of the largest column.
                const double g = std::abs(gamma);
                if (!(g > 0.5 * epsilon * std::sqrt(alpha * beta)) ||
                    g <= 1e-3 * epsilon * total * std::sqrt(std::max(alpha, beta)))
                    continue;
                rotated = true;
                const JacobiRotation j(alpha, beta, gamma);
                rotateColumns(a, p, q, j.c, j.s);
                rotateColumns(d.v, p, q, j.c, j.s);
            }
        if (!rotated) break;
    }

    // Largest column first, by rotations, so that V stays one.
    Vec3 n;
    for (std::size_t j = 0; j < 3; ++j) n[j] = norm2(a.column(j));
    const auto order = [&](std::size_t p, std::size_t q) {
        if (!(n[p] < n[q])) return;
        std::swap(n[p], n[q]);
        turnColumns(a, p, q);
        turnColumns(d.v, p, q);
    };
    order(0, 1);
    order(1, 2);
    order(0, 1);

    // Triangularise from the left. The columns are orthogonal, so what stays above the diagonal is rounding error, and
    // the diagonal holds the singular values: the first two not negative, the last with the sign of the determinant.
    // If Gᵀ maps rows (p, q) of A, then G, applied to columns (p, q), accumulates U.
    const auto eliminate = [&](std::size_t p, std::size_t q, std::size_t column) {
        const Givens g(a[p][column], a[q][column]);
        for (std::size_t j = column; j < 3; ++j) {
            const double x = a[p][j], y = a[q][j];
            a[p][j] = g.c * x + g.s * y;
            a[q][j] = g.c * y - g.s * x;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const double x = d.u[i][p], y = d.u[i][q];
            d.u[i][p] = g.c * x + g.s * y;
            d.u[i][q] = g.c * y - g.s * x;
        }
    };
    eliminate(0, 1, 0);
    eliminate(0, 2, 0);
    eliminate(1, 2, 1);
    for (std::size_t i = 0; i < 3; ++i) d.s[i] = a[i][i] / scale;

    // Rounding may leave nearly equal values in the wrong order.
    const auto exchange = [&](std::size_t p, std::size_t q) {
        if (!(d.s[p] < std::abs(d.s[q]))) return;
        if (d.s[q] < 0.) {
            // (s_p, −|s_q|) → (|s_q|, −s_p): negating both columns of the pair in U keeps it a rotation.
            const double t = d.s[p];
            d.s[p] = -d.s[q];
            d.s[q] = -t;
            turnColumns(d.u, p, q);
            turnColumns(d.v, p, q);
            for (std::size_t i = 0; i < 3; ++i) {
                d.u[i][p] = -d.u[i][p];
                d.u[i][q] = -d.u[i][q];
            }
            return;
        }
        std::swap(d.s[p], d.s[q]);
        turnColumns(d.u, p, q);
        turnColumns(d.v, p, q);
    };
    exchange(0, 1);
    exchange(1, 2);
    exchange(0, 1);
    return d;
}

Svd2 svd(const Mat2& f)
{
    const Polar2 p = polarRotation(f);
    const SymmetricEigen<2> e = jacobiEigen(p.s);
    // tr S ≥ 0, so the larger eigenvalue is the one of larger magnitude.
    Svd2 d;
    d.s = e.values;
    d.v = e.vectors;
    d.u = p.r * e.vectors;
    return d;
}

Svd3 svdZeroingSmall(const Mat3& f, bool* degenerate)
{
    constexpr double smallestSquare = 1e-8;
    Svd3 d = svd(f);
    bool special = d.s[2] < 0.;
    for (double& s : d.s)
        if (s * s < smallestSquare) {
            s = 0.;
            special = true;
        }
    if (degenerate) *degenerate = special;
    return d;
}

Polar3 polarRotation(const Mat3& f) { return polarFromSvd(svd(f)); }

Polar3 polarOrthogonal(const Mat3& f) { return orthogonalFromSvd(svd(f)); }

Polar2 polarRotation(const Mat2& f)
{
    // tr(Rᵀ F) is largest for the angle with  tan θ = (f₁₀ − f₀₁) / (f₀₀ + f₁₁).
    const double scale = safeScale(maxAbs(f));
    const Mat2 a = f * scale;
    const Givens g(a[0][0] + a[1][1], a[1][0] - a[0][1]);
    Polar2 p;
    p.r[0] = {g.c, -g.s};
    p.r[1] = {g.s, g.c};
    p.s = p.r.transposed() * f;
    p.s[0][1] = p.s[1][0] = 0.5 * p.s[0][1] + 0.5 * p.s[1][0];
    return p;
}

Polar2 polarOrthogonal(const Mat2& f) { return orthogonalFromSvd(svd(f)); }

Mat2 polarRotationDerivative(const Svd2& d, const Mat2& dF) { return rotationDerivative(d, dF); }
Mat3 polarRotationDerivative(const Svd3& d, const Mat3& dF) { return rotationDerivative(d, dF); }

Mat<9> polarRotationGradient(const Svd3& d)
{
    Mat<9> g;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) {
            Mat3 dF;
            dF[k][l] = 1.;
            const Mat3 dR = rotationDerivative(d, dF);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) g[3 * i + j][3 * k + l] = dR[i][j];
        }
    return g;
}

Vec3 perpendicular(const Vec3& a)
{
    std::size_t smallest = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (std::abs(a[i]) < std::abs(a[smallest])) smallest = i;
    return normalized(cross(a, Vec3::unit(smallest)), Vec3::unit(0));
}

Mat3 edgeFrame(const Vec3& x, const Vec3& y, bool* degenerate)
{
    if (degenerate) *degenerate = false;
    const double nx = norm(x);
    if (nx > 0.) {
        const Vec3 ex = x / nx;
        Vec3 ez = cross(ex, y);
        if (norm(ez) > 4. * epsilon * norm(y)) {
            // Nearly parallel edges leave rounding errors along ex.
            ez = normalized(ez);
            ez = normalized(ez - ex * dot(ex, ez));
            return Mat3::fromColumns(ex, cross(ez, ex), ez);
        }
        if (degenerate) *degenerate = true;
        ez = perpendicular(ex);
        return Mat3::fromColumns(ex, cross(ez, ex), ez);
    }
    if (degenerate) *degenerate = true;
    const double ny = norm(y);
    if (!(ny > 0.)) return Mat3::identity();
    const Vec3 ey = y / ny, ez = perpendicular(ey);
    return Mat3::fromColumns(cross(ey, ez), ey, ez);
}

SymmetricEigen<2> symmetricEigen(const Mat2& a) { return jacobiEigen(a); }
SymmetricEigen<3> symmetricEigen(const Mat3& a) { return jacobiEigen(a); }

Mat2 positiveProjection(const Mat2& a) { return projectPositive(a); }
Mat3 positiveProjection(const Mat3& a) { return projectPositive(a); }

}  // namespace sofa::core
