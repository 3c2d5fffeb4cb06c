// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <string>

namespace sofa::core {

/// Names of files from a pattern as printf has it, with at most one "%d" or "%04d" for a number; "%%" is a percent
/// sign.
class NumberedName
{
public:
    /// Throws std::runtime_error, with what is wrong, if the pattern has another conversion or several.
    explicit NumberedName(const std::string& pattern);

    /// Whether the names differ.
    bool isNumbered() const { return m_numbered; }
    std::string name(std::size_t number) const;

private:
    std::string m_before, m_after;
    std::size_t m_width = 0;
    bool m_numbered = false, m_zeros = false;
};

}  // namespace sofa::core
