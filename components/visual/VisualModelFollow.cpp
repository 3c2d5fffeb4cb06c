// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// How visual models follow meshes and points that change.
#include <algorithm>

#include "components/visual/VisualModelImpl.h"
#include "core/mesh/SubElements.h"
#include "core/topology/PointsBehind.h"

namespace sofa::component {

namespace {

/// Whether a list follows one of a mesh by itself.
bool isOfMesh(const BaseData& list)
{
    const auto of = pointsBehind(list);
    return of && of->topology;
}

/// Removes the elements with vertices that are gone, and renumbers the others, in the order that they have. Returns how
/// many are left of the first 0, 1, ... elements; nothing where all stay.
template <class T>
Vector<int> keepElements(Data<Vector<T>>& list, const Vector<Index>& now)
{
    if (list.value().empty() || isOfMesh(list)) return {};
    Vector<int> left{0};
    Vector<T> elements;
    for (T e : list.value()) {
        for (Index& v : e) v = v < now.size() ? now[v] : InvalidIndex;
        if (std::ranges::find(e, InvalidIndex) == e.end()) elements.push_back(e);
        left.push_back(static_cast<int>(elements.size()));
    }
    list.unlink();
    list.setValue(std::move(elements));
    return left;
}

/// The entries of a list that has one for each vertex, without those that are gone.
template <class T>
void keepEntries(Data<Vector<T>>& list, const Vector<Index>& now)
{
    if (list.value().size() != now.size()) return;
    Vector<T> entries;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] != InvalidIndex) entries.push_back(list.value()[i]);
    list.unlink();
    list.setValue(std::move(entries));
}

}  // namespace

bool VisualModelImpl::hasOwnFaces() const { return !m_useTopology || !d_handleDynamicTopology.value(); }

ElementNumbering VisualModelImpl::numberingOfPoints() const
{
    return pointsBehind(d_position).value_or(pointsOf(*this));
}

TopologyFollower::PointLists VisualModelImpl::pointLists()
{
    const bool split = !d_vertPosIdx.value().empty();
    if (!hasOwnFaces()) {
        if (split) return std::nullopt;
        return {{{pointsOf(*this), {{&d_texcoords}}}}};
    }
    constexpr auto kept = ElementData::Kind::Kept;
    std::vector<ElementData> lists{{&d_groups, kept}, {&d_tangents, kept}, {&d_bitangents, kept}};
    for (BaseData* d : std::initializer_list<BaseData*>{&d_edges, &d_triangles, &d_quads})
        if (!isOfMesh(*d)) lists.emplace_back(d, kept);
    if (split)
        for (BaseData* d :
             std::initializer_list<BaseData*>{&d_vertPosIdx, &d_vertNormIdx, &d_vertices, &d_texcoords, &d_normal})
            lists.emplace_back(d, kept);
    else
        lists.emplace_back(&d_texcoords);
    return {{{numberingOfPoints(), std::move(lists)}}};
}

void VisualModelImpl::followTopology(const TopologyChange& change)
{
    if (hasOwnFaces()) {
        const auto source = change.source(numberingOfPoints());
        if (!source.same) setSize(static_cast<Index>(d_position.value().size()));
        if (!source.same && !change.restores()) keepFaces(source);
    } else {
        copyTopology();
        const Index needed = std::max(vertexCount(d_triangles.value()), vertexCount(d_quads.value()));
        if (needed > d_position.value().size() && !change.restores())
            throw std::runtime_error("'" + pathName() + "' (" + className() + "): the faces of '" +
                                     l_topology->pathName() + "' would have points that it does not have");
    }
}

/// Keeps those of the model's own faces whose points are still there.
void VisualModelImpl::keepFaces(const ElementSource& points)
{
    Vector<Index> now = points.inverse();
    if (!d_vertPosIdx.value().empty()) {
        Vector<Index> vertices, positions;  // new number of each vertex; position of those that stay
        for (const Index p : d_vertPosIdx.value()) {
            const bool stays = p < now.size() && now[p] != InvalidIndex;
            vertices.push_back(stays ? static_cast<Index>(positions.size()) : InvalidIndex);
            if (stays) positions.push_back(now[p]);
        }
        keepEntries(d_vertNormIdx, vertices);
        keepEntries(d_texcoords, vertices);
        keepEntries(d_vertices, vertices);
        keepEntries(d_normal, vertices);
        d_vertPosIdx.unlink();
        d_vertPosIdx.setValue(std::move(positions));
        now = std::move(vertices);
    }
    const Vector<int> edges = keepElements(d_edges, now), triangles = keepElements(d_triangles, now),
                      quads = keepElements(d_quads, now);
    const auto keepRange = [](const Vector<int>& left, int& first, int& count) {
        if (left.empty()) return;
        const auto at = [&left](int i) {
            return left[static_cast<std::size_t>(std::clamp(i, 0, int(left.size()) - 1))];
        };
        count = at(first + count) - at(first);
        first = at(first);
    };
    if (!d_groups.value().empty())
        for (FaceGroup& g : d_groups.edit()) {
            keepRange(edges, g.firstEdge, g.edgeCount);
            keepRange(triangles, g.firstTriangle, g.triangleCount);
            keepRange(quads, g.firstQuad, g.quadCount);
        }
    if (!d_tangents.value().empty()) {  // made anew, for those that are not updated too
        d_tangents.setValue({});
        d_bitangents.setValue({});
    }
}

}  // namespace sofa::component
