// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/LinearOperator.h"

namespace sofa::core {

/// What the caller of a Krylov method decides.
class KrylovControl
{
public:
    struct Progress
    {
        unsigned iterations;  ///< that are done
        double square;        ///< r · r
        double rho;           ///< r · M⁻¹ r, with the preconditioner M
    };
    enum class Next
    {
        Iterate,
        Stop,
        Restart  ///< M is another one from here on: the directions so far are forgotten, and this is asked once more
    };
    virtual ~KrylovControl() = default;
    virtual Next next(const Progress& now) = 0;
    /// Whether to go along a direction p of this curvature p · A p; otherwise it ends.
    virtual bool accepts(const Progress& /*now*/, double /*curvature*/) { return true; }
    /// M⁻¹ r; `r` itself without a preconditioner.
    virtual const Vector<double>& precondition(const Vector<double>& r) { return r; }
};

}  // namespace sofa::core
