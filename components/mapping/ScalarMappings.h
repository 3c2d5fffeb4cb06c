// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/Mapping.h"

namespace sofa::component {

using namespace sofa::core;

/// Squares of numbers: y = x².
template <class In, class Out>
class SquareMapping final : public Mapping<In, Out>
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::Exact};

    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;
};

/// Heights of points above a plane: y = n · (x − p) with the unit normal n. Of frames the centres count.
template <class In, class Out>
class DistanceToPlaneMapping final : public Mapping<In, Out>
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;
    using Direction = Vec<In::spatialDimensions>;

    Data<Direction> d_planeNormal{
        this, {.name = "planeNormal", .help = "Normal of the plane; its length does not matter", .unit = "1"}};
    Data<Direction> d_planePoint{this, {.name = "planePoint", .help = "A point of the plane", .unit = "m"}};

    void init() override;
    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

private:
    Vec3 m_normal, m_point;
};

}  // namespace sofa::component
