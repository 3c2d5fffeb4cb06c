// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/TypeName.h"

#include <catch2/catch.hpp>
#include <limits>

namespace data_text_test {

using namespace sofa::core;

namespace {

template <class T>
T parsed(std::string_view text)
{
    T v{};
    std::string error;
    INFO("text \"" << text << "\", error: " << error);
    const bool good = parseText(text, v, error);
    INFO(error);
    REQUIRE(good);
    return v;
}

template <class T>
std::string errorOf(std::string_view text)
{
    T v{};
    std::string error;
    INFO("text: " << text);
    REQUIRE_FALSE(parseText(text, v, error));
    return error;
}

template <class T>
void roundTrip(const T& v)
{
    INFO(toText(v));
    CHECK(parsed<T>(toText(v)) == v);
}

}  // namespace

TEST_CASE("Every type reads back what it writes", "[objectmodel]")
{
    roundTrip(true);
    roundTrip(false);
    roundTrip(-17);
    roundTrip(4294967295u);
    roundTrip(-9'000'000'000LL);
    roundTrip(9'000'000'000UL);
    roundTrip(static_cast<unsigned char>(255));
    roundTrip(0.1f);
    roundTrip(std::string("a name with spaces"));
    roundTrip(FileName{"mesh/a file.obj"});
    roundTrip(Vec3{1., -2.5, 1e-300});
    roundTrip(Vec<4, int>{1, 2, 3, 4});
    roundTrip(Quat{0.1, 0.2, 0.3, 0.9});
    roundTrip(RigidCoord3{Vec3{1., 2., 3.}, Quat{0.5, 0.5, 0.5, 0.5}});
    roundTrip(RigidCoord2{Vec2{1., 2.}, 0.25});
    Mat<2, 3> m;
    m[0] = Vec3{1., 2., 3.};
    m[1] = Vec3{4., 5., 6.};
    roundTrip(m);
    roundTrip(Vector<double>{});
    roundTrip(Vector<double>{1., 2., 3.});
    roundTrip(Vector<int>{3, -1, 2});
    roundTrip(Vector<unsigned int>{3, 1, 2});
    roundTrip(Vector<Vec3>{Vec3{1., 2., 3.}, Vec3{4., 5., 6.}});
    roundTrip(Vector<std::array<unsigned int, 4>>{{1, 2, 3, 4}, {5, 6, 7, 8}});
    roundTrip(Vector<Vector<int>>{{1, 2}, {}, {3}});
    roundTrip(Vector<std::string>{"one", "two"});
    roundTrip(Vector<std::string>{"a b", "", "c", "'", "\"quoted\"", "don't stop", "x'y"});
    roundTrip(Vector<std::string>{"[a", "[b]"});
    roundTrip(TagSet{"a b", "[c", "d"});
    CHECK(toText(Vector<std::string>{"a b", "don't", "c [d]"}) == "'a b' don't 'c [d]'");
    roundTrip(TagSet{"a", "b"});
    roundTrip(std::set<int>{4, 2});
    roundTrip(std::map<int, double>{{1, 0.5}, {2, 0.25}});
    roundTrip(std::pair<int, double>{1, 0.5});
}

TEST_CASE("Numbers are written so that they read back to the last bit", "[objectmodel]")
{
    for (const double v : {0.1, 1. / 3., 1e300, 5e-324, -0., 123456789.123456789, std::numeric_limits<double>::max()}) {
        const double back = parsed<double>(toText(v));
        CHECK(back == v);
        CHECK(std::signbit(back) == std::signbit(v));
    }
}

TEST_CASE("Numbers as scenes write them", "[objectmodel]")
{
    CHECK(parsed<double>(" 1.5 ") == 1.5);
    CHECK(parsed<double>("+2") == 2.);
    CHECK(parsed<double>("1.0f") == 1.);
    CHECK(parsed<double>("1e-400") == 0.);
    CHECK(parsed<double>("1E3") == 1000.);
    CHECK(parsed<double>(".5") == 0.5);
    CHECK(parsed<int>("3.0") == 3);
    CHECK(parsed<unsigned int>("-1") == std::numeric_limits<unsigned int>::max());
    CHECK(parsed<Vector<unsigned int>>("-1 2").front() == std::numeric_limits<unsigned int>::max());
    CHECK(parsed<Vector<double>>("1\n2\t3") == Vector<double>{1., 2., 3.});
}

TEST_CASE("Integer lists take ranges", "[objectmodel]")
{
    CHECK(parsed<Vector<unsigned int>>("0-4") == Vector<unsigned int>{0, 1, 2, 3, 4});
    CHECK(parsed<Vector<unsigned int>>("0-8-2 20") == Vector<unsigned int>{0, 2, 4, 6, 8, 20});
    CHECK(parsed<Vector<int>>("3-1") == Vector<int>{3, 2, 1});
    CHECK_THAT(errorOf<Vector<int>>("0-5-0"), Catch::Contains("positive step"));
    CHECK_THAT(errorOf<Vector<int>>("0-4000000000"), Catch::Contains("at most 16777216 integers"));
    CHECK_THAT(errorOf<Vector<int>>("0-10000000 0-10000000"), Catch::Contains("at most 16777216 integers"));
    CHECK_THAT(errorOf<Vector<Vector<int>>>("[0-10000000] [0-10000000]"), Catch::Contains("at most 16777216 integers"));
    CHECK_THAT(errorOf<Vector<int>>("0-5000000000"), Catch::Contains("a 32-bit integer as the end of a range"));
    CHECK_THAT(errorOf<Vector<int>>("9999999999"), Catch::Contains("32-bit integer"));
}

TEST_CASE("Booleans take the words that people write", "[objectmodel]")
{
    for (const char* yes : {"1", "true", "True", "yes", "on", " 1 "}) CHECK(parsed<bool>(yes));
    for (const char* no : {"0", "false", "FALSE", "no", "off"}) CHECK_FALSE(parsed<bool>(no));
    CHECK_THAT(errorOf<bool>("maybe"), Catch::Contains("a boolean") && Catch::Contains("'maybe'"));
}

TEST_CASE("Options are chosen by name, whatever its case, or by index", "[objectmodel]")
{
    Options o({"small", "large", "polar"}, 1);
    std::string error;
    CHECK(parseText("POLAR", o, error));
    CHECK(o.index() == 2);
    CHECK(parseText("0", o, error));
    CHECK(o.selected() == "small");
    CHECK_FALSE(parseText("huge", o, error));
    CHECK_THAT(error, Catch::Contains("one of: small, large, polar"));
    CHECK_FALSE(parseText("3", o, error));
    CHECK(o.selected() == "small");
}

TEST_CASE("Lists of strings: by spaces, quoted, or in brackets with commas", "[objectmodel]")
{
    const Vector<std::string> two{"a b", "c"};
    CHECK(parsed<Vector<std::string>>("'a b' c") == two);
    CHECK(parsed<Vector<std::string>>("\"a b\"  c") == two);
    CHECK(parsed<Vector<std::string>>("['a b', c]") == two);
    CHECK(parsed<Vector<std::string>>("['a b',c]") == two);
    CHECK(parsed<Vector<std::string>>("[]").empty());
    CHECK_THAT(errorOf<Vector<std::string>>("[a, b"), Catch::Contains("']'"));
}

TEST_CASE("Lists of lists", "[objectmodel]")
{
    const Vector<Vector<int>> v{{1, 2}, {3}};
    CHECK(parsed<Vector<Vector<int>>>("[1 2] [3]") == v);
    CHECK(parsed<Vector<Vector<int>>>("[1 2],[3]") == v);
    CHECK(parsed<Vector<Vector<int>>>("[[1 2],[3]]") == v);
    CHECK(parsed<Vector<Vector<int>>>("[1, 2] [3]") == v);
    CHECK(parsed<Vector<Vector<double>>>("[0.5,2]") == Vector<Vector<double>>{{0.5, 2.}});
    CHECK_THAT(errorOf<Vector<Vector<int>>>("1 2"), Catch::Contains("'['"));
    CHECK_THAT(errorOf<Vector<Vector<int>>>("[1 2"), Catch::Contains("']'"));
}

TEST_CASE("Matrices take rows in brackets", "[objectmodel]")
{
    Mat<2, 2> m;
    m[0] = Vec2{1., 2.};
    m[1] = Vec2{3., 4.};
    using Mat2 = Mat<2, 2>;
    CHECK(parsed<Mat2>("[1 2,3 4]") == m);
    CHECK(parsed<Mat2>("1 2 3 4") == m);
    CHECK_THAT(errorOf<Mat2>("[1 2,3 4"), Catch::Contains("']'"));
}

TEST_CASE("Errors say what was expected, what was found and where", "[objectmodel]")
{
    CHECK(errorOf<double>("12abc") == "expected a number, found '12abc' at character 1");
    CHECK(errorOf<Vec3>("1 2") == "expected a number, found the end of the text");
    CHECK(errorOf<Vec3>("1 2 3 4") == "expected nothing more, found '4' at character 7");
    CHECK_THAT(errorOf<int>("1.5"), Catch::Contains("an integer"));
    CHECK_THAT(errorOf<int>("99999999999"), Catch::Contains("within the range"));
    CHECK_THAT(errorOf<double>("nan"), Catch::Contains("a finite number"));
    CHECK_THAT(errorOf<Vec3>("0 -inf 0"), Catch::Contains("a finite number"));
    CHECK_THAT(errorOf<double>("1e400"), Catch::Contains("within the range"));
    CHECK_THAT(errorOf<unsigned int>("-2"), Catch::Contains("non-negative"));
    CHECK_THAT(errorOf<unsigned char>("256"), Catch::Contains("non-negative"));
    CHECK_THAT(errorOf<double>(""), Catch::Contains("end of the text"));
    CHECK_THAT(errorOf<Vector<Vec3>>("1 2 3 4 5"), Catch::Contains("end of the text"));
}

TEST_CASE("Scenes are read as SOFA reads them, and what is passed over is noted", "[objectmodel]")
{
    std::string note;
    unsigned int u = 0;
    CHECK(parseLeniently("1e4", u, note));
    CHECK(u == 1);
    CHECK(note == "'1e4' is no integer and reads as 1");
    int i = 0;
    CHECK(parseLeniently("2.7", i, note));
    CHECK(i == 2);
    CHECK(note == "'2.7' is no integer and reads as 2");
    double d = 0.;
    CHECK(parseLeniently("4 5", d, note));
    CHECK(d == 4.);
    CHECK(note == "the text behind the value, '5', is ignored");
    Vector<Vec3> points;
    CHECK(parseLeniently("1 2 3 4 5", points, note));
    CHECK(points == Vector<Vec3>{Vec3{1., 2., 3.}});
    CHECK(note == "the last entry of the list is incomplete and is left out");
    CHECK(parseLeniently("0 0 0-0.5 1+2", points, note));
    CHECK(points == Vector<Vec3>{Vec3{0., 0., 0.}, Vec3{-0.5, 1., 2.}});
    CHECK(note.empty());
    CHECK_FALSE(parseLeniently("1 2 x 4 5 6", points, note));
    CHECK_THAT(note, Catch::Contains("found 'x'"));
    CHECK_FALSE(parseLeniently("12abc", i, note));
    CHECK_FALSE(parseLeniently("12abc", d, note));
    Vec3 v{7., 8., 9.};
    CHECK(parseLeniently("1 2", v, note));
    CHECK(v == Vec3{1., 2., 9.});
    CHECK(note == "it has fewer than 3 numbers: the others keep their default");
    CHECK_FALSE(parseLeniently("1 x 3", v, note));
}

TEST_CASE("Text that is no value never crashes a reader", "[objectmodel]")
{
    for (const char* text : {"",   " ",    "[", "]",        "[[",  "'",   "\"", ",",    "-",   "+",  "--",
                             "1-", "1-2-", "@", "\xff\xfe", "nan", "inf", "1e", "0x10", "[,]", "[']"}) {
        std::string error;
        bool b{};
        int i{};
        unsigned int u{};
        double d{};
        Vec3 v;
        Mat<3, 3> m;
        RigidCoord3 r;
        Vector<int> vi;
        Vector<Vector<double>> vv;
        Vector<std::string> vs;
        std::map<int, double> map;
        parseText(text, b, error);
        parseText(text, i, error);
        parseText(text, u, error);
        parseText(text, d, error);
        parseText(text, v, error);
        parseText(text, m, error);
        parseText(text, r, error);
        parseText(text, vi, error);
        parseText(text, vv, error);
        parseText(text, vs, error);
        parseText(text, map, error);
    }
    SUCCEED();
}

TEST_CASE("Type names are what messages and the reference print", "[objectmodel]")
{
    CHECK(TypeName<Vector<Vec3>>::get() == "list of Vec3");
    CHECK(TypeName<Vec<2, int>>::get() == "Vec2i");
    CHECK(TypeName<std::map<int, std::string>>::get() == "map of int to string");
    CHECK(TypeName<Vector<std::array<unsigned int, 3>>>::get() == "list of 3 x unsigned int");
}

}  // namespace data_text_test
