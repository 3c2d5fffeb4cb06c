// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BeamStiffness.h"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <numbers>

namespace beam_stiffness_test {

using namespace sofa::core;

namespace {

constexpr double s_young = 2e5, s_poisson = 0.3, s_length = 1.7;

BeamSection rectangle(double y, double z, bool shear)
{
    BeamSection s;
    s.area = y * z;
    s.inertiaY = y * z * z * z / 12.;
    s.inertiaZ = z * y * y * y / 12.;
    s.torsion = 0.5 * (s.inertiaY + s.inertiaZ);
    if (shear) s.shearY = s.shearZ = 5. / 6. * s.area;
    return s;
}

Eigen::Matrix<double, 12, 12> matrix(const BeamSection& s)
{
    const Mat<12, 12> k = beamStiffness(s_young, s_poisson, s, s_length);
    Eigen::Matrix<double, 12, 12> m;
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) m(i, j) = k(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    return m;
}

/// Displacements of the second end under a load on it, the first one being clamped.
Eigen::Matrix<double, 6, 1> tip(const BeamSection& s, int component)
{
    Eigen::Matrix<double, 6, 1> load = Eigen::Matrix<double, 6, 1>::Zero();
    load[component] = 1.;
    return matrix(s).bottomRightCorner<6, 6>().ldlt().solve(load);
}

}  // namespace

TEST_CASE("a cantilever of one beam has the deflections of Euler and Bernoulli, and of Timoshenko", "[fem]")
{
    const double g = s_young / (2. * (1. + s_poisson)), l = s_length;
    for (const bool shear : {false, true}) {
        const BeamSection s = rectangle(0.2, 0.3, shear);
        const double slip = shear ? l / (g * s.shearY) : 0.;
        CHECK(tip(s, 0)[0] == Approx(l / (s_young * s.area)).epsilon(1e-12));
        CHECK(tip(s, 3)[3] == Approx(l / (g * s.torsion)).epsilon(1e-12));
        CHECK(tip(s, 1)[1] == Approx(l * l * l / (3. * s_young * s.inertiaZ) + slip).epsilon(1e-12));
        CHECK(tip(s, 1)[5] == Approx(l * l / (2. * s_young * s.inertiaZ)).epsilon(1e-12));
        CHECK(tip(s, 2)[2] == Approx(l * l * l / (3. * s_young * s.inertiaY) + slip).epsilon(1e-12));
        CHECK(tip(s, 2)[4] == Approx(-l * l / (2. * s_young * s.inertiaY)).epsilon(1e-12));
        CHECK(tip(s, 5)[1] == Approx(l * l / (2. * s_young * s.inertiaZ)).epsilon(1e-12));
        CHECK(tip(s, 5)[5] == Approx(l / (s_young * s.inertiaZ)).epsilon(1e-12));
        CHECK(tip(s, 4)[4] == Approx(l / (s_young * s.inertiaY)).epsilon(1e-12));
    }
}

TEST_CASE("the stiffness of a beam is symmetric, and zero for its six rigid motions only", "[fem]")
{
    const auto k = matrix(rectangle(0.2, 0.3, true));
    CHECK((k - k.transpose()).norm() == 0.);
    Eigen::Matrix<double, 12, 6> rigid = Eigen::Matrix<double, 12, 6>::Zero();
    for (int i = 0; i < 6; ++i) rigid(i, i) = rigid(6 + i, i) = 1.;
    rigid(8, 4) = -s_length;  // a rotation about y lowers the second end
    rigid(7, 5) = s_length;
    CHECK((k * rigid).norm() < 1e-12 * k.norm());
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>> spectrum(k);
    CHECK(std::abs(spectrum.eigenvalues()[5]) < 1e-12 * k.norm());
    CHECK(spectrum.eigenvalues()[6] > 1e-6 * k.norm());
}

TEST_CASE("the section of a tube", "[fem]")
{
    const BeamSection s = BeamSection::tube(0.3, 0.1);
    CHECK(s.area == Approx(std::numbers::pi * 0.08).epsilon(1e-14));
    CHECK(s.inertiaY == Approx(std::numbers::pi / 4. * (0.0081 - 0.0001)).epsilon(1e-14));
    CHECK(s.inertiaZ == s.inertiaY);
    CHECK(s.torsion == 2. * s.inertiaY);
    CHECK(s.shearY == 0.);
}

}  // namespace beam_stiffness_test
