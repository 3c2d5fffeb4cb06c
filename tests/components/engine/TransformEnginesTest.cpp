// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/io/TransformFile.h"
#include "core/topology/Geometry.h"
#include "tests/harness/EngineCheck.h"
#include "tests/harness/Paths.h"

namespace transform_engines_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Points = Vector<Vec3>;
using Mat4 = Mat<4, 4>;
constexpr double degree = 3.14159265358979323846 / 180.;

/// The same maps, written by Eigen.
Eigen::Vector3d eigen(const Vec3& v) { return {v[0], v[1], v[2]}; }
Eigen::Quaterniond eigen(const Quat& q) { return {q[3], q[0], q[1], q[2]}; }
Eigen::Matrix4d eigen(const Mat4& m)
{
    Eigen::Matrix4d out;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) out(i, j) = m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return out;
}
Eigen::Affine3d eigen(const RigidCoord3& x) { return Eigen::Translation3d(eigen(x.center)) * eigen(x.orientation); }
/// Euler angles in degrees, about x, then y, then z.
Eigen::Matrix3d rotation(const Vec3& angles)
{
    using Eigen::AngleAxisd, Eigen::Vector3d;
    return (AngleAxisd(angles[2] * degree, Vector3d::UnitZ()) * AngleAxisd(angles[1] * degree, Vector3d::UnitY()) *
            AngleAxisd(angles[0] * degree, Vector3d::UnitX()))
        .toRotationMatrix();
}
double distance(const Vec3& a, const Eigen::Vector3d& b) { return (eigen(a) - b).norm(); }

Mat4 randomMatrix(RandomInput& random)
{
    Mat4 m = Mat4::identity();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) m[i][j] += random.number(-0.5, 0.5);
    return m;
}

RigidCoord3 randomFrame(RandomInput& random) { return {random.point(), random.rotation()}; }

Vector<RigidCoord3> randomFrames(RandomInput& random, std::size_t n)
{
    Vector<RigidCoord3> list(n);
    for (auto& x : list) x = randomFrame(random);
    return list;
}

/// Checks an engine that puts a map before `inT`.
void checkMatrixEngine(const std::string& type, const char* parameter,
                       const std::function<Eigen::Affine3d(const Vec3&)>& map)
{
    checkEngine({.type = type,
                 .attributes = {},
                 .fill =
                     [=](const EngineAccess& e, RandomInput& random) {
                         e.set("inT", randomMatrix(random));
                         e.set(parameter, random.point(70.));
                     },
                 .verify =
                     [=](const EngineAccess& e) {
                         const Eigen::Matrix4d expected =
                             eigen(e.get<Mat4>("inT")) * map(e.get<Vec3>(parameter)).matrix();
                         CHECK((eigen(e.get<Mat4>("outT")) - expected).norm() < 1e-12 * expected.norm());
                     },
                 .mistakes = {}});
}

}  // namespace

HARNESS_ENGINE("TranslateTransformMatrixEngine")
{
    checkMatrixEngine("TranslateTransformMatrixEngine", "translation",
                      [](const Vec3& t) { return Eigen::Affine3d(Eigen::Translation3d(eigen(t))); });
}

HARNESS_ENGINE("RotateTransformMatrixEngine")
{
    checkMatrixEngine("RotateTransformMatrixEngine", "rotation",
                      [](const Vec3& a) { return Eigen::Affine3d(rotation(a)); });
}

HARNESS_ENGINE("ScaleTransformMatrixEngine")
{
    checkMatrixEngine("ScaleTransformMatrixEngine", "scale",
                      [](const Vec3& s) { return Eigen::Affine3d(Eigen::Scaling(eigen(s))); });
}

