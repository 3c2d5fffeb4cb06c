// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "components/topology/SparseGridMultipleTopology.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"
#include "tests/harness/TestGraph.h"

namespace sparse_grid_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;

namespace {

namespace fs = std::filesystem;

const std::string share = fs::path(test::sourceDirectory()) / "share/mesh";

/// The border of the cube [0, 1]³, as quads.
const test::Attributes cube{{"position", "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1"},
                            {"quads", "0 3 2 1  4 5 6 7  0 1 5 4  2 3 7 6  0 4 7 3  1 2 6 5"}};

test::Attributes with(test::Attributes a, const test::Attributes& more)
{
    a.insert(a.end(), more.begin(), more.end());
    return a;
}

/// Σ of the volumes of the cells, each times its factor.
double weightedVolume(const SparseGridTopology& g)
{
    double sum = 0.;
    for (Index h = 0; h < g.hexahedra().size(); ++h) {
        const Hexahedron& e = g.hexahedra()[h];
        const Vec3 d = g.pointPosition(e[6]) - g.pointPosition(e[0]);
        sum += d[0] * d[1] * d[2] * g.stiffnessFactor(h);
    }
    return sum;
}

}  // namespace

TEST_CASE("Sparse grid around a cube: the box is a hundredth larger, cells of the wall come first")
{
    Node root("root");
    auto& g = test::addComponent<SparseGridTopology>(root, "SparseGridTopology", with(cube, {{"n", "5 5 5"}}));
    // Read before init, as a link would.
    CHECK(g.hexahedra().size() == 64);
    g.init();
    CHECK(g.isValid());
    CHECK(g.nbPoints() == 125);
    CHECK(g.d_min.value()[0] == Approx(-0.01));
    CHECK(g.d_max.value()[2] == Approx(1.01));
    CHECK(g.pointPosition(124)[1] == Approx(1.01));
    CHECK(g.quads().empty());
    CHECK(g.edges().empty());
    CHECK(g.triangles().empty());
    CHECK(g.stiffnessFactor(0) == 0.5);
    CHECK(g.stiffnessFactor(55) == 0.5);
    CHECK(g.stiffnessFactor(56) == 1.);
    CHECK(g.stiffnessFactor(63) == 1.);
    CHECK(g.topologyType() == ElementType::Hexahedra);

    auto& inner = test::addComponent<SparseGridTopology>(root, "SparseGridTopology",
                                                         with(cube, {{"n", "5 5 5"}, {"onlyInsideCells", "1"}}));
    CHECK(inner.hexahedra().size() == 8);
    auto& full = test::addComponent<SparseGridTopology>(root, "SparseGridTopology",
                                                        with(cube, {{"n", "5 5 5"}, {"fillWeighted", "0"}}));
    CHECK(full.hexahedra().size() == 64);
    CHECK(full.stiffnessFactor(0) == 1.);
    auto& wide = test::addComponent<SparseGridTopology>(
        root, "SparseGridTopology", with(cube, {{"cellWidth", "0.3"}, {"min", "-1 -1 -1"}, {"max", "2 2 2"}}));
    // Cells of 0.3: the walls at 0 and 1 are in the cells from −0.1 to 0.2 and from 0.8 to 1.1.
    CHECK(wide.hexahedra().size() == 4 * 4 * 4);
    CHECK(wide.d_n.value() == Vec3i{11, 11, 11});
}

TEST_CASE("A point is in the cell that contains it, or in the nearest one")
{
    Node root("root");
    for (const char* levels : {"0", "2"})
        for (const char* type : {"SparseGridTopology", "SparseGridRamificationTopology"}) {
            INFO(type << " with " << levels << " finer levels");
            auto& g = test::addComponent<SparseGridTopology>(
                root, type, {{"filename", share + "/torus.obj"}, {"n", "9 9 4"}, {"nbVirtualFinerLevels", levels}});
            g.init();
            REQUIRE(g.isValid());
            const auto place = [&](const Vec3& x) {
                const auto at = g.locateCell(x);
                const Hexahedron& h = g.hexahedra()[at.cell];
                Vec3 p = g.pointPosition(h[0]), d = g.pointPosition(h[6]) - p;
                for (std::size_t k = 0; k < 3; ++k) p[k] += at.local[k] * d[k];
                return p;
            };
            for (const Vec3& x : {Vec3{1., 0.1, 0.2}, Vec3{-0.7, 0.7, -0.1}, Vec3{0., 0., 0.}, Vec3{5., 4., 3.}}) {
                CHECK(norm(place(x) - x) < 1e-12);
                const auto at = g.locateCell(x);
                const bool inside = std::ranges::all_of(at.local, [](double c) { return c >= 0. && c <= 1.; });
                CHECK(inside == (norm(Vec2{norm(Vec2{x[0], x[1]}) - 1., x[2]}) < 0.4));
            }
        }
}

