// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegFormat.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/VegBinary.h"
#include "core/io/VegMaterialLine.h"
#include "core/log/Message.h"

namespace sofa::core::io {

namespace {

constexpr const char* allElements = "allElements";
const std::vector<std::string> commands{"*VERTICES", "*ELEMENTS", "*MATERIAL", "*SET", "*REGION", "*INCLUDE"};

std::string withoutBlanks(std::string_view s)
{
    std::string r;
    for (const char c : s)
        if (!TextScanner::isBlank(c)) r += c;
    return r;
}

class VegParser
{
public:
    explicit VegParser(const SourceText& source) : m_lines(source, DataLines::Includes::Follow) {}
    VegMesh run();

private:
    struct SetLine
    {
        DataLine line;
        std::size_t set;
        std::vector<std::int64_t> numbers;
    };
    struct RegionLine
    {
        DataLine line;
        std::string set, material;
    };

    void command(const DataLine& line);
    void vertices();
    void elements();
    void material(const DataLine& line, const std::string& name);
    void set(const DataLine& line, const std::string& name);
    void region();
    void resolveSets();
    void resolveRegions();
    void addNotes();
    /// The next line, which must not be a command.
    DataLine data(const std::string& expected);
    std::string nameAfter(const DataLine& line, std::string_view command, const char* what) const;
    template <class List>
    void noteDuplicate(const DataLine& line, const List& known, const std::string& name, const char* what);
    template <std::size_t N>
    void elementList(Vector<std::array<Index, N>>& list);

