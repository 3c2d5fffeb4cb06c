// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/kernels/TriangleKernels.h"

namespace sofa::core {

/// Linear triangles of a membrane in space with linear elasticity in a frame of each triangle, isotropic or not.
///
/// Method large: the frame R has its x axis along the edge a b of the deformed triangle and its z axis along the
/// normal. With the in-plane rest positions X and deformed positions x in that frame, a at the origin, and the
/// strain-displacement matrix B(x) of the deformed triangle
///
///     u = x − X,   ε = B(x) u,   σ = D ε,   f = −R Bᵀ σ t A,   K = R Bᵀ t A D B Rᵀ
///
/// (Nesme, Payan and Faure, Efficient, physically plausible finite elements, Eurographics 2005, in the plane). A is the
/// area at rest and t the thickness. As B is taken at the deformed shape, as SOFA does it, f is the derivative of
/// ½ t A εᵀ D ε but for terms of second order in the strain; membranes resist neither bending nor twisting.
///
/// Method undeformed: the same frames with B of the triangle at rest, B(X), as in SOFA's TriangularFEMForceFieldOptim:
/// the strain is linear in the sides of the rotated triangle, and forces stay finite where it becomes thin.
///
/// Method small: linear elasticity in the plane x y: B at rest, R = 1; displacements along z cause no force. (SOFA
/// takes B of the deformed triangle there, too.)
class CorotationalTriangles
{
public:
    /// The symmetric matrix D of σ = D ε in the frame at rest, for xx yy and the engineering shear s, in N/m (times the
    /// thickness).
    struct Material
    {
        double xx, yy, xy;
        double xs = 0., ys = 0., ss;
    };
    static Material planeStress(double young, double poisson);
    static Material planeStrain(double young, double poisson);
    /// Plane stress of fibres along the unit vector (c, s) of the frame, with the moduli E₁ along them and E₂ across,
    /// Poisson's ratio ν₁₂ and the shear modulus G (Jones, "Mechanics of Composite Materials", 1999, section 2.6).
    /// Throws std::runtime_error where ν₁₂² E₂ >= E₁: there the energy has no minimum.
    static Material fibrous(double along, double across, double poisson, double shear, const Vec2& direction);

    using Method = TriangleMethod;

    /// Throws std::runtime_error for triangles without area, naming the first. With `rotatedCorners` the rest shape is
    /// the difference of rotated corners, as in SOFA's TriangleFEMForceField, else rotated edges: rounding that
    /// conjugate gradients which stop early make visible. The sides at rest are those of `rest` times `scale`.
    void build(const Vector<ElementGraph<3>::Element>& triangles, const Vector<Vec3>& rest, Method method,
               bool rotatedCorners = false, double scale = 1.);
    /// Whether the stiffness is the derivative of the forces: with the turning of the frames (FrameTurning) and, for
    /// method large, the changes of B; from the next build() on.
    void setExactTangent(bool exact) { m_exact = exact; }
    /// Follows a change of the mesh: elements and points come from those before as the sources say, `touched` are those
    /// that are new or have other numbers, vertices or rest positions, which need their material again. Returns false,
    /// with nothing done, if all had better be built anew. Throws like build().
    bool follow(const Vector<ElementGraph<3>::Element>& triangles, const Vector<Vec3>& rest,
                const ElementSource& source, const ElementSource& points, Vector<Index>& touched);
    /// Of all elements, or of some.
    void setMaterial(const std::function<Material(Index)>& of);
    void setMaterial(const Vector<Index>& elements, const std::function<Material(Index)>& of);

    Index size() const { return m_graph.size(); }
    const ElementGraph<3>& graph() const { return m_graph; }

    /// f += forces at x; remembers shape and frames for the functions below. Throws std::runtime_error for a triangle
    /// that has collapsed to a line.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor K dx
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds −K.
    void addStiffness(BlockSink& sink) const;
    double energy(const Vector<Vec3>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;
    /// Axes of the frame of a triangle at rest, in rows.
    const Mat3& restAxes(Index e) const { return m_rest[e].axes; }
    /// Rotation of a triangle from rest to the shape of the last addForce.
    Mat3 rotation(Index e) const;
    /// Axes of the frame of a triangle, in rows, at the last addForce.
    Mat3 axes(Index e) const;
    /// Corners of a triangle at rest in its frame, the first one being the origin [m].
    std::array<Vec2, 3> restCorners(Index e) const;
    /// Stress of a triangle at the last addForce, xx yy xy in its frame [Pa m].
    Vec3 stress(Index e) const;

private:
    void resize(std::size_t elements);
    /// Sets the rest shape of an element, and its lanes.
    void prepareElement(Index e, const Vector<Vec3>& rest);
    /// Calls f(pack, lane) for the lanes of an element: those that are not used repeat the last one.
    template <class F>
    void forLanes(Index e, F&& f) const;
    double energyOf(Index e, const Vector<Vec3>& x) const;
    /// Blocks ∂f_a/∂x_b of a triangle at the positions of the last addForce.
    std::array<std::array<Mat3, 3>, 3> exactTangent(Index e) const;
    /// Gradients of the three shape functions in the plane of the triangle.
    struct Gradients
    {
        double x[3], y[3];
    };
    struct Rest
    {
        double bx, cx, cy;  ///< positions of b and c in the frame; a is the origin, and b is on the x axis
        double by;          ///< of b: 0 but for method small
        double area;
        Mat3 axes;  ///< rows: the axes of the frame
        Gradients gradients;
        Material material;  ///< times the area
    };
    struct Shape
    {
        Mat3 axes;
        Gradients gradients;
        Vec3 strain, stress;
    };
    /// Frame, gradients, strain and stress of a triangle; the stress is times the area.
    Shape shapeOf(Index e, const Vector<Vec3>& x) const;
    [[noreturn]] void failCollapsed(Index e) const;

    Method m_method = Method::large;
    bool m_exact = false, m_rotatedCorners = false;
    double m_scale = 1.;
    Vector<Vec3> m_x;  ///< positions of the last addForce, for the exact tangent
    ElementGraph<3> m_graph;
    Vector<Rest> m_rest;
    static constexpr std::size_t packWidth = 8;
    Vector<TrianglePack> m_packs;  ///< the same as m_rest, for the kernels
    Vector<TriangleShapes> m_shapes;
};

}  // namespace sofa::core
