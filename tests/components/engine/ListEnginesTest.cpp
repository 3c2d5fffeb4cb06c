// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <map>
#include <set>

#include "tests/components/engine/RandomLists.h"

namespace list_engines_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

template <class T>
void checkValuesFromIndices(const std::string& templ)
{
    INFO(templ);
    checkEngine({.type = "ValuesFromIndices",
                 .attributes = {{"template", templ}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("in", randomList<T>(random, 12));
                         e.set("indices", random.indices(20, 12));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto& in = e.get<Vector<T>>("in");
                         const auto& out = e.get<Vector<T>>("out");
                         const auto indices = e.indices("indices");
                         REQUIRE(out.size() == indices.size());
                         for (std::size_t k = 0; k < out.size(); ++k) CHECK(out[k] == in[indices[k]]);
                         CHECK(e.get<std::string>("outStr") == e.data("out").text());
                     },
                 .mistakes = {{{{"indices", "7"}}, "indices: 7 does not exist; there are 0 values"}}});
}

template <class T>
void checkMergeVectors(const std::string& templ)
{
    INFO(templ);
    checkEngine({.type = "MergeVectors",
                 .attributes = {{"template", templ}, {"nbInputs", "3"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         for (const char* name : {"input1", "input2", "input3"})
                             e.set(name, randomList<T>(random, random.index(5) + 1));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         Vector<T> all;
                         for (const char* name : {"input1", "input2", "input3"})
                             for (const auto& v : e.get<Vector<T>>(name)) all.push_back(v);
                         CHECK(e.get<Vector<T>>("output") == all);
                     },
                 .mistakes = {}});
}

template <class T>
void checkIndicesFromValues(const std::string& templ, const std::string& text)
{
    INFO(templ);
    for (const bool all : {false, true})
        checkEngine({.type = "IndicesFromValues",
                     .attributes = {{"template", templ}, {"recursiveSearch", all ? "1" : "0"}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             const auto global = randomList<T>(random, 15);
                             Vector<T> values;
                             for (const Index i : random.indices(4, 15)) values.push_back(global[i]);
                             e.set("global", global);
                             e.set("values", values);
                         },
                     .verify =
                         [all](const EngineAccess& e) {
                             const auto &global = e.get<Vector<T>>("global"), &values = e.get<Vector<T>>("values");
                             Indices found, others;
                             for (const auto& v : values)
                                 for (std::size_t j = 0; j < global.size(); ++j)
                                     if (global[j] == v) {
                                         found.push_back(static_cast<Index>(j));
                                         if (!all) break;
                                     }
                             for (Index j = 0; j < global.size(); ++j)
                                 if (std::count(found.begin(), found.end(), j) == 0) others.push_back(j);
                             CHECK(e.indices("indices") == found);
                             CHECK(e.indices("otherIndices") == others);
                         },
                     .mistakes = all ? std::vector<std::pair<Attributes, std::string>>{}
                                     : std::vector<std::pair<Attributes, std::string>>{{{{"values", text}},
                                                                                        "values: entry 0 (" + text +
                                                                                            ") is not in `global`"}}});
}

template <class T>
void checkMapIndices(const std::string& templ)
{
    INFO(templ);
    for (const bool transpose : {false, true})
        checkEngine({.type = "MapIndices",
                     .attributes = {{"template", templ}, {"transpose", transpose ? "1" : "0"}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             e.set("in", randomList<T>(random, 12));
                             e.set("indices", random.subset(6, 9));
                         },
                     .verify =
                         [transpose](const EngineAccess& e) {
                             const auto indices = e.indices("indices");
                             const auto renumbered = [&](Index i) {
                                 if (transpose) return i < indices.size() ? indices[i] : i;
                                 const auto at = std::find(indices.begin(), indices.end(), i);
                                 return at == indices.end() ? i : static_cast<Index>(at - indices.begin());
                             };
                             Vector<T> expected = e.get<Vector<T>>("in");
                             for (T& v : expected) {
                                 if constexpr (std::is_integral_v<T>)
                                     v = static_cast<T>(renumbered(static_cast<Index>(v)));
                                 else
                                     std::transform(v.begin(), v.end(), v.begin(), renumbered);
                             }
                             CHECK(e.get<Vector<T>>("out") == expected);
                         },
                     .mistakes = {}});
}

}  // namespace

