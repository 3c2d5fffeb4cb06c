// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <stdexcept>

#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

/// Approximations of A⁻¹ for PCGLinearSolver; used alone they "solve" by one application.
class Preconditioner : public core::AssembledLinearSolver
{
public:
    Preconditioner() { ignoreAttribute("verbose", "use printLog"); }
    bool isPreconditioner() const override { return true; }

    static constexpr const char* module = "Sofa.Component.LinearSolver.Preconditioner";

protected:
    [[noreturn]] void refuse(const std::string& why) const
    {
        throw std::runtime_error(pathName() + " (" + className() + "): " + why);
    }
    [[noreturn]] void singular(const core::SystemOperator& a, int scalar) const
    {
        refuse("the diagonal of the system matrix is singular at " + a.layout().describe(scalar));
    }
};

}  // namespace sofa::component
