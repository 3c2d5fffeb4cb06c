// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Lists which new elements and points join that were made of what is in them.
#include <catch2/catch.hpp>

#include "core/behavior/ForceField.h"
#include "core/topology/Geometry.h"
#include "tests/components/topology/ChangingScene.h"

namespace members_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Four triangles in a row.
std::string strip(const std::string& more)
{
    return "<Node name='root' dt='0.01'><DefaultAnimationLoop/><Node name='body'><EulerImplicitSolver/>"
           "<CGLinearSolver iterations='100' tolerance='1e-12' threshold='1e-12'/><TriangleSetTopologyContainer "
           "name='mesh' position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='0 2 1  1 2 3  2 4 3  3 4 5'/>"
           "<TriangleSetTopologyModifier/><MechanicalObject name='x'/>" +
           more + "</Node></Node>";
}

std::string text(const Run& r, const std::string& component, const std::string& data)
{
    return r.body().component(component)->findData(data)->text();
}

/// Points in the middle of 0 and 1, and of 1 and 3, and one that comes from nothing.
void addPoints(StoredTopology& mesh, bool commit)
{
    TopologyTransaction change(mesh);
    const Index p = change.addPoints({{{0, 0.5}, {1, 0.5}}, {{1, 0.5}, {3, 0.5}}, {}});
    change.add(ElementType::Triangles, std::array<Index, 3>{p, p + 1, p + 2});
    if (commit) change.commit();
}

}  // namespace

TEST_CASE("A point that was made of points of a list only joins the list")
{
    for (const std::string component :
         {"<FixedProjectiveConstraint name='c' indices='1 0 2'/><UniformMass vertexMass='1'/>",
          "<PartialFixedProjectiveConstraint name='c' indices='1 0 2' fixedDirections='1 0 0'/><UniformMass "
          "vertexMass='1'/>",
          "<AffineMovementProjectiveConstraint name='c' indices='1 0 2' meshIndices='1 0'/><UniformMass "
          "vertexMass='1'/>",
          "<UniformMass name='c' vertexMass='1' indices='1 0 2'/>"}) {
        INFO(component);
        Run run(strip(component));
        addPoints(run.mesh(), false);
        CHECK(text(run, "c", "indices") == "1 0 2");
        addPoints(run.mesh(), true);
        CHECK(run.state().size() == 9);
        CHECK(text(run, "c", "indices") == "1 0 2 6");
        run.simulation->reset();
        CHECK(text(run, "c", "indices") == "1 0 2");
    }
    Run run(
        strip("<AffineMovementProjectiveConstraint name='c' indices='0 1' meshIndices='0 1'/><UniformMass "
              "vertexMass='1'/>"));
    addPoints(run.mesh(), true);
    CHECK(text(run, "c", "meshIndices") == "0 1");  // of which only the scene knows what they are for
}

TEST_CASE("A new point between fixed ones is held, one beside a free one falls")
{
    Run run(
        strip("<UniformMass vertexMass='1'/><ConstantForceField totalForce='0 0 -9'/>"
              "<FixedProjectiveConstraint indices='0 1'/>"));
    addPoints(run.mesh(), true);
    run.steps(3);
    CHECK(run.state().positions()[6][2] == 0.);
    CHECK(run.state().positions()[7][2] < -1e-4);
}

TEST_CASE("Parts of a triangle on which a pressure acts are pressed, and no others")
{
    Run run(
        strip("<UniformMass vertexMass='1'/><TrianglePressureForceField name='c' pressure='0 0 3' "
              "triangleList='1 2'/>"));
    const auto total = [&run] {
        auto& x = run.state();
        auto& field = dynamic_cast<ForceField<Vec3Types>&>(*run.body().component("c"));
        Vector<Vec3> f(x.size());
        field.addForce({}, f, x.positions(), Vector<Vec3>(x.size()));
        Vec3 sum;
        for (const Vec3& v : f) sum += v;
        return sum;
    };
    CHECK(norm(total() - Vec3{0., 0., 3.}) < 1e-14);
    splitAtCentre(run.mesh(), ElementType::Triangles, 1);
    CHECK(norm(total() - Vec3{0., 0., 3.}) < 1e-14);
    splitAtCentre(run.mesh(), ElementType::Triangles, 0);
    CHECK(norm(total() - Vec3{0., 0., 3.}) < 1e-14);
    removeElements(run.mesh(), ElementType::Triangles, {2});
    CHECK(norm(total()) < 3. - 0.1);
    run.simulation->reset();
    CHECK(text(run, "c", "triangleList") == "1 2");
    CHECK(norm(total() - Vec3{0., 0., 3.}) < 1e-14);
}

TEST_CASE("Parts of an element belong to its regions, of which the last counts")
{
    // Element 1 is in both regions.
    const std::string more = "<UniformMass vertexMass='1'/><TriangularFEMForceField name='c' poissonRatio='0.3' ";
    Run run(strip(more + "youngModulus='50 80' regions='[0-3] [1 3]'/>"));
    const auto energy = [](const Run& r) {
        Vector<Vec3> x = r.state().positions();
        for (Vec3& v : x) v[0] *= 1. + 1e-6;  // so little that the frames of the parts do not matter
        return dynamic_cast<ForceField<Vec3Types>&>(*r.body().component("c")).potentialEnergy({}, x);
    };
    const double before = energy(run);
    REQUIRE(before > 1e-12);
    splitAtCentre(run.mesh(), ElementType::Triangles, 1);
    CHECK(energy(run) == Approx(before).epsilon(1e-5));
    splitAtCentre(run.mesh(), ElementType::Triangles, 0);
    CHECK(energy(run) == Approx(before).epsilon(1e-5));
    {
        // What comes from nothing is in no region, and taken back.
        const std::string regions = text(run, "c", "regions");
        const auto add = [&] {
            TopologyTransaction change(run.mesh());
            change.add(ElementType::Triangles, std::array<Index, 3>{0, 3, 5});
            change.commit();
        };
        CHECK_THROWS_WITH(add(), Catch::Contains("is in none of the regions"));
        CHECK(text(run, "c", "regions") == regions);
    }
    run.simulation->reset();
    CHECK(energy(run) == before);
}

}  // namespace members_test
