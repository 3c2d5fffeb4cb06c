// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CompositeCells.h"

#include "tests/core/fem/FemTestUtilities.h"

namespace composite_cells_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using geometry::CellFill;

/// Levels of one coarse cell of 1 m with 2^finer cells along each edge and these factors (0: empty).
std::vector<SparseLevel> levelsOf(int finer, const std::function<double(int, int, int)>& factor)
{
    const int n = 1 << finer;
    geometry::CellGrid grid;
    for (std::size_t a = 0; a < 3; ++a) {
        grid.cells[a] = n;
        grid.spacing[a] = 1. / n;
    }
    Vector<CellFill> fill;
    Vector<double> factors;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                factors.push_back(factor(x, y, z));
                fill.push_back(factors.back() > 0. ? CellFill::Inside : CellFill::Outside);
            }
    std::vector<SparseLevel> levels{finestLevel(grid, fill, factors, false)};
    for (int l = 0; l < finer; ++l) {
        SparseLevel coarse = coarsen(levels.back(), Coarsening::Plain);
        levels.push_back(std::move(coarse));
    }
    return levels;
}

CorotationalHexahedra::Nodes cube()
{
    CorotationalHexahedra::Nodes n = HexahedronShape::corners;
    for (Vec3& x : n) x = (x + Vec3{1., 1., 1.}) * 0.5;
    return n;
}

double stretchEnergy(const CompositeCells::Matrix& k, std::size_t axis)
{
    Vec<24> u;
    for (std::size_t i = 0; i < 8; ++i) u[3 * i + axis] = cube()[i][axis];
    return 0.5 * dot(u, k * u);
}

double greatestDifference(const Mat<24>& a, const Mat<24>& b)
{
    double d = 0.;
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j) d = std::max(d, std::abs(a[i][j] - b[i][j]));
    return d;
}

constexpr LameParameters material{0., 1.};  // E = 2, ν = 0

}  // namespace

TEST_CASE("A composite cell of one material is the trilinear one", "[fem]")
{
    // By symmetry all weights at middles are the trilinear ones.
    for (const bool inOneStep : {false, true}) {
        const auto levels = levelsOf(2, [](int, int, int) { return 0.7; });
        CompositeCells cells;
        cells.build(levels, {.finer = 2, .inOneStep = inOneStep});
        const auto e = cells.homogenise(0, cube(), {0.9, 1.}, 3.);
        auto plain = CorotationalHexahedra::integrate(cube(), {0.9, 1.});
        plain *= 0.7;
        if (!inOneStep) {
            CHECK(greatestDifference(e.stiffness, plain) < 1e-9);
            CHECK(e.mass[0][0] == Approx(0.7 * 3. / 27.));
            CHECK(e.mass[0][6] == Approx(0.7 * 3. / 216.));
        }
        double sum = 0.;
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j) sum += e.mass[i][j];
        CHECK(sum == Approx(0.7 * 3.));
    }
}

TEST_CASE("Soft layers between stiff ones take the deformation of a composite cell", "[fem]")
{
    // Layers with 100 and 1 times the modulus across x: between the moduli of Reuss and Voigt, near the former.
    const auto levels = levelsOf(1, [](int x, int, int) { return x == 0 ? 100. : 1.; });
    CompositeCells cells;
    cells.build(levels, {.finer = 1});
    const auto k = cells.homogenise(0, cube(), material, 1.).stiffness;
    const double reuss = 2. / (1. + 1. / 100.), voigt = 50.5;  // times E; energy of a unit stretch is half of it
    const double across = stretchEnergy(k, 0), along = stretchEnergy(k, 1);
    CHECK(across >= 0.999 * reuss);
    CHECK(across < 1.1 * reuss);
    CHECK(along == Approx(voigt));
    // Translations have no energy.
    for (std::size_t c = 0; c < 3; ++c) {
        Vec<24> u;
        for (std::size_t i = 0; i < 8; ++i) u[3 * i + c] = 1.;
        for (const double f : k* u) CHECK(std::abs(f) < 1e-9);
    }
    CompositeCells whole;
    whole.build(levels, {.finer = 1, .inOneStep = true});
    CHECK(greatestDifference(k, whole.homogenise(0, cube(), material, 1.).stiffness) < 1e-9);
}

