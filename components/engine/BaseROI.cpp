// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/BaseROI.h"

#include <algorithm>

#include "components/engine/MeshInputs.h"
#include "core/mesh/SubElements.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

/// Elements inside and outside, as they are and by index.
template <class D>
template <std::size_t N>
struct BaseROI<D>::Selection
{
    Vector<Index> in, out;
    Vector<std::array<Index, N>> elementsIn, elementsOut;
};

template <class D>
bool BaseROI<D>::canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
{
    if (!node || desc.find("position")) return true;
    const BaseState* s = defaultState(*node);
    if (!s && node->get<MeshLoader>(Search::Local) && !std::is_same_v<D, Vec3Types>) {
        why = "a mesh loader gives positions of type Vec3, not " + std::string(D::name());
        return false;
    }
    if (!s || dynamic_cast<const State<D>*>(s)) return true;
    why = "the state '" + s->pathName() + "' is of type " + s->templateName() + ", not " + std::string(D::name());
    return false;
}

template <class D>
void BaseROI<D>::findInputs()
{
    followByDefault(d_position, defaultPositions(*node(), "rest_position"));
    auto* topology = node()->template get<BaseMeshTopology>(Search::Local);
    if (!topology) return;
    const std::pair<BaseData*, const Data<bool>*> lists[] = {{&d_edges, &d_computeEdges},
                                                             {&d_triangles, &d_computeTriangles},
                                                             {&d_quads, &d_computeQuads},
                                                             {&d_tetrahedra, &d_computeTetrahedra},
                                                             {&d_hexahedra, &d_computeHexahedra}};
    for (const auto& [list, wanted] : lists)
        if (wanted->value()) followByDefault(*list, topology->findData(list->name()));
}

template <class D>
void BaseROI<D>::init()
{
    Engine::init();
    if (!d_position.isSet() && d_position.linkPath().empty())
        return this->fail("there is no state or mesh loader to take positions from; give the attribute 'position'");
    m_selected = false;
    this->setDirty();
    this->run();
    if (!this->isValid()) return;
    const std::size_t n = d_position.value().size();
    if (n == 0)
        this->msgWarning() << "there are no positions to select from";
    else if (d_indices.value().empty() && d_edgeIndices.value().empty() && d_triangleIndices.value().empty() &&
             d_quadIndices.value().empty() && d_tetrahedronIndices.value().empty() &&
             d_hexahedronIndices.value().empty())
        this->msgWarning() << "the selection is empty: none of " << n << " points lies in " << describeRegion();
}

template <class D>
template <std::size_t N>
bool BaseROI<D>::elementInside(const std::array<Index, N>& e, const Vector<bool>& inside) const
{
    if (std::any_of(e.begin(), e.end(), [&](Index i) { return i >= inside.size(); })) return false;
    std::array<Vec3, N> x;
    Vec3 mean;
    for (std::size_t i = 0; i < N; ++i) mean += x[i] = D::position(d_position.value()[e[i]]);
    const bool all = std::all_of(e.begin(), e.end(), [&](Index i) { return inside[i]; });
    const bool in = d_strict.value() ? all : contains(mean / static_cast<double>(N));
    return in && accepts(x);
}

template <class D>
template <std::size_t N>
auto BaseROI<D>::select(bool wanted, const Vector<std::array<Index, N>>& elements, const Vector<bool>& inside) const
    -> Selection<N>
{
    Selection<N> s;
    if (!wanted) return s;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const bool in = elementInside(elements[i], inside);
        (in ? s.in : s.out).push_back(static_cast<Index>(i));
        (in ? s.elementsIn : s.elementsOut).push_back(elements[i]);
    }
    return s;
}

