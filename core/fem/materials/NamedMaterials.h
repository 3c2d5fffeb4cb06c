// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/factory/NamedTable.h"
#include "core/fem/kernels/MaterialKernels.h"
#include "core/fem/materials/Dual.h"

namespace sofa::core {

/// The function that the element kernels call for a material given by its energy density. `Energy` has
///
///     template <class T> static T value(const T& i, const T& ii, const T& j, const double* parameters);
///
/// with the invariants I = tr C, II = tr C², J = det F of C = Fᵀ F and the parameters of an element; T is Dual<3>,
/// which has
/// + − * /, log, exp, pow and sqrt. Use it as MaterialEvaluation{.law = MaterialLaw::User, .user =
/// invariantFunction<Energy, parameterCount>, .userParameters = parameterCount}.
template <class Energy, std::size_t parameterCount>
void invariantFunction(const double* parameters, const double* invariants, double* out, int lanes)
{
    for (int l = 0; l < lanes; ++l) {
        double p[parameterCount > 0 ? parameterCount : 1];
        for (std::size_t k = 0; k < parameterCount; ++k) p[k] = parameters[8 * k + static_cast<std::size_t>(l)];
        const Dual<3> psi = Energy::value(Dual<3>::variable(invariants[l], 0), Dual<3>::variable(invariants[8 + l], 1),
                                          Dual<3>::variable(invariants[16 + l], 2), p);
        const double derivatives[10] = {psi.v,       psi.g[0],    psi.g[1],    psi.g[2],    psi.h[0][0],
                                        psi.h[1][1], psi.h[2][2], psi.h[0][1], psi.h[1][2], psi.h[2][0]};
        for (int k = 0; k < 10; ++k) out[8 * k + l] = derivatives[k];
    }
}

/// A material with a name that scenes give: materialName="..." of HyperelasticityFEMForceField, with its parameters in
/// ParameterSet.
struct NamedMaterial
{
    MaterialEvaluation evaluation;
    std::size_t parameterCount = 0;
};

/// Materials by name, those of plugins among them. Force fields that use one keep its function when it is withdrawn.
NamedTable<NamedMaterial>& materials();

/// Registers a material given by its energy density, beside that. A name that is taken is reported as an error.
///
///     static const bool registered = registerUserMaterial<Energy, 3>("Fung");
template <class Energy, std::size_t parameterCount>
bool registerUserMaterial(const std::string& name)
{
    const MaterialEvaluation evaluation{
        .law = MaterialLaw::User, .user = &invariantFunction<Energy, parameterCount>, .userParameters = parameterCount};
    return materials().add(name, {evaluation, parameterCount}) != nullptr;
}

}  // namespace sofa::core