HARNESS_ENGINE("InvertTransformMatrixEngine")
{
    checkEngine(
        {.type = "InvertTransformMatrixEngine",
         .attributes = {},
         .fill = [](const EngineAccess& e, RandomInput& random) { e.set("inT", randomMatrix(random)); },
         .verify =
             [](const EngineAccess& e) {
                 CHECK((eigen(e.get<Mat4>("outT")) * eigen(e.get<Mat4>("inT")) - Eigen::Matrix4d::Identity()).norm() <
                       1e-12);
             },
         .mistakes = {{{{"inT", "1 0 0 0  0 1 0 0  0 0 0 0  0 0 0 1"}}, "inT: the matrix has no inverse"}}});
}

HARNESS_ENGINE("DisplacementTransformEngine")
{
    for (const std::string templ : {"Rigid3,RigidCoord3", "Rigid3,Mat4x4"})
        checkEngine({.type = "DisplacementTransformEngine",
                     .attributes = {{"template", templ}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             e.set("x0", randomFrames(random, 4));
                             e.set("x", randomFrames(random, 4));
                         },
                     .verify =
                         [templ](const EngineAccess& e) {
                             for (std::size_t i = 0; i < 4; ++i) {
                                 const Eigen::Affine3d expected = eigen(e.get<Vector<RigidCoord3>>("x")[i]) *
                                                                  eigen(e.get<Vector<RigidCoord3>>("x0")[i]).inverse();
                                 const Eigen::Matrix4d found =
                                     templ == "Rigid3,Mat4x4"
                                         ? eigen(e.get<Vector<Mat4>>("displacements").at(i))
                                         : eigen(e.get<Vector<RigidCoord3>>("displacements").at(i)).matrix();
                                 CHECK((found - expected.matrix()).norm() < 1e-14);
                             }
                         },
                     .mistakes = {{{{"x", "0 0 0 0 0 0 1"}}, "x has 1 entries and x0 has 0"}}});
}

HARNESS_ENGINE("DisplacementMatrixEngine")
{
    for (const bool scaled : {false, true})
        checkEngine({.type = "DisplacementMatrixEngine",
                     .attributes = {},
                     .fill =
                         [scaled](const EngineAccess& e, RandomInput& random) {
                             e.set("x0", randomFrames(random, 4));
                             e.set("x", randomFrames(random, 4));
                             if (scaled) e.set("scales", random.points(4));
                         },
                     .verify =
                         [scaled](const EngineAccess& e) {
                             for (std::size_t i = 0; i < 4; ++i) {
                                 const Vec3 s = scaled ? e.points("scales")[i] : Vec3{1., 1., 1.};
                                 const Eigen::Affine3d expected = eigen(e.get<Vector<RigidCoord3>>("x")[i]) *
                                                                  Eigen::Scaling(eigen(s)) *
                                                                  eigen(e.get<Vector<RigidCoord3>>("x0")[i]).inverse();
                                 CHECK((eigen(e.get<Vector<Mat4>>("displaceMats").at(i)) - expected.matrix()).norm() <
                                       1e-14);
                             }
                         },
                     .mistakes = {{{{"scales", "1 1 1"}}, "scales has 1 entries and x has 0"}}});
}

HARNESS_ENGINE("ProjectiveTransformEngine")
{
    checkEngine({.type = "ProjectiveTransformEngine",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("input_position", random.points(9));
                         Mat<3, 4> p;
                         for (std::size_t i = 0; i < 3; ++i)
                             for (std::size_t j = 0; j < 4; ++j) p[i][j] = random.number();
                         p[2][3] = 5.;
                         e.set("proj_mat", p);
                         e.set("focal_distance", random.number(0.5, 2.));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto& p = e.get<Mat<3, 4>>("proj_mat");
                         REQUIRE(e.points("output_position").size() == 9);
                         for (std::size_t i = 0; i < 9; ++i) {
                             const Vec3 x = e.points("input_position")[i];
                             Eigen::Vector3d y;
                             for (std::size_t k = 0; k < 3; ++k)
                                 y[static_cast<int>(k)] = p[k][0] * x[0] + p[k][1] * x[1] + p[k][2] * x[2] + p[k][3];
                             CHECK(distance(e.points("output_position")[i],
                                            y * e.get<double>("focal_distance") / y[2]) < 1e-13);
                         }
                     },
                 .mistakes = {}});
    // A point in the plane of the camera itself is far away, but not infinitely.
    Node root("root");
    auto& e = addComponent<Engine>(root, "ProjectiveTransformEngine",
                                   {{"input_position", "1 2 0"}, {"proj_mat", "1 0 0 0  0 1 0 0  0 0 1 0"}});
    CHECK(EngineAccess(e).points("output_position")[0][0] == Approx(1e10));
}

