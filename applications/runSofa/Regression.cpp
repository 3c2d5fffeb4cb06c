// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/Regression.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "applications/runSofa/Batch.h"
#include "core/io/OutputFile.h"
#include "core/objectmodel/DataText.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/ThreadRequest.h"
#include "core/scene/XmlDocument.h"
#include "core/simulation/Regression.h"

namespace sofa::application {

using namespace core;

namespace {

using Clock = std::chrono::steady_clock;
using Load = std::function<std::shared_ptr<Node>(const std::string&)>;

/// A scene: what is asked of it, its process, and what came of it.
struct Job
{
    std::string list;
    RegressionCase test;

    pid_t process = 0;
    std::FILE* answer = nullptr;  ///< from the process, unnamed files
    std::FILE* log = nullptr;
    Clock::time_point start;

    double seconds = 0.;
    RegressionOutcome outcome;
    std::size_t written = 0;  ///< reference files
    std::string messages;     ///< the last ones that it printed
    bool done = false;

    std::size_t frames() const
    {
        std::size_t n = 0;
        for (const StateDifference& s : outcome.states) n = std::max(n, s.frames);
        return n;
    }
    double error() const
    {
        double e = 0.;
        for (const StateDifference& s : outcome.states)
            for (const double v : {s.position, s.velocity}) e = v <= e ? e : v;  // also if it is no number
        return e;
    }
};

// --- In the process of a scene --------------------------------------------------------------------------------------

/// Loads and runs the scene, and writes what came of it: a line for each problem and each state.
void answer(const Options& o, const Load& load, const RegressionCase& test, std::FILE* out)
{
    RegressionOutcome outcome;
    std::size_t written = 0;
    try {
        const auto root = load(test.scene);
        Simulation simulation(root);
        if (problems(o) > 0 || !simulation.init() || problems(o) > 0)
            throw std::runtime_error("the scene cannot be loaded and initialised");
        if (o.updateReferences)
            written = writeReferences(simulation, test);
        else
            outcome = compareWithReferences(simulation, test);
        for (const std::string& solver : simulation.unconverged()) outcome.problems.push_back(solver);
        simulation.cleanup();
    } catch (const std::exception& e) {
        outcome.problems.emplace_back(e.what());
    }
    std::string text = "written " + std::to_string(written) + '\n';
    for (std::string p : outcome.problems) {
        std::ranges::replace(p, '\n', ' ');
        text += "problem " + p + '\n';
    }
    for (const StateDifference& s : outcome.states)
        text += "state " + std::to_string(s.frames) + ' ' + toText(s.position) + ' ' + toText(s.velocity) + ' ' +
                toText(s.firstTime) + ' ' + s.state + '\n';
    text += "end\n";
    std::fwrite(text.data(), 1, text.size(), out);
    std::fflush(out);
}

// --- In the process that waits --------------------------------------------------------------------------------------

void begin(Job& job, const Options& o, const Load& load, unsigned threads)
{
    job.answer = std::tmpfile();
    job.log = std::tmpfile();
    if (!job.answer || !job.log) throw std::runtime_error(std::string("cannot make a file: ") + std::strerror(errno));
    job.start = Clock::now();
    std::cout.flush();
    std::cerr.flush();
    job.process = fork();
    if (job.process < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (job.process > 0) return;
    dup2(fileno(job.log), STDOUT_FILENO);
    dup2(fileno(job.log), STDERR_FILENO);
    alarm(o.timeLimit);  // ends the process; 0: never
    fixThreadCount(threads);
    answer(o, load, job.test, job.answer);
    std::cout.flush();
    std::cerr.flush();
    std::fflush(stdout);
    _exit(0);  // what belongs to the other process stays as it is
}

std::string contents(std::FILE* file)
{
    std::string all;
    char part[4096];
    std::rewind(file);
    while (const std::size_t n = std::fread(part, 1, sizeof part, file)) all.append(part, n);
    std::fclose(file);
    return all;
}

/// The last lines of a text.
std::string tail(const std::string& text, int lines)
{
    std::size_t at = text.size();
    while (at > 0 && (text[at - 1] != '\n' || at == text.size() || lines-- > 1)) --at;
    return text.substr(at);
}

/// Takes what a process that has ended left.
void end(Job& job, const Options& o, int status)
{
    job.seconds = std::chrono::duration<double>(Clock::now() - job.start).count();
    job.messages = tail(contents(job.log), 20);
    bool complete = false;
    std::istringstream lines(contents(job.answer));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "written") words >> job.written;
        if (word == "problem") job.outcome.problems.push_back(line.substr(8));
        if (word == "end") complete = true;
        if (word != "state") continue;
        StateDifference& s = job.outcome.states.emplace_back();
        std::string numbers[3];  // streams do not read "nan"
        words >> s.frames >> numbers[0] >> numbers[1] >> numbers[2];
        double* values[3] = {&s.position, &s.velocity, &s.firstTime};
        for (int i = 0; i < 3; ++i) *values[i] = std::strtod(numbers[i].c_str(), nullptr);
        std::getline(words >> std::ws, s.state);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        job.outcome.problems.push_back("it was stopped after " + std::to_string(o.timeLimit) + " s (--timeout)");
    else if (WIFSIGNALED(status))
        job.outcome.problems.push_back(std::string("the program crashed: ") + strsignal(WTERMSIG(status)));
    else if (!complete)
        job.outcome.problems.push_back("the program ended early, with exit status " +
                                       std::to_string(WEXITSTATUS(status)));
}

/// Runs all jobs, as many at once as threads may be used; calls `done` when one has ended.
void runAll(std::vector<Job>& jobs, const Options& o, const Load& load, const std::function<void()>& done)
{
    const std::size_t processors = threadCount(), parallel = std::min<std::size_t>(processors, jobs.size());
    const auto threads =
        static_cast<unsigned>(std::max<std::size_t>(1, processors / std::max<std::size_t>(1, parallel)));
    std::size_t next = 0, running = 0;
    while (next < jobs.size() || running > 0) {
        for (; next < jobs.size() && running < parallel; ++next, ++running) begin(jobs[next], o, load, threads);
        int status = 0;
        const pid_t process = waitpid(-1, &status, 0);
        if (process < 0 && errno == EINTR) continue;
        for (Job& job : jobs) {
            if (process <= 0 || job.process != process) continue;
            end(job, o, status);
            job.done = true;
            done();
            --running;
        }
        if (process < 0) throw std::runtime_error(std::string("cannot wait for a process: ") + std::strerror(errno));
    }
}

std::string resultOf(const Job& job, const Options& o)
{
    if (!job.outcome.problems.empty()) return "FAILED";
    if (o.updateReferences) return std::to_string(job.written) + " written";
    return job.outcome.agrees(job.test.epsilon) ? "agrees" : "DIFFERS";
}

bool isGood(const Job& job) { return job.outcome.agrees(job.test.epsilon); }

/// What is wrong with a scene, a line each.
std::vector<std::string> findings(const Job& job)
{
    std::vector<std::string> all = job.outcome.problems;
    for (const StateDifference& s : job.outcome.states) {
        if (s.position <= job.test.epsilon && s.velocity <= job.test.epsilon) continue;
        char text[256];
        std::snprintf(text, sizeof text, ": positions %.3g, velocities times dt %.3g, %.3g allowed", s.position,
                      s.velocity, job.test.epsilon);
        std::string line = s.state + text;
        if (s.firstTime >= 0.) {
            std::snprintf(text, sizeof text, "; beyond it at t = %.6g s first", s.firstTime);
            line += text;
        }
        all.push_back(std::move(line));
    }
    return all;
}

/// The table: a line for each scene in the order of the lists, as soon as it and those before it have ended.
class Table
{
public:
    Table(const std::vector<Job>& jobs, const Options& o) : m_jobs(jobs), m_options(o)
    {
        for (const Job& job : jobs) m_width = std::max(m_width, static_cast<int>(job.test.name.size()));
        std::printf("%-*s %8s %6s %6s %9s %9s %8s  %s\n", m_width, "scene", "steps", "states", "frames", "error",
                    "allowed", "seconds", "result");
        std::fflush(stdout);
    }
    void update()
    {
        for (; m_next < m_jobs.size() && m_jobs[m_next].done; ++m_next) row(m_jobs[m_next]);
    }

private:
    void row(const Job& job) const
    {
        std::printf("%-*s %8zu %6zu %6zu %9.2g %9.2g %8.2f  %s\n", m_width, job.test.name.c_str(), job.test.steps,
                    job.outcome.states.size(), job.frames(), job.error(), job.test.epsilon, job.seconds,
                    resultOf(job, m_options).c_str());
        for (const std::string& line : findings(job)) std::printf("    %s\n", line.c_str());
        if (!job.outcome.problems.empty() && !job.messages.empty()) {
            std::istringstream lines(job.messages);
            for (std::string line; std::getline(lines, line);) std::printf("    | %s\n", line.c_str());
        }
        std::fflush(stdout);
    }

