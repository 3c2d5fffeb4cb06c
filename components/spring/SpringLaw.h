// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "components/spring/LinearSpring.h"
#include "core/behavior/MatrixAccumulator.h"
#include "core/behavior/State.h"
#include "core/math/PositionPart.h"
#include "core/objectmodel/Data.h"

namespace sofa::component {

/// The law of damped linear springs, for lists of springs between points of one or two states.
///
/// With u = (x₂ − x₁)/l, l = |x₂ − x₁| and rest length L, the force on point 1 is
///     f₁ = ( kₛ (l − L) + k_d u·(v₂ − v₁) ) u = φ u,        f₂ = −f₁,
/// and the elastic energy is E = ½ kₛ (l − L)². From dl = u·dx and du = (I − u uᵀ) dx / l, where dx = dx₂ − dx₁,
///     ∂f₁/∂x₂ = kₛ u uᵀ + (φ/l) (I − u uᵀ) = (kₛ − φ/l) u uᵀ + (φ/l) I = K,     ∂f₁/∂x₁ = −K.
/// The block K keeps the geometric part φ/l also under compression, where it is negative: springs that are pushed
/// together want to buckle, and implicit steps of soft cloth get matrices that are not definite. `projected` takes
/// max(φ/l, 0) instead, so that K has the eigenvalues kₛ and max(φ/l, 0) and no negative one (K.-J. Choi, H.-S. Ko,
/// "Stable but responsive cloth", ACM Transactions on Graphics 21(3), 2002); forces and energy are the same. Of the
/// damping force only the turning of its direction (through φ) enters K; ∂(u·v)/∂x is left out, as in SOFA, so K is
/// the exact derivative at zero velocity. B = ∂f₁/∂v₂ = k_d u uᵀ is there for implicitDamping(); without it damping is
/// explicit in implicit integration, as in SOFA, and unstable where h k_d is more than about twice the masses.
/// Springs that are not longer than a least length, disabled ones, and those with elongationOnly that are not longer
/// than L, do nothing; nor do repulsive ones that are not shorter than L, whatever elongationOnly says.
template <class DataTypes>
struct SpringLaw
{
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;
    using Matrix = typename Position::Matrix;
    using Springs = core::Vector<LinearSpring>;

    /// Force on point 1 of one spring, and its block K.
    static typename Position::Vector evaluate(const LinearSpring& s, const Coord& x1, const Coord& x2, const Deriv& v1,
                                              const Deriv& v2, double leastLength, bool projected, bool repulsive,
                                              Matrix& k)
    {
        typename Position::Vector u = Position::of(x2) - Position::of(x1);
        const double length = norm(u);
        if (!s.enabled || !(length > leastLength) || !acts(s, length, repulsive)) {
            k = {};
            return {};
        }
        const double inverseLength = 1. / length;
        u *= inverseLength;
        const double elongationRate = dot(u, Position::ofDeriv(v2) - Position::ofDeriv(v1));
        const double intensity = s.ks * (length - s.initpos) + s.kd * elongationRate;
        const double across = intensity * inverseLength, tangent = projected ? std::max(0., across) : across;
        for (std::size_t a = 0; a < Position::size; ++a) {
            for (std::size_t b = 0; b < Position::size; ++b) k[a][b] = (s.ks - tangent) * u[a] * u[b];
            k[a][a] += tangent;
        }
        return u * intensity;
    }
    static bool acts(const LinearSpring& s, double length, bool repulsive)
    {
        return repulsive ? length < s.initpos : !s.elongationOnly || length > s.initpos;
    }
    /// Adds the forces of all springs and computes their blocks K; when both states are one, the pairs of vectors are
    /// the same.
    static void addForce(const Springs& springs, core::Vector<Matrix>& k, VecDeriv& f1, VecDeriv& f2,
                         const VecCoord& x1, const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2,
                         double leastLength, bool projected, bool repulsive = false);
    /// The blocks B of all springs.
    static void dampingBlocks(const Springs& springs, core::Vector<Matrix>& b, const VecCoord& x1, const VecCoord& x2,
                              double leastLength, bool repulsive = false);
    /// df₁ += factor K (dx₂ − dx₁), df₂ −= the same, or with B. One product per spring instead of the four of its
    /// blocks.
    static void addDForce(const Springs& springs, const core::Vector<Matrix>& k, VecDeriv& df1, VecDeriv& df2,
                          const VecDeriv& dx1, const VecDeriv& dx2, double factor);
    /// Adds the four blocks of each spring, of K or B.
    static void buildStiffness(const Springs& springs, const core::Vector<Matrix>& k, core::BlockSink& k11,
                               core::BlockSink& k12, core::BlockSink& k21, core::BlockSink& k22);
    static double energy(const Springs& springs, const VecCoord& x1, const VecCoord& x2, bool repulsive = false);
};

/// Whether implicit integrators take the damping of springs into their matrices.
inline core::DataInfo implicitDamping()
{
    return {.name = "implicitDamping",
            .help =
                "Matrices of implicit integrators have the damping, which then is stable however strong it is; "
                "SOFA's do not, and neither do these by default"};
}

extern template struct SpringLaw<core::Vec1Types>;
extern template struct SpringLaw<core::Vec2Types>;
extern template struct SpringLaw<core::Vec3Types>;
extern template struct SpringLaw<core::Vec6Types>;
extern template struct SpringLaw<core::Rigid3Types>;

}  // namespace sofa::component
