// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// A line that carries data, without the blanks around it, and where it stands.
struct DataLine
{
    std::string_view text;
    const SourceText* source = nullptr;
    std::size_t number = 0;  ///< from 1

    /// "file:line", for notes.
    std::string place() const { return source->path + ":" + std::to_string(number); }
    /// Throws a MeshError at this line.
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const;
};

/// True if the texts are equal but for the case of ASCII letters.
bool equalsIgnoringCase(std::string_view a, std::string_view b);

/// Hands out the lines of a text file that carry data: blank lines, and lines whose first character other than a blank
/// is '#', are passed over.
///
/// With Includes::Follow, a line "*INCLUDE name" (or "*INCLUDE, INPUT=name", as Abaqus has it) stands for the lines of
/// the file of that name, in the folder of the main file, else in that of the file that includes it; such files may
/// include others. A file that includes itself, directly or not, and more than 4096 included files are errors.
///
/// The text of the main source must outlive this object; lines stay valid as long as it lives.
class DataLines
{
public:
    enum class Includes
    {
        Ignore,
        Follow
    };
    explicit DataLines(const SourceText& main, Includes includes = Includes::Ignore);

    /// The next line; false at the end, where `line` is left empty, at the last line of the main file.
    /// \throws MeshError at an include that cannot be followed
    bool next(DataLine& line);
    /// Makes `next` hand out the same line again.
    void back() { m_back = true; }
    /// What was passed over, each with its place.
    std::vector<std::string> takeNotes() { return std::move(m_notes); }

private:
    struct Open
    {
        const SourceText* source;
        std::size_t offset = 0, number = 0;
        std::filesystem::path identity;
    };
    bool advance();
    void include(std::string_view name);

    std::vector<Open> m_open;  ///< the main file, then each included one that is not at its end
    std::vector<std::unique_ptr<SourceText>> m_included;
    std::vector<std::string> m_notes;
    std::filesystem::path m_folder;
    DataLine m_line;
    Includes m_includes;
    bool m_more = true, m_back = false;
};

/// Cursor over the values of a line, which blanks or commas separate; a '#' at the start of a value ends the line.
class LineValues
{
public:
    explicit LineValues(const DataLine& line) : m_line(line), m_rest(line.text) {}

    /// The next value; empty at the end of the line.
    std::string_view next();
    bool atEnd();
    /// What `next` returned last.
    std::string_view last() const { return m_last; }

    /// The next value as a number; `what` names it in messages. \throws MeshError
    double finite(const char* what);
    std::int64_t integer(const char* what);
    /// As `integer`, from `low` to `high`.
    std::int64_t integerWithin(const char* what, std::int64_t low, std::int64_t high);

    /// Throws a MeshError at this line about the value that `next` returned last.
    [[noreturn]] void fail(const std::string& expected) const;

private:
    void skipSeparators();
    DataLine m_line;
    std::string_view m_rest, m_last;
};

}  // namespace sofa::core::io
