// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What all topological mappings of the registry have in common: whatever is done to the input, the output is what a new
// mapping makes of the input as it is then, or the change is refused and leaves everything as it was.
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/harness/Paths.h"

namespace topological_mappings_test {

using namespace sofa::core;

namespace {

using Lists = std::map<std::string, std::string>;

std::string attributes(const Lists& lists)
{
    std::string all;
    for (const auto& [name, text] : lists)
        if (!text.empty()) all += " " + name + "='" + text + "'";
    return all;
}

/// The lists of elements of a topology by their names in scenes.
Lists elementsOf(const BaseMeshTopology& t)
{
    return {{"edges", toText(t.edges())},
            {"triangles", toText(t.triangles())},
            {"quads", toText(t.quads())},
            {"tetrahedra", toText(t.tetrahedra())},
            {"hexahedra", toText(t.hexahedra())}};
}

std::string nameOf(ElementType type)
{
    switch (type) {
        case ElementType::Edges:
            return "edges";
        case ElementType::Triangles:
            return "triangles";
        case ElementType::Quads:
            return "quads";
        case ElementType::Tetrahedra:
            return "tetrahedra";
        default:
            return "hexahedra";
    }
}

std::string kindOf(ElementType type)
{
    switch (type) {
        case ElementType::Edges:
            return "Edge";
        case ElementType::Triangles:
            return "Triangle";
        case ElementType::Quads:
            return "Quad";
        case ElementType::Tetrahedra:
            return "Tetrahedron";
        default:
            return "Hexahedron";
    }
}

/// A mapping as its example scene has it, from a container of its own with a modifier and a state: the mesh of the
/// example's input.
class Scene
{
public:
    explicit Scene(const std::string& type) : m_type(type)
    {
        const MessageCapture silence;
        DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
        Simulation example(
            loadScene((sofa::test::sourceDirectory() / "scenes" / Registry::instance().find(type)->example).string()));
        REQUIRE(example.init());
        const TopologicalMapping* mapping = nullptr;
        for (const TopologicalMapping* m : example.root().getAll<TopologicalMapping>(Search::Down))
            if (!mapping && Registry::instance().nameOf(*m) == type) mapping = m;
        REQUIRE(mapping);
        const BaseMeshTopology& in = *mapping->input();
        const BaseMeshTopology& out = *mapping->output();
        element = mapping->inputType();
        m_kind = kindOf(element);
        m_container = in.isContainer() ? in.className() : m_kind + "SetTopologyContainer";
        for (Index i = 0; i < in.nbPoints(); ++i) m_lists["position"] += toText(in.pointPosition(i)) + " ";
        m_lists[nameOf(element)] = elementsOf(in).at(nameOf(element));
        for (const char* name : {"edgeControlPoints"})
            if (const BaseData* d = in.findData(name); d && !d->text().empty()) m_lists[name] = d->text();
        if (m_lists.contains("edgeControlPoints")) m_lists["edges"] = elementsOf(in).at("edges");
        const BaseState* state = findMechanicalState<BaseState>(*in.node(), Search::Up);
        m_state = state && state->templateName() == "Rigid3" ? "Rigid3" : "Vec3";
        m_outContainer = out.className();
        for (const auto& [name, text] : out.givenAttributes())
            if (name != "name" && name != "src") m_given.insert(name), m_outLists[name] = text;
        for (const auto& [name, text] : mapping->givenAttributes())
            if (name != "name" && name != "input" && name != "output") m_mapping[name] = text;
        // With it, an element is divided by its number at the beginning, which a new mapping does not know.
        m_mapping.erase("swapping");
        makesPoints = mapping->makesPoints();
        m_run = std::make_unique<Simulation>(loadSceneText(text(m_lists, m_outLists), "test.scn"));
        REQUIRE(m_run->init());
    }

    StoredTopology& input() const { return inputOf(*m_run); }
    std::size_t elements() const { return input().list(element)->size(); }
    Vector<Index> vertices(Index i) const
    {
        const auto e = input().list(element)->element(i);
        return {e.begin(), e.end()};
    }

