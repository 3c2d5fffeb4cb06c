// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricMapping.h"

#include <filesystem>
#include <fstream>

#include "core/io/InterpolationFile.h"
#include "tests/components/mapping/MappingFixture.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/Paths.h"

namespace barycentric_mapping_test {

using namespace sofa::test;
using sofa::component::BarycentricMapping;
using sofa::component::BarycentricWeights;
using sofa::component::computeBarycentricWeights;
using Pair = MappedPair<BarycentricMapping, Vec3Types, Vec3Types>;

namespace {

/// Point i of the embedded points, from the weights.
Vec3 interpolate(const BarycentricWeights& w, Index i, const Vector<Vec3>& x)
{
    Vec3 s;
    for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) s += x[w.columns[k]] * w.weights[k];
    return s;
}

/// Nodes of the element that holds point i.
Vector<Index> nodesOf(const BarycentricWeights& w, Index i)
{
    return {w.columns.begin() + w.rowStart[i], w.columns.begin() + w.rowStart[i + 1]};
}

/// A row of unit cubes along x, as hexahedra or as five tetrahedra each.
void fillBar(ListTopology& t, Index cubes, bool tetrahedra)
{
    for (Index i = 0; i <= cubes; ++i)
        for (const auto& [y, z] : {std::pair{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}})
            t.m_points.push_back({static_cast<double>(i), y, z});
    for (Index i = 0; i < cubes; ++i) {
        const Index a = 4 * i, b = a + 4;
        const Hexahedron h{a, b, b + 1, a + 1, a + 3, b + 3, b + 2, a + 2};
        if (!tetrahedra) {
            t.m_hexahedra.push_back(h);
            continue;
        }
        for (const Tetrahedron& k : {Tetrahedron{0, 1, 3, 4}, Tetrahedron{1, 2, 3, 6}, Tetrahedron{1, 6, 4, 5},
                                     Tetrahedron{3, 4, 6, 7}, Tetrahedron{1, 3, 4, 6}})
            t.m_tetrahedra.push_back({h[k[0]], h[k[1]], h[k[2]], h[k[3]]});
    }
}

Vector<Vec3> randomPoints(std::size_t n, double spread)
{
    Numbers numbers;
    Vector<Vec3> out;
    for (std::size_t i = 0; i < n; ++i) out.push_back(Vec3{2., 0.5, 0.5} + numbers.vector() * spread);
    return out;
}

/// The element by comparison with every element, straight from the definition in BarycentricWeights.h.
Index bruteForceTetrahedron(const ListTopology& t, const Vec3& p)
{
    double best = 1e300;
    Index element = InvalidIndex;
    for (Index e = 0; e < t.m_tetrahedra.size(); ++e) {
        const auto& k = t.m_tetrahedra[e];
        const Vec3 o = t.m_points[k[0]];
        const Vec3 v =
            inverse(Mat3::fromColumns(t.m_points[k[1]] - o, t.m_points[k[2]] - o, t.m_points[k[3]] - o)) * (p - o);
        double d = std::max(std::max(-v[0], -v[1]), std::max(-v[2], v[0] + v[1] + v[2] - 1.));
        if (d > 0.) d = norm2(p - (o + t.m_points[k[1]] + t.m_points[k[2]] + t.m_points[k[3]]) * 0.25);
        if (d < best) {
            best = d;
            element = e;
        }
    }
    return element;
}

}  // namespace

TEST_CASE("Weights sum to one and reproduce the embedded points", "[mapping]")
{
    const bool tetrahedra = GENERATE(true, false);
    const bool container = GENERATE(true, false);
    ListTopology t;
    t.m_container = container;
    fillBar(t, 4, tetrahedra);
    const Vector<Vec3> points = randomPoints(200, 3.);  // many lie outside
    const BarycentricWeights w = computeBarycentricWeights(t, t.m_points, points);
    REQUIRE(w.rows() == points.size());
    for (Index i = 0; i < w.rows(); ++i) {
        double sum = 0.;
        for (Index k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) sum += w.weights[k];
        CHECK(sum == Approx(1.).epsilon(1e-12));
        CHECK(norm(interpolate(w, i, t.m_points) - points[i]) < 1e-12);
    }
}

