// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PartMappings.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/factory/Registry.h"
#include "core/mesh/Renumbering.h"

namespace sofa::component {

namespace {

template <class T>
const Vector<T>& elementsOf(const BaseMeshTopology& t, ElementType type)
{
    if constexpr (std::is_same_v<T, Edge>)
        return t.edges();
    else if constexpr (std::is_same_v<T, Triangle>)
        return t.triangles();
    else if constexpr (std::is_same_v<T, Quad>)
        return type == ElementType::Quads ? t.quads() : t.tetrahedra();
    else if constexpr (std::is_same_v<T, Hexahedron>)
        return t.hexahedra();
    else if constexpr (std::is_same_v<T, Prism>)
        return t.prisms();
    else
        return t.pyramids();
}

/// Numbers of elements by their vertices.
template <class T>
std::map<T, Index> numbered(const Vector<T>& elements)
{
    std::map<T, Index> numbers;
    for (Index i = 0; i < elements.size(); ++i) numbers[sortedVertices(elements[i])] = i;
    return numbers;
}

Vector<Index> inverted(const Vector<Index>& numbers, std::size_t count)
{
    Vector<Index> inverse(count, InvalidIndex);
    for (Index i = 0; i < numbers.size(); ++i) inverse[numbers[i]] = i;
    return inverse;
}

}  // namespace

// --- IdentityTopologicalMapping -------------------------------------------------------------------------------------

ElementType IdentityTopologicalMapping::inputType() const
{
    return input() ? input()->topologyType() : ElementType::Points;
}

void IdentityTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const ElementType highest = input.topologyType();
    const auto copy = [&]<class T>(ElementType type, const char* name, const T*) {
        const Vector<T>& elements = elementsOf<T>(input, type);
        if (type == highest)
            for (Index i = 0; i < elements.size(); ++i) addElement(i);
        if (elements.empty() || (type != highest && !output.list<T>(name))) return;
        output.setElements(name, elements);
    };
    copy(ElementType::Edges, "edges", static_cast<const Edge*>(nullptr));
    copy(ElementType::Triangles, "triangles", static_cast<const Triangle*>(nullptr));
    copy(ElementType::Quads, "quads", static_cast<const Quad*>(nullptr));
    copy(ElementType::Tetrahedra, "tetrahedra", static_cast<const Tetrahedron*>(nullptr));
    copy(ElementType::Pyramids, "pyramids", static_cast<const Pyramid*>(nullptr));
    copy(ElementType::Prisms, "prisms", static_cast<const Prism*>(nullptr));
    copy(ElementType::Hexahedra, "hexahedra", static_cast<const Hexahedron*>(nullptr));
}

// --- SubsetTopologicalMapping ---------------------------------------------------------------------------------------

template <class Self, class F>
void SubsetTopologicalMapping::forEachPart(Self& self, F f)
{
    f(self.m_kept.edges, ElementType::Edges, "edges", self.d_edgeS2D, self.d_edgeD2S);
    f(self.m_kept.triangles, ElementType::Triangles, "triangles", self.d_triangleS2D, self.d_triangleD2S);
    f(self.m_kept.quads, ElementType::Quads, "quads", self.d_quadS2D, self.d_quadD2S);
    f(self.m_kept.tetrahedra, ElementType::Tetrahedra, "tetrahedra", self.d_tetrahedronS2D, self.d_tetrahedronD2S);
    f(self.m_kept.hexahedra, ElementType::Hexahedra, "hexahedra", self.d_hexahedronS2D, self.d_hexahedronD2S);
}

bool SubsetTopologicalMapping::handles(ElementType type) const
{
    switch (type) {
        case ElementType::Edges:
            return d_handleEdges.value();
        case ElementType::Triangles:
            return d_handleTriangles.value();
        case ElementType::Quads:
            return d_handleQuads.value();
        case ElementType::Tetrahedra:
            return d_handleTetrahedra.value();
        case ElementType::Hexahedra:
            return d_handleHexahedra.value();
        default:
            return false;
    }
}

void SubsetTopologicalMapping::undoInit()
{
    TopologicalMapping::undoInit();
    m_points.clear();
    m_kept = {};
    m_initial.reset();
    m_noted = false;
}

