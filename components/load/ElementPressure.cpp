// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ElementPressure.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

template <std::size_t N>
Vec3 ElementPressure<N>::cornerForce(std::size_t i, const VecCoord&) const
{
    return d_pressure.value() * this->m_sizes[i] / static_cast<double>(N);
}

template <std::size_t N>
void ElementPressure<N>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    for (std::size_t i = 0; i < this->m_elements.size(); ++i) {
        const Vec3 force = cornerForce(i, x);
        for (const Index v : this->m_elements[i]) f[v] += force;
    }
}

template <std::size_t N>
double ElementPressure<N>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (std::size_t i = 0; i < this->m_elements.size(); ++i)
        for (const Index v : this->m_elements[i]) energy -= dot(ElementPressure::cornerForce(i, x), x[v]);
    return energy;
}

template class ElementPressure<2>;
template class ElementPressure<3>;
template class ElementPressure<4>;

}  // namespace sofa::component
