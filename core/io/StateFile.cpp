// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/StateFile.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/io/CompressedFile.h"
#include "core/io/MeshError.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

namespace {

/// The frames of a file while they are read.
class Frames
{
public:
    explicit Frames(const SourceText& source) : m_path(source.path) {}

    [[noreturn]] void fail(std::size_t line, std::string expected, std::string_view found) const
    {
        throw MeshError(m_path, line, MeshError::None, std::move(expected), TextScanner::quoted(found));
    }
    void begin(std::size_t line, double time, std::string_view text)
    {
        if (!std::isfinite(time) || (!frames.empty() && !(time > frames.back().time)))
            fail(line, "a time after the one before", text);
        frames.emplace_back();
        frames.back().time = time;
        frames.back().line = line;
    }
    /// A vector of the last frame.
    void put(StateVector StateFrame::*which, std::size_t line, std::vector<double> numbers, std::string_view text)
    {
        if (frames.empty()) fail(line, "'T= time' before the first vector", text);
        StateVector& v = frames.back().*which;
        if (v.given()) fail(line, "'T= time', a time has one vector of each kind", text);
        v = {line, std::move(numbers)};
    }

    std::vector<StateFrame> frames;

private:
    const std::string& m_path;
};

/// Calls `f` with each line that is not blank, without the blanks around it, and its number.
template <class F>
void forEachLine(std::string_view text, F f)
{
    std::size_t number = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        std::string_view line = text.substr(from, to - from);
        from = to + 1;
        ++number;
        while (!line.empty() && TextScanner::isBlank(line.front())) line.remove_prefix(1);
        while (!line.empty() && TextScanner::isBlank(line.back())) line.remove_suffix(1);
        if (!line.empty()) f(number, line);
    }
}

/// Takes a value that ends at a separator from the front of a text.
std::string_view takeValue(std::string_view& text, bool (*separates)(char))
{
    const auto end = std::ranges::find_if(text, separates);
    const std::string_view value = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(value.size());
    return value;
}

StateVector StateFrame::*vectorOf(std::string_view key)
{
    if (key == "X") return &StateFrame::position;
    if (key == "X0") return &StateFrame::restPosition;
    if (key == "V") return &StateFrame::velocity;
    if (key == "F") return &StateFrame::force;
    return nullptr;
}

/// Lines "T= 0.5", "X= 1 2 3", ...
std::vector<StateFrame> readText(const SourceText& source)
{
    Frames out(source);
    forEachLine(source.text, [&out](std::size_t number, std::string_view line) {
        const std::string_view key = line.substr(0, line.find('='));
        const auto which = vectorOf(key);
        if (key.size() == line.size() || !(which || key == "T"))
            out.fail(number, "'T= time', 'X= positions', 'X0= rest positions', 'V= velocities' or 'F= forces'",
                     line.substr(0, line.find(' ')));
        std::vector<double> numbers;
        std::string_view rest = line.substr(key.size() + 1);
        for (;;) {
            while (!rest.empty() && TextScanner::isBlank(rest.front())) rest.remove_prefix(1);
            if (rest.empty()) break;
            const std::string_view value = takeValue(rest, &TextScanner::isBlank);
            if (!parseReal(value, numbers.emplace_back())) out.fail(number, "a number", value);
        }
        if (which)
            out.put(which, number, std::move(numbers), line);
        else if (numbers.size() == 1)
            out.begin(number, numbers[0], line);
        else
            out.fail(number, "'T= time'", line);
    });
    return std::move(out.frames);
}

/// Lines of numbers that commas separate; the first is the time.
std::vector<StateFrame> readCsv(const SourceText& source)
{
    Frames out(source);
    forEachLine(source.text, [&out](std::size_t number, std::string_view line) {
        if (line.front() == '#') return;
        std::vector<double> numbers;
        for (std::string_view rest = line;; rest.remove_prefix(1)) {
            const std::string_view value = takeValue(rest, [](char c) { return c == ','; });
            if (!parseReal(value, numbers.emplace_back())) out.fail(number, "a number", value);
            if (rest.empty()) break;
        }
        out.begin(number, numbers.front(), line.substr(0, line.find(',')));
        numbers.erase(numbers.begin());
        out.put(&StateFrame::position, number, std::move(numbers), line);
    });
    return std::move(out.frames);
}

/// {"TIME": [[x, y, z], ...], ...}: an object whose members are lists of lists of numbers.
class JsonReader
{
public:
    explicit JsonReader(const SourceText& source) : m_text(source.text), m_out(source) {}

    std::vector<StateFrame> read()
    {
        expect('{', "'{'");
        if (!accept('}')) {
            do {
                expect('"', "a time in quotes");
                const std::size_t start = m_pos, line = m_line;
                const double time = number("a time in quotes");
                expect('"', "a time in quotes");
                expect(':', "':'");
                std::vector<double> numbers;
                list(numbers, 0);
                m_out.begin(line, time, m_text.substr(start, m_text.find('"', start) - start));
                m_out.put(&StateFrame::position, line, std::move(numbers), "a vector");
            } while (accept(','));
            expect('}', "',' or '}'");
        }
        skip();
        if (m_pos < m_text.size()) fail("the end of the file");
        return std::move(m_out.frames);
    }

private:
    [[noreturn]] void fail(const char* expected) const { m_out.fail(m_line, expected, m_text.substr(m_pos, 20)); }
    void skip()
    {
        for (; m_pos < m_text.size() && (TextScanner::isBlank(m_text[m_pos]) || m_text[m_pos] == '\n'); ++m_pos)
            m_line += m_text[m_pos] == '\n' ? 1 : 0;
    }
    bool accept(char c)
    {
        skip();
        const bool there = m_pos < m_text.size() && m_text[m_pos] == c;
        m_pos += there ? 1 : 0;
        return there;
    }
    void expect(char c, const char* expected)
    {
        if (!accept(c)) fail(expected);
    }
    double number(const char* expected)
    {
        skip();
        double v = 0.;
        const char* begin = m_text.data() + m_pos;
        const auto r = std::from_chars(begin, m_text.data() + m_text.size(), v);
        if (r.ec != std::errc()) fail(expected);
        m_pos += static_cast<std::size_t>(r.ptr - begin);
        return v;
    }
    /// The numbers of a list, and of the lists in it.
    void list(std::vector<double>& numbers, int depth)
    {
        expect('[', "'['");
        if (accept(']')) return;
        do {
            skip();
            if (depth == 0 && m_pos < m_text.size() && m_text[m_pos] == '[')
                list(numbers, 1);
            else
                numbers.push_back(number("a number or a list of numbers"));
        } while (accept(','));
        expect(']', "',' or ']'");
    }

    std::string_view m_text;
    Frames m_out;
    std::size_t m_pos = 0, m_line = 1;
};

}  // namespace

std::vector<StateFrame> readStateFile(const std::filesystem::path& path)
{
    const SourceText source = loadCompressed(path);
    std::filesystem::path name = path.filename();
    if (name.extension() == ".gz") name = name.stem();
    if (name.extension() == ".json") return JsonReader(source).read();
    if (name.extension() == ".csv") return readCsv(source);
    return readText(source);
}

void appendStateTime(std::string& out, double time)
{
    out += "T= ";
    appendNumber(out, time);
    out += '\n';
}

void appendStateVector(std::string& out, std::string_view key, std::span<const double> numbers)
{
    out += "  ";
    out += key;
    out += '=';
    for (const double v : numbers) {
        out += ' ';
        appendNumber(out, v);
    }
    out += '\n';
}

}  // namespace sofa::core::io