ElementType SubsetTopologicalMapping::inputType() const
{
    ElementType highest = ElementType::Points;
    for (const ElementType t : {ElementType::Edges, ElementType::Triangles, ElementType::Quads, ElementType::Tetrahedra,
                                ElementType::Hexahedra})
        if (handles(t)) highest = t;
    return highest;
}

/// The point of the input for each of the output.
void SubsetTopologicalMapping::findPoints(const BaseMeshTopology& input, const StoredTopology& output)
{
    Vector<Index>& source = m_kept.points;
    source.clear();
    if (d_samePoints.value()) return;
    const Index n = output.nbPoints();
    if (input.hasPositions() && output.hasPositions()) {
        std::map<std::array<double, 3>, Index> at;
        const auto key = [](const Vec3& x) { return std::array<double, 3>{x[0] + 0., x[1] + 0., x[2] + 0.}; };
        for (Index i = 0; i < input.nbPoints(); ++i) at[key(input.pointPosition(i))] = i;
        for (Index i = 0; i < n; ++i) {
            const auto it = at.find(key(output.pointPosition(i)));
            if (it == at.end())
                throw std::runtime_error("point " + std::to_string(i) + " of '" + output.pathName() + "' (" +
                                         toText(output.pointPosition(i)) + ") is none of '" + input.pathName() + "'");
            source.push_back(it->second);
        }
    } else if (n == input.nbPoints()) {
        for (Index i = 0; i < n; ++i) source.push_back(i);
    } else {
        throw std::runtime_error("'" + input.pathName() + "' has " + std::to_string(input.nbPoints()) +
                                 " points and '" + output.pathName() + "' " + std::to_string(n) +
                                 ": both need positions, by which they are found");
    }
}

void SubsetTopologicalMapping::notePoints(const BaseMeshTopology& input)
{
    m_points.clear();
    for (const Index i : m_kept.points) {
        if (i >= input.nbPoints())
            throw std::runtime_error("there is no point " + std::to_string(i) + " in '" + input.pathName() + "'");
        m_points.push_back({{{i, 1.}}, {}});
    }
    d_pointS2D.setValue(makesPoints() ? inverted(m_kept.points, input.nbPoints()) : Vector<Index>());
    d_pointD2S.setValue(m_kept.points);
}

template <class T>
T SubsetTopologicalMapping::elementOf(const Part<T>& part, const Vector<T>& from, std::size_t k) const
{
    if (part.source[k] >= from.size())
        throw std::runtime_error("there is no element " + std::to_string(part.source[k]) + " in '" +
                                 input()->pathName() + "', only " + std::to_string(from.size()));
    T e{};
    for (std::size_t v = 0; v < e.size(); ++v) {
        e[v] = from[part.source[k]][part.places[k][v]];
        if (makesPoints()) e[v] = d_pointS2D.value()[e[v]];
    }
    return e;
}

Index SubsetTopologicalMapping::preparePoints(const BaseMeshTopology& input, StoredTopology& output)
{
    if (m_noted) {
        notePoints(input);
        return makesPoints() ? static_cast<Index>(m_kept.points.size()) : input.nbPoints();
    }
    const Index points = makesPoints() ? output.nbPoints() : input.nbPoints();
    findPoints(input, output);
    notePoints(input);
    forEachPart(*this, [&]<class T>(Part<T>& part, ElementType type, const char* name, auto&, auto&) {
        part = {};
        const auto* list = output.list<T>(name);
        // What follows from other lists of the output goes on doing so.
        if (!list || !(list->isSet() || list->parent())) return;
        part.given = elementsOf<T>(output, type);
        part.isGiven = !part.given.empty();
        for (const T& e : part.given)
            for (const Index v : e)
                if (v >= points)
                    throw std::runtime_error(std::string(name) + " of '" + output.pathName() + "' have point " +
                                             std::to_string(v) + ", but there are only " + std::to_string(points));
        if (!handles(type)) return;
        const auto& from = elementsOf<T>(input, type);
        const auto numbers = numbered(from);
        for (Index i = 0; i < part.given.size(); ++i) {
            T e = part.given[i];
            if (!m_points.empty())
                for (Index& v : e) v = d_pointD2S.value()[v];
            const auto it = numbers.find(sortedVertices(e));
            if (it == numbers.end())
                throw std::runtime_error(std::string(elementTypeName(type)) + " " + std::to_string(i) + " of '" +
                                         output.pathName() + "' is none of '" + input.pathName() + "'");
            const T& source = from[it->second];
            T places{};
            for (std::size_t k = 0; k < e.size(); ++k)
                places[k] = static_cast<Index>(std::ranges::find(source, e[k]) - source.begin());
            part.source.push_back(it->second);
            part.places.push_back(places);
        }
    });
    m_noted = true;
    return points;
}

void SubsetTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const ElementType highest = inputType();
    forEachPart(*this, [&]<class T>(Part<T>& part, ElementType type, const char* name, auto& s2d, auto& d2s) {
        if (!part.isGiven) return;
        if (!handles(type)) return output.setElements(name, part.given);
        const auto& from = elementsOf<T>(input, type);
        Vector<T> elements;
        for (std::size_t k = 0; k < part.source.size(); ++k) {
            elements.push_back(elementOf(part, from, k));
            if (type == highest) addElement(part.source[k]);
        }
        output.setElements(name, std::move(elements));
        s2d.setValue(inverted(part.source, from.size()));
        d2s.setValue(part.source);
    });
    // Handled lists that follow from others.
    forEachPart(*this, [&]<class T>(Part<T>& part, ElementType type, const char* name, auto& s2d, auto& d2s) {
        if (part.isGiven || !handles(type) || !output.list<T>(name)) return;
        const auto numbers = numbered(elementsOf<T>(input, type));
        Vector<Index> sources;
        for (Index i = 0; const T& given : elementsOf<T>(output, type)) {
            T e = given;
            if (!m_points.empty())
                for (Index& v : e) v = d_pointD2S.value()[v];
            const auto it = numbers.find(sortedVertices(e));
            if (it == numbers.end())
                throw std::runtime_error(std::string(elementTypeName(type)) + " " + std::to_string(i) + " of '" +
                                         output.pathName() + "' is none of '" + input.pathName() + "'");
            sources.push_back(it->second);
            ++i;
        }
        s2d.setValue(inverted(sources, elementsOf<T>(input, type).size()));
        d2s.setValue(std::move(sources));
    });
}

std::string SubsetTopologicalMapping::refusal(const TopologyStep& step) const
{
    if (step.kind == TopologyStep::Kind::Move || step.type != ElementType::Points ||
        std::ranges::find(step.topologies, input()) == step.topologies.end())
        return {};
    std::string why;
    forEachPart(*this, [&]<class T>(const Part<T>& part, ElementType type, const char* name, auto&, auto&) {
        if (part.isGiven && !handles(type)) why = std::string(name) + " of its output do not follow";
    });
    return why;
}

namespace {

bool allIn(const std::set<Index>& part, const Ancestors& from)
{
    return !from.empty() && std::ranges::all_of(from, [&](const Ancestor& a) { return part.contains(a.index); });
}

}  // namespace