    DataLines m_lines;
    VegMesh m_mesh;
    std::vector<SetLine> m_setLines;
    std::vector<RegionLine> m_regionLines;
    std::vector<DataLine> m_elementLines;
    std::string m_complete;  ///< what the last section was complete with
    bool m_hasVertices = false, m_hasElements = false;
    std::int64_t m_vertexBase = 1, m_elementBase = 1;
};

VegMesh VegParser::run()
{
    m_mesh.sets.push_back({allElements, {}});
    DataLine line;
    while (m_lines.next(line)) {
        if (line.text.front() != '*')
            line.fail("a command such as *ELEMENTS" + m_complete, TextScanner::quoted(line.text));
        command(line);
    }
    if (!m_hasVertices) line.fail("*VERTICES", "the end of the file");
    if (!m_hasElements) line.fail("*ELEMENTS", "the end of the file");
    resolveSets();
    resolveRegions();
    addNotes();
    return std::move(m_mesh);
}

void VegParser::command(const DataLine& line)
{
    const std::string_view word = line.text.substr(0, line.text.find_first_of(" \t\r\f\v,"));
    const auto is = [&](std::string_view name) { return equalsIgnoringCase(word, name); };
    m_complete.clear();
    if (is("*VERTICES")) {
        if (m_hasVertices) line.fail("one list of vertices only", "a second *VERTICES");
        vertices();
    } else if (is("*ELEMENTS")) {
        if (m_hasElements) line.fail("one list of elements only", "a second *ELEMENTS");
        if (!m_hasVertices) line.fail("*VERTICES before *ELEMENTS", "*ELEMENTS");
        elements();
    } else if (is("*MATERIAL")) {
        material(line, nameAfter(line, word, "the name of a material"));
    } else if (is("*SET")) {
        set(line, nameAfter(line, word, "the name of a set"));
    } else if (is("*REGION")) {
        region();
    } else {
        std::string upper(word);
        std::transform(upper.begin(), upper.end(), upper.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        line.fail("one of the commands *VERTICES *ELEMENTS *MATERIAL *SET *REGION *INCLUDE",
                  TextScanner::quoted(word) + didYouMean(upper, commands));
    }
}

std::string VegParser::nameAfter(const DataLine& line, std::string_view command, const char* what) const
{
    std::string name = withoutBlanks(line.text.substr(command.size()));
    if (!name.empty() && name.front() == ',') name.erase(0, 1);
    if (name.empty()) line.fail(what, "the end of the line");
    if (name.find(',') != std::string::npos)
        line.fail(std::string(what) + " without a comma", TextScanner::quoted(name));
    return name;
}

DataLine VegParser::data(const std::string& expected)
{
    DataLine line;
    if (!m_lines.next(line)) line.fail(expected, "the end of the file");
    if (line.text.front() == '*') line.fail(expected, TextScanner::quoted(line.text));
    return line;
}

void VegParser::vertices()
{
    m_hasVertices = true;
    LineValues header(data("the number of vertices"));
    const std::int64_t n = header.integerWithin("the number of vertices", 0, InvalidIndex - 1);
    if (!header.atEnd()) header.integerWithin("the dimension of space", 3, 3);
    const std::string of = " of " + std::to_string(n);
    for (std::int64_t i = 0; i < n; ++i) {
        DataLine line;
        if (!m_lines.next(line) || line.text.front() == '*') {
            m_lines.back();
            data("vertex " + std::to_string(i + 1) + of);
        }
        LineValues v(line);
        const std::int64_t number = v.integer("the number of a vertex");
        if (i == 0 && number == 0) m_vertexBase = 0;
        if (number != i + m_vertexBase)
            v.fail(i == 0 ? "vertex number 0 or 1" : "vertex number " + std::to_string(i + m_vertexBase));
        const double x = v.finite("a coordinate"), y = v.finite("a coordinate"), z = v.finite("a coordinate");
        m_mesh.positions.push_back({x, y, z});
    }
    m_complete = " (the list of " + std::to_string(n) + " vertices is complete)";
}

void VegParser::elements()
{
    m_hasElements = true;
    const DataLine line = data("the type of the elements, TET or CUBIC");
    const std::string type = withoutBlanks(line.text);
    const auto starts = [&](std::string_view s) { return equalsIgnoringCase(type.substr(0, s.size()), s); };
    if (starts("TET"))
        elementList(m_mesh.tetrahedra);
    else if (starts("CUBIC") || starts("CUBE"))
        elementList(m_mesh.hexahedra);
    else
        line.fail("the type of the elements, TET or CUBIC", TextScanner::quoted(line.text));
}

template <std::size_t N>
void VegParser::elementList(Vector<std::array<Index, N>>& list)
{
    LineValues header(data("the number of elements"));
    const std::int64_t n = header.integerWithin("the number of elements", 0, InvalidIndex - 1);
    if (!header.atEnd()) {
        const std::int64_t nodes = header.integer("the number of vertices of an element");
        if (N == 4 && nodes == 10)
            m_mesh.notes.push_back("second-order tetrahedra are reduced to their corners");
        else if (nodes != static_cast<std::int64_t>(N))
            header.fail(std::to_string(N) + " vertices for each element");
    }
    const std::string of = " of " + std::to_string(n);
    const auto count = static_cast<std::int64_t>(m_mesh.positions.size());
    for (std::int64_t i = 0; i < n; ++i) {
        DataLine line;
        if (!m_lines.next(line) || line.text.front() == '*') {
            m_lines.back();
            data("element " + std::to_string(i + 1) + of);
        }
        LineValues v(line);
        const std::int64_t number = v.integer("the number of an element");
        if (i == 0 && number == 0) m_elementBase = 0;
        if (number != i + m_elementBase)
            v.fail(i == 0 ? "element number 0 or 1" : "element number " + std::to_string(i + m_elementBase));
        std::array<Index, N> e{};
        for (Index& k : e)
            k = static_cast<Index>(
                v.integerWithin("a vertex number of an element", m_vertexBase, count - 1 + m_vertexBase) -
                m_vertexBase);
        list.push_back(e);
        m_mesh.sets[0].elements.push_back(static_cast<Index>(i));
        m_elementLines.push_back(line);
    }
    m_complete = " (the list of " + std::to_string(n) + " elements is complete)";
}

template <class List>
void VegParser::noteDuplicate(const DataLine& line, const List& known, const std::string& name, const char* what)
{
    if (std::any_of(known.begin(), known.end(), [&](const auto& k) { return k.name == name; }))
        m_mesh.notes.push_back(line.place() + ": " + what + " '" + name +
                               "' has been defined before; regions use the first one");
}

void VegParser::material(const DataLine& line, const std::string& name)
{
    noteDuplicate(line, m_mesh.materials, name, "the material");
    const DataLine properties = data("the properties of the material '" + name + "'");
    m_mesh.materials.push_back(parseVegMaterial(properties, name, m_mesh.notes));
}

void VegParser::set(const DataLine& line, const std::string& name)
{
    noteDuplicate(line, m_mesh.sets, name, "the set");
    const std::size_t index = m_mesh.sets.size();
    m_mesh.sets.push_back({name, {}});
    DataLine numbers;
    while (m_lines.next(numbers)) {
        if (numbers.text.front() == '*') {
            m_lines.back();
            break;
        }
        SetLine& s = m_setLines.emplace_back(SetLine{numbers, index, {}});
        for (LineValues v(numbers); !v.atEnd();) s.numbers.push_back(v.integer("an element of the set"));
    }
}

void VegParser::region()
{
    const std::string expected = "the set and the material of the region, with a comma between";
    const DataLine line = data(expected);
    const std::size_t comma = line.text.find(',');
    RegionLine r{line, {}, {}};
    if (comma == std::string_view::npos) {
        LineValues v(line);
        r.set = v.next();
        r.material = v.next();
    } else {
        r.set = withoutBlanks(line.text.substr(0, comma));
        r.material = withoutBlanks(line.text.substr(comma + 1));
    }
    if (r.set.empty() || r.material.empty()) line.fail(expected, TextScanner::quoted(line.text));
    m_regionLines.push_back(std::move(r));
}

void VegParser::resolveSets()
{
    const auto n = static_cast<std::int64_t>(m_mesh.elementCount());
    for (const SetLine& s : m_setLines) {
        VegSet& set = m_mesh.sets[s.set];
        for (const std::int64_t number : s.numbers) {
            if (number < m_elementBase || number >= n + m_elementBase)
                s.line.fail("an element of the set '" + set.name + "' from " + std::to_string(m_elementBase) + " to " +
                                std::to_string(n - 1 + m_elementBase),
                            std::to_string(number));
            set.elements.push_back(static_cast<Index>(number - m_elementBase));
        }
    }
    for (VegSet& set : m_mesh.sets) {
        std::sort(set.elements.begin(), set.elements.end());
        set.elements.erase(std::unique(set.elements.begin(), set.elements.end()), set.elements.end());
    }
}

void VegParser::resolveRegions()
{
    const auto find = [](const RegionLine& r, const auto& list, const std::string& name, const char* what) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i].name == name) return static_cast<Index>(i);
        std::vector<std::string> names;
        names.reserve(list.size());
        for (const auto& item : list) names.push_back(item.name);
        r.line.fail(std::string("a ") + what + " of this file", TextScanner::quoted(name) + didYouMean(name, names));
    };
    for (const RegionLine& r : m_regionLines)
        m_mesh.regions.push_back(
            {find(r, m_mesh.sets, r.set, "set"), find(r, m_mesh.materials, r.material, "material")});
}

