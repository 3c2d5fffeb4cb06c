// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/NamedMaterials.h"

#include <utility>

namespace sofa::core {

NamedTable<NamedMaterial>& materials()
{
    static NamedTable<NamedMaterial> table("material");
    [[maybe_unused]] static const bool own = [] {
        constexpr std::pair<const char*, MaterialLaw> laws[] = {
            {"ArrudaBoyce", MaterialLaw::ArrudaBoyce},
            {"Costa", MaterialLaw::Costa},
            {"MooneyRivlin", MaterialLaw::MooneyRivlinLog},
            {"NeoHookean", MaterialLaw::NeoHookean},
            {"Ogden", MaterialLaw::Ogden},
            {"StVenantKirchhoff", MaterialLaw::StVenantKirchhoff},
            {"StableNeoHookean", MaterialLaw::StableNeoHookean},
            {"VerondaWestman", MaterialLaw::VerondaWestmann},
        };
        for (const auto& [name, law] : laws) table.add(name, {{.law = law}, parameterCount(law)});
        return true;
    }();
    return table;
}

}  // namespace sofa::core