TopologicalMapping::MadePoints SubsetTopologicalMapping::followInput(const TopologyChange& change)
{
    const BaseMeshTopology& in = *input();
    Kept now = m_kept;
    std::set<Index> vertices;  // of elements that join, as they count now
    const auto follow = [&]<class T>(Part<T>& part, ElementType type) {
        if (!part.isGiven || !handles(type)) return;
        const ElementSource source = change.source(in, type);
        if (source.same) return;
        const Vector<Index> numbers = source.inverse();
        const Part<T> before = std::move(part);
        part = {before.given, true, {}, {}};
        std::map<Index, std::size_t> members;
        for (std::size_t k = 0; k < before.source.size(); ++k) {
            members[before.source[k]] = k;
            const Index number = numbers.at(before.source[k]);
            if (number == InvalidIndex) continue;
            part.source.push_back(number);
            part.places.push_back(before.places[k]);
        }
        const std::set<Index> all(before.source.begin(), before.source.end());
        for (const auto& [element, from] : source.ancestors) {
            if (!allIn(all, from)) continue;
            part.source.push_back(element);
            // Turned as what it was made of.
            part.places.push_back(before.places[members.at(from.front().index)]);
            const T& e = elementsOf<T>(in, type)[element];
            vertices.insert(e.begin(), e.end());
        }
    };
    follow(now.edges, ElementType::Edges);
    follow(now.triangles, ElementType::Triangles);
    follow(now.quads, ElementType::Quads);
    follow(now.tetrahedra, ElementType::Tetrahedra);
    follow(now.hexahedra, ElementType::Hexahedra);

    MadePoints made;
    if (makesPoints()) {
        const ElementSource source = change.source(in, ElementType::Points);
        const Vector<Index> numbers = source.inverse(), before = now.points, placeOf = inverted(before, source.before);
        Vector<Index> gone;
        for (Index i = static_cast<Index>(before.size()); i-- > 0;) {
            now.points[i] = numbers.at(before[i]);
            if (now.points[i] == InvalidIndex) gone.push_back(i);
        }
        made.before = identity(before.size());
        (void)removeEntries(now.points, gone);
        (void)removeEntries(made.before, gone);
        const std::set<Index> all(before.begin(), before.end());
        std::set<Index> there(now.points.begin(), now.points.end());
        const auto join = [&](Index point) {
            if (!there.insert(point).second) return;
            const Ancestors& from = source.ancestorsOf(point);
            if (allIn(all, from))
                for (const Ancestor& a : from)
                    made.from[static_cast<Index>(now.points.size())].push_back({placeOf[a.index], a.weight});
            now.points.push_back(point);
            made.before.push_back(InvalidIndex);
        };
        for (const auto& [point, from] : source.ancestors)
            if (allIn(all, from)) join(point);
        for (const Index v : vertices) join(v);
    }
    made.undo = replace(std::move(now), m_initial ? m_initial : m_kept);
    return made;
}

StoredTopology::List::Undo SubsetTopologicalMapping::replace(Kept kept, std::optional<Kept> initial)
{
    auto before = std::make_shared<std::pair<Kept, std::optional<Kept>>>(std::move(kept), std::move(initial));
    std::swap(m_kept, before->first);
    std::swap(m_initial, before->second);
    notePoints(*input());
    return [this, before] {
        std::swap(m_kept, before->first);
        std::swap(m_initial, before->second);
    };
}

StoredTopology::List::Undo SubsetTopologicalMapping::remakeInput(bool restoring)
{
    return restoring && m_initial ? replace(*m_initial, {}) : StoredTopology::List::Undo([] {});
}

void SubsetTopologicalMapping::archiveInput(Archive& a)
{
    if (!a.loading() && !m_initial) return;
    if (a.loading() && a.atEnd()) {
        if (m_initial) (void)replace(*m_initial, {});
        return;
    }
    Kept kept = m_kept;
    forEachPart(*this, [&a, &kept]<class T>(const Part<T>&, ElementType type, const char* name, auto&, auto&) {
        const auto keep = [&]<class U>(Part<U>& part) {
            a(part.source);
            a(part.places);
            if (part.source.size() != part.places.size())
                throw std::runtime_error(std::string(name) + " of a part are damaged");
            for (const U& places : part.places)
                for (const Index k : places)
                    if (k >= places.size()) throw std::runtime_error(std::string(name) + " of a part are damaged");
        };
        switch (type) {
            case ElementType::Edges:
                return keep(kept.edges);
            case ElementType::Triangles:
                return keep(kept.triangles);
            case ElementType::Quads:
                return keep(kept.quads);
            case ElementType::Tetrahedra:
                return keep(kept.tetrahedra);
            default:
                return keep(kept.hexahedra);
        }
    });
    a(kept.points);
    if (a.loading()) {
        std::optional<Kept> initial = m_initial ? m_initial : m_kept;
        m_initial = std::move(initial);
        m_kept = std::move(kept);
    }
}

namespace {

constexpr const char* partMappingsModule = "Sofa.Component.Topology.Mapping";

const RegisterComponent registeredIdentityTopologicalMapping =
    RegisterComponent("IdentityTopologicalMapping", "TopologicalMapping", partMappingsModule)
        .help("All elements of a mesh")
        .example("component/topology/IdentityTopologicalMapping.scn")
        .add<IdentityTopologicalMapping>();
const RegisterComponent registeredSubsetTopologicalMapping =
    RegisterComponent("SubsetTopologicalMapping", "TopologicalMapping", partMappingsModule)
        .help("A part of a mesh, which the output gives")
        .example("component/topology/SubsetTopologicalMapping.scn")
        .add<SubsetTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