template <class D>
void BaseROI<D>::doUpdate()
{
    if (m_selected && !d_doUpdate.value()) {
        // The outputs keep their values; writing them marks them as up to date.
        return;
    }
    const VecCoord& x = d_position.value();
    const bool region = prepareRegion();
    m_selected = !x.empty();
    Vector<bool> inside(x.size(), false);
    Vector<Index> in, out;
    VecCoord pointsIn, pointsOut;
    for (std::size_t i = 0; i < x.size() && region; ++i) {
        inside[i] = contains(D::position(x[i]));
        (inside[i] ? in : out).push_back(static_cast<Index>(i));
        (inside[i] ? pointsIn : pointsOut).push_back(x[i]);
    }
    auto edges = select(region && d_computeEdges.value(), d_edges.value(), inside);
    auto triangles = select(region && d_computeTriangles.value(), d_triangles.value(), inside);
    auto quads = select(region && d_computeQuads.value(), d_quads.value(), inside);
    auto tetrahedra = select(region && d_computeTetrahedra.value(), d_tetrahedra.value(), inside);
    auto hexahedra = select(region && d_computeHexahedra.value(), d_hexahedra.value(), inside);

    d_nbIndices.setValue(static_cast<Index>(in.size()));
    d_indices.setValue(std::move(in));
    d_indicesOut.setValue(std::move(out));
    d_pointsInROI.setValue(std::move(pointsIn));
    d_pointsOutROI.setValue(std::move(pointsOut));
    d_edgeIndices.setValue(std::move(edges.in));
    d_edgeOutIndices.setValue(std::move(edges.out));
    d_edgesInROI.setValue(std::move(edges.elementsIn));
    d_edgesOutROI.setValue(std::move(edges.elementsOut));
    d_triangleIndices.setValue(std::move(triangles.in));
    d_triangleOutIndices.setValue(std::move(triangles.out));
    d_trianglesInROI.setValue(std::move(triangles.elementsIn));
    d_trianglesOutROI.setValue(std::move(triangles.elementsOut));
    d_quadIndices.setValue(std::move(quads.in));
    d_quadsInROI.setValue(std::move(quads.elementsIn));
    d_tetrahedronIndices.setValue(std::move(tetrahedra.in));
    d_tetrahedronOutIndices.setValue(std::move(tetrahedra.out));
    d_tetrahedraInROI.setValue(std::move(tetrahedra.elementsIn));
    d_tetrahedraOutROI.setValue(std::move(tetrahedra.elementsOut));
    d_hexahedronIndices.setValue(std::move(hexahedra.in));
    d_hexahedraInROI.setValue(std::move(hexahedra.elementsIn));
}

template <class D>
void BaseROI<D>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels)) return;
    const Color color(1.f, 0.4f, 0.4f);
    const auto size = std::max(d_drawSize.value(), 1.f);
    if (d_drawROI.value()) drawRegion(tool);
    const auto positionsOf = [&tool](const VecCoord& list) {
        auto out = tool.scratch<Vec3>();
        for (const Coord& x : list) out.push_back(D::position(x));
        return out;
    };
    if (d_drawPoints.value()) tool.points(positionsOf(d_pointsInROI.value()), plainStyle(color, size));
    if (!d_drawEdges.value() && !d_drawTriangles.value() && !d_drawQuads.value() && !d_drawTetrahedra.value() &&
        !d_drawHexahedra.value())
        return;
    const auto x = positionsOf(d_position.value());
    if (d_drawEdges.value()) drawEdges(tool, d_edgesInROI.value(), x, color, size);
    if (d_drawTriangles.value()) {
        ElementDrawing how;
        how.gap = 0.;
        how.faceColors = {&color, 1};
        how.lit = false;
        drawElements(tool, ElementType::Triangles, d_trianglesInROI.value(), x, how);
    }
    if (d_drawQuads.value())
        drawElementEdges(tool, ElementType::Quads, d_quadsInROI.value(), x, plainStyle(color, size));
    if (d_drawTetrahedra.value())
        drawElementEdges(tool, ElementType::Tetrahedra, d_tetrahedraInROI.value(), x, plainStyle(color, size));
    if (d_drawHexahedra.value())
        drawElementEdges(tool, ElementType::Hexahedra, d_hexahedraInROI.value(), x, plainStyle(color, size));
}

template class BaseROI<Vec1Types>;
template class BaseROI<Vec2Types>;
template class BaseROI<Vec3Types>;
template class BaseROI<Vec6Types>;
template class BaseROI<Rigid3Types>;

}  // namespace sofa::component
