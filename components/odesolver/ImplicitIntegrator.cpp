// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/ImplicitIntegrator.h"

#include <cmath>

#include "components/odesolver/SolverTools.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

ImplicitIntegrator::ImplicitIntegrator()
{
    ignoreAttribute("threadSafeVisitor", "visitors are always safe here");
    addAlias(d_velocityDamping, "velocityDamping");
    ignoreAttribute("verbose", "use printLog");
}

void ImplicitIntegrator::init()
{
    if (!findLinearSolver(*this, l_linearSolver, core::Search::Down)) return;
    if (!l_linearSolver)
        fail("it needs a linear solver in node '" + node()->pathName() +
             "', for example <CGLinearSolver iterations=\"25\"/>");
}

std::string ImplicitIntegrator::failure() const
{
    return "did not converge in " + std::to_string(d_unconvergedSteps.value()) + " steps, to epsilon=\"" +
           d_epsilon.text() + "\" in maxIterations=\"" + d_maxIterations.text() +
           "\" (requireConvergence=\"0\" accepts that)";
}

void ImplicitIntegrator::countUnconverged(double fraction, double correction)
{
    double size2 = 0.;
    core::Vector<double> scalars;
    for (const core::BaseState* s : core::ExecutionPlan::of(scope()).independentStates()) {
        scalars.resize(s->size() * s->coordSize());
        s->getScalars(core::vec_id::position, scalars.data());
        for (const double c : scalars) size2 += c * c;
    }
    if (correction <= 1e-10 * std::sqrt(size2)) return;
    if (d_unconvergedSteps.value() == 0)
        msgWarning() << "Newton's method did not converge in the " << d_maxIterations.value()
                     << " iterations of the step that begins at " << node()->time() << " s: the residual is "
                     << fraction << " of the first, above epsilon (told once; unconvergedSteps counts)";
    d_unconvergedSteps.setValue(d_unconvergedSteps.value() + 1);
}

}  // namespace sofa::component
