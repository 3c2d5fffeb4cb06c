// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <set>

#include "core/behavior/BaseState.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace changes_test {

/// Scenes that change while they run: the example scene of every registered component.
using namespace sofa;
using namespace sofa::core;

namespace {

std::set<std::string> examples()
{
    std::set<std::string> scenes;
    for (const auto& entry : Registry::instance().entries())
        if (!entry->example.empty()) scenes.insert(entry->example);
    return scenes;
}

/// Some examples write files: they do so in a folder of their own.
class ScratchFolder
{
public:
    ScratchFolder() { std::filesystem::current_path(m_folder.path()); }
    ~ScratchFolder() { std::filesystem::current_path(m_before); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

private:
    std::filesystem::path m_before = std::filesystem::current_path();
    test::TemporaryDirectory m_folder;
};

/// First component of two simulations of a scene that has another state, or another thing that differs; empty if there
/// is none.
std::string difference(const Simulation& a, const Simulation& b)
{
    const auto states = [](const Simulation& s) {
        std::vector<std::pair<std::string, std::string>> all;
        for (const Node* n : s.root().descendants(true))
            for (const auto& c : n->components()) {
                Archive own;
                if (const auto* state = dynamic_cast<const BaseState*>(c.get())) {
                    // Not what solvers left in other vectors, which is no part of what goes on.
                    for (const auto& d : {state->findData("position"), state->findData("velocity")}) {
                        std::string text = d ? d->text() : "";
                        own(text);
                    }
                } else {
                    c->archive(own);
                }
                all.emplace_back(c->pathName() + " (" + c->className() + ")", own.bytes());
            }
        return all;
    };
    const auto x = states(a), y = states(b);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        if (x[i] != y[i]) return x[i].first + (x[i].first == y[i].first ? "" : " instead of " + y[i].first);
    if (x.size() != y.size()) return std::to_string(x.size()) + " components instead of " + std::to_string(y.size());
    return a.root().time() == b.root().time() ? "" : "the time";
}

std::shared_ptr<Node> load(const std::string& scene)
{
    return loadScene((test::sourceDirectory() / "scenes" / scene).string());
}

/// Calls `test(scene, simulation)` for each example that can start, and collects what it returns.
template <class F>
std::string forEachExample(const F& test)
{
    const ScratchFolder folder;
    std::string findings;
    const char* only = std::getenv("SOFA_EXAMPLE");  // for looking at one of them
    for (const std::string& scene : examples()) {
        if (only && scene.find(only) == std::string::npos) continue;
        const MessageCapture quiet;
        Simulation s(load(scene));
        if (!s.init()) {
            findings += "\n  " + scene + ": does not start";
            continue;
        }
        if (const std::string found = test(scene, s); !found.empty()) findings += "\n  " + scene + ": " + found;
        if (only) std::cerr << findings << std::endl;
    }
    return findings;
}

}  // namespace

TEST_CASE("An example scene whose components are initialised once more between steps goes on with the same bits",
          "[scenes]")
{
    const std::string findings = forEachExample([](const std::string& scene, Simulation& s) -> std::string {
        Simulation straight(load(scene));
        straight.init();
        for (int i = 0; i < 3; ++i) s.step(), straight.step();
        if (s.isUnsettled()) return "is changed by its own steps";
        s.root().scene().unsettled = true;
        const MessageCapture messages;
        if (!s.settle()) return "cannot be settled: " + messages.text();
        for (int i = 0; i < 2; ++i) s.step(), straight.step();
        if (const std::string d = difference(s, straight); !d.empty()) return "goes on differently: " + d;
        s.reset();
        straight.reset();
        if (const std::string d = difference(s, straight); !d.empty()) return "is reset to another state: " + d;
        return {};
    });
    INFO(findings);
    CHECK(findings.empty());
}

TEST_CASE("No component relies on what a vector holds that it takes for a while", "[scenes]")
{
    const std::string findings = forEachExample([](const std::string& scene, Simulation& s) -> std::string {
        Simulation poisoned(load(scene));
        poisoned.root().scene().vectors->poison = true;
        poisoned.init();
        for (int i = 0; i < 4; ++i) s.step(), poisoned.step();
        if (const std::string d = difference(s, poisoned); !d.empty()) return "goes on differently: " + d;
        return {};
    });
    INFO(findings);
    CHECK(findings.empty());
}

namespace {

/// A node or component of a scene, how to take it out and to put it back.
struct Part
{
    std::shared_ptr<Base> object;
    Node* holder;
    std::size_t place;