HARNESS_ENGINE("QuatToRigidEngine")
{
    for (const bool one : {false, true})
        checkEngine({.type = "QuatToRigidEngine",
                     .attributes = {},
                     .fill =
                         [one](const EngineAccess& e, RandomInput& random) {
                             Vector<Quat> q(one ? 1 : 6);
                             for (Quat& r : q) r = random.rotation();
                             e.set("positions", random.points(6));
                             e.set("orientations", q);
                             e.set("colinearPositions", random.points(2));
                         },
                     .verify =
                         [one](const EngineAccess& e) {
                             const auto& frames = e.get<Vector<RigidCoord3>>("rigids");
                             REQUIRE(frames.size() == 6);
                             for (std::size_t i = 0; i < 6; ++i) {
                                 const Quat q = e.get<Vector<Quat>>("orientations")[one ? 0 : i];
                                 const Vec3 x = e.points("positions")[i];
                                 CHECK(frames[i].orientation == q);
                                 if (i >= 2) {
                                     CHECK(frames[i].center == x);
                                     continue;
                                 }
                                 // On the line, and the way to it is at right angles to it.
                                 const Vec3 axis = q.rotate({0., 0., 1.});
                                 CHECK(norm(cross(frames[i].center - e.points("colinearPositions")[i], axis)) < 1e-14);
                                 CHECK(std::abs(dot(frames[i].center - x, axis)) < 1e-14);
                             }
                         },
                     .mistakes = {{{{"positions", "0 0 0"}}, "positions has 1 entries and orientations has 0"}}});
}

HARNESS_ENGINE("RigidToQuatEngine")
{
    checkEngine({.type = "RigidToQuatEngine",
                 .attributes = {},
                 .fill = [](const EngineAccess& e, RandomInput& random) { e.set("rigids", randomFrames(random, 8)); },
                 .verify =
                     [](const EngineAccess& e) {
                         for (std::size_t i = 0; i < 8; ++i) {
                             const RigidCoord3& x = e.get<Vector<RigidCoord3>>("rigids")[i];
                             CHECK(e.points("positions").at(i) == x.center);
                             CHECK(e.get<Vector<Quat>>("orientations").at(i) == x.orientation);
                             const Eigen::Matrix3d r = rotation(e.points("orientationsEuler").at(i) / degree);
                             CHECK((r - eigen(x.orientation).toRotationMatrix()).norm() < 1e-13);
                         }
                     },
                 .mistakes = {}});
}

