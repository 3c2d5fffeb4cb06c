// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

/// Decompositions of 2 × 2 and 3 × 3 matrices, one matrix at a time. All of them are defined for every finite matrix,
/// singular, inverted and zero ones included, and are backward stable: reconstruction errors are a few units in the
/// last place of the largest entry. Batched versions for the element kernels are elsewhere; these are their reference.
namespace sofa::core {

/// F = U diag(s) Vᵀ with *rotations* U and V (determinant +1), s₀ ≥ s₁ ≥ |s₂| (in the plane s₀ ≥ |s₁|); the last
/// singular value carries the sign of det F. This is the convention of invertible elements (Irving, Teran, Fedkiw,
/// "Invertible finite elements for robust simulation of large deformation", 2004, section 4).
template <std::size_t N>
struct Svd
{
    Mat<N> u = Mat<N>::identity();
    Vec<N> s;
    Mat<N> v = Mat<N>::identity();
};
using Svd2 = Svd<2>;
using Svd3 = Svd<3>;

/// Singular value decomposition in the rotation convention. 3 × 3: one-sided Jacobi rotations make the columns of F V
/// orthogonal (Hestenes, "Inversion of matrices by biorthogonalization", 1958), then Givens rotations give U, so that U
/// is orthogonal however small the singular values are. 2 × 2: closed form from the polar decomposition.
Svd2 svd(const Mat2& f);
Svd3 svd(const Mat3& f);

/// Singular value decomposition with SOFA's treatment of collapsed elements: singular values below 1e-4 (their squares
/// below 1e-8) are replaced by zero. U, V and the order of the values are those of `svd`; SOFA leaves them unsorted.
/// `degenerate`, if given, tells whether a value was replaced or F is inverted.
Svd3 svdZeroingSmall(const Mat3& f, bool* degenerate = nullptr);

/// F = R S with S symmetric.
template <std::size_t N>
struct Polar
{
    Mat<N> r = Mat<N>::identity();
    Mat<N> s;
};
using Polar2 = Polar<2>;
using Polar3 = Polar<3>;

/// Polar decomposition with a proper rotation R (det R = +1), the rotation nearest to F in the Frobenius norm. If F is
/// inverted, S has one negative eigenvalue: the one of smallest magnitude. Where R is not unique (rank below N − 1, or
/// an inverted F whose two smallest singular values are equal) one of the minimisers is returned; it is a fixed
/// function of F. The zero matrix gives the identity. Same R as SOFA's `polarDecomposition_stable` where that is
/// unique.
Polar2 polarRotation(const Mat2& f);
Polar3 polarRotation(const Mat3& f);

/// Polar decomposition with the *orthogonal* factor Q nearest to F and S positive semi-definite: det Q = −1 if F is
/// inverted. This is the limit of the scaled Newton iteration of Higham ("Computing the polar decomposition – with
/// applications", 1986) that SOFA's `polarDecomposition` runs; for singular F, where that iteration has no limit, the
/// result is that of `polarRotation`.
Polar2 polarOrthogonal(const Mat2& f);
Polar3 polarOrthogonal(const Mat3& f);

/// Derivative of the rotation R of `polarRotation` in the direction dF. With F = U diag(s) Vᵀ and M = Uᵀ dF V,
///     dR = U Ω Vᵀ,   Ω_ij = (M_ij − M_ji) / (s_i + s_j),
/// (Twigg, Kačić-Alesić, "Point Cloud Glue", 2010). Pairs with |s_i + s_j| ≤ 1e-14 s₀, where R is not differentiable,
/// contribute nothing, so the result is always finite.
Mat2 polarRotationDerivative(const Svd2& d, const Mat2& dF);
Mat3 polarRotationDerivative(const Svd3& d, const Mat3& dF);

/// All partial derivatives: entry (3 i + j, 3 k + l) is ∂R_ij / ∂F_kl.
Mat<9> polarRotationGradient(const Svd3& d);

/// Rotation whose columns are an orthonormal frame of two edge vectors: first axis along `x`, third along x × y, second
/// completing the right-handed frame. It is the frame of SOFA's "large" methods. If `x` is zero or the edges are
/// parallel, the missing axes are chosen perpendicular to what is there (x, else y, else the identity); `degenerate`,
/// if given, tells so. Edges are parallel if the sine of their angle is below 1e-15.
Mat3 edgeFrame(const Vec3& x, const Vec3& y, bool* degenerate = nullptr);

/// A unit vector perpendicular to `a`: a × e normalised, for the axis e along which |a| is smallest; along x if a is
/// zero.
Vec3 perpendicular(const Vec3& a);

/// A = V diag(values) Vᵀ for symmetric A: eigenvalues in decreasing order, eigenvectors in the columns of the rotation
/// V.
template <std::size_t N>
struct SymmetricEigen
{
    Vec<N> values;
    Mat<N> vectors = Mat<N>::identity();
};

/// Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations. Only the upper triangle is read.
SymmetricEigen<2> symmetricEigen(const Mat2& a);
SymmetricEigen<3> symmetricEigen(const Mat3& a);

/// Nearest positive semi-definite matrix to symmetric A: negative eigenvalues become zero. Unchanged if there are none.
Mat2 positiveProjection(const Mat2& a);
Mat3 positiveProjection(const Mat3& a);

}  // namespace sofa::core
