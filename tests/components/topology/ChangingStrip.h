// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/ChangingScene.h"
#include "tests/harness/Paths.h"

/// A strip of triangles that changes, for components that follow.
namespace sofa::test {

using namespace core;

/// Four triangles in a row, of points with weight.
inline std::string strip(const std::string& more)
{
    return "<Node name='root' dt='0.01' gravity='0 0 "
           "-9.81'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver "
           "maxIterations='1000' tolerance='1e-12'/><Node name='body'><EulerImplicitSolver/><SparseLDLSolver "
           "template='CompressedRowSparseMatrixMat3x3d'/><TriangleSetTopologyContainer name='mesh' position='0 0 "
           "0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='0 2 1  1 2 3  2 4 3  3 4 "
           "5'/><TriangleSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>" +
           more + "</Node></Node>";
}

inline std::string text(const Run& r, const std::string& component, const std::string& data)
{
    return r.body().component(component)->findData(data)->text();
}

/// Point 0 goes, point 5 takes its number, and a point 5 comes in the middle of 1 and 2.
inline void change(Run& r)
{
    removeElements(r.mesh(), ElementType::Triangles, {0});
    TopologyTransaction t(r.mesh());
    const Index p = t.addPoints({{{1, 0.5}, {2, 0.5}}});
    t.add(ElementType::Triangles, std::array<Index, 3>{1, 2, p});
    t.commit();
}

/// A scene of the points that are there after change().
inline std::string stripNow(const Run& r, const std::string& more)
{
    std::string s = strip(more);
    const auto replace = [&s](const std::string& from, const std::string& to) {
        const std::size_t i = s.find(from), j = s.find('\'', i + from.size());
        s.replace(i + from.size(), j - i - from.size(), to);
    };
    replace("position='", toText(r.state().read(vec_id::restPosition)));
    replace("triangles='", toText(r.mesh().triangles()));
    return s;
}

/// The scene with `before` moves after change() as one of what is left, with `after`, and a reset brings all back.
inline void checkFollows(const std::string& before, const std::string& after, void (*change)(Run&) = sofa::test::change)
{
    INFO(before);
    const std::string original = strip(before);
    Run run(original), untouched(original), again(original);
    run.steps(2);
    change(run);
    const Run fresh(stripNow(run, after));
    fresh.take(run);
    run.steps(3);
    for (int k = 0; k < 3; ++k) fresh.simulation->step();
    CHECK(difference(moved(run), moved(fresh)) < 1e-12);
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    saveCheckpoint(*run.simulation, file);
    run.steps(2);
    loadCheckpoint(*again.simulation, file);
    again.steps(2);
    CHECK(sameState(run, again));
    run.simulation->reset();
    run.steps(3);
    untouched.steps(3);
    CHECK(sameState(run, untouched));
}

}  // namespace sofa::test
