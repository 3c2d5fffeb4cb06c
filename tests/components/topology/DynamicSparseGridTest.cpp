// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/DynamicSparseGrid.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/log/Message.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace dynamic_sparse_grid_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A container of the cells of a grid of 4 x 3 x 2 cells of 0.1 x 0.2 x 0.3 m, with a soft body of them.
std::string scene(const std::string& more = "", const std::string& forces = "")
{
    return "<Node name='root' dt='0.01'><DefaultAnimationLoop/><RegularGridTopology name='grid' n='5 4 3' "
           "min='1 2 3' max='1.4 2.6 3.6'/><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='30' "
           "tolerance='1e-9' threshold='1e-12'/><DynamicSparseGridTopologyContainer name='mesh' "
           "position='@/grid.position' hexahedra='@/grid.hexahedra' " +
           more +
           "/><DynamicSparseGridTopologyModifier/><DynamicSparseGridGeometryAlgorithms name='measures'/>"
           "<MechanicalObject name='x'/><UniformMass vertexMass='1'/>" +
           forces + "</Node></Node>";
}

const std::string softBody =
    "<HexahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/><FixedProjectiveConstraint indices='0 1 2'/>"
    "<Node name='inside'><MechanicalObject name='y' position='1.05 2.1 3.1  1.37 2.5 "
    "3.5'/><BarycentricMapping/></Node>";

DynamicSparseGridTopologyContainer& mesh(const Run& r)
{
    return dynamic_cast<DynamicSparseGridTopologyContainer&>(r.mesh());
}

const auto& measures(const Run& r)
{
    return *r.body().get<DynamicSparseGridGeometryAlgorithms<Vec3Types>>(Search::Local);
}

Vec3 middle(const Run& r, Index h)
{
    Vec3 sum;
    for (const Index v : mesh(r).hexahedra()[h]) sum += mesh(r).d_position.value()[v];
    return sum / 8.;
}

/// All maps are those that the places of the hexahedra give.
void check(const Run& r)
{
    const auto& m = mesh(r);
    const auto& cells = m.d_idxInRegularGrid.value();
    REQUIRE(cells.size() == m.hexahedra().size());
    REQUIRE(m.cellCount() == 24);
    std::map<Index, Index> map;
    Vector<unsigned char> values(24, 0);
    for (Index h = 0; h < cells.size(); ++h) {
        const Vec3 x = middle(r, h) - Vec3{1., 2., 3.};
        const auto cell =
            static_cast<Index>(x[0] / 0.1) + 4 * static_cast<Index>(x[1] / 0.2) + 12 * static_cast<Index>(x[2] / 0.3);
        CHECK(cells[h] == cell);
        map[cell] = h;
        values[cell] = 255;
        CHECK(measures(r).hexahedronAt(middle(r, h)) == h);
    }
    CHECK(m.d_idInRegularGrid2IndexInTopo.value() == map);
    CHECK(m.d_valuesIndexedInRegularGrid.value() == values);
    for (Index c = 0; c < 24; ++c) CHECK(m.hexahedronIn(c) == (map.contains(c) ? map[c] : InvalidIndex));
    for (Index h = 0; h < cells.size(); ++h) {
        const auto beside = m.neighbors(h);
        for (std::size_t k = 0; k < 6; ++k) {
            Vec3 x = middle(r, h);
            x[k / 2] += (k % 2 ? 0.1 : -0.1) * static_cast<double>(k / 2 + 1);
            CHECK(beside[k] == measures(r).hexahedronAt(x));
        }
    }
}

/// Puts a hexahedron back into an empty cell whose corners are all there.
bool fill(Run& r, Index cell)
{
    auto& m = mesh(r);
    const Vec3i at = m.placeOf(cell);
    Hexahedron h;
    const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (std::size_t k = 0; k < 8; ++k) {
        const Vec3 x = m.grid().corner(at[0] + corner[k][0], at[1] + corner[k][1], at[2] + corner[k][2]);
        const auto& all = m.d_position.value();
        const auto it = std::ranges::find_if(all, [&](const Vec3& p) { return norm(p - x) < 1e-9; });
        if (it == all.end()) return false;
        h[k] = static_cast<Index>(it - all.begin());
    }
    TopologyTransaction change(m);
    change.add(ElementType::Hexahedra, h, {{{0, 1.}}});
    change.commit();
    return true;
}

std::string errorOf(const std::string& text)
{
    MessageCapture messages;
    auto root = loadSceneText(text, "grid.scn");
    REQUIRE(root);
    Simulation simulation(root);
    CHECK_FALSE(simulation.init());
    const auto* m = root->child("body")->get<DynamicSparseGridTopologyContainer>(Search::Local);
    return m->messages().empty() ? std::string() : m->messages().back().text;
}

}  // namespace

