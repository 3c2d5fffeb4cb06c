// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/DisplayFlags.h"

#include <algorithm>
#include <cctype>

#include "core/log/Message.h"

namespace sofa::core {

namespace {

struct Group
{
    const char* name;  ///< without "show" or "hide"
    DisplayFlags::Flag first, last;
};

/// Single flags first, in the order of the enumeration, then groups and other spellings.
constexpr Group groups[] = {
    {"VisualModels", DisplayFlags::VisualModels, DisplayFlags::VisualModels},
    {"BehaviorModels", DisplayFlags::BehaviorModels, DisplayFlags::BehaviorModels},
    {"ForceFields", DisplayFlags::ForceFields, DisplayFlags::ForceFields},
    {"InteractionForceFields", DisplayFlags::InteractionForceFields, DisplayFlags::InteractionForceFields},
    {"CollisionModels", DisplayFlags::CollisionModels, DisplayFlags::CollisionModels},
    {"BoundingCollisionModels", DisplayFlags::BoundingCollisionModels, DisplayFlags::BoundingCollisionModels},
    {"DetectionOutputs", DisplayFlags::DetectionOutputs, DisplayFlags::DetectionOutputs},
    {"Mappings", DisplayFlags::Mappings, DisplayFlags::Mappings},
    {"MechanicalMappings", DisplayFlags::MechanicalMappings, DisplayFlags::MechanicalMappings},
    {"AdvancedRendering", DisplayFlags::AdvancedRendering, DisplayFlags::AdvancedRendering},
    {"Wireframe", DisplayFlags::Wireframe, DisplayFlags::Wireframe},
    {"Normals", DisplayFlags::Normals, DisplayFlags::Normals},
    {"Skins", DisplayFlags::Skins, DisplayFlags::Skins},
    {"ElementColors", DisplayFlags::ElementColors, DisplayFlags::ElementColors},
    {"Surroundings", DisplayFlags::Surroundings, DisplayFlags::Surroundings},
    {"Axes", DisplayFlags::Axes, DisplayFlags::Axes},
    {"Root", DisplayFlags::VisualModels, DisplayFlags::Normals},
    {"All", DisplayFlags::VisualModels, DisplayFlags::MechanicalMappings},
    {"Visual", DisplayFlags::VisualModels, DisplayFlags::VisualModels},
    {"Behavior", DisplayFlags::BehaviorModels, DisplayFlags::InteractionForceFields},
    {"Collision", DisplayFlags::CollisionModels, DisplayFlags::DetectionOutputs},
    {"Mapping", DisplayFlags::Mappings, DisplayFlags::MechanicalMappings},
    {"Options", DisplayFlags::AdvancedRendering, DisplayFlags::Normals},
    {"Rendering", DisplayFlags::AdvancedRendering, DisplayFlags::AdvancedRendering},
    {"VisualMappings", DisplayFlags::Mappings, DisplayFlags::Mappings},
};

struct Field
{
    BodyField field;
    const char *name, *title;
};
constexpr Field fields[] = {
    {BodyField::None, "None", ""},
    {BodyField::Stress, "Stress", "von Mises stress [Pa]"},
    {BodyField::Strain, "Strain", "principal strain [1]"},
    {BodyField::Displacement, "Displacement", "displacement [m]"},
    {BodyField::Velocity, "Velocity", "velocity [m/s]"},
};

bool equal(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::string_view nameOf(BodyField f)
{
    return f == BodyField::Unset ? std::string_view() : fields[static_cast<std::size_t>(f)].name;
}

std::string_view titleOf(BodyField f)
{
    return f == BodyField::Unset ? std::string_view() : fields[static_cast<std::size_t>(f)].title;
}

std::vector<std::string> bodyFieldNames()
{
    std::vector<std::string> out;
    for (const Field& f : fields) out.emplace_back(f.name);
    return out;
}

BodyField bodyFieldOf(std::string_view name)
{
    const auto f =
        std::find_if(std::begin(fields), std::end(fields), [&](const Field& k) { return equal(k.name, name); });
    return f == std::end(fields) ? BodyField::Unset : f->field;
}

bool DisplayFlags::shows(Flag f) const
{
    const State s = m_states[f];
    if (f == Skins)
        return shows(VisualModels) &&
               (s == State::On || (s == State::Unset && !shows(ForceFields) && !shows(CollisionModels)));
    if (s == State::Unset) return f == VisualModels || f == Surroundings || f == Axes;
    return s == State::On;
}

bool DisplayFlags::apply(std::string_view word)
{
    constexpr std::string_view colorBy = "colorBy";
    if (word.size() > colorBy.size() && equal(word.substr(0, colorBy.size()), colorBy)) {
        const BodyField f = bodyFieldOf(word.substr(colorBy.size()));
        if (f == BodyField::Unset) return false;
        m_field = f;
        return true;
    }
    if (word.size() < 5) return false;
    const bool show = equal(word.substr(0, 4), "show");
    if (!show && !equal(word.substr(0, 4), "hide")) return false;
    const auto rest = word.substr(4);
    const auto g =
        std::find_if(std::begin(groups), std::end(groups), [&](const Group& k) { return equal(k.name, rest); });
    if (g == std::end(groups)) return false;
    for (int f = g->first; f <= g->last; ++f) m_states[static_cast<std::size_t>(f)] = show ? State::On : State::Off;
    return true;
}

DisplayFlags DisplayFlags::merged(const DisplayFlags& above, const DisplayFlags& own)
{
    DisplayFlags r = above;
    for (std::size_t f = 0; f < Count; ++f)
        if (own.m_states[f] != State::Unset) r.m_states[f] = own.m_states[f];
    if (own.m_field != BodyField::Unset) r.m_field = own.m_field;
    return r;
}

std::vector<std::string> DisplayFlags::words()
{
    std::vector<std::string> out;
    for (const Group& g : groups) {
        out.push_back(std::string("show") + g.name);
        out.push_back(std::string("hide") + g.name);
    }
    for (const Field& f : fields) out.push_back(std::string("colorBy") + f.name);
    return out;
}

bool readValue(TextCursor& c, DisplayFlags& v)
{
    v = {};
    while (!c.atEnd()) {
        TextCursor probe = c;
        const std::string word(probe.token());
        if (!v.apply(word))
            return c.fail("a display flag such as showBehaviorModels or hideVisual" +
                          didYouMean(word, DisplayFlags::words()));
        c = probe;
    }
    return true;
}

void writeValue(std::string& out, const DisplayFlags& v)
{
    bool first = true;
    for (int f = 0; f < DisplayFlags::Count; ++f) {
        const auto s = v.state(static_cast<DisplayFlags::Flag>(f));
        if (s == DisplayFlags::State::Unset) continue;
        if (!first) out += ' ';
        first = false;
        out += s == DisplayFlags::State::On ? "show" : "hide";
        out += groups[f].name;
    }
    if (v.field() != BodyField::Unset) {
        if (!first) out += ' ';
        out += "colorBy";
        out += nameOf(v.field());
    }
}

}  // namespace sofa::core
