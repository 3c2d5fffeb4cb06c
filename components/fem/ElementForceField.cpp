// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/ElementForceField.h"

#include <algorithm>

#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

template <class DataTypes>
void ElementForceField<DataTypes>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!resolveOrFind(l_topology, *this)) return;
    if (!l_topology)
        return this->fail(
            "it needs a topology: put one (MeshTopology, RegularGridTopology, TetrahedronSetTopologyContainer, ...) "
            "into its node or above, or give topology=\"@path\"");
    m_parameters.reset();
    for (const ElementData& d : elementValues())
        if (d.data->parent()) (m_parameters ? *m_parameters : m_parameters.emplace()).track(*d.data);
    if (m_parameters) (void)m_parameters->changed();
    tryPrepare();
}

template <class DataTypes>
void ElementForceField<DataTypes>::reinit()
{
    if (this->isValid() && this->l_state && l_topology) tryPrepare();
}

template <class DataTypes>
void ElementForceField<DataTypes>::tryPrepare()
{
    try {
        prepare();
    } catch (const std::runtime_error& e) {
        this->fail(e);
    }
}

template <class DataTypes>
void ElementForceField<DataTypes>::tryApply()
{
    try {
        applyParameters();
    } catch (const std::runtime_error& e) {
        this->fail(e);
    }
}

template <class DataTypes>
ElementLists ElementForceField<DataTypes>::elementLists()
{
    if (!regions.d_regions.value().empty())
        return {elementNumbering(), {{&regions.d_regions, ElementData::Kind::NumberLists}}};
    if (!regions.d_materialIndices.value().empty()) return {elementNumbering(), {{&regions.d_materialIndices}}};
    return {elementNumbering(), elementValues()};
}

template <class DataTypes>
std::vector<ElementResults::Parameter> ElementForceField<DataTypes>::elementParameters()
{
    const ElementNumbering numbering = elementNumbering();
    if (!numbering.topology) return {};
    Index count = 0;
    for (const ElementType type : numbering.kinds)
        count += static_cast<Index>(elementCount(*numbering.topology, type)) * numbering.parts;
    std::vector<ElementResults::Parameter> out;
    for (const ElementData& d : elementValues()) {
        const auto* list = dynamic_cast<const Data<Vector<double>>*>(d.data);
        if (!list || list->value().empty()) continue;
        const Vector<double>& given = list->value();
        Vector<double> values;
        values.reserve(static_cast<std::size_t>(count) * d.width);
        for (Index e = 0; e < count; ++e) {
            if (d.width == 1) {
                values.push_back(regions.valueOf(*list, e));
                continue;
            }
            const std::size_t own = static_cast<std::size_t>(regions.slotOf(e)) * d.width;
            const std::size_t first = own + d.width <= given.size() ? own : 0;
            for (std::size_t k = first; k < std::min<std::size_t>(first + d.width, given.size()); ++k)
                values.push_back(given[k]);
        }
        out.push_back({list->name(), std::move(values), d.width});
    }
    return out;
}

template <class DataTypes>
void ElementForceField<DataTypes>::followTopology(const TopologyChange& change)
{
    if (change.restores() || !followElements(change)) return tryPrepare();
    m_revision = topology().revision();
}

template <class DataTypes>
bool ElementForceField<DataTypes>::isUpToDate()
{
    const std::size_t now = topology().revision();
    if (now != 0 && now == m_revision) return true;
    const bool same = hasPreparedElements();
    m_revision = same ? now : 0;
    return same;
}

template <class DataTypes>
auto ElementForceField<DataTypes>::restPositions() const -> const VecCoord&
{
    const auto id = this->state().isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position;
    return this->state().read(id);
}

template <class DataTypes>
void ElementForceField<DataTypes>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    const bool changed = m_parameters && m_parameters->changed();
    if (!isUpToDate())
        tryPrepare();
    else if (changed)
        tryApply();
    // A mesh that became invalid during the simulation was reported; its old elements may not exist any more.
    if (this->isValid()) addElementForces(f, x);
}

template <class DataTypes>
void ElementForceField<DataTypes>::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    const double k = mp.stiffnessFactor(this->d_rayleighStiffness.value());
    if (k == 0. || !this->isValid()) return;
    State<DataTypes>& s = this->state();
    addElementProducts(*s.write(df.at(s)), s.read(mp.dx.at(s)), k);
}

template <class DataTypes>
BoundingBox ElementForceField<DataTypes>::boundingBox() const
{
    return this->l_state ? this->state().boundingBox() : BoundingBox();
}

template class ElementForceField<Vec1Types>;
template class ElementForceField<Vec2Types>;
template class ElementForceField<Vec3Types>;
template class ElementForceField<Rigid3Types>;

}  // namespace sofa::component