TEST_CASE("The cells of hexahedra are found at their places")
{
    const Run r(scene());
    check(r);
    CHECK(mesh(r).d_resolution.value() == Vec3i{4, 3, 2});
    CHECK(norm(mesh(r).d_voxelSize.value() - Vec3{0.1, 0.2, 0.3}) < 1e-12);
    CHECK(mesh(r).d_valuesIndexedInTopology.value() == Vector<unsigned char>{255});
    const auto place = measures(r).nearestHexahedron({1.025, 2.1, 3.});
    CHECK(place.cell == 0);
    CHECK(norm(place.local - Vec3{0.25, 0.5, 0.}) < 1e-12);
    CHECK(norm(measures(r).pointAt(place) - Vec3{1.025, 2.1, 3.}) < 1e-12);
    CHECK(measures(r).hexahedronAt({0., 0., 0.}) == InvalidIndex);
    CHECK(measures(r).nearestHexahedron({0., 0., 0.}).cell == 0);
    CHECK(measures(r).nearestHexahedron({9., 9., 9.}).cell == 23);
    // In a larger grid that is given, and by the values of its cells.
    std::string cells, values;
    for (int c = 0; c < 24; ++c) {
        cells += std::to_string(c + 24) + " ";
        values += std::to_string(c) + " ";
    }
    const Run shifted(scene("resolution='4 3 5' idxInRegularGrid='" + cells + "'"));
    CHECK(measures(shifted).hexahedronAt({1.05, 2.1, 3.1}) == 0);
    CHECK(mesh(shifted).grid().origin[2] == Approx(2.4));
    const Run valued(scene("resolution='4 3 2' valuesIndexedInRegularGrid='" + values + "'"));
    CHECK(mesh(valued).d_valuesIndexedInTopology.value()[7] == 7);
    check(valued);
}

TEST_CASE("The nearest hexahedron is that of all")
{
    Run r(scene());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(-1., 2.);
    for (int k = 0; k < 6; ++k) {
        const auto& m = mesh(r);
        for (int i = 0; i < 200; ++i) {
            const Vec3 x{1. + 0.4 * part(random), 2. + 0.6 * part(random), 3. + 0.6 * part(random)};
            Index expected = InvalidIndex;
            double best = 1e9;
            for (Index c = 0; c < 24; ++c) {
                if (m.hexahedronIn(c) == InvalidIndex) continue;
                const Vec3i at = m.placeOf(c);
                const Vec3 low = m.grid().corner(at[0], at[1], at[2]),
                           high = m.grid().corner(at[0] + 1, at[1] + 1, at[2] + 1);
                Vec3 d = x;
                for (std::size_t a = 0; a < 3; ++a) d[a] -= std::clamp(x[a], low[a], high[a]);
                if (norm(d) >= best) continue;
                best = norm(d);
                expected = m.hexahedronIn(c);
            }
            const auto place = measures(r).nearestHexahedron(x);
            CHECK(place.cell == expected);
            CHECK(norm(measures(r).pointAt(place, DynamicSparseGridGeometryAlgorithms<Vec3Types>::At::Rest) - x) <
                  1e-12);
        }
        const auto n = static_cast<Index>(m.hexahedra().size());
        removeElements(mesh(r), ElementType::Hexahedra,
                       {static_cast<Index>(random() % n), static_cast<Index>(random() % n), n - 1});
    }
}

TEST_CASE("Grids that are none are refused")
{
    CHECK(errorOf(scene("voxelSize='0.1 0.2 0.31'")).find("is no cell of the grid: point") != std::string::npos);
    CHECK(errorOf(scene("voxelSize='0 1 1'")).find("voxelSize: expected positive sizes") != std::string::npos);
    CHECK(errorOf(scene("resolution='3 3 3'")).find("is outside of the grid of 3 3 3 cells") != std::string::npos);
    CHECK(errorOf(scene("resolution='4 3 2' idxInRegularGrid='0 1'"))
              .find("expected the cell of each of the 24 hexahedra, found 2") != std::string::npos);
    CHECK(errorOf(scene("resolution='-4 3 2'")).find("expected at least 1 cell along each axis") != std::string::npos);
    CHECK(errorOf(scene("valuesIndexedInTopology='1 2'")).find("expected one value, or one for each of the 24") !=
          std::string::npos);
}