void VegParser::addNotes()
{
    DataLine end;
    m_lines.next(end);
    completeVeg(m_mesh, end.source->path, [&](std::size_t e) { return m_elementLines[e].place(); });
    for (std::string& note : m_lines.takeNotes()) m_mesh.notes.push_back(std::move(note));
}

}  // namespace

void completeVeg(VegMesh& mesh, const std::string& path, const std::function<std::string(std::size_t)>& place)
{
    const bool anyMaterial = !mesh.materials.empty();
    if (const std::size_t n = assignMaterials(mesh))
        mesh.notes.push_back(path + ": " + std::to_string(n) + " elements are in no region and take the " +
                             (anyMaterial ? "last material of the file, '" : "default material, '") +
                             mesh.materials.back().name + "'");
    std::size_t inverted = 0, first = 0;
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
        const auto& [a, b, c, d] = mesh.tetrahedra[i];
        const Vec3 x = mesh.positions[a];
        const Vec3 u = mesh.positions[b] - x, v = mesh.positions[c] - x, w = mesh.positions[d] - x;
        if (dot(cross(u, v), w) > 0.) continue;
        if (inverted++ == 0) first = i;
    }
    if (inverted)
        mesh.notes.push_back(place(first) + ": " + std::to_string(inverted) +
                             " tetrahedra, this one first, are flat or not positively oriented");
}

