// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

/// The vector operations of Krylov methods, parallel and with SIMD instructions chosen at run time.
///
/// Results are bitwise the same for any number of threads and any instruction set: a sum has 64 partial sums for each
/// chunk of 16,384 numbers (number i belongs to partial sum i mod 64), which are joined in halves; the chunks are added
/// in their order. Products and sums are rounded separately.
namespace sofa::core::vector {

/// Σ a(i) b(i). Equal sizes; so for all functions below.
double dot(std::span<const double> a, std::span<const double> b);

/// y += f x
void addScaled(std::span<double> y, std::span<const double> x, double f);

/// y = f y + x
void scaleAndAdd(std::span<double> y, double f, std::span<const double> x);

/// Half of a step of conjugate gradients: r −= α q; returns the new r · r.
double updateResidual(std::span<double> r, std::span<const double> q, double alpha);

/// The other half, in one pass over p: x += α p, p = β p + r.
void updateDirection(std::span<double> x, std::span<double> p, std::span<const double> r, double alpha, double beta);

}  // namespace sofa::core::vector
