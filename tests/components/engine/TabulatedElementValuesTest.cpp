// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/EngineCheck.h"
#include "tests/harness/SceneText.h"

namespace tabulated_element_values_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const std::string tetrahedra = "0 1 2 3  1 4 2 3  4 1 2 5";

/// The value between the entries around a number, by the definition of a straight line.
double lookUp(double t, const Vector<double>& keys, const Vector<double>& values)
{
    if (t <= keys.front()) return values.front();
    for (std::size_t k = 1; k < keys.size(); ++k)
        if (t <= keys[k])
            return (values[k - 1] * (keys[k] - t) + values[k] * (t - keys[k - 1])) / (keys[k] - keys[k - 1]);
    return values.back();
}

}  // namespace

HARNESS_ENGINE("TabulatedElementValues")
{
    checkEngine({.type = "TabulatedElementValues",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         Vector<Vec<1>> in;
                         for (const double t : random.numbers(6, -1., 5.)) in.push_back(Vec<1>(t));
                         e.set("input", in);
                         e.set("keys", Vector<double>{0., 1., 3.});
                         e.set("values", random.numbers(3, 1., 9.));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto in = e.get<Vector<Vec<1>>>("input");
                         const auto keys = e.get<Vector<double>>("keys"), values = e.get<Vector<double>>("values");
                         const auto out = e.get<Vector<double>>("output");
                         const Index elements[3][4] = {{0, 1, 2, 3}, {1, 4, 2, 3}, {4, 1, 2, 5}};
                         REQUIRE(out.size() == 3);
                         for (std::size_t k = 0; k < 3; ++k) {
                             double mean = 0.;
                             for (const Index v : elements[k]) mean += in[v][0] / 4.;
                             CHECK(out[k] == Approx(lookUp(mean, keys, values)).epsilon(1e-13));
                         }
                     },
                 .mistakes = {{{{"input", "1"}, {"keys", "0"}, {"values", "1"}},
                               "input: there are 1 numbers; element 0 has point 1"},
                              {{{"input", "1"}, {"keys", "0 1"}, {"values", "1"}}, "there are 1 and 2 keys"},
                              {{{"input", "1"}, {"keys", "0 1 1"}, {"values", "1 2 3"}},
                               "number 2 is 1; expected more than the one before, 1"}},
                 .scene =
                     [](Node& root) {
                         addComponent(
                             root, "MeshTopology",
                             {{"position", "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 2 0 0"}, {"tetrahedra", tetrahedra}});
                     }});
}

TEST_CASE("Tables give values to the elements of the highest dimension, also of grids", "[engine]")
{
    const auto values = [](const std::string& topology) {
        SceneText s("<Node name='n'>" + topology +
                    "<MechanicalObject name='t' template='Vec1' position='0 1 2 3 4 5 6 7 8 9 10 11'/>"
                    "<TabulatedElementValues name='e' input='@t.position' keys='0 11' values='0 22'/></Node>");
        REQUIRE(s.good);
        return dynamic_cast<Data<Vector<double>>&>(*s.child("n").component("e")->findData("output")).value();
    };
    // Twice the mean of the points.
    CHECK(values("<RegularGridTopology n='3 2 2' min='0 0 0' max='2 1 1'/>") == Vector<double>{10., 12.});
    CHECK(values("<MeshTopology edges='0 1 1 2'/>") == Vector<double>{1., 3.});
    CHECK(values("<MeshTopology triangles='0 1 2' quads='4 5 6 7'/>") == Vector<double>{2., 11.});
}

}  // namespace tabulated_element_values_test
