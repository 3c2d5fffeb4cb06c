// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/headless/ImageNames.h"

#include <stdexcept>

#include "applications/gl/Image.h"

namespace sofa::application {

ImageNames::ImageNames(const std::string& pattern, bool several)
{
    const auto wrong = [&](const std::string& why) {
        throw std::runtime_error("--out '" + pattern + "': " + why + "; expected a name like shot_%04d.png");
    };
    if (!gl::isImageName(pattern)) wrong("images end in .png, .jpg, .jpeg or .ppm");
    try {
        m_names = core::NumberedName(pattern);
    } catch (const std::runtime_error& e) {
        wrong(e.what());
    }
    if (several && !m_names.isNumbered()) wrong("all images would have the same name");
}

}  // namespace sofa::application