HARNESS_ENGINE("TransformEngine")
{
    const auto check = []<class D>(const std::string& templ, D) {
        for (const bool inverse : {false, true})
            checkEngine(
                {.type = "TransformEngine",
                 .attributes = {{"template", templ}, {"inverse", inverse ? "1" : "0"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         typename D::VecCoord x(5);
                         for (auto& c : x) {
                             D::setPosition(c, random.point());
                             if constexpr (std::is_same_v<D, Rigid3Types>) c.orientation = random.rotation();
                             if constexpr (std::is_same_v<D, Rigid2Types>) c.angle = random.number();
                         }
                         e.set("input_position", x);
                         e.set("translation", random.point());
                         e.set("rotation",
                               D::spatialDimensions == 3 ? random.point(70.) : Vec3{0., 0., random.number(-70., 70.)});
                         if (D::spatialDimensions == 3) e.set("quaternion", random.rotation());
                         e.set("scale", Vec3{random.number(0.5, 2.), random.number(0.5, 2.), 1.5});
                     },
                 .verify =
                     [inverse](const EngineAccess& e) {
                         const Eigen::Matrix3d r =
                             eigen(e.get<Quat>("quaternion")).toRotationMatrix() * rotation(e.get<Vec3>("rotation"));
                         Eigen::Affine3d map = Eigen::Translation3d(eigen(e.get<Vec3>("translation"))) *
                                               Eigen::Affine3d(r) * Eigen::Scaling(eigen(e.get<Vec3>("scale")));
                         if (inverse) map = map.inverse();
                         const auto& in = e.get<typename D::VecCoord>("input_position");
                         const auto& out = e.get<typename D::VecCoord>("output_position");
                         REQUIRE(out.size() == in.size());
                         for (std::size_t i = 0; i < in.size(); ++i) {
                             Eigen::Vector3d expected = map * eigen(D::position(in[i]));
                             for (std::size_t k = D::spatialDimensions; k < 3; ++k) expected[static_cast<int>(k)] = 0.;
                             CHECK(distance(D::position(out[i]), expected) < 1e-13);
                             const Eigen::Matrix3d turn = inverse ? r.transpose() : r;
                             if constexpr (std::is_same_v<D, Rigid3Types>)
                                 CHECK((eigen(out[i].orientation).toRotationMatrix() -
                                        turn * eigen(in[i].orientation).toRotationMatrix())
                                           .norm() < 1e-13);
                             if constexpr (std::is_same_v<D, Rigid2Types>)
                                 CHECK(out[i].angle - in[i].angle ==
                                       Approx(std::atan2(turn(1, 0), turn(0, 0))).margin(1e-13));
                         }
                     },
                 .mistakes = inverse ? std::vector<std::pair<Attributes, std::string>>{{{{"scale", "1 0 1"}},
                                                                                        "scale: with a factor 0"}}
                                     : std::vector<std::pair<Attributes, std::string>>{}});
    };
    check("Vec3", Vec3Types());
    check("Vec2", Vec2Types());
    check("Vec1", Vec1Types());
    check("Rigid3", Rigid3Types());
    check("Rigid2", Rigid2Types());
}

HARNESS_ENGINE("TransformPosition")
{
    using Map = std::function<Eigen::Vector3d(const EngineAccess&, const Eigen::Vector3d&)>;
    const auto vec = [](const EngineAccess& e, const char* name) { return eigen(e.get<Vec3>(name)); };
    const std::pair<const char*, Map> methods[] = {
        {"projectOnPlane",
         [&](const auto& e, const auto& x) {
             const Eigen::Hyperplane<double, 3> plane(vec(e, "normal").normalized(), vec(e, "origin"));
             return Eigen::Vector3d(plane.projection(x));
         }},
        {"translation", [&](const auto& e, const auto& x) { return Eigen::Vector3d(x + vec(e, "translation")); }},
        {"rotation",
         [&](const auto& e, const auto& x) { return Eigen::Vector3d(rotation(e.template get<Vec3>("rotation")) * x); }},
        {"scale",
         [&](const auto& e, const auto& x) {
             return Eigen::Vector3d(vec(e, "origin") + vec(e, "scale").cwiseProduct(x - vec(e, "origin")));
         }},
        {"scaleTranslation",
         [&](const auto& e, const auto& x) {
             return Eigen::Vector3d(vec(e, "scale").cwiseProduct(x) + vec(e, "translation"));
         }},
        {"scaleRotationTranslation",
         [&](const auto& e, const auto& x) {
             return Eigen::Vector3d(rotation(e.template get<Vec3>("rotation")) * vec(e, "scale").cwiseProduct(x) +
                                    vec(e, "translation"));
         }},
        {"affine", [&](const auto& e, const auto& x) {
             return Eigen::Vector3d((eigen(e.template get<Mat4>("matrix")) * x.homogeneous()).hnormalized());
         }}};
    for (const auto& [method, map] : methods)
        checkEngine({.type = "TransformPosition",
                     .attributes = {{"method", method}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             e.set("input_position", random.points(7));
                             for (const char* name : {"origin", "normal", "translation", "scale"})
                                 e.set(name, random.point());
                             e.set("rotation", random.point(90.));
                             Mat4 m = randomMatrix(random);
                             m[3] = {0.1, 0.2, -0.1, 2.};
                             e.set("matrix", m);
                             e.set("fixedIndices", Vector<Index>{2, 5});
                         },
                     .verify =
                         [&map = map](const EngineAccess& e) {
                             REQUIRE(e.points("output_position").size() == 7);
                             for (std::size_t i = 0; i < 7; ++i) {
                                 const Eigen::Vector3d x = eigen(e.points("input_position")[i]);
                                 CHECK(distance(e.points("output_position")[i], i == 2 || i == 5 ? x : map(e, x)) <
                                       1e-13);
                             }
                         },
                     .mistakes = {{{{"fixedIndices", "3"}}, "fixedIndices: 3 does not exist; there are 0 points"}}});
}

TEST_CASE("TransformPosition: random moves stay in their bounds and are the same for a seed")
{
    const auto moved = [](const std::string& seed) {
        Node root("root");
        auto& e = addComponent<Engine>(root, "TransformPosition",
                                       {{"method", "random"},
                                        {"seedValue", seed},
                                        {"maxRandomDisplacement", "0.5"},
                                        {"input_position", "1 2 3  4 5 6"}});
        return EngineAccess(e).points("output_position");
    };
    const Points a = moved("3");
    CHECK(a == moved("3"));
    CHECK(a != moved("4"));
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::abs(a[0][i] - (1. + static_cast<double>(i))) <= 0.5);
        CHECK(a[0][i] != 1. + static_cast<double>(i));
    }
}

