// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Regression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "core/behavior/Solvers.h"
#include "core/io/OutputFile.h"
#include "core/io/StateFile.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

namespace fs = std::filesystem;

namespace {

using States = std::vector<Tracked<BaseState>>;

/// The states of a scene that have references.
States testedStates(const Simulation& simulation, const RegressionCase& test)
{
    const ExecutionPlan& plan = ExecutionPlan::of(simulation.root());
    States all;
    for (Node* n : simulation.root().descendants()) {
        if (!n->get<OdeSolver>(Search::Up)) continue;
        for (BaseState* s : n->getAll<BaseState>())
            if (s->isMechanical() && (test.mapped || !plan.isMapped(*s))) all.emplace_back(s);
    }
    return all;
}

/// Number of the state in the name of a reference file without its prefix: "mstate_3_dofs.json.gz",
/// "3_dofs_mstate.txt.gz".
std::optional<std::size_t> numberOf(std::string_view name)
{
    constexpr std::string_view today = "mstate_";
    if (name.starts_with(today)) {
        if (!name.ends_with(".json.gz") && !name.ends_with(".csv.gz")) return {};
        name.remove_prefix(today.size());
    } else if (!name.ends_with("_mstate.txt.gz") && !name.ends_with("_mstate.txt")) {
        return {};
    }
    std::size_t number = 0;
    const auto r = std::from_chars(name.data(), name.data() + name.size(), number);
    if (r.ec != std::errc() || r.ptr == name.data() + name.size() || *r.ptr != '_') return {};
    return number;
}

/// The reference files that there are, by the number of the state.
std::multimap<std::size_t, fs::path> referenceFiles(const RegressionCase& test)
{
    std::multimap<std::size_t, fs::path> files;
    const fs::path prefix = test.references;
    const std::string begin = prefix.filename().string();
    if (!fs::is_directory(prefix.parent_path())) return files;
    for (const auto& entry : fs::directory_iterator(prefix.parent_path())) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin)) continue;
        if (const auto number = numberOf(std::string_view(name).substr(begin.size())))
            files.emplace(*number, entry.path());
    }
    return files;
}

std::vector<double> positionsOf(const BaseState& s)
{
    std::vector<double> all(s.size() * s.coordSize());
    s.getScalars(vec_id::position, all.data());
    return all;
}

std::vector<double> velocitiesOf(const BaseState& s)
{
    std::vector<double> all(s.derivScalars());
    if (s.isAllocated(vec_id::velocity)) s.getScalars(vec_id::velocity, all.data());
    return all;
}

/// One state and its reference.
struct Comparison
{
    StateDifference difference;
    std::vector<io::StateFrame> frames;
    std::string file;
    bool failed = false;

    /// By which SOFA divides the distance of n numbers: n for files of WriteState, √n for those of today's program.
    double weight(std::size_t n) const
    {
        const auto count = static_cast<double>(n);
        return file.ends_with(".txt") || file.ends_with(".txt.gz") ? count : std::sqrt(count);
    }
};

