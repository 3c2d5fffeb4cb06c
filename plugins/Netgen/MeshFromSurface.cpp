// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>

namespace nglib {
#include <nglib.h>
}
namespace netgen {
extern int printmessage_importance;  // messages of more importance are written
extern std::ostream* mycout;         // to this
}  // namespace netgen

#include "core/factory/Registry.h"
#include "core/geometry/Orientation.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Engine.h"
#include "core/topology/ClosedSurface.h"
#include "core/topology/Geometry.h"

namespace netgen_plugin {

using namespace sofa::core;

namespace {

struct Options
{
    double maxSize = 0., minSize = 0., grading = 0.3;
    int steps = 3;
};

struct Filling
{
    Vector<Vec3> positions;
    Vector<Tetrahedron> tetrahedra;
};

/// Netgen's state is that of the process: one mesh is made at a time. What it prints is left out; errors are told here.
std::unique_lock<std::mutex> enterNetgen()
{
    static std::mutex mutex;
    static std::ostream nowhere(nullptr);
    std::unique_lock lock(mutex);
    static const bool initialised = [] {
        nglib::Ng_Init();
        return true;
    }();
    static_cast<void>(initialised);
    netgen::printmessage_importance = 0;
    netgen::mycout = &nowhere;
    return lock;
}

/// The tetrahedra inside of a closed surface, all of whose points are used. Its points are the first of the mesh.
Filling fill(const Vector<Vec3>& positions, const Vector<Triangle>& triangles, const Options& options)
{
    const auto lock = enterNetgen();
    const auto deleteMesh = [](nglib::Ng_Mesh* m) { nglib::Ng_DeleteMesh(m); };
    const std::unique_ptr<nglib::Ng_Mesh, decltype(deleteMesh)> mesh(nglib::Ng_NewMesh(), deleteMesh);
    for (Vec3 p : positions) nglib::Ng_AddPoint(mesh.get(), &p[0]);
    for (const Triangle& t : triangles) {
        std::array<int, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) corners[k] = static_cast<int>(t[k]) + 1;
        nglib::Ng_AddSurfaceElement(mesh.get(), nglib::NG_TRIG, corners.data());
    }
    nglib::Ng_Meshing_Parameters parameters;
    parameters.maxh = options.maxSize;
    parameters.minh = options.minSize;
    parameters.grading = options.grading;
    parameters.optvolmeshenable = options.steps > 0 ? 1 : 0;
    parameters.optsteps_3d = options.steps;
    parameters.check_overlapping_boundary = 0;  // it has been checked, exactly
    nglib::Ng_RestrictMeshSizeGlobal(mesh.get(), options.maxSize);
    nglib::Ng_Result result;
    try {
        result = nglib::Ng_GenerateVolumeMesh(mesh.get(), &parameters);
    } catch (const std::exception& e) {
        throw std::runtime_error(std::string("Netgen cannot fill the surface: ") + e.what());
    }
    if (result != nglib::NG_OK)
        throw std::runtime_error("Netgen cannot fill the surface (result " + std::to_string(result) + ")");

    Filling filling;
    const int points = nglib::Ng_GetNP(mesh.get()), elements = nglib::Ng_GetNE(mesh.get());
    for (int i = 1; i <= points; ++i) {
        Vec3 p;
        nglib::Ng_GetPoint(mesh.get(), i, &p[0]);
        filling.positions.push_back(p);
    }
    for (int e = 1; e <= elements; ++e) {
        std::array<int, NG_VOLUME_ELEMENT_MAXPOINTS> corners{};
        if (nglib::Ng_GetVolumeElement(mesh.get(), e, corners.data()) != nglib::NG_TET)
            throw std::runtime_error("Netgen made an element that is no tetrahedron");
        Tetrahedron t;
        for (std::size_t k = 0; k < 4; ++k) t[k] = static_cast<Index>(corners[k] - 1);
        std::swap(t[2], t[3]);  // Netgen counts them the other way round
        filling.tetrahedra.push_back(t);
    }
    return filling;
}

/// Throws if a mesh is not what was asked for.
void check(const Filling& filling, const Vector<Vec3>& positions, const Vector<Triangle>& triangles)
{
    if (filling.tetrahedra.empty()) throw std::runtime_error("Netgen made no tetrahedra");
    const Vector<Vec3>& x = filling.positions;
    for (const auto& [a, b, c, d] : filling.tetrahedra)
        if (!(geometry::orientation(x[a], x[b], x[c], x[d]) > 0.))
            throw std::runtime_error("Netgen made a tetrahedron without volume, or turned inside out");
    const auto sorted = [](Vector<Triangle> list) {
        for (Triangle& t : list) std::rotate(t.begin(), std::ranges::min_element(t), t.end());
        std::ranges::sort(list);
        return list;
    };
    if (!std::equal(positions.begin(), positions.end(), x.begin()) ||
        sorted(borderOf(filling.tetrahedra)) != sorted(triangles))
        throw std::runtime_error("Netgen did not keep the surface");
}

/// Fills a closed surface with tetrahedra by Netgen (J. Schöberl, "NETGEN: an advancing front 2D/3D-mesh generator
/// based on abstract rules", Computing and Visualization in Science 1, 1997). The surface is kept as it is: the
/// triangles of `position` and `triangles` are the border of the tetrahedra, so that near it they are as large as the
/// triangles are; inside they grow with `grading`, to edges of a mean of `maxElementSize` at most.
///
/// Points at the same place are one point, and points without triangles are left out: the first points of `position`
/// are the others in their order, those inside follow. The surface is checked before
/// (core/topology/ClosedSurface.h), and the mesh afterwards: all tetrahedra are positive, and their border is the
/// surface.
class MeshFromSurface final : public Engine
{
public:
    Input<Vector<Vec3>> d_inputPosition{this, input("inputPosition", "Vertices of the surface", "m")};
    Input<Vector<Triangle>> d_inputTriangles{this, input("inputTriangles", "Triangles, seen from outside")};
    Input<Vector<Quad>> d_inputQuads{
        this, input("inputQuads", "Quads, seen from outside; divided along the diagonal from their first vertex")};
    Input<double> d_maxElementSize{
        this,
        input("maxElementSize", "Largest mean edge of the tetrahedra inside; 0: as the surface and grading say", "m",
              Range::nonNegative()),
        0.};
    Input<double> d_minElementSize{
        this, input("minElementSize", "Edge of the tetrahedra, at least about", "m", Range::nonNegative()), 0.};
    Input<double> d_grading{
        this,
        input("grading", "How fast they grow with the distance from the surface: near 0 slowly, 1 fast", "1",
              Range{.low = 0., .high = 1., .lowOpen = true}),
        0.3};
    Input<int> d_optimisationSteps{
        this,
        input("optimisationSteps", "Rounds in which Netgen improves the shapes of tetrahedra", {},
              Range::closed(0., 100.)),
        3};
    Output<Vector<Vec3>> d_position{this, output("position", "Points of the surface, then those inside", "m")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "Tetrahedra")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Triangles of the surface, by the new points")};

