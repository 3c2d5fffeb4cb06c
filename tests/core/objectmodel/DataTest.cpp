// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Data.h"

#include <catch2/catch.hpp>

#include "tests/core/objectmodel/TestComponents.h"

using namespace sofa::test;

TEST_CASE("A Data keeps its default until somebody sets it", "[objectmodel]")
{
    Thing t;
    CHECK_FALSE(t.d_mass.isSet());
    CHECK(t.d_mass.value() == 1.);
    t.d_mass.setDefault(2.);
    CHECK(t.d_mass.value() == 2.);
    std::string error;
    REQUIRE(t.d_mass.read("5", error));
    CHECK(t.d_mass.isSet());
    t.d_mass.setDefault(3.);
    CHECK(t.d_mass.value() == 5.);
    CHECK(t.d_mass.defaultText() == "3");
    t.d_mass.resetToDefault();
    CHECK_FALSE(t.d_mass.isSet());
    CHECK(t.d_mass.value() == 3.);
}

TEST_CASE("Data of a class share what is known of them, and have flags of their own", "[objectmodel]")
{
    Thing a, b;
    CHECK(&a.d_mass.name() == &b.d_mass.name());
    CHECK(&a.d_mass.range() == &b.d_mass.range());
    a.d_mass.setRequired(true);
    CHECK_FALSE(b.d_mass.isRequired());
    // The same name with another range is another description.
    const Data<double> wide(nullptr, {.name = "totalMass", .help = a.d_mass.help()}),
        narrow(nullptr, {.name = "totalMass", .help = a.d_mass.help(), .range = Range::closed(0., 1.)});
    CHECK(wide.range().contains(2.));
    CHECK_FALSE(narrow.range().contains(2.));
    CHECK(sizeof(Data<double>) <= 112);  // a body has some hundred
}

TEST_CASE("A value outside its range, or no value at all, changes nothing", "[objectmodel]")
{
    Thing t;
    std::string error;
    CHECK_FALSE(t.d_mass.read("-1", error));
    CHECK(error == "expected values > 0, found -1");
    CHECK_FALSE(t.d_mass.read("heavy", error));
    CHECK(t.d_mass.value() == 1.);
    CHECK_FALSE(t.d_mass.isSet());
}

