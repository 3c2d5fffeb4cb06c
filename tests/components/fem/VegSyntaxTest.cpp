// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Every way to write a mesh of Vega, through MeshVegLoader into the force fields: the forces are those of the same mesh
// with its materials given to each element in the scene.
#include <fstream>

#include "core/behavior/ForceField.h"
#include "core/io/VegBinary.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/Paths.h"

namespace veg_syntax_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const BoxMesh box(2, 2, 1, {1., 1.2, 0.6});

/// How a file is written.
struct Syntax
{
    std::string name;
    int vertexBase = 1, elementBase = 1;
    std::string separator = " ", lineEnd = "\n";
    bool comments = false, lowerCase = false, includes = false, tetgen = false, regionsFirst = false, binary = false;
};

const std::vector<Syntax> syntaxes{
    {.name = "plain"},
    {.name = "from zero", .vertexBase = 0, .elementBase = 0},
    {.name = "vertices from zero, elements from one", .vertexBase = 0},
    {.name = "vertices from one, elements from zero", .elementBase = 0},
    {.name = "commas", .separator = ", "},
    {.name = "tabs and many blanks", .separator = " \t  "},
    {.name = "lines of Windows", .lineEnd = "\r\n"},
    {.name = "comments and blank lines", .comments = true},
    {.name = "lower case", .lowerCase = true},
    {.name = "included lists", .includes = true},
    {.name = "points and tetrahedra of TetGen", .includes = true, .tetgen = true},
    {.name = "regions before materials and sets", .regionsFirst = true},
    {.name = "binary", .binary = true},
};

/// Writes files of a mesh with the elements `special` in a set of their own.
class Writer
{
public:
    Writer(const Syntax& syntax, const std::filesystem::path& folder) : m_s(syntax), m_folder(folder) {}

    template <std::size_t N>
    void write(const Vector<std::array<Index, N>>& elements, const std::string& materials, const std::string& regions,
               const Vector<Index>& special) const
    {
        std::string points, list, numbers;
        for (Index i = 0; i < box.points.size(); ++i) {
            add(points, {std::to_string(i + static_cast<Index>(m_s.vertexBase)), text(box.points[i][0]),
                         text(box.points[i][1]), text(box.points[i][2])});
            if (m_s.tetgen) points.insert(points.size() - m_s.lineEnd.size(), " 7 1");  // attribute and marker
        }
        for (Index e = 0; e < elements.size(); ++e) {
            std::vector<std::string> line{std::to_string(e + static_cast<Index>(m_s.elementBase))};
            for (const Index v : elements[e]) line.push_back(std::to_string(v + static_cast<Index>(m_s.vertexBase)));
            add(list, line);
        }
        for (const Index e : special) numbers += std::to_string(e + static_cast<Index>(m_s.elementBase)) + ", ";
        numbers += m_s.lineEnd;
        const std::string pointCount =
                              std::to_string(box.points.size()) + (m_s.tetgen ? " 3 1 1" : " 3 0 0") + m_s.lineEnd,
                          elementCount = std::to_string(elements.size()) + ' ' + std::to_string(N) + " 0" + m_s.lineEnd;
        std::string out;
        out += command("*VERTICES") + include("points.node", pointCount + points);
        out += command("*ELEMENTS") + (N == 4 ? "TET" : "CUBIC") + m_s.lineEnd +
               include("elements.ele", elementCount + list);
        const std::string sets = command("*SET special") + include("special.txt", numbers);
        out += m_s.regionsFirst ? lines(regions) + lines(materials) + sets : lines(materials) + sets + lines(regions);
        save("mesh.veg", out);
        if (m_s.binary) io::writeVegBinary(m_folder / "mesh.veg", io::readVeg(m_folder / "mesh.veg"));
    }

private:
    static std::string text(double v)
    {
        std::ostringstream out;
        out.precision(17);
        out << v;
        return out.str();
    }
    void add(std::string& out, const std::vector<std::string>& values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i) out += (i ? m_s.separator : "") + values[i];
        out += m_s.lineEnd;
        if (m_s.comments) out += "# a comment" + m_s.lineEnd + "   " + m_s.lineEnd;
    }
    std::string command(const std::string& words) const
    {
        std::string s = words;
        if (m_s.lowerCase)
            std::transform(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(std::min(s.find(' '), s.size())),
                           s.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
        return s + m_s.lineEnd;
    }
    /// Materials and regions, whose lines end with '\n' and whose commands start with '*'.
    std::string lines(const std::string& text) const
    {
        std::string out;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) {
            out += line[0] == '*' ? command(line) : line + m_s.lineEnd;
            if (m_s.comments) out += "#" + m_s.lineEnd + m_s.lineEnd;
        }
        return out;
    }
    std::string include(const std::string& file, const std::string& content) const
    {
        if (!m_s.includes) return content;
        save(file, content);
        return "*INCLUDE " + file + m_s.lineEnd;
    }
    void save(const std::string& file, const std::string& content) const
    {
        std::ofstream(m_folder / file, std::ios::binary) << content;
    }

    const Syntax& m_s;
    std::filesystem::path m_folder;
};