TEST_CASE("Finer levels weigh cells with what they contain")
{
    // Halving cells keeps the sum over them; the volume of the ball differs from it by less than what cells at the
    // boundary contribute, of which each has between nothing and all of its volume in the ball.
    Node root("root");
    const auto grid = [&](const char* n, const char* levels) -> SparseGridTopology& {
        return test::addComponent<SparseGridTopology>(
            root, "SparseGridTopology",
            {{"filename", share + "/sphere.obj"}, {"n", n}, {"nbVirtualFinerLevels", levels}});
    };
    const SparseGridTopology &coarse = grid("5 5 5", "3"), &fine = grid("33 33 33", "0");
    const double volume = weightedVolume(coarse);
    CHECK(volume == Approx(weightedVolume(fine)).epsilon(1e-12));
    double atBoundary = 0.;
    for (Index h = 0; h < fine.hexahedra().size(); ++h)
        if (fine.stiffnessFactor(h) == 0.5) atBoundary += 0.5 * std::pow(2.04 / 32., 3);
    CHECK(std::abs(volume - 4. / 3. * 3.14159265358979) < atBoundary);
    CHECK(atBoundary < volume / 6.);
}

TEST_CASE("Arms that a slot separates move apart in a ramified grid")
{
    // The block of scenes/component/topology/SparseGridRamificationTopology.scn.
    const test::Attributes block{{"position",
                                  "0 0 0  4 0 0  4 1.4 0  1 1.4 0  1 1.6 0  4 1.6 0  4 3 0  0 3 0  0 0 1  4 0 1  4 1.4 "
                                  "1  1 1.4 1  1 1.6 1  4 1.6 "
                                  "1  4 3 1  0 3 1"},
                                 {"quads",
                                  "0 3 2 1  0 7 4 3  7 6 5 4  8 9 10 11  8 11 12 15  15 12 13 14  0 1 9 8  1 2 10 9  2 "
                                  "3 11 10  3 4 12 11  4 5 13 "
                                  "12  5 6 14 13  6 7 15 14  7 0 8 15"},
                                 {"n", "5 3 2"},
                                 {"nbVirtualFinerLevels", "3"}};
    Node root("root");
    const auto grid = [&](const test::Attributes& more) -> SparseGridTopology& {
        return test::addComponent<SparseGridTopology>(root, "SparseGridRamificationTopology", with(block, more));
    };
    auto& plain = test::addComponent<SparseGridTopology>(root, "SparseGridTopology", block);
    CHECK(plain.nbPoints() == 5 * 3 * 2);
    // Adjacent cells hang together across the slot, whose walls are in adjacent cells.
    CHECK(grid({{"finestConnectivity", "0"}}).nbPoints() == 30);
    // By the surface: the slot ends in the second column of cells, which share all their points; at the right sides of
    // the third and the fourth column there are points for each arm.
    auto& apart = grid({{"exact", "1"}});
    CHECK(apart.hexahedra().size() == 8);
    CHECK(apart.nbPoints() == 30 + 2 * 2);
    const auto above = apart.locateCell({3.5, 1.7, 0.5}), below = apart.locateCell({3.5, 1.3, 0.5});
    CHECK(above.cell != below.cell);
    for (const Index v : apart.hexahedra()[above.cell])
        CHECK(std::ranges::count(apart.hexahedra()[below.cell], v) == 0);
    CHECK(weightedVolume(apart) == Approx(weightedVolume(plain)).epsilon(1e-12));
}

TEST_CASE("Bodies in each other: coefficients inside and at the boundary")
{
    Node root("root");
    const auto grid = [&](const test::Attributes& more) -> SparseGridTopology& {
        return test::addComponent<SparseGridTopology>(
            root, "SparseGridMultipleTopology",
            with({{"fileTopologies", share + "/cube.obj " + share + "/sphere.obj"},
                  {"min", "-2 -2 -2"},
                  {"max", "2 2 2"},
                  {"n", "9 9 9"},
                  {"stiffnessCoefs", "2 10"},
                  {"massCoefs", "4"},
                  {"finestConnectivity", "0"}},
                 more));
    };
    const auto at = [](const SparseGridTopology& g, const Vec3& x) { return g.stiffnessFactor(g.locateCell(x).cell); };
    // Cells of ½. The cube reaches to ±1, the ball too.
    auto& g = grid({});
    CHECK(at(g, {0.1, 0.1, 0.1}) == 10.);
    CHECK(at(g, {0.9, 0.1, 0.1}) ==
          (2. + 10.) / 2.);  // inside the cube (walls belong to the upper cells), border of the ball
    CHECK(at(g, {1.1, 1.1, 1.1}) == 1.);
    CHECK(g.massFactor(g.locateCell({0.1, 0.1, 0.1}).cell) == 1.);
    CHECK(g.massFactor(g.locateCell({0.9, 0.1, 0.1}).cell) == (4. + 1.) / 2.);
    CHECK(g.massFactor(g.locateCell({1.1, 1.1, 1.1}).cell) == 2.);
    CHECK(at(grid({{"erasePreviousCoef", "1"}}), {0.9, 0.1, 0.1}) == 10.);
    CHECK(at(grid({{"fillWeighted", "0"}}), {1.1, 1.1, 1.1}) == 2.);
    CHECK(grid({{"computeRamifications", "0"}, {"nbVirtualFinerLevels", "1"}}).hexahedra().size() ==
          grid({{"nbVirtualFinerLevels", "1"}}).hexahedra().size());
}

