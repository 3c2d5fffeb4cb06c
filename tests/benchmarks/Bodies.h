// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "core/fem/kernels/MaterialKernels.h"
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
