// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/GlslTokens.h"

#include <cctype>

namespace sofa::gl {

std::vector<GlslToken> splitGlsl(std::string_view s)
{
    std::vector<GlslToken> out;
    const auto begins = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
    const auto continues = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t from = i;
        GlslToken::Kind kind = GlslToken::Other;
        if (s.substr(i, 2) == "//") {
            kind = GlslToken::Space;
            while (i < s.size() && s[i] != '\n') ++i;
        } else if (s.substr(i, 2) == "/*") {
            kind = GlslToken::Space;
            const std::size_t end = s.find("*/", i + 2);
            i = end == std::string_view::npos ? s.size() : end + 2;
        } else if (s.substr(i, 2) == "\\\n") {
            kind = GlslToken::Space;
            i += 2;
        } else if (s[i] == '\n') {
            kind = GlslToken::EndOfLine;
            ++i;
        } else if (std::isspace(static_cast<unsigned char>(s[i]))) {
            kind = GlslToken::Space;
            while (i < s.size() && s[i] != '\n' && std::isspace(static_cast<unsigned char>(s[i]))) ++i;
        } else if (begins(s[i])) {
            kind = GlslToken::Word;
            while (i < s.size() && continues(s[i])) ++i;
        } else if (std::isdigit(static_cast<unsigned char>(s[i]))) {
            while (i < s.size() && (continues(s[i]) || s[i] == '.')) ++i;
        } else {
            ++i;
        }
        out.push_back({kind, std::string(s.substr(from, i - from))});
    }
    return out;
}

}  // namespace sofa::gl