TEST_CASE("TransformPosition: files with affine maps, and mistakes in them")
{
    const sofa::test::TemporaryDirectory folder;
    const auto write = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    };
    const auto map = [](const std::string& file) {
        Node root("root");
        auto& e = addComponent<Engine>(root, "TransformPosition",
                                       {{"method", "fromFile"}, {"filename", file}, {"input_position", "1 2 3"}});
        return EngineAccess(e).points("output_position");
    };
    const Points expected{{12., 23., 31.}};  // (2, 3, 1) + (10, 20, 30)
    CHECK(map(write("a.trm", "10 20 30\n0 1 0\n0 0 1\n1 0 0\n")) == expected);
    CHECK(map(write("a.xfm", "0 1 0 10\n\n0 0 1 20\n1 0 0 30\n0 0 0 1\n")) == expected);
    CHECK(map(write("a.txt", "0 1 0 10\n0 0 1 20\n1 0 0 30\n0 0 0 1\n")) == expected);
    CHECK(map(write("a.tfm",
                    "#Insight Transform File V1.0\nTransform: AffineTransform_double_3_3\n"
                    "Parameters: 0 1 0 0 0 1 1 0 0 10 20 30\nFixedParameters: 0 0 0\n")) == expected);
    CHECK_THROWS_WITH(map(write("b.trm", "10 20 30\n0 1 0\n0 zero 1\n")), Catch::Matchers::Contains("b.trm:3"));
    CHECK_THROWS_WITH(map(write("c.trm", "10 20 30\n0 1 0 4\n")), Catch::Matchers::Contains("c.trm:2"));
    CHECK_THROWS_WITH(map(write("d.trm", "10 20 30\n")), Catch::Matchers::Contains("end of the file"));
    CHECK_THROWS_WITH(map(write("e.tfm", "nothing\n")), Catch::Matchers::Contains("Parameters"));
    CHECK_THROWS_WITH(map(write("f.dat", "1\n")), Catch::Matchers::Contains(".trm, .xfm, .txt or .tfm"));
    CHECK_THROWS(map("/there/is/no.trm"));
}

