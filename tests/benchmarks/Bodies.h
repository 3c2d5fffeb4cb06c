// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "core/fem/kernels/MaterialKernels.h"
#include "core/math/Decompositions.h"
#include "core/math/Mat.h"
#include "core/math/Vector.h"
#include "core/mesh/Elements.h"

namespace sofa::benchmark {

struct Mesh
{
    core::Vector<core::Vec3> rest, x;
    core::Vector<core::Tetrahedron> tetrahedra;
};

/// n³ cubes of six tetrahedra, their points moved by up to a tenth of an edge, and deformed by up to 3%.
inline Mesh box(core::Index n)
{
    using core::Index;
    Mesh m;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> d(-0.1, 0.1);
    for (Index k = 0; k <= n; ++k)
        for (Index j = 0; j <= n; ++j)
            for (Index i = 0; i <= n; ++i) m.rest.push_back({i + d(random), j + d(random), k + d(random)});
    for (Index k = 0; k < n; ++k)
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const auto at = [&](Index a, Index b, Index c) {
                    return i + a + (n + 1) * (j + b + (n + 1) * (k + c));
                };
                const Index h[8] = {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0),
                                    at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
                constexpr int path[6][2] = {{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}};
                for (const auto& p : path) m.tetrahedra.push_back({h[0], h[p[0]], h[p[1]], h[6]});
            }
    m.x = m.rest;
    for (core::Vec3& p : m.x) p += core::Vec3{d(random), d(random), d(random)} * 0.3;
    return m;
}

/// The same mesh with its points and elements in random order.
inline Mesh shuffled(const Mesh& m)
{
    std::mt19937 random(2);
    core::Vector<core::Index> number(m.rest.size());
    std::iota(number.begin(), number.end(), core::Index(0));
    std::shuffle(number.begin(), number.end(), random);
    Mesh r = m;
    for (std::size_t v = 0; v < number.size(); ++v) {
        r.rest[number[v]] = m.rest[v];
        r.x[number[v]] = m.x[v];
    }
    for (core::Tetrahedron& t : r.tetrahedra)
        for (core::Index& v : t) v = number[v];
    std::shuffle(r.tetrahedra.begin(), r.tetrahedra.end(), random);
    return r;
}

/// Sets x to the rest shape with each point moved by up to `distance` along each axis.
inline void deform(Mesh& m, double distance)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> d(-distance, distance);
    m.x = m.rest;
    for (core::Vec3& p : m.x) p += core::Vec3{d(random), d(random), d(random)};
}

/// Sets x to the rest shape of box(n) with its layers of cubes stretched by 0.5 to 2 along each axis, each layer by a
/// random factor (the logarithm is uniform), and the whole turned by one radian: every cube has stretches of its own,
/// and no element is inverted.
inline void stretchLayers(Mesh& m)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> exponent(-1., 1.);
    double last = 0.;
    for (const core::Vec3& p : m.rest) last = std::max({last, p[0], p[1], p[2]});
    const auto layers = static_cast<std::size_t>(last) + 1;
    std::array<std::vector<double>, 3> stretch, start;  // of the layer [i, i + 1) along each axis
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double at = 0.;
        for (std::size_t i = 0; i < layers; ++i) {
            stretch[axis].push_back(std::exp2(exponent(random)));
            start[axis].push_back(at);
            at += stretch[axis].back();
        }
    }
    for (std::size_t i = 0; i < m.x.size(); ++i) {
        core::Vec3 to;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double p = m.rest[i][axis];
            const auto layer = static_cast<std::size_t>(std::clamp(p, 0., static_cast<double>(layers - 1)));
            to[axis] = start[axis][layer] + stretch[axis][layer] * (p - static_cast<double>(layer));
        }
        m.x[i] = {std::cos(1.) * to[0] - std::sin(1.) * to[1], std::sin(1.) * to[0] + std::cos(1.) * to[1], to[2]};
    }
}

/// The deformation gradient of a tetrahedron of the mesh.
inline core::Mat3 deformationGradient(const Mesh& m, const core::Tetrahedron& t)
{
    core::Mat3 now, rest;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) {
            now(i, k) = m.x[t[k + 1]][i] - m.x[t[0]][i];
            rest(i, k) = m.rest[t[k + 1]][i] - m.rest[t[0]][i];
        }
    return now * inverse(rest);
}

/// Moves random points by 1.2 in random directions until the share of inverted tetrahedra is at least `share`.
inline void invertSome(Mesh& m, double share)
{
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const std::size_t batch = m.x.size() / 500 + 1;
    const auto inverted = [&] {
        return std::count_if(m.tetrahedra.begin(), m.tetrahedra.end(),
                             [&](const core::Tetrahedron& t) { return determinant(deformationGradient(m, t)) < 0.; });
    };
    while (static_cast<double>(inverted()) < share * static_cast<double>(m.tetrahedra.size()))
        for (std::size_t k = 0; k < batch; ++k) {
            const core::Vec3 way{normal(random), normal(random), normal(random)};
            m.x[random() % m.x.size()] += way * (1.2 / norm(way));
        }
}

/// The smallest and the largest stretch, and the shares of inverted tetrahedra and of packs of eight that hold one.
struct Deformation
{
    double least = 1e300, most = 0., inverted = 0., packs = 0.;
};
inline Deformation deformationOf(const Mesh& m)
{
    Deformation d;
    for (std::size_t e = 0; e < m.tetrahedra.size(); e += 8) {
        double inPack = 0.;
        for (std::size_t k = e; k < std::min(e + 8, m.tetrahedra.size()); ++k) {
            const core::Vec3 s = core::svd(deformationGradient(m, m.tetrahedra[k])).s;
            d.least = std::min(d.least, s[2]);
            d.most = std::max(d.most, s[0]);
            inPack += s[2] < 0.;
        }
        d.inverted += inPack;
        d.packs += inPack > 0.;
    }
    const auto n = static_cast<double>(m.tetrahedra.size());
    d.inverted /= n;
    d.packs /= std::ceil(n / 8.);
    return d;
}

struct Law
{
    const char* name;
    core::MaterialLaw law;
};

/// The laws that the benchmarks of elements measure.
inline constexpr std::array<Law, 5> laws()
{
    using core::MaterialLaw;
    return {{{"corotational, exact tangent", MaterialLaw::Corotational},
             {"corotational", MaterialLaw::CorotationalApproximate},
             {"St Venant-Kirchhoff", MaterialLaw::StVenantKirchhoff},
             {"neo-Hookean, invertible", MaterialLaw::NeoHookean},
             {"Mooney-Rivlin, invertible", MaterialLaw::MooneyRivlin}}};
}

/// Their parameters, of which each law reads the first ones [Pa].
inline constexpr double lawParameters[3] = {900., 400., 600.};

inline core::MaterialEvaluation evaluation(const Law& law)
{
    core::MaterialEvaluation m;
    m.law = law.law;
    if (law.law == core::MaterialLaw::NeoHookean || law.law == core::MaterialLaw::MooneyRivlin) m.smallestStretch = 0.1;
    return m;
}

}  // namespace sofa::benchmark
