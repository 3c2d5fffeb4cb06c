// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ConstraintCorrection.h"
#include "core/behavior/Mass.h"
#include "core/behavior/OnState.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Compliance that couples no two points: W += c Σ_i h_i C_i h_iᵀ, dx_i = C_i (Hᵀλ)_i, with a number C_i for a point
/// and, for a rigid body, a number for translations and a symmetric 3 × 3 matrix for rotations (world axes). That of a
/// mass follows the orientation of its body; `compliance` does not.
///
/// Exact for free particles and rigid bodies without stiffness and damping (C = M⁻¹); an approximation otherwise.
/// Rigid bodies take C from the mass of their node unless `compliance` or `defaultCompliance` says otherwise.
template <class DataTypes>
class UncoupledConstraintCorrection final : public core::OnState<core::ConstraintCorrection, DataTypes>,
                                            public core::TopologyFollower
{
public:
    using Deriv = typename DataTypes::Deriv;

    core::Data<core::Vector<double>> d_compliance{
        this,
        {.name = "compliance",
         .help = "Compliance of each point; for each rigid body seven numbers: translations, then xx xy xz yy yz zz of "
                 "the rotations (in rad/(N m s)); seven numbers stand for all bodies",
         .unit = "m/(N s)"}};
    core::Data<double> d_defaultCompliance{this,
                                           {.name = "defaultCompliance",
                                            .help = "Compliance of points that the list does not cover",
                                            .unit = "m/(N s)",
                                            .range = core::Range::positive()},
                                           1e-5};
    core::Data<double> d_correctionVelocityFactor{
        this,
        {.name = "correctionVelocityFactor",
         .help = "Factor of the motion in velocities, without the integrator's factors",
         .unit = "1"},
        1.};
    core::Data<double> d_correctionPositionFactor{
        this,
        {.name = "correctionPositionFactor",
         .help = "Factor of the motion in positions, without the integrator's factors",
         .unit = "1"},
        1.};
    core::Data<bool> d_useOdeSolverIntegrationFactors{
        this,
        {.name = "useOdeSolverIntegrationFactors",
         .help = "Take the factors of the integrator of the body instead of the two above"},
        true};
    core::TopologyView l_topology{this, {"topology", "Topology of the points of `compliance`"}};

    UncoupledConstraintCorrection();
    void init() override;
    /// Reads the mass of the node, which may come later in the scene.
    void bwdInit() override;
    void reinit() override { bwdInit(); }
    PointLists pointLists() override { return {{{pointsOf(this->state()), {{&d_compliance}}}}}; }
    void followTopology(const core::TopologyChange&) override { bwdInit(); }
    void coupleRows(const core::ConstraintMatrix& h, core::ComplianceMatrix& w) const override;
    void addCompliance(const core::ConstraintParams& p, const core::ConstraintMatrix& h,
                       core::ComplianceMatrix& w) override;
    void computeMotion(const core::ConstraintParams& p, const core::ConstraintMatrix& h, std::span<const double> lambda,
                       core::VecDerivId dx) override;
    void beginProducts(const core::ConstraintParams& p, const core::ConstraintMatrix& h) override;
    void addBlock(int first, int n, double* w) const override;
    void addProduct(int first, int n, double* d) const override;
    void changeForce(int first, int n, const double* change) override;
    /// The motion by these forces counts at each point from the first change there on, as in SOFA: which of several
    /// solutions with friction is found depends on it.
    void startFrom(std::span<const double> force) override;
    double positionFactor(const core::ConstraintParams& p) const override;
    double velocityFactor(const core::ConstraintParams& p) const override;

private:
    /// Entry of H.
    struct Entry
    {
        core::Index point;
        int row;
        std::size_t at;  ///< in the part of the state
    };
    /// All of the state, point by point: only rows that share a point are coupled.
    std::vector<Entry> entriesByPoint(const core::ConstraintMatrix& h) const;
    /// Calls f(i, point, derivative) for the entries of the rows first + i of the scene, i < n.
    template <class F>
    void forEntries(int first, int n, F f) const;
    /// Sets the compliance of rigid bodies to M⁻¹, at their present orientation.
    void readMass();
    /// readMass where the mass depends on the orientation: before constraints are built or solved.
    void followBodies();
    /// C_i f
    Deriv respond(core::Index point, const Deriv& f) const;

    core::OdeSolver* m_odeSolver = nullptr;
    const core::Mass<DataTypes>* m_mass = nullptr;  ///< what the compliance comes from
    core::Vector<double> m_compliance;              ///< as d_compliance, complete

    // Between beginProducts and the last product:
    const core::ConstraintMatrix::Part* m_part = nullptr;
    core::Vector<Deriv> m_motion;   ///< c C Hᵀ λ of each point
    core::Vector<Deriv> m_waiting;  ///< Hᵀ λ of the forces to start from, zero once they count; empty: none
    double m_factor = 0.;
};

}  // namespace sofa::component
