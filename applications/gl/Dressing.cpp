// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Dressing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "applications/gl/Renderer.h"

namespace sofa::gl {

namespace {

constexpr std::size_t tickCount = 5;

// Measures of a legend [pixel].
constexpr float barWidth = 16.f, barHeight = 120.f, padding = 8.f, gap = 6.f, letters = 12.f, margin = 8.f;
constexpr float smallestLetters = 4.f;  // that the renderer has
const Color inkColor(0.1f, 0.1f, 0.13f);

/// Direction towards the light from above, a little from the left and from the front.
Vec3 towardsLight(const Vec3& up)
{
    const Vec3 side = normalized(cross(up, std::abs(up[2]) < 0.9 ? Vec3{0., 0., 1.} : Vec3{0., 1., 0.}));
    return normalized(up - side * 0.45 + cross(side, up) * 0.35);
}

void clearItem(Geometry& g, std::uint64_t& revision)
{
    g.clear();
    for (auto* array :
         {&g.positions.revision, &g.normals.revision, &g.colors.revision, &g.triangles.revision, &g.labels.revision})
        *array = ++revision;
}

void addRectangle(Geometry& g, float x, float y, float width, float height, const Color& below, const Color& above)
{
    const auto n = static_cast<Index>(g.positions.size());
    g.positions.insert(g.positions.end(),
                       {{x, y + height, 0.f}, {x + width, y + height, 0.f}, {x + width, y, 0.f}, {x, y, 0.f}});
    g.colors.insert(g.colors.end(), {below, below, above, above});
    g.triangles.insert(g.triangles.end(), {{n, n + 1, n + 2}, {n, n + 2, n + 3}});
}

/// A corner of a box.
Vec3 cornerOf(const BoundingBox& b, unsigned i)
{
    return {i & 1u ? b.high[0] : b.low[0], i & 2u ? b.high[1] : b.low[1], i & 4u ? b.high[2] : b.low[2]};
}

}  // namespace

LegendTexts legendTexts(const LegendDescription& d)
{
    LegendTexts out{d.title, {}};
    const double largest = std::max(std::abs(d.low), std::abs(d.high));
    double factor = 1.;
    const auto open = d.title.rfind('[');
    if (open != std::string::npos && d.title.ends_with(']') && d.title.substr(open) != "[1]" && largest > 0.) {
        constexpr const char* prefixes[] = {"n", "µ", "m", "", "k", "M", "G"};
        const int power = std::clamp(static_cast<int>(std::floor(std::log10(largest) / 3.)), -3, 3);
        factor = std::pow(1000., -power);
        out.title.insert(open + 1, prefixes[power + 3]);
    }
    for (std::size_t i = 0; i < tickCount; ++i) {
        const double t = static_cast<double>(i) / (tickCount - 1);
        char text[32];
        double value = (d.low + t * (d.high - d.low)) * factor;
        if (std::abs(value) < 1e-9 * largest * factor) value = 0.;
        std::snprintf(text, sizeof text, "%.3g", value);
        out.ticks.emplace_back(text);
    }
    return out;
}

bool Dressing::addLights(bool shadows)
{
    const bool shaded = std::ranges::any_of(m_list.scopes, [](const DrawScope& s) { return !s.shaders.empty(); });
    if (!m_list.lights.empty() || m_list.lighting || shaded || !m_list.passes.empty()) return false;
    const Vec3 up = m_list.ground ? m_list.ground->up : Vec3{0., 1., 0.};
    LightDescription above;
    above.direction = towardsLight(up);
    above.color = Color(0.7f, 0.69f, 0.67f);
    above.softShadows = true;
    above.shadowFactor = 0.6f;
    above.shadowTextureSize = 1024;
    LightDescription camera;
    camera.direction = normalized(Vec3{0.35, 0.25, 1.});
    camera.fixedToCamera = true;
    camera.color = Color(0.52f, 0.53f, 0.56f);
    camera.shadows = false;
    m_list.lights.push_back(above);
    m_list.lights.push_back(camera);
    LightingDescription lighting;
    lighting.shadows = shadows;
    lighting.ambient = Color(0.f, 0.f, 0.f);
    m_list.lighting = lighting;
    return true;
}

/// A disc that fades away to its rim, as wide as a few scenes.
void Dressing::addGround()
{
    const GroundDescription& where = *m_list.ground;
    const BoundingBox& box = m_list.box;
    const double size = norm(box.high - box.low);
    if (!(size > 0.)) return;
    Vec3 centre = (box.low + box.high) * 0.5;
    centre += where.up * (where.level - dot(where.up, centre));
    // It stays where it is while the scene moves over it.
    const bool fits = m_ground.geometry && m_ground.where == where &&
                      norm(centre - m_ground.centre) < 0.1 * m_ground.radius && m_ground.radius > 2. * size &&
                      m_ground.radius < 6. * size;
    if (!fits) {
        constexpr std::size_t around = 72, rings = 8;
        m_ground = {where, centre, 3. * size, std::make_shared<Geometry>()};
        Geometry& g = *m_ground.geometry;
        clearItem(g, m_revision);
        const Vec3 x = normalized(cross(where.up, std::abs(where.up[0]) < 0.9 ? Vec3{1., 0., 0.} : Vec3{0., 0., 1.}));
        const Vec3 z = cross(x, where.up);
        const auto add = [&](double r, double angle) {
            const double fade = 1. - r * r * (3. - 2. * r);
            g.positions.push_back(Vec3f(centre + (x * std::cos(angle) + z * std::sin(angle)) * (r * m_ground.radius)));
            g.normals.push_back(Vec3f(where.up));
            g.colors.push_back(Color(0.78f, 0.79f, 0.8f, static_cast<float>(fade)));
        };
        add(0., 0.);
        for (std::size_t i = 1; i <= rings; ++i)
            for (std::size_t k = 0; k < around; ++k)
                add(static_cast<double>(i) / rings, 2. * std::numbers::pi * static_cast<double>(k) / around);
        const auto vertex = [](std::size_t ring, std::size_t k) {
            return ring == 0 ? Index{0} : static_cast<Index>(1 + (ring - 1) * around + k % around);
        };
        for (std::size_t i = 0; i < rings; ++i)
            for (std::size_t k = 0; k < around; ++k) {
                if (i > 0) g.triangles.push_back({vertex(i, k), vertex(i, k + 1), vertex(i + 1, k + 1)});
                g.triangles.push_back({vertex(i, k), vertex(i + 1, k + 1), vertex(i + 1, k)});
            }
    }
    if (!m_groundSurface) {
        SurfaceDescription surface;
        surface.ambient = Color(0.16f, 0.16f, 0.17f);
        surface.vertexColors = true;
        surface.castsShadow = false;
        m_groundSurface = std::make_shared<const SurfaceDescription>(surface);
    }
    DrawItem item;
    item.slot = groundSlot;
    item.style.depthWrite = false;
    item.style.surface = m_groundSurface;
    item.geometry = m_ground.geometry;
    m_list.items.push_back(std::move(item));
}

void Dressing::layOut(Legend& l, const LegendDescription& d, float x, float y, float scale, const TextWidth& textWidth)
{
    const LegendTexts texts = legendTexts(d);
    const float title = texts.title.empty() ? 0.f : scale * d.titleSize;
    const float top = y + scale * padding + (title > 0.f ? title + scale * gap : 0.f) + scale * 0.5f * letters;
    float ticks = 0.f;
    for (const std::string& t : texts.ticks) ticks = std::max(ticks, textWidth(t, scale * letters));
    l.width = std::max(title > 0.f ? textWidth(texts.title, title) : 0.f, scale * (barWidth + gap) + ticks) +
              2.f * scale * padding;
    l.height = top + scale * (barHeight + 0.5f * letters + padding) - y;
    if (!l.panel || l.panel.use_count() > 1) l.panel = std::make_shared<Geometry>();
    if (!l.texts || l.texts.use_count() > 1) l.texts = std::make_shared<Geometry>();
    clearItem(*l.panel, m_revision);
    clearItem(*l.texts, m_revision);
    const Color paper(1.f, 1.f, 1.f, 0.6f);
    addRectangle(*l.panel, x, y, l.width, l.height, paper, paper);
    const float left = x + scale * padding, steps = static_cast<float>(d.colors.size() - 1);
    addRectangle(*l.panel, left - 1.f, top - 1.f, scale * barWidth + 2.f, scale * barHeight + 2.f, inkColor, inkColor);
    for (std::size_t i = 0; i + 1 < d.colors.size(); ++i) {
        const float height = scale * barHeight / steps;
        addRectangle(*l.panel, left, top + scale * barHeight - height * static_cast<float>(i + 1), scale * barWidth,
                     height, d.colors[i], d.colors[i + 1]);
    }
    if (scale * letters < smallestLetters) return;
    if (title > 0.f) l.texts->labels.push_back({{left, y + scale * padding, 0.f}, texts.title, title, false, inkColor});
    for (std::size_t i = 0; i < texts.ticks.size(); ++i) {
        const float at = top + scale * barHeight * (1.f - static_cast<float>(i) / (tickCount - 1));
        l.texts->labels.push_back({{left + scale * (barWidth + gap), at - scale * 0.5f * letters, 0.f},
                                   texts.ticks[i],
                                   scale * letters,
                                   false,
                                   inkColor});
    }
}

/// Those without a place stand side by side at the upper left.
void Dressing::addLegends(const Camera& camera, double pixelRatio, const TextWidth& textWidth)
{
    const auto width = static_cast<float>(camera.width / pixelRatio),
               height = static_cast<float>(camera.height / pixelRatio);
    m_legends.resize(m_list.legends.size());
    float next = margin;
    for (std::size_t i = 0; i < m_legends.size(); ++i) {
        const auto& d = m_list.legends[i];
        if (d->colors.size() < 2) continue;
        Legend& l = m_legends[i];
        const std::array<float, 4> wanted{d->placed ? d->x : next, d->placed ? d->y : margin, height, width};
        if (l.shown != d || l.place != wanted) {
            layOut(l, *d, wanted[0], wanted[1], 1.f, textWidth);
            // Smaller where it is larger than the view.
            const float scale = std::min({1.f, (width - 2.f) / l.width, (height - 2.f) / l.height});
            if (scale < 1.f) layOut(l, *d, wanted[0], wanted[1], scale, textWidth);
            const float x = std::max(0.f, std::min(wanted[0], width - l.width - 1.f)),
                        y = std::max(0.f, std::min(wanted[1], height - l.height - 1.f));
            layOut(l, *d, x, y, scale, textWidth);
            l.shown = d;
            l.place = wanted;
        }
        if (!d->placed) next += l.width + margin;
        for (const auto& g : {l.panel, l.texts}) {
            DrawItem item;
            item.slot = firstSlot + 1 + 2 * i + (g == l.texts ? 1 : 0);
            item.style.layer = DrawStyle::Layer::Screen;
            item.style.lit = false;
            item.geometry = g;
            m_list.items.push_back(std::move(item));
        }
    }
}

const DrawList& Dressing::dress(const DrawList& list, const Camera& camera, const RenderSettings& settings,
                                const TextWidth& textWidth)
{
    const bool surroundings = settings.surroundings && list.surroundings;
    // Small frames have no room for axes.
    const bool room = std::min(camera.width, camera.height) >= 100;
    const bool axes = settings.surroundings && list.axes && !list.cornerFrame && room;
    if (!surroundings && !axes && list.legends.empty()) return list;
    m_list = list;
    // A ground looks as it should in our own light only.
    if (surroundings && addLights(!settings.clip) && list.ground && settings.sky) addGround();
    if (axes)
        m_list.cornerFrame =
            CornerFrameDescription{CornerFrameDescription::Style::Arrows, CornerFrameDescription::Corner::BottomLeft,
                                   std::clamp(std::min(camera.width, camera.height) / 6, 40, 110)};
    addLegends(camera, settings.pixelRatio, textWidth);
    return m_list;
}

BoundingBox Dressing::litBox(const DrawList& dressed, const BoundingBox& things)
{
    BoundingBox box = things;
    if (!dressed.ground || dressed.lights.empty() || !box.valid()) return box;
    const Vec3& up = dressed.ground->up;
    const Vec3& light = dressed.lights.front().direction;
    const double slope = dot(light, up);
    if (slope < 0.1) return box;
    for (unsigned i = 0; i < 8; ++i) {
        const Vec3 p = cornerOf(things, i);
        const double above = dot(p, up) - dressed.ground->level;
        if (above > 0.) box.include(p - light * (above / slope));
    }
    return box;
}

}  // namespace sofa::gl