HARNESS_ENGINE("Vertex2Frame")
{
    const auto axes = [](const RigidCoord3& x) { return eigen(x.orientation).toRotationMatrix(); };
    for (const int rotation : {0, 1, 2})
        checkEngine(
            {.type = "Vertex2Frame",
             .attributes = {{"rotation", std::to_string(rotation)}, {"rotationAngle", "30"}},
             .fill =
                 [](const EngineAccess& e, RandomInput& random) {
                     auto normals = random.points(6);
                     normals[3] = {0., 2., 0.};
                     e.set("position", random.points(6));
                     e.set("normals", normals);
                     e.set("invertNormals", random.index(2) == 1);
                 },
             .verify =
                 [&axes, rotation](const EngineAccess& e) {
                     const auto& frames = e.get<Vector<RigidCoord3>>("frames");
                     REQUIRE(frames.size() == 6);
                     for (std::size_t i = 0; i < 6; ++i) {
                         CHECK(frames[i].center == e.points("position")[i]);
                         // Without the rotation about its own axis z is the normal, and x at right angles to y.
                         const Eigen::Matrix3d r =
                             axes(frames[i]) *
                             Eigen::AngleAxisd(-30. * degree, Eigen::Vector3d::Unit(rotation)).toRotationMatrix();
                         const Eigen::Vector3d n =
                             eigen(e.points("normals")[i]).normalized() * (e.get<bool>("invertNormals") ? -1. : 1.);
                         CHECK((r.col(2) - n).norm() < 1e-13);
                         CHECK(std::abs(r.col(0)[i == 3 ? 2 : 1]) < 1e-13);
                         CHECK(r.col(1)[i == 3 ? 2 : 1] > 0.);
                     }
                 },
             .mistakes = {{{{"position", "0 0 0"}}, "position has 1 entries and normals has 0"},
                          {{{"position", "0 0 0"}, {"normals", "0 0 0"}}, "point 0 has no direction"}}});
    checkEngine({.type = "Vertex2Frame",
                 .attributes = {{"useNormals", "0"}},
                 .fill = [](const EngineAccess& e, RandomInput& random) { e.set("position", random.points(6)); },
                 .verify =
                     [&axes](const EngineAccess& e) {
                         const auto& frames = e.get<Vector<RigidCoord3>>("frames");
                         REQUIRE(frames.size() == 6);
                         for (std::size_t i = 0; i < 5; ++i) {
                             const auto x = e.points("position");
                             const Eigen::Matrix3d r = axes(frames[i]);
                             CHECK((r.col(0) - eigen(x[i + 1] - x[i]).normalized()).norm() < 1e-13);
                             CHECK(std::abs(r.col(1)[0]) < 1e-13);
                             CHECK(r.col(2)[0] >= 0.);
                         }
                         CHECK(frames[5].orientation == frames[4].orientation);
                     },
                 .mistakes = {{{{"position", "0 0 0"}}, "position: one point alone has no direction"}}});
}

