// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/parallel/SimdLevel.h"

namespace sofa::benchmark {

/// Seconds of a clock that only moves forward.
inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Shortest time of several runs of f, in seconds: at least 3 runs and `least` seconds of them.
template <class F>
double best(F&& f, double least = 0.2)
{
    double shortest = 1e300, total = 0.;
    for (int run = 0; run < 3 || (total < least && run < 1000); ++run) {
        const double start = now();
        f();
        const double t = now() - start;
        shortest = std::min(shortest, t);
        total += t;
    }
    return shortest;
}

/// Median of some times.
inline double median(std::vector<double> times)
{
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Median time of 15 runs of f, or of as many as fill `least` seconds: the statistic of Vega's figures.
template <class F>
double usual(F&& f, double least = 0.2)
{
    std::vector<double> times;
    for (double total = 0.; times.size() < 15 || (total < least && times.size() < 1001); total += times.back()) {
        const double start = now();
        f();
        times.push_back(now() - start);
    }
    return median(std::move(times));
}

inline const char* name(core::SimdLevel level)
{
    constexpr const char* names[] = {"scalar", "AVX2", "AVX-512"};
    return names[static_cast<int>(level)];
}

/// Arguments of a benchmark: numbers by position, and options that start with "--".
class Arguments
{
public:
    Arguments(int argc, char** argv)
    {
        for (int i = 1; i < argc; ++i) {
            const std::string_view a = argv[i];
            (a.substr(0, 2) == "--" ? m_options : m_positions).emplace_back(a);
        }
    }
    bool has(std::string_view option) const
    {
        return std::find(m_options.begin(), m_options.end(), option) != m_options.end();
    }
    unsigned long number(std::size_t position, unsigned long otherwise) const
    {
        return position < m_positions.size() ? std::strtoul(m_positions[position].c_str(), nullptr, 10) : otherwise;
    }
    std::string text(std::size_t position) const
    {
        return position < m_positions.size() ? m_positions[position] : std::string();
    }

private:
    std::vector<std::string> m_options, m_positions;
};

/// One quantity of a row of results. Units are part of its name: "forces [ns]".
struct Field
{
    const char* name;
    std::variant<double, std::string> value;
    Field(const char* n, std::string v) : name(n), value(std::move(v)) {}
    Field(const char* n, const char* v) : name(n), value(std::string(v)) {}
    template <class Number>
    requires(std::is_arithmetic_v<Number>) Field(const char* n, Number v) : name(n), value(static_cast<double>(v)) {}
};

/// Results as they come, on standard output: Markdown tables to read (a new one whenever the fields change), or with
/// `--json` one array of objects, which tools/performance reads.
class Report
{
public:
    explicit Report(const Arguments& a) : m_json(a.has("--json")) { std::fputs(m_json ? "[" : "", stdout); }
    ~Report() { std::fputs(m_json ? "\n]\n" : "", stdout); }
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    void row(const std::vector<Field>& fields)
    {
        if (m_json)
            object(fields);
        else
            line(fields);
        std::fflush(stdout);
    }

private:
    void object(const std::vector<Field>& fields)
    {
        std::fputs(m_first ? "\n{" : ",\n{", stdout);
        m_first = false;
        const char* separator = "";
        for (const Field& f : fields) {
            std::printf("%s\"%s\": ", separator, f.name);
            if (const auto* number = std::get_if<double>(&f.value))
                std::printf("%.9g", *number);
            else
                std::printf("\"%s\"", std::get<std::string>(f.value).c_str());
            separator = ", ";
        }
        std::fputs("}", stdout);
    }
    void line(const std::vector<Field>& fields)
    {
        std::string header, rule;
        for (const Field& f : fields) {
            header += std::string("| ") + f.name + ' ';
            rule += "|---";
        }
        if (header != m_header) std::printf("%s%s|\n%s|\n", m_header.empty() ? "" : "\n", header.c_str(), rule.c_str());
        m_header = header;
        for (const Field& f : fields)
            if (const auto* number = std::get_if<double>(&f.value))
                std::printf(*number >= 1e4 && *number < 1e15 ? "| %.0f " : "| %.4g ", *number);
            else
                std::printf("| %s ", std::get<std::string>(f.value).c_str());
        std::fputs("|\n", stdout);
    }

    bool m_json, m_first = true;
    std::string m_header;
};

}  // namespace sofa::benchmark
