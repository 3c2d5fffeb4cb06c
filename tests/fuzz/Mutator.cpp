// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/fuzz/Mutator.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/factory/Registry.h"

namespace sofa::fuzz {

namespace {

using core::Registry;

const std::vector<std::string> hostileNumbers{"0",
                                              "-0",
                                              "-1",
                                              "1",
                                              "2",
                                              "3",
                                              "0.5",
                                              "-0.5",
                                              "1e308",
                                              "-1e308",
                                              "1e-308",
                                              "1e-320",
                                              "1e400",
                                              "-1e400",
                                              "1e38",
                                              "3.5e38",
                                              "1e17",
                                              "1e9",
                                              "nan",
                                              "inf",
                                              "-inf",
                                              "NaN",
                                              "65536",
                                              "2147483647",
                                              "1e300",
                                              "-2147483648",
                                              "4294967295",
                                              "4294967296",
                                              "30000",
                                              "9223372036854775807",
                                              "99999999999999999999",
                                              "0x10",
                                              "1.5",
                                              "1,5",
                                              "--1",
                                              "1e",
                                              ".",
                                              "-",
                                              "+",
                                              "100"};

const std::vector<std::string> hostileTexts{"",
                                            " ",
                                            "@",
                                            "@.",
                                            "@..",
                                            "@/",
                                            "@[-1]",
                                            "@[0]",
                                            "@[+1]",
                                            "@[99999999999]",
                                            "@[",
                                            "@../../..",
                                            "@.name",
                                            "@.position",
                                            "@dofs",
                                            "@dofs.position",
                                            "@loader.position",
                                            "@loader",
                                            "@../dofs",
                                            "@@",
                                            "@.@.",
                                            "@/.",
                                            "@nowhere.data",
                                            "0-99999999",
                                            "5-0",
                                            "0-10-0",
                                            "0-10--1",
                                            "0-0-0",
                                            "4-2-1",
                                            "-1-1",
                                            "[",
                                            "]",
                                            "[[1 2]",
                                            "[1 2] [3",
                                            "[] []",
                                            "[1 99999999]",
                                            "'",
                                            "&amp;",
                                            "&#65;",
                                            "a b c",
                                            "true",
                                            "no",
                                            "Vec3",
                                            "Rigid3",
                                            "Vec3,Rigid3",
                                            "Vec1",
                                            "Vec2",
                                            "Vec6",
                                            "Rigid2",
                                            "CompressedRowSparseMatrix",
                                            "GraphScattered",
                                            "FullMatrix",
                                            "/",
                                            "/dev/zero",
                                            "/dev/null",
                                            "..",
                                            ".",
                                            "mesh/cube.msh",
                                            "mesh/sphere.obj",
                                            "mesh/../mesh/beam.vtk",
                                            "mesh",
                                            "%s%n",
                                            "\xC3\xA9",
                                            "\xFF",
                                            "1 2 3",
                                            "0 0 0 1 1 1",
                                            "1 nan 3",
                                            "0 1 2 3",
                                            "0 0 0 0",
                                            "3 kPa",
                                            "5 mm",
                                            "2 /s",
                                            "1e308 kPa",
                                            "3 m^9 m^9",
                                            "polar",
                                            "large",
                                            "small",
                                            "svd"};

const std::vector<std::string> templates{"Vec1",   "Vec2",      "Vec3",           "Vec6",
                                         "Rigid2", "Rigid3",    "Vec3,Vec3",      "Rigid3,Vec3",
                                         "Vec3d",  "Vec1,Vec3", "GraphScattered", "CompressedRowSparseMatrixMat3x3",
                                         "x"};

/// A value that some attribute expects, but hardly this one.
std::string hostileValue(Dice& dice)
{
    switch (dice.below(8)) {
        case 0:
        case 1:
        case 2:
            return dice.of(hostileNumbers);
        case 3:
        case 4:
            return dice.of(hostileTexts);
        case 5: {  // a list of numbers, most of them harmless
            std::string s;
            const std::size_t n = 1 + dice.below(16);
            for (std::size_t i = 0; i < n; ++i)
                s += (dice.chance(4) ? dice.of(hostileNumbers) : std::to_string(dice.below(12))) + ' ';
            return s;
        }
        case 6:  // a long one
            return std::string(1 + dice.below(5000), dice.chance(2) ? '7' : '(');
        default: {
            std::string s;
            const std::size_t n = dice.below(3000);
            for (std::size_t i = 0; i < n; ++i) s += "1 ";
            return s;
        }
    }
}

const std::vector<std::string> finiteNumbers{"0",    "-0",    "-1",         "1",      "2",     "3",     "0.5",
                                             "-0.5", "1e308", "-1e308",     "1e-308", "1e38",  "-3e38", "1e17",
                                             "1e9",  "1e-9",  "100",        "1000",   "0.1",   "0.25",  "7",
                                             "1e5",  "-1e5",  "2147483647", "-100",   "0.999", "0.5"};
const std::vector<std::string> integers{"0",  "1",  "2",    "3",    "4",     "5",          "7",
                                        "8",  "9",  "10",   "11",   "12",    "0",          "1",
                                        "-1", "50", "1000", "-100", "30000", "2147483647", "-2147483648"};

const std::vector<std::string> links{"@dofs", "@mesh", "@loader", "@/body/dofs", "@/body/mesh", "@/body/mapped/points",
                                     "@.",    "@/",    "@..",     "@[-1]",       "@points",     "@/body/mapped"};

/// A value that reads as the type of the Data, but may be no sensible one.
std::string typedValue(const core::BaseData& data, Dice& dice)
{
    const std::string type = data.typeName();
    const auto has = [&](const char* part) { return type.find(part) != std::string::npos; };
    if (const auto choices = data.choices(); !choices.empty()) return dice.of(choices);
    if (type == "bool") return dice.chance(2) ? "1" : "0";
    const bool whole = has("int") || has("Vec3i") || has("Vec4i");
    const auto number = [&] {
        if (whole) return dice.chance(3) ? dice.of(integers) : std::to_string(dice.below(8));
        return dice.chance(2) ? dice.of(finiteNumbers) : std::to_string(dice.below(5));
    };
    const std::size_t digit = type.find("Vec");
    std::size_t entries = 1;
    if (digit != std::string::npos && digit + 3 < type.size())
        entries = static_cast<std::size_t>(type[digit + 3] - '0');
    if (has("RigidCoord3")) entries = 7;
    if (has("Quat")) entries = 4;
    if (has("Mat")) entries = 9;
    if (has("tetrahedra") || has("4 x")) entries = 4;
    if (has("2 x")) entries = 2;
    if (has("3 x")) entries = 3;
    if (has("8 x")) entries = 8;
    if (has("list") || has("set of")) entries *= dice.chance(6) ? 0 : 1 + dice.below(8);
    const bool numeric = whole || has("double") || has("float") || has("Vec") || has("Rigid") || has("Quat") ||
                         has("Mat") || has(" x ") || has("colour");
    if (!numeric) return dice.chance(2) ? dice.of(hostileTexts) : std::string("word");
    std::string s;
    if (has("list of list")) s = "[";
    for (std::size_t i = 0; i < entries; ++i) s += number() + ' ';
    if (has("list of list")) s += "]";
    return s;
}

struct Span
{
    std::size_t begin, end;  // [begin, end)
    std::size_t size() const { return end - begin; }
};

Span anySpan(const std::string& s, Dice& dice, std::size_t longest)
{
    const std::size_t begin = dice.below(s.size());
    return {begin, std::min(s.size(), begin + 1 + dice.below(longest))};
}

/// Numbers in a text.
std::vector<Span> numbers(const std::string& s)
{
    std::vector<Span> out;
    const auto belongs = [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+' || c == 'e';
    };
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (!std::isdigit(static_cast<unsigned char>(s[i])) && s[i] != '-') continue;
        if (i > 0 && (std::isalpha(static_cast<unsigned char>(s[i - 1])) || s[i - 1] == '!')) continue;
        std::size_t end = i + 1;
        while (end < s.size() && belongs(s[end])) ++end;
        out.push_back({i, end});
        i = end;
    }
    return out;
}

/// An attribute: its name and the text between the quotes.
struct Attribute
{
    Span name, value;
};

std::vector<Attribute> attributes(const std::string& s)
{
    std::vector<Attribute> out;
    for (std::size_t eq = s.find('='); eq != std::string::npos; eq = s.find('=', eq + 1)) {
        const std::size_t open = s.find_first_not_of(" \t\n", eq + 1);
        if (open == std::string::npos || (s[open] != '"' && s[open] != '\'')) continue;
        const std::size_t close = s.find(s[open], open + 1);
        if (close == std::string::npos) break;
        std::size_t begin = eq;
        while (begin > 0 && !std::isspace(static_cast<unsigned char>(s[begin - 1]))) --begin;
        out.push_back({{begin, eq}, {open + 1, close}});
        eq = close;
    }
    return out;
}

/// Tags "<...>", comments left out.
std::vector<Span> tags(const std::string& s)
{
    std::vector<Span> out;
    for (std::size_t i = s.find('<'); i != std::string::npos; i = s.find('<', i + 1)) {
        if (s.compare(i, 4, "<!--") == 0) {
            i = s.find("-->", i);
            if (i == std::string::npos) break;
            continue;
        }
        const std::size_t end = s.find('>', i);
        if (end == std::string::npos) break;
        out.push_back({i, end + 1});
        i = end;
    }
    return out;
}

/// A registered class; rarely one of those that only hold parameters for drawing.
std::string anyClass(Dice& dice)
{
    const auto entries = Registry::instance().entries();
    while (true) {
        const auto& entry = entries[dice.below(entries.size())];
        const std::string& module = entry->module;
        if ((module.starts_with("Sofa.GL") || module.starts_with("Sofa.GUI")) && !dice.chance(10)) continue;
        return entry->name;
    }
}

/// "<Class a="..." b="..."/>" with hostile values for a few of its own attributes.
std::string anyElement(Dice& dice)
{
    const std::string type = anyClass(dice);
    std::string s = '<' + type;
    const auto entry = Registry::instance().find(type);
    if (!entry->creators.empty()) {
        const auto object = entry->creators.front().create();
        const auto names = object->attributeNames();
        std::vector<std::string> used;
        for (std::size_t k = dice.below(5); k > 0 && !names.empty(); --k) {
            const std::string& name = dice.of(names);
            if (std::find(used.begin(), used.end(), name) != used.end()) continue;
            used.push_back(name);
            const core::BaseData* data = object->findData(name);
            if (name == "name" || name == "tags" || name == "listening" || name == "printLog") continue;
            const std::string value = dice.chance(12) ? (dice.chance(4) ? "@." + name : hostileValue(dice))
                                      : data          ? typedValue(*data, dice)
                                                      : dice.of(links);
            s += ' ' + name + "=\"";
            for (const char c : value) s += c == '"' || c == '<' ? '_' : c;
            s += '"';
        }
        if (dice.chance(4)) s += " template=\"" + dice.of(templates) + '"';
    }
    return s + "/>";
}

void mutateOnce(std::string& s, Dice& dice)
{
    const auto list = attributes(s);
    const auto marks = tags(s);
    if (list.empty() || marks.empty()) return;
    const Attribute a = dice.of(list);
    const Span tag = dice.of(marks);
    switch (dice.below(14)) {
        case 0:
            s.replace(a.value.begin, a.value.size(), hostileValue(dice));
            break;
        case 1:
        case 2:
        case 3:
        case 4: {  // one number of a value, its shape stays
            std::string value = s.substr(a.value.begin, a.value.size());
            const auto found = numbers(value);
            if (found.empty()) break;
            const Span n = dice.of(found);
            value.replace(n.begin, n.size(),
                          dice.of(dice.chance(4)   ? hostileNumbers
                                  : dice.chance(2) ? finiteNumbers
                                                   : integers));
            s.replace(a.value.begin, a.value.size(), value);
            break;
        }
        case 5:
            s.erase(a.name.begin, a.value.end + 1 - a.name.begin);
            break;
        case 6: {  // the name of another attribute
            const Attribute b = dice.of(list);
            const std::string name = s.substr(b.name.begin, b.name.size());
            s.replace(a.name.begin, a.name.size(), name);
            break;
        }
        case 7: {  // the value of another attribute
            const Attribute b = dice.of(list);
            const std::string value = s.substr(b.value.begin, b.value.size());
            s.replace(a.value.begin, a.value.size(), value);
            break;
        }
        case 8:
            s.erase(tag.begin, tag.size());
            break;
        case 9: {
            const Span to = dice.of(marks);
            const std::string copy = s.substr(tag.begin, tag.size());
            s.insert(to.begin, copy);
            break;
        }
        case 10: {  // another class with the same attributes
            std::size_t end = tag.begin + 1;
            while (end < tag.end && std::isalnum(static_cast<unsigned char>(s[end]))) ++end;
            if (s[tag.begin + 1] != '/') s.replace(tag.begin + 1, end - tag.begin - 1, anyClass(dice));
            break;
        }
        case 11:
            s.insert(tag.begin, anyElement(dice));
            break;
        case 12: {
            std::size_t end = tag.begin + 1;
            while (end < tag.end && std::isalnum(static_cast<unsigned char>(s[end]))) ++end;
            s.insert(end, " template=\"" + dice.of(templates) + '"');
            break;
        }
        default: {
            std::string open, close;
            for (std::size_t k = 1 + dice.below(dice.chance(8) ? 2000 : 60); k > 0; --k) {
                open += "<Node>";
                close += "</Node>";
            }
            s.insert(tag.begin, dice.chance(3) ? open : open + close);
            break;
        }
    }
}

}  // namespace

