// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/NonUniformHexahedronFEMForceFieldAndMass.h"

#include "core/factory/Registry.h"
#include "core/topology/SparseGrid.h"
#include "core/topology/StoredTopology.h"

namespace sofa::component {

NonUniformHexahedronFEMForceFieldAndMass::NonUniformHexahedronFEMForceFieldAndMass()
{
    ignoreAttribute("assembling", "the linear solver decides whether a matrix is assembled");
    for (const char* name : {"recursive", "useMBK"}) ignoreAttribute(name, "it does not change what is computed");
}

void NonUniformHexahedronFEMForceFieldAndMass::prepare()
{
    const int level = d_nbVirtualFinerLevels.value();
    const BaseMeshTopology& t = topology();
    const std::span<const SparseLevel> levels = t.sparseLevels();
    const int finer = levels.empty() ? 0 : static_cast<int>(levels.size()) - 1;
    if (level > finer)
        throw std::runtime_error("nbVirtualFinerLevels is " + std::to_string(level) + ", but the topology '" +
                                 t.pathName() + "' (" + t.className() + ") has " + std::to_string(finer) +
                                 ": give it nbVirtualFinerLevels=\"" + std::to_string(level) +
                                 "\", a SparseGridTopology if it is none");
    if (hasLevels()) prepareCells(levels);
    HexahedronFEMForceFieldAndMass::prepare();
    if (!isValid() || d_useMass.value()) return;
    const double mass = d_totalMass.value() / static_cast<double>(likeSofa() ? t.hexahedra().size() : state().size());
    m_mass.begin(state().size(), true);
    for (Index i = 0; i < state().size(); ++i) m_mass.add(i, i, mass);
    m_mass.end();
    m_equal.begin();
    m_pointMass = m_mass.rowSums();
}

void NonUniformHexahedronFEMForceFieldAndMass::prepareCells(std::span<const SparseLevel> levels)
{
    const int level = d_nbVirtualFinerLevels.value();
    m_stiffnessFill.assign(levels.back().pieces(), {});
    m_massFill.assign(levels.back().pieces(), {});
    forEachFinePiece(levels, static_cast<std::size_t>(level), [&](const FinePiece& p) {
        m_stiffnessFill[p.piece].add(p.place, 1 << level, p.stiffness);
        m_massFill[p.piece].add(p.place, 1 << level, p.mass);
    });
}

Index NonUniformHexahedronFEMForceFieldAndMass::pieceOf(Index e) const
{
    const auto* changeable = dynamic_cast<const StoredTopology*>(&topology());
    const Index piece = changeable ? changeable->initialIndex(ElementType::Hexahedra, e) : e;
    if (piece >= topology().sparseLevels().back().pieces())
        throw std::runtime_error("hexahedron " + std::to_string(e) + " is none of the sparse grid at the beginning");
    return piece;
}

CorotationalHexahedra::Material NonUniformHexahedronFEMForceFieldAndMass::elementMaterial(Index e)
{
    if (!hasLevels()) return HexahedronFEMForceFieldAndMass::elementMaterial(e);
    const FilledCell& cell = m_stiffnessFill[pieceOf(e)];
    if (const auto factor = cell.uniform()) return {materialOf(e), *factor};
    return {materialOf(e), 1., &cell};
}

Mat<8> NonUniformHexahedronFEMForceFieldAndMass::massOf(Index e, const ElementNodes& nodes) const
{
    if (!hasLevels()) return HexahedronFEMForceFieldAndMass::massOf(e, nodes);
    return elementMassMatrix<HexahedronShape>(nodes, m_massFill[pieceOf(e)].rule(),
                                              [this](const double*) { return d_density.value(); });
}

static const RegisterComponent registeredNonUniformHexahedronFEMForceFieldAndMass =
    RegisterComponent("NonUniformHexahedronFEMForceFieldAndMass", "ForceField",
                      "Sofa.Component.SolidMechanics.FEM.NonUniform")
        .help("Hexahedra of a sparse grid with the stiffness and mass of the finer cells in them")
        .alias("NonUniformHexahedralFEMForceFieldAndMass")
        .example("component/fem/NonUniformHexahedronFEMForceFieldAndMass.scn")
        .add<NonUniformHexahedronFEMForceFieldAndMass>();

}  // namespace sofa::component
