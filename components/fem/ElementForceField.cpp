// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/ElementForceField.h"

#include "core/objectmodel/Node.h"

namespace sofa::component {

void ElementForceField::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!l_topology) {
        std::string error;
        if (l_topology.isSet() && !l_topology.resolve(error)) return fail("topology: " + error);
        l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
    }
    if (!l_topology)
        return fail(
            "it needs a topology: put one (MeshTopology, RegularGridTopology, TetrahedronSetTopologyContainer, ...) "
            "into its node or above, or give topology=\"@path\"");
    tryPrepare();
}

void ElementForceField::reinit()
{
    if (isValid() && l_state && l_topology) tryPrepare();
}

void ElementForceField::tryPrepare()
{
    try {
        prepare();
    } catch (const std::runtime_error& e) {
        fail(e.what());
    }
}

bool ElementForceField::isUpToDate()
{
    const std::size_t now = topology().revision();
    if (now != 0 && now == m_revision) return true;
    const bool same = hasPreparedElements();
    m_revision = same ? now : 0;
    return same;
}

const ElementForceField::VecCoord& ElementForceField::restPositions() const
{
    const auto id = state().isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position;
    return state().read(id);
}

void ElementForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    if (!isUpToDate()) tryPrepare();
    // A mesh that became invalid during the simulation was reported; its old elements may not exist any more.
    if (isValid()) addElementForces(f, x);
}

void ElementForceField::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value());
    if (k == 0. || !isValid()) return;
    State<Vec3Types>& s = state();
    addElementProducts(s.write(df.at(s)), s.read(mp.dx.at(s)), k);
}

BoundingBox ElementForceField::boundingBox() const { return l_state ? state().boundingBox() : BoundingBox(); }

}  // namespace sofa::component
