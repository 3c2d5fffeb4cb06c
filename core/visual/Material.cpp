// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/Material.h"

namespace sofa::core::io {

namespace {

struct ColourPart
{
    std::string_view keyword;
    bool MeshMaterial::*used;
    Vec<4, float> MeshMaterial::*colour;
};

constexpr ColourPart colourParts[] = {
    {"Diffuse", &MeshMaterial::useDiffuse, &MeshMaterial::diffuse},
    {"Ambient", &MeshMaterial::useAmbient, &MeshMaterial::ambient},
    {"Specular", &MeshMaterial::useSpecular, &MeshMaterial::specular},
    {"Emissive", &MeshMaterial::useEmissive, &MeshMaterial::emissive},
};

const ColourPart* findPart(std::string_view keyword)
{
    for (const ColourPart& p : colourParts)
        if (p.keyword == keyword) return &p;
    return nullptr;
}

}  // namespace

bool readValue(TextCursor& c, MeshMaterial& m)
{
    std::string_view word = c.token();
    if (word.empty()) return c.fail("the name of a material");
    m.name = std::string(word);
    // Parts follow as long as their keywords do: another material may come next in a list.
    while (!c.atEnd()) {
        TextCursor ahead(c.rest());
        word = ahead.token();
        const ColourPart* part = findPart(word);
        if (!part && word != "Shininess") break;
        c.advance(ahead.position());
        if (part) {
            if (!core::readValue(c, m.*part->used) || !core::readValue(c, m.*part->colour)) return false;
        } else if (!core::readValue(c, m.useShininess) || !core::readValue(c, m.shininess)) {
            return false;
        }
    }
    return true;
}

void writeValue(std::string& out, const MeshMaterial& m)
{
    out += m.name;
    for (const ColourPart& p : colourParts) {
        out += ' ';
        out += p.keyword;
        out += m.*p.used ? " 1 " : " 0 ";
        core::writeValue(out, m.*p.colour);
    }
    out += m.useShininess ? " Shininess 1 " : " Shininess 0 ";
    core::writeValue(out, m.shininess);
}

}  // namespace sofa::core::io