    /// What is wrong with the mapping as it is now; empty if nothing is.
    std::string fault() const
    {
        const MessageCapture silence;
        const std::string own = faultOfNumbers(mappingOf(*m_run));
        if (!own.empty()) return own;
        Lists in = m_lists, out = m_outLists;
        const Lists now = elementsOf(input());
        for (auto& [name, text] : in)
            if (now.contains(name)) text = now.at(name);
        // Points that are made of edges or sides have the order of these.
        if (makesPoints)
            for (const auto& [name, text] : now)
                if (input().findData(name)) in[name] = text;
        if (in.contains("edgeControlPoints")) in["edgeControlPoints"] = input().findData("edgeControlPoints")->text();
        in["position"].clear();
        for (Index i = 0; i < input().nbPoints(); ++i) in["position"] += toText(input().pointPosition(i)) + " ";
        for (auto& [name, text] : out) text = outputOf(*m_run).findData(name)->text();
        Simulation fresh(loadSceneText(text(in, out), "fresh.scn"));
        if (!fresh.init()) return "a new scene of the present mesh does not start: " + silence.text();
        if (const std::string f = faultOfNumbers(mappingOf(fresh)); !f.empty()) return "new mapping: " + f;
        return difference(*m_run, fresh);
    }

    /// The lists of input and output, to see that nothing has changed.
    std::string everything() const
    {
        std::string all;
        for (const StoredTopology* t : {&input(), &outputOf(*m_run)})
            for (const BaseData* d : t->data()) all += d->name() + " " + d->text() + "\n";
        const auto* state = findMechanicalState<BaseState>(*input().node(), Search::Up);
        return all + state->findData("position")->text() + toText(mappingOf(*m_run).localToGlobal());
    }

    ElementType element = ElementType::Points;
    bool makesPoints = false;

private:
    std::string text(const Lists& in, const Lists& out) const
    {
        std::string frames;
        if (m_state == "Rigid3") {  // frames do not come from meshes
            std::istringstream x(in.at("position"));
            for (double a, b, c; x >> a >> b >> c;) frames += toText(Vec3{a, b, c}) + " 0 0 0 1 ";
            frames = " position='" + frames + "'";
        }
        return "<Node name='root'><Node name='body'><" + m_container + " name='in'" + attributes(in) + "/><" + m_kind +
               "SetTopologyModifier removeIsolated='0'/><MechanicalObject template='" + m_state + "'" + frames +
               "/><Node name='mapped'><" + m_outContainer + " name='out'" + attributes(out) + "/><" + m_type +
               " name='map' input='@../in' output='@out'" + attributes(m_mapping) + "/>" +
               (makesPoints ? "<MechanicalObject name='made'/>" : "") + "</Node></Node></Node>";
    }
    static const Node& bodyOf(const Simulation& s) { return *s.root().child("body"); }
    static StoredTopology& inputOf(const Simulation& s)
    {
        return dynamic_cast<StoredTopology&>(*bodyOf(s).component("in"));
    }
    static StoredTopology& outputOf(const Simulation& s)
    {
        return dynamic_cast<StoredTopology&>(*bodyOf(s).child("mapped")->component("out"));
    }
    static TopologicalMapping& mappingOf(const Simulation& s)
    {
        return dynamic_cast<TopologicalMapping&>(*bodyOf(s).child("mapped")->component("map"));
    }
    static StoredTopology::List* outputList(const Simulation& s) { return outputOf(s).list(mappingOf(s).outputType()); }

    /// Whether the numbers of both sides are those of each other.
    static std::string faultOfNumbers(const TopologicalMapping& m)
    {
        const auto& to = dynamic_cast<const StoredTopology&>(*m.output());
        const auto& from = dynamic_cast<const StoredTopology&>(*m.input());
        const StoredTopology::List* list = to.list(m.outputType());
        const auto& global = m.localToGlobal();
        if (!list && global.empty()) return {};  // points of several origins
        if (global.size() != (list ? list->size() : to.nbPoints()))
            return "localToGlobal has another size than the output";
        const StoredTopology::List* source = from.list(m.sourceType());
        std::vector<Vector<Index>> outputs(source ? source->size() : 0);
        for (Index o = 0; o < global.size(); ++o) {
            if (global[o] >= outputs.size()) return "localToGlobal of " + std::to_string(o) + " is no element";
            outputs[global[o]].push_back(o);
        }
        for (Index e = 0; e < outputs.size(); ++e) {
            if (m.outputElements(e) != outputs[e]) return "outputElements of " + std::to_string(e) + " are others";
            if (m.globalToLocal(e) != (outputs[e].empty() ? InvalidIndex : outputs[e].back()))
                return "globalToLocal of " + std::to_string(e) + " is another";
        }
        return {};
    }

