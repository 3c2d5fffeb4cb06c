// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/NonUniformHexahedronFEMForceFieldAndMass.h"
#include "core/fem/elements/CompositeCells.h"

namespace sofa::component {

/// Hexahedra of a sparse grid that bend as the matter in their finer cells does: core/fem/elements/CompositeCells.h has
/// the equations and the source. HexahedronCompositeFEMMapping shows what the fine cells do.
///
/// Differences from SOFA. The mass is the consistent one (see HexahedronFEMForceFieldAndMass) and does not turn with an
/// element: it is the mean of those of the three components, which SOFA keeps in the axes of the rest shape. Empty
/// cells are much stiffer than what is in their hexahedron; SOFA's have the stiffness of 1.02e12 Pa in cells of 1 m,
/// whatever the material. Where weights nearly cancel, by whose sum SOFA divides, the trilinear ones count. Small
/// rotations have no energy, so that inner forces have no torque; in SOFA they have one of first order in the strain.
/// With `completeInterpolation` the mapping uses the static solution, as SOFA's does in ramified grids. Edited
/// parameters are applied.
class HexahedronCompositeFEMForceFieldAndMass final : public NonUniformHexahedronFEMForceFieldAndMass
{
public:
    HexahedronCompositeFEMForceFieldAndMass() { ignoreAttribute("homogenizationMethod", "it has none in SOFA either"); }
    static std::string_view typeLabel() { return "HexahedronCompositeFEMForceFieldAndMass"; }

    Data<bool> d_finestToCoarse{
        this,
        {.name = "finestToCoarse",
         .help = "Condense all finer levels in one step, which takes the cube of the time, else one "
                 "after the other"},
        false};
    Data<bool> d_completeInterpolation{
        this,
        {.name = "completeInterpolation",
         .help = "Show the static solution of the finer cells as it is, which does not fit together between hexahedra"},
        false};
    Data<bool> d_useRamification{
        this,
        {.name = "useRamification",
         .help = "Whether finer cells hang together only where the topology says so, else wherever they are adjacent"},
        true};
    Data<int> d_drawType{this,
                         {.name = "drawType",
                          .help = "0: edges as cylinders, 1: edges as lines, -1: hexahedra",
                          .range = Range::closed(-1., 1.),
                          .group = "Visualization"},
                         0};
    Data<int> d_drawColor{this,
                          {.name = "drawColor",
                           .help = "0: yellow, 1: red, 2: blue, 3: green, -1: nothing is drawn",
                           .range = Range::closed(-1., 3.),
                           .group = "Visualization"},
                          0};
    Data<double> d_drawSize{this,
                            {.name = "drawSize",
                             .help = "Radius of the cylinders; negative: 4 thousandths of the width of the body",
                             .unit = "m",
                             .group = "Visualization"},
                            -1.};

    /// Whether there are finer cells.
    bool isComposite() const { return isValid() && hasLevels(); }
    /// What the finer cells are, and calls f for each: the hexahedron that it lies in, its number in the level, and the
    /// weights of its nodes. `f` is called when it is known where the cells are.
    using CellSink = std::function<void(Index hexahedron, Index finePiece, const CompositeCells::Matrix& weights)>;
    const CompositeCells& interpolation(const CellSink& f);

    void draw(DrawTool& tool) override;

protected:
    void prepareCells(std::span<const SparseLevel> levels) override;
    CorotationalHexahedra::Material elementMaterial(Index e) override;
    Mat<8> massOf(Index e, const ElementNodes& nodes) const override;

private:
    CompositeCells m_cells;
    Vector<CompositeCells::Element> m_elements;  ///< with finer levels
};

}  // namespace sofa::component
