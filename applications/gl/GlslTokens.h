// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sofa::gl {

/// A piece of a shader's text. Pieces one after the other are the text again.
struct GlslToken
{
    enum Kind
    {
        Word,
        Space,  ///< white space without ends of lines, comments, continued lines
        EndOfLine,
        Other
    };
    Kind kind;
    std::string text;
};

std::vector<GlslToken> splitGlsl(std::string_view s);

}  // namespace sofa::gl