HARNESS_ENGINE("DilateEngine")
{
    // Surface of a box of random thickness along x, moved.
    const Vector<Quad> faces{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}};
    for (const bool triangles : {false, true})
        checkEngine({.type = "DilateEngine",
                     .attributes = {},
                     .fill =
                         [&faces, triangles](const EngineAccess& e, RandomInput& random) {
                             const double width = random.number(0.1, 0.5);
                             Points x;
                             for (const Vec3& p : cubePoints()) x.push_back({p[0] * width, p[1], p[2]});
                             e.set("input_position", x);
                             Vector<Triangle> halves;
                             for (const Quad& q : faces) {
                                 halves.push_back({q[0], q[1], q[2]});
                                 halves.push_back({q[0], q[2], q[3]});
                             }
                             if (triangles)
                                 e.set("triangles", halves);
                             else
                                 e.set("quads", faces);
                             e.set("distance", random.number(-0.1, 0.1));
                         },
                     .verify =
                         [](const EngineAccess& e) {
                             const auto normals = geometry::pointNormals(e.points("input_position"),
                                                                         e.get<Vector<Triangle>>("triangles"),
                                                                         e.get<Vector<Quad>>("quads"));
                             for (std::size_t i = 0; i < 8; ++i) {
                                 CHECK(norm(e.points("normal").at(i) - normals[i]) < 1e-15);
                                 CHECK(norm(e.points("output_position").at(i) - e.points("input_position")[i] -
                                            normals[i] * e.get<double>("distance")) < 1e-15);
                             }
                         },
                     .mistakes = {{{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"}}});
}

TEST_CASE("DilateEngine makes a thin place as thick as is asked")
{
    // Two plates one above the other; the points of the middle of each see the other one.
    Node root("root");
    auto& e =
        addComponent<Engine>(root, "DilateEngine",
                             {{"input_position", "-9 -9 0  9 -9 0  0 9 0  -9 -9 0.25  9 -9 0.25  0 9 0.25  0 0 0.25"},
                              {"triangles", "0 2 1  3 4 6  4 5 6  5 3 6"},
                              {"minThickness", "1"}});
    const EngineAccess access(e);
    CHECK(access.get<Vector<double>>("thickness").at(6) == Approx(0.25));
    CHECK(access.points("output_position").at(6)[2] == Approx(0.25 + 0.375));
}

HARNESS_ENGINE("SmoothMeshEngine")
{
    const auto topologyOf = [](const EngineAccess& e) -> TestTopology& {
        return *e.engine().node()->root().get<TestTopology>(Search::Local);
    };
    for (const bool some : {false, true})
        checkEngine({.type = "SmoothMeshEngine",
                     .attributes = {{"nb_iterations", "3"}},
                     .fill =
                         [topologyOf, some](const EngineAccess& e, RandomInput& random) {
                             // Edges are those that a triangle mesh has; the last point is alone.
                             std::set<Edge> edges;
                             for (const Edge& edge : random.elements<2>(14, 11))
                                 edges.insert({std::min(edge[0], edge[1]), std::max(edge[0], edge[1])});
                             topologyOf(e).edgeList.assign(edges.begin(), edges.end());
                             topologyOf(e).changed();
                             e.set("input_position", random.points(12));
                             if (some) e.set("input_indices", Vector<Index>{2, 5, 7});
                         },
                     .verify =
                         [topologyOf, some](const EngineAccess& e) {
                             Points x = e.points("input_position");
                             for (int k = 0; k < 3; ++k) {
                                 const Points before = x;
                                 for (Index i = 0; i < 12; ++i) {
                                     Vec3 sum;
                                     double n = 0.;
                                     for (const Edge& edge : topologyOf(e).edgeList)
                                         if (edge[0] == i || edge[1] == i) {
                                             sum += before[edge[0] == i ? edge[1] : edge[0]];
                                             ++n;
                                         }
                                     if (n > 0. && (!some || i == 2 || i == 5 || i == 7)) x[i] = sum / n;
                                 }
                             }
                             for (Index i = 0; i < 12; ++i)
                                 CHECK(norm(e.points("output_position").at(i) - x[i]) < 1e-14);
                             CHECK(e.points("output_position")[11] == e.points("input_position")[11]);
                         },
                     .mistakes = {{{{"input_position", "0 0 0"}, {"input_indices", "1"}},
                                   "input_indices: 1 does not exist; there are 1 points"}},
                     .scene = [](Node& root) { root.create<TestTopology>().points = 12; }});
    Node empty("empty");
    auto& e = addComponent<Engine>(empty, "SmoothMeshEngine", {{"input_position", "0 0 0"}});
    e.init();
    CHECK_FALSE(e.isValid());
    CHECK_THAT(e.messages().back().text, Catch::Matchers::Contains("there is no topology"));
}

}  // namespace transform_engines_test