HARNESS_ENGINE("ValuesFromIndices")
{
    checkValuesFromIndices<double>("double");
    checkValuesFromIndices<Index>("unsigned int");
    checkValuesFromIndices<int>("int");
    checkValuesFromIndices<std::string>("string");
    checkValuesFromIndices<Vec2>("Vec2d");
    checkValuesFromIndices<Vec3>("Vec3d");
    checkValuesFromIndices<Vec<4>>("Vec4d");
    checkValuesFromIndices<Vec6>("RigidDeriv3d");
    checkValuesFromIndices<RigidCoord2>("RigidCoord2d");
    checkValuesFromIndices<RigidCoord3>("RigidCoord3d");
    checkValuesFromIndices<Edge>("fixed_array<I,2>");
    checkValuesFromIndices<Triangle>("Triangle");
    checkValuesFromIndices<Tetrahedron>("Quad");
    checkValuesFromIndices<Hexahedron>("Hexahedron");
}

TEST_CASE("engines over lists take the type of what they are linked to")
{
    Node root("root");
    addComponent(root, "MergeVectors", {{"template", "Vec3"}, {"name", "source"}, {"input1", "1 2 3"}});
    auto& e = addComponent<Engine>(root, "ValuesFromIndices", {{"in", "@source.output"}, {"indices", "0"}});
    CHECK(e.templateName() == "Vec3");
    REQUIRE(initialise(root));
    CHECK(EngineAccess(e).points("out") == Vector<Vec3>{{1., 2., 3.}});
    CHECK_THROWS_WITH(addComponent(root, "ValuesFromIndices", {{"template", "int"}, {"in", "@source.output"}}),
                      Catch::Matchers::Contains("in: /source.output is a list of Vec3, not a list of int"));
}

HARNESS_ENGINE("MergeVectors")
{
    checkMergeVectors<double>("vector<double>");
    checkMergeVectors<int>("vector<int>");
    checkMergeVectors<Index>("vector<unsigned int>");
    checkMergeVectors<bool>("vector<bool>");
    checkMergeVectors<Vec2>("vector<Vec2d>");
    checkMergeVectors<Vec3>("vector<Vec3d>");
    checkMergeVectors<Vec<4>>("vector<Vec4d>");
    checkMergeVectors<Vec6>("vector<RigidDeriv3d>");
    checkMergeVectors<RigidCoord2>("vector<RigidCoord2d>");
    checkMergeVectors<RigidCoord3>("vector<RigidCoord3d>");
    checkMergeVectors<Edge>("Edge");
}

HARNESS_ENGINE("IndicesFromValues")
{
    checkIndicesFromValues<double>("double", "77");
    checkIndicesFromValues<Index>("I", "77");
    checkIndicesFromValues<int>("int", "-7");
    checkIndicesFromValues<std::string>("string", "nowhere");
    checkIndicesFromValues<Vec2>("Vec2", "1 2");
    checkIndicesFromValues<Vec3>("Vec3", "1 2 3");
    checkIndicesFromValues<Edge>("Edge", "77 78");
    checkIndicesFromValues<Triangle>("Triangle", "77 78 79");
    checkIndicesFromValues<Tetrahedron>("Tetrahedron", "77 78 79 80");
    checkIndicesFromValues<Hexahedron>("Hexahedron", "77 78 79 80 81 82 83 84");
}

HARNESS_ENGINE("MapIndices")
{
    checkMapIndices<Index>("unsigned");
    checkMapIndices<int>("int");
    checkMapIndices<Edge>("Edge");
    checkMapIndices<Triangle>("Triangle");
    checkMapIndices<Tetrahedron>("Tetrahedron");
    checkMapIndices<Hexahedron>("Hexahedron");
}