TEST_CASE("Points inside get the element that holds them", "[mapping]")
{
    ListTopology t;
    t.m_container = GENERATE(true, false);
    fillBar(t, 4, true);
    Numbers numbers;
    Vector<Vec3> points;
    for (int i = 0; i < 100; ++i)
        points.push_back(Vec3{2., 0.5, 0.5} +
                         Vec3{1.999 * numbers.next(), 0.499 * numbers.next(), 0.499 * numbers.next()});
    const BarycentricWeights w = computeBarycentricWeights(t, t.m_points, points);
    for (const double weight : w.weights) CHECK(weight > -1e-12);
}

TEST_CASE("The mesh search agrees with the comparison of all elements", "[mapping]")
{
    ListTopology t;
    fillBar(t, 4, true);
    const Vector<Vec3> points = randomPoints(300, 2.5);
    const BarycentricWeights w = computeBarycentricWeights(t, t.m_points, points);
    for (Index i = 0; i < w.rows(); ++i) {
        const auto& e = t.m_tetrahedra[bruteForceTetrahedron(t, points[i])];
        CHECK(nodesOf(w, i) == Vector<Index>(e.begin(), e.end()));
    }
}

TEST_CASE("A point outside is embedded in the element with the nearest centre", "[mapping]")
{
    ListTopology t;
    fillBar(t, 4, false);
    const BarycentricWeights w = computeBarycentricWeights(t, t.m_points, {{1.4, 3., 0.5}, {9., 0.5, 0.5}});
    const auto h1 = t.m_hexahedra[1], h3 = t.m_hexahedra[3];
    CHECK(nodesOf(w, 0) == Vector<Index>(h1.begin(), h1.end()));
    CHECK(nodesOf(w, 1) == Vector<Index>(h3.begin(), h3.end()));
}

TEST_CASE("Surfaces and lines", "[mapping]")
{
    ListTopology t;
    t.m_points = {{0., 0., 0.}, {2., 0., 0.}, {2., 2., 0.}, {0., 2., 0.}, {4., 0., 0.}};
    SECTION("triangles: the offset along the normal is dropped")
    {
        t.m_container = GENERATE(true, false);
        t.m_triangles = {{0, 1, 2}, {0, 2, 3}};
        const auto w = computeBarycentricWeights(t, t.m_points, {{1.5, 0.5, 0.01}, {0.2, 1.5, 0.}});
        CHECK(nodesOf(w, 0) == Vector<Index>{0, 1, 2});
        CHECK(nodesOf(w, 1) == Vector<Index>{0, 2, 3});
        CHECK(norm(interpolate(w, 0, t.m_points) - Vec3{1.5, 0.5, 0.}) < 1e-14);
    }
    SECTION("quads")
    {
        t.m_container = GENERATE(true, false);
        t.m_quads = {{0, 1, 2, 3}};
        const auto w = computeBarycentricWeights(t, t.m_points, {{0.5, 1.5, 0.}});
        CHECK(norm(interpolate(w, 0, t.m_points) - Vec3{0.5, 1.5, 0.}) < 1e-14);
        CHECK(w.weights[3] == Approx(0.75 * 0.75));
    }
    SECTION("lines of a mesh: the first edge onto which the point projects, else the last")
    {
        t.m_edges = {{0, 1}, {1, 4}};
        const auto w = computeBarycentricWeights(t, t.m_points, {{0.5, 1., 0.}, {3., 1., 0.}, {-1., 0., 0.}});
        CHECK(nodesOf(w, 0) == Vector<Index>{0, 1});
        CHECK(nodesOf(w, 1) == Vector<Index>{1, 4});
        CHECK(nodesOf(w, 2) == Vector<Index>{1, 4});
        CHECK(interpolate(w, 2, t.m_points)[0] == Approx(-1.));
    }
    SECTION("lines of a container: the nearest edge")
    {
        t.m_container = true;
        t.m_edges = {{0, 1}, {1, 4}};
        const auto w = computeBarycentricWeights(t, t.m_points, {{-1., 0., 0.}});
        CHECK(nodesOf(w, 0) == Vector<Index>{0, 1});
        CHECK(interpolate(w, 0, t.m_points)[0] == Approx(-1.));
    }
}

