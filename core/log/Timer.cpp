// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/log/Timer.h"

#include <chrono>
#include <deque>
#include <iomanip>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <thread>
#include <unordered_map>

#include "core/log/Session.h"

namespace sofa::core {

std::atomic<int> Timers::s_sessions{0};

namespace {

using Clock = std::chrono::steady_clock;

struct Phase
{
    std::string name;
    int parent = -1;
    int depth = 0;
    std::uint64_t count = 0;
    double seconds = 0.;
    double childSeconds = 0.;
    std::vector<int> children;
};

struct Interval
{
    int phase;
    double start, duration;  // [s]
};

/// A phase within another one (-1: within none), of whose name this is a view.
struct PhaseKey
{
    int parent;
    std::string_view name;
    friend bool operator==(const PhaseKey&, const PhaseKey&) = default;
};
struct PhaseHash
{
    std::size_t operator()(const PhaseKey& k) const
    {
        return std::hash<std::string_view>()(k.name) ^ (static_cast<std::size_t>(k.parent) * 0x9e3779b97f4a7c15u);
    }
};

/// Only the thread that enabled the timers records: phases are those of the simulation thread.
struct TimerState
{
    std::deque<Phase> phases;  ///< which stay where they are
    std::unordered_map<PhaseKey, int, PhaseHash> known;
    std::vector<int> roots;
    std::vector<std::pair<int, Clock::time_point>> open;
    std::vector<Interval> trace;
    bool enabled = false;
    bool tracing = false;
    std::size_t maxEvents = 0;
    Clock::time_point origin = Clock::now();
    std::thread::id thread;
};

TimerState& timers()
{
    static const SessionLocal<TimerState> s;
    return *s;
}

int findOrAdd(TimerState& s, std::string_view name)
{
    const int parent = s.open.empty() ? -1 : s.open.back().first;
    if (const auto it = s.known.find({parent, name}); it != s.known.end()) return it->second;
    const int id = static_cast<int>(s.phases.size());
    Phase p;
    p.name = std::string(name);
    p.parent = parent;
    p.depth = parent < 0 ? 0 : s.phases[static_cast<std::size_t>(parent)].depth + 1;
    s.phases.push_back(std::move(p));
    s.known.emplace(PhaseKey{parent, s.phases.back().name}, id);
    (parent < 0 ? s.roots : s.phases[static_cast<std::size_t>(parent)].children).push_back(id);
    return id;
}

void collect(const TimerState& s, const std::vector<int>& ids, const std::string& prefix, std::vector<Timers::Row>& out)
{
    for (int id : ids) {
        const Phase& p = s.phases[static_cast<std::size_t>(id)];
        const std::string path = prefix.empty() ? p.name : prefix + '/' + p.name;
        out.push_back({path, p.name, p.depth, p.count, p.seconds, p.seconds - p.childSeconds});
        collect(s, p.children, path, out);
    }
}

}  // namespace

void Timers::enable(bool on)
{
    TimerState& s = timers();
    if (on != s.enabled) s_sessions += on ? 1 : -1;
    s.enabled = on;
    s.thread = std::this_thread::get_id();
}

bool Timers::enabledHere() { return timers().enabled; }

void Timers::enableTrace(bool on, std::size_t maxEvents)
{
    enable(on);
    timers().tracing = on;
    timers().maxEvents = maxEvents;
}

void Timers::reset()
{
    TimerState& s = timers();
    s.known.clear();
    s.phases.clear();
    s.roots.clear();
    s.open.clear();
    s.trace.clear();
    s.origin = Clock::now();
}

void Timers::begin(std::string_view name)
{
    TimerState& s = timers();
    if (std::this_thread::get_id() != s.thread) return;
    const int id = findOrAdd(s, name);
    s.open.emplace_back(id, Clock::now());
}

void Timers::end()
{
    TimerState& s = timers();
    if (std::this_thread::get_id() != s.thread || s.open.empty()) return;
    const auto now = Clock::now();
    const auto [id, start] = s.open.back();
    s.open.pop_back();
    const double seconds = std::chrono::duration<double>(now - start).count();
    Phase& p = s.phases[static_cast<std::size_t>(id)];
    ++p.count;
    p.seconds += seconds;
    if (p.parent >= 0) s.phases[static_cast<std::size_t>(p.parent)].childSeconds += seconds;
    if (s.tracing && s.trace.size() < s.maxEvents)
        s.trace.push_back({id, std::chrono::duration<double>(start - s.origin).count(), seconds});
}

std::vector<Timers::Row> Timers::rows()
{
    std::vector<Row> out;
    collect(timers(), timers().roots, {}, out);
    return out;
}

void Timers::printTable(std::ostream& out, std::uint64_t steps)
{
    const auto list = rows();
    double total = 0.;
    std::size_t width = 5;
    for (const Row& r : list) {
        if (r.depth == 0) total += r.seconds;
        width = std::max(width, r.phase.size() + 2 * static_cast<std::size_t>(r.depth));
    }
    const double n = static_cast<double>(std::max<std::uint64_t>(steps, 1));
    const auto flags = out.flags();
    const auto precision = out.precision();
    out << std::left << std::setw(static_cast<int>(width)) << "phase" << std::right << std::setw(12) << "calls/step"
        << std::setw(12) << "ms/step" << std::setw(12) << "own ms" << std::setw(9) << "share" << '\n';
    for (const Row& r : list) {
        const std::string label = std::string(2 * static_cast<std::size_t>(r.depth), ' ') + r.phase;
        out << std::left << std::setw(static_cast<int>(width)) << label << std::right << std::fixed
            << std::setprecision(2) << std::setw(12) << static_cast<double>(r.count) / n << std::setprecision(4)
            << std::setw(12) << 1e3 * r.seconds / n << std::setw(12) << 1e3 * r.ownSeconds / n << std::setprecision(1)
            << std::setw(8) << (total > 0. ? 100. * r.seconds / total : 0.) << "%\n";
    }
    out.flags(flags);
    out.precision(precision);
}

void Timers::writeChromeTrace(std::ostream& out)
{
    const TimerState& s = timers();
    out << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
    bool first = true;
    for (const Interval& i : s.trace) {
        nlohmann::json e = {{"name", s.phases[static_cast<std::size_t>(i.phase)].name},
                            {"ph", "X"},
                            {"ts", i.start * 1e6},
                            {"dur", i.duration * 1e6},
                            {"pid", 1},
                            {"tid", 1}};
        out << (first ? "" : ",\n") << e.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        first = false;
    }
    out << "\n]}\n";
}

}  // namespace sofa::core
