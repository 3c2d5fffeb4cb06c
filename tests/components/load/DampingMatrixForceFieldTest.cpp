// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/DampingMatrixForceField.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace damping_matrix_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::DampingMatrixForceField;

namespace {

/// Three points, of which 0 and 1, and 1 and 2 are neighbours; the file of the attribute "filename" is in a folder.
struct Scene
{
    DampingMatrixForceField& build(test::Attributes attributes, const std::string& matrix = {}, bool valid = true)
    {
        if (!matrix.empty()) {
            const auto file = folder.path() / "damping.txt";
            std::ofstream(file) << matrix;
            attributes.emplace_back("filename", file.string());
        }
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>({{0., 0., 0.}, {1., 0., 0.}, {2., 1., 0.}}));
        auto& t = root.create<test::TestTopology>();
        t.points = 3;
        t.edgeList = {{0, 1}, {1, 2}};
        auto& ff = test::addComponent<DampingMatrixForceField>(root, "DampingMatrixForceField", attributes);
        CHECK(test::initialise(root) == valid);
        return ff;
    }
    test::TemporaryDirectory folder;
    Node root;
};

const std::string s_matrix = "9\n9\n0 0 2\n0 4 -1.5\n4 0 -1.5\n4 4 3\n8 8 0.25\n8 8 0.25\n8 1 7\n";

Vector<Vec3> force(DampingMatrixForceField& ff, const Vector<Vec3>& v)
{
    Vector<Vec3> f(v.size());
    ff.addForce({}, f, f, v);
    return f;
}

}  // namespace

HARNESS_FORCE_FIELD("DampingMatrixForceField")
{
    const test::ForceFieldOptions options{.hasStiffness = false};
    Scene s;
    SECTION("file") { test::checkForceField(s.build({}, s_matrix), options); }
    SECTION("Laplacian") { test::checkForceField(s.build({{"laplacian", "0.5"}}), options); }
    SECTION("both") { test::checkForceField(s.build({{"laplacian", "2"}, {"scaleRows", "1"}}, s_matrix), options); }
}

TEST_CASE("a damping matrix from a file acts as it stands there")
{
    Scene s;
    const Vector<Vec3> f = force(s.build({}, s_matrix), {{1., 10., 100.}, {2., 20., 200.}, {3., 30., 300.}});
    CHECK(f[0] == Vec3{-(2. * 1. - 1.5 * 20.), 0., 0.});
    CHECK(f[1] == Vec3{0., -(-1.5 * 1. + 3. * 20.), 0.});
    CHECK(f[2] == Vec3{0., 0., -(7. * 10. + 0.5 * 300.)});
    Scene one;
    CHECK(force(one.build({{"indexBase", "1"}}, "9\n9\n9 9 2\n"), {{}, {}, {0., 0., 5.}})[2] == Vec3{0., 0., -10.});
}

TEST_CASE("the Laplacian damps what neighbours do differently")
{
    const Vector<Vec3> v{{1., 0., 0.}, {4., 0., 2.}, {0., 0., 2.}};
    SECTION("symmetric")
    {
        Scene s;
        const Vector<Vec3> f = force(s.build({{"laplacian", "2"}}), v);
        CHECK(f[0] == Vec3{6., 0., 4.});
        CHECK(f[1] == Vec3{-14., 0., -4.});
        CHECK(f[2] == Vec3{8., 0., 0.});
    }
    SECTION("rows scaled")
    {
        Scene s;
        const Vector<Vec3> f = force(s.build({{"laplacian", "2"}, {"scaleRows", "1"}}), v);
        CHECK(f[0] == Vec3{6., 0., 4.});
        CHECK(f[1] == Vec3{-7., 0., -2.});
        CHECK(f[2] == Vec3{8., 0., 0.});
    }
}

TEST_CASE("a damping matrix says what does not fit")
{
    MessageCapture capture;
    Scene s;
    SECTION("size")
    {
        s.build({}, "3\n9\n0 0 1\n", false);
        CHECK(capture.has(Severity::Error, "the matrix has 3 rows and 9 columns, but the state '/TestState1' has 9"));
    }
    SECTION("contents")
    {
        s.build({}, "9\n9\n0 9 1\n", false);
        CHECK(capture.has(Severity::Error, "damping.txt:3"));
    }
    SECTION("no file")
    {
        s.build({{"filename", "missing.txt"}}, {}, false);
        CHECK(capture.has(Severity::Error, "missing.txt"));
    }
    SECTION("nothing")
    {
        s.build({});
        CHECK(capture.has(Severity::Warning, "nothing is damped"));
    }
}

}  // namespace damping_matrix_force_field_test
