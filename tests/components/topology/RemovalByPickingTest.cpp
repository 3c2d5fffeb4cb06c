// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>

#include "components/fem/TetrahedronFEMForceField.h"
#include "core/interaction/MouseInteractor.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/SceneDrawing.h"
#include "tests/components/topology/RemovalScene.h"

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("A picked triangle of the skin removes the tetrahedron below it, and the hole gets a skin")
{
    Run run(textOf(soft(), allOf(soft())));
    run.steps(3);
    MouseInteractor mouse(*run.root);
    mouse.bind(MouseButton::Left, {"RemovePrimitive", {}});
    for (int k = 0; k < 6; ++k) {
        const auto& skin = run.surface().triangles();
        const Triangle picked = skin[(7 * static_cast<std::size_t>(k)) % skin.size()];
        const Index triangle = run.mesh().triangleIndex(picked[0], picked[1], picked[2]);
        const auto owners = run.mesh().tetrahedraAroundTriangle(triangle);
        REQUIRE(owners.size() == 1);
        const Tetrahedron owner = run.mesh().tetrahedra()[owners[0]];
        const auto count = run.mesh().tetrahedra().size();
        const PickRay ray = rayTo(run, picked);
        REQUIRE(mouse.press(MouseButton::Left, ray));
        mouse.release();
        CHECK(run.mesh().tetrahedra().size() == count - 1);
        CHECK(std::ranges::find(run.mesh().tetrahedra(), owner) == run.mesh().tetrahedra().end());
        // The skin is closed: each of its edges has as many triangles in both directions.
        std::map<std::pair<Index, Index>, int> directions;
        for (const Triangle& t : run.surface().triangles())
            for (std::size_t i = 0; i < 3; ++i) {
                ++directions[{t[i], t[(i + 1) % 3]}];
                --directions[{t[(i + 1) % 3], t[i]}];
            }
        for (const auto& [edge, sum] : directions) CHECK(sum == 0);
        // What is seen and what collides are the skin.
        const auto* model = run.body().child("surface")->get<CollisionModel>(Search::Local);
        CHECK(model->currentSize() == run.surface().triangles().size());
        const auto* seen = run.root->child("body")->child("surface")->child("skin")->component("v");
        CHECK(dynamic_cast<const Data<Vector<Triangle>>*>(seen->findData("triangles"))->value() ==
              run.surface().triangles());
        run.steps(1);
    }
}

TEST_CASE("Points and edges that are picked stand for the nearest element that has them")
{
    Run run(textOf(soft(), allOf(soft())));
    const Vector<Index> corner{0};
    const RemovableElement atCorner = elementOn(run.mesh(), corner, run.state(), {0., 0., 0.});
    CHECK(atCorner.type == ElementType::Tetrahedra);
    CHECK(std::ranges::count(run.mesh().tetrahedra()[atCorner.index], 0u) == 1);
    // Through the mapping, from the triangles of the surface to the tetrahedra.
    const Triangle t = run.surface().triangles()[3];
    const RemovableElement below = elementOn(run.surface(), t, run.state(), {});
    CHECK(below.topology == &run.mesh());
    for (const Index v : t) CHECK(std::ranges::count(run.mesh().tetrahedra()[below.index], v) == 1);
    CHECK_THROWS_WITH(removeElements(run.surface<StoredTopology>(), ElementType::Triangles, {0}),
                      Catch::Contains("are made by '/body/surface/Tetra2TriangleTopologicalMapping"));
    CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Triangles, {0}),
                      Catch::Contains("is a side of tetrahedron"));
    CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Tetrahedra, {48}),
                      "there is no tetrahedron 48 in '/body/mesh', only 48");
    CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Points, {1}),
                      Catch::Contains("point 1 of '/body/mesh' belongs to edge"));
    CHECK_THROWS_WITH(removeElements(run.mesh(), ElementType::Hexahedra, {1}),
                      Catch::Contains("no elements of type hexahedron"));
    CHECK(run.mesh().tetrahedra().size() == 48);
}

TEST_CASE("Contacts that stick let go when the skin changes, and the mouse may remove what is touched")
{
    for (const char* response : {"StickContactForceField", "PenalityContactForceField", "FrictionContactConstraint",
                                 "StickContactConstraint"}) {
        INFO(response);
        Body b = soft();
        b.forces = always(
            "<TetrahedronFEMForceField youngModulus='5000' poissonRatio='0.3'/><LinearSolverConstraint"
            "Correction/>");
        b.solver = direct;
        std::string text = textOf(b, allOf(b));
        const bool constraints = std::string(response).ends_with("Constraint");
        const auto replace = [&text](const std::string& from, const std::string& to) {
            text.replace(text.find(from), from.size(), to);
        };
        replace("PenalityContactForceField", response);
        if (constraints)
            replace("<CollisionPipeline/>",
                    "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver "
                    "tolerance='1e-6' maxIterations='50'/><CollisionPipeline/>");
        Run run(text);
        run.steps(8);
        unsigned touched = 0;
        for (const auto* m : run.body().child("surface")->getAll<CollisionModel>())
            touched += m->d_numberOfContacts.value();
        REQUIRE(touched > 0);
        SceneDrawing drawing;
        DisplayFlags flags;
        std::string error;
        REQUIRE(parseText("showAll", flags, error));
        for (int k = 0; k < 6; ++k) {
            // The lowest triangle: it touches the floor.
            const auto& skin = run.surface().triangles();
            std::size_t lowest = 0;
            const auto height = [&](const Triangle& t) {
                double y = 0.;
                for (const Index v : t) y += run.state().pointPosition(v)[1];
                return y;
            };
            for (std::size_t i = 0; i < skin.size(); ++i)
                if (height(skin[i]) < height(skin[lowest])) lowest = i;
            const RemovableElement e = elementOn(run.surface(), skin[lowest], run.state(), {});
            removeElements(*e.topology, e.type, {e.index});
            drawing.draw(*run.root, flags);
            CHECK(pick(*run.root, {{0.1, 5., 0.1}, {0., -1., 0.}}));
            run.steps(2);
            drawing.draw(*run.root, flags);
        }
        CHECK(run.state().firstNonFinite(vec_id::position) == InvalidIndex);
    }
}

TEST_CASE("A point without mass that is held in one direction is an error where its state has nothing else")
{
    const auto root = loadSceneText(
        "<Node dt='0.01'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='0.3 -0.1 0'/>"
        "<PlaneForceField normal='0.1 1 0.2' d='0' stiffness='100'/></Node>",
        "lone.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    CHECK_THROWS_WITH(simulation.step(), Catch::Contains("the matrix is singular"));
}
