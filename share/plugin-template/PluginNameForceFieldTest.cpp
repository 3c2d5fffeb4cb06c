// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameForceField.h"

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

using namespace sofa::core;
using sofa::component::PluginNameForceField;

namespace {

using VecCoord = PluginNameForceField::VecCoord;
using VecDeriv = PluginNameForceField::VecDeriv;

const VecCoord positions = {{1., 2., -1.}, {0.3, -0.2, 0.7}, {0., 0., 0.}};

VecDeriv forceAt(PluginNameForceField& forceField, const VecCoord& x)
{
    VecDeriv f(x.size()), v(x.size());
    forceField.addForce(MechanicalParams(), f, x, v);
    return f;
}

/// Keeps the blocks of points with themselves; this law has no others.
class DiagonalBlocks : public BlockSink
{
public:
    explicit DiagonalBlocks(std::size_t points) : m_blocks(points) {}
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        REQUIRE((i == j && r == 3 && c == 3));
        for (std::size_t e = 0; e < 9; ++e) m_blocks[static_cast<std::size_t>(i)](e / 3, e % 3) += block[e];
    }
    const Mat<3, 3>& operator[](std::size_t i) const { return m_blocks[i]; }

private:
    std::vector<Mat<3, 3>> m_blocks;
};

}  // namespace

TEST_CASE("the force is known in closed form")
{
    PluginNameForceField forceField;
    forceField.d_stiffness.setValue(2.);
    forceField.d_center.setValue({1., 0., 0.});
    const VecDeriv f = forceAt(forceField, {{4., 0., 0.}});
    CHECK(f[0][0] == Approx(-54.));  // −2 · 3³
    CHECK(f[0][1] == 0.);
    CHECK(f[0][2] == 0.);
}

TEST_CASE("the force is minus the gradient of the energy")
{
    PluginNameForceField forceField;
    forceField.d_stiffness.setValue(3.);
    const VecDeriv f = forceAt(forceField, positions);
    REQUIRE(norm(f[0]) > 1.);
    const double h = 1e-4;  // central differences of a quartic: error of order h² · k |d|
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            VecCoord above = positions, below = positions;
            above[i][c] += h;
            below[i][c] -= h;
            const MechanicalParams mp;
            const double slope =
                (forceField.potentialEnergy(mp, above) - forceField.potentialEnergy(mp, below)) / (2. * h);
            CHECK(f[i][c] == Approx(-slope).margin(1e-6));
        }
}

TEST_CASE("the stiffness is the derivative of the force")
{
    PluginNameForceField forceField;
    forceField.d_stiffness.setValue(3.);
    forceAt(forceField, positions);
    DiagonalBlocks stiffness(positions.size());
    forceField.buildStiffness(MechanicalParams(), stiffness);
    REQUIRE(stiffness[0](0, 0) < -1.);
    const double h = 1e-4;
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            VecCoord above = positions, below = positions;
            above[i][c] += h;
            below[i][c] -= h;
            const Vec3 slope = (forceAt(forceField, above)[i] - forceAt(forceField, below)[i]) / (2. * h);
            for (std::size_t r = 0; r < 3; ++r) CHECK(stiffness[i](r, c) == Approx(slope[r]).margin(1e-6));
        }
}
