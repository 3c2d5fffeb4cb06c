// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/MultilevelHexahedra.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/log/Message.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace multilevel_hexahedra_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A container of the cells of a grid of 5 x 4 x 3 cells.
std::string scene(const std::string& more)
{
    return "<Node name='root' dt='0.01'><DefaultAnimationLoop/><RegularGridTopology name='grid' n='6 5 4' min='0 0 0' "
           "max='5 4 3'/><Node name='body'><EulerExplicitSolver/><MultilevelHexahedronSetTopologyContainer "
           "name='mesh' position='@/grid.position' hexahedra='@/grid.hexahedra' " +
           more +
           "/><MultilevelHexahedronSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>"
           "</Node></Node>";
}

MultilevelHexahedronSetTopologyContainer& mesh(const Run& r)
{
    return dynamic_cast<MultilevelHexahedronSetTopologyContainer&>(r.mesh());
}

/// Pieces by joining any two hexahedra that share a face in the same coarse cell, until nothing changes.
void check(const Run& r)
{
    const auto& m = mesh(r);
    const auto n = static_cast<Index>(m.hexahedra().size());
    Vector<Index> expected(n);
    for (Index h = 0; h < n; ++h) expected[h] = m.cellOf(h);
    for (bool changed = true; changed;) {
        changed = false;
        for (Index a = 0; a < n; ++a)
            for (Index b = 0; b < n; ++b) {
                Index common = 0;
                for (const Index v : m.hexahedra()[a])
                    common += static_cast<Index>(std::ranges::count(m.hexahedra()[b], v));
                if (common != 4 || m.coarsePlace(a) != m.coarsePlace(b) || expected[a] <= expected[b]) continue;
                expected[a] = expected[b];
                changed = true;
            }
    }
    CHECK(m.d_coarseComponents.value() == expected);
    for (Index h = 0; h < n; ++h) {
        std::set<Index> piece;
        for (Index other = 0; other < n; ++other)
            if (expected[other] == expected[h]) piece.insert(other);
        const Vector<Index> found = m.hexahedraWith(h);
        CHECK(std::set<Index>(found.begin(), found.end()) == piece);
    }
}

}  // namespace

TEST_CASE("Hexahedra know their coarse cell and the piece in it")
{
    const Run r(scene("level='1'"));
    const auto& m = mesh(r);
    CHECK(m.coarseResolution() == Vec3i{3, 2, 2});
    CHECK(m.coarsePlace(0) == Vec3i{0, 0, 0});
    CHECK(m.coarsePlace(59) == Vec3i{2, 1, 1});
    CHECK(m.hexahedraIn({0, 0, 0}) == Vector<Index>{0, 1, 5, 6, 20, 21, 25, 26});
    CHECK(m.hexahedraIn({2, 1, 1}) == Vector<Index>{54, 59});
    CHECK(m.hexahedraIn({3, 0, 0}).empty());
    CHECK(m.hexahedraIn({0, -1, 0}).empty());
    check(r);
    check(Run(scene("level='0'")));
    check(Run(scene("level='4'")));
    MessageCapture messages;
    REQUIRE(loadSceneText(scene("level='-1'"), "grid.scn"));
    CHECK(messages.has(Severity::Error, "attribute 'level' (int): expected values in [0, 16], found -1"));
}

TEST_CASE("A coarse cell whose middle goes has two pieces")
{
    Run r(scene("level='2'"));
    auto& m = mesh(r);
    CHECK(m.hexahedraWith(0).size() == 48);
    // All of the plane x = 1 in the coarse cell.
    Vector<Index> plane;
    for (Index h = 0; h < 60; ++h)
        if (m.placeOf(m.cellOf(h))[0] == 1) plane.push_back(h);
    removeElements(m, ElementType::Hexahedra, plane);
    check(r);
    CHECK(m.hexahedraWith(m.hexahedronIn(0)).size() == 12);
    CHECK(m.hexahedraWith(m.hexahedronIn(2)).size() == 24);
    r.simulation->reset();
    check(r);
    CHECK(m.hexahedraWith(0).size() == 48);
}

TEST_CASE("Pieces stay true in random changes, in checkpoints, and where a change is taken back")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    for (unsigned seed = 1; seed <= 3; ++seed) {
        const std::string text = scene("level='" + std::to_string(seed) + "'");
        Run r(text), again(text);
        const Vector<Index> first = mesh(r).d_coarseComponents.value();
        std::mt19937 random(seed);
        for (int k = 0; k < 25; ++k) {
            const auto n = static_cast<Index>(mesh(r).hexahedra().size());
            const Index a = static_cast<Index>(random() % n), b = static_cast<Index>(random() % n);
            if (k % 5 == 4) {  // two in one cell
                TopologyTransaction change(mesh(r));
                change.add(ElementType::Hexahedra, Hexahedron(mesh(r).hexahedra()[a]));
                CHECK_THROWS_WITH(change.commit(), Catch::Contains("would both be in cell"));
            } else if (k % 5 == 3) {  // made anew
                TopologyTransaction change(mesh(r));
                change.add(ElementType::Hexahedra, Hexahedron(mesh(r).hexahedra()[a]), {{{a, 1.}}});
                change.remove(ElementType::Hexahedra, {a});
                change.commit();
            } else {
                removeElements(mesh(r), ElementType::Hexahedra, {a, b});
            }
            check(r);
        }
        saveCheckpoint(*r.simulation, file);
        loadCheckpoint(*again.simulation, file);
        check(again);
        CHECK(mesh(again).d_coarseComponents.value() == mesh(r).d_coarseComponents.value());
        r.simulation->reset();
        CHECK(mesh(r).d_coarseComponents.value() == first);
    }
}

}  // namespace multilevel_hexahedra_test
