// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/behavior/Mapping.h"
#include "core/collision/FollowingPoints.h"

namespace sofa::component {

using namespace sofa::core;

// The mappings of contact points. They are those of BarycentricMapping and RigidMapping for points that change at every
// step: their rows are set directly, without a topology and without Data.

/// Points with fixed weights of the vertices of a primitive: x = Σ w_k X_k, J = [w_k I]. They can
/// follow when points of the mesh get other numbers: of vertices that are gone the others take the weight, and a point
/// without any stays where it was and acts on nothing.
class WeightedPointsMapping final : public Mapping<Vec3Types, Vec3Types>, public FollowingPoints
{
public:
    struct Row
    {
        std::array<Index, 4> vertices;
        std::array<double, 4> weights;
        std::size_t count;  ///< of vertices
    };
    Vector<Row> rows;  ///< one for each output point; call invalidateJacobian after a change

    std::string className() const override { return "WeightedPointsMapping"; }
    using Mapping<Vec3Types, Vec3Types>::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    const BaseState& carrier() const override { return input(); }
    void followPoints(const TopologyChange& change) override;
    void archive(Archive& a) override
    {
        a(rows);
        if (a.loading()) invalidateJacobian();
    }

protected:
    void appendLinks(Vector<Vec3>& ends) const override;
};

/// Points fixed in frames: x = c + R p, J = [I, −[R p]×]; and points of round surfaces that frames carry, at the arm a
/// from R p: x = c + R p + a + θ × a, J = [I, −[R p + a]×], with the rotation vector θ since the point was found. The
/// velocity is that of the body where it touches. The point itself stays there: over a finite rotation the surface does
/// not come off what it touches, as the material point does, and a force along a has no torque about R p.
class FramePointsMapping final : public Mapping<Rigid3Types, Vec3Types>
{
public:
    struct Row
    {
        std::size_t frame;  ///< not an Index: rows are saved byte for byte, without padding
        Vec3 local;         ///< p [m]
        Vec3 arm{};         ///< a [m], in space
        /// Orientation of the frame when the point was found.
        Quat start{};
    };
    Vector<Row> rows;  ///< one for each output point; call invalidateJacobian after a change

    std::string className() const override { return "FramePointsMapping"; }
    bool isLinear() const override { return false; }
    using Mapping<Rigid3Types, Vec3Types>::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void archive(Archive& a) override
    {
        a(rows);
        if (a.loading()) invalidateJacobian();
    }

protected:
    void appendLinks(Vector<Vec3>& ends) const override;
};

}  // namespace sofa::component
