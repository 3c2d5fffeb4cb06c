// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Data.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <thread>

#include "core/objectmodel/Archive.h"
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
    // Later, too: who reads is told, and the object says why.
    Node n("n");
    Data<Vector<Vec3>> points(&n, {.name = "points", .help = "Points"});
    Data<Vector<double>> numbers(&n, {.name = "numbers", .help = "Numbers"});
    numbers.setValue({1., 2., 3.});
    points.linkTo(numbers);
    numbers.setValue({1., 2.});
    const MessageCapture capture;
    CHECK_THROWS_AS(points.value(), DataError);
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

TEST_CASE("A conversion that fails later is told to all who read, until it is possible again", "[objectmodel]")
{
    Thing a, b, c;
    a.d_text.setValue("2");
    b.d_mass.linkTo(a.d_text);
    c.d_mass.linkTo(b.d_mass);
    b.d_mass.location = {std::make_shared<const std::string>("body.scn"), 3, 7};
    CHECK(c.d_mass.value() == 2.);
    a.d_text.setValue("many");
    const MessageCapture capture;
    CHECK_THROWS_AS(b.d_mass.value(), DataError);
    CHECK_THROWS_WITH(c.d_mass.value(), Catch::Contains("cannot convert") && Catch::Contains("body.scn:3:7"));
    CHECK(capture.count(Severity::Error) == 1);
    // Outside the range is refused in the words of a text.
    a.d_text.setValue("-1");
    CHECK_THROWS_WITH(c.d_mass.value(), Catch::Contains("expected values > 0, found -1"));
    a.d_text.setValue("4");
    CHECK(c.d_mass.value() == 4.);
}

TEST_CASE("Values from text, code, edits, links and numbers are refused in the same words", "[objectmodel]")
{
    Node node("n");
    Thing &t = node.create<Thing>(), &u = node.create<Thing>();
    t.setName("t");
    const std::string words = "expected values > 0, found -1";
    std::string error;
    CHECK_FALSE(t.d_mass.read("-1", error));
    CHECK(error == words);
    CHECK_THROWS_AS(t.d_mass.setValue(-1.), RangeError);
    CHECK_THROWS_WITH(t.d_mass.setValue(-1.), "/t.mass: " + words);
    {
        const MessageCapture capture;
        *t.d_mass.edit() = -1.;
        CHECK(capture.has(Severity::Error, "attribute 'mass': " + words));
    }
    {
        const MessageCapture capture;
        CHECK(static_cast<BaseData&>(t.d_mass).editNumbers([](const NumberArray& a) { a.set(0, 0, -1.); }));
        CHECK(capture.has(Severity::Error, "attribute 'mass': " + words));
    }
    Data<double> free(&u, {.name = "free", .help = "Any number"}, -1.);
    CHECK_THROWS_WITH(t.d_mass.linkTo(free), "/t.mass: " + words);
    t.d_mass.unlink();
    CHECK(t.d_mass.value() == 1.);
    CHECK_FALSE(t.d_mass.isSet());
    // Numbers within maps and lists of lists, too.
    Data<std::map<std::string, Vector<double>>> map(&u,
                                                    {.name = "map", .help = "Lists", .range = Range::closed(0., 1.)});
    CHECK_THROWS_WITH(map.setValue({{"a", {0.5, 2.}}}), Catch::Contains("expected values in [0, 1], found 2"));
}

TEST_CASE("What depends on a Data is marked when an edit ends", "[objectmodel]")
{
    Thing source;
    SumEngine e;
    e.d_input.linkTo(source.d_values);
    source.d_values.setValue({1., 2.});
    CHECK(e.d_sum.value() == 3.);
    {
        const auto values = source.d_values.edit();
        values[0] = 5.;
        CHECK(e.d_sum.value() == 3.);  // as long as the edit lasts, nothing has changed
        values->push_back(1.);
    }
    CHECK(e.d_sum.value() == 8.);
}

TEST_CASE("A follower of the same type sees the value, which is edited in place and never copied", "[objectmodel]")
{
    auto a = std::make_unique<Thing>();
    Thing b, c;
    a->d_values.setValue(Vector<double>(1000, 1.));
    b.d_values.linkTo(a->d_values);
    c.d_values.linkTo(b.d_values);
    const double* const there = a->d_values.value().data();
    for (int step = 0; step < 3; ++step) {
        a->d_values.edit()[7] = step;
        CHECK(a->d_values.value().data() == there);
        CHECK(c.d_values.value().data() == there);
        CHECK(c.d_values.value()[7] == step);
    }
    SECTION("an edit of the follower is its own")
    {
        c.d_values.edit()[0] = 9.;
        CHECK(a->d_values.value()[0] == 1.);
    }
    SECTION("the other sets another value before the follower looks again, and goes")
    {
        a->d_values.setValue({1., 2., 3.});
        a.reset();
        CHECK(b.d_values.value() == Vector<double>{1., 2., 3.});
        CHECK(c.d_values.value() == Vector<double>{1., 2., 3.});
    }
    SECTION("the link is cut")
    {
        a->d_values.setValue({4.});
        b.d_values.unlink();
        a.reset();
        CHECK(c.d_values.value() == Vector<double>{4.});
    }
}

