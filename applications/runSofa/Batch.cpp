// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/Batch.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "applications/runSofa/Watch.h"
#include "core/behavior/Solvers.h"
#include "core/io/OutputFile.h"
#include "core/log/Phases.h"
#include "core/log/Timer.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/DerivativeCheck.h"
#include "core/simulation/MeshSeries.h"
#include "core/simulation/Probe.h"
#include "core/simulation/Recorder.h"
#include "core/simulation/StopSignal.h"

namespace sofa::application {

using namespace core;
namespace fs = std::filesystem;

void report(const std::string& text) { std::cerr << "runSofa: " << text << '\n'; }

std::size_t problems(const Options& o)
{
    std::size_t n = MessageLog::count(Severity::Error);
    if (o.strict) n += MessageLog::count(Severity::Warning) + MessageLog::count(Severity::Deprecated);
    return n;
}

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

/// One line that is drawn over itself, on a terminal only.
class ProgressLine
{
public:
    explicit ProgressLine(std::size_t total) : m_total(total), m_on(total > 0 && isatty(STDOUT_FILENO)) {}
    ~ProgressLine()
    {
        if (m_on) std::fputs("\r\033[K", stdout), std::fflush(stdout);
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(std::size_t done, double time)
    {
        // Ten times a second are enough, and cost nothing.
        if (!m_on || (done < m_total && secondsSince(m_last) < 0.1)) return;
        m_last = Clock::now();
        const double seconds = secondsSince(m_start), rate = seconds > 0. ? static_cast<double>(done) / seconds : 0.;
        const double left = rate > 0. ? static_cast<double>(m_total - done) / rate : 0.;
        std::printf("\rstep %zu of %zu (%d %%), t = %.4g s, %.4g steps/s, %s left\033[K", done, m_total,
                    static_cast<int>(100 * done / m_total), time, rate, duration(left).c_str());
        std::fflush(stdout);
    }

private:
    static std::string duration(double seconds)
    {
        const auto s = static_cast<long long>(seconds + 0.5);
        if (s < 60) return std::to_string(s) + " s";
        if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
        return std::to_string(s / 3600) + " h " + std::to_string(s / 60 % 60) + " min";
    }

    std::size_t m_total;
    bool m_on;
    Clock::time_point m_start = Clock::now(), m_last;
};

/// The checkpoints of a run.
class Checkpoints
{
public:
    explicit Checkpoints(const Options& o)
        : m_file(o.saveCheckpoint), m_every(o.checkpointEvery), m_kept(o.keptCheckpoints)
    {
        if (!m_file.empty()) checkWritable(m_file);
    }
    void stepDone(const Simulation& sim)
    {
        if (m_every > 0 && sim.stepCount() % m_every == 0) save(sim);
    }
    /// The state after the last step.
    void finish(const Simulation& sim)
    {
        if (!m_file.empty() && m_savedStep != sim.stepCount()) save(sim);
    }
    double seconds() const { return m_seconds; }

private:
    void save(const Simulation& sim)
    {
        const auto t = Clock::now();
        keepOlder();
        saveCheckpoint(sim, m_file);
        m_savedStep = sim.stepCount();
        m_seconds += secondsSince(t);
    }
    std::string older(std::size_t k) const
    {
        const fs::path p(m_file);
        return (p.parent_path() / p.stem()).string() + '.' + std::to_string(k) + p.extension().string();
    }
    /// The newest gets a second name, which it keeps when another takes its first: that name always leads to a file.
    void keepOlder() const
    {
        if (m_kept < 2 || !fs::is_regular_file(m_file)) return;
        for (std::size_t k = m_kept - 1; k > 1; --k)
            if (fs::exists(older(k - 1))) fs::rename(older(k - 1), older(k));
        fs::remove(older(1));
        std::error_code error;
        fs::create_hard_link(m_file, older(1), error);
        if (error) fs::copy_file(m_file, older(1));  // a file system without such links
    }

