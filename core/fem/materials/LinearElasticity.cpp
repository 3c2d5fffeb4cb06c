// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/LinearElasticity.h"

#include <sstream>
#include <stdexcept>

namespace sofa::core {

LameParameters lameParameters(double youngModulus, double poissonRatio, std::size_t dimension)
{
    // The negated comparisons also catch values that are no numbers.
    if (!(youngModulus >= 0.) || !std::isfinite(youngModulus)) {
        std::ostringstream text;
        text << "Young's modulus must be a finite number >= 0 [Pa], not " << youngModulus;
        throw std::runtime_error(text.str());
    }
    if (!(poissonRatio > -1.) || !(poissonRatio < 0.5)) {
        std::ostringstream text;
        text << "Poisson's ratio must be below 0.5 (a ratio of 0.5 is incompressible) and above -1, not "
             << poissonRatio;
        throw std::runtime_error(text.str());
    }
    const double others = static_cast<double>(dimension) - 1.;
    return {youngModulus * poissonRatio / ((1. + poissonRatio) * (1. - others * poissonRatio)),
            youngModulus / (2. * (1. + poissonRatio))};
}

double vonMisesStress(const Mat3& s)
{
    const double a = s[0][0] - s[1][1], b = s[1][1] - s[2][2], c = s[2][2] - s[0][0];
    const double shear = s[0][1] * s[0][1] + s[1][2] * s[1][2] + s[2][0] * s[2][0];
    return std::sqrt(0.5 * (a * a + b * b + c * c) + 3. * shear);
}

}  // namespace sofa::core
