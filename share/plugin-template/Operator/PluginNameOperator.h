// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/behavior/MatrixFree.h"

namespace sofa::component {

/// A string: every point is drawn to the next one by a spring without rest length.
///
///   E = ½ k Σ |x_{i+1} − x_i|²           energy [J], k in N/m
///   f_i = k (x_{i+1} − x_i) − k (x_i − x_{i−1})   force [N], without the terms of neighbours that are not there
///   ∂f/∂x                                tridiagonal, the same at all positions
///
/// It brings an operator of its own: where nothing else but masses of points and fixed points acts on its state,
/// iterative solvers multiply by it in one pass over the points, and no matrix is made (runSofa --explain tells).
/// This is the law that the template starts with: replace it by yours, here and in the test.
class PluginNameOperator : public core::ForceField<core::Vec3Types>, public core::MatrixFreeStiffness
{
public:
    core::Data<double> d_stiffness{this,
                                   {.name = "stiffness",
                                    .help = "Stiffness of the spring between two points",
                                    .unit = "N/m",
                                    .range = core::Range::nonNegative()},
                                   1.};

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    bool isMatrixFreeFast() const override { return true; }
    core::MatrixFreeOperator* matrixFreeOperator() override;

private:
    /// A = M + s ∂f/∂x, with zero rows at fixed scalars.
    class Product final : public core::MatrixFreeOperator
    {
    public:
        void prepare(const core::SystemTerms& terms) override { m_terms = terms; }
        std::size_t size() const override { return 3 * points; }
        void load(const double* state, double* own) const override { std::copy_n(state, size(), own); }
        void store(const double* own, double* state) const override { std::copy_n(own, size(), state); }
        double multiply(const core::Vector<double>& x, core::Vector<double>& y) override;
        std::string_view description() const override { return "a string"; }
        std::size_t bytes() const override { return bytesOf(m_terms.pointMass) + bytesOf(m_terms.fixed); }

        std::size_t points = 0;
        double stiffness = 0.;

    private:
        core::SystemTerms m_terms;
    };
    Product m_product;
};

}  // namespace sofa::component