TEST_CASE("numbered inputs come and go with their number")
{
    Node root("root");
    auto& e = addComponent<Engine>(root, "MergeVectors",
                                   {{"input3", "3"}, {"input1", "1"}, {"nbInputs", "3"}});  // in any order
    const EngineAccess access(e);
    CHECK(access.get<Numbers>("output") == Numbers{1., 3.});
    access.set<Index>("nbInputs", 4);
    access.set("input4", Numbers{4.});
    CHECK(access.get<Numbers>("output") == Numbers{1., 3., 4.});
    access.set<Index>("nbInputs", 1);
    CHECK(access.get<Numbers>("output") == Numbers{1.});
    CHECK_FALSE(e.findData("input2"));
    CHECK_THROWS(addComponent(root, "MergeVectors", {{"input3", "3"}}));
    CHECK_THROWS(access.set<Index>("nbInputs", 1000000));
}

namespace {

template <class T>
void checkMergeSets(const std::string& templ)
{
    INFO(templ);
    const auto check = [&templ](const std::string& op, auto keep) {
        const T shift = std::is_signed_v<T> ? static_cast<T>(-10) : T(0);
        checkEngine({.type = "MergeSets",
                     .attributes = {{"template", templ}, {"op", op}},
                     .fill =
                         [shift](const EngineAccess& e, RandomInput& random) {
                             for (const char* name : {"in1", "in2"}) {
                                 Vector<T> list;
                                 for (const Index i : random.indices(12, 20)) list.push_back(static_cast<T>(i) + shift);
                                 e.set(name, list);
                             }
                         },
                     .verify =
                         [keep, shift](const EngineAccess& e) {
                             const auto &a = e.get<Vector<T>>("in1"), &b = e.get<Vector<T>>("in2");
                             Vector<T> expected;
                             for (T i = shift; i < shift + T(20); ++i)
                                 if (keep(std::count(a.begin(), a.end(), i) > 0, std::count(b.begin(), b.end(), i) > 0))
                                     expected.push_back(i);
                             CHECK(e.get<Vector<T>>("out") == expected);
                         },
                     .mistakes = {{{{"op", "product"}}, "op: 'product' is none of union"}}});
    };
    check("union", [](bool a, bool b) { return a || b; });
    check("Intersection", [](bool a, bool b) { return a && b; });
    check("difference", [](bool a, bool b) { return a && !b; });
    check("symmetric_difference", [](bool a, bool b) { return a != b; });
}

}  // namespace

HARNESS_ENGINE("MergeSets")
{
    checkMergeSets<Index>("unsigned");
    checkMergeSets<int>("int");
    Node root("root");
    auto& e = addComponent<Engine>(root, "MergeSets", {{"in1", "3 -1"}, {"in2", "2 3"}});
    CHECK(e.findData("out")->text() == "-1 2 3");
}