std::string damagedText(std::string s, Dice& dice)
{
    for (std::size_t k = 1 + dice.below(4); k > 0 && !s.empty(); --k) {
        switch (dice.below(8)) {
            case 0:
                for (std::size_t bits = 1 + dice.below(8); bits > 0; --bits) {
                    char& c = s[dice.below(s.size())];
                    c = static_cast<char>(c ^ static_cast<char>(1u << dice.below(8)));
                }
                break;
            case 1:
                s.resize(dice.below(s.size()));
                break;
            case 2: {
                const Span span = anySpan(s, dice, 200);
                s.erase(span.begin, span.size());
                break;
            }
            case 3: {
                const Span span = anySpan(s, dice, 200);
                s.insert(dice.below(s.size()), s.substr(span.begin, span.size()));
                break;
            }
            case 4: {
                const Span span = anySpan(s, dice, 40);
                for (std::size_t i = span.begin; i < span.end; ++i) s[i] = static_cast<char>(dice.below(256));
                break;
            }
            default: {
                // Near a random place, so that long files do not have to be searched as a whole.
                const std::size_t from = dice.below(s.size());
                const std::string part = s.substr(from, 300);
                const auto found = numbers(part);
                if (found.empty()) break;
                const Span n = dice.chance(2) ? found.front() : dice.of(found);
                s.replace(from + n.begin, n.size(), dice.of(hostileNumbers));
                break;
            }
        }
    }
    return s;
}

