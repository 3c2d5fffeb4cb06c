// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/objectmodel/TypeName.h"

namespace sofa::core {

/// A quantity that bodies may be coloured by.
enum class BodyField : signed char
{
    None,
    Stress,        ///< von Mises [Pa]
    Strain,        ///< principal strain of the largest size [1]
    Displacement,  ///< from the rest position [m]
    Velocity,      ///< [m/s]
    Unset          ///< follows the node above
};
/// How users choose it ("stress"), all that there are, and the title of its legend, with the unit.
std::string_view nameOf(BodyField f);
std::vector<std::string> bodyFieldNames();
std::string_view titleOf(BodyField f);
/// The field of a name, any case; Unset if there is none.
BodyField bodyFieldOf(std::string_view name);

/// What viewers show. Each flag is on, off or unset; an unset one follows the node above. A flag of a group
/// ("showBehavior", "showAll") sets every flag of the group. Scenes write "showBehaviorModels hideVisualModels ...",
/// any case. "colorByStress" and so on choose what bodies are coloured by.
class DisplayFlags
{
public:
    enum Flag
    {
        VisualModels,
        BehaviorModels,
        ForceFields,
        InteractionForceFields,
        CollisionModels,
        BoundingCollisionModels,
        DetectionOutputs,
        Mappings,
        MechanicalMappings,
        AdvancedRendering,
        Wireframe,
        Normals,
        Skins,          ///< the surfaces of bodies that have no visual model
        ElementColors,  ///< of fields: one for each element, instead of smooth ones
        Surroundings,   ///< sky, ground and light of the viewer, where the scene has none
        Axes,           ///< of the scene's frame, in a corner
        Count
    };
    enum class State : signed char
    {
        Off,
        On,
        Unset
    };

    DisplayFlags() { m_states.fill(State::Unset); }
    State state(Flag f) const { return m_states[f]; }
    /// Whether such things are drawn. Without a statement, visual models, surroundings and axes are, and all else is
    /// not; skins are drawn with visual models, unless elements or collision models, which are in the same places, are
    /// shown.
    bool shows(Flag f) const;
    void set(Flag f, State s) { m_states[f] = s; }
    BodyField field() const { return m_field; }
    void setField(BodyField f) { m_field = f; }
    /// Applies one word ("showForceFields", "hideAll"); false if it is none.
    bool apply(std::string_view word);
    /// Flags of a node: `own` where set, else those of the node above.
    static DisplayFlags merged(const DisplayFlags& above, const DisplayFlags& own);
    /// Every word that apply() knows.
    static std::vector<std::string> words();
    friend bool operator==(const DisplayFlags&, const DisplayFlags&) = default;

private:
    std::array<State, Count> m_states;
    BodyField m_field = BodyField::Unset;
};

/// Unknown words are an error that suggests the nearest flag.
bool readValue(TextCursor& c, DisplayFlags& v);
void writeValue(std::string& out, const DisplayFlags& v);

template <>
struct TypeName<DisplayFlags>
{
    static std::string get() { return "display flags"; }
};

}  // namespace sofa::core