/// Forces of the force field on a deformed box, from a scene with a loader for the mesh.
Eigen::VectorXd forces(const std::filesystem::path& mesh, bool cubes, const std::string& field)
{
    auto root = loadSceneText("<Node name='root'><MeshVegLoader name='loader' filename='" + mesh.string() + "'/><" +
                                  (cubes ? "Hexahedron" : "Tetrahedron") +
                                  "SetTopologyContainer src='@loader'/><MechanicalObject src='@loader'/><" + field +
                                  " name='force'/></Node>",
                              "scene.scn");
    Simulation simulation(root);
    REQUIRE(simulation.init());
    auto* force = dynamic_cast<ForceField<Vec3Types>*>(root->component("force"));
    REQUIRE(force);
    Vector<Vec3> x = force->state().positions();
    REQUIRE(x.size() == box.points.size());
    const Vector<Vec3> noise = randomVectors(x.size(), 0.05, 9);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    Vector<Vec3> f(x.size());
    force->addForce({}, f, x, Vector<Vec3>(x.size()));
    return flatten(f);
}

/// A list with one text per element.
std::string perElement(std::size_t n, const Vector<Index>& special, const std::string& others,
                       const std::string& ofSpecial)
{
    std::string out;
    for (Index e = 0; e < n; ++e)
        out += (std::find(special.begin(), special.end(), e) == special.end() ? others : ofSpecial) + ' ';
    return out;
}

const Vector<Index> special{1, 3};
// Of two regions that hold an element the last one counts.
const std::string regions = "*REGION\nallElements, soft\n*REGION\nspecial, hard\n";

}  // namespace

TEST_CASE("every way to write a mesh of Vega gives the same forces")
{
    const auto check = [&](const auto& elements, const std::string& materials, const std::string& field,
                           const std::vector<std::array<std::string, 4>>& properties) {
        const bool cubes = elements[0].size() == 8;
        std::string linked = field, given = field;
        for (const auto& [name, link, soft, hard] : properties) {
            linked += ' ' + name + "='@loader." + link + "'";
            given += ' ' + name + "='" + perElement(elements.size(), special, soft, hard) + "'";
        }
        Eigen::VectorXd expected;
        for (const Syntax& s : syntaxes) {
            if (s.tetgen && cubes) continue;
            INFO(s.name << ", " << field);
            const TemporaryDirectory folder;
            Writer(s, folder.path()).write(elements, materials, regions, special);
            if (expected.size() == 0) {
                expected = forces(folder.path() / "mesh.veg", cubes, given);
                REQUIRE(expected.norm() > 0.);
            }
            CHECK(forces(folder.path() / "mesh.veg", cubes, linked) == expected);
        }
    };
    const std::string isotropic = "*MATERIAL soft\nENU, 1000, 100, 0.3\n*MATERIAL hard\nENU , 2000 , 1E3,.45\n";
    const std::vector<std::array<std::string, 4>> young{{"youngModulus", "youngModulus", "100", "1000"},
                                                        {"poissonRatio", "poissonRatio", "0.3", "0.45"}};
    for (const std::string field :
         {"StVKFEMForceField", "InvertibleFEMForceField", "CorotationalLinearFEMForceField"}) {
        check(box.tetrahedra, isotropic, field, young);
        check(box.hexahedra, isotropic, field, young);
    }
    check(box.tetrahedra, isotropic, "TetrahedronFEMForceField", young);
    check(box.hexahedra, isotropic, "HexahedronFEMForceField", young);

    const std::string rubber =
        "*MATERIAL soft\nMOONEYRIVLIN, 1000, 10, 20, 30\n*MATERIAL hard\nMOONEYRIVLIN, 900, 100, 200, 300\n";
    const std::vector<std::array<std::string, 4>> coefficients{
        {"mu01", "mu01", "10", "100"}, {"mu10", "mu10", "20", "200"}, {"v1", "v1", "30", "300"}};
    check(box.tetrahedra, rubber, "InvertibleFEMForceField material='MooneyRivlin'", coefficients);
    check(box.hexahedra, rubber, "InvertibleFEMForceField material='MooneyRivlin'", coefficients);

    const std::string wood =
        "*MATERIAL soft\nORTHOTROPIC_N3G3, 1000, 100, 200, 300, .1, .2, .3, 40, 50, 60\n"
        "*MATERIAL hard\nORTHOTROPIC, 900, 1000, 2000, 3000, .1, .2, .3, 400, 500, 600, 0, -1, 0, 1, 0, 0, 0, 0, 1\n";
    const std::vector<std::array<std::string, 4>> orthotropic{
        {"orthotropicModuli", "orthotropicModuli", "100 200 300", "1000 2000 3000"},
        {"orthotropicRatios", "orthotropicRatios", ".1 .2 .3", ".1 .2 .3"},
        {"orthotropicShearModuli", "orthotropicShearModuli", "40 50 60", "400 500 600"},
        {"orthotropicAxes", "orthotropicAxes", "1 0 0 0 1 0 0 0 1", "0 -1 0 1 0 0 0 0 1"}};
    check(box.tetrahedra, wood, "CorotationalLinearFEMForceField", orthotropic);
    check(box.hexahedra, wood, "CorotationalLinearFEMForceField", orthotropic);
}

}  // namespace veg_syntax_test