TEST_CASE("Ranges print as intervals and know their ends", "[objectmodel]")
{
    CHECK(Range::positive().str() == "> 0");
    CHECK(Range::nonNegative().str() == ">= 0");
    CHECK(Range::halfOpen(0., 0.5).str() == "in [0, 0.5)");
    CHECK(Range::any().str().empty());
    CHECK_FALSE(Range::halfOpen(0., 0.5).contains(0.5));
    CHECK(Range::closed(0., 0.5).contains(0.5));
    CHECK_FALSE(Range::open(0., 1.).contains(0.));
    CHECK_FALSE(Range::positive().contains(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("A linked Data follows its parent, and copies share the value", "[objectmodel]")
{
    Thing a, b;
    b.d_values.linkTo(a.d_values);
    a.d_values.setValue({1., 2.});
    CHECK(b.d_values.value() == Vector<double>{1., 2.});
    CHECK(&b.d_values.value() == &a.d_values.value());
    a.d_values.edit()->push_back(3.);
    CHECK(b.d_values.value().size() == 3);
    b.d_values.unlink();
    a.d_values.setValue({});
    CHECK(b.d_values.value().size() == 3);
}

TEST_CASE("Copy on write: editing a follower leaves the parent alone", "[objectmodel]")
{
    Thing a, b;
    a.d_values.setValue({1.});
    b.d_values.linkTo(a.d_values);
    REQUIRE(b.d_values.value().size() == 1);
    b.d_values.edit()->push_back(2.);
    CHECK(a.d_values.value().size() == 1);
}

TEST_CASE("Linked Data of different types convert through their texts", "[objectmodel]")
{
    Thing a, b;
    a.d_count.setValue(4);
    b.d_mass.linkTo(a.d_count);
    CHECK(b.d_mass.value() == 4.);
    a.d_count.setValue(7);
    CHECK(b.d_mass.value() == 7.);
    a.d_text.setValue("no number");
    CHECK_THROWS_WITH(b.d_mass.linkTo(a.d_text), Catch::Contains("cannot convert"));
}

namespace {

template <class T>
struct Loose : Data<T>
{
    explicit Loose(T value = T()) : Data<T>(nullptr, {.name = "values", .help = "Values"})
    {
        this->setValue(std::move(value));
    }
};

/// The value of a Data of type To that follows one of the type From.
template <class To, class From>
To followed(From value)
{
    Loose<From> source(std::move(value));
    Loose<To> sink;
    sink.linkTo(source);
    return sink.value();
}

template <class To, class From>
std::string refusal(From value)
{
    try {
        followed<To>(std::move(value));
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST_CASE("Points, frames and vectors follow each other entry by entry", "[objectmodel]")
{
    const Quat turned = Quat::fromAxisAngle({0., 0., 1.}, 1.);
    Vector<Vec3> points;
    for (int i = 0; i < 20; ++i) points.push_back(Vec3(i, 0.1 * i, -i));
    const auto frames = followed<Vector<RigidCoord3>>(points);
    REQUIRE(frames.size() == 20);
    for (std::size_t i = 0; i < 20; ++i) CHECK(frames[i] == RigidCoord3{points[i], Quat{}});

    using Frames = Vector<RigidCoord3>;
    CHECK(followed<Vector<Vec3>>(Frames{{Vec3{1., 2., 3.}, turned}, {Vec3{4., 5., 6.}, Quat{}}}) ==
          Vector<Vec3>{Vec3{1., 2., 3.}, Vec3{4., 5., 6.}});
    CHECK(followed<Vector<Vec2>>(Vector<Vec3>{{1., 2., 3.}, {4., 5., 6.}}) == Vector<Vec2>{{1., 2.}, {4., 5.}});
    CHECK(followed<Vector<Vec3>>(Vector<Vec2>{{1., 2.}, {4., 5.}}) == Vector<Vec3>{{1., 2., 0.}, {4., 5., 0.}});
    CHECK(followed<Vector<Vec<2, float>>>(Vector<Vec3>{{1., 2.5, 3.}}) == Vector<Vec<2, float>>{{1.f, 2.5f}});
    CHECK(followed<Vector<Vec6>>(Vector<Vec3>{{1., 2., 3.}}) == Vector<Vec6>{{1., 2., 3., 0., 0., 0.}});
    CHECK(followed<Vector<Vec<1>>>(Vector<Vec3>{{1., 2., 3.}, {4., 5., 6.}}) == Vector<Vec<1>>{Vec<1>{1.}, Vec<1>{4.}});
    CHECK(followed<Vector<Vec3>>(Vector<Vec<1>>{Vec<1>{1.}, Vec<1>{4.}}) == Vector<Vec3>{{1., 0., 0.}, {4., 0., 0.}});
    // One value: of a list the first entry, and the rest keeps its default.
    CHECK(followed<RigidCoord3>(Vec3{1., 2., 3.}) == RigidCoord3{Vec3{1., 2., 3.}, Quat{}});
    CHECK(followed<Vec3>(Frames{{Vec3{1., 2., 3.}, turned}}) == Vec3{1., 2., 3.});
    CHECK(followed<Vector<Vec3>>(RigidCoord3{Vec3{1., 2., 3.}, turned}) == Vector<Vec3>{{1., 2., 3.}});
    CHECK(followed<Vec6>(Vector<Vec3>{{1., 2., 3.}, {4., 5., 6.}}) == Vec6{1., 2., 3., 4., 5., 6.});
    // Nothing stays of an older, longer list.
    Loose<Vector<Vec3>> source(points);
    Loose<Frames> sink;
    sink.linkTo(source);
    REQUIRE(sink.value().size() == 20);
    Loose<Vector<double>> flat;
    flat.linkTo(source);
    REQUIRE(flat.value().size() == 60);
    source.setValue({});
    CHECK(sink.value().empty());
    CHECK(flat.value().empty());
}

TEST_CASE("A flat list becomes whole entries, and entries become a flat list", "[objectmodel]")
{
    CHECK(followed<Vector<Vec3>>(Vector<double>{1., 2., 3., 4., 5., 6.}) == Vector<Vec3>{{1., 2., 3.}, {4., 5., 6.}});
    CHECK(followed<Vector<double>>(Vector<Vec3>{{1., 2., 3.}}) == Vector<double>{1., 2., 3.});
    CHECK(followed<Vector<std::array<Index, 2>>>(Vector<int>{0, 1, 1, 2}) ==
          Vector<std::array<Index, 2>>{{0, 1}, {1, 2}});
    CHECK(followed<Vector<Vec<3, float>>>(Vector<Vec3>{{1., 2., 3.}}) == Vector<Vec<3, float>>{{1.f, 2.f, 3.f}});
    CHECK_THAT(refusal<Vector<Vec3>>(Vector<double>{1., 2., 3., 4.}),
               Catch::Contains("4 numbers are no whole entries of 3"));
    CHECK_THAT(refusal<Vector<Vec3>>(5.), Catch::Contains("1 numbers are no whole entries of 3"));
}

TEST_CASE("Links that would cut rotations or elements are refused", "[objectmodel]")
{
    using Edges = Vector<std::array<Index, 2>>;
    using Triangles = Vector<std::array<Index, 3>>;
    CHECK_THAT(refusal<Edges>(Triangles{{0, 1, 2}, {2, 1, 3}}),
               Catch::Contains("cannot convert") && Catch::Contains("list of 3 x") &&
                   Catch::Contains("entries of 3 numbers are none of 2"));
    CHECK_THAT(refusal<Triangles>(Edges{{0, 1}, {2, 1}, {1, 2}}),
               Catch::Contains("entries of 2 numbers are none of 3"));
    CHECK_THAT(refusal<Vector<Vec6>>(Vector<RigidCoord3>(2)), Catch::Contains("entries of 7 numbers are none of 6"));
    CHECK_THAT(refusal<Vector<Quat>>(Vector<Vec3>(2)), Catch::Contains("entries of 3 numbers are none of 4"));
    // Later, too: the value stays, and the object says why.
    Node n("n");
    Data<Vector<Vec3>> points(&n, {.name = "points", .help = "Points"});
    Data<Vector<double>> numbers(&n, {.name = "numbers", .help = "Numbers"});
    numbers.setValue({1., 2., 3.});
    points.linkTo(numbers);
    numbers.setValue({1., 2.});
    const MessageCapture capture;
    CHECK(points.value() == Vector<Vec3>{{1., 2., 3.}});
    CHECK(capture.has(Severity::Error, "2 numbers are no whole entries of 3"));
    // The range holds for what is taken over.
    Data<Vec3> scale(&n, {.name = "scale", .help = "Scale", .range = Range::positive()});
    Loose<Vec6> twist({1., 2., 3., -1., -1., -1.});
    scale.linkTo(twist);
    CHECK(scale.value() == Vec3{1., 2., 3.});
    scale.unlink();
    twist.setValue({1., -2., 3., 0., 0., 0.});
    CHECK_THROWS_WITH(scale.linkTo(twist), Catch::Contains("expected values > 0, found -2"));
}

TEST_CASE("A conversion that fails later is reported, and the value stays", "[objectmodel]")
{
    Thing a, b;
    a.d_text.setValue("2");
    b.d_mass.linkTo(a.d_text);
    CHECK(b.d_mass.value() == 2.);
    a.d_text.setValue("many");
    const MessageCapture capture;
    CHECK(b.d_mass.value() == 2.);
    CHECK(capture.has(Severity::Error, "cannot convert"));
}

TEST_CASE("Cycles of links are refused, and the path of the cycle is named", "[objectmodel]")
{
    Node n("n");
    Thing &a = n.create<Thing>(), &b = n.create<Thing>();
    a.setName("a");
    b.setName("b");
    b.d_values.linkTo(a.d_values);
    CHECK_THROWS_AS(a.d_values.linkTo(b.d_values), CycleError);
    CHECK_THROWS_WITH(a.d_values.linkTo(b.d_values),
                      Catch::Contains("cyclic dependency") && Catch::Contains("/a.values -> /b.values -> /a.values"));
    CHECK(b.d_values.parent() == &a.d_values);
    CHECK(a.d_values.parent() == nullptr);
    CHECK_THROWS_AS(a.d_values.linkTo(a.d_values), CycleError);
}

TEST_CASE("Engines compute only when an output is read after an input changed", "[objectmodel]")
{
    Thing source, sink;
    SumEngine e;
    e.d_input.linkTo(source.d_values);
    sink.d_mass.linkTo(e.d_sum);
    const int atStart = e.runs;
    source.d_values.setValue({1., 2.});
    source.d_values.setValue({1., 2., 3.});
    CHECK(e.runs == atStart);
    CHECK(sink.d_mass.value() == 6.);
    CHECK(e.runs == atStart + 1);
    CHECK(e.d_sum.value() == 6.);
    CHECK(e.runs == atStart + 1);
}

TEST_CASE("A link to the output of an engine does not run the engine before somebody reads", "[objectmodel]")
{
    SumEngine e;
    Thing t;
    REQUIRE(e.d_sum.isDirty());
    t.d_mass.linkTo(e.d_sum);
    CHECK(e.runs == 0);
    CHECK(t.d_mass.isSet());
    e.d_input.setValue({4.});
    CHECK(t.d_mass.value() == 4.);
    CHECK(e.runs == 1);
}

TEST_CASE("Chains of engines update in one read; a cycle through an engine is refused", "[objectmodel]")
{
    Thing source, middle;
    SumEngine first, second;
    first.d_input.linkTo(source.d_values);
    second.d_input.linkTo(first.d_sum);  // a number reads as a list of one
    source.d_values.setValue({1., 2.});
    CHECK(second.d_sum.value() == 3.);
    source.d_values.setValue({10.});
    CHECK(second.d_sum.value() == 10.);
    CHECK_THROWS_AS(source.d_values.linkTo(second.d_sum), CycleError);
}

TEST_CASE("A tracker tells what changed, also through links", "[objectmodel]")
{
    Thing a, b;
    b.d_values.linkTo(a.d_values);
    DataTracker t;
    t.track(b.d_values);
    CHECK(t.changed());
    CHECK_FALSE(t.changed());
    a.d_values.setValue({1.});
    CHECK(t.changed());
    CHECK_FALSE(t.changed());
}

TEST_CASE("A follower survives its parent", "[objectmodel]")
{
    Thing b;
    {
        Thing a;
        a.d_values.setValue({1.});
        b.d_values.linkTo(a.d_values);
        CHECK(b.d_values.value().size() == 1);
    }
    CHECK(b.d_values.parent() == nullptr);
    CHECK(b.d_values.value() == Vector<double>{1.});
}

TEST_CASE("Attributes: values, links, malformed and empty texts, aliases, extra ones", "[objectmodel]")
{
    Thing t;
    const SourceLocation here{std::make_shared<const std::string>("a.scn"), 3, 7};
    const MessageCapture capture;
    CHECK_FALSE(t.setAttribute("nothing", "1", here));
    CHECK(t.setAttribute("mass", "2", here));
    CHECK(t.d_mass.value() == 2.);
    CHECK(t.d_mass.location.line == 3);
    CHECK(capture.messages().empty());

    SECTION("malformed")
    {
        CHECK(t.setAttribute("count", "many", here));
        CHECK(t.d_count.value() == 3);
        CHECK(capture.has(Severity::Error, "a.scn:3:7: error: "));
        CHECK(capture.has(Severity::Error, "attribute 'count' (int): expected an integer, found 'many'"));
    }
    SECTION("empty texts")
    {
        CHECK(t.setAttribute("count", "", here));
        CHECK_FALSE(t.d_count.isSet());
        t.d_values.setValue({1.});
        CHECK(t.setAttribute("values", " ", here));
        CHECK(t.d_values.value().empty());
        CHECK_FALSE(t.d_values.isSet());
        CHECK(t.setAttribute("text", "", here));
        CHECK(t.d_text.value().empty());
        CHECK(capture.messages().empty());
    }
    SECTION("aliases and extra attributes")
    {
        t.addAlias(t.d_mass, "totalMass");
        CHECK(t.setAttribute("totalMass", "4", here));
        CHECK(t.d_mass.value() == 4.);
        t.declareAttribute("dx", "shift");
        t.ignoreAttribute("old", "it is gone");
        CHECK(t.setAttribute("dx", "3", here));
        CHECK(t.dx == 3.);
        CHECK(t.setAttribute("dx", "far", here));
        CHECK(capture.has(Severity::Error, "attribute 'dx': expected a number"));
        CHECK(t.setAttribute("dx", "4 5", here));
        CHECK(t.dx == 4.);
        CHECK(capture.has(Severity::Warning, "attribute 'dx': expected nothing more, found '5'"));
        CHECK(t.setAttribute("old", "1", here));
        CHECK(capture.has(Severity::Deprecated, "attribute 'old' has no effect: it is gone"));
    }
    SECTION("what was given is remembered in order")
    {
        t.setAttribute("count", "5", here);
        t.setAttribute("mass", "3", here);
        const auto& given = t.givenAttributes();
        REQUIRE(given.size() == 2);
        CHECK(given[0] == std::pair<std::string, std::string>{"mass", "3"});
        CHECK(given[1] == std::pair<std::string, std::string>{"count", "5"});
    }
}
