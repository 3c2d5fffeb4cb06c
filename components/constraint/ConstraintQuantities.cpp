// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <tuple>
#include <variant>

#include "components/constraint/LagrangianSolver.h"
#include "core/objectmodel/Quantity.h"

// The quantities of Lagrangian constraints.

namespace sofa::component {

using namespace core;

namespace {

const LagrangianSolver& solverOf(const BaseLagrangianConstraint& c)
{
    const auto* solver = c.node()->get<LagrangianSolver>(Search::Up);
    if (!solver) throw std::runtime_error("there is no constraint solver in its node or above");
    return *solver;
}

const RegisterQuantity ofRows({.name = "lambda",
                               .help = "Force of each row of the constraint in the last step; empty while it has no "
                                       "rows, as of bodies that sleep",
                               .unit = "N"},
                              [](BaseLagrangianConstraint& c) { return solverOf(c).forcesOf(c); });
const RegisterQuantity ofAllRows({.name = "lambda",
                                  .help = "Impulse of each row in the last step: its force times the time step",
                                  .unit = "N s"},
                                 [](LagrangianSolver& s) { return s.problem().force; });

template <class D>
struct OfType
{
    using Deriv = typename D::Deriv;

    static Vector<Deriv> reaction(BaseLagrangianConstraint& c)
    {
        Vector<Deriv> out;
        for (const BaseState* s : c.states()) {
            const Vector<double> part = solverOf(c).forcesOn(*s, c);
            for (std::size_t i = 0; i + D::derivSize <= part.size(); i += D::derivSize)
                std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(i), D::derivSize, out.emplace_back().data());
        }
        return out;
    }

    static constexpr const char *help =
                                    "What the constraint added to each point of its states, one after the other, "
                                    "in the last step; nothing on what projective constraints hold",
                                *unit = D::isRigid ? "N, N m" : "N";
    RegisterQuantity ofOne{{.name = "reaction", .help = help, .unit = unit},
                           [](LagrangianConstraint<D>& c) { return reaction(c); }};
    RegisterQuantity ofTwo{{.name = "reaction", .help = help, .unit = unit},
                           [](PairLagrangianConstraint<D>& c) { return reaction(c); }};
};

#define SOFA_OF_TYPE(D) OfType<D>,
const std::tuple<SOFA_STATE_TYPES(SOFA_OF_TYPE) std::monostate> ofTypes;
#undef SOFA_OF_TYPE

}  // namespace

}  // namespace sofa::component
