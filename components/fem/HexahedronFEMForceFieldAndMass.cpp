// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronFEMForceFieldAndMass.h"

#include "core/behavior/MassDefinitions.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::core {

template class Mass<Vec3Types, component::HexahedronFEMForceField>;

}  // namespace sofa::core

namespace sofa::component {

namespace {

/// ρV of a hexahedron as SOFA has it, for its edges at node 0.
double boxVolume(const std::array<Vec3, 8>& n) { return norm(n[1] - n[0]) * norm(n[3] - n[0]) * norm(n[4] - n[0]); }

}  // namespace

HexahedronFEMForceFieldAndMass::HexahedronFEMForceFieldAndMass()
{
    for (const char* name : {"massMatrices", "particleMasses", "lumpedMasses"})
        ignoreAttribute(name, "masses are computed from the density and the rest shape");
}

Mat<8> HexahedronFEMForceFieldAndMass::massOf(Index e, const ElementNodes& nodes) const
{
    const double density = d_density.value() * topology().massFactor(e);
    if (!likeSofa())
        return elementMassMatrix<HexahedronShape>(nodes, HexahedronShape::quadrature,
                                                  [density](const double*) { return density; });
    Mat<8> m;
    for (auto i = 0U; i < 8; ++i)
        for (auto j = 0U; j < 8; ++j) m[i][j] = 8. / 27. * boxVolume(nodes) * density;
    return m;
}

void HexahedronFEMForceFieldAndMass::prepare()
{
    Law::prepare();
    if (!isValid()) return;
    const Vector<Hexahedron>& elements = m_mechanics.graph().elements();
    const VecCoord& rest = d_initialPoints.value();
    m_mass.begin(state().size(), d_lumpedMass.value());
    m_equal.begin();
    m_pointMass.assign(state().size(), 0.);
    for (Index e = 0; e < elements.size(); ++e) {
        ElementNodes nodes;
        for (std::size_t i = 0; i < 8; ++i) nodes[i] = rest[elements[e][i]];
        const Mat<8> m = massOf(e, nodes);
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j) m_mass.add(elements[e][i], elements[e][j], m[i][j]);
        m_equal.add(m);
        if (!likeSofa()) continue;
        const double weight = d_density.value() * topology().massFactor(e) * boxVolume(nodes) / 8.;
        for (const Index v : elements[e]) m_pointMass[v] += weight;
    }
    m_mass.end();
    if (!d_lumpedMass.value()) m_equal.end(elements);
    if (!likeSofa()) m_pointMass = m_mass.rowSums();
}

void HexahedronFEMForceFieldAndMass::addWeight(VecDeriv& f, const VecCoord&) const
{
    const Vec3 g = gravityDeriv();
    for (std::size_t i = 0; i < m_pointMass.size(); ++i) f[i] += g * m_pointMass[i];
}

void HexahedronFEMForceFieldAndMass::addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord&, double factor) const
{
    m_mass.addProduct(f, dx, factor);
}

void HexahedronFEMForceFieldAndMass::accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord&) const
{
    m_mass.divide(a, f);
}

void HexahedronFEMForceFieldAndMass::buildMass(BlockSink& m, const VecCoord&) const { m_mass.build(m, 3); }

void HexahedronFEMForceFieldAndMass::draw(DrawTool& tool)
{
    Law::draw(tool);
    if (tool.shows(DisplayFlags::BehaviorModels) && l_state)
        tool.points(drawnPoints(tool, state()), plainStyle(Color(), 2.f));
}

static const RegisterComponent registeredHexahedronFEMForceFieldAndMass =
    RegisterComponent("HexahedronFEMForceFieldAndMass", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Corotational linear elasticity on hexahedra, and their mass")
        .alias("HexahedralFEMForceFieldAndMass")
        .example("component/fem/HexahedronFEMForceFieldAndMass.scn")
        .add<HexahedronFEMForceFieldAndMass>();

}  // namespace sofa::component
