// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/DataLines.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "core/io/MeshError.h"

namespace sofa::core::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t maxIncludedFiles = 4096, maxDepth = 64;
constexpr std::string_view includeCommand = "*INCLUDE";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The name in what follows the command: "name", or ", INPUT=name".
std::string_view nameOfInclude(std::string_view rest)
{
    if (!rest.starts_with(',')) return rest;
    rest = TextScanner::trimmed(rest.substr(1));
    const std::size_t equals = rest.find('=');
    if (equals != std::string_view::npos && equalsIgnoringCase(TextScanner::trimmed(rest.substr(0, equals)), "input"))
        rest = TextScanner::trimmed(rest.substr(equals + 1));
    return rest;
}

fs::path identityOf(const fs::path& path)
{
    std::error_code ec;
    const fs::path p = fs::weakly_canonical(path, ec);
    return ec ? path.lexically_normal() : p;
}

}  // namespace

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

void DataLine::fail(const std::string& expected, const std::string& found) const
{
    throw MeshError(source->path, number, MeshError::None, expected, found);
}

DataLines::DataLines(const SourceText& main, Includes includes)
    : m_folder(fs::path(main.path).parent_path()), m_includes(includes)
{
    m_open.push_back({&main, 0, 0, identityOf(main.path)});
}

bool DataLines::next(DataLine& line)
{
    if (m_back)
        m_back = false;
    else if (m_more)
        m_more = advance();
    line = m_line;
    return m_more;
}

bool DataLines::advance()
{
    for (;;) {
        Open& file = m_open.back();
        const std::string_view text = file.source->text;
        if (file.offset >= text.size()) {
            if (m_open.size() > 1) {
                m_open.pop_back();
                continue;
            }
            m_line = {{}, file.source, std::max<std::size_t>(1, file.number)};
            return false;
        }
        const std::size_t end = std::min(text.find('\n', file.offset), text.size());
        const std::string_view content = TextScanner::trimmed(text.substr(file.offset, end - file.offset));
        file.offset = end + 1;
        ++file.number;
        if (content.empty() || content.front() == '#') continue;
        m_line = {content, file.source, file.number};
        const std::string_view word = content.substr(0, includeCommand.size());
        const bool isCommand = equalsIgnoringCase(word, includeCommand) &&
                               (content.size() == word.size() || TextScanner::isBlank(content[word.size()]) ||
                                content[word.size()] == ',');
        if (m_includes == Includes::Ignore || !isCommand) return true;
        include(nameOfInclude(TextScanner::trimmed(content.substr(word.size()))));
    }
}

void DataLines::include(std::string_view name)
{
    const DataLine at = m_line;
    if (name.empty()) at.fail("a file name after *INCLUDE", "the end of the line");
    if (m_included.size() >= maxIncludedFiles || m_open.size() >= maxDepth)
        at.fail(
            "at most " + std::to_string(maxIncludedFiles) + " included files, " + std::to_string(maxDepth) + " deep",
            "one more");
    if (name.find('\0') != std::string_view::npos) at.fail("a file name", TextScanner::quoted(name));
    fs::path path = m_folder / fs::path(std::string(name));
    std::error_code ec;
    const fs::path beside = fs::path(at.source->path).parent_path() / fs::path(std::string(name));
    if (!fs::exists(path, ec) && fs::exists(beside, ec)) path = beside;
    const fs::path identity = identityOf(path);
    for (const Open& o : m_open)
        if (o.identity == identity) at.fail("a file that does not include itself", TextScanner::quoted(name));
    if (fs::is_other(path, ec)) at.fail("a regular file to include", TextScanner::quoted(name));
    if (fs::is_regular_file(path, ec) && fs::file_size(path, ec) == 0 && !ec) {
        m_notes.push_back(at.place() + ": the included file '" + std::string(name) + "' is empty");
        return;
    }
    try {
        m_included.push_back(std::make_unique<SourceText>(loadSource(path)));
    } catch (const MeshError& e) {
        at.fail("a file to include that can be read", std::string(TextScanner::quoted(name)) + " (" + e.what() + ")");
    }
    m_open.push_back({m_included.back().get(), 0, 0, identity});
}

void LineValues::skipSeparators()
{
    while (!m_rest.empty() && (TextScanner::isBlank(m_rest.front()) || m_rest.front() == ',')) m_rest.remove_prefix(1);
    if (!m_rest.empty() && m_rest.front() == '#') m_rest = {};
}

std::string_view LineValues::next()
{
    skipSeparators();
    std::size_t n = 0;
    while (n < m_rest.size() && !TextScanner::isBlank(m_rest[n]) && m_rest[n] != ',') ++n;
    m_last = m_rest.substr(0, n);
    m_rest.remove_prefix(n);
    return m_last;
}

bool LineValues::atEnd()
{
    skipSeparators();
    return m_rest.empty();
}

double LineValues::finite(const char* what)
{
    double v = 0.;
    if (!parseReal(next(), v) || !std::isfinite(v)) fail(std::string(what) + " (a finite number)");
    return v;
}

std::int64_t LineValues::integer(const char* what)
{
    std::int64_t v = 0;
    if (!parseInteger(next(), v)) fail(std::string(what) + " (an integer)");
    return v;
}

std::int64_t LineValues::integerWithin(const char* what, std::int64_t low, std::int64_t high)
{
    const std::int64_t v = integer(what);
    if (v < low || v > high) fail(std::string(what) + " from " + std::to_string(low) + " to " + std::to_string(high));
    return v;
}

void LineValues::fail(const std::string& expected) const
{
    m_line.fail(expected, m_last.empty() ? "the end of the line" : TextScanner::quoted(m_last));
}

}  // namespace sofa::core::io
