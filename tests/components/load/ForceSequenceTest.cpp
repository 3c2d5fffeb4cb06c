// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ForceSequence.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace force_sequence_test {

using namespace sofa;
using namespace sofa::core;
using component::ForceSequence;

namespace {

/// Two points; column k of the file has the forces (k + 1)(1, 2, ..., rows).
struct Scene
{
    ForceSequence& build(int rows, int columns, test::Attributes attributes = {}, bool valid = true)
    {
        io::VegaMatrix m;
        m.rows = rows;
        m.columns = columns;
        for (int k = 0; k < columns; ++k)
            for (int i = 0; i < rows; ++i) m.values.push_back((k + 1.) * (i + 1.));
        const auto file = folder.path() / "loads.bin";
        io::writeVegaMatrix(file, m);
        attributes.emplace_back("filename", file.string());
        root.d_dt.setValue(0.1);
        test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}});
        auto& ff = test::addComponent<ForceSequence>(root, "ForceSequence", attributes);
        CHECK(test::initialise(root) == valid);
        return ff;
    }
    /// Number of the column that acts at a time, from 1; 0 for none.
    double factor(ForceSequence& ff, double time)
    {
        root.d_time.setValue(time);
        Vector<Vec3> f(2), x(2), v(2);
        ff.addForce({}, f, x, v);
        const double k = f[0][0];
        CHECK(f == Vector<Vec3>{{k, 2. * k, 3. * k}, {4. * k, 5. * k, 6. * k}});
        CHECK(ff.d_forces.value() == f);
        return k;
    }
    test::TemporaryDirectory folder;
    Node root;
};

}  // namespace

HARNESS_FORCE_FIELD("ForceSequence")
{
    Scene s;
    test::checkForceField(s.build(6, 3), {.hasStiffness = false});
}

TEST_CASE("each column of a force sequence acts for its period")
{
    Scene s;
    SECTION("of one step")
    {
        ForceSequence& ff = s.build(6, 3);
        // Rounding of sums of steps does not decide.
        CHECK(s.factor(ff, 0.) == 1.);
        CHECK(s.factor(ff, 0.1 * (1. - 1e-12)) == 2.);
        CHECK(s.factor(ff, 0.1 + 0.1 + 0.1) == 0.);
        CHECK(s.factor(ff, 0.2) == 3.);
        CHECK(s.factor(ff, -0.1) == 0.);
        CHECK(s.factor(ff, 0.) == 1.);
    }
    SECTION("of several steps")
    {
        ForceSequence& ff = s.build(6, 2, {{"period", "0.3"}});
        double time = 0.;
        for (const double expected : {1., 1., 1., 2., 2., 2., 0., 0.}) {
            CHECK(s.factor(ff, time) == expected);
            time += 0.1;
        }
    }
}

TEST_CASE("a force sequence says what is wrong")
{
    Scene s;
    const MessageCapture capture;
    SECTION("size")
    {
        s.build(9, 1, {}, false);
        CHECK(capture.has(Severity::Error, "the matrix has 9 rows, but the state '/TestState1' has 6 degrees"));
    }
    SECTION("file")
    {
        test::addState<Vec3Types>(s.root, {{0., 0., 0.}});
        test::addComponent(s.root, "ForceSequence", {{"filename", "nowhere.bin"}});
        CHECK_FALSE(test::initialise(s.root));
        CHECK(capture.has(Severity::Error, "nowhere.bin"));
    }
    SECTION("no file")
    {
        test::addState<Vec3Types>(s.root, {{0., 0., 0.}});
        test::addComponent(s.root, "ForceSequence");
        CHECK_FALSE(test::initialise(s.root));
        CHECK(capture.has(Severity::Error, "it needs a filename"));
    }
}

}  // namespace force_sequence_test
