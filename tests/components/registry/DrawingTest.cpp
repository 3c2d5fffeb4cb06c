// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/behavior/Solvers.h"
#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/DrawCheck.h"
#include "tests/harness/Paths.h"

namespace drawing_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// Example scenes and the components that name them.
std::map<std::string, std::set<std::string>> examples()
{
    std::map<std::string, std::set<std::string>> scenes;
    for (const auto& entry : Registry::instance().entries())
        if (!entry->example.empty()) scenes[entry->example].insert(entry->name);
    return scenes;
}

std::string stateOf(const Simulation& s, const test::TemporaryDirectory& folder)
{
    const std::string file = (folder.path() / "state").string();
    saveCheckpoint(s, file);
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Some examples write files: they do so in another folder.
class WorkingDirectory
{
public:
    explicit WorkingDirectory(const std::filesystem::path& p) { std::filesystem::current_path(p); }
    ~WorkingDirectory() { std::filesystem::current_path(m_before); }
    WorkingDirectory(const WorkingDirectory&) = delete;
    WorkingDirectory& operator=(const WorkingDirectory&) = delete;

private:
    std::filesystem::path m_before = std::filesystem::current_path();
};

/// Switches what a component can show of itself on; false if it has no such Data.
bool showAll(Component& c)
{
    bool any = false;
    for (BaseData* d : c.data()) {
        if (d->group() != "Visualization") continue;
        any = true;
        if (auto* flag = dynamic_cast<Data<bool>*>(d); flag && !d->isReadOnly()) flag->setValue(true);
        // Arrows are not shown without a scale.
        if (d->name() == "showArrowSize" || d->name() == "arrowSizeCoef")
            if (auto* size = dynamic_cast<Data<double>*>(d)) size->setValue(0.1);
    }
    return any;
}

}  // namespace

TEST_CASE(
    "In its example scene every component draws numbers that are finite, changes nothing by it and allocates nothing",
    "[scenes]")
{
    const test::TemporaryDirectory folder;
    const WorkingDirectory inside(folder.path());
    std::string findings;
    // Components with Data for what they show, and those of them that drew something in an example.
    std::set<std::string> declared, drew;
    for (const auto& [scene, names] : examples()) {
        const auto add = [&, &where = scene](const std::string& what) { findings += "\n  " + where + ": " + what; };
        const auto root = loadScene((test::sourceDirectory() / "scenes" / scene).string());
        if (!root) {
            add("does not load");
            continue;
        }
        Simulation s(root);
        if (!s.init()) {
            add("does not start");
            continue;
        }
        // Before the first step too: some things are not there yet.
        {
            SceneDrawing drawing;
            for (const std::string& f : test::faultsOf(*drawing.draw(*root, test::everythingShown())))
                add("before the first step " + f);
        }
        try {
            for (int k = 0; k < 2; ++k) s.step();
        } catch (const std::exception& e) {
            add(e.what());
            continue;
        }
        bool hasVisualModels = false;
        for (Node* n : root->descendants())
            for (const auto& c : n->components()) {
                if (showAll(*c)) declared.insert(c->className());
                hasVisualModels = hasVisualModels || dynamic_cast<const VisualModel*>(c.get());
            }
        const std::string before = stateOf(s, folder);
        SceneDrawing drawing;
        auto first = drawing.draw(*root, test::everythingShown());
        for (const std::string& f : test::faultsOf(*first)) add(f);
        for (const DrawItem& i : first->items)
            if (i.owner) drew.insert(i.owner->className());
        auto second = drawing.draw(*root, test::everythingShown());
        if (!test::haveSameArrays(*first, *second)) add("a second frame has other arrays");
        // A viewer holds one frame while the next is made.
        first.reset();
        const DisplayFlags all = test::everythingShown();
        for (int k = 0; k < 4; ++k) second = drawing.draw(*root, all);
        const std::size_t allocations = test::allocationCount();
        second = drawing.draw(*root, all);
        if (const std::size_t n = test::allocationCount() - allocations)
            add("a further frame allocates " + std::to_string(n) + " times");
        DisplayFlags wireframe = test::everythingShown();
        wireframe.set(DisplayFlags::Wireframe, DisplayFlags::State::On);
        for (const std::string& f : test::faultsOf(*drawing.draw(*root, wireframe))) add("as wires " + f);
        // Visual models bring their normals up to date when they are drawn: no step depends on them.
        if (!hasVisualModels && stateOf(s, folder) != before) add("drawing changed the state");
    }
    // Why a component shows nothing in its example although it could.
    const std::set<std::string> excused = {
        "PrecomputedConstraintCorrection",                          // rotations are off
        "RecordedCamera", "VisualPointCloud", "VisualVectorField",  // tested with the visual models
    };
    CHECK(declared.size() > 20);
    for (const std::string& name : declared)
        if (drew.count(name) == 0 && excused.count(name) == 0) findings += "\n  " + name + ": draws nothing anywhere";
    INFO("findings:" << findings);
    CHECK(findings.empty());
}

}  // namespace drawing_test