TEST_CASE("A hexahedron must be a free cell of the grid, else the change is taken back")
{
    Run r(scene());
    auto& m = mesh(r);
    const Vector<Hexahedron> before = m.hexahedra();
    {
        TopologyTransaction change(m);
        change.remove(ElementType::Hexahedra, {3});
        change.add(ElementType::Hexahedra, before[5]);
        CHECK_THROWS_WITH(change.commit(), Catch::Contains("'/body/mesh': hexahedra") &&
                                               Catch::Contains("would both be in cell 5 of the grid"));
    }
    CHECK(m.hexahedra() == before);
    CHECK(m.isValid());
    check(r);
    {
        TopologyTransaction change(m);
        const Hexahedron h = before[0];
        Ancestors mean;
        for (const Index v : h) mean.push_back({v, 0.125});
        Hexahedron other = h;
        other[6] = change.addPoints({mean});
        change.add(ElementType::Hexahedra, other);
        change.remove(ElementType::Hexahedra, {0});
        CHECK_THROWS_WITH(change.commit(), Catch::Contains("'/body/mesh': hexahedron") &&
                                               Catch::Contains("is no cell of the grid: point"));
    }
    CHECK(m.hexahedra() == before);
    check(r);
    // Made anew in one change, it is still there.
    TopologyTransaction change(m);
    change.add(ElementType::Hexahedra, before[2], {{{2, 1.}}});
    change.remove(ElementType::Hexahedra, {2});
    change.commit();
    check(r);
}

TEST_CASE("Maps stay true in random changes, in checkpoints and after a reset; a body goes on")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    std::string values;
    for (int k = 0; k < 24; ++k) values += std::to_string(k + 100) + " ";
    const std::string text = scene("valuesIndexedInTopology='" + values + "'", softBody);
    for (unsigned seed = 1; seed <= 4; ++seed) {
        Run r(text), again(text);
        // Corners of cells that are empty stay, so that these can be filled again.
        if (seed % 2) r.body().get<DynamicSparseGridTopologyModifier>(Search::Local)->d_removeIsolated.setValue(false);
        const Vector<Hexahedron> first = mesh(r).hexahedra();
        std::mt19937 random(seed);
        int added = 0;
        for (int k = 0; k < 40; ++k) {
            const auto n = static_cast<Index>(mesh(r).hexahedra().size());
            if ((k % 3 < 2 && n > 3) || n == 24) {
                removeElements(mesh(r), ElementType::Hexahedra,
                               {static_cast<Index>(random() % n), static_cast<Index>(random() % n)});
            } else {
                Index cell = static_cast<Index>(random() % 24);
                while (mesh(r).hexahedronIn(cell) != InvalidIndex) cell = (cell + 1) % 24;
                added += fill(r, cell);
            }
            check(r);
            r.steps(1);
        }
        if (seed % 2) CHECK(added > 5);
        saveCheckpoint(*r.simulation, file);
        loadCheckpoint(*again.simulation, file);
        check(again);
        CHECK(mesh(again).d_valuesIndexedInTopology.value() == mesh(r).d_valuesIndexedInTopology.value());
        again.steps(2);
        r.steps(2);
        CHECK(sameState(r, again));
        r.simulation->reset();
        CHECK(mesh(r).hexahedra() == first);
        CHECK(mesh(r).d_valuesIndexedInTopology.text() + " " == values);
        check(r);
        r.steps(3);
        Run fresh(text);
        fresh.steps(3);
        CHECK(sameState(r, fresh));
    }
}

TEST_CASE("All cells may go, and come back in another grid of values")
{
    Run r(scene());
    const Hexahedron kept = mesh(r).hexahedra()[4];
    Vector<Index> all(24);
    std::iota(all.begin(), all.end(), Index(0));
    auto* modifier = r.body().get<DynamicSparseGridTopologyModifier>(Search::Local);
    modifier->d_removeIsolated.setValue(false);
    removeElements(mesh(r), ElementType::Hexahedra, all);
    check(r);
    TopologyTransaction change(mesh(r));
    change.add(ElementType::Hexahedra, kept);
    change.commit();
    check(r);
    CHECK(mesh(r).hexahedronIn(4) == 0);
}

TEST_CASE("The prefabs of containers that know more make their components")
{
    for (const auto& [prefab, source, list] :
         {std::array{"ManifoldEdgeSetTopology", "edgeFrom", "edges='0 1'"},
          std::array{"DynamicSparseGridTopology", "cubeFrom", "hexahedra='0 1 2 3 4 5 6 7'"},
          std::array{"MultilevelHexahedronSetTopology", "cubeFrom", "hexahedra='0 1 2 3 4 5 6 7'"}}) {
        INFO(prefab);
        const Run r("<Node name='root'><DefaultAnimationLoop/><Node name='body'><MeshTopology name='" +
                    std::string(source) + "' position='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1' " + list +
                    "/><MechanicalObject/><" + prefab + " src='@" + source + "'/></Node></Node>");
        CHECK(r.body().component("Container")->isValid());
        CHECK(r.body().component("Modifier")->isValid());
        CHECK(r.body().component("GeomAlgo")->isValid());
        CHECK(r.mesh().isContainer());
        CHECK(r.mesh().nbPoints() == 8);
    }
}

}  // namespace dynamic_sparse_grid_test
