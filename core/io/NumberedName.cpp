// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/NumberedName.h"

#include <cctype>
#include <stdexcept>

namespace sofa::core {

NumberedName::NumberedName(const std::string& pattern)
{
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
        if (m_numbered) throw std::runtime_error("there is more than one number");
        std::size_t at = i + 1;
        m_zeros = at < pattern.size() && pattern[at] == '0';
        for (; at < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at])) && m_width < 100; ++at)
            m_width = 10 * m_width + static_cast<std::size_t>(pattern[at] - '0');
        if (at >= pattern.size() || pattern[at] != 'd' || m_width >= 20)
            throw std::runtime_error("only %d and widths below 20 are known");
        m_numbered = true;
        text = &m_after;
        i = at;
    }
}

std::string NumberedName::name(std::size_t number) const
{
    if (!m_numbered) return m_before;
    std::string digits = std::to_string(number);
    if (digits.size() < m_width) digits.insert(0, m_width - digits.size(), m_zeros ? '0' : ' ');
    return m_before + digits + m_after;
}

}  // namespace sofa::core
