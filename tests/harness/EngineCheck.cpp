// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/EngineCheck.h"

#include <algorithm>
#include <numeric>

namespace sofa::test {

namespace {

using core::BaseData;
using core::Engine;

template <class List>
bool has(const List& list, const core::DdgNode* node)
{
    return std::find(list.begin(), list.end(), node) != list.end();
}

std::vector<BaseData*> inputsOf(const Engine& e)
{
    std::vector<BaseData*> list;
    for (BaseData* d : e.data())
        if (has(e.inputs(), d)) list.push_back(d);
    return list;
}

std::vector<BaseData*> outputsOf(const Engine& e)
{
    std::vector<BaseData*> list;
    for (BaseData* d : e.data())
        if (has(e.outputs(), d)) list.push_back(d);
    return list;
}

std::vector<std::string> readAll(const Engine& e)
{
    std::vector<std::string> texts;
    for (const BaseData* d : outputsOf(e)) {
        d->counter();  // brings it up to date, also where its text does not need that
        texts.push_back(d->text());
    }
    return texts;
}

Engine& add(core::Node& node, const EngineCase& c, const Attributes& more = {})
{
    Attributes all = c.attributes;
    for (const auto& [name, value] : more) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.first == name; });
        if (same == all.end())
            all.emplace_back(name, value);
        else
            same->second = value;
    }
    return addComponent<Engine>(node, c.type, all);
}

void checkLaziness(const EngineCase& c, const EngineAccess& engine, RandomInput& random)
{
    const Engine& e = engine.engine();
    const std::size_t before = e.updates();
    c.fill(engine, random);
    CHECK(e.updates() == before);
    const auto first = readAll(e);
    CHECK(e.updates() == before + 1);
    c.verify(engine);
    CHECK(readAll(e) == first);
    CHECK(e.updates() == before + 1);
}

void checkLinks(const EngineCase& c)
{
    core::Node root("root");
    core::Node& other = *root.createChild("other");
    Engine& source = add(other, c);
    Engine& e = add(root, c);
    RandomInput random(77);
    c.fill(EngineAccess(source), random);
    std::vector<BaseData*> linked;
    for (BaseData* from : inputsOf(source)) {
        if (!from->isSet() || from->isReadOnly()) continue;
        BaseData* to = e.findData(from->name());
        REQUIRE(to);
        to->linkTo(*from);
        linked.push_back(to);
    }
    REQUIRE_FALSE(linked.empty());
    REQUIRE(initialise(root));
    const EngineAccess access(e);
    const auto follow = [&] {
        c.fill(EngineAccess(source), random);
        CHECK(readAll(e) == readAll(source));
        c.verify(access);
    };
    follow();
    follow();
    const auto before = readAll(e);
    for (std::size_t i = 0; i < linked.size(); i += 2) linked[i]->unlink();
    CHECK(readAll(e) == before);
    // With one link at least that still leads there when its engine goes.
    linked.back()->linkTo(*source.findData(linked.back()->name()));
    other.removeComponent(source);
    CHECK(readAll(e) == before);
    c.verify(access);
    c.fill(access, random);
    c.verify(access);
}

/// Reads the outputs; where one cannot be computed the error names the engine. The text of the first error.
std::string firstError(core::Node& root, Engine& e)
{
    initialise(root);
    std::string text;
    for (const BaseData* d : outputsOf(e)) {
        try {
            d->counter();
            d->text();
        } catch (const core::DataError& error) {
            if (text.empty()) text = error.what();
            CHECK_THAT(error.what(), Catch::Matchers::Contains(e.pathName()));
            CHECK_FALSE(e.isValid());
        }
    }
    return text;
}

}  // namespace

core::BaseData& EngineAccess::data(std::string_view name) const
{
    BaseData* d = m_engine.findData(name);
    if (!d) throw std::logic_error(m_engine.className() + " has no Data '" + std::string(name) + "'");
    return *d;
}

core::Vector<core::Index> RandomInput::indices(std::size_t count, std::size_t end)
{
    core::Vector<core::Index> list(count);
    for (auto& i : list) i = index(end);
    return list;
}

core::Vector<core::Index> RandomInput::subset(std::size_t count, std::size_t end)
{
    core::Vector<core::Index> all(end);
    std::iota(all.begin(), all.end(), core::Index(0));
    for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + index(end - i)]);
    all.resize(count);
    return all;
}

core::Vector<core::Vec3> RandomInput::points(std::size_t count, double size)
{
    core::Vector<core::Vec3> list(count);
    for (auto& p : list) p = point(size);
    return list;
}

core::Vector<double> RandomInput::numbers(std::size_t count, double low, double high)
{
    core::Vector<double> list(count);
    for (double& v : list) v = number(low, high);
    return list;
}

void checkEngine(const EngineCase& c)
{
    INFO(c.type);
    for (unsigned seed = 1; seed <= c.seeds; ++seed) {
        INFO("seed " << seed);
        core::Node root("root");
        Engine& e = add(root, c);
        RandomInput random(seed);
        const EngineAccess engine(e);
        c.fill(engine, random);
        REQUIRE(initialise(root));
        c.verify(engine);
        checkLaziness(c, engine, random);
        CHECK(outputsOf(e).size() > 0);
    }
    checkLinks(c);
    {
        INFO("without inputs");
        core::Node root("root");
        firstError(root, add(root, c));
    }
    for (const auto& [attributes, message] : c.mistakes) {
        INFO("expected: " << message);
        core::Node root("root");
        Engine& e = add(root, c, attributes);
        CHECK_THAT(firstError(root, e), Catch::Matchers::Contains(message));
    }
}

}  // namespace sofa::test
