// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cstring>

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/CorotationalTriangles.h"
#include "core/fem/elements/HyperelasticElements.h"
#include "core/fem/elements/MembraneElements.h"
#include "core/parallel/Parallel.h"
#include "tests/core/fem/elements/FollowingChecks.h"

namespace following_elements_test {

using namespace sofa::core;
using namespace sofa::test;
using namespace sofa::test::following;

namespace {

CorotationalTetrahedra body(const BoxMesh& mesh, RotationMethod method)
{
    CorotationalTetrahedra b;
    b.build(mesh.tetrahedra, mesh.points, method);
    for (Index e = 0; e < b.size(); ++e) b.setMaterial(e, lameParameters(1000., 0.3));
    return b;
}

/// A matrix that followed is that of a body made anew, to the bit.
void checkMatrix(Half& kept, const CorotationalTetrahedra& b, const CorotationalTetrahedra& fresh, bool follows)
{
    const std::uint64_t version = kept.assembler.patternVersion();
    Half other;
    kept.set(b);
    other.set(fresh);
    CHECK(kept.assembler.stored().hasGaps() == follows);
    CHECK_FALSE(other.assembler.stored().hasGaps());
    CHECK(kept.assembler.patternVersion() == version + 1);
    Vector<int> isolated, isolatedOther;
    kept.assembler.isolatedRows(isolated);
    other.assembler.isolatedRows(isolatedOther);
    CHECK(isolated == isolatedOther);
    CHECK(kept.product() == other.product());
    kept.set(b);  // once more: nothing is made anew
    CHECK(kept.assembler.replayed());
    CHECK(kept.assembler.patternVersion() == version + 1);
    CHECK(kept.product() == other.product());
    kept.assembler.pack();
    CHECK_FALSE(kept.assembler.stored().hasGaps());
    CHECK(kept.product() == other.product());
    for (Half* h : {&kept, &other}) h->assembler.complete();
    const BlockCsrMatrix &is = kept.assembler.matrix(), &should = other.assembler.matrix();
    REQUIRE(is.samePattern(should));
    CHECK(is.maxAbs() > 1.);
    CHECK(std::memcmp(is.values().data(), should.values().data(), should.values().size_bytes()) == 0);
}

}  // namespace

TEST_CASE("Elements that follow changes of the mesh have the forces and stiffness of a new body, to the bit", "[fem]")
{
    const bool shuffle = GENERATE(false, true);
    const unsigned threads = GENERATE(1u, 3u);
    setThreadCount(threads);
    const BoxMesh mesh = box(shuffle);
    for (const auto method : {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar, RotationMethod::Svd,
                              RotationMethod::DeformationGradient}) {
        BoxMesh now = mesh;
        CorotationalTetrahedra b = body(now, method);
        CHECK(b.graph().order().elements.empty() == !shuffle);
        std::mt19937 random(9);  // NOLINT: the same numbers each time
        Half kept;
        kept.set(b);
        for (int round = 0; round < 4; ++round) {
            const Change change(now, random, round);
            Vector<Index> touched = change.touched;
            REQUIRE(b.follow(now.tetrahedra, now.points, change.elements.source(), change.points.source(), touched));
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
            checkMatrix(kept, b, fresh, true);
            CHECK(b.nbInverted() == fresh.nbInverted());
            CHECK(b.restVolume() == fresh.restVolume());
            CHECK(b.rotation(7) == fresh.rotation(7));
            CHECK(b.graph().order().elements.empty() == !shuffle);
        }
    }
    setThreadCount(0);
}

TEST_CASE("Hyperelastic elements that follow changes of the mesh are those of a new body", "[fem]")
{
    const ParallelGuard guard;
    const bool shuffle = GENERATE(false, true);
    setThreadCount(GENERATE(1u, 3u));
    const auto law =
        GENERATE(MaterialLaw::StVenantKirchhoff, MaterialLaw::Corotational, MaterialLaw::CorotationalApproximate);
    const bool varies = GENERATE(false, true);
    BoxMesh now = box(shuffle);
    const auto prepare = [&](HyperelasticElements<4>& b, const Vector<Index>& elements) {
        for (const Index e : elements) {
            // By the place of the element, which stays when its number changes.
            Vec3 centre;
            for (const Index v : now.tetrahedra[e]) centre += now.points[v];
            const LameParameters lame = lameParameters(varies ? 1000. * (2. + std::sin(9. * centre[0])) : 1000., 0.3);
            b.setParameters(e, std::array{lame.lambda, lame.mu});
        }
    };
    const auto body = [&] {
        HyperelasticElements<4> b;
        b.setMaterial({.law = law});
        b.build(now.tetrahedra, now.points, tetrahedronQuadrature());
        return b;
    };
    checkRounds(now, body, prepare, [&](HyperelasticElements<4>& b, const Change& change, Vector<Index>& touched) {
        return b.follow(now.tetrahedra, now.points, tetrahedronQuadrature(), change.elements.source(),
                        change.points.source(), touched);
    });
}

TEST_CASE("Membranes that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    BoxMesh now = box(false);
    using Membranes = MembraneElements<TriangleShape, 3>;
    const auto& rule = membraneQuadrature<TriangleShape>(2);
    const auto prepare = [&](Membranes& m, const Vector<Index>& elements) {
        for (const Index e : elements) {
            m.setSection(e, 0.1 + 0.01 * norm(now.points[now.tetrahedra[e][1]]));
            m.setParameters(e, std::array{600., 400.});
        }
    };
    const auto membranes = [&] {
        Membranes m;
        m.setMaterial({.law = MaterialLaw::StVenantKirchhoff});
        m.build(firstFaces(now), now.points, rule);
        return m;
    };
    checkRounds(now, membranes, prepare, [&](Membranes& m, const Change& change, Vector<Index>& touched) {
        return m.follow(firstFaces(now), now.points, rule, change.elements.source(), change.points.source(), touched);
    });
}

TEST_CASE("Corotational triangles that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    const auto method = GENERATE(CorotationalTriangles::Method::large, CorotationalTriangles::Method::small,
                                 CorotationalTriangles::Method::undeformed);
    const bool varies = GENERATE(false, true);
    BoxMesh now = box(false);
    const auto prepare = [&](CorotationalTriangles& t, const Vector<Index>& elements) {
        t.setMaterial(elements, [&](Index e) {
            const Vec3& corner = now.points[now.tetrahedra[e][1]];
            return varies ? CorotationalTriangles::fibrous(1000., 100. + corner[0], 0.2, 300., {0.6, 0.8})
                          : CorotationalTriangles::planeStress(1000., 0.3);
        });
    };
    const auto triangles = [&] {
        CorotationalTriangles t;
        t.build(firstFaces(now), now.points, method, true, 0.9);
        return t;
    };
    checkRounds(now, triangles, prepare, [&](CorotationalTriangles& t, const Change& change, Vector<Index>& touched) {
        return t.follow(firstFaces(now), now.points, change.elements.source(), change.points.source(), touched);
    });
}

}  // namespace following_elements_test
