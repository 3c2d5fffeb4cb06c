// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Path.h"

#include <catch2/catch.hpp>

#include "tests/core/objectmodel/TestComponents.h"

namespace path_test {

using namespace sofa::test;

namespace {

/// root: a, body{ first, second, skin{ third } }, other{ fourth }
struct Graph
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    std::shared_ptr<Node> body = root->createChild("body");
    std::shared_ptr<Node> skin = body->createChild("skin");
    std::shared_ptr<Node> other = root->createChild("other");
    Thing& a = make(*root, "a");
    Thing& first = make(*body, "first");
    Thing& second = make(*body, "second");
    Thing& third = make(*skin, "third");
    Thing& fourth = make(*other, "fourth");

    static Thing& make(Node& n, const char* name)
    {
        Thing& t = n.create<Thing>();
        t.setName(name);
        return t;
    }
};

Base* object(const Base& from, std::string_view path)
{
    std::string error;
    const auto found = findByPath(from, path, error);
    return found.empty() ? nullptr : found.front();
}

std::string errorOf(const Base& from, std::string_view path)
{
    std::string error;
    REQUIRE(findByPath(from, path, error).empty());
    return error;
}

}  // namespace

TEST_CASE("Every form of an object path", "[objectmodel]")
{
    const Graph g;
    CHECK(object(g.second, "@first") == &g.first);
    CHECK(object(g.second, "first") == &g.first);
    CHECK(object(g.second, "@./first") == &g.first);
    CHECK(object(g.third, "@../first") == &g.first);
    CHECK(object(g.third, "@../../a") == &g.a);
    CHECK(object(g.third, "@../../other/fourth") == &g.fourth);
    CHECK(object(g.third, "@/body/first") == &g.first);
    CHECK(object(g.third, "@/other") == g.other.get());
    CHECK(object(g.second, "@skin/third") == &g.third);
    CHECK(object(g.second, "@.") == g.body.get());
    CHECK(object(g.second, "@..") == g.root.get());
    CHECK(object(g.third, "@../") == g.body.get());
    CHECK(object(*g.body, "@first") == &g.first);
    CHECK(object(*g.body, "@../other/fourth") == &g.fourth);
}

TEST_CASE("A plain name is looked for upwards too", "[objectmodel]")
{
    const Graph g;
    CHECK(object(g.third, "@a") == &g.a);
    CHECK(object(g.third, "@body") == g.body.get());
    CHECK(object(g.third, "@other/fourth") == &g.fourth);
    CHECK(object(g.third, "@./a") == nullptr);
}

TEST_CASE("Indices count from the component or from the first of its node", "[objectmodel]")
{
    const Graph g;
    CHECK(object(g.second, "@[-1]") == &g.first);
    CHECK(object(g.first, "@[+1]") == &g.second);
    CHECK(object(g.second, "@[0]") == &g.first);
    CHECK(object(g.first, "@[1]") == &g.second);
    CHECK_THAT(errorOf(g.first, "@[-1]"), Catch::Contains("index -1 is outside the 2 components of node '/body'"));
    CHECK_THAT(errorOf(g.first, "@[x]"), Catch::Contains("expected an index such as [-1]"));
    CHECK_THAT(errorOf(g.first, "@[-1"), Catch::Contains("expected an index"));
    CHECK_THAT(errorOf(g.second, "@[-1]/x"), Catch::Contains("contains nothing"));
}

TEST_CASE("A path to a node offers the components of the node too", "[objectmodel]")
{
    const Graph g;
    std::string error;
    const auto found = findByPath(g.third, "@..", error);
    REQUIRE(found.size() == 3);
    CHECK(found[0] == g.body.get());
    CHECK(found[1] == &g.first);
    CHECK(found[2] == &g.second);
}

TEST_CASE("Broken paths say what is missing, where, and what is near", "[objectmodel]")
{
    const Graph g;
    CHECK_THAT(errorOf(g.second, "@./frist"),
               Catch::Contains("there is no 'frist' in node '/body' (did you mean 'first'?)"));
    CHECK_THAT(errorOf(g.second, "@nobody"), Catch::Contains("or above it"));
    CHECK_THAT(errorOf(g.a, "@../x"), Catch::Contains("there is no 'x' in node '/'"));  // with a warning
    CHECK_THAT(errorOf(g.second, "@first/x"), Catch::Contains("'first' is a component and contains nothing"));
    const Thing lonely;
    CHECK_THAT(errorOf(lonely, "@x"), Catch::Contains("in no node"));
}

TEST_CASE("Paths to Data", "[objectmodel]")
{
    const Graph g;
    std::string error;
    CHECK(findDataByPath(g.second, "@first.mass", error) == &g.first.d_mass);
    CHECK(findDataByPath(g.third, "@../second.values", error) == &g.second.d_values);
    CHECK(findDataByPath(g.second, "@[-1].count", error) == &g.first.d_count);
    CHECK(findDataByPath(g.third, "@/body/first.mass", error) == &g.first.d_mass);
    CHECK(findDataByPath(g.second, "@.mass", error) == &g.second.d_mass);
    CHECK(error.empty());
    CHECK(findDataByPath(g.second, "@first.mas", error) == nullptr);
    CHECK_THAT(error, Catch::Contains("has no data 'mas' (did you mean 'mass'?)"));
    CHECK(findDataByPath(g.second, "@first", error) == nullptr);
    CHECK(findDataByPath(g.second, "@first.", error) == nullptr);
    CHECK_THAT(error, Catch::Contains("@path.data"));
}

TEST_CASE("A path to a Data of a node finds the node's own and those of its components", "[objectmodel]")
{
    const Graph g;
    std::string error;
    CHECK(findDataByPath(g.first, "@../.gravity", error) == &g.root->d_gravity);
    CHECK(findDataByPath(g.third, "@...mass", error) == &g.first.d_mass);
    CHECK(findDataByPath(g.fourth, "@/body.mass", error) == &g.first.d_mass);
}

TEST_CASE("Links resolve to the object of their type", "[objectmodel]")
{
    const Graph g;
    g.third.l_other.setPath("@..", {});
    CHECK(g.third.l_other.get() == &g.first);
    g.third.l_others.setPath("@../first @../second", {});
    REQUIRE(g.third.l_others.get().size() == 2);
    CHECK(g.third.l_others.get()[1] == &g.second);
    g.third.l_other.setPath("@../missing", {});
    std::string error;
    CHECK(g.third.l_other.get() == nullptr);
    CHECK_FALSE(g.third.l_other.resolve(error));
    CHECK_THAT(error, Catch::Contains("no 'missing'"));
    SumEngine& e = g.body->create<SumEngine>();
    e.setName("sum");
    error.clear();
    g.third.l_other.setPath("@../sum", {});
    CHECK_FALSE(g.third.l_other.resolve(error));
    CHECK(error == "'@../sum' exists but is no thing");
    CHECK(g.third.l_other.text() == "@../sum");
    g.third.l_other.setPath("", {});
    g.third.l_other.set(&g.a);
    CHECK(g.third.l_other.text() == "@/a");
}

}  // namespace path_test
