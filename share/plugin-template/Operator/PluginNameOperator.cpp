// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameOperator.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameOperator::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const Vec3 pull = (x[i + 1] - x[i]) * *d_stiffness;
        f[i] += pull;
        f[i + 1] -= pull;
    }
}

void PluginNameOperator::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    const Mat3 block = Mat3::identity() * *d_stiffness;
    for (Index i = 0; i + 1 < state().size(); ++i) {
        k.add(i, i, block * -1.);
        k.add(i, i + 1, block);
        k.add(i + 1, i, block);
        k.add(i + 1, i + 1, block * -1.);
    }
}

double PluginNameOperator::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) energy += 0.5 * *d_stiffness * dot(x[i + 1] - x[i], x[i + 1] - x[i]);
    return energy;
}

MatrixFreeOperator* PluginNameOperator::matrixFreeOperator()
{
    m_product.points = state().size();
    m_product.stiffness = *d_stiffness;
    return &m_product;
}

double PluginNameOperator::Product::multiply(const Vector<double>& x, Vector<double>& y)
{
    const double k = m_terms.stiffness * stiffness;
    const std::size_t n = size();
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = m_terms.pointMass.empty() ? 0. : m_terms.pointMass[i / 3] * x[i];
        if (i >= 3) y[i] += k * (x[i - 3] - x[i]);
        if (i + 3 < n) y[i] += k * (x[i + 3] - x[i]);
    }
    for (const std::size_t i : m_terms.fixed) y[i] = 0.;
    for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

static const RegisterComponent registered =
    RegisterComponent("PluginNameOperator", "ForceField", "PluginName")
        .help("Draws every point to the next one, and multiplies by the whole system matrix without making it")
        .example("PluginName.scn")
        .add<PluginNameOperator>();

}  // namespace sofa::component
