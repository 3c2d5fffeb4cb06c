// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/CuttingManager.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/Subdivision.h"

namespace sofa::component {

void CuttingManager::init()
{
    SwitchedTool::init();
    m_mesh = resolveChangeable(l_topology, *this);
    if (!m_mesh) return;
    std::string error;
    if (!l_blade.resolve(error)) return fail("blade: " + error);
    if (!l_blade)
        for (auto* s : node()->root().getAll<State<Vec3Types>>(Search::Down))
            if (!l_blade && s->hasTag("CuttingTool")) l_blade.set(s);
    if (!l_blade)
        return fail("it needs a blade: give the state of its points the tag \"CuttingTool\", or blade=\"@path\"");
    try {
        divisibleElements(*m_mesh);
    } catch (const std::runtime_error& e) {
        return fail(e);
    }
    m_cut.setSnap(d_snap.value());
}

void CuttingManager::reset()
{
    SwitchedTool::reset();
    m_cut.end();
    d_divided.setValue(0u);
    d_opened.setValue(0u);
}

void CuttingManager::archive(Archive& a)
{
    SwitchedTool::archive(a);
    unsigned divided = d_divided.value(), opened = d_opened.value();
    a(divided);
    a(opened);
    m_cut.archive(a);
    if (!a.loading()) return;
    d_divided.setValue(divided);
    d_opened.setValue(opened);
}

void CuttingManager::handleEvent(const Event& e)
{
    if (!isValid()) return;
    SwitchedTool::handleEvent(e);
    if (!dynamic_cast<const AnimateEndEvent*>(&e)) return;
    if (d_active.value())
        cut();
    else
        m_cut.end();
}

void CuttingManager::cut()
{
    const State<Vec3Types>& blade = *l_blade;
    Vector<Edge> lines;
    if (const auto* t = blade.node()->get<BaseMeshTopology>(Search::Local)) lines = t->edges();
    if (lines.empty())
        for (Index i = 0; i + 1 < blade.size(); ++i) lines.push_back({i, i + 1});
    try {
        const MeshCut::Result r = m_cut.moveBlade(*m_mesh, blade.positions(), lines);
        d_divided.setValue(d_divided.value() + r.divided);
        d_opened.setValue(d_opened.value() + static_cast<unsigned>(r.opened.size()));
        const Vector<Index> crumbs = smallPieces(*m_mesh, r.opened, d_smallestPiece.value());
        if (!crumbs.empty()) removeElements(*m_mesh, divisibleElements(*m_mesh), crumbs);
        tellWhyNot({});
    } catch (const std::runtime_error& e) {
        tellWhyNot(std::string("nothing is cut: ") + e.what());
    }
}

void CuttingManager::followTopology(const TopologyChange& change)
{
    if (change.restores() || !m_mesh) return;
    change.ifTakenBack([this, before = m_cut] { m_cut = before; });
    m_cut.follow(change.source(*m_mesh, ElementType::Points));
}

static const RegisterComponent registeredCuttingManager =
    RegisterComponent("CuttingManager", "Controller", "SofaCarving")
        .help("Cuts meshes with a blade")
        .example("demos/cutting.scn")
        .add<CuttingManager>();

}  // namespace sofa::component
