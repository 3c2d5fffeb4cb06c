// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/objectmodel/ActiveNodes.h"
#include "core/visual/BodyDrawing.h"
#include "core/visual/DrawTool.h"

namespace sofa::core {

class BaseState;

/// A component that says what viewers show of its node and of everything below.
class DisplaySetting
{
public:
    virtual ~DisplaySetting() = default;
    virtual DisplayFlags displayFlags() const = 0;
};

/// Flags that hold in a node: its own DisplaySetting and old display attributes, over those of its first parent.
DisplayFlags displayFlagsOf(const Node& node);
/// The flags of a node alone, without those above.
DisplayFlags ownDisplayFlags(const Node& node);

/// Makes frames of one scene: asks every component what it draws, in the order of the scene, and remembers what it
/// drew before, so that a viewer uploads only what changed.
///
/// Numbers of things and arrays are unique in the process, so that one viewer may show one scene after the other.
class SceneDrawing
{
public:
    SceneDrawing();
    /// The frame of the scene as it is now; no step may be running meanwhile. What the user chose in the viewer
    /// (`chosen`) goes before what the scene says at its root. The list stays valid whatever happens to the scene. The
    /// visual loop of the root updates the visual models first. Where the node or component at the path `selected` is,
    /// is shown over everything else.
    std::shared_ptr<const DrawList> draw(Node& root, const DisplayFlags& chosen = {}, std::string_view selected = {});

    /// What is not drawn: components, and nodes with all below them, by their paths.
    void setHidden(std::set<std::string> paths);
    /// As BodyDrawing::setRange and valueAt.
    void setRange(BodyField field, std::optional<std::array<double, 2>> range) { m_bodies.setRange(field, range); }
    std::optional<BodyDrawing::Value> valueAt(std::uint64_t slot, std::size_t triangle, const Vec3& point) const
    {
        return m_bodies.valueAt(slot, triangle, point);
    }

private:
    struct Drawn
    {
        std::weak_ptr<const Component> component;  ///< that the slots are of: another may come to live at its address
        std::vector<DrawTool::Slot> slots;
        std::size_t frame = 0;                     ///< in which it was drawn last
        std::vector<const BaseState*> followers;   ///< what a mapping moves; none where a link of it is not set
        std::optional<std::uint64_t> followersAt;  ///< Node::changeCount when that was looked up
    };

    /// What follows from the structure of the scene alone, for one node.
    struct Place
    {
        Node* node = nullptr;
        std::uint32_t parent = 0;  ///< index of the place of its first parent; the root's of itself
        std::string path;
        DisplaySetting* setting = nullptr;
        std::map<std::string, std::string> attributes;  ///< old display attributes, as they were read
        DisplayFlags ofAttributes;
        DisplayFlags flags;   ///< that hold here, in this frame
        bool hidden = false;  ///< nothing of it is drawn in this frame
        std::vector<const BaseState*> states;
    };
    /// The ground below everything, which stays where it is as long as nothing falls through it.
    void placeGround(DrawList& list, const Node& root, const BoundingBox& states);
    void drawSelected(DrawTool& tool, std::string_view selected);
    /// Lists the places of a scene, unless they are those of the last frame.
    void compile(Node& root);

    bool isHidden(const Place& place, const Component& c) const;

    ActiveNodes m_nodes;
    std::set<std::string> m_hidden;
    std::vector<Place> m_places;
    BodyDrawing m_bodies;
    std::optional<double> m_groundLevel;
    std::vector<DrawTool::Slot> m_selection;
    std::unordered_map<const Component*, Drawn> m_drawn;  // looked up only, never walked in order
    std::shared_ptr<DrawList> m_lists[2];
    ScratchMemory m_scratch;
    std::uint64_t m_nextSlot, m_nextRevision;
    std::size_t m_frames = 0;
};

}  // namespace sofa::core