    MeshFromSurface()
    {
        addAlias(d_inputPosition, "inputPoints");
        addAlias(d_position, "outputPoints");
    }

protected:
    void doUpdate() override
    {
        Vector<Triangle> triangles = d_inputTriangles.value();
        for (const auto& [a, b, c, d] : d_inputQuads.value()) {
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        }
        Vector<Vec3> positions = joinPoints(triangles);
        geometry::requireClosedSurface(positions, triangles);

        Options options;
        BoundingBox box;
        for (const Vec3& x : positions) box.include(x);
        const double size = d_maxElementSize.value();
        options.minSize = d_minElementSize.value();
        if (size > 0. && options.minSize > size)
            throw std::runtime_error("minElementSize: it must not be larger than maxElementSize");
        // The edges inside that Netgen makes have a mean of up to twice the size that it is given.
        options.maxSize = size > 0. ? std::max(0.5 * size, options.minSize) : norm(box.high - box.low);
        if (options.minSize > options.maxSize)
            throw std::runtime_error("minElementSize: it must not be larger than the surface");
        options.grading = d_grading.value();
        options.steps = d_optimisationSteps.value();
        const double volume = geometry::enclosedVolume(positions, triangles);
        const double expected = 12. * volume / (options.maxSize * options.maxSize * options.maxSize);
        if (!(expected < largestMesh))
            throw std::runtime_error("maxElementSize: the mesh would have about " + toText(expected) +
                                     " tetrahedra; at most 50000000 are made");
        Filling filling = fill(positions, triangles, options);
        check(filling, positions, triangles);
        d_position.setValue(std::move(filling.positions));
        d_tetrahedra.setValue(std::move(filling.tetrahedra));
        d_triangles.setValue(std::move(triangles));
    }

private:
    static constexpr double largestMesh = 5e7;

    /// The different places of points that triangles use, whose vertices are numbered anew.
    Vector<Vec3> joinPoints(Vector<Triangle>& triangles) const
    {
        const Vector<Vec3>& x = d_inputPosition.value();
        Vector<Index> used(x.size(), 0), number(x.size(), InvalidIndex);
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (const Index i : triangles[t]) {
                if (i >= x.size())
                    throw std::runtime_error("triangle " + std::to_string(t) + " has the point " + std::to_string(i) +
                                             "; there are " + std::to_string(x.size()));
                used[i] = 1;
            }
        std::map<std::array<double, 3>, Index> places;
        Vector<Vec3> positions;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (used[i] == 0) continue;
            if (!isFinite(x[i])) throw std::runtime_error("point " + std::to_string(i) + " is not finite");
            // Without the sign of zeros.
            const auto [place, isNew] =
                places.try_emplace({x[i][0] + 0., x[i][1] + 0., x[i][2] + 0.}, static_cast<Index>(positions.size()));
            if (isNew) positions.push_back(x[i]);
            number[i] = place->second;
        }
        for (Triangle& t : triangles)
            for (Index& i : t) i = number[i];
        return positions;
    }
};

const RegisterComponent registered = RegisterComponent("MeshFromSurface", "Engine", "Netgen")
                                         .help("Fills a closed surface with tetrahedra, and keeps the surface")
                                         .example("MeshFromSurface.scn")
                                         .add<MeshFromSurface>();

}  // namespace

}  // namespace netgen_plugin
