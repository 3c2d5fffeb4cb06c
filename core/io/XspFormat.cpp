// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/XspFormat.h"

#include <cmath>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

namespace {

class XspParser
{
public:
    explicit XspParser(const SourceText& source) : m_in(source) {}

    XspData run()
    {
        m_in.stayOnLine(true);
        m_in.expect("Xsp");
        const double version = m_in.finite("the version");
        if (version != 3. && version != 4.) m_in.fail("version 3.0 or 4.0", m_in.found());
        m_vectors = version == 4.;
        m_in.skipLine();
        while (!m_in.atEnd()) {
            const std::string_view word = m_in.tokenOnLine();
            if (word == "mass")
                readMass();
            else if (word == "lspg")
                readSpring();
            else if (word == "numm" || word == "nums")
                (word == "numm" ? m_masses : m_springs) = m_in.integer("a number of elements");
            else if (!word.empty() && word[0] != '#' && word != "grav" && word != "visc" && word != "step" &&
                     word != "frce")
                m_in.fail("mass, lspg, numm, nums, grav, visc, step, frce or a comment", m_in.found());
            m_in.skipLine();
        }
        if (m_masses != 0 && m_data.masses.empty()) m_in.fail("a mass", "the end of the file");
        compare(m_masses, m_data.masses.size(), "masses");
        compare(m_springs, m_data.springs.size(), "springs");
        return std::move(m_data);
    }

private:
    void compare(std::int64_t announced, std::size_t given, const char* what)
    {
        if (announced >= 0 && static_cast<std::uint64_t>(announced) != given)
            m_data.notes.push_back(m_in.path() + ": " + std::to_string(announced) + " " + what + " are announced, " +
                                   std::to_string(given) + " given");
    }

    void readMass()
    {
        XspData::Mass m;
        m_in.integer("the index of the mass");
        const std::string_view place = m_in.token();
        if (place.empty()) m_in.fail("'s' (surface) or 'i' (inside)", m_in.found());
        m.surface = place == "s";
        m.position = m_in.point("a coordinate");
        m.velocity = m_in.point("a velocity");
        const double mass = m_in.finite("the mass");
        m.fixed = mass < 0.;
        m.mass = std::abs(mass);
        m.elasticity = m_in.finite("the elasticity");
        m_data.masses.push_back(m);
    }

    Index readPoint()
    {
        const std::int64_t i = m_in.integer("the index of a mass");
        if (i < 1 || static_cast<std::uint64_t>(i) > m_data.masses.size())
            m_in.fail("the index of a mass, from 1 to " + std::to_string(m_data.masses.size()), m_in.found());
        return static_cast<Index>(i - 1);
    }

    void readSpring()
    {
        XspData::Spring s;
        m_in.integer("the index of the spring");
        s.a = readPoint();
        s.b = readPoint();
        s.stiffness = m_in.finite("the stiffness");
        s.damping = m_in.finite("the damping");
        s.restLength = m_in.finite("the rest length");
        if (m_vectors) s.restVector = m_in.point("a coordinate of the rest vector");
        if (s.restLength == -1.) {
            s.restLength = norm(m_data.masses[s.a].position - m_data.masses[s.b].position);
            if (!(s.restLength > 0.))
                m_in.fail("two masses apart for a spring of rest length -1", "a distance of zero");
            s.stiffness /= s.restLength;
            s.damping /= s.restLength;
        }
        m_data.springs.push_back(s);
    }

    TextScanner m_in;
    XspData m_data;
    bool m_vectors = false;
    std::int64_t m_masses = -1, m_springs = -1;  ///< as announced
};

}  // namespace

XspData readXsp(const std::filesystem::path& path) { return parseXsp(loadSource(path)); }

XspData parseXsp(const SourceText& source) { return XspParser(source).run(); }

MeshData toMeshData(const XspData& data)
{
    MeshData mesh;
    mesh.notes = data.notes;
    DataArray mass{"mass", 1, {}}, velocity{"velocity", 3, {}};
    for (const XspData::Mass& m : data.masses) {
        mesh.positions.push_back(m.position);
        mass.values.push_back(m.mass);
        velocity.values.insert(velocity.values.end(), m.velocity.begin(), m.velocity.end());
    }
    mesh.pointData = {std::move(mass), std::move(velocity)};
    DataArray stiffness{"stiffness", 1, {}}, damping{"damping", 1, {}}, restLength{"restLength", 1, {}};
    for (const XspData::Spring& s : data.springs) {
        mesh.cellOrigins.push_back({CellKind::Edge, static_cast<Index>(mesh.edges.size()), 1});
        mesh.edges.push_back({s.a, s.b});
        stiffness.values.push_back(s.stiffness);
        damping.values.push_back(s.damping);
        restLength.values.push_back(s.restLength);
    }
    mesh.cellData = {std::move(stiffness), std::move(damping), std::move(restLength)};
    return mesh;
}

static const RegisterMeshFormat registeredXspFormat(
    {.name = "mass-spring network",
     .extensions = {".xs3", ".xsp"},
     .recognise =
         [](std::string_view content) { return content.starts_with("Xsp ") ? Recognition::Sure : Recognition::No; },
     .read = [](const SourceText& source, const MeshReadOptions&) { return toMeshData(parseXsp(source)); }});

}  // namespace sofa::core::io
