// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>

#include "components/fem/TetrahedronFEMForceField.h"
#include "core/behavior/Mass.h"
#include "core/interaction/MouseInteractor.h"
#include "core/topology/TopologyChange.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace element_removal_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Faces without their orientation: those that came to light are turned outwards, where a scene that lists them in
/// another way keeps that, and those that come to light come last.
template <class T>
Vector<T> unturned(Vector<T> faces)
{
    for (T& f : faces) f = sortedVertices(f);
    std::ranges::sort(faces);
    return faces;
}

}  // namespace

TEST_CASE("After a removal all is as if the elements had never been there")
{
    const Body b = GENERATE(from_range(bodies()));
    INFO(b.name);
    Vector<Index> left = allOf(b);
    Run run(textOf(b, left));
    run.steps(5);
    int moved = 0;
    for (const std::size_t place : {left.size() - 2, std::size_t(0), left.size() / 3}) {
        INFO("removal at " << place << " of " << left.size());
        removeElements(run.mesh(), b.type, {static_cast<Index>(place)});
        removeFrom(left, place);
        const Run fresh(textOf(b, left, &run.mesh()));
        fresh.take(run);
        REQUIRE(sameState(run, fresh));
        CHECK(run.mesh().edges() == fresh.mesh().edges());
        CHECK(run.mesh().triangles() == fresh.mesh().triangles());
        CHECK(run.mesh().quads() == fresh.mesh().quads());
        if (run.body().child("surface")) {
            CHECK(unturned(run.surface().triangles()) == unturned(fresh.surface().triangles()));
            CHECK(unturned(run.surface().quads()) == unturned(fresh.surface().quads()));
        }
        const auto* masses = run.body().get<Mass<Vec3Types>>(Search::Local);
        const auto* expected = fresh.body().get<Mass<Vec3Types>>(Search::Local);
        for (Index i = 0; i < run.state().size(); ++i) CHECK(masses->pointMass(i) == expected->pointMass(i));
        for (int k = 0; k < 4; ++k) {
            const Vector<Vec3> before = run.state().positions();
            run.simulation->step();
            fresh.simulation->step();
            REQUIRE(sameState(run, fresh));
            moved += run.state().positions() != before;
        }
    }
    CHECK(moved == 12);
}

TEST_CASE("What a direct solver needs is there when points lose their last element")
{
    Body b = soft();
    b.solver = direct;
    for (const char* mass : {"<MeshMatrixMass massDensity='1000'/>", "<MeshMatrixMass massDensity='1000' lumping='1'/>",
                             "<DiagonalMass massDensity='1000'/>"}) {
        b.mass = always(mass);
        Run run(textOf(b, allOf(b)));
        run.steps(5);
        // All elements around an upper corner.
        const auto around = run.mesh().tetrahedraAroundVertex(26);
        removeElements(run.mesh(), ElementType::Tetrahedra, {around.begin(), around.end()});
        const Vec3 v = run.state().velocities()[26], x = run.state().positions()[26];
        run.steps(2);
        CHECK(run.state().velocities()[26] == v);
        CHECK(norm(run.state().positions()[26] - (x + v * 0.02)) < 1e-15);
        CHECK(run.state().firstNonFinite(vec_id::position) == InvalidIndex);
    }
}

TEST_CASE("The last element may go")
{
    for (const Body& b : bodies()) {
        INFO(b.name);
        Run run(textOf(b, {0, 1}));
        run.steps(1);
        removeElements(run.mesh(), b.type, {0});
        run.steps(1);
        removeElements(run.mesh(), b.type, {0});
        if (b.name != "direct") run.steps(1);  // a state without mass and forces has no solution
        run.simulation->reset();
        run.steps(1);
    }
}