    std::string m_file;
    std::size_t m_every, m_kept;
    std::optional<std::size_t> m_savedStep;
    double m_seconds = 0.;
};

/// What a run writes while it runs.
class Results
{
public:
    explicit Results(const Options& o) : m_options(o)
    {
        if (!o.record.empty()) m_recorder.emplace(o.record, o.recordSteps, o.recordStates);
        if (!o.probes.empty()) m_table.emplace(o.csv, o.probes);
        for (const std::string& text : o.exports) m_exports.emplace_back(text);
    }
    void write(const Simulation& sim)
    {
        const auto t = Clock::now();
        for (auto& e : m_exports) writeTo(e, [&](MeshExport& m) { m.write(sim); });
        if (sim.stepCount() % m_options.every == 0) {
            writeTo(m_recorder, [&](Recorder& r) { r.record(sim); });
            writeTo(m_table, [&](ProbeTable& p) { p.write(sim); });
        }
        m_seconds += secondsSince(t);
    }
    void finishRecording()
    {
        writeTo(m_recorder, [](Recorder& r) { r.finish(); });
    }
    void finishTable()
    {
        writeTo(m_table, [](ProbeTable& p) { p.finish(); });
    }
    void finishExports(const Simulation& sim)
    {
        for (auto& e : m_exports) writeTo(e, [&](MeshExport& m) { m.finish(sim); });
    }
    double seconds() const { return m_seconds; }

private:
    /// What cannot be written once is given up; the others are completed.
    template <class Writer, class F>
    static void writeTo(std::optional<Writer>& writer, F&& f)
    {
        try {
            if (writer) f(*writer);
        } catch (...) {
            writer.reset();
            throw;
        }
    }

    const Options& m_options;
    std::optional<Recorder> m_recorder;
    std::optional<ProbeTable> m_table;
    std::vector<std::optional<MeshExport>> m_exports;
    double m_seconds = 0.;
};

void writeTimers(const Options& o, std::size_t steps)
{
    Timers::printTable(std::cout, steps);
    if (o.timers->empty()) return;
    std::ostringstream trace;
    Timers::writeChromeTrace(trace);
    writeFile(*o.timers, trace.str());
}

std::string inBytes(std::size_t bytes)
{
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1000. && unit + 1 < std::size(units); ++unit) value /= 1000.;
    std::ostringstream text;
    text << std::setprecision(3) << value << ' ' << units[unit];
    return text.str();
}

/// What each linear solver did with its last system, and why.
void explainSolvers(const Simulation& sim, std::ostream& out)
{
    const auto solvers = sim.root().getAll<LinearSolver>(Search::Down);
    std::vector<Explanation> explanations(solvers.size());
    for (std::size_t i = 0; i < solvers.size(); ++i) solvers[i]->explain(explanations[i]);
    for (std::size_t i = 0; i < solvers.size(); ++i) {
        const LinearSolver* s = solvers[i];
        // A preconditioner is told by the solver that uses it.
        if (s->isPreconditioner() || std::any_of(explanations.begin(), explanations.end(),
                                                 [s](const Explanation& other) { return other.includes(s); }))
            continue;
        Explanation& e = explanations[i];
        if (e.bytes() > 0) e.add("memory", inBytes(e.bytes()));
        out << s->pathName() << " (" << s->className() << ")\n";
        for (const auto& [heading, text] : e.lines())
            out << "  " << std::left << std::setw(16) << heading << text << '\n';
    }
    if (solvers.empty()) out << "There is no linear solver in the scene.\n";
    out.flush();
}

}  // namespace

