// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/EngineCheck.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/objectmodel/DataText.h"
#include "core/topology/StoredTopology.h"
#include "core/topology/TopologyChange.h"

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

/// "Class template" of all engines that were checked.
std::set<std::string>& checked()
{
    static std::set<std::string> all;
    return all;
}

/// A root with what the engine needs.
struct Bench
{
    explicit Bench(const EngineCase& c)
    {
        if (c.scene) c.scene(root);
    }
    core::Node root{"root"};
};

Engine& add(core::Node& node, const EngineCase& c, const Attributes& more = {})
{
    Attributes all = c.attributes;
    for (const auto& attribute : more) {
        const auto same = std::ranges::find(all, attribute.first, &Attributes::value_type::first);
        if (same == all.end())
            all.push_back(attribute);
        else
            same->second = attribute.second;
    }
    auto& e = addComponent<Engine>(node, c.type, all);
    checked().insert(c.type + ' ' + e.templateName());
    return e;
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

/// Links the inputs of an engine to those of another one that have values; returns them.
std::vector<BaseData*> linkInputs(Engine& e, const Engine& source)
{
    std::vector<BaseData*> linked;
    for (BaseData* from : inputsOf(source)) {
        if (!from->isSet() || from->isReadOnly()) continue;
        BaseData* to = e.findData(from->name());
        REQUIRE(to);
        to->linkTo(*from);
        linked.push_back(to);
    }
    return linked;
}

/// A mesh with the elements that an input has, for that input.
struct Mesh
{
    core::StoredTopology* topology;
    core::ElementType type;
    std::string input;
    std::function<std::size_t()> size;  ///< of the input
};

template <std::size_t N>
void putIntoMesh(core::Node& root, BaseData& input, const std::string& container, core::ElementType type,
                 const char* name, std::vector<Mesh>& meshes)
{
    const auto* list = dynamic_cast<core::Data<core::Vector<std::array<core::Index, N>>>*>(&input);
    if (!list || list->value().size() < 2) return;
    core::Index points = 0;
    for (const auto& element : list->value())
        for (const core::Index i : element) points = std::max(points, i + 1);
    core::Node& node = *root.createChild("mesh" + std::to_string(meshes.size()));
    auto& topology = addComponent<core::StoredTopology>(
        node, container + "Container",
        {{"name", "mesh"}, {"position", core::toText(core::Vector<core::Vec3>(points))}, {name, input.text()}});
    addComponent(node, container + "Modifier");
    input.linkTo(*topology.findData(name));
    meshes.push_back({&topology, type, input.name(), [list] { return list->value().size(); }});
}

/// All outputs, or why there are none.
std::string outcome(const Engine& e)
{
    std::string text;
    try {
        for (const std::string& output : readAll(e)) text += output + '\n';
        return text;
    } catch (const core::DataError& error) {
        text = error.what();
    }
    for (std::size_t at = 0; (at = text.find(e.pathName())) != std::string::npos;) text.erase(at, e.pathName().size());
    return text;
}

/// The lists of elements come from meshes that lose some.
void checkTopologyChanges(const EngineCase& c)
{
    using enum core::ElementType;
    Bench bench(c);
    Engine& source = add(*bench.root.createChild("other"), c);
    RandomInput random(78);
    c.fill(EngineAccess(source), random);
    Engine& e = add(bench.root, c);
    std::vector<Mesh> meshes;
    for (BaseData* input : linkInputs(e, source)) {
        const std::string name = input->name();
        putIntoMesh<2>(bench.root, *input, "EdgeSetTopology", Edges, "edges", meshes);
        putIntoMesh<3>(bench.root, *input, "TriangleSetTopology", Triangles, "triangles", meshes);
        if (name.find("uad") != std::string::npos)
            putIntoMesh<4>(bench.root, *input, "QuadSetTopology", Quads, "quads", meshes);
        else
            putIntoMesh<4>(bench.root, *input, "TetrahedronSetTopology", Tetrahedra, "tetrahedra", meshes);
        putIntoMesh<8>(bench.root, *input, "HexahedronSetTopology", Hexahedra, "hexahedra", meshes);
    }
    if (meshes.empty()) return;
    INFO("with meshes that change");
    REQUIRE(initialise(bench.root));
    const EngineAccess access(e);
    c.verify(access);
    for (const Mesh& m : meshes) {
        INFO(m.input);
        const std::size_t before = m.size();
        removeElements(*m.topology, m.type, {static_cast<core::Index>(before - 1), 0});
        CHECK(m.size() == before - 2);
        core::Node& node = *bench.root.createChild("fresh");
        Engine& fresh = add(node, c);
        linkInputs(fresh, e);
        REQUIRE(initialise(node));
        CHECK(outcome(e) == outcome(fresh));
        bench.root.removeChild(node);
    }
}

void checkLinks(const EngineCase& c)
{
    Bench bench(c);
    core::Node& root = bench.root;
    core::Node& other = *root.createChild("other");
    Engine& source = add(other, c);
    Engine& e = add(root, c);
    RandomInput random(77);
    c.fill(EngineAccess(source), random);
    if (inputsOf(source).empty()) return;  // those of others only
    const std::vector<BaseData*> linked = linkInputs(e, source);
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
        Bench bench(c);
        Engine& e = add(bench.root, c);
        RandomInput random(seed);
        const EngineAccess engine(e);
        c.fill(engine, random);
        REQUIRE(initialise(bench.root));
        c.verify(engine);
        checkLaziness(c, engine, random);
        CHECK(outputsOf(e).size() > 0);
    }
    checkLinks(c);
    checkTopologyChanges(c);
    {
        INFO("without inputs");
        Bench bench(c);
        firstError(bench.root, add(bench.root, c));
    }
    for (const auto& [attributes, message] : c.mistakes) {
        INFO("expected: " << message);
        Bench bench(c);
        Engine& e = add(bench.root, c, attributes);
        CHECK_THAT(firstError(bench.root, e), Catch::Matchers::Contains(message));
    }
}

std::vector<std::string> uncheckedTemplates(const std::string& type)
{
    const auto entry = core::Registry::instance().find(type);
    if (!entry) throw std::logic_error("there is no component " + type);
    std::vector<std::string> all;
    for (const core::ComponentCreator& creator : entry->creators)
        if (checked().count(type + ' ' + creator.templ) == 0) all.push_back(creator.templ);
    return all;
}

}  // namespace sofa::test