std::string hostileScene(std::string scene, Dice& dice)
{
    for (std::size_t k = 1 + dice.below(3); k > 0; --k) mutateOnce(scene, dice);
    return dice.chance(10) ? damagedText(std::move(scene), dice) : scene;
}

std::string hostileComponent(Dice& dice)
{
    static const std::vector<std::string> bodies{
        "<MechanicalObject name='dofs' template='Vec3' position='0 0 0  1 0 0  0 1 0  0 0 1  1 1 1'/>"
        "<MeshTopology name='mesh' tetrahedra='0 1 2 3  1 2 3 4' triangles='0 1 2' edges='0 1  1 2' quads='0 1 4 2'/>",
        "<RegularGridTopology name='mesh' n='3 3 2' min='0 0 0' max='2 2 1'/><MechanicalObject name='dofs'/>",
        "<MeshGmshLoader name='loader' filename='mesh/cube.msh'/><TetrahedronSetTopologyContainer src='@loader'/>"
        "<TetrahedronSetGeometryAlgorithms/><MechanicalObject name='dofs'/>",
        "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>",
        "<MechanicalObject name='dofs' template='Vec1' position='0 1 2'/>",
        ""};
    const std::string above = anyElement(dice);
    std::string s = "<Node name='root' gravity='0 -9.81 0' dt='0.01'>";
    if (!dice.chance(3)) s += "<EulerImplicitSolver/><SparseLDLSolver/>";
    if (dice.chance(6)) s += above;
    s += "<Node name='body'>" + dice.of(bodies);
    if (dice.chance(2)) s += "<UniformMass totalMass='1'/>";
    const std::size_t n = 1 + dice.below(2);
    for (std::size_t i = 0; i < n; ++i) s += anyElement(dice);
    if (dice.chance(2)) {
        s += "<Node name='mapped'><MechanicalObject name='points' position='0.1 0.1 0.1  0.2 0.5 0.1'/>" +
             anyElement(dice);
        s += dice.chance(2) ? "<BarycentricMapping/>" : anyElement(dice);
        s += "</Node>";
    }
    return s + "</Node></Node>";
}

