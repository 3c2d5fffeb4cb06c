// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace saved_document_test {

using namespace sofa::core;
using namespace sofa::test;
namespace fs = std::filesystem;

namespace {

/// Loads every scene below a folder. Nothing that the graph is then, nor what its initialisation and a step do, may be
/// taken for an edit. Returns how many could be loaded, and initialised.
std::pair<int, int> neverEdited(const fs::path& folder, bool init, std::vector<std::string>& edited)
{
    int loaded = 0, initialised = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".scn") continue;
        const MessageCapture silence;
        std::shared_ptr<Node> root;
        try {
            root = loadScene(entry.path().string(), {.lenient = true});
        } catch (const SceneError&) {
            continue;
        }
        ++loaded;
        const auto check = [&](const char* when) {
            SceneDocument& document = *root->scene().document;
            document.update(*root);
            if (document.isEdited() || document.canUndo()) edited.push_back(entry.path().string() + ' ' + when);
        };
        check("loaded");
        if (!init) continue;
        try {
            Simulation simulation(root);
            if (!simulation.init()) continue;
            ++initialised;
            check("initialised");
            simulation.step();
            check("after a step");
            simulation.cleanup();
        } catch (const std::exception&) {
            // Scenes that need more than the tests have.
        }
    }
    return {loaded, initialised};
}

std::string lines(const std::vector<std::string>& all)
{
    std::string s;
    for (const std::string& e : all) s += e + '\n';
    return s;
}

}  // namespace

TEST_CASE("No scene of this repository is edited by being loaded, initialised and stepped", "[scenes]")
{
    std::vector<std::string> edited;
    const auto [loaded, initialised] = neverEdited(sourceDirectory() / "scenes", true, edited);
    CHECK(loaded > 150);
    CHECK(initialised > 100);
    INFO(lines(edited));
    CHECK(edited.empty());
}

TEST_CASE("No scene of the reference is edited by being loaded", "[oracle]")
{
    const auto oracle = oracleDirectory();
    if (!oracle) return skip("no reference scenes (shared/oracle)");
    DataRepository::instance().addPath((*oracle / "sofa/share").string());
    DataRepository::instance().addPath((*oracle / "sofa2011/share").string());
    std::vector<std::string> edited;
    CHECK(neverEdited(*oracle / "sofa/examples", false, edited).first >= 285);
    CHECK(neverEdited(*oracle / "sofa2011/examples", false, edited).first >= 150);
    DataRepository::instance().removePath((*oracle / "sofa/share").string());
    DataRepository::instance().removePath((*oracle / "sofa2011/share").string());
    INFO(lines(edited));
    CHECK(edited.empty());
}

}  // namespace saved_document_test
