// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/MouseInteractor.h"

namespace sofa::core {

NamedTable<PerformerKind>& performers()
{
    static NamedTable<PerformerKind> table("mouse operation");
    return table;
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
    if (b.performer.empty()) {
        m_reason = "the button has no action";
        return false;
    }
    std::unique_ptr<InteractionPerformer> performer;
    try {
        performer = performers().get(b.performer)->create(b.settings);
    } catch (const std::runtime_error& e) {
        m_reason = e.what();
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
