// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cstring>
#include <random>

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/linalg/BlockAssembler.h"
#include "core/linalg/SymmetricProduct.h"
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

/// A matrix of stiffness and mass, of which only the half is set.
struct Half final : BlockSink
{
    Half() { assembler.setUpperOnly(true); }
    void addBlock(Index, Index, const double*, std::size_t, std::size_t) override { FAIL("elements are symmetric"); }
    void addSymmetric(const SymmetricPattern& p, SymmetricSource& source) override
    {
        assembler.addSymmetric(0, p, source, -2.);
    }
    void set(const CorotationalTetrahedra& b)
    {
        const int rows = static_cast<int>(b.graph().nbPoints());
        assembler.begin(3 * rows, 3 * rows, 3);
        b.addStiffness(*this);
        for (int i = 0; i < rows; ++i) assembler.addScalarBlock(3 * i, 3 * i, 0.1 * i, 1.);
        assembler.end();
        REQUIRE(assembler.isUpper());
        std::vector<int> fixed{1, 6, 7, 8, 3 * rows - 2};
        assembler.eliminate(fixed);
        fixed.push_back(3 * rows - 1);
        assembler.eliminate(fixed);
    }
    Vector<double> product()
    {
        const auto n = static_cast<std::size_t>(assembler.matrix().rows());
        Vector<double> x(n), y(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(static_cast<double>(i));
        SymmetricProduct p;
        p.prepare(assembler.stored(), 1, SymmetricProduct::Stored::Upper);
        p.multiply(assembler.stored(), x, y);
        return y;
    }
    BlockAssembler assembler;
};

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
        Half kept;
        kept.set(b);
        for (int round = 0; round < 4; ++round) {
            // Some go, the last ones take their places, and some are divided at a new point.
            const auto before = static_cast<Index>(now.tetrahedra.size());
            TopologyNumbers elements(before), points(now.points.size());
            Vector<Index> gone;
            for (int k = 0; k < 20; ++k) gone.push_back(static_cast<Index>(random() % (before - 100)));
            // One point goes with all its elements, and one loses them but stays.
            const auto last = static_cast<Index>(now.points.size()) - 1, point = static_cast<Index>(random()) % last;
            const Index alone = (point + 40) % last;
            for (const Index v : {point, alone})
                for (Index e = 0; e < before; ++e)
                    if (std::ranges::count(now.tetrahedra[e], v) > 0) gone.push_back(e);
            std::ranges::sort(gone, std::greater<>());
            gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
            if (round != 1) {
                elements.remove(gone);
                removeEntries(now.tetrahedra, gone);
                points.remove({point});
                removeEntries(now.points, Vector<Index>{point});
                for (Tetrahedron& t : now.tetrahedra) std::ranges::replace(t, last, point);
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
            checkMatrix(kept, b, fresh, true);
            CHECK(b.nbInverted() == fresh.nbInverted());
            CHECK(b.restVolume() == fresh.restVolume());
            CHECK(b.rotation(7) == fresh.rotation(7));
            CHECK(b.graph().order().elements.empty() == !shuffle);
        }
    }
    setThreadCount(0);
}

}  // namespace following_elements_test
