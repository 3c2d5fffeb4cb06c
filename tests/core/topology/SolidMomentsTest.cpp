// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "tests/harness/EngineCheck.h"
#include "tests/harness/MeshLaws.h"

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("moments of a body from its surface are the sums over its tetrahedra")
{
    RandomInput random(11);
    const auto tetrahedra = inTetrahedra(gridHexahedra(3));
    auto x = gridPoints(3, 0.08, random);
    const Vec3 far = random.point(50.);
    for (Vec3& p : x) p += far;

    double volume = 0.;
    Vec3 first;
    for (const auto& [a, b, c, d] : tetrahedra) {
        const double v = geometry::tetrahedronVolume(x[a], x[b], x[c], x[d]);
        volume += v;
        first += (x[a] + x[b] + x[c] + x[d]) * (v / 4.);
    }
    const Vec3 center = first / volume;
    // Quadrature of degree two: four points on the lines from the corners to the centre.
    Mat3 spread;
    for (const auto& t : tetrahedra)
        for (const Index corner : t) {
            const double v = geometry::tetrahedronVolume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
            const double near = (5. + 3. * std::sqrt(5.)) / 20., other = (5. - std::sqrt(5.)) / 20.;
            Vec3 p;
            for (const Index i : t) p += x[i] * (i == corner ? near : other);
            spread += outer(p - center, p - center) * (v / 4.);
        }

    auto surface = borderOf(tetrahedra);
    const auto m = geometry::enclosedMoments(x, surface);
    CHECK(m.volume == Approx(volume).epsilon(1e-12));
    CHECK(norm(m.center - center) < 1e-12);
    CHECK(norm(m.spread - spread) < 1e-12);
    CHECK(norm(m.inertia() - (Mat3::identity() * trace(spread) - spread)) < 1e-12);
    CHECK(geometry::openness(x, surface) < 1e-13);
    for (auto& t : surface) std::swap(t[0], t[1]);
    CHECK(geometry::enclosedMoments(x, surface).volume == Approx(-m.volume).epsilon(1e-13));
    surface.pop_back();
    CHECK(geometry::openness(x, surface) > 1e-3);
    CHECK(geometry::openness(x, {}) == 0.);
}
