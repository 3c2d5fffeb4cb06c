// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/MovingSolids.h"
#include "core/geometry/ConvexContact.h"

#include <algorithm>
#include <cmath>

namespace sofa::component {

using geometry::ConvexBody;

namespace {

/// Ways of what carries a primitive, and the arc that its points make around that.
struct Way
{
    Way(const CollisionModel& m, Index i) : arc(m.turn(i))
    {
        for (const Index v : m.vertices(i)) ways[count++] = m.endPoint(v) - m.point(v);
    }
    /// The most that any point goes along n.
    double along(const Vec3& n) const
    {
        double most = dot(ways[0], n);
        for (std::size_t k = 1; k < count; ++k) most = std::max(most, dot(ways[k], n));
        return most + arc;
    }
    std::array<Vec3, 4> ways;
    std::size_t count = 0;
    double arc;
};

}  // namespace

double leastDistance(double now, double contact, double radii)
{
    if (!(now > 0.) || !(contact + radii > 0.)) return 0.;
    const double loss = std::max(0.5 * std::min(contact, now - radii), 0.05 * radii);
    return std::min(contact + radii, now) - std::min(loss, 0.5 * now);
}

std::optional<Advance> firstTimeWithin(const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                                       double distance, double tolerance, std::size_t maxSteps)
{
    const Way wayA(a, i), wayB(b, j);
    double most = 0.;
    for (std::size_t k = 0; k < wayA.count; ++k)
        for (std::size_t l = 0; l < wayB.count; ++l) most = std::max(most, norm(wayA.ways[k] - wayB.ways[l]));
    most += wayA.arc + wayB.arc;
    const auto at = [&](double t) { return Advance{t, most * (1. - t)}; };
    double t = 0.;
    for (std::size_t step = 0; step < maxSteps; ++step) {
        const ConvexBody x = a.bodyAt(i, t), y = b.bodyAt(j, t);
        const geometry::Contact c = geometry::coreContact(x, y);
        if (!(c.distance - distance > tolerance)) return at(t);
        // What the planes across the normal leave between them, whatever the precision of the normal.
        const double gap = dot(y.support(-c.normal) - x.support(c.normal), c.normal) - distance,
                     approach = wayA.along(c.normal) + wayB.along(-c.normal);
        if (!(gap > 0.)) return at(t);
        if (!(approach > 0.)) return {};
        const double next = t + gap / approach;
        if (!(next <= 1.)) return {};
        if (!(next > t)) return at(t);
        t = next;
    }
    return at(t);
}

}  // namespace sofa::component
