// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Units.h"

#include <catch2/catch.hpp>
#include <numbers>

#include "core/objectmodel/Base.h"

namespace units_test {

using namespace sofa::core;

namespace {

std::string converted(std::string_view text, std::string_view unit)
{
    std::string out, error;
    INFO(text << " in " << unit);
    const bool good = convertUnits(text, unit, out, error);
    INFO(error);
    REQUIRE(good);
    return out;
}

std::string errorOf(std::string_view text, std::string_view unit)
{
    std::string out, error;
    INFO(text << " in " << unit << " became " << out);
    REQUIRE_FALSE(convertUnits(text, unit, out, error));
    return error;
}

struct Quantities : Base
{
    Data<double> d_stiffness{
        this, {.name = "k", .help = "stiffness", .unit = "Pa", .range = Range::closed(0., 1e6)}, 1.};
    Data<double> d_ratio{this, {.name = "nu", .help = "ratio", .unit = "1"}, 0.};
    Data<float> d_angle{this, {.name = "angle", .help = "angle", .unit = "deg"}, 0.f};
    Data<Vector<Vec3>> d_points{this, {.name = "points", .help = "points", .unit = "m"}};
    Data<Vector<RigidCoord3>> d_frames{this, {.name = "frames", .help = "frames", .unit = "m"}};
    Data<int> d_count{this, {.name = "count", .help = "count"}, 0};
    std::string className() const override { return "Quantities"; }
    std::string pathName() const override { return "/q"; }
    Node* linkContext() const override { return nullptr; }
};

}  // namespace

TEST_CASE("Numbers with units become numbers in the unit of the Data", "[objectmodel]")
{
    CHECK(converted("3 kPa", "Pa") == "3000");
    CHECK(converted("3kPa", "Pa") == "3000");
    CHECK(converted(" +0.5  MPa ", "Pa") == "5e+05");
    CHECK(converted("2 bar", "Pa") == "2e+05");
    CHECK(converted("4 N/mm^2", "Pa") == "4e+06");
    CHECK(converted("4 N / mm²", "Pa") == "4e+06");
    CHECK(converted("9 mm", "m") == "0.009");  // correctly rounded: 9 × 0.001 is not
    CHECK(converted("12 µm", "m") == "1.2e-05");
    CHECK(converted("250 g", "kg") == "0.25");
    CHECK(converted("1.1 g/cm^3", "kg/m^3") == "1100");
    CHECK(converted("5 ms", "s") == "0.005");
    CHECK(converted("2 min", "s") == "120");
    CHECK(converted("3 N*s/m", "N s/m") == "3");
    CHECK(converted("3 kg/s", "N s/m") == "3");  // the same dimension
    CHECK(converted("7 1/ms", "1/s") == "7000");
    CHECK(converted("7 s^-1", "1/s") == "7");
    CHECK(converted("50 Hz", "1/s") == "50");
    CHECK(converted("45 %", "1") == "0.45");
    CHECK(std::stod(converted("2 rad", "deg")) == Approx(360. / std::numbers::pi));
    CHECK(std::stod(converted("180 deg/s", "rad/s")) == Approx(std::numbers::pi));
    CHECK(converted("90°", "deg") == "90");
}

TEST_CASE("A unit holds for all numbers back to the unit before", "[objectmodel]")
{
    CHECK(converted("0 0 -9.81 m/s^2", "m/s^2") == "0 0 -9.81");
    CHECK(converted("1 2 3  4 5 6 cm", "m") == "0.01 0.02 0.03 0.04 0.05 0.06");
    CHECK(converted("1 m 20 cm 3 4 mm", "m") == "1 0.2 0.003 0.004");
    CHECK(errorOf("1 m 2", "m") ==
          "expected a unit behind the last number, as behind those before it, or one unit behind all of them");
}

TEST_CASE("A unit of another dimension is an error; what is no unit is left to the reader of the type", "[objectmodel]")
{
    CHECK(errorOf("3 m", "Pa") == "expected a unit such as 'Pa', found 'm', which measures something else");
    CHECK(errorOf("0.3 kPa", "1") == "expected a number without unit, found the unit 'kPa'");
    CHECK(errorOf("3 deg", "m") == "expected a unit such as 'm', found 'deg', which measures something else");
    for (const char* text : {"3 parrots", "nan", "inf", "3 furlong/m", "Pa", "1.5f", "@x.y", "1 2 [3]", "3 m//s",
                             "3 m^", "3 m^0", "3 m^99", "3 /", "", "3 kmin", "3 %m%"}) {
        INFO(text);
        CHECK(converted(text, "Pa") == text);
        CHECK(converted(text, "") == text);
    }
}

TEST_CASE("Data read units, check ranges in their own unit and keep their value on errors", "[objectmodel]")
{
    Quantities q;
    std::string error;
    REQUIRE(q.d_stiffness.read("3 kPa", error));
    CHECK(q.d_stiffness.value() == 3000.);
    CHECK(error.empty());
    CHECK_FALSE(q.d_stiffness.read("3 GPa", error));
    CHECK(error == "expected values in [0, 1e+06], found 3e+09");
    CHECK_FALSE(q.d_stiffness.read("3 kN", error));
    CHECK(q.d_stiffness.value() == 3000.);
    CHECK_FALSE(q.d_ratio.read("0.3 Pa", error));
    REQUIRE(q.d_angle.read("1 rad", error));
    CHECK(q.d_angle.value() == Approx(57.29578f));
    REQUIRE(q.d_points.read("1 2 3  4 5 6 mm", error));
    CHECK(q.d_points.value() == Vector<Vec3>{{0.001, 0.002, 0.003}, {0.004, 0.005, 0.006}});
    CHECK_FALSE(q.d_frames.read("1 2 3 0 0 0 1 mm", error));
    CHECK(error ==
          "expected numbers without unit: a value of type list of RigidCoord3 holds more than one kind of quantity");
    REQUIRE(q.d_count.read("3 mm", error));  // no quantity: as any text behind the value, with a note
    CHECK(error.find("is ignored") != std::string::npos);
}

TEST_CASE("Every unit symbol reads with and without prefix", "[objectmodel]")
{
    for (const char* u : {"m", "g", "s", "N", "Pa", "J", "W", "Hz", "L"})
        for (const char* p : {"", "n", "u", "µ", "m", "c", "d", "h", "k", "M", "G"}) {
            INFO(p << u);
            CHECK(parseUnit(std::string(p) + u).has_value());
        }
    CHECK(parseUnit("min")->dimension == parseUnit("s")->dimension);  // not a milli-inch
    CHECK(parseUnit("Pa")->dimension == parseUnit("J/m^3")->dimension);
    CHECK(parseUnit("W")->dimension == parseUnit("N m/s")->dimension);
    CHECK_FALSE(parseUnit("").has_value());
    CHECK_FALSE(parseUnit("/").has_value());
    CHECK(parseUnit("1").has_value());
}

}  // namespace units_test
