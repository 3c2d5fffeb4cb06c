// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/LinearElasticForceField.h"

#include "core/fem/Decompositions.h"

namespace sofa::component {

LameParameters LinearElasticForceField::materialOf(Index e, double factor) const
{
    const auto value = [e](const Data<Vector<double>>& d) {
        const Vector<double>& v = d.value();
        if (v.empty()) return d.defaultValue()[0];
        return e < v.size() ? v[e] : v[0];
    };
    try {
        return lameParameters(factor * value(d_youngModulus), value(d_poissonRatio));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("element " + std::to_string(e) + ": " + error.what());
    }
}

Mat3 LinearElasticForceField::nearestRotation(const Mat3& m) { return polarRotation(m).r; }

Options rotationMethodOptions(bool withSvd)
{
    std::vector<std::string> names{"small", "large", "polar"};
    if (withSvd) names.emplace_back("svd");
    return {std::move(names), 1};
}

RotationMethod rotationMethod(const Options& o)
{
    // The options have the order of the enumeration.
    return static_cast<RotationMethod>(o.index());
}

}  // namespace sofa::component
