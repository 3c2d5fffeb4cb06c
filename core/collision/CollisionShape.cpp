// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionShape.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <stdexcept>

#include "core/factory/NamedTable.h"

namespace sofa::core {

namespace {

struct Registered
{
    CollisionShapeInfo info;
    std::string library;
};

/// In the order of their numbers. Entries of a deque keep their place.
struct Shapes
{
    std::mutex mutex;
    std::deque<Registered> all;

    Shapes()
    {
        for (const char* name : {"sphere", "point", "line", "triangle"})
            all.push_back({{.name = name, .plural = name + std::string("s")}, "the program"});
        all.push_back({{.name = "tetrahedron", .plural = "tetrahedra"}, "the program"});
        all.push_back({{.name = "solid", .plural = "solids"}, "the program"});
    }
    static Shapes& instance()
    {
        static Shapes shapes;
        return shapes;
    }
};

}  // namespace

const CollisionShapeInfo& CollisionShape::info() const
{
    Shapes& shapes = Shapes::instance();
    const std::lock_guard lock(shapes.mutex);
    if (m_number >= shapes.all.size()) throw std::logic_error("a collision shape that nobody registered");
    return shapes.all[m_number].info;
}

CollisionShape registerCollisionShape(CollisionShapeInfo info)
{
    Shapes& shapes = Shapes::instance();
    const std::lock_guard lock(shapes.mutex);
    const auto known = [&](const std::string& name) {
        return std::ranges::find(shapes.all, name,
                                 [](const Registered& r) -> const std::string& { return r.info.name; });
    };
    if (const auto it = known(info.name); it != shapes.all.end()) {
        reportTaken("collision shape", info.name, it->library);
        const std::string name = info.name;
        for (int k = 2; known(info.name) != shapes.all.end(); ++k) info.name = name + " " + std::to_string(k);
    }
    shapes.all.push_back({std::move(info), registeringLibrary()});
    return CollisionShape(static_cast<std::uint16_t>(shapes.all.size() - 1));
}

std::size_t collisionShapeCount()
{
    Shapes& shapes = Shapes::instance();
    const std::lock_guard lock(shapes.mutex);
    return shapes.all.size();
}

}  // namespace sofa::core
