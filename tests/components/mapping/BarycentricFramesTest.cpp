// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace barycentric_frames_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    BaseMapping& mapping() { return *child("frames").get<BaseMapping>(Search::Local); }
    const RigidCoord3& frame(Index i = 0) { return state<Rigid3Types>("frames").positions()[i]; }
    /// Moves the vertices to A x + b.
    void move(const Mat3& a, const Vec3& b)
    {
        auto& body = *root->get<State<Vec3Types>>(Search::Local);
        const auto x = body.write(vec_id::position);
        const auto& rest = body.read(vec_id::restPosition);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = a * rest[i] + b;
        mapping().apply({}, vec_id::position, vec_id::position);
    }
};

const std::string points = "0 0 0  1 0.2 0  0.3 1.1 0  0 0.2 1.3  1.2 1 1",
                  tetrahedra = "tetrahedra='0 1 2 3  1 4 2 3'",
                  cube = "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1";

std::string embedded(const std::string& mesh, const std::string& at = points, const std::string& attributes = "",
                     const std::string& frames = "0.3 0.3 0.2 0 0.6 0 0.8  0.7 0.7 0.6 0.5 0.5 0.5 0.5")
{
    return "<MeshTopology name='mesh' position='" + at + "' " + mesh +
           "/><MechanicalObject name='body'/><Node name='frames'><MechanicalObject template='Rigid3' position='" +
           frames + "'/><BarycentricMapping " + attributes + "/></Node>";
}

}  // namespace

TEST_CASE("frames in elements: Jacobian and geometric stiffness")
{
    const std::string exact = "geometricStiffness='Exact'";
    for (const std::string& scene :
         {embedded(tetrahedra, points, exact), embedded("hexahedra='0 1 2 3 4 5 6 7'", cube, exact)}) {
        Scene s(scene);
        REQUIRE(s.good);
        checkMapping(s.mapping(), {.displacement = 0.1, .translates = true});
    }
    for (const char* part : {"geometricStiffness='None'", "geometricStiffness='Stabilized'"}) {
        Scene other(embedded(tetrahedra, points, part));
        checkMapping(other.mapping(), {.displacement = 0.1, .translates = true, .exactGeometricStiffness = false});
    }
}

TEST_CASE("frames in elements turn with the body, and keep their place in it")
{
    for (const std::string& scene : {embedded(tetrahedra), embedded("hexahedra='0 1 2 3 4 5 6 7'", cube)}) {
        Scene s(scene);
        REQUIRE(s.good);
        const RigidCoord3 before = s.frame();
        const Quat turn = Quat::fromRotationVector({0.3, -1.2, 0.8});
        s.move(turn.toMatrix(), {1., 2., 3.});
        CHECK(norm(s.frame().center - (turn.rotate(before.center) + Vec3{1., 2., 3.})) < 1e-14);
        CHECK(norm((s.frame().orientation * (turn * before.orientation).inverse()).toRotationVector()) < 1e-14);
        // A symmetric stretch does not turn it, a shear turns it by half of its angle.
        s.move(Mat3::diagonal({2., 0.5, 1.3}), {});
        CHECK(norm((s.frame().orientation * before.orientation.inverse()).toRotationVector()) < 1e-14);
        Mat3 shear = Mat3::identity();
        shear[0][1] = 1e-4;
        s.move(shear, {});
        const Vec3 turned = (s.frame().orientation * before.orientation.inverse()).toRotationVector();
        CHECK(norm(turned - Vec3{0., 0., -0.5e-4}) < 1e-8);
    }
}

TEST_CASE("a torque on a frame turns the body that holds it: momentum is kept")
{
    // The forces of a torque sum to zero and have its moment.
    Scene s(embedded(tetrahedra));
    REQUIRE(s.good);
    Mat3 a = Quat::fromRotationVector({0.3, -1.2, 0.8}).toMatrix();
    a[0][1] += 0.4;
    s.move(a, {1., 2., 3.});
    auto& body = *s.root->get<State<Vec3Types>>(Search::Local);
    auto& frames = s.state<Rigid3Types>("frames");
    for (BaseState* state : {static_cast<BaseState*>(&body), static_cast<BaseState*>(&frames)}) {
        state->allocate(vec_id::force);
        state->clear(vec_id::force);
    }
    const Vec3 force{1., -2., 0.5}, torque{0.3, 0.7, -1.1};
    frames.write(vec_id::force)[0] = Rigid3Types::makeDeriv(force, torque);
    s.mapping().applyJT({}, vec_id::force, vec_id::force);
    Vec3 sum, moment;
    for (Index i = 0; i < body.size(); ++i) {
        sum += body.forces()[i];
        moment += cross(body.positions()[i], body.forces()[i]);
    }
    CHECK(norm(sum - force) < 1e-13);
    CHECK(norm(moment - torque - cross(s.frame().center, force)) < 1e-12);
}

TEST_CASE("frames need elements with a volume")
{
    CHECK_FALSE(Scene(embedded("triangles='0 1 2'")).good);
    CHECK_FALSE(Scene(embedded("tetrahedra='0 1 2 3'", "0 0 0  1 0 0  0 1 0  1 1 0")).good);
    CHECK_FALSE(Scene(embedded(tetrahedra, points, "input_topology='@nothing'")).good);
}

}  // namespace barycentric_frames_test
