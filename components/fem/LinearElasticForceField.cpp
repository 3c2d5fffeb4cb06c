// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/LinearElasticForceField.h"

#include "core/fem/Decompositions.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void LinearElasticForceField::init()
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

void LinearElasticForceField::reinit()
{
    if (isValid() && l_state && l_topology) tryPrepare();
}

void LinearElasticForceField::tryPrepare()
{
    try {
        prepare();
    } catch (const std::runtime_error& e) {
        fail(e.what());
    }
}

bool LinearElasticForceField::isUpToDate()
{
    const std::size_t now = topology().revision();
    if (now != 0 && now == m_revision) return true;
    const bool same = hasPreparedElements();
    m_revision = same ? now : 0;
    return same;
}

const LinearElasticForceField::VecCoord& LinearElasticForceField::restPositions() const
{
    const auto id = state().isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position;
    return state().read(id);
}

LameParameters LinearElasticForceField::materialOf(Index e, double factor) const
{
    const auto value = [e](const Data<Vector<double>>& d) {
        const Vector<double>& v = d.value();
        if (v.empty()) return d.defaultValue()[0];
        return e < v.size() ? v[e] : v[0];
    };
    try {
        return lameParameters(factor * value(d_youngModulus), value(d_poissonRatio));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("element " + std::to_string(e) + ": " + error.what());
    }
}

void LinearElasticForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    if (!isUpToDate()) tryPrepare();
    // A mesh that became invalid during the simulation was reported; its old elements may not exist any more.
    if (isValid()) addElementForces(f, x);
}

void LinearElasticForceField::addDForce(const MechanicalParams& mp, const MultiVecDerivId& df)
{
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value());
    if (k == 0. || !isValid()) return;
    State<Vec3Types>& s = state();
    addElementProducts(s.write(df.at(s)), s.read(mp.dx.at(s)), k);
}

BoundingBox LinearElasticForceField::boundingBox() const { return l_state ? state().boundingBox() : BoundingBox(); }

Mat3 LinearElasticForceField::nearestRotation(const Mat3& m) { return polarRotation(m).r; }

Options rotationMethodOptions(bool withSvd)
{
    std::vector<std::string> names{"small", "large", "polar"};
    if (withSvd) names.emplace_back("svd");
    return {std::move(names), 1};
}

RotationMethod rotationMethod(const Options& o)
{
    // The options have the order of the enumeration.
    return static_cast<RotationMethod>(o.index());
}

}  // namespace sofa::component
