// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Recorder.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/NumpyFile.h"
#include "core/objectmodel/Transient.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

namespace {

std::string quoted(const std::string& s)
{
    return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void appendArray(std::string& out, const Vector<double>& v)
{
    out += '[';
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (i > 0) out += ',';
        if (std::isfinite(v[i]))
            writeValue(out, v[i]);
        else
            out += "null";
    }
    out += ']';
}

void readPositions(const BaseState& s, Vector<double>& out)
{
    out.resize(s.size() * s.coordSize());
    s.getScalars(vec_id::position, out.data());
}

/// Empty where the state has no velocities.
void readVelocities(const BaseState& s, Vector<double>& out)
{
    out.resize(s.isAllocated(vec_id::velocity) ? s.derivScalars() : 0);
    if (!out.empty()) s.getScalars(vec_id::velocity, out.data());
}

}  // namespace

class Recorder::Writer
{
public:
    virtual ~Writer() = default;
    virtual void frame(const Simulation& s, const std::vector<const BaseState*>& states) = 0;
    virtual void finish() = 0;
};

namespace {

class JsonWriter final : public Recorder::Writer
{
public:
    explicit JsonWriter(const std::string& file) : m_out(file) { m_out.write("{\"frames\":[\n"); }

    void frame(const Simulation& s, const std::vector<const BaseState*>& states) override
    {
        Node& root = s.root();
        m_dt = root.dt();
        std::string& out = m_text;
        out = m_any ? ",\n" : "";
        m_any = true;
        out += "{\"step\":" + std::to_string(s.stepCount()) + ",\"t\":" + toText(root.time()) + ",\"states\":[";
        const ExecutionPlan& plan = ExecutionPlan::of(root);
        bool first = true;
        for (const BaseState* state : states) {
            if (!first) out += ",\n";
            first = false;
            out += "{\"path\":" + quoted(state->pathName()) + ",\"template\":" + quoted(state->templateName()) +
                   ",\"n\":" + std::to_string(state->size()) +
                   ",\"mapped\":" + (plan.isIndependent(*state) ? "0" : "1") + ",\"x\":";
            readPositions(*state, m_scalars);
            appendArray(out, m_scalars);
            out += ",\"v\":";
            readVelocities(*state, m_scalars);
            appendArray(out, m_scalars);
            out += '}';
        }
        out += "],\"topo\":[";
        first = true;
        for (Node* n : root.descendants()) {
            for (const auto* t : n->getAll<BaseMeshTopology>()) {
                if (!first) out += ',';
                first = false;
                out += "{\"path\":" + quoted(t->pathName()) + ",\"p\":" + std::to_string(t->nbPoints()) +
                       ",\"e\":" + std::to_string(t->edges().size()) +
                       ",\"t\":" + std::to_string(t->triangles().size()) +
                       ",\"q\":" + std::to_string(t->quads().size()) +
                       ",\"tet\":" + std::to_string(t->tetrahedra().size()) +
                       ",\"hex\":" + std::to_string(t->hexahedra().size()) + '}';
            }
        }
        out += "]}";
        m_out.write(out);
    }

    void finish() override
    {
        m_out.write("\n],\"dt\":" + toText(m_dt) + "}\n");
        m_out.commit();
    }

private:
    OutputFile m_out;
    std::string m_text;  ///< of a frame
    Vector<double> m_scalars;
    bool m_any = false;
    double m_dt = 0.;
};

class NpzWriter final : public Recorder::Writer
{
public:
    explicit NpzWriter(const std::string& file) : m_out(file), m_step(m_out.add("step")), m_time(m_out.add("time")) {}

    void frame(const Simulation& s, const std::vector<const BaseState*>& states) override
    {
        if (!m_begun) begin(states);
        m_begun = true;
        const double step = static_cast<double>(s.stepCount()), time = s.root().time();
        m_out.append(m_step, {&step, 1});
        m_out.append(m_time, {&time, 1});
        for (const Arrays& a : m_states) {
            const auto it = std::ranges::find(states, a.path, &BaseState::pathName);
            if (it == states.end())
                throw std::runtime_error("the state '" + a.path +
                                         "' is gone: arrays of NumPy cannot hold that; record JSON");
            readPositions(**it, m_scalars);
            m_out.append(a.x, m_scalars);
            if (!a.moves) continue;
            readVelocities(**it, m_scalars);
            m_out.append(a.v, m_scalars);
        }
    }

    void finish() override { m_out.commit(); }

private:
    struct Arrays
    {
        std::string path;
        std::size_t x = 0, v = 0;
        bool moves = false;
    };

    void begin(const std::vector<const BaseState*>& states)
    {
        for (const BaseState* s : states) {
            if (isTransient(*s)) continue;
            Arrays a{s->pathName()};
            const std::string name = a.path.substr(1);
            a.x = m_out.add(name + "/x", {s->size(), s->coordSize()});
            a.moves = s->isAllocated(vec_id::velocity);
            if (a.moves) a.v = m_out.add(name + "/v", {s->size(), s->derivSize()});
            m_states.push_back(std::move(a));
        }
    }

    NpzArchive m_out;
    std::size_t m_step, m_time;
    std::vector<Arrays> m_states;
    Vector<double> m_scalars;
    bool m_begun = false;
};

}  // namespace

Recorder::Recorder(const std::string& file, std::set<std::size_t> steps, std::set<std::string> states)
    : m_steps(std::move(steps)), m_states(std::move(states))
{
    if (file.ends_with(".npz"))
        m_writer = std::make_unique<NpzWriter>(file);
    else
        m_writer = std::make_unique<JsonWriter>(file);
}

Recorder::~Recorder() = default;

std::vector<const BaseState*> Recorder::chosenStates(const Node& root) const
{
    std::vector<const BaseState*> chosen;
    std::set<std::string> missing = m_states;
    for (Node* n : root.descendants()) {
        for (const BaseState* state : n->getAll<BaseState>()) {
            if (!state->isMechanical()) continue;
            if (!m_states.empty()) {
                const bool byName = missing.erase(state->name()) > 0 || m_states.count(state->name()) > 0;
                const bool byPath = missing.erase(state->pathName()) > 0 || m_states.count(state->pathName()) > 0;
                if (!byName && !byPath) continue;
            }
            chosen.push_back(state);
        }
    }
    if (!missing.empty()) throw std::runtime_error("no state '" + *missing.begin() + "' to record");
    return chosen;
}

void Recorder::record(const Simulation& s)
{
    if (m_steps.empty() || m_steps.count(s.stepCount()) > 0) m_writer->frame(s, chosenStates(s.root()));
}

void Recorder::finish() { m_writer->finish(); }

}  // namespace sofa::core
