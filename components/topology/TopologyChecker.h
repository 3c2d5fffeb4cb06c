// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/MeshFaults.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

using namespace sofa::core;

/// Looks for what is wrong with a topology, when the scene has started and, if asked to, after each step.
///
/// Errors: vertices that do not exist or occur twice in an element, elements with the vertices of another one, tables
/// that differ from the lists, volumes that are not positive at the positions of the topology, and neighbours in a
/// surface that are turned against each other. Warnings: edges of a surface, or faces between volumes, with more than
/// two elements, and points without any. Of each kind the first three are named, and how many more there are. SOFA
/// looks at vertices and tables of the elements of the highest kind.
class TopologyChecker final : public Component
{
public:
    static std::string_view typeLabel() { return "topology utility"; }

    Data<bool> d_eachStep{
        this, {.name = "eachStep", .help = "Check after each step in which the topology changed, too"}, false};
    TopologyView l_topology{this, {"topology", "Topology to check; default: that of the node, or above"}};

    TopologyChecker() { d_listening.setDefault(true); }
    /// Finds the topology.
    void init() override;
    /// Checks, when all lists are there.
    void bwdInit() override;
    /// Checks.
    void reinit() override;
    void handleEvent(const Event& e) override;

    /// Tells what is wrong. Returns whether nothing is but what may be meant (warnings).
    bool checkTopology();

private:
    std::size_t m_revision = 0;
};

}  // namespace sofa::component
