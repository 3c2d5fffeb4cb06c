// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// SOFA's example scenes, of today and of 2011, are loaded (not initialised): whatever their components, the language
// must be understood. Components that do not exist here are left out.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "core/io/DataRepository.h"
#include "core/scene/SceneLoader.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace oracle_scenes_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> scenesIn(const fs::path& folder)
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".scn") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

/// Loads all scenes and returns the errors, one a line. With SOFA_SCENE_MESSAGES set, prints every message.
std::string errorsOf(const fs::path& tree, const std::set<std::string>& faulty)
{
    DataRepository& repository = DataRepository::instance();
    const std::string paths = (tree / "share").string() + ':' + (tree / "examples").string();
    repository.addPath(paths);
    std::string errors;
    for (const fs::path& scene : scenesIn(tree / "examples")) {
        LoadReport report;
        const MessageCapture silence;
        try {
            loadScene(scene.string(), {.lenient = true}, &report);
        } catch (const SceneError& e) {
            report.messages.push_back({Severity::Error, e.where(), "", e.reason()});
        }
        for (const Message& m : report.messages) {
            if (std::getenv("SOFA_SCENE_MESSAGES")) std::cout << m.str() << '\n';
            if (m.severity == Severity::Error && !faulty.count(fs::relative(scene, tree).string()))
                errors += m.str() + '\n';
        }
    }
    repository.removePath(paths);
    return errors;
}

}  // namespace

TEST_CASE("SOFA's example scenes of today load without errors", "[oracle]")
{
    const auto oracle = sofa::test::oracleDirectory();
    if (!oracle || !fs::is_directory(*oracle / "sofa/examples")) return sofa::test::skip("no reference scenes");
    // One takes the radii of spheres from a loader that it does not have, one positions from a node that it does not
    // have.
    const std::set<std::string> faulty{"examples/Component/Collision/Response/StickContactForceField.scn",
                                       "examples/Benchmark/Performance/BarycentricMapping_sparsegrid.scn"};
    const std::string errors = errorsOf(*oracle / "sofa", faulty);
    INFO(errors);
    CHECK(errors.empty());
}

TEST_CASE("SOFA's example scenes of 2011 load without errors", "[oracle]")
{
    const auto oracle = sofa::test::oracleDirectory();
    if (!oracle || !fs::is_directory(*oracle / "sofa2011/examples")) return sofa::test::skip("no reference scenes");
    // Files that these scenes name are not in the collection, or the file itself is empty or no XML.
    const std::set<std::string> faulty{"examples/Benchmark/Accuracy/rcylinders.scn",
                                       "examples/Components/constraint/BilinearConstraint.scn",
                                       "examples/Components/constraint/FrictionContactLMDFilters.scn",
                                       "examples/Components/engine/MeshROI.scn",
                                       "examples/Demos/10000.scn",
                                       "examples/Tutorials/StepByStep/Visual/1_Visual.scn",
                                       "examples/Tutorials/StepByStep/Visual/6_Visual.scn"};
    const std::string errors = errorsOf(*oracle / "sofa2011", faulty);
    INFO(errors);
    CHECK(errors.empty());
}

}  // namespace oracle_scenes_test
