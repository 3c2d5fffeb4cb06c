// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>

#include "applications/gl/RendererImplementation.h"

namespace sofa::gl {

std::optional<Pick> Renderer::Implementation::pick(const DrawList& list, const Camera& camera, double x, double y,
                                                   int tolerance, const std::function<bool(const DrawItem&)>& wanted)
{
    const int column = static_cast<int>(std::floor(x)), row = camera.height - 1 - static_cast<int>(std::floor(y));
    const int reach = std::clamp(tolerance, 0, 64);
    const int x0 = std::max(0, column - reach), y0 = std::max(0, row - reach);
    const int width = std::min(camera.width - 1, column + reach) - x0 + 1;
    const int height = std::min(camera.height - 1, row + reach) - y0 + 1;
    if (width < 1 || height < 1) return {};

    resetState();
    prepare(list, camera);
    const Camera c = placed(list, camera);
    m_pickTarget.resize(camera.width, camera.height);
    gl.BindFramebuffer(GL_FRAMEBUFFER, m_pickTarget.framebuffer());
    gl.Viewport(0, 0, camera.width, camera.height);
    gl.Enable(GL_SCISSOR_TEST);
    gl.Scissor(x0, y0, width, height);
    gl.Enable(GL_PROGRAM_POINT_SIZE);
    const GLuint nothing[] = {0, 0, 0, 0};
    gl.ClearBufferuiv(GL_COLOR, 0, nothing);
    gl.Clear(GL_DEPTH_BUFFER_BIT);
    setFrame(worldUniforms(list, c, camera.width, camera.height));
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        Entry e = m_entries[i];
        if (e.item->style.layer == DrawStyle::Layer::Screen || (wanted && !wanted(*e.item))) continue;
        e.transparent = false;
        drawItem(list, e, Purpose::Pick, i);
    }
    const auto area = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    std::vector<std::uint32_t> numbers(2 * area);
    std::vector<float> depths(area);
    const TightRows tight(gl);
    gl.ReadBuffer(GL_COLOR_ATTACHMENT0);
    gl.ReadPixels(x0, y0, width, height, GL_RG_INTEGER, GL_UNSIGNED_INT, numbers.data());
    gl.ReadPixels(x0, y0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    resetState();
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);

    std::optional<Pick> best;
    double bestScore = 0.;
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const auto at = static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i);
            if (numbers[2 * at] == 0) continue;
            const std::uint32_t code = numbers[2 * at] - 1;
            const auto kind = static_cast<Pick::Primitive>(code % 4);
            const double distance = std::hypot(x0 + i - column, y0 + j - row);
            if (distance > reach + 0.5) continue;
            // What is thin is hard to hit: it counts as nearer than it is, by a pixel and a half.
            const bool thin = kind == Pick::Primitive::Point || kind == Pick::Primitive::Line;
            const double score = thin ? distance - 1.5 : distance;
            if (best && score >= bestScore) continue;
            const Entry& e = m_entries[code / 4];
            Pick p;
            p.item = e.number;
            p.slot = e.item->slot;
            p.owner = e.item->owner;
            p.primitive = kind;
            p.index = numbers[2 * at + 1];
            if (kind == Pick::Primitive::Triangle) {
                p.index += triangleRange(e).first;
                const auto n = static_cast<std::size_t>(m_curved.divisions(p.slot));
                p.index /= n * n;
            }
            p.position = c.unproject({x0 + i + 0.5, camera.height - (y0 + j) - 0.5, static_cast<double>(depths[at])});
            p.pixelDistance = distance;
            best = p;
            bestScore = score;
        }
    return best;
}

}  // namespace sofa::gl
