// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/io/VegaMatrixFile.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Forces on all points that change from step to step, from a binary matrix of the Vega library with 3n rows for n
/// points and T columns (forceLoadsFilename of its simulator): from the time 0 on, each column acts for `period` and
/// then gives way to the next,
///
///     f = column ⌊(t + h/2) / period⌋,      t the beginning of a step, h its length;
///
/// nothing before the first and after the last. Half a step is added so that rounding of t does not decide. Forces are
/// constant in space: there is no stiffness. Points keep the forces of their rows when points come and go; new ones
/// have none.
class ForceSequence : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<core::Vec3Types>;

    core::Data<core::FileName> d_filename{
        this, {.name = "filename", .help = "Binary matrix of Vega with the forces [N]: 3n rows, a column per period"}};
    core::Data<double> d_period{this,
                                {.name = "period",
                                 .help = "Time for which each column acts; 0: the time step of the scene",
                                 .unit = "s",
                                 .range = core::Range::nonNegative()},
                                0.};
    core::Data<core::Vector<core::Vec3>> d_forces{this,
                                                  {.name = "forces",
                                                   .help = "Force on each point in the present step",
                                                   .unit = "N",
                                                   .readOnly = true,
                                                   .saved = false}};

    void init() override;
    /// Reads the file again.
    void reinit() override;
    void bwdInit() override;

    PointLists pointLists() override;
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams&, const core::MultiVecDerivId&) override {}
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    /// Column of the present step; -1 where none acts.
    int currentColumn() const;
    /// Of the matrix at a column; zero for a new point.
    core::Vec3 forceOn(core::Index point, int column) const;

    core::Data<core::Vector<core::Index>> d_pointsOfFile{
        this,
        {.name = "pointsOfFile",
         .help = "Number that each point has in the file; that of no point for those that the file does not have",
         .readOnly = true,
         .displayed = false,
         .saved = false}};
    core::io::VegaMatrix m_matrix;
    int m_column = -1;  ///< that of d_forces
};

}  // namespace sofa::component