std::string sceneOfMesh(const std::string& file, Dice& dice)
{
    static const std::map<std::string, std::string> loaders{{".msh", "MeshGmshLoader"},   {".obj", "MeshOBJLoader"},
                                                            {".off", "MeshOffLoader"},    {".stl", "MeshSTLLoader"},
                                                            {".gidmsh", "GIDMeshLoader"}, {".mesh", "MeshNetgenLoader"},
                                                            {".xs3", "MeshXspLoader"},    {".trian", "MeshTrianLoader"},
                                                            {".inp", "MeshAbaqusLoader"}, {".vtk", "MeshVTKLoader"}};
    const std::string& loader = loaders.at(file.substr(file.rfind('.')));
    static const std::vector<std::string> forces{
        "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.4'/>",
        "<TetrahedralCorotationalFEMForceField youngModulus='1000' poissonRatio='0.4'/>",
        "<FastTetrahedralCorotationalForceField youngModulus='1000' poissonRatio='0.4'/>",
        "<HexahedronFEMForceField youngModulus='1000' poissonRatio='0.4'/>",
        "<MeshSpringForceField stiffness='100' damping='1'/>",
        "<TriangleBendingSprings stiffness='10' damping='0.1'/>",
        "<TrianglePressureForceField pressure='1 0 0'/>"};
    static const std::vector<std::string> masses{"<UniformMass totalMass='1'/>", "<DiagonalMass massDensity='1'/>",
                                                 "<MeshMatrixMass massDensity='1'/>"};
    return "<Node name='root' dt='0.01'><EulerImplicitSolver/><CGLinearSolver iterations='20' tolerance='1e-9' "
           "threshold='1e-9'/><" +
           loader + " name='loader' filename='" + file + "'/>" +
           (dice.chance(2) ? "<MeshTopology src='@loader'/>" : "<TetrahedronSetTopologyContainer src='@loader'/>") +
           "<MechanicalObject src='@loader'/>" + dice.of(masses) + dice.of(forces) +
           "<BoxROI box='-10 -10 -10 10 10 0' name='box'/><FixedProjectiveConstraint indices='@box.indices'/>"
           "<Node name='skin'><OglModel src='@../loader'/>" +
           (dice.chance(2) ? "<BarycentricMapping/>" : "<IdentityMapping/>") + "</Node></Node>";
}

}  // namespace sofa::fuzz
