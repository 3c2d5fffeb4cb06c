// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FilledCell.h"

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/fem/elements/ElementMassMatrix.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace filled_cell_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Nodes = CorotationalHexahedra::Nodes;

/// A parallelepiped, not along the axes.
Nodes parallelepiped()
{
    const Vec3 a{1., 0.2, 0.1}, b{-0.3, 0.8, 0.2}, c{0.2, -0.1, 1.3};
    Nodes n;
    for (std::size_t i = 0; i < 8; ++i) {
        const Vec3& s = HexahedronShape::corners[i];
        n[i] = (a * (1. + s[0]) + b * (1. + s[1]) + c * (1. + s[2])) * 0.5;
    }
    return n;
}

/// Shape functions of the whole at the corners of fine cell `place` of n.
std::array<std::array<double, 8>, 8> interpolation(const Vec<3, int>& place, int n)
{
    std::array<std::array<double, 8>, 8> l;
    for (std::size_t i = 0; i < 8; ++i) {
        Vec3 at;
        for (std::size_t a = 0; a < 3; ++a) at[a] = (2. * place[a] + 1. + HexahedronShape::corners[i][a]) / n - 1.;
        l[i] = HexahedronShape::values(at);
    }
    return l;
}

}  // namespace

TEST_CASE("An unevenly filled cell has the stiffness and mass of its fine cells, interpolated", "[fem]")
{
    const Nodes whole = parallelepiped();
    const LameParameters material{2., 0.7};
    const int n = GENERATE(2, 4);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> factor(0., 1.);
    FilledCell cell;
    Mat<24> k;
    Mat<8> m;
    double sum = 0.;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                if ((x + 2 * y + z) % 3 == 0) continue;  // empty
                const double c = factor(random);
                sum += c;
                cell.add({x, y, z}, n, c);
                const auto l = interpolation({x, y, z}, n);
                Nodes fine;
                for (std::size_t i = 0; i < 8; ++i) {
                    fine[i] = {};
                    for (std::size_t j = 0; j < 8; ++j) fine[i] += whole[j] * l[i][j];
                }
                const auto kf = CorotationalHexahedra::integrate(fine, material);
                const auto mf = elementMassMatrix<HexahedronShape>(fine, HexahedronShape::quadrature,
                                                                   [](const double*) { return 3.; });
                for (std::size_t i = 0; i < 8; ++i)
                    for (std::size_t j = 0; j < 8; ++j)
                        for (std::size_t a = 0; a < 8; ++a)
                            for (std::size_t b = 0; b < 8; ++b) {
                                m[i][j] += c * l[a][i] * mf[a][b] * l[b][j];
                                for (std::size_t r = 0; r < 3; ++r)
                                    for (std::size_t s = 0; s < 3; ++s)
                                        k[3 * i + r][3 * j + s] += c * l[a][i] * kf[3 * a + r][3 * b + s] * l[b][j];
                            }
            }
    CHECK(cell.mean() == Approx(sum / (n * n * n)).epsilon(1e-13));
    CHECK_FALSE(cell.uniform());
    const auto found = CorotationalHexahedra::integrate(
        whole, material, nullptr, CorotationalHexahedra::Jacobian::Exact, Dilatation::Pointwise, cell.rule());
    const auto mass = elementMassMatrix<HexahedronShape>(whole, cell.rule(), [](const double*) { return 3.; });
    double largest = 0., error = 0., massError = 0.;
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j) {
            largest = std::max(largest, std::abs(k[i][j]));
            error = std::max(error, std::abs(k[i][j] - found[i][j]));
        }
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j) massError = std::max(massError, std::abs(m[i][j] - mass[i][j]));
    CHECK(largest > 0.1);
    CHECK(error < 1e-13 * largest);
    CHECK(m[0][0] > 0.01);
    CHECK(massError < 1e-14);
}

TEST_CASE("A cell that is filled evenly says so", "[fem]")
{
    FilledCell cell;
    CHECK_FALSE(cell.uniform());
    CHECK(cell.mean() == 0.);
    for (int i = 0; i < 8; ++i) {
        CHECK_FALSE(cell.uniform());
        cell.add({i & 1, i >> 1 & 1, i >> 2}, 2, 0.3);
    }
    CHECK(cell.uniform() == 0.3);
    CHECK(cell.mean() == Approx(0.3));
    // Two parts of matter in one place, and none in another.
    FilledCell twice;
    for (int i = 0; i < 8; ++i) twice.add({i & 1, 0, i >> 2}, 2, 0.3);
    CHECK_FALSE(twice.uniform());
    FilledCell all;
    all.add({0, 0, 0}, 1, 0.5);
    CHECK(all.uniform() == 0.5);
}

}  // namespace filled_cell_test
