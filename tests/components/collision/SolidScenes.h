// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "core/collision/CollisionDetection.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace sofa::test {

using namespace sofa::core;

/// With every digit, so that the scene has the same numbers.
inline std::string text(double x)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.17g ", x);
    return buffer.data();
}
inline std::string text(const Vec3& p) { return text(p[0]) + text(p[1]) + text(p[2]); }

/// Two models "a" and "b" in nodes of their own, and a method.
struct Pair
{
    Pair(const std::string& a, const std::string& b, const std::string& method = "MinProximityIntersection",
         const std::string& settings = "alarmDistance='1' contactDistance='0.25'")
        : root(loadSceneText("<Node name='root'><" + method + " " + settings + "/><Node name='a'>" + a +
                                 "</Node><Node name='b'>" + b + "</Node></Node>",
                             "test.scn"))
    {
        REQUIRE(root != nullptr);
        REQUIRE(initGraph(*root));
        first = root->child("a")->get<CollisionModel>(Search::Local);
        second = root->child("b")->get<CollisionModel>(Search::Local);
        REQUIRE((first && second));
        first->update();
        second->update();
    }
    /// Contacts of all pairs of primitives, as from a to b.
    Vector<DetectedContact> contacts() const
    {
        const auto& m = *root->get<IntersectionMethod>(Search::Local);
        bool swapped = false;
        const PrimitiveTest test = m.find(first->shape(), second->shape(), swapped);
        REQUIRE(test);
        Vector<DetectedContact> out;
        const CollisionModel &x = swapped ? *second : *first, &y = swapped ? *first : *second;
        for (Index i = 0; i < x.size(); ++i)
            for (Index j = 0; j < y.size(); ++j) test(m, x, i, y, j, out);
        if (swapped)
            for (DetectedContact& c : out) {
                std::swap(c.primitive1, c.primitive2);
                std::swap(c.point1, c.point2);
                c.normal = -c.normal;
            }
        return out;
    }
    std::shared_ptr<Node> root;
    CollisionModel *first = nullptr, *second = nullptr;
};

inline std::string frame(const std::string& position, const std::string& model)
{
    return "<MechanicalObject template='Rigid3' position='" + position + "'/>" + model;
}
inline std::string mesh(const std::string& positions, const std::string& elements, const std::string& model)
{
    return "<MechanicalObject position='" + positions + "'/><MeshTopology " + elements + "/>" + model;
}

/// A floor of n × n cells on [−2, 2]², in the plane y = 0.
inline std::string floorOf(int n, const std::string& more = "")
{
    const std::string count = std::to_string(n + 1);
    return "<RegularGridTopology n='" + count + " 1 " + count +
           "' min='-2 0 -2' max='2 0 2'/><MechanicalObject/><TriangleCollisionModel simulated='0' moving='0' "
           "contactStiffness='20' " +
           more + "/>";
}

}  // namespace sofa::test