TEST_CASE("Hexahedra cut into tetrahedra keep their diagonals when others go")
{
    const auto text = [](const std::string& mesh) {
        return "<Node name='root' dt='0.01' gravity='0 -9.81 0'><Node "
               "name='body'><EulerImplicitSolver/><CGLinearSolver "
               "iterations='50' tolerance='1e-12' threshold='1e-20'/><RegularGridTopology name='mesh' n='4 3 3' "
               "max='0.3 "
               "0.2 0.2'/><MechanicalObject/><DiagonalMass massDensity='1000'/><FixedProjectiveConstraint "
               "indices='0 4 8 12'/>" +
               mesh + "</Node></Node>";
    };
    // Cut by the force field, and by a mapping that alternates the diagonals in the same way. Polar decomposition does
    // not depend on the order of the vertices.
    Run cut(text("<TetrahedronFEMForceField youngModulus='5000' method='polar'/>"));
    Run mapped(
        text("<Node name='t'><TetrahedronSetTopologyContainer/><Hexa2TetraTopologicalMapping swapping='1'/>"
             "<TetrahedronFEMForceField youngModulus='5000' method='polar'/></Node>"));
    const auto check = [&] {
        CHECK(cut.state().positions().size() == mapped.state().positions().size());
        for (std::size_t i = 0; i < cut.state().positions().size(); ++i)
            CHECK(norm(cut.state().positions()[i] - mapped.state().positions()[i]) < 1e-9);
    };
    for (Run* r : {&cut, &mapped}) {
        r->steps(2);
        const Index quads = static_cast<Index>(r->mesh().quads().size());
        removeElements(r->mesh(), ElementType::Hexahedra, {1, 7});
        CHECK(r->mesh().quads().size() < quads);
        CHECK(r->mesh().nbPoints() == 36);
        r->steps(5);
    }
    check();
    const auto before = mapped.body().child("t")->get<BaseMeshTopology>(Search::Local)->tetrahedra();
    Run again(
        text("<Node name='t'><TetrahedronSetTopologyContainer/><Hexa2TetraTopologicalMapping swapping='1'/></Node>"));
    const auto& all = again.body().child("t")->get<BaseMeshTopology>(Search::Local)->tetrahedra();
    Vector<Tetrahedron> expected;
    for (const std::size_t h : {0, 10, 2, 3, 4, 5, 6, 11, 8, 9})
        for (std::size_t k = 0; k < 6; ++k) expected.push_back(all[6 * h + k]);
    CHECK(before == expected);
}

TEST_CASE("What cannot follow is named, and nothing changes")
{
    Body b = soft();
    const auto tryOn = [&](const std::string& component, const std::string& expected) {
        b.forces = always("<TetrahedronFEMForceField youngModulus='5000'/>" + component);
        Run run(textOf(b, allOf(b)));
        run.steps(2);
        Run other(textOf(b, allOf(b)));
        other.steps(2);
        MouseInteractor mouse(*run.root);
        mouse.bind(MouseButton::Left, {"RemovePrimitive", {}});
        CHECK_FALSE(mouse.press(MouseButton::Left, rayTo(run, run.surface().triangles()[0])));
        CHECK_THAT(mouse.reason(), Catch::Contains(expected));
        CHECK(run.mesh().tetrahedra().size() == 48);
        run.steps(2);
        other.steps(2);
        CHECK(sameState(run, other));
    };
    const sofa::test::TemporaryDirectory folder;
    tryOn("<PrecomputedConstraintCorrection name='stiff' fileDir='" + folder.path().string() + "'/>",
          "'/body/stiff' (PrecomputedConstraintCorrection): its compliance is that of the whole body");

    // An error while it follows: a list that was too short, and that nobody had to read until now.
    b.forces = always("<TetrahedronFEMForceField youngModulus='5000'/>");
    Run run(textOf(b, allOf(b)));
    run.steps(1);
    auto* forces = run.body().get<component::TetrahedronFEMForceField>(Search::Local);
    forces->regions.d_regions.setValue({{0, 1, 2}});
    const Vector<Tetrahedron> before = run.mesh().tetrahedra();
    CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Tetrahedra, {5}),
                      Catch::Contains("is in none of the regions"));
    CHECK(run.mesh().tetrahedra() == before);
    CHECK_FALSE(run.mesh().isEdited());
}

TEST_CASE("A list of beams follows the edges")
{
    Run run(
        "<Node name='root' dt='0.01' gravity='0 -9.81 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
        "iterations='100' tolerance='1e-12' threshold='1e-20'/><MeshTopology edges='0 1 1 2 2 3'/><MechanicalObject "
        "template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 0 1'/><UniformMass "
        "totalMass='1'/><BeamFEMForceField name='beams' listSegment='0 2' radius='0.1' youngModulus='1e5 2e5 3e5'/>"
        "</Node></Node>");
    const auto listed = [&] { return run.body().component("beams")->findData("listSegment")->text(); };
    const auto moduli = [&] { return run.body().component("beams")->findData("youngModulus")->text(); };
    run.steps(2);
    removeElements(run.mesh(), ElementType::Edges, {0});
    CHECK(listed() == "0");
    CHECK(moduli() == "3e+05 2e+05");
    run.steps(2);
    removeElements(run.mesh(), ElementType::Edges, {0});
    CHECK(listed().empty());
    run.steps(2);
    CHECK(run.body().component("beams")->isValid());
    run.simulation->reset();
    CHECK(listed() == "0 2");
    CHECK(moduli() == "1e+05 2e+05 3e+05");
    run.steps(2);
}

}  // namespace element_removal_test
