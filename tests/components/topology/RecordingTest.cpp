// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <filesystem>
#include <fstream>

#include "core/simulation/Checkpoint.h"
#include "core/simulation/SimuFile.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/Paths.h"

namespace recording_test {

using namespace sofa::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

Body recorded(ElementType type)
{
    Body b = changing(type);
    b.forces = always(b.forces({}) +
                      "<Node name='embedded'><MechanicalObject name='p' position='0.05 0.2 0.05  0.11 0.2 0.13  "
                      "0.17 0.2 0.06'/><BarycentricMapping/></Node>");
    return b;
}

std::string textOf(const Body& b) { return sofa::test::textOf(b, allOf(b)); }

/// Everything of a run that a recording should bring back.
struct Moment
{
    explicit Moment(const Run& r)
        : edges(r.mesh().edges()),
          triangles(r.mesh().triangles()),
          tetrahedra(r.mesh().tetrahedra()),
          x(r.state().positions()),
          v(r.state().velocities()),
          rest(r.state().read(vec_id::restPosition)),
          embedded(r.body().child("embedded")->get<State<Vec3Types>>(Search::Local)->positions()),
          fixed(r.body().get<Component>(Search::Local) ? r.body().component("fixed")->findData("indices")->text() : ""),
          time(r.root->time())
    {
    }
    bool operator==(const Moment&) const = default;

    Vector<Edge> edges;
    Vector<Triangle> triangles;
    Vector<Tetrahedron> tetrahedra;
    Vector<Vec3> x, v, rest, embedded;
    std::string fixed;
    double time;
};

/// What happens to the mesh before a step.
void change(Run& r, ElementType type, int step)
{
    if (step == 3) removeElements(r.mesh(), type, {1, 4});
    if (step == 5) splitAtCentre(r.mesh(), type, 2);
    if (step == 6) removeElements(r.mesh(), type, {0});
}

void advance(Run& r, ElementType type, int step)
{
    change(r, type, step);
    r.steps(1);
}

}  // namespace

TEST_CASE("A recording plays meshes that change, in both directions, to the bit")
{
    const ElementType type = GENERATE(ElementType::Tetrahedra, ElementType::Triangles);
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "run.simu").string(), text = withName(textOf(recorded(type)));
    std::vector<Moment> moments;
    {
        Run r(text);
        SimuRecorder recorder(file, (folder.path() / "scene.scn").string(), *r.simulation);
        moments.emplace_back(r);
        for (int step = 1; step < 9; ++step) {
            advance(r, type, step);
            recorder.record(*r.simulation);
            moments.emplace_back(r);
        }
        recorder.finish();
    }
    // Points go with the last of their elements, and come.
    REQUIRE(moments[5].x.size() == moments[4].x.size() + 1);
    REQUIRE(moments[2].rest != moments[5].rest);
    CHECK(fs::exists(folder.path() / "run_states/meshes.gz"));
    const SimuRecording recording(file);
    REQUIRE(recording.size() == moments.size());
    Run r(text);
    for (const std::size_t k : {0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 0, 8, 2, 5, 3, 0}) {
        INFO("frame " << k);
        recording.show(*r.simulation, k);
        CHECK((Moment(r) == moments[k]));
        CHECK(hasChangedElements(*r.root) == (k >= 3));
    }
    // It goes on from the shown moment, also when the mesh changed since.
    recording.show(*r.simulation, 6);
    for (int step = 7; step < 9; ++step) advance(r, type, step);
    CHECK((Moment(r) == moments[8]));
    removeElements(r.mesh(), type, {0});
    recording.show(*r.simulation, 8);
    CHECK((Moment(r) == moments[8]));
    r.simulation->reset();
    CHECK((Moment(r) == moments[0]));
    recording.show(*r.simulation, 5);
    CHECK((Moment(r) == moments[5]));
}

TEST_CASE("A recording that begins with a changed mesh, and one without changes, bring their mesh into any scene")
{
    const TemporaryDirectory folder;
    const std::string text = withName(textOf(recorded(ElementType::Tetrahedra)));
    const auto path = [&](const char* name) { return (folder.path() / name).string(); };
    Run r(text);
    r.steps(2);
    SimuRecorder(path("before.simu"), path("scene.scn"), *r.simulation).finish();
    const Moment before(r);
    CHECK_FALSE(fs::exists(path("before_states/meshes.gz")));
    advance(r, ElementType::Tetrahedra, 3);
    SimuRecorder(path("after.simu"), path("scene.scn"), *r.simulation).finish();
    const Moment after(r);
    CHECK(fs::exists(path("after_states/meshes.gz")));

    Run other(text);
    const SimuRecording first(path("before.simu")), second(path("after.simu"));
    second.show(*other.simulation, 0);
    CHECK((Moment(other) == after));
    first.show(*other.simulation, 0);
    CHECK((Moment(other) == before));
    // A later recording of the same name without changes leaves no meshes behind.
    SimuRecorder(path("after.simu"), path("scene.scn"), *other.simulation).finish();
    CHECK_FALSE(fs::exists(path("after_states/meshes.gz")));
}

