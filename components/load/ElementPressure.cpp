// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ElementPressure.h"

#include <algorithm>

#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

template <std::size_t N>
void ElementPressure<N>::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
}

template <std::size_t N>
void ElementPressure<N>::bwdInit()
{
    if (!isValid()) return;
    choose();
    if (isValid()) update();
}

template <std::size_t N>
void ElementPressure<N>::reinit()
{
    update();
}

template <std::size_t N>
core::ElementLists ElementPressure<N>::elementLists()
{
    return {{l_topology.get(), {kind}}, {{&d_list, core::ElementData::Kind::Members}}};
}

template <std::size_t N>
const core::Vector<std::array<Index, N>>& ElementPressure<N>::meshElements() const
{
    if constexpr (N == 2)
        return l_topology->edges();
    else if constexpr (N == 3)
        return l_topology->triangles();
    else
        return l_topology->quads();
}

template <std::size_t N>
const core::Vec3Types::VecCoord& ElementPressure<N>::restPoints() const
{
    const core::State<core::Vec3Types>& s = state();
    return s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
}

template <std::size_t N>
void ElementPressure<N>::choose()
{
    if (d_dmin.value() == d_dmax.value() || !d_list.value().empty()) return;
    const VecCoord& rest = restPoints();
    const auto between = [&](Index v) {
        if (v >= rest.size()) return false;
        const double d = dot(rest[v], d_normal.value());
        return d > d_dmin.value() && d < d_dmax.value();
    };
    const auto list = d_list.edit();
    const auto& elements = meshElements();
    for (Index i = 0; i < elements.size(); ++i)
        if (std::all_of(elements[i].begin(), elements[i].end(), between)) list->push_back(i);
    if (list.empty())
        msgWarning() << "no " << core::elementTypeName(kind)
                     << " lies between the planes dmin and dmax along the normal";
}

template <std::size_t N>
void ElementPressure<N>::update()
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
Vec3 ElementPressure<N>::cornerForce(std::size_t i, const VecCoord&) const
{
    return d_pressure.value() * m_sizes[i] / static_cast<double>(N);
}

template <std::size_t N>
void ElementPressure<N>::draw(core::DrawTool& tool)
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

template <std::size_t N>
void ElementPressure<N>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const Vec3 force = cornerForce(i, x);
        for (const Index v : m_elements[i]) f[v] += force;
    }
}

template <std::size_t N>
double ElementPressure<N>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (std::size_t i = 0; i < m_elements.size(); ++i)
        for (const Index v : m_elements[i]) energy -= dot(ElementPressure::cornerForce(i, x), x[v]);
    return energy;
}

template class ElementPressure<2>;
template class ElementPressure<3>;
template class ElementPressure<4>;

}  // namespace sofa::component
