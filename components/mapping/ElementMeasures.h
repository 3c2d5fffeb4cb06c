// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/math/Mat.h"

namespace sofa::component {

using namespace sofa::core;

/// What of an element of N points is measured: the value g, its gradient ∂g/∂x_a and its Hessian ∂²g/∂x_a∂x_b.
template <std::size_t N>
struct ElementMeasure
{
    static constexpr std::size_t pointCount = N;
    static constexpr bool isConvex = false;  ///< no eigenvalue of the Hessian is negative
    using Points = std::array<Vec3, N>;
    using Hessian = Mat<3 * N, 3 * N>;
};

/// |x_1 − x_0| [m]. Of points at one place the gradient has the same part in all directions, as SOFA's has; there is no
/// Hessian.
struct EdgeLength : ElementMeasure<2>
{
    static constexpr bool isConvex = true;
    static double value(const Points& x);
    static Points gradient(const Points& x);
    static Hessian hessian(const Points& x);
};

/// |x_1 − x_0|² [m²]
struct EdgeSquareLength : ElementMeasure<2>
{
    static constexpr bool isConvex = true;
    static double value(const Points& x);
    static Points gradient(const Points& x);
    static Hessian hessian(const Points& x);
};

/// Area of a triangle [m²]; flat ones have no derivatives.
struct TriangleArea : ElementMeasure<3>
{
    static double value(const Points& x);
    static Points gradient(const Points& x);
    static Hessian hessian(const Points& x);
};

/// Volume of a tetrahedron [m³], negative if it is inverted.
struct TetrahedronVolume : ElementMeasure<4>
{
    static double value(const Points& x);
    static Points gradient(const Points& x);
    static Hessian hessian(const Points& x);
};

}  // namespace sofa::component
