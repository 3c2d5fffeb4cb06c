// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/BezierTetrahedra.h"
#include "core/fem/elements/CorotationalTetrahedra.h"

namespace sofa::core {

/// Linear elasticity on Bézier tetrahedra whose edges are of degree 1 or 2 (Bargteil and Cohen, "Animation of
/// deformable bodies with quadratic Bézier finite elements", 2014, section 3.4).
///
/// Elements all of whose edges are of degree 1 are linear ones, CorotationalTetrahedra, with their cost; the others are
/// BezierTetrahedra, whose control points on edges of degree 1 are MiddlePoints. Both turn with the rotation nearest to
/// the deformation of the four corners, so that an element of either kind with the same shape has the same forces.
class MixedBezierTetrahedra
{
public:
    /// Precomputes the elements, given by the control points that `middles` completes; the material is zero until
    /// setMaterial. Throws std::runtime_error, naming the element, as the elements of both kinds do.
    void build(const Vector<BezierTetrahedron>& elements, const MiddlePoints& middles, const Vector<Vec3>& rest,
               bool rotated);
    void setMaterial(Index e, const LameParameters& material);

    Index size() const { return static_cast<Index>(m_elements.size()); }
    const Vector<BezierTetrahedron>& elements() const { return m_elements; }
    /// Number of elements whose rest shape has negative orientation. They carry the same forces as positive ones.
    Index nbInverted() const { return m_linear.nbInverted() + m_curved.nbInverted(); }

    /// f += forces at x; stores the rotations.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor K dx, with the stiffness at the state of the last addForce.
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K at that state.
    void addStiffness(BlockSink& sink) const;
    /// Elastic energy [J] at x, of all and of every element.
    double energy(const Vector<Vec3>& x) const;
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;
    /// Sets the mean Cauchy stress of small strains [Pa] of every element, in world axes.
    void stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const;

    /// Elastic forces [N] that act on the control points of edges of degree 1, by their numbers behind those of the
    /// points, at x. Such a point would go by force over stiffness if the degree were 2 and all else stayed where it
    /// is. Stores the rotations.
    void middleForces(const Vector<Vec3>& x, Vector<Vec3>& f);
    /// The mean of the diagonal of the stiffness [N/m] of these control points, which does not change with x.
    const Vector<double>& middleStiffness() const;

private:
    /// Both lists with the elements that they have.
    template <class T, class OfLinear, class OfCurved>
    void scatter(Vector<T>& out, OfLinear ofLinear, OfCurved ofCurved) const;

    Vector<BezierTetrahedron> m_elements;
    MiddlePoints m_all;  ///< of all elements
    Vector<Index> m_linearElements, m_curvedElements;
    Vector<Index> m_places;  ///< of each element in its list
    CorotationalTetrahedra m_linear;
    BezierTetrahedra m_curved;                 ///< their control points on m_middles are numbered behind the points
    MiddlePoints m_middles;                    ///< those of m_curved
    mutable Vector<double> m_middleStiffness;  ///< empty: elements or materials have changed
    mutable Vector<Vec3> m_x, m_f;
};

}  // namespace sofa::core
