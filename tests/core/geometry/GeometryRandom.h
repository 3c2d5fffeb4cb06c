// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <random>
#include <vector>

#include "core/geometry/Aabb.h"

/// Random geometry of the tests of core/geometry, the same for a seed on every machine.
namespace sofa::test {

class GeometryRandom
{
public:
    explicit GeometryRandom(unsigned seed) : m_generator(seed) {}
    /// Uniform in [−1, 1].
    double operator()() { return static_cast<double>(m_generator()) / 2147483647.5 - 1.; }
    /// Uniform in 0 … n − 1.
    unsigned below(unsigned n) { return m_generator() % n; }
    core::Vec3 point(double size = 1.) { return {(*this)() * size, (*this)() * size, (*this)() * size}; }
    core::Vec3 direction()
    {
        for (;;) {
            const core::Vec3 d = point();
            const double n = norm(d);
            if (n > 0.1 && n < 1.) return d / n;
        }
    }

private:
    std::mt19937 m_generator;
};

/// Triangles of about `size` in a cube of half width `room`.
inline std::vector<core::geometry::Aabb> triangleBoxes(GeometryRandom& random, std::size_t n, double room, double size)
{
    std::vector<core::geometry::Aabb> boxes(n);
    for (auto& b : boxes) {
        const core::Vec3 p = random.point(room);
        b = core::geometry::Aabb::of(p, p + random.point(size), p + random.point(size));
    }
    return boxes;
}

}  // namespace sofa::test
