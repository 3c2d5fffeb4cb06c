// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/RotationRates.h"

#include <cmath>

namespace sofa::core {

Vec3 rotationVectorRate(const Vec3& vector, const Vec3& angularVelocity)
{
    const double t2 = norm2(vector), t = std::sqrt(t2);
    // Series where it is exact to rounding: the next term is below 1e-16.
    const double b = t < 0.1 ? 1. / 12. + t2 * (1. / 720. + t2 * (1. / 30240. + t2 * (1. / 1209600. + t2 / 47900160.)))
                             : (1. - 0.5 * t / std::tan(0.5 * t)) / t2;
    const Vec3 turned = cross(vector, angularVelocity);
    return angularVelocity - turned * 0.5 + cross(vector, turned) * b;
}

RotationRates::RotationRates(const ExecutionPlan& plan)
{
    for (BaseState* s : plan.independentStates())
        if (auto* frames = dynamic_cast<State<Rigid3Types>*>(s)) m_states.push_back(frames);
}

void RotationRates::fromVelocities(const MultiVecDerivId& v, const MultiVecDerivId& u, double h) const
{
    for (State<Rigid3Types>* s : m_states) {
        const auto& displacements = s->read(u.at(*s));
        const auto rates = s->write(v.at(*s));
        for (Index i = 0; i < s->size(); ++i) {
            Vec6& rate = rates[i];
            const Vec3 turning =
                rotationVectorRate(Rigid3Types::angular(displacements[i]) * h, Rigid3Types::angular(rate));
            for (std::size_t k = 0; k < 3; ++k) rate[3 + k] = turning[k];
        }
    }
}

}  // namespace sofa::core
