// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/ImplicitIntegrator.h"

#include "components/odesolver/SolverTools.h"

namespace sofa::component {

ImplicitIntegrator::ImplicitIntegrator()
{
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

}  // namespace sofa::component
