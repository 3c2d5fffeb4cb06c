// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/ViewFiles.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/log/Message.h"

namespace sofa::gl {

namespace {

/// The convex hull of points: tells whether it may be seen, as they are not all beyond the same side of the view.
class Hull
{
public:
    Hull(const Camera& camera, const std::optional<RigidCoord3>& frame)
        : m_matrix(camera.projection() * camera.view()), m_frame(frame), m_behind(!camera.orthographic)
    {
    }
    void begin() { m_sides = all; }
    void add(const Vec3f& point)
    {
        Vec3 p(point);
        if (m_frame) p = m_frame->apply(p);
        const Vec4 c = transform(m_matrix, p);
        m_sides &= (c[0] < -c[3] ? 1u : 0u) | (c[0] > c[3] ? 2u : 0u) | (c[1] < -c[3] ? 4u : 0u) |
                   (c[1] > c[3] ? 8u : 0u) | (m_behind && c[3] <= 0. ? 16u : 0u);
    }
    bool seen() const { return m_sides == 0; }

private:
    static constexpr unsigned all = 31;
    Matrix m_matrix;
    std::optional<RigidCoord3> m_frame;
    bool m_behind;
    unsigned m_sides = all;  ///< of the view, beyond which all corners are
};

bool seesSomething(const Camera& camera, const DrawList& list, const DrawItem& item)
{
    const Geometry& g = *item.geometry;
    Hull hull(camera, list.frameOf(item.scope));
    const auto sees = [&](const auto& corners) {
        hull.begin();
        for (const Vec3f& c : corners) hull.add(c);
        return hull.seen();
    };
    const auto seesAny = [&](const auto& elements) {
        return std::ranges::any_of(elements, [&](const auto& e) {
            hull.begin();
            for (const Index i : e) hull.add(g.positions[i]);
            return hull.seen();
        });
    };
    return seesAny(g.triangles) || seesAny(g.lines) ||
           std::ranges::any_of(g.points, [&](Index i) { return sees(std::array{g.positions[i]}); }) ||
           std::ranges::any_of(g.labels, [&](const TextLabel& l) { return sees(std::array{l.position}); }) ||
           std::ranges::any_of(g.solids, [&](const SolidInstance& s) {
               std::array<Vec3f, 8> corners;  // of a box around it in its own frame
               for (std::size_t i = 0; i < 8; ++i) {
                   corners[i] = s.center;
                   for (std::size_t k = 0; k < 3; ++k)
                       for (std::size_t j = 0; j < 3; ++j)
                           corners[i][j] += (i >> k & 1 ? 1.f : -1.f) * s.axes[3 * k + j];
               }
               return sees(corners);
           });
}

}  // namespace

std::string viewFileFor(const std::string& scene) { return scene + ".view"; }

std::optional<std::string> savedView(const std::string& scene)
{
    const std::string plain = std::filesystem::path(scene).replace_extension(".view").string();
    for (const std::string& file : {viewFileFor(scene), plain, scene + ".qt.view", scene + ".qglviewer.view"})
        if (std::filesystem::is_regular_file(file)) return file;
    return {};
}

bool seesSomething(const Camera& camera, const DrawList& list)
{
    return std::ranges::any_of(list.items, [&](const DrawItem& item) {
        return item.style.layer != DrawStyle::Layer::Screen && item.geometry && seesSomething(camera, list, item);
    });
}

bool firstView(Camera& camera, const DrawList& list, const Vec3& gravity, const std::string& scene,
               const std::string& view)
{
    const Camera given = camera;
    const auto seeAll = [&] {
        camera.setDefaultView(list.box, gravity);
        if (!list.viewer || !list.viewer->orthographic) return;
        camera.orthographic = *list.viewer->orthographic;
        camera.fit(list.box);  // what is near is no larger then
    };
    seeAll();
    if (list.camera) {
        const bool orthographic = camera.orthographic;
        camera.apply(*list.camera);
        if (list.viewer && list.viewer->orthographic) camera.orthographic = orthographic;
    }
    const auto saved = view.empty() ? savedView(scene) : view;
    if (saved) camera.load(*saved);
    camera.computeClipping(list.box);
    // What was chosen just now is shown as it is.
    if (!view.empty() || list.items.empty() || seesSomething(camera, list)) return !saved && !list.camera;
    if (saved)
        MessageLog::emit(Severity::Warning,
                         "nothing of the scene lies in the view '" + *saved + "': the whole scene is seen instead");
    camera = given;
    seeAll();
    return true;
}

}  // namespace sofa::gl
