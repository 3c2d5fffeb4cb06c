// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/MouseInteractor.h"

namespace sofa::core {

namespace {

struct Kind
{
    PerformerCreator create;
    PerformerInfo info;
};

std::map<std::string, Kind>& kinds()
{
    static std::map<std::string, Kind> all;
    return all;
}

/// "remove element" of "RemoveElement".
std::string wordsOf(const std::string& name)
{
    std::string text;
    for (const char c : name) {
        const bool capital = c >= 'A' && c <= 'Z';
        if (capital && !text.empty()) text += ' ';
        text += capital ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

std::string known()
{
    std::string text;
    for (const std::string& n : performerNames()) text += (text.empty() ? "" : ", ") + n;
    return text;
}

}  // namespace

void registerPerformer(const std::string& name, PerformerCreator creator, PerformerInfo info)
{
    if (info.text.empty()) info.text = wordsOf(name);
    kinds()[name] = {std::move(creator), std::move(info)};
}

const PerformerInfo* performerInfo(const std::string& name)
{
    const auto it = kinds().find(name);
    return it == kinds().end() ? nullptr : &it->second.info;
}

std::unique_ptr<InteractionPerformer> createPerformer(const std::string& name, const PerformerSettings& settings)
{
    const auto it = kinds().find(name);
    return it == kinds().end() ? nullptr : it->second.create(settings);
}

std::vector<std::string> performerNames()
{
    std::vector<std::string> names;
    for (const auto& [name, kind] : kinds()) names.push_back(name);
    return names;
}

MouseInteractor::MouseInteractor(Node& scene) : m_scene(scene)
{
    bind(MouseButton::Left, {"AttachBody", {}});
    bind(MouseButton::Middle, {"InertialAttachBody", {}});
    bind(MouseButton::Right, {"FixParticle", {.stiffness = 10000.}});
    for (const auto* setting : scene.getAll<ButtonSetting>(Search::Down))
        bind(setting->mouseButton(), setting->binding());
}

MouseInteractor::~MouseInteractor() { releaseAll(); }

bool MouseInteractor::press(MouseButton button, const PickRay& ray)
{
    release();
    m_reason.clear();
    m_picked = m_onlyColliding ? pickColliding(m_scene, ray) : pick(m_scene, ray, m_tolerance);
    if (!m_picked) {
        m_reason = "there is nothing under the mouse";
        return false;
    }
    const Binding& b = binding(button);
    auto performer = createPerformer(b.performer, b.settings);
    if (!performer) {
        m_reason = b.performer.empty() ? "the button has no action"
                                       : "there is no action '" + b.performer + "'; known are " + known();
        return false;
    }
    if (!m_picked->state) {
        m_reason = "nothing moves '" + m_picked->surface->pathName() + "'";
        return false;
    }
    if (!performer->start(m_scene, *m_picked, m_reason)) return false;
    m_active = std::move(performer);
    std::erase_if(m_lasting, [](const auto& p) {
        if (!p->isSpent() && !p->isLost()) return false;
        p->undo();
        return true;
    });
    move(ray);
    return true;
}

void MouseInteractor::move(const PickRay& ray)
{
    if (m_active && m_active->isLost()) release();
    if (m_active) m_active->move(ray.at(m_picked->distance));
}

void MouseInteractor::release()
{
    if (!m_active) return;
    m_active->stop();
    if (m_active->outlastsButton()) m_lasting.push_back(std::move(m_active));
    m_active.reset();
}

void MouseInteractor::releaseAll()
{
    release();
    for (auto& p : m_lasting) p->undo();
    m_lasting.clear();
}

}  // namespace sofa::core
