// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/objectmodel/Archive.h"
#include "core/topology/ElementData.h"
#include "core/topology/StoredTopology.h"

namespace sofa::core {

/// Cuts a surface of triangles or a volume of tetrahedra along surfaces in space, piece by piece, such as a blade
/// sweeps.
///
/// Each edge of the mesh that crosses the surface is divided there, and the elements on it with it, longest edges
/// first; the sides whose points are all on the cut, between elements on different sides of it, are opened. Where the
/// surface ends inside of elements, these are divided but hang together, and the next piece goes on there: a cut is as
/// long as it should be to the size of an element. Nothing moves, so that volume, mass, momentum and the energy of
/// linear elements are as before.
///
/// Slivers are avoided by snapping: where an edge would be divided nearer to one of its ends than the part `snap` of
/// its length, the cut goes through that end instead. It is then rough by at most that. (J.-D. Nienhuys and A. F. van
/// der Stappen, "A surgery simulation supporting cuts and finite element deformation", MICCAI 2001, move the points
/// onto the cut, which changes the shape at rest.) What folds within an element is
/// seen once.
class MeshCut
{
public:
    /// `snap` in [0.001, 0.5), so that points of the cut are on it whatever the rounding. Throws std::invalid_argument.
    explicit MeshCut(double snap = 0.15) { setSnap(snap); }
    void setSnap(double snap);

    struct Result
    {
        Index divided = 0;       ///< number of edges
        Vector<Index> opened{};  ///< points that became several, and those made of them
    };
    /// Cuts along the triangles of a surface in space, at the present positions of the mesh [m]. Normals of
    /// neighbouring triangles must agree, those of several pieces of one cut as well. Throws std::runtime_error, having
    /// changed nothing, if the mesh cannot be cut, or what is on it cannot follow.
    Result along(StoredTopology& mesh, const Vector<Vec3>& points, const Vector<Triangle>& surface);

    /// Moves a blade, given by lines between points, relative to the material, and cuts along what it sweeps: where it
    /// was before moves with the material that was nearest to it. The first call places it. Throws as `along`, and then
    /// stays where it was.
    Result moveBlade(StoredTopology& mesh, const Vector<Vec3>& points, const Vector<Edge>& lines);
    /// Ends the cut; what comes next is another one.
    void end();

    /// The points got other numbers.
    void follow(const ElementSource& points);
    void archive(Archive& a);

private:
    enum class CutSide : unsigned char
    {
        Unknown,
        Positive,
        Negative,
        On
    };
    struct NearPoint  ///< a point near the cut, or on it
    {
        CutSide side = CutSide::Unknown;
        // Of points on the cut:
        Vec3 normal{};       ///< of the cut, which points to the positive side
        double height = 0.;  ///< how far beside it the point is, through which it goes nevertheless [m]
    };
    class Piece;
    struct Anchor  ///< the place of the material that is nearest to a piece of the blade
    {
        Index vertexCount = 0;  ///< 0: nothing is near
        std::array<Index, 4> vertices{};
        Vec4 weights{};
        Vec3 place{};  ///< where it was
        double distance = 0.;
    };
    static Anchor anchorOf(const StoredTopology& mesh, ElementType type, const Vector<Index>& near, const Vec3& a,
                           const Vec3& b);
    /// The points of the blade, moved with the material since it was placed.
    Vector<Vec3> movedBlade(const StoredTopology& mesh) const;
    void place(const StoredTopology& mesh, ElementType type, Vector<Vec3> blade);

    double m_snap;
    std::map<Index, NearPoint> m_sides;
    Vector<Vec3> m_normals;    ///< of what it swept last, between its points
    Vector<Vec3> m_blade;      ///< points along its lines; empty if it was not placed
    Vector<Anchor> m_anchors;  ///< one for each piece between two of them
};

}  // namespace sofa::core
