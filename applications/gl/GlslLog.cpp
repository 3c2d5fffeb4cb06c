// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/GlslLog.h"

#include <cctype>

namespace sofa::gl {

std::string locateGlslLog(std::string_view log, std::string_view file)
{
    std::string out;
    for (std::size_t i = 0; i < log.size();) {
        std::size_t end = log.find('\n', i);
        if (end == std::string_view::npos) end = log.size();
        std::string_view line = log.substr(i, end - i);
        i = end + 1;
        if (line.empty() || line == std::string_view("\0", 1)) continue;
        std::string prefix;
        for (const std::string_view p : {"ERROR: ", "WARNING: "})
            if (line.substr(0, p.size()) == p) {
                prefix = std::string(p);
                line.remove_prefix(p.size());
            }
        // "0:12(5): ...", "0:12: ...", "0(12) : ..."
        std::size_t k = 2, digits = 0;
        if (line.size() > 3 && line[0] == '0' && (line[1] == ':' || line[1] == '('))
            while (k + digits < line.size() && std::isdigit(static_cast<unsigned char>(line[k + digits]))) ++digits;
        if (digits > 0) {
            const std::string number(line.substr(k, digits));
            k += digits;
            std::string_view rest = line.substr(k);
            if (line[1] == ':' && !rest.empty() && rest[0] == '(') {
                const std::size_t close = rest.find(')');
                if (close != std::string_view::npos) rest.remove_prefix(close + 1);
            } else if (line[1] == '(' && !rest.empty()) {
                rest.remove_prefix(1);
            }
            const std::size_t colon = rest.find_first_not_of(" :");
            rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon);
            out += std::string(file) + ':' + number + ": " + prefix + std::string(rest) + '\n';
        } else {
            out += prefix + std::string(line) + '\n';
        }
    }
    return out;
}

}  // namespace sofa::gl
