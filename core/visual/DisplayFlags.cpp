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

bool equal(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

bool DisplayFlags::apply(std::string_view word)
{
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
    return r;
}

std::vector<std::string> DisplayFlags::words()
{
    std::vector<std::string> out;
    for (const Group& g : groups) {
        out.push_back(std::string("show") + g.name);
        out.push_back(std::string("hide") + g.name);
    }
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
}

}  // namespace sofa::core
