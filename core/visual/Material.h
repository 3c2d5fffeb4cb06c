// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/MeshData.h"
#include "core/objectmodel/TypeName.h"

namespace sofa::core {

/// Appearance of a surface (Phong model), as mesh files give it and visual models use it.
using Material = io::MeshMaterial;

template <>
struct TypeName<Material>
{
    static std::string get() { return "Material"; }
};

namespace io {

/// Text form: the name, then "Diffuse on r g b a", the same for Ambient, Specular and Emissive, then "Shininess on n",
/// where `on` is 0 or 1. Reading accepts the parts in any order and leaves the others as they are; textures have no
/// text form.
bool readValue(TextCursor& c, MeshMaterial& m);
void writeValue(std::string& out, const MeshMaterial& m);

}  // namespace io

}  // namespace sofa::core
