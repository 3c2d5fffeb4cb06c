// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/ElasticityMatrix.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace sofa::core {

namespace {

/// Place of ε_ij among the six numbers.
constexpr std::size_t place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

[[noreturn]] void throwInvalid(const char* what, const Vec3& values)
{
    std::ostringstream text;
    text << "orthotropic material: " << what << " (" << values[0] << ' ' << values[1] << ' ' << values[2] << ')';
    throw std::runtime_error(text.str());
}

void requirePositive(const Vec3& values, const char* what)
{
    for (const double v : values)
        if (!(v > 0.) || !std::isfinite(v)) throwInvalid(what, values);
}

}  // namespace

ElasticityMatrix isotropicElasticity(const LameParameters& material)
{
    ElasticityMatrix c;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) c[i][j] = material.lambda;
        c[i][i] += 2. * material.mu;
        c[i + 3][i + 3] = material.mu;
    }
    return c;
}

ElasticityMatrix orthotropicElasticity(const OrthotropicParameters& m)
{
    requirePositive(m.moduli, "Young's moduli must be finite numbers above 0 [Pa]");
    requirePositive(m.shearModuli, "shear moduli must be finite numbers above 0 [Pa]");
    const Vec3 &e = m.moduli, &nu = m.ratios;
    Mat3 compliance = Mat3::diagonal({1. / e[0], 1. / e[1], 1. / e[2]});
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        compliance[i][j] = compliance[j][i] = -nu[i] / e[i];
        // Scaled to a unit diagonal, so that moduli of different size do no harm.
        const double coupling = nu[i] * std::sqrt(e[j] / e[i]);
        if (!(coupling * coupling < 1.))
            throwInvalid("the energy must grow with every strain, which these Poisson's ratios do not allow", nu);
    }
    if (!(determinant(compliance) > 0.))
        throwInvalid("the energy must grow with every strain, which these Poisson's ratios do not allow", nu);
    const Mat3& r = m.axes;
    const Mat3 deviation = r * r.transposed() - Mat3::identity();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (!(std::abs(deviation[i][j]) < 1e-3))
                throwInvalid("its axes must be orthonormal; a row of their matrix is", r[i]);

    ElasticityMatrix local;
    const Mat3 normal = inverse(compliance);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) local[i][j] = normal[i][j];
        local[i + 3][i + 3] = m.shearModuli[i];
    }
    if (r == Mat3::identity()) return local;
    // σ = R σ' Rᵀ as a map of the six numbers; C = T C' Tᵀ.
    ElasticityMatrix turn;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t i1 = (i + 1) % 3, j1 = (j + 1) % 3;
            turn[i][j] = r[i][j] * r[i][j];
            turn[i][j + 3] = 2. * r[i][j] * r[i][j1];
            turn[i + 3][j] = r[i][j] * r[i1][j];
            turn[i + 3][j + 3] = r[i][j] * r[i1][j1] + r[i][j1] * r[i1][j];
        }
    ElasticityMatrix c = turn * local * turn.transposed();
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < i; ++j) c[i][j] = c[j][i] = 0.5 * (c[i][j] + c[j][i]);
    return c;
}

Mat3 elasticStiffnessBlock(const ElasticityMatrix& c, const Mat3& products)
{
    Mat3 k;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t m = 0; m < 3; ++m) {
            double sum = 0.;
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t l = 0; l < 3; ++l) sum += c[place[i][j]][place[m][l]] * products[j][l];
            k[i][m] = sum;
        }
    return k;
}

}  // namespace sofa::core
