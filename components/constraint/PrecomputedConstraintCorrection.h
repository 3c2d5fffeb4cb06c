// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/SolverConstraintCorrection.h"
#include "core/behavior/RotationFinder.h"
#include "core/behavior/State.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Compliance of a body computed once, at its initial shape: C = c_x A⁻¹ with the matrix A of the integrator there,
/// W += H R C Rᵀ Hᵀ, dx = R C Rᵀ Hᵀ λ.
///
/// With `rotations`, R turns each point's share as the material around it has turned since (compliance warping; Saupin,
/// Duriez, Cotin and Grisoni, Efficient contact modeling using compliance warping, CGI 2008): by the force field of the
/// node that knows it, or for rigid frames by their orientation (with `restDeformations` relative to that at rest).
/// Otherwise R = 1.
///
/// The matrix is n² numbers for n scalars and is kept in a file: `fileCompliance`, or <node>-<n>-<dt>.comp in `fileDir`
/// or in the working folder, raw doubles, row by row (SOFA's format).
template <class DataTypes>
class PrecomputedConstraintCorrection final : public SolverConstraintCorrection
{
public:
    using Deriv = typename DataTypes::Deriv;

    core::Data<bool> d_rotations{
        this,
        {.name = "rotations", .help = "Turn the compliance of each point as the material around it turns"},
        false};
    core::Data<bool> d_restDeformations{
        this,
        {.name = "restDeformations", .help = "Rigid frames: turn by the orientation relative to that at rest"},
        false};
    core::Data<bool> d_recompute{
        this, {.name = "recompute", .help = "Compute the compliance even where a file has it"}, false};
    core::Data<double> d_debugViewFrameScale{this,
                                             {.name = "debugViewFrameScale",
                                              .help = "Length of the frames that show the rotations",
                                              .unit = "m",
                                              .range = core::Range::nonNegative(),
                                              .group = "Visualization"},
                                             1.};
    core::Data<std::string> d_fileCompliance{
        this, {.name = "fileCompliance", .help = "File with the compliance; default: named after the node"}};
    core::Data<std::string> d_fileDir{
        this,
        {.name = "fileDir", .help = "Folder of the file if it is named after the node; default: the working one"}};
    core::Link<core::State<DataTypes>> l_state{this, {"mstate", "State that is moved; default: that of the node"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const core::Node* node, const core::ComponentDescription& desc, std::string& why)
    {
        return core::stateHasType<DataTypes>(node, desc, "mstate", why);
    }

    PrecomputedConstraintCorrection();
    void init() override;
    /// Reads the file; a size that is not that of the body is an error.
    void bwdInit() override;
    /// Computes the compliance if no file had it: the scene is complete then.
    void storeResetState() override;
    /// Writes the file when the first step begins.
    void handleEvent(const core::Event& e) override;
    std::vector<core::BaseState*> states() const override { return {l_state.get()}; }
    void computeMotion(const core::ConstraintParams& p, const core::ConstraintMatrix& h, std::span<const double> lambda,
                       core::VecDerivId dx) override;
    double positionFactor(const core::ConstraintParams&) const override { return 1.; }
    double velocityFactor(const core::ConstraintParams& p) const override { return 1. / p.dt; }
    /// The compliance is that of the whole body.
    std::string refusal(const core::TopologyStep& step) const override;

    /// C, row-major, n squared; empty before it is known.
    const core::Vector<double>& compliance() const { return m_compliance; }

private:
    std::string defaultFile() const;
    /// The rotation of each point as a frame (flag BehaviorModels and `rotations`).
    void draw(core::DrawTool& tool) override;
    bool read(const std::string& path);
    void compute();
    void write(const std::string& path) const;
    /// From the compliance of the whole body.
    std::span<const double> regularCompliance(const core::ConstraintParams& p,
                                              const core::ConstraintMatrix& h) override;
    /// Compliance of the rows that the cache does not know.
    void computeFresh(double factor, core::ComplianceCache& cache) const;
    void updateRotations();
    Deriv rotated(core::Index point, const Deriv& d, bool back) const;

    /// Rows of H in the frame in which the compliance is known.
    struct Turned
    {
        core::Vector<int> ptr, columns;
        core::Vector<double> values;
    };

    Turned m_turned;
    std::string m_file;       ///< where the compliance will be written
    bool m_isWritten = true;  ///< or was read
    core::Vector<double> m_compliance;
    core::Vector<core::Mat3> m_rotation;  ///< of each point; empty: none
};

}  // namespace sofa::component
