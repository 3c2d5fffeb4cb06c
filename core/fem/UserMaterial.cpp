// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/UserMaterial.h"

namespace sofa::core {

NamedTable<UserMaterial>& userMaterials()
{
    static NamedTable<UserMaterial> table("material");
    return table;
}

}  // namespace sofa::core