TEST_CASE("An engine that fails leaves no old outputs that look new", "[objectmodel]")
{
    struct Root : Engine
    {
        Data<double> d_in{this, {.name = "in", .help = "A number"}, 4.};
        Data<double> d_root{this, {.name = "root", .help = "Its root", .readOnly = true}};
        int runs = 0;
        Root()
        {
            addInput(d_in);
            addOutput(d_root);
        }
        void doUpdate() override
        {
            ++runs;
            if (*d_in < -1e6) throw std::bad_alloc();
            if (*d_in < -100.) throw std::runtime_error("far too small");
            if (*d_in < 0.) return fail("there is no root of " + d_in.text());
            d_root.setValue(std::sqrt(*d_in));
        }
    };
    Node node("n");
    auto& e = node.create<Root>();
    e.setName("engine");
    Thing t;
    t.d_mass.linkTo(e.d_root);
    CHECK(t.d_mass.value() == 2.);
    const MessageCapture capture;
    e.d_in.setValue(-1.);
    CHECK_THROWS_AS(e.d_root.value(), DataError);
    CHECK_THROWS_WITH(t.d_mass.value(), Catch::Contains("/engine") && Catch::Contains("there is no root of -1"));
    CHECK(e.runs == 2);  // it is not tried again as long as nothing changes
    CHECK_FALSE(e.isValid());
    e.d_in.setValue(-1000.);
    CHECK_THROWS_WITH(t.d_mass.value(), Catch::Contains("far too small"));
    e.d_in.setValue(-1e9);
    CHECK_THROWS_WITH(t.d_mass.value(), Catch::Contains("not enough memory"));
    e.d_in.setValue(9.);
    CHECK(t.d_mass.value() == 3.);
    CHECK(e.isValid());
}

TEST_CASE("Any number of threads may read what nobody has computed yet", "[objectmodel]")
{
    for (int round = 0; round < 50; ++round) {
        Thing source;
        std::deque<SumEngine> chain(20);
        source.d_values.setValue(Vector<double>(1000, 1.));
        chain[0].d_input.linkTo(source.d_values);
        for (std::size_t i = 1; i < chain.size(); ++i) chain[i].d_input.linkTo(chain[i - 1].d_sum);
        std::vector<std::jthread> readers;
        std::atomic<int> right{0};
        for (int t = 0; t < 4; ++t) readers.emplace_back([&] { right += chain.back().d_sum.value() == 1000.; });
        readers.clear();
        CHECK(right == 4);
        for (const SumEngine& e : chain) CHECK(e.runs == 1);
    }
}

TEST_CASE("Numbers of a Data are seen where they lie, whatever its type", "[objectmodel]")
{
    Data<Vector<RigidCoord3>> frames(nullptr, {.name = "frames", .help = "Frames"});
    frames.setValue({RigidCoord3({1., 2., 3.}, Quat()), RigidCoord3({4., 5., 6.}, Quat())});
    BaseData& data = frames;
    const NumberArray a = data.numbers();
    CHECK(a.type == NumberType::Double);
    CHECK(a.shape == std::array<std::size_t, 2>{2, 7});
    CHECK(a.strides == std::array<std::size_t, 2>{56, 8});
    CHECK(a.data == static_cast<const void*>(frames.value().data()));
    CHECK(a.at(1, 2) == 6.);
    CHECK(a.at(1, 6) == 1.);
    CHECK(data.editNumbers([](const NumberArray& n) { n.set(2, 0, 7.); }, 3));
    CHECK(frames.value().size() == 3);
    CHECK(frames.value()[2].center[0] == 7.);

    const Data<Vector<std::array<Index, 3>>> triangles(nullptr, {.name = "t", .help = "Triangles"}, {{1, 2, 3}});
    CHECK(triangles.numbers().type == NumberType::UInt32);
    CHECK(triangles.numbers().shape == std::array<std::size_t, 2>{1, 3});
    Data<bool> flag(nullptr, {.name = "flag", .help = "A flag"}, true);
    CHECK(flag.numbers().at(0, 0) == 1.);
    CHECK_FALSE(static_cast<BaseData&>(flag).editNumbers([](const NumberArray&) {}, 2));
    const Data<std::string> text(nullptr, {.name = "text", .help = "A text"}, "1 2");
    CHECK(text.numbers().type == NumberType::None);
}

namespace plugin {

/// A value type as a plugin brings it.
struct Interval
{
    double low = 0., high = 1.;
    static std::string_view typeName() { return "Interval"; }
    friend bool operator==(const Interval&, const Interval&) = default;
};
bool readValue(TextCursor& c, Interval& v)
{
    if (!readValue(c, v.low)) return false;
    if (!c.accept(':')) return c.fail("':' between the ends of an interval");
    return readValue(c, v.high);
}
void writeValue(std::string& out, const Interval& v) { out += toText(v.low) + ":" + toText(v.high); }

}  // namespace plugin

TEST_CASE("A value type of a plugin is read, written, linked, checked and archived like ours", "[objectmodel]")
{
    Data<plugin::Interval> a(nullptr, {.name = "a", .help = "An interval"}), b(nullptr, {.name = "b", .help = "One"});
    Data<Vector<plugin::Interval>> list(nullptr, {.name = "list", .help = "Some"});
    std::string error;
    CHECK(a.read("-1 :2", error));
    CHECK(a.text() == "-1:2");
    CHECK(a.typeName() == "Interval");
    CHECK(list.typeName() == "list of Interval");
    CHECK_FALSE(a.read("1 2", error));
    CHECK_THAT(error, Catch::Contains("expected ':' between the ends of an interval, found '2'"));
    b.linkTo(a);
    CHECK(b.value() == plugin::Interval{-1., 2.});
    CHECK(list.read("0 :1 2 :3", error));
    CHECK(list.value().size() == 2);
    CHECK(list.text() == "0:1 2:3");
    Archive out;
    auto value = list.value();
    out(value);
    Vector<plugin::Interval> back;
    Archive in(out.bytes());
    in(back);
    CHECK(back == list.value());
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
