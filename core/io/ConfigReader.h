// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/io/DataLines.h"
#include "core/math/Vec.h"

namespace sofa::core::io {

/// Where a configuration gives the value of a key.
struct ConfigKey
{
    std::string name;  ///< as the program spells it
    std::string file;
    std::size_t line = 0;  ///< from 1
};

/// Reads configuration files of Vega: a line "*key", then a line with its value; blank lines and lines that start with
/// '#' are passed over everywhere, "**EOF" ends the file. Of several values of a key, and of several keys of a name,
/// the last one counts; keys may have any case. Numbers may be followed by other words on their line; integers may be
/// written as 1.0; truth values are true, false or an integer; three numbers may stand in () or [].
///
///     ConfigReader reader;
///     reader.required("timestep", config.timestep);
///     reader.optional("solver", config.solver);    // keeps its value where the file does not give one
///     reader.parse(source, notes);
class ConfigReader
{
public:
    using Destination = std::variant<bool*, int*, double*, std::string*, Vec3*, std::vector<std::string>*>;

    void optional(std::string name, Destination destination) { add(std::move(name), destination, false); }
    void required(std::string name, Destination destination) { add(std::move(name), destination, true); }

    /// Reads a file into the destinations. Keys that are not known give a note with their place.
    /// \throws MeshError for a line before the first key, a key without a value, a value that is not of its type, and
    /// a required key that is absent
    void parse(const SourceText& source, std::vector<std::string>& notes);

    /// Whether the file gives a value for this key.
    bool isSet(std::string_view name) const { return !find(name).file.empty(); }
    /// The keys that the file gives, in the order in which they were added, each with the place of its last value.
    std::vector<ConfigKey> given() const;
    /// Throws a MeshError at the value of this key, or at the end of the file where it has none.
    [[noreturn]] void fail(std::string_view name, const std::string& expected) const;
    /// "file:line" of the value of this key, for notes.
    std::string place(std::string_view name) const
    {
        const Option& o = find(name);
        return o.file + ":" + std::to_string(o.line);
    }
    /// Index among `choices` of the value of a key of type string; any case. \throws MeshError if it is none of them
    std::size_t choice(std::string_view name, const std::vector<std::string>& choices) const;

private:
    struct Option
    {
        std::string name;
        Destination destination;
        bool required = false;
        std::string file, text;  ///< of the last value; empty where there is none
        std::size_t line = 0;
    };
    void add(std::string name, Destination destination, bool required);
    const Option& find(std::string_view name) const;
    static void assign(Option& option, const DataLine& line);
    static void note(Option& option, const DataLine& line);
    [[noreturn]] void failAt(const Option& option, const std::string& expected, const std::string& found) const;

    std::vector<Option> m_options;
    std::string m_file;
    std::size_t m_lastLine = 0;
};

}  // namespace sofa::core::io