    const std::vector<Job>& m_jobs;
    const Options& m_options;
    std::size_t m_next = 0;
    int m_width = 5;
};

/// JUnit's XML: a suite for each list, a case for each scene.
std::string junit(const std::vector<Job>& jobs)
{
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (std::size_t first = 0, last = 0; first < jobs.size(); first = last) {
        std::size_t failures = 0, errors = 0;
        double seconds = 0.;
        for (last = first; last < jobs.size() && jobs[last].list == jobs[first].list; ++last) {
            const bool error = !jobs[last].outcome.problems.empty();
            errors += error ? 1 : 0;
            failures += !error && !isGood(jobs[last]) ? 1 : 0;
            seconds += jobs[last].seconds;
        }
        const std::string list = escapedXml(jobs[first].list);
        text += "  <testsuite name=\"" + list + "\" tests=\"" + std::to_string(last - first) + "\" failures=\"" +
                std::to_string(failures) + "\" errors=\"" + std::to_string(errors) + "\" time=\"" + toText(seconds) +
                "\">\n";
        for (std::size_t i = first; i < last; ++i) {
            const Job& job = jobs[i];
            text += "    <testcase classname=\"" + list + "\" name=\"" + escapedXml(job.test.name) + "\" time=\"" +
                    toText(job.seconds) + "\"";
            if (isGood(job)) {
                text += "/>\n";
                continue;
            }
            const std::vector<std::string> lines = findings(job);
            const char* kind = job.outcome.problems.empty() ? "failure" : "error";
            text += std::string(">\n      <") + kind + " message=\"" + escapedXml(lines.front()) + "\">";
            for (const std::string& line : lines) text += escapedXml(line + '\n');
            text += escapedXml(job.messages) + "</" + kind + ">\n    </testcase>\n";
        }
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

}  // namespace

int runRegression(const Options& o, const Load& load)
{
    std::vector<Job> jobs;
    std::vector<std::string> errors;
    for (const std::string& list : o.regressionLists)
        for (RegressionCase& test : readRegressionList(list, errors)) {
            Job& job = jobs.emplace_back();
            job.list = list;
            job.test = std::move(test);
        }
    for (const std::string& e : errors) report(e);
    if (!errors.empty()) return SceneFailed;
    if (!o.junit.empty()) checkWritable(o.junit);  // found now, if it cannot
    Table table(jobs, o);
    runAll(jobs, o, load, [&table] { table.update(); });
    const auto good = static_cast<std::size_t>(std::ranges::count_if(jobs, isGood));
    std::printf("%zu of %zu scenes %s\n", good, jobs.size(), o.updateReferences ? "have new references" : "agree");
    std::fflush(stdout);  // it may be the same file
    if (!o.junit.empty()) writeFile(o.junit, junit(jobs));
    return good == jobs.size() ? Ok : RunFailed;
}

}  // namespace sofa::application
