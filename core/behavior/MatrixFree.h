// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string_view>

#include "core/linalg/LinearOperator.h"
#include "core/math/Mat.h"
#include "core/mesh/Elements.h"

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

/// The whole system matrix of one state as the operator of a force field. An iterative solver keeps its vectors in the
/// form in which they are multiplied; rows of fixed scalars are zero.
class MatrixFreeOperator : public LinearOperator
{
public:
    /// Whether it can take this mass of the elements.
    virtual bool takes(const Mat<8>& /*elementMass*/) const { return false; }
    /// Takes the terms.
    virtual void prepare(const SystemTerms& terms) = 0;
    /// From and to the order of the state.
    virtual void load(const double* state, double* own) const = 0;
    virtual void store(const double* own, double* state) const = 0;
    /// What it is, in a few words.
    virtual std::string_view description() const = 0;
    /// What it stores [bytes].
    virtual std::size_t bytes() const = 0;
};

/// A force field whose addDForce may take no longer than the product with the blocks of its stiffness once they are
/// assembled: iterative solvers that find only such force fields need no matrix.
class MatrixFreeStiffness
{
public:
    virtual ~MatrixFreeStiffness() = default;
    /// Whether it is so for the elements that it has now.
    virtual bool isMatrixFreeFast() const = 0;
    /// Whether its stiffness couples every point with every other: its blocks would take the square of what its product
    /// takes, so that iterative solvers that are not told to assemble need no matrix whatever else there is.
    virtual bool couplesAllPoints() const { return false; }
    /// A product of the whole system matrix with its stiffness at present; null if it has none.
    virtual MatrixFreeOperator* matrixFreeOperator() { return nullptr; }
    /// The elements that SystemTerms::elementMass belongs to.
    virtual const Vector<Hexahedron>& massElements() const
    {
        static const Vector<Hexahedron> none;
        return none;
    }
};

}  // namespace sofa::core
