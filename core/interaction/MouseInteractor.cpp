// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/MouseInteractor.h"

#include <algorithm>

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

std::optional<Picked> MouseInteractor::under(const PickRay& ray) const
{
    return m_onlyColliding ? pickColliding(m_scene, ray) : pick(m_scene, ray, m_tolerance);
}

void MouseInteractor::forgetSpent()
{
    std::erase_if(m_lasting, [](const Operation& o) {
        if (!o.performer->isSpent() && !o.performer->isLost()) return false;
        o.performer->undo();
        return true;
    });
}

template <class Work>
bool MouseInteractor::attempt(Work work)
{
    try {
        work();
    } catch (const std::runtime_error& e) {
        m_reason = e.what();
        return false;
    }
    return true;
}

bool MouseInteractor::press(MouseButton button, const PickRay& ray)
{
    release();
    m_reason.clear();
    m_picked = under(ray);
    const Binding& b = binding(button);
    Operation operation{b.performer, nullptr};
    if (!b.performer.empty() && !attempt([&] {
            const auto kind = performers().get(b.performer);
            operation.performer = kind->create(b.settings);
            if (!kind->needsTarget) m_picked.emplace();
        }))
        return false;
    if (!m_picked) {
        m_reason = "there is nothing under the mouse";
        return false;
    }
    if (!operation.performer) {
        m_reason = "the button has no action";
        return false;
    }
    forgetSpent();
    const auto waiting = std::ranges::find_if(
        m_lasting, [&](const Operation& o) { return o.name == b.performer && o.performer->waitsForPress(); });
    if (waiting == m_lasting.end()) return begin(operation, ray);
    operation = std::move(*waiting);
    m_lasting.erase(waiting);
    if (begin(operation, ray)) return true;
    m_lasting.push_back(std::move(operation));
    return false;
}

bool MouseInteractor::begin(Operation& operation, const PickRay& ray)
{
    const bool target = performers().get(operation.name)->needsTarget;
    if (target && !m_picked->state) {
        m_reason = "nothing moves '" + m_picked->surface->pathName() + "'";
        return false;
    }
    if (ray.camera) operation.performer->seenFrom(*ray.camera);
    if (!operation.performer->start(m_scene, *m_picked, m_reason)) return false;
    m_active = std::move(operation);
    forgetSpent();
    if (attempt([&] { m_active.performer->moveAlong(ray, ray.at(m_picked->distance)); })) return true;
    m_active.performer.reset();
    return false;
}

bool MouseInteractor::move(const PickRay& ray)
{
    if (isActive() && m_active.performer->isLost()) return release();
    if (!isActive()) return true;
    const bool moved = attempt([&] {
        if (m_active.performer->touches())
            if (const auto picked = under(ray); picked && picked->state) m_active.performer->touch(*picked);
        m_active.performer->moveAlong(ray, ray.at(m_picked->distance));
    });
    if (!moved) m_active.performer.reset();
    return moved;
}

bool MouseInteractor::release()
{
    if (!isActive()) return true;
    const bool stopped = attempt([&] { m_active.performer->stop(); });
    if (stopped && m_active.performer->outlastsButton()) m_lasting.push_back(std::move(m_active));
    m_active.performer.reset();
    return stopped;
}

void MouseInteractor::releaseAll()
{
    release();
    for (Operation& o : m_lasting) o.performer->undo();
    m_lasting.clear();
}

}  // namespace sofa::core
