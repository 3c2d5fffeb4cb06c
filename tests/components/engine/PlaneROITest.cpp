// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/PlaneROI.h"

#include <catch2/catch.hpp>

#include "tests/harness/TestGraph.h"

namespace plane_roi_test {

using namespace sofa;
using namespace sofa::core;

namespace {

std::string text(const Component& c, const char* data) { return c.findData(data)->text(); }

Component& roi(Node& root, const std::string& type, test::Attributes attributes)
{
    auto& c = test::addComponent(root, type, attributes);
    c.init();
    return c;
}

/// Corners and middles of the unit square in the plane z = 0, and points above its middle.
const char* const s_points = "0 0 0  1 0 0  1 1 0  0 1 0  0.5 0.5 0  0.5 0.5 0.2  0.5 0.5 0.21  1.1 0.5 0";

}  // namespace

TEST_CASE("PlaneROI selects what is near a parallelogram, its border included")
{
    Node root;
    auto& c = roi(root, "PlaneROI",
                  {{"plane", "0 0 0  1 0 0  1 1 0  0.4"},
                   {"position", s_points},
                   {"edges", "0 1  1 7"},
                   {"triangles", "0 1 2  0 1 7"},
                   {"tetrahedra", "0 1 2 5  0 1 2 6"},
                   {"drawBoxes", "1"}});
    CHECK(c.isValid());
    CHECK(text(c, "indices") == "0 1 2 3 4 5");
    CHECK(text(c, "edgeIndices") == "0");
    CHECK(text(c, "triangleIndices") == "0");
    CHECK(text(c, "tetrahedraInROI") == "0 1 2 5");
    CHECK(c.boundingBox().low[2] == Approx(-0.2));
    CHECK(c.boundingBox().high[2] == Approx(0.2));
    // A second, slanted one: the parallelogram 1 0 0, 2 0 0, 2.5 1 0, 1.5 1 0.
    auto& two = roi(root, "PlaneROI",
                    {{"plane", "0 0 0  0.1 0 0  0.1 0.1 0  0.1   1 0 0  2 0 0  2.5 1 0  0.1"},
                     {"rest_position", "0 0 0  1.2 0 0  1.4 0.9 0  1.5 0.9 0  2.3 0.5 0  2.2 0.5 0"}});
    CHECK(text(two, "indices") == "0 1 3 5");
    // Without depth, the whole plane.
    auto& plane =
        roi(root, "PlaneROI", {{"plane", "0.3 0 0  0 0 0  0 0.3 0  0"}, {"position", "0 0 0  5 -7 0  0.1 0.1 1e-9"}});
    CHECK(text(plane, "indices") == "0 1");
    auto& frames = roi(root, "PlaneROI",
                       {{"template", "Rigid3"},
                        {"plane", "0 0 0  1 0 0  1 1 0  0.4"},
                        {"position", "0.5 0.5 0.1 0 0 0 1  0.5 0.5 1 0 0 0 1"}});
    CHECK(text(frames, "indices") == "0");
}

TEST_CASE("PairBoxROI selects the rim of a square")
{
    Node root;
    auto& c = roi(root, "PairBoxROI",
                  {{"inclusiveBox", "1 1 0 -0.1 -0.1 0"},
                   {"includedBox", "0.1 0.1 0 0.9 0.9 0"},
                   {"rest_position", s_points},
                   {"edges", "0 1  0 4"}});
    CHECK(text(c, "indices") == "0 1 2 3");
    CHECK(text(c, "pointsInROI") == "0 0 0 1 0 0 1 1 0 0 1 0");
    CHECK(text(c, "edgeIndices") == "0");
    auto& six = roi(root, "PairBoxROI",
                    {{"template", "Vec6"},
                     {"inclusiveBox", "-1 -1 -1 1 1 1"},
                     {"includedBox", "-0.5 -0.5 -0.5 0.5 0.5 0.5"},
                     {"position", "0 0 0 9 9 9  0.7 0 0 9 9 9  0.5 0 0 0 0 0"}});
    CHECK(text(six, "indices") == "1");
}

TEST_CASE("regions say what they lack")
{
    Node root;
    MessageCapture capture;
    CHECK_FALSE(roi(root, "PlaneROI", {{"position", s_points}}).isValid());
    CHECK(capture.has(Severity::Error, "there is no plane"));
    CHECK_FALSE(roi(root, "PlaneROI", {{"position", s_points}, {"plane", "0 0 0 1 1 1 2 2 2 1"}}).isValid());
    CHECK(capture.has(Severity::Error, "plane: the three points 0 0 0 1 1 1 2 2 2 1 lie on a line"));
    CHECK_FALSE(roi(root, "PairBoxROI", {{"position", s_points}, {"inclusiveBox", "0 0 0 1 1 1"}}).isValid());
    CHECK(capture.has(Severity::Error, "it needs two boxes"));
    roi(root, "PairBoxROI",
        {{"position", s_points}, {"inclusiveBox", "5 5 5 6 6 6"}, {"includedBox", "5.1 5.1 5.1 5.2 5.2 5.2"}});
    CHECK(capture.has(Severity::Warning, "none of 8 points lies in the box inclusiveBox=\"5 5 5 6 6 6\""));
}

}  // namespace plane_roi_test