TEST_CASE("Small rotations of a composite cell have no energy once they are taken out", "[fem]")
{
    const auto levels = levelsOf(1, [](int x, int y, int) { return x == y ? 100. : 1.; });
    CompositeCells cells;
    cells.build(levels, {.finer = 1});
    for (const RotationMethod method : {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar}) {
        auto k = cells.homogenise(0, cube(), material, 1.).stiffness;
        CorotationalHexahedra element;
        const auto nodes = cube();
        element.build({{0, 1, 2, 3, 4, 5, 6, 7}}, Vector<Vec3>(nodes.begin(), nodes.end()), method);
        const auto turning = element.restTurning(0);
        Vec<24> rotation, stretch;
        Vec3 turned;
        const Vec3 axis{0.3, -0.2, 0.5};
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 u = cross(axis, nodes[i]);
            turned += turning[i] * u;
            for (std::size_t c = 0; c < 3; ++c) rotation[3 * i + c] = u[c];
            stretch[3 * i] = nodes[i][0];  // the frame does not turn
        }
        CHECK(norm(turned - axis) < 1e-12);
        const double before = dot(rotation, k * rotation), inStretch = dot(stretch, k * stretch);
        CompositeCells::removeRotations(k, nodes, turning);
        CHECK(before > 1.);
        CHECK(std::abs(dot(rotation, k * rotation)) < 1e-10);
        CHECK(dot(stretch, k * stretch) == Approx(inStretch));
        Vec3 torque, force;
        const Vec<24> f = k * stretch;
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 here{f[3 * i], f[3 * i + 1], f[3 * i + 2]};
            force += here;
            torque += cross(nodes[i], here);
        }
        CHECK(norm(force) < 1e-11);
        CHECK(norm(torque) < 1e-11);
    }
}

TEST_CASE("The weights of a composite cell carry translations, and keep stiff cells as they are", "[fem]")
{
    const auto isSeed = [](int x, int y, int z) {
        const auto inside = [](int i) { return i == 1 || i == 2; };
        return inside(x) && inside(y) && inside(z);
    };
    const auto levels = levelsOf(2, [&](int x, int y, int z) { return isSeed(x, y, z) ? 1e5 : x == 3 ? 0. : 1.; });
    for (const bool complete : {false, true}) {
        CompositeCells cells;
        cells.build(levels, {.finer = 2, .inOneStep = true, .complete = complete});
        std::size_t seen = 0;
        double seedStretch = 0., otherStretch = 0.;
        cells.homogenise(0, cube(), material, 1., [&](Index piece, const CompositeCells::Matrix& w) {
            ++seen;
            CHECK(cells.coarsePiece(piece) == 0);
            for (std::size_t r = 0; r < 24; ++r)
                for (std::size_t c = 0; c < 3; ++c) {
                    double sum = 0.;
                    for (std::size_t i = 0; i < 8; ++i) sum += w[r][3 * i + c];
                    CHECK(sum == Approx(r % 3 == c ? 1. : 0.).margin(1e-7));
                }
            Vec<24> u;
            for (std::size_t i = 0; i < 8; ++i) u[3 * i] = cube()[i][0];
            const Vec<24> fine = w * u;
            const double stretch = std::abs(fine[3 * 1] - fine[0]) * 4.;  // strain along x of the edge 0 1
            const auto place = cells.coordinates(piece, 0);
            const auto at = [&](std::size_t a) { return static_cast<int>(std::lround((place[a] + 1.) * 2.)); };
            if (isSeed(at(0), at(1), at(2)))
                seedStretch = std::max(seedStretch, stretch);
            else
                otherStretch = std::max(otherStretch, stretch);
        });
        CHECK(seen == 64 - 16);
        CHECK(otherStretch > 0.5);
        if (complete) CHECK(seedStretch < 1e-3);
    }
    CompositeCells cells;
    cells.build(levels, {.finer = 2});
    const auto [piece, local] = cells.locate({0.3, 0.1, 0.6});
    CHECK(local[0] == Approx(0.2 * 2. - 1.));
    CHECK(local[1] == Approx(0.4 * 2. - 1.));
    CHECK(cells.coordinates(piece, 6)[2] == Approx(0.5));
}

}  // namespace composite_cells_test
