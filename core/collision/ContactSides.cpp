// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactSides.h"

#include <algorithm>
#include <unordered_map>

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

namespace {

bool haveCommon(std::span<const Index> a, std::span<const Index> b)
{
    return std::ranges::any_of(a, [b](Index v) { return std::ranges::find(b, v) != b.end(); });
}

}  // namespace

ContactSides::Revisions ContactSides::revisionsOf(const CollisionModel& surface, const CollisionModel& other)
{
    const auto of = [](const CollisionModel& m) { return m.topology() ? m.topology()->revision() : 0; };
    return {of(surface), of(other)};
}

void ContactSides::update(const std::vector<ModelPair>& pairs)
{
    if (m_known.empty()) return;
    const auto look = [this](const CollisionModel& surface, const CollisionModel& other) {
        const auto known = m_known.find({surface.serial(), other.serial()});
        if (known == m_known.end()) return;
        Pair& pair = known->second;
        const Revisions now = revisionsOf(surface, other);
        const bool fits =
            pair.revisions ? *pair.revisions == now : std::ranges::all_of(pair.entries, [&](const Entry& e) {
                return e.part < surface.size() && e.primitive < other.size();
            });
        if (fits)
            pair.revisions = now;
        else
            m_known.erase(known);
    };
    for (const ModelPair& m : pairs) {
        look(*m.first, *m.second);
        if (m.first != m.second) look(*m.second, *m.first);
    }
}

Vec3 ContactSides::normalOf(const CollisionModel& surface, std::span<const Index> vertices)
{
    const auto unit = [&](const Triangle& t) {
        const Vec3 p = surface.point(t[0]), n = cross(surface.point(t[1]) - p, surface.point(t[2]) - p);
        const double length = norm(n);
        return length > 0. ? n / length : Vec3();
    };
    if (vertices.size() == 3) return unit({vertices[0], vertices[1], vertices[2]});
    const BaseMeshTopology* mesh = surface.topology();
    if (!mesh || vertices.empty() || vertices.size() > 2) return {};
    Vec3 sum;
    for (const Index k : mesh->trianglesAroundVertex(vertices[0])) {
        const Triangle& t = mesh->triangles()[k];
        if (std::ranges::find(t, vertices.back()) != t.end()) sum += unit(t);
    }
    return sum;
}

int ContactSides::of(const CollisionModel& surface, Index part, const CollisionModel& other, Index primitive) const
{
    const auto known = m_known.find({surface.serial(), other.serial()});
    if (known == m_known.end()) return 0;
    const Vector<Entry>& all = known->second.entries;
    const std::span<const Entry> entries(std::ranges::lower_bound(all, primitive, {}, &Entry::primitive),
                                         std::ranges::upper_bound(all, primitive, {}, &Entry::primitive));
    const auto same = std::ranges::find(entries, part, &Entry::part);
    if (same != entries.end()) return same->side;
    const auto vertices = surface.vertices(part);
    const Vec3 n = normalOf(surface, vertices);
    const auto goesOn = [&](const Entry& e) {
        if (e.part == part) return true;
        if (!haveCommon(vertices, surface.vertices(e.part))) return false;
        const Vec3 o = normalOf(surface, surface.vertices(e.part));
        return dot(n, o) > 0.5 * norm(n) * norm(o);
    };
    for (const Entry& e : entries)
        if (goesOn(e)) return e.side;
    if (other.vertices(primitive).size() < 2) return 0;  // points and spheres have no neighbours
    for (const Entry& e : all)
        if (haveCommon(other.vertices(primitive), other.vertices(e.primitive)) && goesOn(e)) return e.side;
    return 0;
}

void ContactSides::remember(const std::vector<DetectionOutput>& outputs, const ContactManager& manager)
{
    m_known.clear();
    const auto add = [this](const CollisionModel& surface, Index part, const CollisionModel& other, Index primitive,
                            int side) {
        if (side == 0) return;
        Pair& pair = m_known[{surface.serial(), other.serial()}];
        if (pair.entries.empty()) pair.revisions = revisionsOf(surface, other);
        pair.entries.push_back({primitive, part, side});
    };
    const auto hasSide = [](const DetectedContact& c) { return c.sides[0] != 0 || c.sides[1] != 0; };
    for (const DetectionOutput& o : outputs) {
        if (std::ranges::none_of(o.contacts, hasSide) || manager.isNonPenetrating(o.models)) continue;
        for (const DetectedContact& c : o.contacts) {
            const CollisionModel &a = *o.models.first, &b = *o.models.second;
            add(a, c.primitive1, b, c.primitive2, c.sides[0]);
            add(b, c.primitive2, a, c.primitive1, c.sides[1]);
        }
    }
    for (auto& [models, pair] : m_known) std::ranges::stable_sort(pair.entries, {}, &Entry::primitive);
}

void ContactSides::archive(Archive& a, const std::vector<CollisionModel*>& models)
{
    std::unordered_map<std::uint64_t, std::uint64_t> places;
    for (const CollisionModel* m : models) places.emplace(m->serial(), places.size());
    // Models that have left the scene have no sides.
    std::erase_if(m_known, [&](const auto& known) {
        return !places.contains(known.first.first) || !places.contains(known.first.second);
    });
    std::uint64_t count = m_known.size();
    a(count);
    if (!a.loading()) {
        // In the order of the list: serial numbers are those of this run.
        std::map<std::pair<std::uint64_t, std::uint64_t>, Pair*> ordered;
        for (auto& [key, pair] : m_known) ordered[{places.at(key.first), places.at(key.second)}] = &pair;
        for (auto& [key, pair] : ordered) {
            auto [first, second] = key;
            a(first);
            a(second);
            a(pair->entries);
        }
        return;
    }
    m_known.clear();
    for (; count > 0; --count) {
        std::uint64_t first = 0, second = 0;
        a(first);
        a(second);
        if (first >= models.size() || second >= models.size())
            throw std::runtime_error("it holds contacts of models that this one does not have");
        a(m_known[{models[first]->serial(), models[second]->serial()}].entries);
    }
}

}  // namespace sofa::core
