// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricMapping.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

BarycentricMapping::BarycentricMapping() { ignoreAttribute("hexamap", "the map is computed at init"); }

bool BarycentricMapping::locate()
{
    std::string error;
    for (auto* link : {&l_inputTopology, &l_outputTopology}) {
        if (link->resolve(error)) continue;
        fail(std::string(link->name()) + ": " + error);
        return false;
    }
    if (!l_inputTopology && input().node()) l_inputTopology.set(input().node()->get<BaseMeshTopology>(Search::Up));
    if (!l_outputTopology && output().node()) l_outputTopology.set(output().node()->get<BaseMeshTopology>(Search::Up));
    if (!l_inputTopology) {
        fail("it needs a topology in the node of the input '" + input().pathName() +
             "' or above, or the link input_topology");
        return false;
    }
    const VecCoordId id = d_useRestPosition.value() ? vec_id::restPosition : vec_id::position;
    if (!input().isAllocated(id) || !output().isAllocated(id)) {
        fail("useRestPosition needs rest positions of input and output");
        return false;
    }
    try {
        m_weights = computeBarycentricWeights(*l_inputTopology, input().read(id), output().read(id));
    } catch (const std::runtime_error& e) {
        fail(e.what());
        return false;
    }
    invalidateJacobian();
    return true;
}

void BarycentricMapping::init()
{
    if (findStates() && locate()) Base::init();
}

void BarycentricMapping::reinit()
{
    if (isValid()) init();
}

void BarycentricMapping::multiply(Vector<Vec3>& out, const Vector<Vec3>& in) const
{
    for (Index i = 0; i < m_weights.rows(); ++i) {
        Vec3 s;
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            s += in[m_weights.columns[k]] * m_weights.weights[k];
        out[i] = s;
    }
}

void BarycentricMapping::apply(Vector<Vec3>& out, const Vector<Vec3>& in)
{
    if (out.size() != m_weights.rows()) {
        output().resize(m_weights.rows());
        out.resize(m_weights.rows());
    }
    multiply(out, in);
}

void BarycentricMapping::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    multiply(output().write(out.at(output())), input().read(in.at(input())));
}

void BarycentricMapping::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    Vector<Vec3>& f = input().write(in.at(input()));
    const Vector<Vec3>& g = output().read(out.at(output()));
    for (Index i = 0; i < m_weights.rows(); ++i)
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            f[m_weights.columns[k]] += g[i] * m_weights.weights[k];
}

void BarycentricMapping::buildJacobian(JacobianMatrix& j, const Vector<Vec3>&)
{
    j.clear();
    for (Index i = 0; i < m_weights.rows(); ++i) {
        j.appendRow();
        for (Index k = m_weights.rowStart[i]; k < m_weights.rowStart[i + 1]; ++k)
            j.append(m_weights.columns[k], Mat3::identity() * m_weights.weights[k]);
    }
}

static const RegisterComponent registered =
    RegisterComponent("BarycentricMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Points embedded in the elements of a mesh, which move with it")
        .example("component/mapping/BarycentricMapping.scn")
        .add<BarycentricMapping>();

}  // namespace sofa::component
