// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/visitor/SystemAssembly.h"

namespace sofa::core {

/// Component that owns the matrix of a linear solver. Solvers make one when the scene has none.
class LinearSystem : public Component
{
public:
    static std::string_view typeLabel() { return "linear system"; }

    Data<bool> d_assembleStiffness{
        this, {.name = "assembleStiffness", .help = "Take the stiffness of force fields into the matrix"}, true};
    Data<bool> d_assembleMass{this, {.name = "assembleMass", .help = "Take the masses into the matrix"}, true};
    Data<bool> d_assembleDamping{
        this, {.name = "assembleDamping", .help = "Take the damping of force fields into the matrix"}, true};
    Data<bool> d_assembleGeometricStiffness{
        this,
        {.name = "assembleGeometricStiffness",
         .help = "Take the geometric stiffness of nonlinear mappings into the matrix"},
        true};
    Data<bool> d_applyProjectiveConstraints{
        this,
        {.name = "applyProjectiveConstraints",
         .help = "Eliminate the degrees of freedom that projective constraints fix"},
        true};
    Data<bool> d_applyMappedComponents{
        this,
        {.name = "applyMappedComponents", .help = "Carry matrices of mapped states up through their mappings"},
        true};
    Data<Vec2> d_matrixSize{
        this, {.name = "matrixSize", .help = "Rows and columns of the last matrix", .unit = "1", .readOnly = true}};

    /// Takes the matrix of the solver's scope: assembles it, unless it stands for another system. `factored` leaves the
    /// contributions of mapped states out of it (SystemAssembly::addFactoredProduct).
    virtual void assemble(const SolverScope& scope, const MechanicalParams& mp, bool factored = false);
    /// Whether the scene wants the matrix without some of its parts.
    bool leavesOut() const;
    /// What of the matrix the scene asks for.
    virtual SystemAssembly::Options options() const;
    /// Of the system that solvers get.
    virtual SystemAssembly& assembly() { return m_assembly; }
    const SystemAssembly& assembly() const { return const_cast<LinearSystem&>(*this).assembly(); }

protected:
    /// Of a system from which no part can be left out: tells so where the scene asks for it.
    void tellUnusedParts(const std::string& reason) const;

private:
    std::array<const Data<bool>*, 6> parts() const
    {
        return {
            &d_assembleStiffness,          &d_assembleMass,         &d_assembleDamping, &d_assembleGeometricStiffness,
            &d_applyProjectiveConstraints, &d_applyMappedComponents};
    }

    SystemAssembly m_assembly;
};

}  // namespace sofa::core
