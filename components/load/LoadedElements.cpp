// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/LoadedElements.h"

#include <algorithm>

#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Vec3;

template <std::size_t N>
void LoadedElements<N>::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
}

template <std::size_t N>
void LoadedElements<N>::bwdInit()
{
    if (!isValid()) return;
    choose();
    if (isValid()) update();
}

template <std::size_t N>
void LoadedElements<N>::reinit()
{
    update();
}

template <std::size_t N>
core::ElementLists LoadedElements<N>::elementLists()
{
    return {{l_topology.get(), {kind}}, {{&d_list, core::ElementData::Kind::Members}}};
}

template <std::size_t N>
const core::Vector<std::array<Index, N>>& LoadedElements<N>::meshElements() const
{
    if constexpr (N == 2)
        return l_topology->edges();
    else if constexpr (N == 3)
        return l_topology->triangles();
    else
        return l_topology->quads();
}

template <std::size_t N>
const core::Vec3Types::VecCoord& LoadedElements<N>::restPoints() const
{
    const core::State<core::Vec3Types>& s = state();
    return s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
}

template <std::size_t N>
void LoadedElements<N>::choose()
{
    if (d_dmin.value() == d_dmax.value() || !d_list.value().empty()) return;
    const VecCoord& rest = restPoints();
    const auto between = [&](Index v) {
        if (v >= rest.size()) return false;
        const double d = dot(rest[v], planeNormal());
        return d > d_dmin.value() && d < d_dmax.value();
    };
    const auto list = d_list.edit();
    const auto& elements = meshElements();
    for (Index i = 0; i < elements.size(); ++i)
        if (std::all_of(elements[i].begin(), elements[i].end(), between)) list->push_back(i);
    if (list.empty()) msgWarning() << "no " << core::elementTypeName(kind) << " lies between the planes dmin and dmax";
}

template <std::size_t N>
void LoadedElements<N>::update()
{
    m_elements.clear();
    m_sizes.clear();
    const VecCoord& rest = restPoints();
    const auto& elements = meshElements();
    const std::string name = core::elementTypeName(kind);
    for (const Index i : d_list.value()) {
        if (i >= elements.size())
            return fail(d_list.name() + ": there is no " + name + ' ' + std::to_string(i) + ", only " +
                        std::to_string(elements.size()));
        const Element& e = elements[i];
        if (*std::max_element(e.begin(), e.end()) >= rest.size())
            return fail(name + ' ' + std::to_string(i) + " has a vertex beyond the " + std::to_string(rest.size()) +
                        " points of '" + state().pathName() + "'");
        const Vec3 &a = rest[e[0]], &b = rest[e[1]];
        double size = 0.;
        if constexpr (N == 2) size = norm(b - a);
        for (std::size_t k = 2; k < N; ++k) size += 0.5 * norm(cross(rest[e[k - 1]] - a, rest[e[k]] - a));
        m_elements.push_back(e);
        m_sizes.push_back(size);
    }
}

template <std::size_t N>
void LoadedElements<N>::draw(core::DrawTool& tool)
{
    if (!d_showForces.value() || !l_state) return;
    const VecCoord& x = state().positions();
    auto ends = tool.scratch<Vec3>();
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const Element& e = m_elements[i];
        if (*std::max_element(e.begin(), e.end()) >= x.size()) continue;
        const Vec3 force = cornerForce(i, x) * arrowScale();
        for (const Index v : e) {
            ends.push_back(x[v]);
            ends.push_back(x[v] + force);
        }
    }
    const core::Color green(0.f, 1.f, 0.f);
    core::drawElements(tool, kind, m_elements, x,
                       {.gap = 0., .faceColors = {&green, 1}, .elementColors = {}, .pointColors = {}, .lit = false});
    tool.lines(ends, core::plainStyle(core::Color(1.f, 0.f, 0.f)));
}

template class LoadedElements<2>;
template class LoadedElements<3>;
template class LoadedElements<4>;

}  // namespace sofa::component