TEST_CASE("When cells are removed, the others keep their stiffness, and points are no longer located by the grid")
{
    Node root("root");
    auto& g = test::addComponent<SparseGridTopology>(root, "SparseGridTopology", with(cube, {{"n", "5 5 5"}}));
    g.init();
    REQUIRE(g.locatesCells());
    for (StoredTopology::List* list : g.lists())
        if (list->type() == ElementType::Hexahedra) {
            Vector<Index> vertices;
            for (const Index i : {0u, 55u, 56u, 63u})
                vertices.insert(vertices.end(), list->element(i).begin(), list->element(i).end());
            list->assign(vertices, {0, 55, 56, 63});
        }
    CHECK(g.hexahedra().size() == 4);
    CHECK(g.stiffnessFactor(1) == 0.5);
    CHECK(g.stiffnessFactor(2) == 1.);
    CHECK_FALSE(g.locatesCells());
}

TEST_CASE("Voxels as text and as bytes")
{
    Node root("root");
    const test::TemporaryDirectory folder;
    const fs::path text = folder.write("test.voxel", "3 2 1\n0.5 0.5 2\n1 0 255\n0 0 7\n");
    auto& g = test::addComponent<SparseGridTopology>(root, "SparseGridTopology", {{"filename", text.string()}});
    CHECK(g.hexahedra().size() == 3);
    CHECK(g.nbPoints() == 8 + 12);
    CHECK(g.d_max.value() == Vec3{1.5, 1., 2.});
    CHECK(g.locateCell({0.6, 0.1, 0.1}).cell == 0);
    CHECK(g.stiffnessFactor(0) == 1.);

    const fs::path raw = folder.write("test.raw", std::string("\1\0\0\0\0\0\0\2", 8));
    auto& r = test::addComponent<SparseGridTopology>(
        root, "SparseGridTopology",
        {{"filename", raw.string()}, {"dataResolution", "2 2 2"}, {"voxelSize", "1 1 1"}, {"n", "3 3 3"}});
    CHECK(r.hexahedra().size() == 2);
    CHECK(r.nbPoints() == 15);
    CHECK(r.pointPosition(14) == Vec3{2., 2., 2.});
}

TEST_CASE("What is wrong with a sparse grid is told, and the topology is empty", "[input]")
{
    struct Case
    {
        test::Attributes attributes;
        const char* type = "SparseGridTopology";
    };
    const test::TemporaryDirectory folder;
    const fs::path shortRaw = folder.write("short.raw", "abc"),
                   badText = folder.write("bad.voxel", "2 2 2\n1 1 1\n1 0 x 1 1 1 1 1\n"),
                   noBody = folder.write("empty.voxel", "1 1 1\n1 1 1\n0\n"),
                   hugeText = folder.write("huge.voxel", "90000 90000 9\n1 1 1\n0\n");
    for (const Case& c :
         {Case{{}}, Case{{{"position", "0 0 0  1 0 0  0 1 0"}, {"triangles", "0 1 2"}}},
          Case{{{"position", "0 0 0  1 0 0  0 1 1"}, {"triangles", "0 1 3"}}},
          Case{with(cube, {{"n", "1000 1000 1000"}})}, Case{with(cube, {{"cellWidth", "1e-9"}})},
          Case{with(cube, {{"n", "200 200 200"}, {"nbVirtualFinerLevels", "8"}})},
          Case{{{"filename", "there/is/no.obj"}}}, Case{{{"filename", shortRaw.string()}}},
          Case{{{"filename", shortRaw.string()}, {"dataResolution", "2 2 2"}}}, Case{{{"filename", badText.string()}}},
          Case{{{"filename", noBody.string()}}}, Case{{{"filename", hugeText.string()}}},
          Case{{{"position", "nan 0 0  1 0 0  0 1 1"}, {"min", "0 0 0"}, {"max", "1 1 1"}}},
          Case{{}, "SparseGridMultipleTopology"}, Case{{{"fileTopologies", "no.obj"}}, "SparseGridMultipleTopology"}}) {
        Node root("root");
        auto& g = test::addComponent<SparseGridTopology>(root, c.type, c.attributes);
        INFO(c.type << ' '
                    << (c.attributes.empty() ? "" : c.attributes.back().first + "=" + c.attributes.back().second));
        g.init();
        CHECK_FALSE(g.isValid());
        CHECK(g.hexahedra().empty());
        CHECK(g.nbPoints() == 0);
        CHECK(g.locateCell({}).cell == InvalidIndex);
    }
}

}  // namespace sparse_grid_test