HARNESS_ENGINE("MergeROIs")
{
    checkEngine({.type = "MergeROIs",
                 .attributes = {{"nbROIs", "2"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("indices1", random.indices(3, 9));
                         e.set("indices2", random.indices(5, 9));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         CHECK(e.get<Vector<Indices>>("roiIndices") ==
                               Vector<Indices>{e.indices("indices1"), e.indices("indices2")});
                     },
                 .mistakes = {}});
}

HARNESS_ENGINE("ROIValueMapper")
{
    checkEngine({.type = "ROIValueMapper",
                 .attributes = {{"nbROIs", "2"}, {"defaultValue", "-3"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("indices1", random.indices(4, 9));
                         e.set("indices2", random.indices(4, 9));
                         e.set("value1", random.number());
                         e.set("value2", random.number());
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         std::map<Index, double> values;
                         for (const Index i : e.indices("indices1")) values[i] = e.get<double>("value1");
                         for (const Index i : e.indices("indices2")) values[i] = e.get<double>("value2");
                         const auto& out = e.get<Numbers>("outputValues");
                         REQUIRE(out.size() == values.rbegin()->first + 1);
                         for (Index i = 0; i < out.size(); ++i) CHECK(out[i] == (values.count(i) ? values[i] : -3.));
                     },
                 .mistakes = {{{{"indices1", "4000000000"}}, "the index 4000000000 is too large for a list"}}});
}

HARNESS_ENGINE("IndexValueMapper")
{
    checkEngine({.type = "IndexValueMapper",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("inputValues", random.numbers(6));
                         e.set("indices", random.indices(4, 12));
                         e.set("value", random.number());
                         e.set("defaultValue", random.number());
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto &in = e.get<Numbers>("inputValues"), &out = e.get<Numbers>("outputValues");
                         const auto indices = e.indices("indices");
                         const auto last = *std::max_element(indices.begin(), indices.end());
                         REQUIRE(out.size() == std::max<std::size_t>(in.size(), last + 1));
                         for (Index i = 0; i < out.size(); ++i) {
                             const bool chosen = std::count(indices.begin(), indices.end(), i) > 0;
                             CHECK(out[i] == (chosen          ? e.get<double>("value")
                                              : i < in.size() ? in[i]
                                                              : e.get<double>("defaultValue")));
                         }
                     },
                 .mistakes = {{{{"indices", "4000000000"}}, "is too large for a list"}}});
}

HARNESS_ENGINE("Indices2ValuesMapper")
{
    checkEngine({.type = "Indices2ValuesMapper",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         Numbers labels, known;
                         for (const Index i : random.indices(9, 6)) labels.push_back(i);
                         for (const Index i : random.indices(4, 6)) known.push_back(i);
                         e.set("inputValues", labels);
                         e.set("indices", known);
                         e.set("values", random.numbers(4));
                         e.set("defaultValue", random.number());
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto &labels = e.get<Numbers>("inputValues"), &known = e.get<Numbers>("indices");
                         Numbers expected;
                         for (const double label : labels) {
                             const auto at = std::find(known.begin(), known.end(), label);
                             expected.push_back(
                                 at == known.end()
                                     ? e.get<double>("defaultValue")
                                     : e.get<Numbers>("values")[static_cast<std::size_t>(at - known.begin())]);
                         }
                         CHECK(e.get<Numbers>("outputValues") == expected);
                     },
                 .mistakes = {{{{"indices", "1 2"}, {"values", "3"}},
                               "indices has 2 entries and values has 1; they must have the same number"}}});
}