    /// The elements of the output for each one of the input that they come from, which is given by its points: their
    /// order tells nothing. Of faces, the sides around all parts of one, with their direction: on which diagonal it is
    /// divided depends on its first point.
    using Described = std::map<Vector<Index>, std::multiset<Vector<Index>>>;
    static Described described(const Simulation& s)
    {
        Described all;
        const TopologicalMapping& m = mappingOf(s);
        const StoredTopology::List* list = outputList(s);
        const StoredTopology::List* source = inputOf(s).list(m.sourceType());
        for (Index o = 0; list && o < list->size(); ++o) {
            const auto e = list->element(o), from = source->element(m.localToGlobal()[o]);
            Vector<Index> whole(from.begin(), from.end());
            std::ranges::sort(whole);
            std::multiset<Vector<Index>>& parts = all[whole];
            if (m.outputType() != ElementType::Triangles && m.outputType() != ElementType::Quads) {
                parts.insert(Vector<Index>(e.begin(), e.end()));
                continue;
            }
            for (std::size_t k = 0; k < e.size(); ++k) {
                const Index a = e[k], b = e[(k + 1) % e.size()];
                if (const auto opposite = parts.find({b, a}); opposite != parts.end())
                    parts.erase(opposite);
                else
                    parts.insert(Vector<Index>{a, b});
            }
        }
        return all;
    }

    static std::string madeOf(const MappedPoint& p)
    {
        std::string all = toText(p.offset);
        for (const Ancestor& a : p.from) all += ", " + toText(a.weight) + " of " + std::to_string(a.index);
        return all;
    }
    static std::string difference(const Simulation& run, const Simulation& fresh)
    {
        if (described(run) != described(fresh)) return "elements are not those of a new mapping";
        const StoredTopology &a = outputOf(run), &b = outputOf(fresh);
        if (a.nbPoints() != b.nbPoints())
            return std::to_string(a.nbPoints()) + " points, a new mapping has " + std::to_string(b.nbPoints());
        if (!mappingOf(run).makesPoints()) return {};
        const auto &p = mappingOf(run).mappedPoints(), &q = mappingOf(fresh).mappedPoints();
        if (p.size() != a.nbPoints() || q.size() != p.size()) return "mappedPoints has another size";
        for (Index i = 0; i < a.nbPoints(); ++i) {
            const auto isSame = [](const Ancestor& x, const Ancestor& y) {
                return x.index == y.index && x.weight == y.weight;
            };
            if (p[i].offset != q[i].offset || !std::ranges::equal(p[i].from, q[i].from, isSame))
                return "point " + std::to_string(i) +
                       " is made of other points than in a new mapping: " + madeOf(p[i]) + " instead of " +
                       madeOf(q[i]);
            if (a.hasPositions() && norm(a.pointPosition(i) - b.pointPosition(i)) > 1e-12)
                return "point " + std::to_string(i) + " is not where a new mapping has it";
        }
        const auto* made = dynamic_cast<const BaseState*>(bodyOf(run).child("mapped")->component("made"));
        if (made->size() != a.nbPoints()) return "the state has another number of points";
        return {};
    }

