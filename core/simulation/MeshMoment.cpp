// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/MeshMoment.h"

#include <algorithm>

#include "core/behavior/BaseState.h"
#include "core/collision/CollisionModel.h"
#include "core/objectmodel/Transient.h"
#include "core/topology/TopologyChange.h"

namespace sofa::core {

namespace {

/// Whether it is, or stands below, what components put into the scene for a while.
bool isMade(const Component& c)
{
    if (isTransient(c)) return true;
    for (const Node* n = c.node(); n; n = n->parents().empty() ? nullptr : n->parents().front())
        if (isTransient(*n)) return true;
    return false;
}

/// Those that keep something made of meshes or points. Collision models and what they made find it anew.
std::vector<Component*> followersOf(const Node& root)
{
    auto all = root.getAll<Component>(Search::Down);
    std::erase_if(all, [](const Component* c) {
        return !dynamic_cast<const TopologyFollower*>(c) || dynamic_cast<const BaseState*>(c) ||
               dynamic_cast<const CollisionModel*>(c) || isMade(*c) || !c->isInitialised();
    });
    return all;
}

}  // namespace

std::vector<std::size_t> meshVersions(const Node& root)
{
    std::vector<std::size_t> all;
    for (const BaseMeshTopology* t : root.getAll<BaseMeshTopology>(Search::Down)) all.push_back(t->revision());
    for (const BaseState* s : root.getAll<BaseState>(Search::Down)) {
        if (isTransient(*s) || !s->isMechanical()) continue;
        all.push_back(s->size());
        // Points that only moved, or got other numbers.
        const BaseData* rest = s->findData("rest_position");
        all.push_back(rest && s->hasChangedPoints() ? rest->counter() : 0);
    }
    return all;
}

std::string meshesOf(Node& root)
{
    Archive a, elements;
    archiveElements(elements, root);
    std::string bytes = elements.bytes();
    a(bytes);
    std::vector<std::pair<std::string, std::string>> kept;
    for (Component* c : followersOf(root)) {
        Archive own;
        c->archive(own);
        if (!own.bytes().empty()) kept.emplace_back(c->pathName(), own.bytes());
    }
    std::uint64_t count = kept.size();
    a(count);
    for (auto& [path, own] : kept) {
        a(path);
        a(own);
    }
    return a.bytes();
}

void showMeshes(Node& root, const std::string& bytes)
{
    Archive a(bytes);
    std::string elements;
    a(elements);
    Archive own(elements);
    archiveElements(own, root);
    const std::vector<Component*> followers = followersOf(root);
    std::uint64_t count = 0;
    for (a(count); count > 0; --count) {
        std::string path, kept;
        a(path);
        a(kept);
        const auto c = std::ranges::find(followers, path, [](const Component* x) { return x->pathName(); });
        if (c == followers.end()) throw std::runtime_error("there is no component '" + path + "' that follows them");
        Archive of(kept);
        (*c)->archive(of);
    }
}

}  // namespace sofa::core
