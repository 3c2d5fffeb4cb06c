// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"

#include <catch2/catch.hpp>

#include "core/objectmodel/Node.h"

namespace registry_test {

using namespace sofa::core;

namespace {

struct Flat
{
    static std::string_view name() { return "Vec3"; }
};
struct Turning
{
    static std::string_view name() { return "Rigid3"; }
};
struct FlatToTurning
{
    static std::string_view name() { return "Vec3,Rigid3"; }
};
struct TurningToFlat
{
    static std::string_view name() { return "Rigid3,Vec3"; }
};
struct TurningToTurning
{
    static std::string_view name() { return "Rigid3,Rigid3"; }
};

template <class T>
class Holder : public Component
{
public:
    static std::string staticTemplateName() { return std::string(T::name()); }
};

/// Can only be created beside a Holder of its type.
template <class T>
class Needy : public Component
{
public:
    static std::string staticTemplateName() { return std::string(T::name()); }
    static bool canCreate(const Node* node, const ComponentDescription&, std::string& why)
    {
        if (node && node->get<Holder<T>>(Search::Local)) return true;
        why = "there is no state of type " + std::string(T::name());
        return false;
    }
};

class Plain : public Component
{
};

/// Registered for the length of a test.
struct Registered
{
    Registered()
    {
        RegisterComponent("TestHolder", "State", "Test.Module").add<Holder<Flat>>().add<Holder<Turning>>();
        RegisterComponent("TestNeedy", "Mass", "Test.Module")
            .help("Needs a holder")
            .alias("TestOldNeedy")
            .authors("us")
            .license("none")
            .example("needy.scn")
            .add<Needy<Flat>>()
            .add<Needy<Turning>>();
        RegisterComponent("TestPlain", "Other", "Test.Module").add<Plain>();
        RegisterComponent("TestPair", "Mapping", "Test.Module")
            .add<Holder<FlatToTurning>>()
            .add<Holder<TurningToFlat>>()
            .add<Holder<TurningToTurning>>();
    }
    ~Registered()
    {
        for (const char* n : {"TestHolder", "TestNeedy", "TestPlain", "TestPair"}) Registry::instance().remove(n);
    }
};

std::shared_ptr<Component> create(const Node* n, const std::string& type, const std::string& templ = {})
{
    ComponentDescription d;
    d.type = type;
    d.templ = templ;
    return Registry::instance().create(n, d);
}

}  // namespace

TEST_CASE("Entries are found by name and alias", "[factory]")
{
    const Registered registered;
    const auto e = Registry::instance().find("TestNeedy");
    REQUIRE(e);
    CHECK(e == Registry::instance().find("TestOldNeedy"));
    CHECK(e->category == "Mass");
    CHECK(e->module == "Test.Module");
    CHECK(e->help == "Needs a holder");
    CHECK(e->authors == "us");
    CHECK(e->license == "none");
    CHECK(e->example == "needy.scn");
    CHECK(e->aliases == std::vector<std::string>{"TestOldNeedy"});
    CHECK(e->creators.size() == 2);
    CHECK(Registry::instance().find("TestMissing") == nullptr);
}

TEST_CASE("The template is the given one, or the first that fits the place", "[factory]")
{
    const Registered registered;
    Node n("n");
    CHECK(create(&n, "TestHolder")->templateName() == "Vec3");
    CHECK(create(&n, "TestHolder", "Rigid3d")->templateName() == "Rigid3");
    n.addComponent(create(&n, "TestHolder", "Rigid3"));
    const auto needy = create(&n, "TestNeedy");
    CHECK(needy->templateName() == "Rigid3");
    CHECK(needy->className() == "TestNeedy");
    CHECK(create(&n, "TestOldNeedy")->className() == "TestNeedy");
}

TEST_CASE("The first of several types stands for all where there is one choice", "[factory]")
{
    const Registered registered;
    Node n("n");
    CHECK(create(&n, "TestPair", "Vec3d")->templateName() == "Vec3,Rigid3");
    CHECK_THROWS_WITH(create(&n, "TestPair", "Rigid3"), Catch::Contains("has no template 'Rigid3'"));
}

TEST_CASE("A class without templates takes any template", "[factory]")
{
    const Registered registered;
    Node n("n");
    const auto p = create(&n, "TestPlain", "Vec3");
    CHECK(p->templateName().empty());
}

TEST_CASE("What cannot be created says why", "[factory]")
{
    const Registered registered;
    Node n("n");
    CHECK_THROWS_WITH(create(&n, "TestNedy"), "unknown component 'TestNedy' (did you mean 'TestNeedy'?)");
    CHECK_THROWS_WITH(create(&n, "TestNeedy"),
                      "cannot create TestNeedy: there is no state of type Vec3; there is no state of type Rigid3");
    CHECK_THROWS_WITH(create(&n, "TestNeedy", "Rigid3"),
                      "cannot create TestNeedy with template 'Rigid3': there is no state of type Rigid3");
    CHECK_THROWS_WITH(
        create(&n, "TestHolder", "Vec33"),
        "component TestHolder has no template 'Vec33' (did you mean 'Vec3'?); its templates are: Vec3, Rigid3");
}

TEST_CASE("Template names of every age become canonical", "[factory]")
{
    const auto c = [](std::string_view t) { return Registry::canonicalTemplate(t); };
    CHECK(c("Vec3d") == "Vec3");
    CHECK(c("Vec3f") == "Vec3");
    CHECK(c("Vec3") == "Vec3");
    CHECK(c("ExtVec3f") == "Vec3");
    CHECK(c("Vec1d") == "Vec1");
    CHECK(c("Rigid") == "Rigid3");
    CHECK(c("Rigid3f") == "Rigid3");
    CHECK(c("Rigid2d") == "Rigid2");
    CHECK(c("Rigid,Vec3d") == "Rigid3,Vec3");
    CHECK(c(" Rigid , ExtVec3f ") == "Rigid3,Vec3");
    CHECK(c("Mapping<Rigid3d,Vec3d>") == "Rigid3,Vec3");
    CHECK(c("MechanicalMapping<MechanicalState<Rigid>,MappedModel<ExtVec3f>>") == "Rigid3,Vec3");
    CHECK(c("MechanicalMapping< MechanicalState<Vec3d>, MechanicalState<Vec3d> >") == "Vec3,Vec3");
    CHECK(c("CompressedRowSparseMatrixMat3x3d") == "CompressedRowSparseMatrixMat3x3d");
    CHECK(c("").empty());
    CHECK(c("Mapping<A").size() < 10);  // not closed: no crash
}

TEST_CASE("A name that is taken is reported, and the first owner keeps it", "[factory]")
{
    const Registered registered;
    Registry& r = Registry::instance();
    const std::size_t before = r.conflicts().size();
    const MessageCapture capture;
    RegisterComponent("TestPlain", "Impostor", "Elsewhere").alias("TestHolder").add<Holder<Flat>>();
    CHECK(r.find("TestPlain")->category == "Other");
    CHECK(r.nameOf(*create(nullptr, "TestPlain")) == "TestPlain");
    CHECK(r.nameOf(*create(nullptr, "TestHolder")) == "TestHolder");
    r.addAlias("TestPlain", "TestHolder");
    CHECK(r.conflicts().size() == before + 2);
    CHECK(capture.has(Severity::Error, "component 'TestPlain' is registered twice"));
    CHECK(capture.has(Severity::Error, "alias 'TestPlain' of component 'TestHolder' is taken"));
}

TEST_CASE("An entry that changes stays as it was for who holds it, and is found by its classes", "[factory]")
{
    const Registered registered;
    Registry& r = Registry::instance();
    const Holder<Flat> flat;
    const Holder<Turning> turning;
    const Plain plain;
    CHECK(r.nameOf(turning) == "TestHolder");
    for (const bool held : {false, true}) {
        const ComponentEntryPtr before = held ? r.find("TestHolder") : nullptr;
        const std::string help = held ? "new" : "old";
        r.change("TestHolder", [&](ComponentEntry& e) { e.help = help; });
        CHECK(r.find("TestHolder")->help == help);
        CHECK(r.nameOf(flat) == "TestHolder");
        CHECK(r.templateOf(turning) == "Rigid3");
        if (held) CHECK(before->help == "old");
    }
    // Creators that come and go, with and without somebody who holds the entry.
    const ComponentCreator pair = r.find("TestPair")->creators[0];
    r.remove("TestPair");
    for (const bool held : {false, true}) {
        const ComponentEntryPtr before = held ? r.find("TestHolder") : nullptr;
        r.change("TestHolder", [](ComponentEntry& e) { e.creators.pop_back(); });
        CHECK(r.find("TestHolder")->creators.size() == 1);
        CHECK(r.nameOf(turning) == "TestHolder");
        CHECK(r.templateOf(turning).empty());
        r.change("TestHolder", [&](ComponentEntry& e) { e.creators.push_back(pair); });
        CHECK(r.nameOf(Holder<FlatToTurning>()) == "TestHolder");
        r.change("TestHolder", [](ComponentEntry& e) { e.creators.back() = e.creators.front(); });
        if (held) CHECK(before->creators.size() == 2);
    }
    r.remove("TestPlain");
    CHECK(r.nameOf(plain).empty());
    r.remove("TestHolder");
    CHECK(r.nameOf(flat).empty());
    CHECK(r.nameOf(turning).empty());
}

TEST_CASE("Removing a component removes its aliases", "[factory]")
{
    Registry& r = Registry::instance();
    {
        const Registered registered;
        CHECK(r.find("TestOldNeedy"));
    }
    CHECK(r.find("TestNeedy") == nullptr);
    CHECK(r.find("TestOldNeedy") == nullptr);
    CHECK(r.nameOf(Plain()).empty());
}

TEST_CASE("A class registers at run time by functions that carry state, is made in a scene, and is withdrawn",
          "[factory]")
{
    const Registered registered;
    Registry& r = Registry::instance();
    auto made = std::make_shared<int>(0);  // what a script would keep
    const std::weak_ptr<int> state = made;
    std::string name = "TestScripted";  // strings have owners
    RegisterComponent(name, "Other", "a script")
        .help("Made by a function")
        .alias("TestOldScripted")
        .base("TestPlain")
        .add(
            "",
            [made] {
                ++*made;
                return std::make_shared<Plain>();
            },
            [](const Node* n, const ComponentDescription&, std::string& why) {
                why = "it stands below the root only";
                return n && n->name() != "root";
            });
    name.clear();
    made.reset();

    const auto root = std::make_shared<Node>("root");
    const auto below = std::make_shared<Node>("below");
    root->addChild(below);
    ComponentDescription d;
    d.type = "TestOldScripted";
    CHECK_THROWS_WITH(r.createIn(*root, d), "cannot create TestScripted: it stands below the root only");
    d.set("name", "one");
    const auto object = r.createIn(*below, d);
    CHECK(*state.lock() == 1);
    CHECK(object->className() == "TestScripted");  // though its C++ class is registered under another name
    CHECK(create(below.get(), "TestPlain")->className() == "TestPlain");
    CHECK(below->component("one") == object.get());

    r.remove("TestScripted");
    CHECK_FALSE(r.find("TestScripted"));
    CHECK_FALSE(r.find("TestOldScripted"));
    CHECK_THROWS_WITH(create(below.get(), "TestScripted"), Catch::Contains("unknown component 'TestScripted'"));
    CHECK(object->className() == "TestScripted");
    CHECK(object->pathName() == "/below/one");
    CHECK_FALSE(state.expired());  // what made it lives as long as it
    // The name is free again.
    RegisterComponent("TestScripted", "Other", "another script").add("", [] { return std::make_shared<Plain>(); });
    CHECK(create(below.get(), "TestScripted")->className() == "TestScripted");
    CHECK(r.find("TestScripted")->module == "another script");
    r.remove("TestScripted");
}

TEST_CASE("A registration without a class, and a function that makes nothing, are told", "[factory]")
{
    Registry& r = Registry::instance();
    RegisterComponent("TestEmpty", "Other", "Test.Module");
    CHECK_THROWS_WITH(create(nullptr, "TestEmpty"),
                      "component TestEmpty is registered without a class or function that makes it");
    r.remove("TestEmpty");
    RegisterComponent("TestNothing", "Other", "Test.Module").add("", [] { return std::shared_ptr<Component>(); });
    CHECK_THROWS_WITH(create(nullptr, "TestNothing"), "cannot create TestNothing: its function made nothing");
    r.remove("TestNothing");
}

namespace {

class Middle : public Plain
{
};
class Leaf final : public Middle
{
};

}  // namespace

TEST_CASE("The registry knows the classes from which a class derives, nearest first", "[factory]")
{
    const Registered registered;
    Registry& r = Registry::instance();
    RegisterComponent("TestLeaf", "Other", "Test.Module").alias("TestOldLeaf").add<Leaf>();
    RegisterComponent("TestScript", "Other", "a script").base("TestLeaf").add("", [] {
        return std::make_shared<Leaf>();
    });
    const auto bases = r.basesOf("TestLeaf");
    REQUIRE(bases.size() >= 4);
    CHECK(std::vector<std::string>(bases.begin(), bases.begin() + 4) ==
          std::vector<std::string>{"Middle", "Plain", "Component", "Base"});
    CHECK(r.basesOf("TestOldLeaf") == bases);
    CHECK(r.basesOf("Middle").front() == "Plain");
    CHECK(r.basesOf("TestHolder").front() == "Component");  // of a class template
    CHECK(r.basesOf("TestScript").front() == "TestLeaf");
    CHECK(r.derives("TestScript", "Middle"));
    CHECK(r.derives("TestLeaf", "TestLeaf"));
    CHECK_FALSE(r.derives("TestPlain", "Middle"));
    CHECK(r.derivedFrom("Middle") == std::vector<std::string>{"TestLeaf", "TestScript"});
    CHECK_THROWS_WITH(r.basesOf("TestLeef"), "there is no class 'TestLeef' (did you mean 'TestLeaf'?)");

    const MessageCapture capture;
    RegisterComponent("TestLost", "Other", "a script").base("Midle").add("", [] { return std::make_shared<Leaf>(); });
    CHECK_FALSE(r.find("TestLost"));
    CHECK(capture.has(Severity::Error,
                      "component 'TestLost' extends 'Midle', which is no class (did you mean 'Middle'?)"));
    for (const char* n : {"TestLeaf", "TestScript"}) r.remove(n);
}

TEST_CASE("Instances of a class template are added by one list of types", "[factory]")
{
    RegisterComponent("TestList", "State", "Test.Module").add<Holder, Turning, Flat>();
    const auto entry = Registry::instance().find("TestList");
    REQUIRE(entry);
    REQUIRE(entry->creators.size() == 2);
    CHECK(entry->creators[0].templ == "Rigid3");
    CHECK(entry->creators[1].templ == "Vec3");
    Registry::instance().remove("TestList");
}

}  // namespace registry_test
