// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <set>

#include "tests/harness/EngineCheck.h"

namespace distances_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

using Lists = Vector<Vector<double>>;

/// Some of the cells of a grid of 4 × 3 × 3, its points moved a little.
void fillGrid(const EngineAccess& e, RandomInput& random)
{
    Vector<Vec3> x;
    for (Index k = 0; k < 4; ++k)
        for (Index j = 0; j < 4; ++j)
            for (Index i = 0; i < 5; ++i) x.push_back(Vec3{double(i), double(j), double(k)} + random.point(0.1));
    Vector<Hexahedron> cells;
    for (Index k = 0; k < 3; ++k)
        for (Index j = 0; j < 3; ++j)
            for (Index i = 0; i < 4; ++i) {
                if (random.number() > 0.2) continue;
                const Index p = i + 5 * (j + 4 * k), up = p + 20;
                cells.push_back({p, p + 1, p + 6, p + 5, up, up + 1, up + 6, up + 5});
            }
    e.set("density", random.numbers(cells.size(), 0., 255.));
    e.set("position", x);
    e.set("hexahedra", std::move(cells));
    e.set("sources", Vector<Vec3>{{1., 1., 1.}, {4., 3., 3.}, {1.5, 2.5, 0.5}});
    e.set("targets", Vector<Vec3>{{2., 2., 2.}, {100., 0., 0.}});
    e.set("offset", random.point(0.3));
}

struct Cells
{
    Vector<Vec3> centers;
    std::vector<std::vector<std::size_t>> common;  ///< number of common points
    Vector<Index> sources, targets;

    explicit Cells(const EngineAccess& e)
    {
        const auto x = e.points("position");
        const auto& h = e.get<Vector<Hexahedron>>("hexahedra");
        for (const Hexahedron& c : h) {
            Vec3 sum;
            for (const Index v : c) sum += x[v] / 8.;
            centers.push_back(sum);
            common.emplace_back();
            for (const Hexahedron& d : h)
                common.back().push_back(static_cast<std::size_t>(
                    std::ranges::count_if(c, [&](Index v) { return std::ranges::count(d, v) > 0; })));
        }
        const auto nearest = [&](const Vec3& p) {
            std::size_t best = 0;
            for (std::size_t c = 1; c < centers.size(); ++c)
                if (norm(centers[c] + e.get<Vec3>("offset") - p) < norm(centers[best] + e.get<Vec3>("offset") - p))
                    best = c;
            return static_cast<Index>(best);
        };
        for (const Vec3& p : e.points("sources")) sources.push_back(nearest(p));
        for (const Vec3& p : e.points("targets")) targets.push_back(nearest(p));
    }
    bool neighbours(std::size_t a, std::size_t b) const { return a != b && common[a][b] >= 2; }

    /// By trying all steps as often as there are cells.
    Vector<double> ways(Index source, const Vector<double>* density) const
    {
        Vector<double> d(centers.size(), 1e300);
        d[source] = 0.;
        for (std::size_t round = 0; round < centers.size(); ++round)
            for (std::size_t a = 0; a < centers.size(); ++a)
                for (std::size_t b = 0; b < centers.size(); ++b)
                    if (neighbours(a, b))
                        d[b] = std::min(d[b], d[a] + norm(centers[b] - centers[a]) *
                                                         (density ? 1. + 5. * (*density)[a] / 255. : 1.));
        return d;
    }
};

void verifyWays(const EngineAccess& e)
{
    const Cells cells(e);
    const bool stiff = e.data("d_distanceType").text() == "Stiffness Diffusion";
    const bool voronoi = e.data("d_distanceType").text() == "Voronoi";
    const auto& density = e.get<Vector<double>>("density");
    const double end = e.get<double>("maxDistance");
    const auto& maps = e.get<Lists>("distances");
    REQUIRE(maps.size() == cells.sources.size());
    Lists expected;
    for (const Index s : cells.sources) {
        expected.push_back(cells.ways(s, stiff ? &density : nullptr));
        for (double& d : expected.back())
            if (d > (end > 0. ? end : 1e200)) d = -1.;
    }
    for (std::size_t c = 0; c < cells.centers.size() && voronoi; ++c) {
        double least = 1e300;
        for (const auto& m : expected)
            if (m[c] >= 0.) least = std::min(least, m[c]);
        bool found = false;
        for (auto& m : expected) {
            if (found || m[c] > least * (1. + 1e-12)) m[c] = -1.;
            found |= m[c] >= 0.;
        }
    }
    for (std::size_t s = 0; s < maps.size(); ++s) {
        REQUIRE(maps[s].size() == cells.centers.size());
        for (std::size_t c = 0; c < maps[s].size(); ++c) CHECK(std::abs(maps[s][c] - expected[s][c]) < 1e-12);
        for (std::size_t t = 0; t < cells.targets.size(); ++t)
            CHECK(e.get<Lists>("targetDistances")[s][t] == maps[s][cells.targets[t]]);
    }
}

