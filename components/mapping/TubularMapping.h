// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Circles of N points around frames: those of a tube around a wire, which an Edge2QuadTopologicalMapping makes. Point
/// i N + j stands at
///
///     x = c_i + r,   r = ρ_i R_i (0, cos 2π j / N, sin 2π j / N)
///
/// with the centre c_i and the rotation R_i of frame i. Its velocity is ċ_i + ω_i × r, so that J = [I  −[r]×]; a force
/// f on it adds f and the torque r × f to the frame. That torques change as frames turn is left out of the stiffness,
/// as in SOFA. ρ_i is `radius`, at the ends with a peak less.
class TubularMapping final : public Mapping<Rigid3Types, Vec3Types>, public TopologyFollower
{
public:
    using Base = Mapping<Rigid3Types, Vec3Types>;

    Data<Index> d_nbPointsOnEachCircle{
        this, {.name = "nbPointsOnEachCircle", .help = "Points on each circle: three at least"}, 0};
    Data<double> d_radius{
        this,
        {.name = "radius", .help = "Radius of the circles; must be given", .unit = "m", .range = Range::nonNegative()},
        0.};
    Data<int> d_peak{this,
                     {.name = "peak",
                      .help = "Circles at the beginning that make a peak: their radii grow from 0; if below 0, at the "
                              "end"},
                     0};

    void init() override;
    bool isLinear() const override { return false; }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override;

    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    /// That of a circle [m].
    double radiusOf(std::size_t frame, std::size_t frames) const;

    Vector<Vec3> m_arms;  ///< r of each point
};

}  // namespace sofa::component
