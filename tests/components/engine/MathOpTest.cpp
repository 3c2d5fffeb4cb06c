// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "tests/components/engine/RandomLists.h"

namespace math_op_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Checks an operation of MathOp on three lists of different lengths, and on one.
template <class T>
void checkMathOp(const std::string& templ, const std::string& op, std::function<T(const Vector<T>&)> expected)
{
    INFO(templ << " " << op);
    for (const std::size_t lists : {std::size_t(3), std::size_t(1)})
        checkEngine({.type = "MathOp",
                     .attributes = {{"template", templ}, {"nbInputs", std::to_string(lists)}, {"op", op}},
                     .fill =
                         [lists](const EngineAccess& e, RandomInput& random) {
                             for (std::size_t k = 1; k <= lists; ++k)
                                 e.set("input" + std::to_string(k), randomList<T>(random, 4 + random.index(3)));
                         },
                     .verify =
                         [lists, expected](const EngineAccess& e) {
                             std::size_t n = 100;
                             for (std::size_t k = 1; k <= lists; ++k)
                                 n = std::min(n, e.get<Vector<T>>("input" + std::to_string(k)).size());
                             const auto& out = e.get<Vector<T>>("output");
                             REQUIRE(out.size() == n);
                             for (std::size_t i = 0; i < n; ++i) {
                                 Vector<T> x;
                                 for (std::size_t k = 1; k <= lists; ++k)
                                     x.push_back(e.get<Vector<T>>("input" + std::to_string(k))[i]);
                                 CHECK(out[i] == expected(x));
                             }
                         },
                     .mistakes = {}});
}

template <class T>
T folded(const Vector<T>& x, const std::function<T(T, T)>& f)
{
    T result = x[0];
    for (std::size_t k = 1; k < x.size(); ++k) result = f(result, x[k]);
    return result;
}

}  // namespace

HARNESS_ENGINE("MathOp")
{
    using Reals = Vector<double>;
    checkMathOp<double>("double", "+", [](const Reals& x) { return folded<double>(x, std::plus<>()); });
    checkMathOp<double>("double", "-",
                        [](const Reals& x) { return x.size() == 1 ? -x[0] : folded<double>(x, std::minus<>()); });
    checkMathOp<double>("double", "*", [](const Reals& x) { return folded<double>(x, std::multiplies<>()); });
    checkMathOp<double>("double", "/",
                        [](const Reals& x) { return x.size() == 1 ? 1. / x[0] : folded<double>(x, std::divides<>()); });
    checkMathOp<double>("double", "<", [](const Reals& x) { return *std::min_element(x.begin(), x.end()); });
    checkMathOp<double>("double", ">", [](const Reals& x) { return *std::max_element(x.begin(), x.end()); });
    checkMathOp<int>("int", "*", [](const Vector<int>& x) { return folded<int>(x, std::multiplies<>()); });
    checkMathOp<Vec2>("Vec2", "+", [](const Vector<Vec2>& x) { return folded<Vec2>(x, std::plus<>()); });
    checkMathOp<Vec3>("vector<Vec3d>", "-", [](const Vector<Vec3>& x) {
        return x.size() == 1 ? Vec3() - x[0] : folded<Vec3>(x, std::minus<>());
    });
    checkMathOp<Vec6>("RigidDeriv3d", "+", [](const Vector<Vec6>& x) { return folded<Vec6>(x, std::plus<>()); });
    checkMathOp<RigidCoord2>("RigidCoord2d", "+", [](const Vector<RigidCoord2>& x) {
        return folded<RigidCoord2>(x, [](auto a, auto b) {
            return RigidCoord2{a.center + b.center, a.angle + b.angle};
        });
    });
    checkMathOp<RigidCoord3>("RigidCoord3d", "+", [](const Vector<RigidCoord3>& x) {
        return folded<RigidCoord3>(x, [](auto a, auto b) {
            return RigidCoord3{a.center + b.center, a.orientation * b.orientation};
        });
    });
    const auto count = [](const Vector<bool>& x) { return std::count(x.begin(), x.end(), true); };
    const auto all = [count](const Vector<bool>& x) { return count(x) == static_cast<std::ptrdiff_t>(x.size()); };
    checkMathOp<bool>("bool", "!", [](const Vector<bool>& x) { return !x[0]; });
    checkMathOp<bool>("bool", "|", [count](const Vector<bool>& x) { return count(x) > 0; });
    checkMathOp<bool>("bool", "&", all);
    checkMathOp<bool>("bool", "^", [count](const Vector<bool>& x) { return count(x) % 2 == 1; });
    // Of one list these leave the negation, too.
    checkMathOp<bool>("bool", "!|", [count](const Vector<bool>& x) { return count(x) == 0; });
    checkMathOp<bool>("bool", "!&", [all](const Vector<bool>& x) { return !all(x); });
    checkMathOp<bool>("bool", "!^", [count](const Vector<bool>& x) { return count(x) % 2 == 0; });
}

TEST_CASE("MathOp: whole numbers are not divided by 0, and lists and an operation must be there")
{
    Node root("root");
    auto& e =
        addComponent<Engine>(root, "MathOp", {{"template", "int"}, {"op", "/"}, {"input1", "4 5"}, {"input2", "2 0"}});
    e.run();
    CHECK_FALSE(e.isValid());
    CHECK_THAT(e.messages().back().text, Catch::Matchers::Contains("division of whole numbers by 0"));
    auto& one = addComponent<Engine>(root, "MathOp", {{"op", "+"}, {"input1", "4 5"}});
    one.run();
    CHECK_FALSE(one.isValid());
    CHECK_THAT(one.messages().back().text, Catch::Matchers::Contains("input2 is missing"));
    auto& unknown = addComponent<Engine>(root, "MathOp", {{"op", "%"}});
    CHECK_THAT(unknown.messages().back().text, Catch::Matchers::Contains("expected one of: +, -, *, /, <, >"));
}

}  // namespace math_op_test
