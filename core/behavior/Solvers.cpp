// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/Solvers.h"

#include <algorithm>

#include "core/behavior/BaseState.h"
#include "core/objectmodel/Node.h"

namespace sofa::core {

void OdeSolver::bwdInit()
{
    Component::bwdInit();
    const TagSet& tags = d_tags.value();
    if (!isValid() || tags.empty()) return;
    for (const BaseState* s : node()->getAll<BaseState>(Search::Down))
        if (s->isMechanical() && std::ranges::includes(s->d_tags.value(), tags)) return;
    const std::string problem =
        "no state in node '" + node()->pathName() + "' or below has its tags '" + d_tags.text() + "'";
    if (node()->getAll<OdeSolver>().size() > 1)
        return fail(problem +
                    ", and there are other integrators in the node: give the tags to the state that it moves");
    msgWarning() << problem << ": it integrates all states there, as it does without tags";
}

}  // namespace sofa::core
