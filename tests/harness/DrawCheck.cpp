// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/DrawCheck.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

namespace sofa::test {

using namespace sofa::core;

DisplayFlags everythingShown()
{
    DisplayFlags flags;
    for (int i = 0; i < DisplayFlags::Count; ++i)
        if (i != DisplayFlags::Wireframe) flags.set(static_cast<DisplayFlags::Flag>(i), DisplayFlags::State::On);
    return flags;
}

std::vector<std::string> faultsOf(const DrawList& list)
{
    std::vector<std::string> faults;
    for (const DrawItem& item : list.items) {
        const auto fault = [&](const std::string& what) {
            faults.push_back((item.owner ? item.owner->pathName() + ": " : "") + what);
        };
        if (!item.geometry) {
            fault("no geometry");
            continue;
        }
        const Geometry& g = *item.geometry;
        const std::size_t n = g.positions.size();
        const auto finite = [](const auto& v) {
            for (std::size_t i = 0; i < 3; ++i)
                if (!std::isfinite(v[i])) return false;
            return true;
        };
        const auto allFinite = [&](const auto& array, const char* name) {
            if (!std::all_of(array.begin(), array.end(), finite)) fault(std::string(name) + " are not finite");
        };
        const auto perVertex = [&](const auto& array, const char* name) {
            if (!array.empty() && array.size() != n)
                fault(std::to_string(array.size()) + " " + name + " for " + std::to_string(n) + " vertices");
        };
        const auto valid = [&](const auto& elements, const char* name) {
            for (const auto& e : elements)
                for (const Index v : e)
                    if (v >= n)
                        return fault(std::string(name) + " have the vertex " + std::to_string(v) + " of " +
                                     std::to_string(n));
        };
        allFinite(g.positions, "positions");
        allFinite(g.normals, "normals");
        perVertex(g.normals, "normals");
        perVertex(g.colors, "colours");
        valid(g.lines, "lines");
        valid(g.triangles, "triangles");
        valid(g.patches, "curved triangles");
        if (!g.patches.empty() && !g.triangles.empty()) fault("flat and curved triangles");
        for (const Index v : g.points)
            if (v >= n) fault("points have the vertex " + std::to_string(v) + " of " + std::to_string(n));
        const auto colorsFinite = [&](const Color& c) { return finite(c) && std::isfinite(c[3]); };
        if (!std::all_of(g.colors.begin(), g.colors.end(), colorsFinite) || !colorsFinite(item.style.color))
            fault("colours are not finite");
        for (const SolidInstance& s : g.solids)
            if (!finite(s.center) || !std::ranges::all_of(s.axes, [](float v) { return std::isfinite(v); })) {
                fault("solids are not finite");
                break;
            }
        for (const TextLabel& l : g.labels)
            if (!finite(l.position) || !std::isfinite(l.size)) {
                fault("labels are not finite");
                break;
            }
        const int all = static_cast<int>(g.triangles.size()), first = item.style.firstTriangle,
                  count = item.style.triangleCount;
        if (first < 0 || count < -1 || first + std::max(count, 0) > all)
            fault("triangles " + std::to_string(first) + " to " + std::to_string(first + count) + " of " +
                  std::to_string(all));
        if (!std::isfinite(item.style.size)) fault("the size is not finite");
    }
    return faults;
}

bool haveSameArrays(const DrawList& a, const DrawList& b)
{
    return std::equal(
        a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), [](const DrawItem& x, const DrawItem& y) {
            const Geometry &g = *x.geometry, &h = *y.geometry;
            return x.slot == y.slot && x.owner == y.owner && x.scope == y.scope &&
                   g.positions.revision == h.positions.revision && g.normals.revision == h.normals.revision &&
                   g.colors.revision == h.colors.revision && g.points.revision == h.points.revision &&
                   g.lines.revision == h.lines.revision && g.triangles.revision == h.triangles.revision &&
                   g.patches.revision == h.patches.revision && g.solids.revision == h.solids.revision &&
                   g.labels.revision == h.labels.revision;
        });
}

std::vector<const DrawItem*> itemsOf(const DrawList& list, const Component& owner)
{
    std::vector<const DrawItem*> items;
    for (const DrawItem& i : list.items)
        if (i.owner == &owner) items.push_back(&i);
    return items;
}

Drawing::Drawing(Component& component, const std::string& flags)
{
    DisplayFlags chosen;
    std::string error;
    REQUIRE(parseText(flags, chosen, error));
    list = drawing.draw(*component.node(), chosen);
    CHECK(faultsOf(*list).empty());
    items = itemsOf(*list, component);
    for (const DrawItem* i : items) {
        points += i->geometry->points.size();
        lines += i->geometry->lines.size();
        triangles += i->style.triangleCount < 0 ? i->geometry->triangles.size()
                                                : static_cast<std::size_t>(i->style.triangleCount);
        solids += i->geometry->solids.size();
        labels += i->geometry->labels.size();
    }
}

}  // namespace sofa::test
