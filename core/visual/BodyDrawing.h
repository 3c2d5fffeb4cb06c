// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <memory>

#include "core/visual/BodySkin.h"
#include "core/visual/SolidShape.h"

namespace sofa::core {

/// Shows the bodies of a scene that nothing else shows, and those that are coloured by a field.
///
/// A body is an independent state with all states that mappings make of it. Where no visual model belongs to it, it has
/// a skin:
///   1. the surfaces that follow it, for a body of frames, points or edges; for one of volumes, those that are closed;
///   2. else its own mesh: the border of its volumes, its faces, or its edges as tubes;
///   3. else the balls and solids of its collision models;
///   4. else its points as balls, its frames as axes.
/// It has the colour that the scene gives to its collision models, or one of a small palette; what no solver moves is
/// grey. Obstacles that force fields describe are shown as what they are.
class BodyDrawing
{
public:
    /// Finds the bodies of the active nodes of a scene.
    void compile(const std::vector<Node*>& nodes);
    /// What holds in a node, by its index in the list given to compile().
    using FlagsOf = FunctionRef<const DisplayFlags&(std::size_t)>;
    /// Computes the fields that are wanted.
    void prepare(FlagsOf flags);
    /// The range of the colours of a field from now on; none: that of the values in each frame.
    void setRange(BodyField field, std::optional<std::array<double, 2>> range);
    /// A value of a field, at a place that is seen.
    struct Value
    {
        BodyField field = BodyField::None;
        double value = 0.;  ///< in the unit of titleOf(field)
    };
    /// The value at a point [m] in a triangle of a thing of the last frame; nothing if it is not coloured by a field.
    std::optional<Value> valueAt(std::uint64_t slot, std::size_t triangle, const Vec3& point) const;
    /// Whether a visual model gives place to its body, which is coloured by a field.
    bool replaces(const Component& visual) const;
    /// Draws skins, obstacles and legends.
    void draw(DrawTool& tool, FlagsOf flags);
    /// Where the lowest of what no solver moves is along a direction [m]; infinite if nothing is at rest.
    double lowestAtRest(const Vec3& up) const;

private:
    using Slots = std::vector<DrawTool::Slot>;
    using States = std::vector<std::pair<const BaseState*, std::size_t>>;  ///< with the places of their nodes
    /// A mesh on a state, kept as long as both live: contacts change the scene, not the bodies.
    struct Skin
    {
        std::unique_ptr<BodySkin> surface;
        std::size_t place = 0;  ///< of the node of its state
        bool seen = false;
        bool colored = false;  ///< by a field, in this frame
        bool perElement = false;
        Slots slots;
    };
    struct Shape
    {
        SolidShape* shape = nullptr;
        const Component* component = nullptr;
        std::size_t place = 0;
        Slots slots;
    };
    struct Body
    {
        const BaseState* state = nullptr;
        std::size_t place = 0;
        bool atRest = true;  ///< no solver moves it
        Color color;
        std::vector<const Component*> visuals;
        std::vector<Skin*> skins;  ///< that are drawn where it has no visual model
        const ElementResults* source = nullptr;
        Skin* stressed = nullptr;  ///< the mesh of a force field that knows stresses
        std::vector<Shape> shapes;
        Slots slots;  ///< of its points
        double radius = 0.;
        BodyField field = BodyField::None;  ///< by which it is coloured in this frame
    };
    using SkinKey = std::array<const void*, 3>;  ///< state, mesh, source of stresses

    Skin* skinOf(const BaseState& state, const BaseMeshTopology& mesh, std::size_t place,
                 const ElementResults* source = nullptr);
    void chooseSkins(Body& body, const States& states);
    void drawPoints(DrawTool& tool, Body& body);
    static void place(DrawTool& tool, std::size_t place, const DisplayFlags& flags, const Component* owner,
                      Slots& slots);

    std::map<SkinKey, Skin> m_skins;  // looked up, and walked in no order that is seen
    std::vector<Body> m_bodies;
    bool m_onlyNumbers = false;  ///< no state has places: then numbers are drawn as such, along x
    std::vector<Shape> m_obstacles;
    std::vector<std::array<double, 2>> m_ranges;  ///< of each field, over all bodies
    std::map<BodyField, std::array<double, 2>> m_given;
    std::vector<const Component*> m_replaced;
    Slots m_legends;
};

}  // namespace sofa::core
