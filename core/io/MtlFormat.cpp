// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <charconv>

#include "core/io/MeshError.h"
#include "core/io/ObjFormat.h"

namespace sofa::core::io {

namespace {

class MtlParser
{
public:
    MtlParser(const SourceText& source, std::vector<MeshMaterial>& materials, std::vector<std::string>& notes)
        : m_in(source), m_materials(materials), m_notes(notes)
    {
    }

    void run()
    {
        m_in.stayOnLine(true);
        while (!m_in.atEnd()) {
            const std::size_t start = m_in.offset();
            try {
                statement();
            } catch (const MeshError& e) {
                if (m_notes.size() < 100) m_notes.push_back(e.what());
                m_in.seek(start);
            }
            m_in.skipLine();
        }
    }

private:
    TextScanner m_in;
    std::vector<MeshMaterial>& m_materials;
    std::vector<std::string>& m_notes;
    MeshMaterial* m_current = nullptr;

    float number(const char* what) { return static_cast<float>(m_in.finite(what)); }

    /// One or three components; a spectral file or CIE XYZ colour is not supported.
    void colour(Vec<4, float>& c, bool& used)
    {
        const float r = number("a colour component");
        const float g = m_in.atLineEnd() ? r : number("a colour component");
        const float b = m_in.atLineEnd() ? g : number("a colour component");
        c = {r, g, b, c[3]};
        used = true;
    }

    /// File name of a texture statement: the rest of the line after its options ("-s 1 1 1", "-clamp on", ...).
    void texture(std::string& name)
    {
        m_in.skipBlanks();
        std::size_t start = m_in.offset();
        for (auto t = m_in.tokenOnLine(); t.size() > 1 && t[0] == '-'; t = m_in.tokenOnLine()) {
            if (t == "-blendu" || t == "-blendv" || t == "-cc" || t == "-clamp" || t == "-imfchan" || t == "-type" ||
                t == "-boost" || t == "-texres" || t == "-bm") {
                (void)m_in.tokenOnLine();
            } else if (t == "-mm") {
                (void)m_in.tokenOnLine();
                (void)m_in.tokenOnLine();
            } else if (t == "-o" || t == "-s" || t == "-t") {
                double v = 0.;
                for (int i = 0; i < 3; ++i) {
                    const std::size_t at = m_in.offset();
                    if (!parseReal(m_in.tokenOnLine(), v)) {
                        m_in.seek(at);
                        break;
                    }
                }
            } else {
                break;
            }
            m_in.skipBlanks();
            start = m_in.offset();
        }
        m_in.seek(start);
        const auto rest = m_in.restOfLine();
        if (rest.empty()) m_in.failAt(start, "the file name of a texture", "the end of the line");
        name = rest;
        m_in.seek(start);  // the caller skips the line
    }

    void statement()
    {
        const auto key = m_in.tokenOnLine();
        if (key.empty() || key[0] == '#') return;
        if (key == "newmtl") {
            m_materials.emplace_back();
            m_current = &m_materials.back();
            m_current->name = m_in.tokenOnLine();
            return;
        }
        if (!m_current) m_in.fail("'newmtl' before the properties of a material", m_in.found());
        auto& m = *m_current;
        if (key == "Ka") {
            colour(m.ambient, m.useAmbient);
        } else if (key == "Kd") {
            colour(m.diffuse, m.useDiffuse);
        } else if (key == "Ks") {
            colour(m.specular, m.useSpecular);
        } else if (key == "Ke") {
            colour(m.emissive, m.useEmissive);
        } else if (key == "Ns") {
            m.shininess = number("the specular exponent");
            m.useShininess = true;
        } else if (key == "Ni") {
            m.refraction = number("the index of refraction");
        } else if (key == "illum") {
            m.illumination = static_cast<int>(m_in.integer("the illumination model"));
        } else if (key == "d") {
            if (m_in.peek() == "-halo") (void)m_in.tokenOnLine();
            m.diffuse[3] = number("the opacity");
        } else if (key == "Tr") {
            m.diffuse[3] = 1.f - number("the transparency");
        } else if (key == "Tf") {
            m.diffuse[3] = number("the transmission filter");
        } else if (key == "map_Kd") {
            texture(m.diffuseTexture);
        } else if (key == "map_Ka") {
            texture(m.ambientTexture);
        } else if (key == "map_Ks") {
            texture(m.specularTexture);
        } else if (key == "map_Ke") {
            texture(m.emissiveTexture);
        } else if (key == "map_Ns") {
            texture(m.shininessTexture);
        } else if (key == "map_d") {
            texture(m.alphaTexture);
        } else if (key == "map_bump" || key == "map_Bump" || key == "bump") {
            texture(m.bumpTexture);
        } else if (key == "disp") {
            texture(m.displacementTexture);
        } else if (key == "refl") {
            texture(m.reflectionTexture);
        }
    }
};

}  // namespace

void parseMtl(const SourceText& source, std::vector<MeshMaterial>& materials, std::vector<std::string>& notes)
{
    MtlParser(source, materials, notes).run();
}

void readMtl(const std::filesystem::path& path, std::vector<MeshMaterial>& materials, std::vector<std::string>& notes)
{
    parseMtl(loadSource(path), materials, notes);
}

void writeMtl(const std::filesystem::path& path, const std::vector<MeshMaterial>& materials)
{
    std::string out;
    const auto number = [&](float v) {
        out += ' ';
        // The shortest decimal of the float, not of the double it widens to.
        char b[32];
        const auto r = std::to_chars(b, b + sizeof b, v);
        out.append(b, r.ptr);
    };
    const auto colour = [&](const char* key, bool used, const Vec<4, float>& c) {
        if (!used) return;
        out += key;
        for (std::size_t i = 0; i < 3; ++i) number(c[i]);
        out += '\n';
    };
    const auto texture = [&](const char* key, const std::string& name) {
        if (!name.empty()) out += std::string(key) + " " + name + "\n";
    };
    for (const auto& m : materials) {
        out += "newmtl " + m.name + "\n";
        colour("Ka", m.useAmbient, m.ambient);
        colour("Kd", m.useDiffuse, m.diffuse);
        colour("Ks", m.useSpecular, m.specular);
        colour("Ke", m.useEmissive, m.emissive);
        if (m.useShininess) {
            out += "Ns";
            number(m.shininess);
            out += '\n';
        }
        out += "Ni";
        number(m.refraction);
        out += "\nd";
        number(m.diffuse[3]);
        out += "\nillum " + std::to_string(m.illumination) + "\n";
        texture("map_Kd", m.diffuseTexture);
        texture("map_Ka", m.ambientTexture);
        texture("map_Ks", m.specularTexture);
        texture("map_Ke", m.emissiveTexture);
        texture("map_Ns", m.shininessTexture);
        texture("map_d", m.alphaTexture);
        texture("map_bump", m.bumpTexture);
        texture("disp", m.displacementTexture);
        texture("refl", m.reflectionTexture);
    }
    saveText(path, out);
}

}  // namespace sofa::core::io
