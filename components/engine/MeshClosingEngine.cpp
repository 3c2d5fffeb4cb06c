// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <map>

#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Closes the holes of a surface: each gets a point in the middle of its rim, and triangles from there to the edges of
/// the rim, turned like the faces on the other side.
///
/// The rim of a hole is a loop of the sides of faces that no other face has in the opposite direction. Where holes meet
/// at a vertex each has a loop of its own; in SOFA one of them stays open.
class MeshClosingEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_inputPosition{this, input("inputPosition", "Vertices of the surface", "m")};
    Input<Vector<Triangle>> d_inputTriangles{this, input("inputTriangles", "Triangles of the surface")};
    Input<Vector<Quad>> d_inputQuads{this, input("inputQuads", "Quads of the surface")};
    Output<Vector<Vec3>> d_position{this, output("position", "Vertices of the closed surface", "m")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Triangles of the closed surface")};
    Output<Vector<Quad>> d_quads{this, output("quads", "Quads of the closed surface")};
    Output<Vector<Vector<Index>>> d_indices{this,
                                            output("indices", "Vertices of each rim, then the one in its middle")};
    Output<Vector<Vec3>> d_closingPosition{this,
                                           output("closingPosition", "Vertices of the parts that close holes", "m")};
    Output<Vector<Triangle>> d_closingTriangles{
        this, output("closingTriangles", "Triangles that close holes, with vertices of their own")};

protected:
    void doUpdate() override
    {
        Vector<Vec3> x = d_inputPosition.value(), patches;
        Vector<Triangle> triangles = d_inputTriangles.value(), closing;
        requireVertices(d_inputTriangles, x.size());
        requireVertices(d_inputQuads, x.size());
        Vector<Vector<Index>> rims = loops(openSides());
        for (Vector<Index>& rim : rims) {
            const Index n = static_cast<Index>(rim.size()), first = static_cast<Index>(patches.size());
            Vec3 middle;
            for (const Index i : rim) {
                patches.push_back(x[i]);
                middle += x[i];
            }
            middle /= n;
            patches.push_back(middle);
            for (Index k = 0; k < n; ++k) {
                const Index before = (k + n - 1) % n;
                closing.push_back({first + n, first + k, first + before});
                triangles.push_back({static_cast<Index>(x.size()), rim[k], rim[before]});
            }
            rim.push_back(static_cast<Index>(x.size()));
            x.push_back(middle);
        }
        d_position.setValue(std::move(x));
        d_triangles.setValue(std::move(triangles));
        d_quads.setValue(d_inputQuads.value());
        d_indices.setValue(std::move(rims));
        d_closingPosition.setValue(std::move(patches));
        d_closingTriangles.setValue(std::move(closing));
    }

private:
    /// How often a side is there, less the number of times that it is there in the opposite direction.
    using Sides = std::map<Edge, int>;

    Sides openSides() const
    {
        Sides sides;
        const auto add = [&](const auto& face) {
            for (std::size_t k = 0; k < face.size(); ++k) {
                const Edge side{face[k], face[(k + 1) % face.size()]};
                if (side[0] == side[1]) continue;
                const auto opposite = sides.find({side[1], side[0]});
                if (opposite == sides.end())
                    ++sides[side];
                else if (--opposite->second == 0)
                    sides.erase(opposite);
            }
        };
        for (const Triangle& t : d_inputTriangles.value()) add(t);
        for (const Quad& q : d_inputQuads.value()) add(q);
        return sides;
    }
    /// Loops without repeated vertices. As many sides come to a vertex as leave it, so that every way goes on until it
    /// meets itself.
    static Vector<Vector<Index>> loops(Sides sides)
    {
        Vector<Vector<Index>> out;
        Vector<Index> way;
        while (!sides.empty()) {
            if (way.empty()) way.push_back(sides.begin()->first[0]);
            const auto side = sides.lower_bound({way.back(), 0});
            const Index next = side->first[1];
            if (--side->second == 0) sides.erase(side);
            const auto met = std::find(way.begin(), way.end(), next);
            if (met == way.end()) {
                way.push_back(next);
                continue;
            }
            out.emplace_back(met, way.end());
            way.erase(met + (met == way.begin() ? 0 : 1), way.end());
        }
        return out;
    }
};

const RegisterComponent registeredMeshClosingEngine =
    RegisterComponent("MeshClosingEngine", "Engine", "Sofa.Component.Engine.Generate")
        .help("Closes the holes of a surface")
        .example("component/engine/MeshClosingEngine.scn")
        .add<MeshClosingEngine>();

}  // namespace

}  // namespace sofa::component
