// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearElasticForceField.h"
#include "core/fem/elements/BeamStiffness.h"

namespace sofa::component {

/// Beams of a round section between frames, one for each edge of the topology.
///
/// With the frame R_a of the first end, rest values marked by 0, and the stiffness k of
/// core/fem/elements/BeamStiffness.h (Euler and Bernoulli: no shear), displacements of the second end are measured in
/// R_a,
///
///     u = R_aᵀ (x_b − x_a) − R_a⁰ᵀ (x_b⁰ − x_a⁰),   θ = log(Q⁰⁻¹ Q),   Q = q_a⁻¹ q_b,
///
/// and the forces and torques at both ends are f = −R_a k (0, 0, u, θ). Rigid motions cause no force. K = R_a k R_aᵀ is
/// the derivative of −f where there is no stress, if the frames of the ends are parallel at rest: θ stands in the frame
/// of b then, as in SOFA.
///
/// The beam runs along the x axis of the frame of its first end; a beam whose ends lie otherwise at rest is computed as
/// one along x all the same, and reported.
class BeamFEMForceField final : public LinearElasticForceField<Rigid3Types>
{
public:
    Data<double> d_radius{
        this, {.name = "radius", .help = "Radius of the section", .unit = "m", .range = Range::positive()}, 0.1};
    Data<double> d_radiusInner{this,
                               {.name = "radiusInner",
                                .help = "Inner radius of the section of hollow beams, below radius",
                                .unit = "m",
                                .range = Range::nonNegative()},
                               0.};
    Data<Vector<Index>> d_listSegment{
        this, {.name = "listSegment", .help = "Edges of the topology that are beams; default: all of them"}};

    BeamFEMForceField();

    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    /// ½ (u, θ) k (u, θ) of all beams. Its gradient is minus the force up to the second order in the deformation.
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    /// With the flag ForceFields, for each beam in its middle: its axis (red) as long as at rest, and half radii along
    /// y (green) and z (blue).
    void draw(DrawTool& tool) override;

    /// Of the section as a whole: the normal force over the area, along the beam. Bending and torsion have no mean.
    void stresses(const Shape& shape, Vector<Mat3>& out) const override;
    /// The largest at the surface of both ends, √(σ² + 3 τ²) of stretch and bending, and of torsion.
    void vonMisesStresses(const Shape& shape, Vector<double>& out) const override;
    void elementEnergies(Vector<double>& out) const override;

    ElementLists elementLists() override;
    /// Beams of listSegment whose edges went are gone; without any left there is no beam.
    void followTopology(const TopologyChange& change) override;

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Edges}}; }
    void prepare() override;
    bool hasPreparedElements() const override { return m_edges == topology().edges(); }
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    struct Beam
    {
        Index edge;  ///< its number in the topology
        Edge ends;
        Vec3 shape;     ///< R_a⁰ᵀ (x_b⁰ − x_a⁰) [m]
        Quat turn;      ///< Q⁰
        double length;  ///< [m]
        Mat<12, 12> stiffness;
        Mat3 frame;  ///< R_a at the last force
    };
    /// u and θ.
    static Vec6 displacement(const Beam& beam, const VecCoord& x);
    /// Forces and torques [N], [N m] on both ends in R_a, that hold it.
    static Vec<12> endForces(const Beam& beam, const VecCoord& x);
    static double energyOf(const Beam& beam, const VecCoord& x);
    BeamSection section() const { return BeamSection::tube(d_radius.value(), d_radiusInner.value()); }

    Vector<Beam> m_beams;
    bool m_listed = false;     ///< the beams are those of listSegment
    bool m_following = false;  ///< prepared again because elements went
    Vector<Edge> m_edges;      ///< of the topology, when the beams were prepared
};

}  // namespace sofa::component