TEST_CASE("Containers use one kind of element, meshes use volumes together", "[mapping]")
{
    ListTopology t;
    fillBar(t, 1, true);
    ListTopology far;
    fillBar(far, 1, false);
    for (const Vec3& p : far.m_points) t.m_points.push_back(p + Vec3{5., 0., 0.});
    t.m_hexahedra = {far.m_hexahedra[0]};
    for (Index& n : t.m_hexahedra[0]) n += 8;
    const Vector<Vec3> inTetrahedra{{0.4, 0.4, 0.4}};
    CHECK(nodesOf(computeBarycentricWeights(t, t.m_points, inTetrahedra), 0).size() == 4);
    t.m_container = true;
    CHECK(nodesOf(computeBarycentricWeights(t, t.m_points, inTetrahedra), 0).size() == 8);
}

TEST_CASE("Grids locate points at rest", "[mapping]")
{
    /// One cell, from (0,0,0) to (1,1,1) at rest.
    struct Grid : ListTopology
    {
        bool locatesCells() const override { return true; }
        CellLocation locateCell(const Vec3& x) const override { return {0, x}; }
    } grid;
    fillBar(grid, 1, false);
    // The vertices of the state have moved; the grid has not.
    Vector<Vec3> moved = grid.m_points;
    for (Vec3& p : moved) p += Vec3{10., 0., 0.};
    const auto w = computeBarycentricWeights(grid, moved, {{0.25, 0.5, 0.75}});
    CHECK(norm(interpolate(w, 0, moved) - Vec3{10.25, 0.5, 0.75}) < 1e-14);
}

TEST_CASE("Degenerate elements are left out", "[mapping]")
{
    ListTopology t;
    t.m_container = GENERATE(true, false);
    fillBar(t, 1, true);
    t.m_tetrahedra.insert(t.m_tetrahedra.begin(), {0, 1, 1, 2});
    const auto w = computeBarycentricWeights(t, t.m_points, {{0.1, 0.1, 0.1}});
    CHECK(norm(interpolate(w, 0, t.m_points) - Vec3{0.1, 0.1, 0.1}) < 1e-14);
}

TEST_CASE("What a barycentric mapping cannot use is explained", "[mapping]")
{
    ListTopology t;
    t.m_points = {{}, {1., 0., 0.}};
    CHECK_THROWS_WITH(computeBarycentricWeights(t, t.m_points, {{}}), Catch::Contains("has no elements"));
    t.m_tetrahedra = {{0, 1, 2, 3}};
    CHECK_THROWS_WITH(computeBarycentricWeights(t, t.m_points, {{}}),
                      Catch::Contains("tetrahedron 0") && Catch::Contains("point 2") && Catch::Contains("2 points"));
    t.m_tetrahedra.clear();
    t.m_edges = {{0, 1}};
    CHECK_THROWS_WITH(computeBarycentricWeights(t, t.m_points, {{std::nan(""), 0., 0.}}),
                      Catch::Contains("position 0 of the output is not finite"));

    MessageCapture log;
    Pair p({{}}, {{}});
    p.init();
    CHECK_FALSE(p.mapping.isValid());
    CHECK(log.has(Severity::Error, "input_topology"));
}

