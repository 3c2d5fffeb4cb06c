// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BezierQuadrature.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/fem/elements/BezierShape.h"

namespace sofa::core {

namespace {

/// Three barycentric coordinates are `a`, or two of them `near`; weights are for the volume 1.
ElementQuadrature<10> fourteenPoints()
{
    ElementQuadrature<10> q;
    for (const auto& [a, weight] : {std::pair{0.31088591926330060980, 0.11268792571801585080},
                                    std::pair{0.092735250310891226402, 0.073493043116361949544}})
        for (std::size_t other = 0; other < 4; ++other) {
            Vec3 at{a, a, a};
            if (other > 0) at[other - 1] = 1. - 3. * a;
            q.points.push_back({weight / 6., BezierTetrahedronShape::gradients(at)});
        }
    constexpr double near = 0.045503704125649649492, far = 0.5 - near, weight = 0.042546020777081466438;
    for (const auto& [i, j] : bezierEdges) {
        std::array<double, 4> at{near, near, near, near};
        at[i] = at[j] = far;
        q.points.push_back({weight / 6., BezierTetrahedronShape::gradients({at[1], at[2], at[3]})});
    }
    return q;
}

/// Gauss's rule on [−1, 1] with n points for the weight (1 − x)^a, from the eigenvalues of the matrix of the recurrence
/// of Jacobi's polynomials (Golub and Welsch, "Calculation of Gauss quadrature rules", 1969).
struct JacobiRule
{
    Eigen::VectorXd at, weights;

    JacobiRule(int n, int a)
    {
        Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
        for (int k = 0; k < n; ++k) {
            const double s = 2. * k + a;
            m(k, k) = s > 0. ? -a * a / (s * (s + 2.)) : 0.;
            if (k > 0) m(k, k - 1) = m(k - 1, k) = std::sqrt(4. * k * (k + a) * k * (k + a) / (s * s * (s * s - 1.)));
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m);
        at = solver.eigenvalues();
        weights = solver.eigenvectors().row(0).cwiseAbs2().transpose() * (std::pow(2., a + 1) / (a + 1));
    }
};

/// n³ points of a cube whose sides are collapsed (Stroud, "Approximate calculation of multiple integrals", 1971), exact
/// for polynomials of degree 2 n − 1.
ElementQuadrature<10> collapsedCube(int n)
{
    const JacobiRule first(n, 2), second(n, 1), third(n, 0);
    ElementQuadrature<10> q;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const double u = 0.5 * (1. + first.at[i]), v = 0.5 * (1. + second.at[j]), w = 0.5 * (1. + third.at[k]);
                q.points.push_back({first.weights[i] * second.weights[j] * third.weights[k] / 64.,
                                    BezierTetrahedronShape::gradients({u, v * (1. - u), w * (1. - u) * (1. - v)})});
            }
    return q;
}

/// ∫ ∇B_a·∇B_b over an element: what the stiffness of any material is made of.
Mat<10> gradientProducts(const BezierTetrahedron& element, const Vector<Vec3>& rest, const ElementQuadrature<10>& rule)
{
    Mat<10> sum;
    for (const auto& p : rule.points) {
        Mat3 jacobian;
        for (std::size_t k = 0; k < 10; ++k)
            for (std::size_t i = 0; i < 3; ++i) jacobian[i] += p.gradients[k] * rest[element[k]][i];
        const Mat3 toSpace = inverse(jacobian).transposed();
        const double volume = std::abs(determinant(jacobian)) * p.weight;
        std::array<Vec3, 10> g;
        for (std::size_t k = 0; k < 10; ++k) g[k] = toSpace * p.gradients[k];
        for (std::size_t a = 0; a < 10; ++a)
            for (std::size_t b = 0; b < 10; ++b) sum[a][b] += volume * dot(g[a], g[b]);
    }
    return sum;
}

/// Norm of the difference, as a part of that of `better`.
double relativeError(const Mat<10>& m, const Mat<10>& better)
{
    double difference = 0., size = 0.;
    for (std::size_t a = 0; a < 10; ++a) {
        difference += norm2(m[a] - better[a]);
        size += norm2(better[a]);
    }
    return size > 0. ? std::sqrt(difference / size) : 0.;
}

}  // namespace

const ElementQuadrature<10>& bezierQuadrature(int level)
{
    static const std::array<ElementQuadrature<10>, bezierQuadratureLevels> rules{
        fourteenPoints(), collapsedCube(4), collapsedCube(5), collapsedCube(6), collapsedCube(7), collapsedCube(8)};
    return rules[static_cast<std::size_t>(std::clamp(level, 0, bezierQuadratureLevels - 1))];
}

BezierQuadratureChoice chooseBezierQuadrature(const Vector<BezierTetrahedron>& elements, const Vector<Vec3>& rest,
                                              double tolerance)
{
    BezierQuadratureChoice chosen;
    for (Index e = 0; e < elements.size(); ++e) {
        const BezierTetrahedron& t = elements[e];
        if (std::ranges::any_of(t, [&](Index v) { return v >= rest.size(); })) continue;  // build() says so
        bool isStraight = true;
        for (std::size_t k = 0; k < bezierEdges.size(); ++k)
            isStraight =
                isStraight && isStraightEdge(rest[t[bezierEdges[k][0]]], rest[t[4 + k]], rest[t[bezierEdges[k][1]]]);
        if (isStraight) continue;
        Mat<10> products = gradientProducts(t, rest, bezierQuadrature(chosen.level));
        for (;; ++chosen.level) {
            const Mat<10> next = gradientProducts(t, rest, bezierQuadrature(chosen.level + 1));
            const double error = relativeError(products, next);
            const bool isLast = chosen.level + 2 >= bezierQuadratureLevels;
            if (!(error > tolerance) || isLast) {
                if (error > tolerance && error > chosen.error) chosen.worst = e;
                chosen.error = std::max(chosen.error, error);
                break;
            }
            products = next;
            chosen.error = 0.;
        }
    }
    return chosen;
}

}  // namespace sofa::core
