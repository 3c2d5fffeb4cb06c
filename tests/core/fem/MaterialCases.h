// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/kernels/MaterialKernels.h"
#include "core/fem/materials/Dual.h"
#include "core/fem/materials/MaterialEnergies.h"
#include "core/math/Decompositions.h"
#include "tests/core/fem/FemTestUtilities.h"

/// The material laws with parameters, the poses at which elements are tested, and energy densities in dual numbers.
namespace sofa::test {

struct LawCase
{
    const char* name;
    MaterialLaw law;
    std::vector<double> parameters;
    double lambda, mu;  ///< of the small-strain limit
    bool isotropic = true;
    bool validInverted = false;  ///< smooth at negative stretches without a threshold
};

/// A user's law: the neo-Hookean one of Bonet and Wood with J² in place of logarithms, by hand.
inline void quadraticVolume(const double* p, const double* in, double* out, int lanes)
{
    for (int l = 0; l < lanes; ++l) {
        const double lambda = p[l], mu = p[8 + l], i = in[l], j = in[16 + l];
        for (int k = 0; k < 10; ++k) out[8 * k + l] = 0.;
        out[l] = mu / 2. * (i - 3. - 2. * std::log(j)) + lambda / 2. * (j - 1.) * (j - 1.);
        out[8 + l] = mu / 2.;
        out[24 + l] = -mu / j + lambda * (j - 1.);
        out[48 + l] = mu / (j * j) + lambda;
    }
}

inline std::vector<LawCase> laws()
{
    const double lambda = 900., mu = 400.;
    return {
        {"St Venant-Kirchhoff", MaterialLaw::StVenantKirchhoff, {lambda, mu}, lambda, mu, true, true},
        {"neo-Hookean", MaterialLaw::NeoHookean, {lambda, mu}, lambda, mu},
        {"Mooney-Rivlin", MaterialLaw::MooneyRivlin, {70., 130., 600.}, 1200. - 2. / 3. * 400., 400.},
        {"Mooney-Rivlin, logarithmic", MaterialLaw::MooneyRivlinLog, {70., 130., 1200.}, 1200. - 2. / 3. * 400., 400.},
        {"Veronda-Westmann", MaterialLaw::VerondaWestmann, {100., 8., 1500.}, 1500. - 2. / 3. * 800., 800.},
        {"stable neo-Hookean", MaterialLaw::StableNeoHookean, {lambda, mu}, lambda, mu, true, true},
        {"Ogden", MaterialLaw::Ogden, {800., 4.5, 1300.}, 1300. - 2. / 3. * 400., 400.},
        {"Ogden, negative exponent", MaterialLaw::Ogden, {800., -2.5, 1300.}, 1300. - 2. / 3. * 400., 400.},
        {"corotational", MaterialLaw::Corotational, {lambda, mu}, lambda, mu, true, true},
        {"user", MaterialLaw::User, {lambda, mu}, lambda, mu},
        {"Costa", MaterialLaw::Costa, {60., 900., 8., 4., 3., 5., 2., 6.}, 0., 0., false},
        // Σ 2 cₙ n 3ⁿ⁻¹ of the series is 1.0 (the modulus) times a factor of its own.
        {"Arruda-Boyce", MaterialLaw::ArrudaBoyce, {400., 1300.}, 0., 0.},
    };
}

/// All laws, with those that are no functions of the stretches (linear), or whose tangent is approximate.
inline std::vector<LawCase> allLaws()
{
    std::vector<LawCase> all = laws();
    all.push_back({"linear", MaterialLaw::Linear, {900., 400.}, 900., 400., false, true});
    return all;
}
inline LawCase approximateCorotational()
{
    return {"corotational, approximate tangent", MaterialLaw::CorotationalApproximate, {900., 400.}, 900., 400.};
}

/// What an element needs to follow a law, with `options` for the rest.
inline MaterialEvaluation evaluation(const LawCase& law, MaterialEvaluation options = {})
{
    options.law = law.law;
    options.user = law.law == MaterialLaw::User ? quadraticVolume : nullptr;
    options.userParameters = 2;
    return options;
}

/// Root of p near x in dual numbers: three steps of Newton's method from the converged value give all derivatives.
template <std::size_t N, class F>
Dual<N> rootNear(double x, F&& polynomialAndDerivative)
{
    Dual<N> root = x;
    for (int step = 0; step < 3; ++step) {
        const auto [value, slope] = polynomialAndDerivative(root);
        root = root - value / slope;
    }
    return root;
}

/// The energy density of a law at F, in dual numbers: an implementation of its own for the laws in stretches and for
/// Costa's, the energies of core/fem/materials/MaterialEnergies.h for the others. Ogden's law needs different
/// stretches.
template <std::size_t N>
Dual<N> density(const LawCase& law, const Dual<N> (&f)[3][3])
{
    using D = Dual<N>;
    const double* p = law.parameters.data();
    D c[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c[i][j] = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
    D i = c[0][0] + c[1][1] + c[2][2], ii = 0.;
    for (const auto& row : c)
        for (const D& v : row) ii = ii + v * v;
    const D j = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) - f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    const D second = (i * i - ii) * 0.5;
    Mat3 numbers;
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) numbers[a][b] = f[a][b].v;
    const Svd3 decomposition = svd(numbers);
    switch (law.law) {
        case MaterialLaw::StVenantKirchhoff:
            return energy::StVenantKirchhoff::value(i, ii, j, p);
        case MaterialLaw::NeoHookean:
            return energy::NeoHookean::value(i, ii, j, p);
        case MaterialLaw::MooneyRivlin:
            return energy::MooneyRivlin::value(i, ii, j, p);
        case MaterialLaw::MooneyRivlinLog:
            return energy::MooneyRivlinLog::value(i, ii, j, p);
        case MaterialLaw::ArrudaBoyce:
            return energy::ArrudaBoyce::value(i, ii, j, p);
        case MaterialLaw::VerondaWestmann:
            return energy::VerondaWestmann::value(i, ii, j, p);
        case MaterialLaw::StableNeoHookean:
            return energy::StableNeoHookean::value(i, ii, j, p);
        case MaterialLaw::Ogden: {
            D sum = 0.;
            for (std::size_t k = 0; k < 3; ++k) {
                const D eigenvalue = rootNear<N>(decomposition.s[k] * decomposition.s[k], [&](const D& x) {
                    return std::pair(((x - i) * x + second) * x - j * j, (x * 3. - i * 2.) * x + second);
                });
                sum = sum + pow(eigenvalue, p[1] * 0.5);
            }
            const D l = log(j);
            return (exp(l * (-p[1] / 3.)) * sum - 3.) * (p[0] / (p[1] * p[1])) + l * l * (p[2] * 0.5);
        }
        case MaterialLaw::Corotational:
        case MaterialLaw::CorotationalApproximate: {
            // The trace t of the stretch tensor solves (t² − I)² − 8 J t = 4 I₂.
            const D t = rootNear<N>(decomposition.s[0] + decomposition.s[1] + decomposition.s[2], [&](const D& x) {
                const D q = x * x - i;
                return std::pair(q * q - j * x * 8. - second * 4., q * x * 4. - j * 8.);
            });
            return (i - t * 2. + 3.) * p[1] + (t - 3.) * (t - 3.) * (p[0] * 0.5);
        }
        case MaterialLaw::Linear: {
            D squares = 0., trace = f[0][0] + f[1][1] + f[2][2] - 3.;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    const D e = (f[a][b] + f[b][a]) * 0.5 - (a == b ? 1. : 0.);
                    squares = squares + e * e;
                }
            return squares * p[1] + trace * trace * (p[0] * 0.5);
        }
        case MaterialLaw::Costa: {
            const double b[3][3] = {{p[2], p[3], p[5]}, {p[3], p[4], p[6]}, {p[5], p[6], p[7]}};
            D q = 0.;
            for (int r = 0; r < 3; ++r)
                for (int s = 0; s < 3; ++s) {
                    const D e = (c[r][s] - (r == s ? 1. : 0.)) * 0.5;
                    q = q + e * e * b[r][s];
                }
            const D l = log(j);
            return (exp(exp(l * (-4. / 3.)) * q) - 1.) * (p[0] * 0.5) + (j * l - j + 1.) * p[1];
        }
        case MaterialLaw::User:
            break;
    }
    return (i - 3. - log(j) * 2.) * (p[1] * 0.5) + (j - 1.) * (j - 1.) * (p[0] * 0.5);
}

/// Poses at which every law is smooth: at rest, randomly deformed, rotated, compressed almost flat.
inline std::vector<std::pair<std::string, Vector<Vec3>>> poses(const Vector<Vec3>& points)
{
    Vector<Vec3> random = points;
    const auto noise = randomVectors(random.size(), 0.08, 3);
    for (std::size_t i = 0; i < random.size(); ++i) random[i] += noise[i];
    Mat3 squeeze = Mat3::identity();
    squeeze[1][1] = 0.3;
    squeeze[0][2] = 0.4;
    return {{"rest", points},
            {"random", random},
            {"rotated", mapped(random, someRotation(), {3., -1., 2.})},
            {"squeezed", mapped(random, squeeze, {})}};
}

/// Central differences of the energy and of the forces, extrapolated once (Richardson): error of order h⁴.
template <class F>
std::invoke_result_t<F&, double> derivative(F&& f, double h)
{
    return (8. * (f(h) - f(-h)) - (f(2. * h) - f(-2. * h))) / (12. * h);
}

inline std::vector<std::pair<std::string, Vector<Vec3>>> poses(const BoxMesh& mesh) { return poses(mesh.points); }

}  // namespace sofa::test
