// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/MaterialLaws.h"

#include "core/fem/materials/MaterialEnergies.h"

namespace sofa::core {

namespace {

struct Law
{
    std::string_view name;
    std::size_t parameters;
};
/// In the order of MaterialLaw.
constexpr Law laws[] = {
    {"St Venant-Kirchhoff", energy::StVenantKirchhoff::parameters},
    {"neo-Hookean", energy::NeoHookean::parameters},
    {"Mooney-Rivlin", energy::MooneyRivlin::parameters},
    {"Mooney-Rivlin (logarithmic)", energy::MooneyRivlinLog::parameters},
    {"Arruda-Boyce", energy::ArrudaBoyce::parameters},
    {"Veronda-Westmann", energy::VerondaWestmann::parameters},
    {"stable neo-Hookean", energy::StableNeoHookean::parameters},
    {"Ogden", 3},
    {"corotational", 2},
    {"corotational", 2},
    {"linear", 2},
    {"Costa", 8},
    {"user-defined", 0},
};

}  // namespace

std::size_t parameterCount(MaterialLaw law) { return laws[static_cast<int>(law)].parameters; }
std::string_view name(MaterialLaw law) { return laws[static_cast<int>(law)].name; }

}  // namespace sofa::core