    Node* node() const { return dynamic_cast<Node*>(object.get()); }
    void remove() const { node() ? holder->removeChild(*node()) : holder->removeComponent(component()); }
    void restoreValue() const
    {
        if (node())
            holder->addChild(std::static_pointer_cast<Node>(object), place);
        else
            holder->addComponent(std::static_pointer_cast<Component>(object), place);
    }
    void move(Node& from, Node& to, std::size_t where) const
    {
        if (node())
            from.moveChild(*node(), to, where);
        else
            to.addComponent(std::static_pointer_cast<Component>(object), where);
    }

private:
    Component& component() const { return static_cast<Component&>(*object); }
};

std::vector<Part> partsOf(const Node& root)
{
    std::vector<Part> parts;
    // What components made while the scene ran is their own business.
    const auto add = [&parts](const auto& object, Node* holder, std::size_t place) {
        if (!isTransient(*object)) parts.push_back({object, holder, place});
    };
    for (Node* n : root.descendants(true)) {
        if (isTransient(*n)) continue;
        for (std::size_t i = 0; i < n->components().size(); ++i) add(n->components()[i], n, i);
        for (std::size_t i = 0; i < n->children().size(); ++i) add(n->children()[i], n, i);
    }
    return parts;
}

/// What a user may do next with a scene that was changed: settle it, step, save, reset. What cannot go on must say why,
/// at which place of the scene. Empty if all is well.
std::string use(Simulation& s, bool mustWork)
{
    const MessageCapture messages;
    const bool settled = s.settle();
    if (!settled) {
        if (mustWork) return "cannot be settled: " + messages.text();
        for (const Message& m : messages.messages())
            if (m.severity == Severity::Error && m.where.known()) return {};
        return "does not say where it fails: " + messages.text();
    }
    try {
        s.step();
        saveCheckpoint(s, "/dev/null");  // a file would wait for the disk
        s.reset();
        s.step();
        s.reset();
    } catch (const std::exception& e) {
        if (mustWork) return std::string("fails: ") + e.what();
        s.reset();
    }
    return {};
}

}  // namespace

TEST_CASE("Each object of each example scene can be removed, added again, and moved while the scene runs", "[scenes]")
{
    const std::string findings = forEachExample([](const std::string& scene, Simulation& s) -> std::string {
        Simulation straight(load(scene));
        straight.init();
        for (int i = 0; i < 5; ++i) straight.step();
        straight.reset();
        for (int i = 0; i < 2; ++i) straight.step();
        s.step();
        std::string found;
        const auto other = std::make_shared<Node>("elsewhere");
        for (const Part& part : partsOf(s.root())) {
            const std::string name = part.object->pathName() + " (" + part.object->className() + ")";
            if (std::getenv("SOFA_EXAMPLE")) std::cerr << name << std::endl;
            const auto note = [&](const char* when, const std::string& what) {
                if (!what.empty()) found += "\n    " + name + " " + when + ": " + what;
            };
            part.remove();
            note("removed", use(s, false));
            part.restoreValue();
            note("added again", use(s, true));
            if (other->parents().empty()) {
                s.root().addChild(other);
                note("a new node", use(s, true));
            }
            part.move(*part.holder, *other, Node::atEnd);
            note("moved", use(s, false));
            part.move(*other, *part.holder, part.place);
            note("moved back", use(s, true));
            if (!found.empty()) return found;
        }
        s.root().removeChild(*other);
        try {
            s.reset();
            for (int i = 0; i < 2; ++i) s.step();
        } catch (const std::exception& e) {
            return found + "\n    at the end: " + e.what();
        }
        // While its Newton solver is away, a static solver makes one.
        if (scene.ends_with("/StaticSolver.scn")) return found;
        const std::string d = difference(s, straight);
        return found + (d.empty() ? "" : "\n    at the end it goes on differently: " + d);
    });
    INFO(findings);
    CHECK(findings.empty());
}

TEST_CASE("Objects that outlive their scene remember nothing of it in another one", "[scenes]")
{
    const std::string findings = forEachExample([](const std::string& scene, Simulation& s) -> std::string {
        s.step();
        std::string found;
        const std::vector<Part> parts = partsOf(s.root());
        for (std::size_t k = 0; k < parts.size() && found.empty(); ++k) {
            const Part& own = parts[k];
            const std::string name = own.object->pathName() + " (" + own.object->className() + ")";
            if (std::getenv("SOFA_EXAMPLE")) std::cerr << name << std::endl;
            std::shared_ptr<Base> guest;
            {
                const MessageCapture quiet;
                Simulation other(load(scene));
                other.init();
                other.step();
                const Part part = partsOf(other.root())[k];
                part.remove();
                if (other.settle()) try {
                        other.step();
                    } catch (const SimulationError&) {
                    }
                guest = part.object;
            }
            if (guest->className() != own.object->className()) return name + ": the scene is not what it was";
            const Part there{guest, own.holder, own.place};
            own.remove();
            there.restoreValue();
            if (const std::string what = use(s, true); !what.empty()) found += name + " of another scene: " + what;
            there.remove();
            own.restoreValue();
            if (const std::string what = use(s, true); !what.empty()) found += name + " after that: " + what;
        }
        return found;
    });
    INFO(findings);
    CHECK(findings.empty());
}

}  // namespace changes_test
