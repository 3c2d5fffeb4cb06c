// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PartMappings.h"

#include <algorithm>
#include <map>

#include "core/factory/Registry.h"

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
    f(self.m_edges, ElementType::Edges, "edges", self.d_edgeS2D, self.d_edgeD2S);
    f(self.m_triangles, ElementType::Triangles, "triangles", self.d_triangleS2D, self.d_triangleD2S);
    f(self.m_quads, ElementType::Quads, "quads", self.d_quadS2D, self.d_quadD2S);
    f(self.m_tetrahedra, ElementType::Tetrahedra, "tetrahedra", self.d_tetrahedronS2D, self.d_tetrahedronD2S);
    f(self.m_hexahedra, ElementType::Hexahedra, "hexahedra", self.d_hexahedronS2D, self.d_hexahedronD2S);
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
    Vector<Index> source;
    if (d_samePoints.value()) {
        d_pointD2S.setValue({});
        d_pointS2D.setValue({});
        return;
    }
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
    for (const Index i : source) m_points.push_back({{{i, 1.}}, {}});
    d_pointS2D.setValue(inverted(source, input.nbPoints()));
    d_pointD2S.setValue(std::move(source));
}

Index SubsetTopologicalMapping::preparePoints(const BaseMeshTopology& input, StoredTopology& output)
{
    const Index points = d_samePoints.value() ? input.nbPoints() : output.nbPoints();
    if (m_noted) return points;
    m_points.clear();
    findPoints(input, output);
    forEachPart(*this, [&]<class T>(Part<T>& part, ElementType type, const char* name, auto&, auto&) {
        part = {};
        const auto* list = output.list<T>(name);
        // What follows from other lists of the output goes on doing so.
        if (!list || !(list->isSet() || list->parent())) return;
        part.given = elementsOf<T>(output, type);
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
            part.source.push_back(initialIndex(input, type, it->second));
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
        if (part.given.empty()) return;
        if (!handles(type)) return output.setElements(name, part.given);
        const auto& from = elementsOf<T>(input, type);
        std::map<Index, Index> now;  // by the numbers of the beginning
        for (Index i = 0; i < from.size(); ++i) now[initialIndex(input, type, i)] = i;
        Vector<T> elements;
        Vector<Index> sources;
        for (std::size_t k = 0; k < part.source.size(); ++k) {
            const auto it = now.find(part.source[k]);
            if (it == now.end()) continue;
            T e = part.given[k];
            if (m_points.empty())
                for (std::size_t v = 0; v < e.size(); ++v) e[v] = from[it->second][part.places[k][v]];
            elements.push_back(e);
            sources.push_back(it->second);
            if (type == highest) addElement(it->second);
        }
        output.setElements(name, std::move(elements));
        s2d.setValue(inverted(sources, from.size()));
        d2s.setValue(std::move(sources));
    });
    // Handled lists that follow from others.
    forEachPart(*this, [&]<class T>(Part<T>& part, ElementType type, const char* name, auto& s2d, auto& d2s) {
        if (!part.given.empty() || !handles(type) || !output.list<T>(name)) return;
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
    const BaseMeshTopology* from = input();
    if (step.kind == TopologyStep::Kind::Move || std::ranges::find(step.topologies, from) == step.topologies.end())
        return {};
    std::string why;
    forEachPart(*this, [&]<class T>(const Part<T>& part, ElementType type, const char* name, auto&, auto&) {
        if (part.given.empty() || !why.empty()) return;
        if (step.type == ElementType::Points && !handles(type))
            why = std::string(name) + " of its output do not follow";
        else if (handles(type) && step.topology != from && step.type != ElementType::Points)
            why = "its input is made by another mapping, and it cannot tell which " + std::string(name) + " go";
        else if (handles(type) && step.type == type && step.kind == TopologyStep::Kind::Add)
            why = "new " + std::string(name) + " belong to no part";
    });
    if (step.type == ElementType::Points && !d_samePoints.value())
        why = "the points of its output do not follow those of '" + from->pathName() + "'";
    return why;
}

namespace {

constexpr const char* module = "Sofa.Component.Topology.Mapping";

const RegisterComponent identity = RegisterComponent("IdentityTopologicalMapping", "TopologicalMapping", module)
                                       .help("All elements of a mesh")
                                       .example("component/topology/IdentityTopologicalMapping.scn")
                                       .add<IdentityTopologicalMapping>();
const RegisterComponent subset = RegisterComponent("SubsetTopologicalMapping", "TopologicalMapping", module)
                                     .help("A part of a mesh, which the output gives")
                                     .example("component/topology/SubsetTopologicalMapping.scn")
                                     .add<SubsetTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