TEST_CASE("BarycentricMapping moves points with the mesh", "[mapping]")
{
    const bool tetrahedra = GENERATE(true, false);
    auto topology = std::make_shared<ListTopology>();
    fillBar(*topology, 4, tetrahedra);
    Pair p(topology->m_points, randomPoints(20, 1.5));
    const auto embedded = p.out.d_position.value();
    p.root->addComponent(topology);
    p.init();
    REQUIRE(p.mapping.isValid());
    for (std::size_t i = 0; i < embedded.size(); ++i) CHECK(norm(p.out.positions()[i] - embedded[i]) < 1e-12);
    checkJacobian(p);

    // An affine motion of the mesh is followed exactly by points in tetrahedra; a rigid translation by all.
    const Vec3 shift{1., 2., 3.};
    for (Vec3& x : p.in.d_position.edit()) x += shift;
    p.mapping.apply(MechanicalParams{}, vec_id::position, vec_id::position);
    for (std::size_t i = 0; i < embedded.size(); ++i) CHECK(norm(p.out.positions()[i] - embedded[i] - shift) < 1e-12);
}

TEST_CASE("BarycentricMapping may use rest positions", "[mapping]")
{
    auto topology = std::make_shared<ListTopology>();
    fillBar(*topology, 1, true);
    Vector<Vec3> stretched = topology->m_points;
    for (Vec3& x : stretched) x[0] *= 2.;
    Pair p(stretched, {{0.5, 0.5, 0.5}});
    p.in.d_restPosition.setValue(topology->m_points);
    p.mapping.d_useRestPosition.setValue(true);
    p.root->addComponent(topology);
    p.init();
    CHECK(norm(p.out.positions()[0] - Vec3{1., 0.5, 0.5}) < 1e-14);
}

namespace {

/// A bar of tetrahedra with embedded points and a file of weights.
struct WithFile
{
    explicit WithFile(const std::string& file, bool save = false, bool tetrahedra = true)
    {
        fillBar(*topology, 3, tetrahedra);
        pair = std::make_unique<Pair>(topology->m_points, randomPoints(10, 1.));
        pair->root->addComponent(topology);
        pair->mapping.d_interpolation.setValue({file});
        pair->mapping.d_saveInterpolation.setValue(save);
        pair->mapping.d_printLog.setValue(true);
        pair->init();
    }
    Vector<Vec3> moved()
    {
        const auto x = pair->in.d_position.edit();
        for (Vec3& p : x) p = Vec3{1.1 * p[0] + 0.2 * p[1], p[1] - 0.3 * p[2], p[2] + p[0] * p[0]};
        pair->mapping.apply(MechanicalParams{}, vec_id::position, vec_id::position);
        return pair->out.positions();
    }
    std::shared_ptr<ListTopology> topology = std::make_shared<ListTopology>();
    std::unique_ptr<Pair> pair;
};

}  // namespace

TEST_CASE("BarycentricMapping finds, saves and loads the weights of Vega", "[mapping]")
{
    const TemporaryDirectory folder;
    const bool tetrahedra = GENERATE(true, false);
    const std::string file = (folder.path() / "points.interp").string();
    MessageCapture log;
    // Not there: found, and not saved unless the scene says so.
    WithFile found(file, false, tetrahedra);
    REQUIRE(found.pair->mapping.isValid());
    CHECK(log.has(Severity::Warning, "; the weights of 10 points were found instead"));
    CHECK_FALSE(std::filesystem::exists(file));
    WithFile saved(file, true, tetrahedra);
    REQUIRE(saved.pair->mapping.isValid());
    CHECK(log.has(Severity::Info, "the weights of 10 points were found and written to"));
    REQUIRE(std::filesystem::exists(file));
    CHECK(io::readInterpolation(file).nodesPerPoint == (tetrahedra ? 4 : 8));
    // There: the same bits, and the file stays as it is.
    const auto written = std::filesystem::last_write_time(file);
    WithFile loaded(file, true, tetrahedra);
    REQUIRE(loaded.pair->mapping.isValid());
    CHECK(std::filesystem::last_write_time(file) == written);
    const Vector<Vec3> x = loaded.moved();
    CHECK(x == saved.moved());
    CHECK(x == found.moved());
    checkJacobian(*loaded.pair);
    // The binary form.
    io::writeInterpolation(file, io::readInterpolation(file), true);
    WithFile binary(file, false, tetrahedra);
    CHECK(binary.moved() == x);
    // Without a file, the points of this mesh are the same up to rounding.
    if (tetrahedra) {
        WithFile none("", false, true);
        const Vector<Vec3> y = none.moved();
        for (std::size_t i = 0; i < y.size(); ++i) CHECK(norm(x[i] - y[i]) < 1e-12);
    }
}

