// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/DrawSize.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

using namespace sofa::core;

/// Holds points (or frames) where they are: their accelerations, residuals and displacements are set to zero, and their
/// rows and columns leave the linear system.
///
/// A point that moves when the constraint begins keeps its velocity, as in SOFA, because only changes of velocity are
/// projected; `activate_projectVelocity` stops it. Positions are never changed.
///
/// An index outside the state is an error at init; indices that a link changes later and that lie outside are ignored.
template <class DataTypes>
class FixedProjectiveConstraint : public ProjectiveConstraint<DataTypes>, public TopologyFollower
{
public:
    using Base = ProjectiveConstraint<DataTypes>;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    Data<Vector<Index>> d_indices{this, {.name = "indices", .help = "Fixed points"}, Vector<Index>{0}};
    Data<bool> d_fixAll{this, {.name = "fixAll", .help = "Fix every point, whatever the indices"}, false};
    Data<bool> d_showObject{
        this, {.name = "showObject", .help = "Draw the fixed points", .group = "Visualization"}, true};
    DrawSize d_drawSize{this};
    Data<bool> d_projectVelocity{
        this, {.name = "activate_projectVelocity", .help = "Set the velocity of the fixed points to zero too"}, false};
    TopologyView l_topology{this, {"topology", "Topology to which the indices refer"}};

    void init() override;
    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_indices, ElementData::Kind::Members}}}}};
    }
    void reinit() override;

    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    void projectResponse(VecDeriv& dx) const override;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord&) const override {}
    void eliminate(EliminationSink& sink) const override;
    /// The fixed points (flag BehaviorModels and `showObject`).
    void draw(DrawTool& tool) override;

protected:
    /// Whether scalar k of a fixed point's derivative is fixed.
    virtual bool fixes(std::size_t) const { return true; }
    virtual bool projectsVelocity() const { return d_projectVelocity.value(); }

private:
    template <class F>
    void forEachFixed(std::size_t points, F f) const;
    void clearFixed(VecDeriv& d) const;
    void checkIndices();
};

/// Holds some scalars of points (or frames) where they are: `fixedDirections` has one flag for each scalar of a
/// derivative, x y z, for frames followed by the rotations about x y z. Otherwise as FixedProjectiveConstraint.
///
/// The `rotationAxis` of old scenes (DOFBlockerLMConstraint), a list of blocked directions, gives the flags; directions
/// other than those of the scalars are errors.
template <class DataTypes>
class PartialFixedProjectiveConstraint final : public FixedProjectiveConstraint<DataTypes>
{
public:
    using Directions = std::array<bool, DataTypes::derivSize>;

    Data<Directions> d_fixedDirections{
        this, {.name = "fixedDirections", .help = "For each scalar of a derivative: 1 fixed, 0 free"}, allFixed()};
    Data<bool> d_projectPartialVelocity{
        this, {.name = "projectVelocity", .help = "Set the velocity in the fixed directions to zero too"}, false};

    void parse(core::ComponentDescription& desc) override;
    void init() override;

protected:
    bool fixes(std::size_t k) const override { return d_fixedDirections.value()[k]; }
    bool projectsVelocity() const override { return d_projectPartialVelocity.value(); }

private:
    static Directions allFixed()
    {
        Directions d;
        d.fill(true);
        return d;
    }

    std::string m_mistake;  ///< in old attributes
};

}  // namespace sofa::component
