// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DataNumbers.h"

#include <charconv>

namespace sofa::core {

bool numbersOf(const BaseData& data, NumberList& out)
{
    if (const NumberArray a = data.numbers(); a.type != NumberType::None) {
        out.width = a.shape[1];
        out.values.resize(a.shape[0] * a.shape[1]);
        for (std::size_t i = 0; i < a.shape[0]; ++i)
            for (std::size_t k = 0; k < a.shape[1]; ++k) out.values[i * a.shape[1] + k] = a.at(i, k);
        return true;
    }
    if (!data.choices().empty()) return false;
    out.width = 1;
    out.values.clear();
    const std::string text = data.text();
    for (const char *p = text.data(), *end = p + text.size();;) {
        while (p != end && std::string_view(" \t\r\n,;[]").find(*p) != std::string_view::npos) ++p;
        if (p == end) return true;
        double v = 0.;
        const auto r = std::from_chars(p, end, v);
        if (r.ec != std::errc()) return false;
        out.values.push_back(v);
        p = r.ptr;
    }
}

}  // namespace sofa::core