TEST_CASE("A changing blade or file goes on after a recording was shown")
{
    const TemporaryDirectory folder;
    const auto path = [&](const char* name) { return (folder.path() / name).string(); };
    std::ofstream(path("changes.txt")) << "T= 0.03\nREMOVE= 1\n2\nT= 0.06\nREMOVE= 1\n1\n";
    Body b = recorded(ElementType::Tetrahedra);
    b.forces = always(b.forces({}) + "<TopologicalChangeProcessor filename='" + path("changes.txt") + "'/>");
    const std::string text = withName(textOf(b));
    std::vector<Moment> moments;
    Run r(text);
    {
        SimuRecorder recorder(path("run.simu"), path("scene.scn"), *r.simulation);
        moments.emplace_back(r);
        for (int k = 0; k < 9; ++k) {
            r.steps(1);
            recorder.record(*r.simulation);
            moments.emplace_back(r);
        }
    }
    REQUIRE(moments[9].tetrahedra.size() + 2 == moments[0].tetrahedra.size());
    const SimuRecording recording(path("run.simu"));
    for (const std::size_t from : {1, 5, 8}) {
        recording.show(*r.simulation, from);
        r.steps(static_cast<int>(9 - from));
        CHECK((Moment(r) == moments[9]));
    }
}

TEST_CASE("Recorded meshes that a scene cannot have are refused, and nothing has changed", "[input]")
{
    const TemporaryDirectory folder;
    const auto path = [&](const char* name) { return (folder.path() / name).string(); };
    const std::string text = withName(textOf(recorded(ElementType::Tetrahedra)));
    {
        Run r(text);
        SimuRecorder recorder(path("run.simu"), path("scene.scn"), *r.simulation);
        for (int step = 1; step < 6; ++step) {
            advance(r, ElementType::Tetrahedra, step);
            recorder.record(*r.simulation);
        }
    }
    // A scene whose mesh has another name, moved and changed a little.
    std::string renamed = text;
    renamed.replace(renamed.find("name='mesh'"), 11, "name='grid'");
    Run other(renamed);
    other.steps(2);
    removeElements(other.mesh(), ElementType::Tetrahedra, {0});
    other.steps(1);
    const Moment before(other);
    CHECK_THROWS_WITH(SimuRecording(path("run.simu")).show(*other.simulation, 4),
                      Contains("there is no topology '/body/mesh'"));
    CHECK((Moment(other) == before));
    // Without the file of the meshes, as in recordings of older versions: frames with the points of the scene only.
    const std::string meshes = path("run_states/meshes.gz");
    std::ifstream in(meshes, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(in)), {});
    fs::remove(meshes);
    {
        const SimuRecording old(path("run.simu"));
        Run r(text);
        old.show(*r.simulation, 2);
        const Moment shown(r);
        CHECK_THROWS_WITH(old.show(*r.simulation, 5), Contains("has other points than"));
        CHECK((Moment(r) == shown));
    }
    for (const std::string& damaged : {content.substr(0, content.size() / 2), std::string("none")}) {
        std::ofstream(meshes, std::ios::binary) << damaged;
        CHECK_THROWS_WITH(SimuRecording(path("run.simu")), Contains("meshes.gz"));
    }
}

TEST_CASE("Present values are not written into a scene whose meshes have changed")
{
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "saved.scn").string();
    Run r(withName(textOf(recorded(ElementType::Tetrahedra))));
    r.steps(1);
    saveSceneAndState(*r.simulation, file, {.presentValues = true});
    removeElements(r.mesh(), ElementType::Tetrahedra, {0});
    fs::remove(file);
    CHECK_THROWS_WITH(saveSceneAndState(*r.simulation, file, {.presentValues = true}),
                      Contains("'/body/mesh'") && Contains("present values") && Contains("checkpoint"));
    CHECK_FALSE(fs::exists(file));
    saveSceneAndState(*r.simulation, file);
    CHECK(fs::exists(file));
}

}  // namespace recording_test
