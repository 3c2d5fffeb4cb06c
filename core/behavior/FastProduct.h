// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

#include "core/math/Mat.h"
#include "core/topology/Elements.h"

namespace sofa::core {

/// A mass whose matrix is the sum of one matrix that all elements of a mesh share, alike in all directions:
/// M = Σ_e Eᵀ (m ⊗ 1) E.
class EqualElementMass
{
public:
    virtual ~EqualElementMass() = default;
    /// The matrix m [kg], if its elements are these and equal; else null.
    virtual const Mat<8>* elementMatrix(const Vector<Hexahedron>& elements) const = 0;
};

/// What a system matrix A = m M + b B + k K has on one state.
struct SystemTerms
{
    double stiffness = 0.;      ///< factor of ∂f/∂x of the force field that multiplies
    Mat<8> elementMass;         ///< on each element, with its factor [kg]
    Vector<double> pointMass;   ///< per point, with its factor [kg]; empty: none
    Vector<std::size_t> fixed;  ///< scalars whose rows are zero
};

/// The product with a whole system matrix, in vectors whose order and padding are its own, so that an iterative solver
/// keeps them in the form in which they are multiplied. What does not belong to a scalar of the state is zero and stays
/// so.
class SystemProduct
{
public:
    virtual ~SystemProduct() = default;
    /// Whether it can take this element mass.
    virtual bool takes(const Mat<8>& elementMass) const = 0;
    /// Takes the terms.
    virtual void prepare(const SystemTerms& terms) = 0;
    /// Numbers in its vectors.
    virtual std::size_t size() const = 0;
    /// From and to the order of the state, three numbers for each point.
    virtual void load(const double* state, double* own) const = 0;
    virtual void store(const double* own, double* state) const = 0;
    /// q = A p; zero at the fixed scalars.
    virtual void multiply(const double* p, double* q) = 0;
};

/// A force field whose addDForce may take no longer than the product with the blocks of its stiffness once they are
/// assembled: iterative solvers that find only such force fields need no matrix.
class FastProduct
{
public:
    virtual ~FastProduct() = default;
    /// Whether it is so for the elements that it has now.
    virtual bool hasFastProduct() const = 0;
    /// Whether its stiffness couples every point with every other: its blocks would take the square of what its product
    /// takes, so that iterative solvers that are not told to assemble need no matrix whatever else there is.
    virtual bool couplesAllPoints() const { return false; }
    /// A product of the whole system matrix with its stiffness at present; null if it has none.
    virtual SystemProduct* systemProduct() { return nullptr; }
    /// The elements that SystemTerms::elementMass belongs to.
    virtual const Vector<Hexahedron>& systemElements() const
    {
        static const Vector<Hexahedron> none;
        return none;
    }
};

}  // namespace sofa::core
