// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronCompositeFEMForceFieldAndMass.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void HexahedronCompositeFEMForceFieldAndMass::prepareCells(std::span<const SparseLevel> levels)
{
    m_cells.build(levels, {.finer = static_cast<std::size_t>(d_nbVirtualFinerLevels.value()),
                           .inOneStep = d_finestToCoarse.value(),
                           .connectAll = !d_useRamification.value(),
                           .complete = d_completeInterpolation.value(),
                           .asSofa = likeSofa()});
    m_elements.assign(topology().hexahedra().size(), {});
}

CorotationalHexahedra::Material HexahedronCompositeFEMForceFieldAndMass::elementMaterial(Index e)
{
    if (!hasLevels()) return NonUniformHexahedronFEMForceFieldAndMass::elementMaterial(e);
    m_elements[e] = m_cells.homogenise(pieceOf(e), m_mechanics.restNodes(e), materialOf(e), d_density.value());
    CompositeCells::Matrix& k = m_elements[e].stiffness;
    if (!likeSofa()) CompositeCells::removeRotations(k, m_mechanics.restNodes(e), m_mechanics.restTurning(e));
    return {materialOf(e), 1., nullptr, &k};
}

Mat<8> HexahedronCompositeFEMForceFieldAndMass::massOf(Index e, const ElementNodes& nodes) const
{
    return hasLevels() ? m_elements[e].mass : NonUniformHexahedronFEMForceFieldAndMass::massOf(e, nodes);
}

const CompositeCells& HexahedronCompositeFEMForceFieldAndMass::interpolation(const CellSink& f)
{
    for (Index e = 0; e < m_elements.size(); ++e)
        m_cells.homogenise(pieceOf(e), m_mechanics.restNodes(e), materialOf(e), d_density.value(),
                           [&](Index fine, const CompositeCells::Matrix& weights) { f(e, fine, weights); });
    return m_cells;
}

void HexahedronCompositeFEMForceFieldAndMass::draw(DrawTool& tool)
{
    if (d_drawType.value() == -1) return NonUniformHexahedronFEMForceFieldAndMass::draw(tool);
    if (!tool.shows(DisplayFlags::ForceFields) || !d_drawing.value() || !l_state || d_drawColor.value() < 0) return;
    constexpr std::array<std::array<std::size_t, 2>, 12> edges{
        {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
    const Color colors[] = {Color(0.9f, 0.9f, 0.2f), Color(0.95f, 0.3f, 0.2f), Color(0.2f, 0.3f, 0.8f),
                            Color(0.2f, 0.8f, 0.2f)};
    auto ends = tool.scratch<Vec3>();
    const VecCoord& x = state().positions();
    for (const Hexahedron& h : m_mechanics.graph().elements())
        for (const auto& [a, b] : edges) {
            ends.push_back(x[h[a]]);
            ends.push_back(x[h[b]]);
        }
    const Color& color = colors[d_drawColor.value()];
    if (d_drawType.value() == 1) return tool.lines(ends, plainStyle(color, 2.f));
    const BoundingBox box = state().boundingBox();
    const double size = d_drawSize.value();
    tool.cylinders(ends, size >= 0. ? size : 0.004 * (box.high[0] - box.low[0]), litStyle(color));
}

static const RegisterComponent registeredHexahedronCompositeFEMForceFieldAndMass =
    RegisterComponent("HexahedronCompositeFEMForceFieldAndMass", "ForceField",
                      "Sofa.Component.SolidMechanics.FEM.NonUniform")
        .help("Hexahedra of a sparse grid that bend as the matter in their finer cells does")
        .example("component/fem/HexahedronCompositeFEMMapping.scn")
        .add<HexahedronCompositeFEMForceFieldAndMass>();

}  // namespace sofa::component
