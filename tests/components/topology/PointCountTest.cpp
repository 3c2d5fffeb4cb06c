// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/Paths.h"

namespace point_count_test {

using namespace sofa::test;

namespace {

Index told(const BaseMeshTopology& mesh)
{
    return dynamic_cast<const Data<Index>&>(*mesh.findData("nbPoints")).value();
}

/// Both meshes tell the number of points that they and the state have.
void checkCounts(const Run& r)
{
    CHECK(told(r.mesh()) == r.mesh().nbPoints());
    CHECK(told(r.mesh()) == r.state().size());
    if (r.body().child("surface")) CHECK(told(r.surface()) == r.surface().nbPoints());
}

}  // namespace

TEST_CASE("Topologies tell the number of points that they have when it changes")
{
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "counts.bin").string();
    for (const ElementType type : {ElementType::Tetrahedra, ElementType::Triangles}) {
        const Body b = changing(type);
        const std::string text = textOf(b, allOf(b));
        Run r(text);
        const Index before = told(r.mesh());
        checkCounts(r);
        splitAtCentre(r.mesh(), type, 2);
        CHECK(told(r.mesh()) == before + 1);
        checkCounts(r);
        {
            TopologyTransaction undone(r.mesh());
            undone.addPoints({{{0, 0.5}, {1, 0.5}}});
        }
        CHECK(told(r.mesh()) == before + 1);
        Vector<Index> most(allOf(b).size() - 2);
        std::iota(most.begin(), most.end(), Index(0));
        removeElements(r.mesh(), type, most);
        CHECK(told(r.mesh()) < before);
        checkCounts(r);
        const Index left = told(r.mesh());
        saveCheckpoint(*r.simulation, file);
        r.simulation->reset();
        CHECK(told(r.mesh()) == before);
        checkCounts(r);
        Run again(text);
        loadCheckpoint(*again.simulation, file);
        CHECK(told(again.mesh()) == left);
        checkCounts(again);
        CHECK_FALSE(again.mesh().findData("nbPoints")->isSet());
    }
}

}  // namespace point_count_test
