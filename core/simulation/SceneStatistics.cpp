// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SceneStatistics.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/behavior/Mass.h"
#include "core/collision/CollisionDetection.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

namespace {

std::vector<BaseState*> mechanicalStates(Node& root)
{
    std::vector<BaseState*> out;
    for (Node* n : root.descendants())
        for (BaseState* s : n->getAll<BaseState>())
            if (s->isMechanical()) out.push_back(s);
    return out;
}

Vector<double> scalarsOf(const BaseState& s, bool velocities)
{
    Vector<double> out(velocities ? s.derivScalars() : s.size() * s.coordSize(), 0.);
    if (!velocities)
        s.getScalars(vec_id::position, out.data());
    else if (s.isAllocated(vec_id::velocity))
        s.getScalars(vec_id::velocity, out.data());
    return out;
}

void appendNumbers(std::string& out, const Vector<double>& values)
{
    for (const double v : values) {
        out += ' ';
        writeValue(out, v);
    }
}

std::string fileNameOf(const BaseState& s)
{
    std::string name = s.pathName().substr(1);
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

std::string energyLine(double time, const Simulation::Energy& e)
{
    std::string line = toText(time);
    appendNumbers(line, {e.kinetic, e.potential, e.kinetic + e.potential});
    return line;
}

}  // namespace

CollisionInventory takeCollisionInventory(Node& root)
{
    CollisionInventory out;
    std::map<const CollisionModel*, std::size_t> places;
    for (const CollisionModel* m : root.getAll<CollisionModel>(Search::Down)) {
        places[m] = out.models.size();
        CollisionModelEntry e;
        e.path = m->pathName();
        e.className = m->className();
        e.shape = nameOf(m->shape());
        e.primitives = m->currentSize();
        e.active = m->d_active.value();
        e.moving = m->d_moving.value();
        e.simulated = m->d_simulated.value();
        out.primitives[e.shape] += e.primitives;
        out.models.push_back(std::move(e));
    }
    for (const CollisionPipeline* p : root.getAll<CollisionPipeline>(Search::Down))
        for (const DetectionOutput* o : p->detected()) {
            if (o->contacts.empty()) continue;
            CollisionPairEntry pair{o->models.first->pathName(), o->models.second->pathName(), o->contacts.size(),
                                    o->contacts.front().value};
            for (const DetectedContact& c : o->contacts) pair.nearest = std::min(pair.nearest, c.value);
            out.contacts += pair.contacts;
            for (const CollisionModel* m : {o->models.first, o->models.second})
                if (const auto it = places.find(m); it != places.end())
                    out.models[it->second].contacts += pair.contacts;
            out.pairs.push_back(std::move(pair));
        }
    return out;
}

std::string stateText(const Simulation& simulation)
{
    Node& root = simulation.root();
    std::string out = "# step " + std::to_string(simulation.stepCount()) + ", time " + toText(root.time()) + " s\n";
    for (const BaseState* s : mechanicalStates(root)) {
        out += s->pathName() + ' ' + s->templateName() + ' ' + std::to_string(s->size()) + "\nx";
        appendNumbers(out, scalarsOf(*s, false));
        out += "\nv";
        appendNumbers(out, scalarsOf(*s, true));
        out += '\n';
    }
    return out;
}

GnuplotExporter::GnuplotExporter(std::string folder) : m_folder(std::move(folder))
{
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error) throw std::runtime_error("cannot create the folder '" + m_folder + "': " + error.message());
}

LineFile& GnuplotExporter::file(const std::string& name, const std::string& header)
{
    LineFile& f = m_files[name];
    if (!f.isOpen()) {
        f = LineFile((std::filesystem::path(m_folder) / (name + ".txt")).string());
        f.write("# " + header);
    }
    return f;
}

void GnuplotExporter::write(const Simulation& simulation)
{
    Node& root = simulation.root();
    const double time = root.time();
    const ExecutionPlan& plan = ExecutionPlan::of(root);
    const MechanicalParams mp;
    for (const BaseState* s : mechanicalStates(root)) {
        const std::string name = fileNameOf(*s);
        std::string line = toText(time);
        appendNumbers(line, scalarsOf(*s, false));
        file(name + "x", "time [s], coordinates of each point [m]").write(line);
        line = toText(time);
        appendNumbers(line, scalarsOf(*s, true));
        file(name + "v", "time [s], velocities of each point [m/s]").write(line);
        Simulation::Energy energy;
        for (const BaseMass* m : plan.masses())
            if (m->massState() == s) energy.kinetic += m->kineticEnergy(mp);
        for (const BaseForceField* f : plan.forceFields()) {
            const std::vector<BaseState*> states = f->states();
            if (states.size() != 1 || states.front() != s) continue;
            const double p = f->potentialEnergy(mp);
            if (std::isfinite(p)) energy.potential += p;
        }
        file(name + "Energy", "time [s], kinetic, potential, mechanical energy [J]").write(energyLine(time, energy));
    }
    file("Energy", "time [s], kinetic, potential, mechanical energy of the scene [J]")
        .write(energyLine(time, simulation.energy()));
}

}  // namespace sofa::core
