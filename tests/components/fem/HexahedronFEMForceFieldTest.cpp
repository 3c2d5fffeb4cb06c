// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronFEMForceField.h"

#include "core/factory/Registry.h"
#include "tests/components/fem/StretchedBox.h"

namespace hexahedron_fem_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Scene = ForceFieldScene<HexahedronFEMForceField>;

}  // namespace

HARNESS_FORCE_FIELD("HexahedronFEMForceField") { checkUnrotated<HexahedronFEMForceField>("small", false); }

TEST_CASE("A hexahedral force field reports what its scene lacks", "[fem]")
{
    Scene s(smallBox(), true, false);
    s.init();
    CHECK_FALSE(s.field.isValid());
    CHECK(s.messages.has(Severity::Error, "has no hexahedra"));
    Scene m(smallBox(), false, true);
    m.set("method", "svd");
    CHECK(m.messages.has(Severity::Error, "small, large, polar"));
}

TEST_CASE("Uniaxial tension of hexahedra has its closed-form force and energy with every method", "[fem]")
{
    const BoxMesh mesh = smallBox();
    for (const char* method : {"small", "large", "polar"}) {
        Scene s(mesh, false, true);
        s.set("youngModulus", "300").set("poissonRatio", "0").set("method", method).init();
        REQUIRE(s.field.isValid());
        const double strain = 0.1;
        const Vector<Vec3> x = stretched(mesh, strain);
        const Vector<Vec3> f = s.forces(x);
        double pull = 0.;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (mesh.points[i][0] == 2.) pull -= f[i][0];
        CHECK(pull == Approx(300. * strain));
        CHECK(s.energy(x) == Approx(0.5 * 300. * strain * strain * 2.));
    }
}

TEST_CASE("Cells of a sparse grid count as much as they are filled", "[fem]")
{
    const BoxMesh mesh = smallBox();
    const Vector<Vec3> x = stretched(mesh, 0.1);
    Scene full(mesh, false, true), half(mesh, false, true);
    half.topology.factors = {0.5, 0.5};
    full.init();
    half.init();
    const Vector<Vec3> a = full.forces(x), b = half.forces(x);
    CHECK(maxNorm(a) > 1.);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(a[i] * 0.5 - b[i]) < 1e-11);
}

TEST_CASE("Edited parameters and topologies of hexahedra are applied", "[fem]")
{
    const BoxMesh mesh = smallBox();
    const Vector<Vec3> x = stretched(mesh, 0.1);
    Scene s(mesh, false, true);
    s.set("youngModulus", "100").init();
    const Vector<Vec3> before = s.forces(x);
    s.field.d_youngModulus.setValue({200.});
    s.field.reinit();
    const Vector<Vec3> after = s.forces(x);
    CHECK(maxNorm(before) > 1.);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(after[i] - before[i] * 2.) < 1e-11);
    s.topology.m_hexahedra.pop_back();
    const Vector<Vec3> one = s.forces(x);
    CHECK(maxNorm(one) > 1.);
    CHECK(one[2] == Vec3{});  // a corner of the removed element
}

TEST_CASE("Node rotations of hexahedra follow the body", "[fem]")
{
    const BoxMesh mesh = smallBox();
    Scene s(mesh, false, true);
    s.init();
    s.forces(mapped(mesh.points, someRotation(), {}));
    Vector<Mat3> r;
    s.field.nodeRotations(r);
    REQUIRE(r.size() == mesh.points.size());
    for (const Mat3& m : r) CHECK(norm(m - someRotation()) < 1e-13);
    CHECK(Registry::instance().find("ParallelHexahedronFEMForceField") != nullptr);
}

}  // namespace hexahedron_fem_force_field_test
