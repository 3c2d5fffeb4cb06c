// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <random>

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/mesh/Renumbering.h"
#include "core/parallel/Parallel.h"
#include "core/topology/TopologyNumbers.h"
#include "tests/core/fem/elements/ElementChecks.h"

namespace following_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

CorotationalTetrahedra body(const BoxMesh& mesh, RotationMethod method)
{
    CorotationalTetrahedra b;
    b.build(mesh.tetrahedra, mesh.points, method);
    for (Index e = 0; e < b.size(); ++e) b.setMaterial(e, lameParameters(1000., 0.3));
    return b;
}

}  // namespace

TEST_CASE("Elements that follow changes of the mesh have the forces and stiffness of a new body, to the bit", "[fem]")
{
    const bool shuffle = GENERATE(false, true);
    const unsigned threads = GENERATE(1u, 3u);
    setThreadCount(threads);
    BoxMesh mesh(8, 9, 10, {1., 1., 1.});
    mesh.jitter(0.02);
    if (shuffle) {
        const Vector<Index> number = randomNumbers(static_cast<Index>(mesh.points.size()));
        const Vector<Vec3> points = mesh.points;
        for (std::size_t v = 0; v < points.size(); ++v) mesh.points[number[v]] = points[v];
        for (Tetrahedron& t : mesh.tetrahedra)
            for (Index& v : t) v = number[v];
    }
    for (const auto method : {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar, RotationMethod::Svd,
                              RotationMethod::DeformationGradient}) {
        BoxMesh now = mesh;
        CorotationalTetrahedra b = body(now, method);
        CHECK(b.graph().order().elements.empty() == !shuffle);
        std::mt19937 random(9);  // NOLINT: the same numbers each time
        for (int round = 0; round < 4; ++round) {
            // Some go, the last ones take their places, and some are divided at a new point.
            const auto before = static_cast<Index>(now.tetrahedra.size());
            TopologyNumbers elements(before), points(now.points.size());
            Vector<Index> gone;
            for (int k = 0; k < 20; ++k) gone.push_back(static_cast<Index>(random() % (before - 100)));
            std::ranges::sort(gone, std::greater<>());
            gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
            if (round != 1) {
                elements.remove(gone);
                removeEntries(now.tetrahedra, gone);
            }
            for (int k = 0; k < (round == 1 ? 15 : 1); ++k) {
                Tetrahedron& t = now.tetrahedra[random() % now.tetrahedra.size()];
                const auto p = static_cast<Index>(now.points.size());
                now.points.push_back((now.points[t[0]] + now.points[t[1]] + now.points[t[2]] + now.points[t[3]]) *
                                     0.25);
                points.add({});
                for (std::size_t i = 1; i < 4; ++i) {
                    Tetrahedron part = t;
                    part[i] = p;
                    now.tetrahedra.push_back(part);
                    elements.add({});
                }
                t[0] = p;
            }
            const ElementSource source = elements.source();
            Vector<Index> touched;
            for (Index e = 0; e < now.tetrahedra.size(); ++e)
                if (source.from(e) != e || e >= before || now.tetrahedra[e] != b.graph().elements()[e])
                    touched.push_back(e);
            REQUIRE(b.follow(now.tetrahedra, now.points, source, points.source(), touched));
            for (const Index e : touched) b.setMaterial(e, lameParameters(1000., 0.3));
            CorotationalTetrahedra fresh = body(now, method);
            Vector<Vec3> x = mapped(now.points, someRotation(), {1., 2., 3.});
            const Vector<Vec3> noise = randomVectors(x.size(), 0.01, 3), dx = randomVectors(x.size(), 0.1, 2);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
            CHECK(forces(b, x) == forces(fresh, x));
            Vector<Vec3> fb(x.size()), ff(x.size());
            b.addStiffnessProduct(fb, dx, 0.7);
            fresh.addStiffnessProduct(ff, dx, 0.7);
            CHECK(fb == ff);
            CHECK(b.energy(x) == fresh.energy(x));
            CHECK(b.nbInverted() == fresh.nbInverted());
            CHECK(b.restVolume() == fresh.restVolume());
            CHECK(b.rotation(7) == fresh.rotation(7));
            CHECK(b.graph().order().elements.empty() == !shuffle);
        }
    }
    setThreadCount(0);
}

}  // namespace following_elements_test