std::size_t assignMaterials(VegMesh& mesh)
{
    mesh.elementMaterial.assign(mesh.elementCount(), InvalidIndex);
    for (const VegRegion& r : mesh.regions)
        for (const Index e : mesh.sets[r.set].elements) mesh.elementMaterial[e] = r.material;
    VegSet rest{"unassignedSet", {}};
    for (std::size_t i = 0; i < mesh.elementMaterial.size(); ++i)
        if (mesh.elementMaterial[i] == InvalidIndex) rest.elements.push_back(static_cast<Index>(i));
    const std::size_t n = rest.elements.size();
    if (n == 0) return 0;
    if (mesh.materials.empty()) mesh.materials.emplace_back();
    const auto material = static_cast<Index>(mesh.materials.size() - 1);
    for (const Index e : rest.elements) mesh.elementMaterial[e] = material;
    // A set that was read from a file that this function has written before must not hide this one.
    while (std::any_of(mesh.sets.begin(), mesh.sets.end(), [&](const VegSet& s) { return s.name == rest.name; }))
        rest.name += '_';
    mesh.regions.push_back({static_cast<Index>(mesh.sets.size()), material});
    mesh.sets.push_back(std::move(rest));
    return n;
}

MeshData toMeshData(const VegMesh& mesh)
{
    MeshData out;
    out.positions = mesh.positions;
    out.tetrahedra = mesh.tetrahedra;
    out.hexahedra = mesh.hexahedra;
    out.notes = mesh.notes;
    const CellKind kind = mesh.tetrahedra.empty() ? CellKind::Hexahedron : CellKind::Tetrahedron;
    for (std::size_t i = 1; i < mesh.sets.size(); ++i) {
        CellGroup& g = out.groups.emplace_back();
        g.name = mesh.sets[i].name;
        g.dimension = 3;
        g.tag = static_cast<int>(i);
        g.cells[static_cast<std::size_t>(kind)] = mesh.sets[i].elements;
    }
    auto& ranges = out.ranges[static_cast<std::size_t>(kind)];
    for (std::size_t i = 0; i < mesh.elementMaterial.size(); ++i)
        extendRanges(ranges, static_cast<Index>(i), mesh.materialOf(i).name, mesh.materialOf(i).name);
    return out;
}

VegMesh makeVegMesh(const MeshData& mesh, std::vector<VegMaterial> materials, const Vector<Index>& elementMaterial)
{
    VegMesh out;
    out.positions = mesh.positions;
    out.tetrahedra = mesh.tetrahedra;
    if (mesh.tetrahedra.empty()) out.hexahedra = mesh.hexahedra;
    const std::size_t n = out.elementCount();
    if (n == 0) throw std::runtime_error("a .veg mesh needs tetrahedra or hexahedra, and this mesh has neither");
    if (elementMaterial.size() != n)
        throw std::runtime_error("expected a material for each of " + std::to_string(n) + " elements, found " +
                                 std::to_string(elementMaterial.size()));
    out.materials = std::move(materials);
    out.elementMaterial = elementMaterial;
    out.sets.push_back({allElements, {}});
    for (std::size_t i = 0; i < n; ++i) out.sets[0].elements.push_back(static_cast<Index>(i));
    for (std::size_t m = 0; m < out.materials.size(); ++m) {
        VegSet set{out.materials[m].name + "Elements", {}};
        for (std::size_t i = 0; i < n; ++i)
            if (elementMaterial[i] == m) set.elements.push_back(static_cast<Index>(i));
        const bool all = set.elements.size() == n;
        out.regions.push_back({all ? 0 : static_cast<Index>(out.sets.size()), static_cast<Index>(m)});
        if (!all) out.sets.push_back(std::move(set));
    }
    for (std::size_t i = 0; i < n; ++i)
        if (elementMaterial[i] >= out.materials.size())
            throw std::runtime_error("element " + std::to_string(i) + " has material " +
                                     std::to_string(elementMaterial[i]) + " of " +
                                     std::to_string(out.materials.size()));
    return out;
}

VegMesh parseVeg(const SourceText& source)
{
    return isVegBinary(source) ? parseVegBinary(source) : VegParser(source).run();
}

