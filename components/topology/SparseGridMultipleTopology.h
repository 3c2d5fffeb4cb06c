// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/SparseGridRamificationTopology.h"

namespace sofa::component {

/// Sparse grid of several bodies of different stiffness in each other.
///
/// Every file of `fileTopologies` is voxelised on the same grid, whose box is that around all of them unless `min` and
/// `max` are given. In the order of the files, a cell inside a body takes the body's coefficient; one at its boundary
/// the mean of that and of what it had before (0 at first), or with `erasePreviousCoef` the body's. With `fillWeighted`
/// off, cells at a boundary count as inside. `filename` is the surface that `finestConnectivity` looks at; without one
/// all adjacent cells hang together.
class SparseGridMultipleTopology final : public SparseGridRamificationTopology
{
public:
    Data<Vector<std::string>> d_fileTopologies{
        this, {.name = "fileTopologies", .help = "Mesh files of the surfaces", .required = true}};
    Data<Vector<double>> d_stiffnessCoefs{this,
                                          {.name = "stiffnessCoefs",
                                           .help = "Factor on the stiffness in each surface; 1 where there is none",
                                           .unit = "1",
                                           .range = Range::nonNegative()}};
    Data<Vector<double>> d_massCoefs{
        this,
        {.name = "massCoefs",
         .help = "Factor on the density in each surface, for force fields that have a mass; 1 where there is none",
         .unit = "1",
         .range = Range::nonNegative()}};
    Data<bool> d_computeRamifications{
        this,
        {.name = "computeRamifications", .help = "Whether parts that do not hang together get hexahedra of their own"},
        true};
    Data<bool> d_erasePreviousCoef{
        this,
        {.name = "erasePreviousCoef", .help = "Whether a coefficient replaces those before at a boundary too"},
        false};

protected:
    Body readBody() override;
    bool ramifies() const override { return d_computeRamifications.value(); }

private:
    /// Adds a body's cells and their coefficients to those of the bodies before.
    void blend(Body& body, const Vector<geometry::CellFill>& fill, double stiffness, double mass) const;
};

}  // namespace sofa::component