TEST_CASE("Points with given weights keep their places at rest, and stay where the weights are zero", "[mapping]")
{
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "points.interp").string();
    auto topology = std::make_shared<ListTopology>();
    fillBar(*topology, 1, true);
    const auto start = [&](const std::string& text, Vector<Vec3> points) {
        std::ofstream(file) << text;
        Pair p(topology->m_points, std::move(points));
        p.mapping.d_interpolation.setValue({file});
        p.root->addComponent(topology);
        p.init();
        return p.mapping.isValid() ? p.out.positions() : Vector<Vec3>();
    };
    // Weights rounded to two decimals, and none.
    std::ofstream(file) << "0 0 0.33 4 0.34 1 0.33 3 0\n1 0 0 4 0 1 0 3 0\n";
    const Vector<Vec3> points{{1. / 3., 1. / 3., 0.}, {9., 9., 9.}};
    Pair p(topology->m_points, points);
    p.mapping.d_interpolation.setValue({file});
    p.root->addComponent(topology);
    p.init();
    REQUIRE(p.mapping.isValid());
    for (std::size_t i = 0; i < 2; ++i) CHECK(norm(p.out.positions()[i] - points[i]) < 1e-15);
    for (Vec3& x : p.in.d_position.edit()) x += Vec3{1., 2., 3.};
    p.mapping.apply(MechanicalParams{}, vec_id::position, vec_id::position);
    CHECK(norm(p.out.positions()[0] - points[0] - Vec3{1., 2., 3.}) < 1e-15);
    CHECK(p.out.positions()[1] == points[1]);

    MessageCapture log;
    CHECK(start("0 0 1 1 0 2 0 3 0\n", points).empty());
    CHECK(log.has(Severity::Error, "has weights for 1 points, but the output"));
    CHECK(start("0 0 1 1 0 2 0 8 0\n", {{0., 0., 0.}}).empty());
    CHECK(log.has(Severity::Error, "points.interp:1: expected a vertex from 0 to 7, found '8'"));
    CHECK(start("0 0 1 1 1 2 0 3 0\n", {{0., 0., 0.}}).size() == 1);
    CHECK(log.has(Severity::Warning, "the weights of 1 points"));
    // Two kinds of elements have no file.
    topology->m_hexahedra.push_back({0, 4, 5, 1, 3, 7, 6, 2});
    for (Vec3& x : topology->m_points) x[0] *= 2.;
    topology->m_hexahedra[0] = {0, 4, 5, 1, 3, 7, 6, 2};
    topology->m_tetrahedra.resize(1);
    std::filesystem::remove(file);
    Pair mixed(topology->m_points, {{0.1, 0.1, 0.1}, {1.9, 0.9, 0.9}});
    mixed.mapping.d_interpolation.setValue({file});
    mixed.root->addComponent(topology);
    mixed.init();
    CHECK_FALSE(mixed.mapping.isValid());
    CHECK(log.has(Severity::Error, "point 1 lies in an element with 8 vertices, others in one with 4"));
}

TEST_CASE("conformance of BarycentricMapping with a file of weights")
{
    const TemporaryDirectory folder;
    WithFile s((folder.path() / "points.interp").string(), true);
    checkMapping(s.pair->mapping, {.translates = true});
}

HARNESS_MAPPING("BarycentricMapping")
{
    auto topology = std::make_shared<ListTopology>();
    fillBar(*topology, 3, true);
    Pair p(topology->m_points, randomPoints(10, 1.));
    p.root->addComponent(topology);
    p.init();
    checkMapping(p.mapping, {.translates = true});
}

}  // namespace barycentric_mapping_test