VegMesh readVeg(const std::filesystem::path& path) { return parseVeg(loadSource(path)); }

void checkVegForWriting(const std::string& file, const VegMesh& mesh)
{
    const auto fail = [&](const std::string& what) { throw MeshError(file, "not written: " + what); };
    const auto require = [&](bool ok, const std::string& what) {
        if (!ok) fail(what);
    };
    require(mesh.tetrahedra.empty() || mesh.hexahedra.empty(), "the mesh has tetrahedra and hexahedra");
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        if (!isFinite(mesh.positions[i])) fail("vertex " + std::to_string(i) + " is not finite");
    const auto elements = [&](const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            for (const Index v : list[i])
                if (v >= mesh.positions.size())
                    fail("element " + std::to_string(i) + " refers to vertex " + std::to_string(v) + " of " +
                         std::to_string(mesh.positions.size()));
    };
    elements(mesh.tetrahedra);
    elements(mesh.hexahedra);
    const auto name = [&](const std::string& s) {
        const bool valid = !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
            return static_cast<unsigned char>(c) > ' ' && c != ',' && c != '#' && c != '*';
        });
        require(valid, "the name " + TextScanner::quoted(s) + " is empty or contains a blank, ',', '#' or '*'");
    };
    for (const VegMaterial& m : mesh.materials) name(m.name);
    require(!mesh.sets.empty() && mesh.sets[0].name == allElements, "the first set is not allElements");
    for (const VegSet& s : mesh.sets) {
        name(s.name);
        for (const Index e : s.elements)
            if (e >= mesh.elementCount())
                fail("the set '" + s.name + "' contains element " + std::to_string(e) + " of " +
                     std::to_string(mesh.elementCount()));
    }
    for (const VegRegion& r : mesh.regions)
        require(r.set < mesh.sets.size() && r.material < mesh.materials.size(),
                "a region refers to a set or material that does not exist");
}

void writeVeg(const std::filesystem::path& path, const VegMesh& mesh)
{
    checkVegForWriting(path.string(), mesh);
    std::string out;
    const auto number = [&](std::size_t v) { appendNumber(out, static_cast<std::uint64_t>(v)); };
    out += "# ";
    number(mesh.positions.size());
    out += " vertices, ";
    number(mesh.elementCount());
    out += " elements\n\n*VERTICES\n";
    number(mesh.positions.size());
    out += " 3 0 0\n";
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        number(i + 1);
        for (const double c : mesh.positions[i]) {
            out += ' ';
            appendNumber(out, c);
        }
        out += '\n';
    }
    const auto elements = [&](const auto& list, const char* type, std::size_t nodes) {
        out += std::string("\n*ELEMENTS\n") + type + '\n';
        number(list.size());
        out += ' ';
        number(nodes);
        out += " 0\n";
        for (std::size_t i = 0; i < list.size(); ++i) {
            number(i + 1);
            for (const Index v : list[i]) {
                out += ' ';
                number(std::size_t{v} + 1);
            }
            out += '\n';
        }
    };
    if (mesh.hexahedra.empty())
        elements(mesh.tetrahedra, "TET", 4);
    else
        elements(mesh.hexahedra, "CUBIC", 8);
    for (const VegMaterial& m : mesh.materials)
        out += "\n*MATERIAL " + m.name + '\n' + vegMaterialText(path.string(), m) + '\n';
    for (std::size_t i = 1; i < mesh.sets.size(); ++i) {
        out += "\n*SET " + mesh.sets[i].name;
        for (std::size_t k = 0; k < mesh.sets[i].elements.size(); ++k) {
            out += k % 8 ? ", " : "\n";
            number(std::size_t{mesh.sets[i].elements[k]} + 1);
        }
        out += '\n';
    }
    for (const VegRegion& r : mesh.regions)
        out += "\n*REGION\n" + mesh.sets[r.set].name + ", " + mesh.materials[r.material].name + '\n';
    saveText(path, out);
}

static const RegisterMeshFormat registeredVegFormat({.name = "Vega",
                                                     .extensions = {".veg", ".vegb"},
                                                     .read = [](const SourceText& source, const MeshReadOptions&) {
                                                         return toMeshData(parseVeg(source));
                                                     }});

}  // namespace sofa::core::io
