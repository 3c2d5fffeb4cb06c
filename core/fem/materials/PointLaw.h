// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/fem/kernels/MaterialKernels.h"
#include "core/fem/materials/LinearElasticity.h"

namespace sofa::core {

/// Any law of MaterialLaw at eight deformation gradients, by the kernels of elements: those of tetrahedra with the
/// vertices 0, F e₁, F e₂, F e₃, unit gradients and unit volume. Their forces are minus the stress P = ∂Ψ/∂F, their
/// blocks minus its derivative. Parameters are [parameter][lane].
class PointLaw
{
public:
    static constexpr std::size_t width = 8;
    using Gradients = Mat3[width];
    /// [k][l] = ∂(P e_k)/∂(F e_l).
    using Tangent = Mat3[3][3];

    PointLaw(const MaterialEvaluation& material, const double* parameters, const Gradients& f);

    void stresses(Gradients& out) const;
    void energies(double (&out)[width]) const;
    /// Evaluates the tangents.
    void findTangents();
    void tangent(std::size_t lane, Tangent& out) const;

private:
    void evaluate(double* forces, double* blocks, double* energies) const;

    const MaterialEvaluation& m_material;
    const double* m_parameters;
    alignas(64) double m_x[4 * width * 3 + width] = {};
    alignas(64) double m_blocks[6 * 9 * width];
};

/// Lamé's parameters of a material at small strains, from its tangent at rest; of one that is not isotropic, mean
/// values over the axes of the mesh.
LameParameters smallStrainParameters(const MaterialEvaluation& material, std::span<const double> parameters);

}  // namespace sofa::core
