// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/objectmodel/DataText.h"

namespace sofa::core {

/// What viewers show. Each flag is on, off or unset; an unset one follows the node above. A flag of a group
/// ("showBehavior", "showAll") sets every flag of the group. Scenes write "showBehaviorModels hideVisualModels ...",
/// any case.
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
    /// Whether such things are drawn: without a statement, visual models are and all else is not.
    bool shows(Flag f) const { return m_states[f] == State::Unset ? f == VisualModels : m_states[f] == State::On; }
    void set(Flag f, State s) { m_states[f] = s; }
    /// Applies one word ("showForceFields", "hideAll"); false if it is none.
    bool apply(std::string_view word);
    /// Flags of a node: `own` where set, else those of the node above.
    static DisplayFlags merged(const DisplayFlags& above, const DisplayFlags& own);
    /// Every word that apply() knows.
    static std::vector<std::string> words();
    friend bool operator==(const DisplayFlags&, const DisplayFlags&) = default;

private:
    std::array<State, Count> m_states;
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