    std::string m_type, m_kind, m_container, m_outContainer, m_state;
    Lists m_lists, m_outLists, m_mapping;
    std::set<std::string> m_given;
    std::unique_ptr<Simulation> m_run;
};

/// Changes of a mesh, by what they do.
struct Change
{
    const char* name;
    std::function<void(Scene&, TopologyTransaction&, std::mt19937&)> make;
};

Index below(std::mt19937& random, std::size_t n) { return static_cast<Index>(random() % n); }

void removeSome(Scene& s, TopologyTransaction& t, std::mt19937& random, std::size_t count)
{
    std::set<Index> which;
    while (which.size() < std::min(count, s.elements() - 1)) which.insert(below(random, s.elements()));
    t.remove(s.element, {which.begin(), which.end()});
}

void remake(Scene& s, TopologyTransaction& t, std::mt19937& random)
{
    const Index which = below(random, s.elements());
    t.add(s.element, s.vertices(which), {{{which, 1.}}});
    t.remove(s.element, {which});
}

/// A new point in the middle of an element, from which others to its sides (simplices), or in the middle of its first
/// edge (others, which stay).
void split(Scene& s, TopologyTransaction& t, std::mt19937& random)
{
    const Index which = below(random, s.elements());
    const Vector<Index> v = s.vertices(which);
    const bool isSimplex =
        s.element == ElementType::Edges || s.element == ElementType::Triangles || s.element == ElementType::Tetrahedra;
    Ancestors from;
    for (const Index i : v) from.push_back({i, 1. / static_cast<double>(v.size())});
    if (!isSimplex) from = {{v[0], 0.5}, {v[1], 0.5}};
    const Index p = t.addPoints({from});
    if (!isSimplex) return;
    Vector<Index> vertices;
    for (std::size_t k = 0; k < v.size(); ++k) {
        Vector<Index> part = v;
        part[k] = p;
        vertices.insert(vertices.end(), part.begin(), part.end());
    }
    t.add(s.element, vertices, Vector<Ancestors>(v.size(), Ancestors{{which, 1.}}));
    t.remove(s.element, {which});
}

/// A point that no element has (of Bézier elements, a control point) goes; if there is none, one comes before.
void removePoint(Scene& s, TopologyTransaction& t, std::mt19937& random)
{
    Vector<Index> free;
    for (Index p = 0; p < s.input().nbPoints(); ++p)
        if (s.input().list(s.element)->around(p).empty()) free.push_back(p);
    const Vector<Index> v = s.vertices(below(random, s.elements()));
    if (free.empty()) free.push_back(t.addPoints({{{v[0], 0.5}, {v[1], 0.5}}}));
    t.removePoints({free[below(random, free.size())]});
}

void renumber(Scene& s, TopologyTransaction& t, std::mt19937& random)
{
    Vector<Index> now(s.input().nbPoints());
    std::iota(now.begin(), now.end(), Index(0));
    std::ranges::shuffle(now, random);
    t.renumberPoints(now);
}

void move(Scene& s, TopologyTransaction& t, std::mt19937& random)
{
    const Vector<Index> v = s.vertices(below(random, s.elements()));
    t.movePoints({v[0]}, {{{v[0], 0.9}, {v[1], 0.1}}});
}

const std::vector<Change> changes{
    {"an element removed", [](Scene& s, TopologyTransaction& t, std::mt19937& r) { removeSome(s, t, r, 1); }},
    {"elements removed", [](Scene& s, TopologyTransaction& t, std::mt19937& r) { removeSome(s, t, r, 3); }},
    {"an element made anew", remake},
    {"a point added", split},
    {"a point removed", removePoint},
    {"points renumbered", renumber},
    {"a point moved", move},
    {"all in one", [](Scene& s, TopologyTransaction& t, std::mt19937& r) {
         split(s, t, r);
         removeSome(s, t, r, 2);
         renumber(s, t, r);
         remake(s, t, r);
         move(s, t, r);
     }}};

}  // namespace

TEST_CASE("Topological mappings: after each kind of change the output is that of a new mapping, or it is refused")
{
    // What cannot be done, and why not.
    const std::map<std::string, std::set<std::string>> refusing{
        // Control points of edges do not follow changes of elements, and rest shapes of elements are straight.
        {"BezierSurfaceTopologicalMapping",
         {"an element removed", "elements removed", "an element made anew", "a point added", "a point moved",
          "all in one"}}};
    std::map<std::string, std::set<std::string>> refused;
    std::string findings;
    const auto all = Registry::instance().derivedFrom("TopologicalMapping");
    for (const std::string& type : all) {
        Scene s(type);
        if (const std::string f = s.fault(); !f.empty()) {
            findings += "\n  " + type + " at the beginning: " + f;
            continue;
        }
        std::mt19937 random(7);
        for (int round = 0; round < 3; ++round)
            for (const Change& change : changes) {
                if (s.elements() < 3) break;
                const std::string before = s.everything();
                std::string why;
                try {
                    const MessageCapture silence;
                    TopologyTransaction t(s.input());
                    change.make(s, t, random);
                    t.commit();
                } catch (const std::runtime_error& e) {
                    why = e.what();
                    refused[type].insert(change.name);
                    if (why.empty()) findings += "\n  " + type + ", " + change.name + ": refused without a reason";
                    if (s.everything() != before)
                        findings += "\n  " + type + ", " + change.name + ": refused, but something has changed";
                }
                if (const std::string f = s.fault(); !f.empty()) {
                    findings += "\n  " + type + ", " + change.name + (why.empty() ? "" : " (refused)") + ", round " +
                                std::to_string(round) + ": " + f;
                    round = 3;
                    break;
                }
            }
    }
    INFO(findings);
    CHECK(findings.empty());
    std::string those;
    for (const auto& [type, kinds] : refused)
        for (const std::string& kind : kinds) those += "\n  " + type + ": " + kind;
    INFO("refused:" << those);
    CHECK(refused == refusing);
    CHECK(all.size() >= 14);
}

}  // namespace topological_mappings_test
