// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Recorder.h"

#include <zlib.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

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

}  // namespace

void Recorder::record(const Simulation& s)
{
    const std::size_t step = s.stepCount();
    if (!m_steps.empty() && !m_steps.count(step)) return;
    Node& root = s.root();
    m_dt = root.dt();
    std::string& out = m_frames;
    if (!out.empty()) out += ",\n";
    out += "{\"step\":" + std::to_string(step) + ",\"t\":" + toText(root.time()) + ",\"states\":[";
    const ExecutionPlan& plan = ExecutionPlan::of(root);
    Vector<double> scalars;
    bool first = true;
    std::set<std::string> missing = m_states;
    for (Node* n : root.descendants()) {
        for (const BaseState* state : n->getAll<BaseState>()) {
            if (!state->isMechanical()) continue;
            if (!m_states.empty()) {
                const bool byName = missing.erase(state->name()) > 0 || m_states.count(state->name()) > 0;
                const bool byPath = missing.erase(state->pathName()) > 0 || m_states.count(state->pathName()) > 0;
                if (!byName && !byPath) continue;
            }
            if (!first) out += ",\n";
            first = false;
            out += "{\"path\":" + quoted(state->pathName()) + ",\"template\":" + quoted(state->templateName()) +
                   ",\"n\":" + std::to_string(state->size()) +
                   ",\"mapped\":" + (plan.isIndependent(*state) ? "0" : "1");
            scalars.resize(state->size() * state->coordSize());
            state->getScalars(vec_id::position, scalars.data());
            out += ",\"x\":";
            appendArray(out, scalars);
            scalars.resize(state->isAllocated(vec_id::velocity) ? state->derivScalars() : 0);
            if (!scalars.empty()) state->getScalars(vec_id::velocity, scalars.data());
            out += ",\"v\":";
            appendArray(out, scalars);
            out += '}';
        }
    }
    if (!missing.empty()) throw std::runtime_error("no state '" + *missing.begin() + "' to record");
    out += "],\"topo\":[";
    first = true;
    for (Node* n : root.descendants()) {
        for (const auto* t : n->getAll<BaseMeshTopology>()) {
            if (!first) out += ',';
            first = false;
            out += "{\"path\":" + quoted(t->pathName()) + ",\"p\":" + std::to_string(t->nbPoints()) +
                   ",\"e\":" + std::to_string(t->edges().size()) + ",\"t\":" + std::to_string(t->triangles().size()) +
                   ",\"q\":" + std::to_string(t->quads().size()) +
                   ",\"tet\":" + std::to_string(t->tetrahedra().size()) +
                   ",\"hex\":" + std::to_string(t->hexahedra().size()) + '}';
        }
    }
    out += "]}";
}

void Recorder::write() const
{
    writeTextFile(m_file, "{\"dt\":" + toText(m_dt) + ",\"frames\":[\n" + m_frames + "\n]}\n");
}

void writeTextFile(const std::string& file, const std::string& text)
{
    bool good = false;
    if (file.size() > 3 && file.compare(file.size() - 3, 3, ".gz") == 0) {
        if (gzFile gz = gzopen(file.c_str(), "wb6")) {
            good = true;
            // gzwrite takes 32-bit lengths.
            for (std::size_t p = 0; good && p < text.size();) {
                const auto n = static_cast<unsigned>(std::min<std::size_t>(text.size() - p, 1U << 30));
                good = gzwrite(gz, text.data() + p, n) == static_cast<int>(n);
                p += n;
            }
            good = gzclose(gz) == Z_OK && good;
        }
    } else if (std::FILE* f = std::fopen(file.c_str(), "wb")) {
        good = std::fwrite(text.data(), 1, text.size(), f) == text.size();
        good = std::fclose(f) == 0 && good;
    }
    if (!good) throw std::runtime_error("cannot write '" + file + "'");
}

}  // namespace sofa::core
