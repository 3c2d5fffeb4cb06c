// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologyChecker.h"

#include <map>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void TopologyChecker::init()
{
    if (!l_topology && !l_topology.isSet() && node()) l_topology.set(node()->get<BaseMeshTopology>());
    if (!l_topology) fail("topology: there is no topology in its node or above that could be checked");
}

void TopologyChecker::bwdInit()
{
    if (isValid()) checkTopology();
}

void TopologyChecker::reinit()
{
    if (isValid()) checkTopology();
}

bool TopologyChecker::checkTopology()
{
    if (!l_topology) throw std::logic_error(pathName() + ": there is no topology to check");
    const BaseMeshTopology& mesh = *l_topology;
    m_revision = mesh.revision();
    std::function<Vec3(Index)> position;
    if (mesh.hasPositions()) position = [&mesh](Index i) { return mesh.pointPosition(i); };
    constexpr std::size_t shown = 3;
    std::map<MeshFault::Kind, std::pair<std::string, std::size_t>> messages;
    bool right = true;
    for (const MeshFault& f : faultsOf(mesh, position)) {
        auto& message = messages[f.kind];
        if (message.second++ < shown) message.first += (message.first.empty() ? "" : "; ") + f.text;
        right &= !f.isError();
    }
    for (const auto& entry : messages) {
        const std::size_t count = entry.second.second;
        const std::string text = "'" + mesh.pathName() + "': " + entry.second.first +
                                 (count > shown ? "; and " + std::to_string(count - shown) + " more" : "");
        if (MeshFault{.kind = entry.first, .text = {}}.isError())
            msgError() << text;
        else
            msgWarning() << text;
    }
    return right;
}

void TopologyChecker::handleEvent(const Event& e)
{
    if (!isValid() || !d_eachStep.value() || !l_topology || !dynamic_cast<const AnimateEndEvent*>(&e)) return;
    // A topology that does not count its changes is looked at in each step.
    const std::size_t revision = l_topology->revision();
    if (revision == 0 || revision != m_revision) checkTopology();
}

static const RegisterComponent registeredTopologyChecker =
    RegisterComponent("TopologyChecker", "TopologyUtility", "Sofa.Component.Topology.Utility")
        .help("Tells what is wrong with a topology")
        .example("component/topology/TopologyChecker.scn")
        .add<TopologyChecker>();

}  // namespace sofa::component
