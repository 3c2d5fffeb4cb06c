// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/PointLaw.h"

#include "core/math/Vector.h"

namespace sofa::core {

namespace {

struct UnitTetrahedra
{
    alignas(64) std::uint32_t vertices[4][PointLaw::width];
    alignas(64) double gradients[9][PointLaw::width] = {};
    alignas(64) double volumes[PointLaw::width];

    UnitTetrahedra()
    {
        for (std::uint32_t lane = 0; lane < PointLaw::width; ++lane) {
            volumes[lane] = 1.;
            for (std::uint32_t k = 0; k < 4; ++k) vertices[k][lane] = 4 * lane + k;
            for (std::size_t k = 0; k < 3; ++k) gradients[4 * k][lane] = 1.;
        }
    }
};

}  // namespace

PointLaw::PointLaw(const MaterialEvaluation& material, const double* parameters, const Gradients& f)
    : m_material(material), m_parameters(parameters)
{
    for (std::size_t lane = 0; lane < width; ++lane)
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t i = 0; i < 3; ++i) m_x[3 * (4 * lane + k + 1) + i] = f[lane][i][k];
}

void PointLaw::evaluate(double* forces, double* blocks, double* energies) const
{
    static const UnitTetrahedra unit;
    const ElementPackView view{4, 1, unit.vertices[0], unit.gradients[0], unit.volumes, nullptr};
    materialKernels().elements(m_material, view, m_parameters, m_x, forces, blocks, energies);
}

void PointLaw::stresses(Gradients& out) const
{
    alignas(64) double forces[width * 4 * 3];
    evaluate(forces, nullptr, nullptr);
    for (std::size_t lane = 0; lane < width; ++lane)
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t i = 0; i < 3; ++i) out[lane][i][k] = -forces[3 * (4 * lane + k + 1) + i];
}

void PointLaw::energies(double (&out)[width]) const
{
    alignas(64) double values[width];
    evaluate(nullptr, nullptr, values);
    for (std::size_t lane = 0; lane < width; ++lane) out[lane] = values[lane];
}

void PointLaw::findTangents() { evaluate(nullptr, m_blocks, nullptr); }

void PointLaw::tangent(std::size_t lane, Tangent& out) const
{
    const auto block = [&](std::size_t pair) {
        Mat3 b;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t l = 0; l < 3; ++l) b[i][l] = -m_blocks[width * (9 * pair + 3 * i + l) + lane];
        return b;
    };
    // The pairs of vertices are 01 02 03 12 13 23; rows of blocks sum to zero.
    out[0][1] = block(3);
    out[0][2] = block(4);
    out[1][2] = block(5);
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < k; ++l) out[k][l] = out[l][k].transposed();
    for (std::size_t k = 0; k < 3; ++k) {
        const Mat3 others = block(k).transposed() + out[k][(k + 1) % 3] + out[k][(k + 2) % 3];
        out[k][k] = (others + others.transposed()) * -0.5;
    }
}

LameParameters smallStrainParameters(const MaterialEvaluation& material, std::span<const double> parameters)
{
    constexpr std::size_t width = PointLaw::width;
    Vector<double> lanes(parameters.size() * width);
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] = parameters[k / width];
    PointLaw::Gradients rest;
    for (Mat3& f : rest) f = Mat3::identity();
    MaterialEvaluation exact = material;
    exact.projection = TangentProjection::None;
    if (exact.law == MaterialLaw::CorotationalApproximate) exact.law = MaterialLaw::Corotational;
    PointLaw law(exact, lanes.data(), rest);
    law.findTangents();
    PointLaw::Tangent a;
    law.tangent(0, a);
    double bulk = 0., shear = 0.;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            bulk += a[i][j][i][j] / 9.;                                  // ∂P_ii/∂F_jj
            if (i != j) shear += (a[j][j][i][i] + a[j][i][i][j]) / 12.;  // ∂P_ij/∂F_ij, ∂P_ij/∂F_ji
        }
    return {bulk - 2. / 3. * shear, shear};
}

}  // namespace sofa::core