int runBatch(Simulation& sim, const Options& o)
{
    // Files that cannot be written are found before the first step.
    std::optional<Results> written;
    try {
        written.emplace(o);
    } catch (const std::invalid_argument& e) {
        report(e.what());
        return WrongUsage;
    }
    Results& results = *written;
    Checkpoints checkpoints(o);
    if (!o.saveScene.empty()) checkWritable(o.saveScene);
    if (o.timers && !o.timers->empty()) checkWritable(*o.timers);
    const StopSignal signals;
    int code = Ok, stopped = 0;
    bool interrupted = false;
    std::size_t done = 0;
    const auto start = Clock::now();
    // Runs what may fail; the rest is done all the same.
    const auto attempt = [&code](auto&& f) {
        try {
            f();
        } catch (const std::exception& e) {
            report(e.what());
            code = RunFailed;
        }
    };
    attempt([&] {
        results.write(sim);
        ProgressLine progress(o.steps);
        Watch watch;
        while (done < o.steps && stopped == 0) {
            watch.begin("step " + std::to_string(sim.stepCount() + 1));
            try {
                sim.step();
            } catch (const Interrupted&) {
                interrupted = true;
                stopped = StopSignal::caught();
                break;
            }
            watch.end();
            ++done;
            results.write(sim);
            checkpoints.stepDone(sim);
            progress.show(done, sim.root().time());
            if (o.timeSampling > 0 && done % o.timeSampling == 0) {
                Timers::printTable(std::cout, o.timeSampling);
                Timers::reset();
            }
            stopped = StopSignal::caught();
        }
    });
    const double seconds = secondsSince(start) - results.seconds() - checkpoints.seconds();
    std::printf("%zu iterations done in %.6g s ( %.6g FPS), %.6g ms a step\n", done, seconds,
                seconds > 0. ? static_cast<double>(done) / seconds : 0.,
                done > 0 ? 1e3 * seconds / static_cast<double>(done) : 0.);
    std::fflush(stdout);
    const bool complete = code == Ok && !interrupted;
    attempt([&] { results.finishRecording(); });
    attempt([&] { results.finishTable(); });
    attempt([&] { results.finishExports(sim); });
    if (complete) attempt([&] { checkpoints.finish(sim); });
    if (complete && !o.saveScene.empty())
        attempt([&] { saveSceneAndState(sim, o.saveScene, {.presentValues = o.presentValues}); });
    if (o.timers) attempt([&] { writeTimers(o, done); });
    if (o.explain) explainSolvers(sim, std::cout);
    if (stopped != 0) {
        std::string text = std::string("stopped by ") + StopSignal::name(stopped);
        text += interrupted
                    ? " within step " + std::to_string(sim.stepCount() + 1) + ": results end before it"
                    : " after step " + std::to_string(sim.stepCount()) + " (t = " + toText(sim.root().time()) + " s)";
        if (interrupted && !o.saveCheckpoint.empty()) text += ", and no checkpoint was made of it";
        report(text);
        return code == Ok ? StopSignal::exitCode(stopped) : code;
    }
    if (code == Ok) {
        for (const std::string& solver : sim.unconverged()) {
            report(solver);
            code = RunFailed;
        }
    }
    if (code == Ok && o.strict && problems(o) > 0) {
        report("--strict: there were warnings while running");
        code = RunFailed;
    }
    return code;
}

int runDerivativeCheck(Simulation& sim, const Options& o)
{
    for (std::size_t k = 0; o.stepsGiven && k < o.steps; ++k) sim.step();
    const std::vector<DerivativeResult> results = checkDerivatives(sim);
    std::size_t wrong = 0;
    std::string component;
    for (const DerivativeResult& r : results) {
        if (r.component != component) std::cout << r.component << '\n';
        component = r.component;
        std::printf("  %-34s %s", r.what.c_str(), nameOf(r.verdict));
        if (r.deviation > 0.) std::printf(", deviation %.1e", r.deviation);
        if (r.verdict == DerivativeResult::Verdict::Wrong) {
            ++wrong;
            if (r.stated != r.found) std::printf(": %.9g instead of %.9g at", r.stated, r.found);
            std::printf(" %s", r.where.c_str());
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    for (const DerivativeResult& r : results)
        if (r.verdict == DerivativeResult::Verdict::Wrong) report(r.component + ": " + r.what + " does not hold");
    if (wrong > 0) return RunFailed;
    std::cout << results.size() << " comparisons: nothing is wrong\n";
    return Ok;
}

}  // namespace sofa::application