/// ‖a − b‖
double distance(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

class Comparer
{
public:
    Comparer(Simulation& simulation, const RegressionCase& test)
        : m_simulation(simulation), m_test(test), m_states(testedStates(simulation, test))
    {
        const auto files = referenceFiles(test);
        if (m_states.empty()) m_outcome.problems.emplace_back("no integrator moves a state of the scene");
        for (std::size_t k = 0; k < m_states.size(); ++k) {
            Comparison& c = m_comparisons.emplace_back();
            c.difference.state = m_states[k]->pathName();
            const auto [first, last] = files.equal_range(k);
            if (first == last) {
                fail(c, c.difference.state + " has no reference '" + test.references + std::to_string(k) + '_' +
                            m_states[k]->name() + "_mstate.txt.gz'; --update writes it");
            } else if (std::next(first) != last) {
                fail(c, c.difference.state + " has several references: " + first->second.string() + " and " +
                            std::next(first)->second.string());
            } else {
                load(c, first->second);
            }
        }
        for (const auto& [number, file] : files)
            if (number >= m_states.size())
                m_outcome.problems.push_back("the scene has no state for '" + file.string() + "'");
    }

    RegressionOutcome run()
    {
        if (std::ranges::all_of(m_comparisons, &Comparison::failed)) return std::move(m_outcome);
        compare();
        for (std::size_t k = 0; k < m_test.steps; ++k) {
            m_simulation.step();
            compare();
        }
        for (Comparison& c : m_comparisons) {
            if (!c.failed && c.difference.frames < c.frames.size())
                fail(c, c.file + ':' + std::to_string(c.frames[c.difference.frames].line) + ": the time " +
                            std::to_string(c.frames[c.difference.frames].time) + " s does not come in " +
                            std::to_string(m_test.steps) + " steps of " + std::to_string(m_simulation.root().dt()) +
                            " s");
            if (!c.failed) m_outcome.states.push_back(std::move(c.difference));
        }
        return std::move(m_outcome);
    }

private:
    void fail(Comparison& c, std::string why)
    {
        c.failed = true;
        m_outcome.problems.push_back(std::move(why));
    }

    void load(Comparison& c, const fs::path& file)
    {
        c.file = file.string();
        try {
            c.frames = io::readStateFile(file);
            if (c.frames.empty()) fail(c, c.file + ": it holds no frame");
        } catch (const std::exception& e) {
            fail(c, e.what());
        }
    }

    /// Compares all states whose next frame is of this time.
    void compare()
    {
        const double time = m_simulation.root().time(), dt = m_simulation.root().dt();
        for (std::size_t k = 0; k < m_states.size(); ++k) {
            Comparison& c = m_comparisons[k];
            if (c.failed || c.difference.frames == c.frames.size()) continue;
            const io::StateFrame& f = c.frames[c.difference.frames];
            if (std::abs(f.time - time) >= 0.5 * dt) continue;
            if (!m_states[k]) {
                fail(c, c.difference.state + " has left the scene");
                continue;
            }
            ++c.difference.frames;
            const double before = c.difference.error();
            add(c, f.position, positionsOf(*m_states[k]), 1., c.difference.position);
            add(c, f.velocity, velocitiesOf(*m_states[k]), dt, c.difference.velocity);
            if (c.difference.firstTime < 0. && !(c.difference.error() - before <= m_test.epsilon))
                c.difference.firstTime = time;
        }
    }

    void add(Comparison& c, const io::StateVector& reference, const std::vector<double>& values, double factor,
             double& sum)
    {
        if (!reference.given() || c.failed) return;
        if (reference.numbers.size() != values.size())
            fail(c, c.file + ':' + std::to_string(reference.line) + ": " + std::to_string(reference.numbers.size()) +
                        " numbers, " + c.difference.state + " has " + std::to_string(values.size()));
        else if (!values.empty())
            sum += factor * distance(reference.numbers, values) / c.weight(values.size());
    }

    Simulation& m_simulation;
    const RegressionCase& m_test;
    States m_states;
    std::vector<Comparison> m_comparisons;
    RegressionOutcome m_outcome;
};

}  // namespace

bool RegressionOutcome::agrees(double epsilon) const
{
    // Not a number is no agreement.
    return problems.empty() && std::ranges::all_of(states, [epsilon](const StateDifference& s) {
               return s.position <= epsilon && s.velocity <= epsilon;
           });
}

RegressionOutcome compareWithReferences(Simulation& simulation, const RegressionCase& test)
{
    return Comparer(simulation, test).run();
}

std::size_t writeReferences(Simulation& simulation, const RegressionCase& test)
{
    const States states = testedStates(simulation, test);
    if (states.empty()) throw std::runtime_error("no integrator moves a state of the scene");
    fs::create_directories(fs::path(test.references).parent_path());
    std::vector<OutputFile> files;
    for (std::size_t k = 0; k < states.size(); ++k)
        files.emplace_back(test.references + std::to_string(k) + '_' + states[k]->name() + "_mstate.txt.gz");
    std::string text;
    const auto write = [&] {
        for (std::size_t k = 0; k < states.size(); ++k) {
            if (!states[k]) throw std::runtime_error("a state has left the scene: it cannot have a reference");
            text.clear();
            io::appendStateTime(text, simulation.root().time());
            io::appendStateVector(text, "X", positionsOf(*states[k]));
            io::appendStateVector(text, "V", velocitiesOf(*states[k]));
            files[k].write(text);
        }
    };
    write();
    const double stride = test.dumps == 0 ? 1. : static_cast<double>(test.steps) / static_cast<double>(test.dumps);
    double next = stride;
    for (std::size_t k = 1; k <= test.steps; ++k) {
        simulation.step();
        if (static_cast<double>(k) < next && k < test.steps) continue;
        write();
        next += stride;
    }
    for (const auto& [number, file] : referenceFiles(test)) fs::remove(file);
    for (OutputFile& f : files) f.commit();
    return files.size();
}

}  // namespace sofa::core
