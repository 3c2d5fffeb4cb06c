// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/LineDerivative.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sofa::core {

LineDerivative differentiateLine(const std::function<Vector<double>(double)>& f, double step, double scale)
{
    const auto central = [&f](double h) {
        Vector<double> d = f(h);
        const Vector<double> back = f(-h);
        for (std::size_t i = 0; i < d.size(); ++i) d[i] = (d[i] - back[i]) / (2. * h);
        return d;
    };
    const Vector<double> coarse = central(step);
    LineDerivative out{central(step / 2.)};
    double difference = 0.;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        const double d = coarse[i] - out.value[i];
        // A difference that is not a number must not be lost in a maximum.
        difference = std::isnan(d) ? d : std::max(difference, std::abs(d));
        out.value[i] = (4. * out.value[i] - coarse[i]) / 3.;
    }
    out.bound = difference / 3. + 64. * std::numeric_limits<double>::epsilon() * scale / step;
    return out;
}

}  // namespace sofa::core
