// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/DataTypes.h"
#include "core/math/Mat.h"

namespace sofa::core {

/// The translational part of coordinates and derivatives, for laws that look at positions only: all N scalars of
/// Vec<N>, the centre of a rigid frame.
template <class DataTypes>
struct PositionPart
{
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    static constexpr std::size_t size = DataTypes::isRigid ? DataTypes::spatialDimensions : DataTypes::coordSize;
    using Vector = Vec<size>;
    using Matrix = Mat<size, size>;
    using DerivMatrix = Mat<DataTypes::derivSize, DataTypes::derivSize>;

    static const Vector& of(const Coord& x)
    {
        if constexpr (DataTypes::isRigid)
            return x.center;
        else
            return x;
    }
    static Vector ofDeriv(const Deriv& d)
    {
        if constexpr (DataTypes::isRigid) {
            Vector p;
            for (std::size_t i = 0; i < size; ++i) p[i] = d[i];
            return p;
        } else {
            return d;
        }
    }
    /// d += p on the translational part
    static void addTo(Deriv& d, const Vector& p)
    {
        for (std::size_t i = 0; i < size; ++i) d[i] += p[i];
    }
    /// d −= p on the translational part
    static void subtractFrom(Deriv& d, const Vector& p)
    {
        for (std::size_t i = 0; i < size; ++i) d[i] -= p[i];
    }
    /// m as a block of derivatives: zero for the angular part.
    static DerivMatrix block(const Matrix& m)
    {
        if constexpr (DataTypes::isRigid) {
            DerivMatrix b;
            b.setBlock(0, 0, m);
            return b;
        } else {
            return m;
        }
    }
    static Deriv deriv(const Vector& p)
    {
        Deriv d;
        addTo(d, p);
        return d;
    }
};

}  // namespace sofa::core