/// The equation, the values at the sources, and where there is no way to one.
void verifyHarmonic(const EngineAccess& e)
{
    const Cells cells(e);
    const bool stiff = e.data("d_distanceType").text() == "Harmonic with Stiffness";
    const auto& density = e.get<Vector<double>>("density");
    const auto& maps = e.get<Lists>("distances");
    REQUIRE(maps.size() == cells.sources.size());
    for (std::size_t s = 0; s < maps.size(); ++s) {
        const Vector<double>& u = maps[s];
        for (const Index source : cells.sources) CHECK(u[source] == (source == cells.sources[s] ? 0. : 50.));
        for (std::size_t c = 0; c < u.size(); ++c) {
            bool joined = false;
            for (const Index source : cells.sources) joined |= cells.ways(source, nullptr)[c] < 1e200;
            CHECK((u[c] == -1.) == !joined);
            if (!joined || std::ranges::count(cells.sources, c) > 0) continue;
            double sum = 0., scale = 0.;
            for (std::size_t d = 0; d < u.size(); ++d) {
                if (!cells.neighbours(c, d)) continue;
                const double w = (cells.common[c][d] == 4 ? 2. : 1.) * (stiff ? (density[c] + density[d]) / 2. : 1.);
                sum += w * (u[d] - u[c]);
                scale += w * 50.;
            }
            CHECK(std::abs(sum) < 1e-12 * scale);
        }
    }
}

}  // namespace

HARNESS_ENGINE("Distances")
{
    const std::string cell = "0 1 3 2 4 5 7 6", corners = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
    for (const char* type : {"Geodesic", "Stiffness Diffusion", "Voronoi"})
        for (const char* end : {"0", "2.5"})
            checkEngine({.type = "Distances",
                         .attributes = {{"d_distanceType", type}, {"maxDistance", end}},
                         .fill = fillGrid,
                         .verify = verifyWays,
                         .seeds = 3});
    for (const char* type : {"Harmonic", "Harmonic with Stiffness"})
        checkEngine(
            {.type = "Distances",
             .attributes = {{"d_distanceType", type}, {"harmonicMaxValue", "50"}},
             .fill = fillGrid,
             .verify = verifyHarmonic,
             .mistakes = {{{{"d_distanceType", "Harmonic with Stiffness"}, {"position", corners}, {"hexahedra", cell}},
                           "density: there are 0 for 1 cells"},
                          {{{"d_distanceType", type}, {"position", corners}, {"sources", "0 0 0"}},
                           "hexahedra: there are no cells"},
                          {{{"d_distanceType", type}, {"hexahedra", cell}}, "there are 0"}},
             .seeds = 3});
}

TEST_CASE("Distances in a row of cells")
{
    Node root("root");
    Vector<Vec3> x;
    Vector<Hexahedron> cells;
    for (Index i = 0; i < 5; ++i)
        for (const Vec3& p : {Vec3{0., 0., 0.}, Vec3{0., 1., 0.}, Vec3{0., 1., 1.}, Vec3{0., 0., 1.}})
            x.push_back(p + Vec3{double(i), 0., 0.});
    for (Index i = 0; i < 16; i += 4) cells.push_back({i, i + 4, i + 5, i + 1, i + 3, i + 7, i + 6, i + 2});
    addState<Vec3Types>(root, x);
    auto& e = addComponent<Engine>(root, "Distances", {{"sources", "0 0 0  3.9 0 0"}});
    REQUIRE(initialise(root));
    const EngineAccess access(e);
    access.set("hexahedra", cells);
    CHECK(access.get<Lists>("distances") == Lists{{0., 1., 2., 3.}, {3., 2., 1., 0.}});
    std::string error;
    REQUIRE(access.data("d_distanceType").read("Voronoi", error));
    CHECK(access.get<Lists>("distances") == Lists{{0., 1., -1., -1.}, {-1., -1., 1., 0.}});
    REQUIRE(access.data("d_distanceType").read("Harmonic", error));
    const auto u = access.get<Lists>("distances");
    for (std::size_t c = 0; c < 4; ++c) CHECK(u[0][c] == Approx(100. / 3. * static_cast<double>(c)));
}

}  // namespace distances_test
