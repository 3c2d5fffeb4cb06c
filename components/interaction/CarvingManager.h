// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <set>

#include "components/interaction/SwitchedTool.h"
#include "core/collision/CollisionDetection.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Carves: removes the elements of meshes that a tool touches, at the end of each step in which it is active.
///
/// The tool and the surfaces are collision models; what is removed are the elements of the mesh from which a surface
/// comes, tetrahedra below a skin of triangles. Contacts are those that the scene detects, so that the tool reaches as
/// far as the alarm distance of the intersection method at most. Where it touches, all connected elements go that it
/// overlaps, or that are nearer to it than the carving distance (SOFA takes those of the surface, so that a tool can
/// get inside of a body).
class CarvingManager : public SwitchedTool
{
public:
    Link<CollisionModel> l_toolModel{
        this, {"toolModel", "Collision model of the tool; default: that with the tag CarvingTool"}};
    Link<CollisionModel> l_surfaceModel{
        this, {"surfaceModelPath", "Collision model that is carved; default: all that have the tag CarvingSurface"}};
    Data<double> d_carvingDistance{
        this,
        {.name = "carvingDistance",
         .help =
             "Elements are removed where the distance of their surface from the tool, less the contact distance, is "
             "below",
         .unit = "m"},
        0.};
    Data<unsigned> d_removed{
        this,
        {.name = "removed", .help = "Elements removed since the beginning", .readOnly = true, .saved = false},
        0u};

    CarvingManager();
    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

private:
    bool isCarved(const CollisionModel& m) const;
    /// Finds the elements that the tool touches.
    void find();
    /// Adds the elements around one that are within reach of a primitive of the tool.
    void spread(const RemovableElement& from, const BaseState& state, Index primitive);
    /// Removes them, unless the mesh has changed since.
    void carve();

    struct Found
    {
        std::set<std::pair<ElementType, Index>> elements{};
        std::size_t revision = 0;
    };
    std::map<StoredTopology*, Found> m_found;  ///< in any order: each is a change of its own
};

}  // namespace sofa::component
