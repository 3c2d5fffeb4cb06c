// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/ElementQuadrature.h"

#include <algorithm>

#include "core/fem/elements/FiniteElements.h"

namespace sofa::core {

namespace {

/// Gauss's rules with n = 1 .. 3 points on [−1, 1].
struct GaussRule
{
    double at[3], weights[3];
};
constexpr GaussRule gauss[3] = {{{0.}, {2.}},
                                {{-0.57735026918962576, 0.57735026918962576}, {1., 1.}},
                                {{-0.77459666924148338, 0., 0.77459666924148338}, {5. / 9., 8. / 9., 5. / 9.}}};

/// n³ points on the reference cube, for hexahedra and pyramids.
template <class Shape>
ElementQuadrature<Shape::nodes> cubeRule(int n)
{
    const GaussRule& rule = gauss[n - 1];
    ElementQuadrature<Shape::nodes> q;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
                q.points.push_back({rule.weights[i] * rule.weights[j] * rule.weights[k],
                                    Shape::gradients({rule.at[i], rule.at[j], rule.at[k]})});
    return q;
}

/// n points along the axis times the rule of a triangle, whose points are {a, a, 1 − 2 a} in barycentric coordinates
/// and their permutations (Strang and Fix, "An analysis of the finite element method", 1973; weights for area ½).
ElementQuadrature<6> prismRule(int n)
{
    struct Orbit
    {
        double a, weight;
        bool centre;
    };
    static const std::vector<Orbit> triangles[3] = {
        {{1. / 3., 0.5, true}},
        {{1. / 6., 1. / 6., false}},
        {{0.44594849091596489, 0.11169079483900573, false}, {0.091576213509770743, 0.054975871827660933, false}}};
    const GaussRule& rule = gauss[n - 1];
    ElementQuadrature<6> q;
    for (const Orbit& orbit : triangles[n - 1])
        for (int turn = 0; turn < (orbit.centre ? 1 : 3); ++turn) {
            const double other = 1. - 2. * orbit.a;
            const double x = turn == 1 ? other : orbit.a, y = turn == 2 ? other : orbit.a;
            for (int k = 0; k < n; ++k)
                q.points.push_back(
                    {orbit.weight * 0.5 * rule.weights[k], PrismShape::gradients({x, y, 0.5 * (1. + rule.at[k])})});
        }
    return q;
}

}  // namespace

const ElementQuadrature<4>& tetrahedronQuadrature()
{
    static const ElementQuadrature<4> q{
        {{TetrahedronShape::quadrature[0].weight, TetrahedronShape::gradients(TetrahedronShape::quadrature[0].at)}}};
    return q;
}

const ElementQuadrature<8>& hexahedronQuadrature(int n)
{
    static const ElementQuadrature<8> rules[3] = {cubeRule<HexahedronShape>(1), cubeRule<HexahedronShape>(2),
                                                  cubeRule<HexahedronShape>(3)};
    return rules[std::clamp(n, 1, 3) - 1];
}

const ElementQuadrature<6>& prismQuadrature(int n)
{
    static const ElementQuadrature<6> rules[3] = {prismRule(1), prismRule(2), prismRule(3)};
    return rules[std::clamp(n, 1, 3) - 1];
}

const ElementQuadrature<5>& pyramidQuadrature(int n)
{
    static const ElementQuadrature<5> rules[2] = {cubeRule<PyramidShape>(2), cubeRule<PyramidShape>(3)};
    return rules[std::clamp(n, 2, 3) - 2];
}

}  // namespace sofa::core
