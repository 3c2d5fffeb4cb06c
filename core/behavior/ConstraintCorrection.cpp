// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ConstraintCorrection.h"

#include <algorithm>

namespace sofa::core {

void ConstraintCorrection::coupleRows(const ConstraintMatrix& h, ComplianceMatrix& w) const
{
    Vector<int> rows;
    for (const BaseState* s : states())
        if (const auto* part = h.part(*s)) rows.insert(rows.end(), part->rows.begin(), part->rows.end());
    std::ranges::sort(rows);
    w.couple(rows);
}

}  // namespace sofa::core
