// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/NumberedName.h"

namespace sofa::application {

/// Names of images from a pattern with one "%d" or "%04d", for the number of the step.
class ImageNames
{
public:
    /// Throws std::runtime_error if the pattern has another conversion or several, or none though it must make
    /// different names, or if its extension is not one of an image.
    ImageNames(const std::string& pattern, bool several);

    std::string name(std::size_t step) const { return m_names.name(step); }

private:
    core::NumberedName m_names{""};
};

}  // namespace sofa::application
