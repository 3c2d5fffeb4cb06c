// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

std::string MeshFormat::text() const
{
    std::string s = name;
    for (std::size_t k = 0; k < extensions.size(); ++k) s += (k == 0 ? " (" : ", ") + extensions[k];
    return extensions.empty() ? s : s + ')';
}

NamedTable<MeshFormat>& meshFormats()
{
    static NamedTable<MeshFormat> table("mesh format");
    return table;
}

RegisterMeshFormat::RegisterMeshFormat(MeshFormat format)
{
    const std::string name = format.name;
    meshFormats().add(name, std::move(format));
}

}  // namespace sofa::core::io
