// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Parameters by region and material in the force fields of linear elasticity; those of the hyperelastic ones are in
// ThinForceFieldsTest.cpp.
#include "components/fem/BaraffWitkinForceField.h"
#include "components/fem/CorotationalFEMForceField.h"
#include "components/fem/FastTetrahedralCorotationalForceField.h"
#include "components/fem/HexahedronFEMForceField.h"
#include "components/fem/LinearSmallStrainFEMForceField.h"
#include "components/fem/TetrahedralCorotationalFEMForceField.h"
#include "components/fem/TetrahedronFEMForceField.h"
#include "tests/components/fem/FemFixture.h"

namespace element_regions_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

BoxMesh bodyMesh()
{
    BoxMesh mesh(2, 2, 3, {1., 1.5, 1.});  // twelve hexahedra, 72 tetrahedra
    mesh.jitter(0.05);
    return mesh;
}

/// Text of a list with the value of `of(e)` for each element.
template <class F>
std::string listOf(std::size_t elements, F&& of)
{
    std::string text;
    for (std::size_t e = 0; e < elements; ++e) text += std::to_string(of(e)) + ' ';
    return text;
}

template <class F>
void checkRegions(std::size_t elements, bool tetrahedra)
{
    INFO((std::is_same_v<F, HexahedronFEMForceField> ? "hexahedra" : typeid(F).name()));
    const BoxMesh mesh = bodyMesh();
    Vector<Vec3> x = mesh.points;
    const auto noise = randomVectors(x.size(), 0.05, 8);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    using Scene = ForceFieldScene<F>;
    const auto forces = [&](auto&& prepare) {
        Scene s(mesh, tetrahedra, !tetrahedra);
        s.set("poissonRatio", "0.3");
        prepare(s);
        s.init();
        REQUIRE(s.field.isValid());
        return flatten(s.forces(x));
    };
    const auto stiff = [](std::size_t e) { return e > 3 && e < 9; };
    const std::string all = "[0-" + std::to_string(elements - 1) + "]";
    const Eigen::VectorXd listed = forces([&](Scene& s) {
        s.set("youngModulus", listOf(elements, [&](std::size_t e) { return stiff(e) ? 300 : 100; }));
    });
    CHECK(listed.norm() > 1.);
    CHECK(forces([&](Scene& s) { s.set("youngModulus", "100 300").set("regions", all + " [4-8]"); }) == listed);
    CHECK(forces([&](Scene& s) {
              s.set("youngModulus", "300 100").set("materialIndices", listOf(elements, [&](std::size_t e) {
                                                       return stiff(e) ? 0 : 1;
                                                   }));
          }) == listed);
    CHECK(forces([&](Scene& s) { s.set("youngModulus", "100").set("regions", all + " [4-8]"); }) != listed);
    const auto fails = [&](const char* name, const std::string& value, const std::string& text) {
        Scene s(mesh, tetrahedra, !tetrahedra);
        s.set("youngModulus", "100 200").set(name, value).init();
        INFO(name << "=" << value);
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, text));
    };
    fails("regions", "[0-3]", "element 4 is in none of the regions");
    fails("regions", "[0-999]", "there are only " + std::to_string(elements));
    fails("regions", "[0-2] [3] " + all, "youngModulus has 2 values for 3 regions");
    fails("materialIndices", "0 1", "materialIndices has 2 entries for " + std::to_string(elements));
}

}  // namespace

TEST_CASE("regions and indices of materials give linear elasticity its parameters")
{
    const std::size_t tetrahedra = bodyMesh().tetrahedra.size();
    checkRegions<TetrahedronFEMForceField>(tetrahedra, true);
    checkRegions<TetrahedralCorotationalFEMForceField>(tetrahedra, true);
    checkRegions<FastTetrahedralCorotationalForceField>(tetrahedra, true);
    checkRegions<CorotationalFEMForceField<Vec3Types, TetrahedronShape>>(tetrahedra, true);
    checkRegions<LinearSmallStrainFEMForceField<Vec3Types, TetrahedronShape>>(tetrahedra, true);
    checkRegions<HexahedronFEMForceField>(12, false);
    checkRegions<CorotationalFEMForceField<Vec3Types, HexahedronShape>>(12, false);
    checkRegions<LinearSmallStrainFEMForceField<Vec3Types, HexahedronShape>>(12, false);
}

TEST_CASE("a reinitialised force field follows its regions")
{
    const BoxMesh mesh = bodyMesh();
    Vector<Vec3> x = mesh.points;
    x[0] += Vec3{0.1, 0.2, 0.1};
    ForceFieldScene<HexahedronFEMForceField> s(mesh, false, true);
    s.set("youngModulus", "100 200").set("regions", "[0-11] []").init();
    const Eigen::VectorXd soft = flatten(s.forces(x));
    s.set("regions", "[] [0-11]").field.reinit();
    CHECK((flatten(s.forces(x)) - 2. * soft).norm() < 1e-12 * soft.norm());
    CHECK(soft.norm() > 1.);
}

}  // namespace element_regions_test
