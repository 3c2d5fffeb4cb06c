// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DataNumbers.h"

#include <charconv>

namespace sofa::core {

namespace {

void append(Vector<double>& out, double v) { out.push_back(v); }
template <std::size_t N>
void append(Vector<double>& out, const Vec<N>& v)
{
    out.insert(out.end(), v.begin(), v.end());
}
void append(Vector<double>& out, const RigidCoord3& v)
{
    append(out, v.center);
    out.insert(out.end(), v.orientation.q.begin(), v.orientation.q.end());
}

/// A Data of one T or a list of them, without the detour over text; false if it is neither.
template <class T>
bool take(const BaseData& data, std::size_t width, NumberList& out)
{
    const auto* one = dynamic_cast<const Data<T>*>(&data);
    const auto* list = dynamic_cast<const Data<Vector<T>>*>(&data);
    if (!one && !list) return false;
    out.width = width;
    out.values.clear();
    if (one) append(out.values, one->value());
    if (list)
        for (const T& v : list->value()) append(out.values, v);
    return true;
}

}  // namespace

bool numbersOf(const BaseData& data, NumberList& out)
{
    if (take<double>(data, 1, out) || take<Vec3>(data, 3, out) || take<RigidCoord3>(data, 7, out) ||
        take<Vec<6>>(data, 6, out) || take<Vec<2>>(data, 2, out) || take<Vec<1>>(data, 1, out))
        return true;
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
