// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/io/DataLines.h"
#include "core/io/FileNumbers.h"
#include "core/io/MeshOperations.h"

/// Pieces of which the reader of Abaqus files is made (AbaqusFormat.h).
namespace sofa::core::io::abaqus {

/// "a Name" → "A NAME": labels are equal whatever the case of their letters.
std::string upper(std::string_view s);

/// A line that starts with '*', with those that continue it.
struct Keyword
{
    std::string name;  ///< in upper case, words separated by one blank, without the '*'
    DataLine line;
    std::map<std::string, std::string> parameters;  ///< by the name in upper case; values as written, without quotes

    bool has(const std::string& parameter) const { return parameters.contains(parameter); }
    /// \throws MeshError where the keyword lacks it
    const std::string& require(const std::string& parameter) const;
    /// The value, empty if there is none.
    std::string value(const std::string& parameter) const;
};
/// Reads the keyword of a line, and those after it that continue it. \throws MeshError
Keyword readKeyword(DataLines& lines, DataLine line);

/// The values of a data line: what stands between commas, without blanks around it.
class Fields
{
public:
    explicit Fields(const DataLine& line) : m_line(line), m_rest(line.text) {}
    bool atEnd() const { return m_done; }
    /// The next value; empty where nothing stands between two commas, or after the end.
    std::string_view next();
    /// As a number; `blank` where there is nothing.
    double finite(const char* what, std::optional<double> blank = std::nullopt);
    std::int64_t integer(const char* what, std::optional<std::int64_t> blank = std::nullopt);
    [[noreturn]] void fail(const std::string& expected) const;

private:
    DataLine m_line;
    std::string_view m_rest, m_last;
    bool m_done = false;
};

/// An element type: how many nodes it has, and the type of VTK that these form. `order` is that of the nodes of an edge
/// of second order, whose middle one comes second in Abaqus.
struct ElementType
{
    int vtk = 0;
    std::size_t nodes = 0;
    bool middleSecond = false;
};
/// The type that a name stands for; nothing if it is none that a mesh can have here: C3D4, 5, 6, 8, 10, 13, 15, 20 and
/// those of the same shape for heat, sound and such (DC3D, AC3D, ...), SC6R, SC8R; triangles and quads S, STRI, M3D,
/// SFM3D, R3D, DS, CPS, CPE, CPEG, CAX, DC2D, ...; edges T2D, T3D, B21 to B33, PIPE; MASS.
std::optional<ElementType> elementType(std::string_view name);

/// Members of a set, as one field or line gives them.
struct SetEntry
{
    enum class Kind
    {
        Range,       ///< first, first + step, ..., last
        Set,         ///< those of the set `name`
        NodesOfSet,  ///< the nodes of the elements of the set `name`
    };
    Kind kind = Kind::Range;
    std::int64_t first = 0, last = 0, step = 1;
    std::string name;      ///< in upper case
    std::string instance;  ///< in upper case; empty: that part itself
    DataLine line;
};

struct NamedSet
{
    std::string name;  ///< as written at first
    std::vector<SetEntry> entries;
    DataLine line;
};

/// Sets by their names in upper case, in the order of the file.
class NamedSets
{
public:
    /// The set of a name, which is made if there is none.
    NamedSet& at(const std::string& name, const DataLine& line);
    const NamedSet* find(const std::string& upperName) const;
    const std::vector<NamedSet>& all() const { return m_sets; }

private:
    std::vector<NamedSet> m_sets;
    std::map<std::string, std::size_t> m_index;
};

/// Gives the elements of a set a material.
struct Section
{
    std::string set, material;  ///< in upper case
    DataLine line;
};

/// A part, the assembly, or the whole of a file without parts.
struct Part
{
    struct Element
    {
        ElementType type;   ///< without nodes: of a type that is left out
        std::size_t first;  ///< place of its nodes in `connectivity`
        DataLine line;
    };
    std::string name;
    Vector<Vec3> positions;
    FileNumbers nodes, elementNumbers;
    std::vector<Element> elements;
    Vector<std::int64_t> connectivity;  ///< numbers of nodes
    NamedSets nodeSets, elementSets;
    std::vector<Section> sections;
};

}  // namespace sofa::core::io::abaqus
