// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/Paths.h"

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Four triangles in a row, of points with weight.
std::string strip(const std::string& more)
{
    return "<Node name='root' dt='0.01' gravity='0 0 "
           "-9.81'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver "
           "maxIterations='1000' tolerance='1e-12'/><Node name='body'><EulerImplicitSolver/><SparseLDLSolver "
           "template='CompressedRowSparseMatrixMat3x3d'/><TriangleSetTopologyContainer name='mesh' position='0 0 "
           "0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='0 2 1  1 2 3  2 4 3  3 4 "
           "5'/><TriangleSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>" +
           more + "</Node></Node>";
}

std::string text(const Run& r, const std::string& component, const std::string& data)
{
    return r.body().component(component)->findData(data)->text();
}

/// Point 0 goes, point 5 takes its number, and a point 5 comes in the middle of 1 and 2.
void change(Run& r)
{
    removeElements(r.mesh(), ElementType::Triangles, {0});
    TopologyTransaction t(r.mesh());
    const Index p = t.addPoints({{{1, 0.5}, {2, 0.5}}});
    t.add(ElementType::Triangles, std::array<Index, 3>{1, 2, p});
    t.commit();
}

/// A scene of the points that are there after change().
std::string stripNow(const Run& r, const std::string& more)
{
    std::string s = strip(more);
    const auto replace = [&s](const std::string& from, const std::string& to) {
        const std::size_t i = s.find(from), j = s.find('\'', i + from.size());
        s.replace(i + from.size(), j - i - from.size(), to);
    };
    replace("position='", toText(r.state().read(vec_id::restPosition)));
    replace("triangles='", toText(r.mesh().triangles()));
    return s;
}

/// The scene with `before` moves after change() as one of what is left, with `after`, and a reset brings all back.
void checkFollows(const std::string& before, const std::string& after)
{
    INFO(before);
    const std::string original = strip(before);
    Run run(original), untouched(original), again(original);
    run.steps(2);
    change(run);
    const Run fresh(stripNow(run, after));
    fresh.take(run);
    run.steps(3);
    for (int k = 0; k < 3; ++k) fresh.simulation->step();
    CHECK(difference(moved(run), moved(fresh)) < 1e-12);
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    saveCheckpoint(*run.simulation, file);
    run.steps(2);
    loadCheckpoint(*again.simulation, file);
    again.steps(2);
    CHECK(sameState(run, again));
    run.simulation->reset();
    run.steps(3);
    untouched.steps(3);
    CHECK(sameState(run, untouched));
}

const std::string correction = "<LinearSolverConstraintCorrection/>";

}  // namespace

TEST_CASE("Loads and springs go with their points")
{
    checkFollows("<ConstantForceField indices='0 5 2' forces='1 0 0  2 0 0  0 3 0'/>",
                 "<ConstantForceField indices='0 2' forces='2 0 0  0 3 0'/>");
    checkFollows("<ConstantForceField indices='0 5 2' totalForce='6 0 0'/>",
                 "<ConstantForceField indices='0 2' totalForce='6 0 0'/>");
    checkFollows("<ConstantForceField forces='1 0 0  2 0 0  3 0 0  4 0 0  5 0 0  6 0 0'/>",
                 "<ConstantForceField forces='6 0 0  2 0 0  3 0 0  4 0 0  5 0 0  0 0 0'/>");
    checkFollows("<LinearForceField points='0 5 2' times='0 1' forces='1 0 0  2 0 0'/>",
                 "<LinearForceField points='0 2' times='0 1' forces='1 0 0  2 0 0'/>");
    checkFollows("<RestShapeSpringsForceField points='0 5 2' stiffness='10 20 30'/>",
                 "<RestShapeSpringsForceField points='0 2' stiffness='20 30'/>");
    checkFollows("<RestShapeSpringsForceField stiffness='10 20 30 40 50 60'/>",
                 "<RestShapeSpringsForceField stiffness='60 20 30 40 50 25'/>");
}

TEST_CASE("A list of points that becomes empty does not mean all points")
{
    checkFollows("<RestShapeSpringsForceField points='0' stiffness='10'/>", "");
    checkFollows("<ConstantForceField indices='0' forces='1 0 0'/>", "");
    checkFollows("<ConstantForceField indices='0' totalForce='1 0 0'/>", "");
}

TEST_CASE("Lagrangian constraints and their corrections go with the points")
{
    checkFollows(correction + "<FixedLagrangianConstraint indices='0 5 2'/>",
                 correction + "<FixedLagrangianConstraint indices='0 2'/>");
    checkFollows("<GenericConstraintCorrection/><FixedLagrangianConstraint indices='3 5'/>",
                 "<GenericConstraintCorrection/><FixedLagrangianConstraint indices='3 0'/>");
    checkFollows(correction + "<UniformLagrangianConstraint constrainToRestPos='1'/>",
                 correction + "<UniformLagrangianConstraint constrainToRestPos='1'/>");
    checkFollows(correction + "<SlidingLagrangianConstraint sliding_point='3' axis_1='5' axis_2='4'/>",
                 correction + "<SlidingLagrangianConstraint sliding_point='3' axis_1='0' axis_2='4'/>");
    Run run(strip(correction + "<SlidingLagrangianConstraint name='s' sliding_point='0' axis_1='5' axis_2='4'/>"));
    CHECK_THROWS_WITH(change(run), Catch::Contains("the point of sliding_point would go"));
    CHECK(run.state().size() == 6);
    CHECK(text(run, "s", "axis_1") == "5");
}

TEST_CASE("Mapped subsets follow the numbers of their points, and keep these")
{
    const auto with = [](const std::string& indices) {
        return "<Node name='some'><MechanicalObject position='0 0 0  1 0 0'/><UniformMass "
               "vertexMass='1'/><SubsetMapping name='s' indices='" +
               indices + "'/><ConstantForceField forces='1 2 3'/></Node>";
    };
    checkFollows(with("5 2"), with("0 2"));
    Run run(strip(with("5 0")));
    CHECK_THROWS_WITH(change(run), Catch::Contains("/body/some/s' (SubsetMapping): a point that it maps would go"));
    CHECK(run.body().child("some")->component("s")->findData("indices")->text() == "5 0");
    Run other(strip(with("5 2")));
    change(other);
    other.steps(1);
    checkMapping(dynamic_cast<BaseMapping&>(*other.body().child("some")->component("s")), {.translates = true});
}

TEST_CASE("A visual model with the faces of a mesh refuses points that it does not have")
{
    Run run(
        strip("<Node name='v'><OglModel name='faces' topology='@../mesh' position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0 "
              " 2 1 0'/><BarycentricMapping/></Node>"));
    TopologyTransaction t(run.mesh());
    const Index p = t.addPoints({{{1, 0.5}, {2, 0.5}}});
    t.add(ElementType::Triangles, std::array<Index, 3>{1, 2, p});
    CHECK_THROWS_WITH(t.commit(), Catch::Contains("would have points that it does not have"));
    CHECK(run.state().size() == 6);
}
