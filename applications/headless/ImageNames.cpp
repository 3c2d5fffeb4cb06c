// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/headless/ImageNames.h"

#include <cctype>
#include <stdexcept>

#include "applications/gl/Image.h"

namespace sofa::application {

ImageNames::ImageNames(const std::string& pattern, bool several)
{
    const auto wrong = [&](const std::string& why) {
        throw std::runtime_error("--out '" + pattern + "': " + why + "; expected a name like shot_%04d.png");
    };
    if (!gl::isImageName(pattern)) wrong("images end in .png, .jpg, .jpeg or .ppm");
    std::string* text = &m_before;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            *text += pattern[i];
            continue;
        }
        if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
            *text += '%';
            ++i;
            continue;
        }
        if (m_numbered) wrong("there is more than one number");
        std::size_t at = i + 1;
        m_zeros = at < pattern.size() && pattern[at] == '0';
        for (; at < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at])) && m_width < 100; ++at)
            m_width = 10 * m_width + (pattern[at] - '0');
        if (at >= pattern.size() || pattern[at] != 'd' || m_width >= 20) wrong("only %d and widths below 20 are known");
        m_numbered = true;
        text = &m_after;
        i = at;
    }
    if (several && !m_numbered) wrong("all images would have the same name");
}

std::string ImageNames::name(std::size_t step) const
{
    if (!m_numbered) return m_before;
    std::string number = std::to_string(step);
    const auto width = static_cast<std::size_t>(m_width);
    if (number.size() < width) number.insert(0, width - number.size(), m_zeros ? '0' : ' ');
    return m_before + number + m_after;
}

}  // namespace sofa::application