namespace {

/// Random labels in [−2, end − 2), or [0, end) where there are no negative ones.
template <class T>
Vector<T> randomLabels(RandomInput& random, std::size_t count, std::size_t end)
{
    Vector<T> labels;
    for (const Index i : random.indices(count, end))
        labels.push_back(std::is_signed_v<T> ? static_cast<T>(i) - T(2) : static_cast<T>(i));
    return labels;
}

template <class T>
void checkSelectLabelROI(const std::string& templ)
{
    INFO(templ);
    checkEngine({.type = "SelectLabelROI",
                 .attributes = {{"template", templ}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         Vector<Vector<T>> labels;
                         for (int i = 0; i < 10; ++i) labels.push_back(randomLabels<T>(random, random.index(4), 8));
                         e.set("labels", labels);
                         e.set("selectLabels", randomLabels<T>(random, 2, 8));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto& labels = e.get<Vector<Vector<T>>>("labels");
                         const auto& wanted = e.get<Vector<T>>("selectLabels");
                         Indices expected;
                         for (Index i = 0; i < labels.size(); ++i)
                             if (std::any_of(labels[i].begin(), labels[i].end(),
                                             [&](T l) { return std::count(wanted.begin(), wanted.end(), l) > 0; }))
                                 expected.push_back(i);
                         CHECK(e.indices("indices") == expected);
                     },
                 .mistakes = {}});
}

template <class T>
void checkSelectConnectedLabelsROI(const std::string& templ)
{
    INFO(templ);
    checkEngine({.type = "SelectConnectedLabelsROI",
                 .attributes = {{"template", templ}, {"nbLabels", "3"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         for (const char* name : {"labels1", "labels2", "labels3"}) {
                             Vector<Vector<T>> labels;
                             for (int i = 0; i < 20; ++i) labels.push_back(randomLabels<T>(random, random.index(3), 4));
                             e.set(name, labels);
                         }
                         e.set("connectLabels", Vector<T>{T(0), T(1), T(2), T(2)});
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         std::vector<Vector<Vector<T>>> all;
                         for (const char* name : {"labels1", "labels2", "labels3"})
                             all.push_back(e.get<Vector<Vector<T>>>(name));
                         const auto connected = [](T a, T b) {
                             return (a == 0 && b == 1) || (a == 1 && b == 0) || (a == 2 && b == 2);
                         };
                         Indices expected;
                         for (Index i = 0; i < 20; ++i) {
                             bool meets = false;
                             for (std::size_t k = 0; k < 3; ++k)
                                 for (std::size_t l = 0; l < 3; ++l)
                                     for (const T a : all[k][i])
                                         for (const T b : all[l][i]) meets |= k != l && connected(a, b);
                             if (meets) expected.push_back(i);
                         }
                         CHECK(e.indices("indices") == expected);
                     },
                 .mistakes = {{{{"connectLabels", "1 2 3"}}, "connectLabels: the last label has no partner"},
                              {{{"labels1", "[1]"}}, "labels1 has 1 entries and labels2 has 0"}}});
}

}  // namespace

HARNESS_ENGINE("SelectLabelROI")
{
    checkSelectLabelROI<Index>("I");
    checkSelectLabelROI<Index>("unsigned char");
    checkSelectLabelROI<Index>("unsigned short");
    checkSelectLabelROI<int>("int");
}

HARNESS_ENGINE("SelectConnectedLabelsROI")
{
    checkSelectConnectedLabelsROI<Index>("unsigned");
    checkSelectConnectedLabelsROI<Index>("unsigned char");
    checkSelectConnectedLabelsROI<Index>("unsigned short");
    checkSelectConnectedLabelsROI<int>("int");
    Node root("root");
    auto& e = addComponent<Engine>(root, "SelectConnectedLabelsROI",
                                   {{"template", "int"},
                                    {"nbLabels", "2"},
                                    {"labels1", "[-1] [2]"},
                                    {"labels2", "[5] [5]"},
                                    {"connectLabels", "5 -1"}});
    CHECK(e.findData("indices")->text() == "0");
}

HARNESS_ENGINE("SumEngine")
{
    const auto check = []<class Coord>(const std::string& templ, Coord) {
        checkEngine(
            {.type = "SumEngine",
             .attributes = {{"template", templ}},
             .fill = [](const EngineAccess& e, RandomInput& random) { e.set("input", randomList<Coord>(random, 9)); },
             .verify =
                 [](const EngineAccess& e) {
                     Coord sum;
                     for (const Coord& x : e.get<Vector<Coord>>("input"))
                         for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x[i];
                     CHECK(e.get<Coord>("output") == sum);
                 },
             .mistakes = {}});
    };
    check("Vec3", Vec3());
    check("Vec1", Vec<1>());
}

HARNESS_ENGINE("NormEngine")
{
    for (const int p : {-1, 0, 1, 2, 3})
        checkEngine({.type = "NormEngine",
                     .attributes = {{"normType", std::to_string(p)}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             auto vectors = random.points(8);
                             vectors[0] = {0., -2., 0.};
                             e.set("input", vectors);
                         },
                     .verify =
                         [p](const EngineAccess& e) {
                             const auto vectors = e.points("input");
                             const auto& norms = e.get<Numbers>("output");
                             REQUIRE(norms.size() == vectors.size());
                             for (std::size_t i = 0; i < norms.size(); ++i) {
                                 const double a = std::abs(vectors[i][0]), b = std::abs(vectors[i][1]),
                                              c = std::abs(vectors[i][2]);
                                 const double expected = p < 0    ? std::max({a, b, c})
                                                         : p == 0 ? (a > 0.) + (b > 0.) + (c > 0.)
                                                         : p == 1 ? a + b + c
                                                         : p == 2 ? std::sqrt(a * a + b * b + c * c)
                                                                  : std::cbrt(a * a * a + b * b * b + c * c * c);
                                 CHECK(norms[i] == Approx(expected).epsilon(1e-14));
                             }
                         },
                     .mistakes = {}});
}

HARNESS_ENGINE("DifferenceEngine")
{
    const auto check = []<class Coord>(const std::string& templ, Coord) {
        checkEngine({.type = "DifferenceEngine",
                     .attributes = {{"template", templ}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             e.set("input", randomList<Coord>(random, 7));
                             e.set("substractor", randomList<Coord>(random, 7));
                         },
                     .verify =
                         [](const EngineAccess& e) {
                             const auto& out = e.get<Vector<Coord>>("output");
                             REQUIRE(out.size() == 7);
                             for (std::size_t i = 0; i < 7; ++i)
                                 CHECK(out[i] + e.get<Vector<Coord>>("substractor")[i] ==
                                       e.get<Vector<Coord>>("input")[i]);
                         },
                     .mistakes = {{{{"input", "1 2 3"}}, "input has "}}});
    };
    check("Vec3", Vec3());
    check("Vec1", Vec<1>());
}

HARNESS_ENGINE("PointsFromIndices")
{
    checkEngine({.type = "PointsFromIndices",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         auto x = random.points(8);
                         x[3] = x[5];
                         e.set("position", x);
                         e.set("indices", random.indices(10, 8));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("position");
                         Vector<Vec3> expected;
                         for (const Index i : e.indices("indices"))
                             if (std::find(expected.begin(), expected.end(), x[i]) == expected.end())
                                 expected.push_back(x[i]);
                         CHECK(e.points("indices_position") == expected);
                     },
                 .mistakes = {{{{"indices", "2"}, {"position", "0 0 0  1 1 1"}},
                               "indices: 2 does not exist; there are 2 points"}}});
    Node root("root");
    auto& state = addState<Vec3Types>(root, {{1., 0., 0.}, {2., 0., 0.}});
    auto& e = addComponent<Engine>(root, "PointsFromIndices", {{"indices", "1"}});
    REQUIRE(initialise(root));
    CHECK(EngineAccess(e).points("indices_position") == Vector<Vec3>{{2., 0., 0.}});
    state.write(vec_id::position)[1] = {3., 0., 0.};
    CHECK(EngineAccess(e).points("indices_position") == Vector<Vec3>{{3., 0., 0.}});
}

HARNESS_ENGINE("ComplementaryROI")
{
    checkEngine({.type = "ComplementaryROI",
                 .attributes = {{"nbSet", "2"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("position", random.points(12));
                         e.set("setIndices1", random.indices(4, 12));
                         e.set("setIndices2", random.indices(4, 12));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         std::set<Index> in;
                         for (const char* name : {"setIndices1", "setIndices2"})
                             for (const Index i : e.indices(name)) in.insert(i);
                         Indices expected;
                         Vector<Vec3> points;
                         for (Index i = 0; i < 12; ++i)
                             if (in.count(i) == 0) {
                                 expected.push_back(i);
                                 points.push_back(e.points("position")[i]);
                             }
                         CHECK(e.indices("indices") == expected);
                         CHECK(e.points("pointsInROI") == points);
                     },
                 .mistakes = {{{{"setIndices2", "3"}, {"position", "0 0 0"}},
                               "setIndices2: 3 does not exist; there are 1 points"}}});
}

}  // namespace list_engines_test
