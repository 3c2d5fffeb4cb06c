// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ProjectiveConstraint.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Base of the projective constraints that act on listed points. An index outside the state is an error at init;
/// indices that a link changes later and that lie outside are ignored.
template <class DataTypes>
class PointsProjectiveConstraint : public core::ProjectiveConstraint<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<core::Vector<core::Index>> d_indices{
        this, {.name = "indices", .help = "Points that are constrained"}, core::Vector<core::Index>{0}};
    core::TopologyView l_topology{this, {"topology", "Topology to which the indices refer"}};

    void init() override;
    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_indices, core::ElementData::Kind::Members}}}}};
    }
    void reinit() override
    {
        if (this->l_state) checkIndices();
    }

    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    /// Clears the derivatives of the points.
    void projectResponse(VecDeriv& dx) const override;
    /// Takes every scalar of the points out of the system.
    void eliminate(core::EliminationSink& sink) const override;

    /// The points (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;

protected:
    /// False while the constraint does nothing, apart from endTime.
    virtual bool acts() const { return true; }
    /// Radius [m] of the spheres drawn; 0: points.
    virtual double drawnRadius() const { return 0.; }
    /// Whether the points are shown; every one, whatever the indices.
    virtual bool showsPoints() const { return true; }
    virtual bool takesAll() const { return false; }
    void checkIndices();
    /// A value for each point, or none: those of points that come back are found anew.
    template <class T>
    void followPoints(const core::TopologyChange& change, core::Vector<T>& values) const
    {
        const auto source = change.source(pointsOf(this->state()));
        if (change.restores())
            values.clear();
        else if (!source.same && values.size() == source.before)
            (void)source.follow(values);
    }
    template <class F>
    void forEachPoint(std::size_t size, F f) const
    {
        for (const core::Index i : d_indices.value())
            if (i < size) f(i);
    }
};

}  // namespace sofa::component
