// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/math/Vector.h"

namespace sofa::core {

/// Derivative of a vector along a line by central differences D(h) = (f(h) − f(−h)) / 2h, and what is known of its
/// error. The conformance harness of the tests and `runSofa --check-derivatives` compare with it.
struct LineDerivative
{
    Vector<double> value;  ///< extrapolated: (4 D(h/2) − D(h)) / 3
    /// |D(h) − D(h/2)|∞ / 3, the truncation error of D(h/2), of which the extrapolated value has only the next order,
    /// plus the rounding 64 ε scale / h of two values of size `scale`.
    double bound = 0.;
};

/// f(s) is the value at a distance s along the line; `scale` the size of the numbers that are summed in f.
LineDerivative differentiateLine(const std::function<Vector<double>(double)>& f, double step, double scale);

}  // namespace sofa::core
