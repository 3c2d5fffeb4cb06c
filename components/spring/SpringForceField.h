// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/FollowSprings.h"
#include "components/spring/SpringLaw.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Damped linear springs (SpringLaw) between points of one or two states. Those no longer than 1e-9 m do nothing.
/// On rigid frames springs act at the centres; on Vec6 all six scalars count as a position, as in SOFA.
///
/// The springs are given either by "spring", or by indices1 and indices2 with the lists stiffness, damping, lengths,
/// elongationOnly and enabled, of which the last value is repeated for the springs beyond the end of the list.
template <class DataTypes>
class SpringForceField : public core::PairInteractionForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::PairInteractionForceField<DataTypes>;
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Law = SpringLaw<DataTypes>;
    using Spring = LinearSpring;

    core::Data<core::Vector<double>> d_stiffness{
        this,
        {.name = "stiffness",
         .help = "Stiffness of the springs of indices1 and indices2: one for all, or one for each",
         .unit = "N/m"},
        {100.}};
    core::Data<core::Vector<double>> d_damping{
        this,
        {.name = "damping",
         .help = "Damping of the springs of indices1 and indices2: one for all, or one for each",
         .unit = "N s/m"},
        {5.}};
    core::Data<core::Vector<Spring>> d_springs{
        this,
        {.name = "spring",
         .help = "Springs, each as: point of object1, point of object2, stiffness [N/m], damping [N s/m], rest length "
                 "[m]"}};
    core::Data<core::Vector<double>> d_lengths{
        this,
        {.name = "lengths",
         .help = "Rest lengths of the springs of indices1 and indices2: one for all, or one for each; 0 when empty",
         .unit = "m"}};
    core::Data<core::Vector<bool>> d_elongationOnly{
        this,
        {.name = "elongationOnly", .help = "Springs that pull but never push: one flag for all, or one for each"},
        {false}};
    core::Data<core::Vector<bool>> d_enabled{
        this, {.name = "enabled", .help = "Springs that act: one flag for all, or one for each"}, {true}};
    core::Data<core::Vector<core::Index>> d_indices1{
        this, {.name = "springsIndices1", .help = "Points of object1 at which the springs begin"}};
    core::Data<core::Vector<core::Index>> d_indices2{
        this, {.name = "springsIndices2", .help = "Points of object2 at which the springs end"}};
    core::Data<core::FileName> d_file{
        this, {.name = "fileSprings", .help = "Mass-spring file (.xs3, .xsp) whose springs are added"}};
    core::Data<bool> d_projectedTangent{
        this,
        {.name = "projectedTangent",
         .help = "Leave what is negative out of the derivative of the force: that across compressed springs. Forces "
                 "are the same; matrices of implicit integrators stay positive definite"},
        false};
    core::Data<bool> d_implicitDamping{this, implicitDamping(), false};
    core::Data<float> d_showArrowSize{this,
                                      {.name = "showArrowSize",
                                       .help = "Radius of the cylinders or arrows that show the springs",
                                       .unit = "m",
                                       .group = "Visualization"},
                                      0.01F};
    core::Data<int> d_drawMode{this,
                               {.name = "drawMode",
                                .help = "How springs are shown: 0 lines, 1 cylinders, 2 arrows",
                                .range = core::Range::closed(0., 2.),
                                .group = "Visualization"},
                               0};

    SpringForceField();

    /// Reads the file, and brings the list of springs and the lists of their properties in agreement.
    void init() override;
    /// Checks that every spring's points exist.
    void bwdInit() override;
    void reinit() override;
    PointLists pointLists() override;
    /// Springs go with their points. Takes time as the change, or as the list where points with springs go.
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::MatrixAccumulator& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::MatrixAccumulator& b) override;
    bool hasDamping() const override { return d_implicitDamping.value(); }
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;
    core::BoundingBox boundingBox() const override;
    /// The springs that act (flag ForceFields; InteractionForceFields between two states): red or orange where they are
    /// shorter than at rest, green otherwise.
    void draw(core::DrawTool& tool) override;

    /// Replaces all springs.
    void setSprings(core::Vector<Spring> springs);

    using Base::addForce;
    using Base::potentialEnergy;

protected:
    /// Whether springs push where they are shorter than at rest and never pull.
    virtual bool isRepulsive() const { return false; }
    /// Finds the states only: for subclasses that make their springs from something else than lists and files.
    void findStates() { Base::init(); }
    /// For those who make springs of a mesh: lets them follow in place (followSprings, with what made(points) returns),
    /// or returns false, with nothing done, if all had better be made anew.
    bool followMesh(const core::TopologyChange& change, const core::BaseMeshTopology& mesh,
                    core::FunctionRef<core::Vector<Spring>(const core::Vector<core::Index>& points)> made);
    /// The lists that say the springs, which are Data.
    std::vector<core::ElementData> springLists(core::ElementData::Kind kind);

private:
    static constexpr double leastLength = 1e-9;

    void loadFile();
    void listsFromSprings();
    /// The same where springs differ.
    void listsFromSprings(const core::Vector<core::Index>& places);
    void springsFromLists();
    bool followInPlace(const core::TopologyChange& change);
    /// Rebuilds the springs if a list changed.
    void updateIfChanged();
    /// To be called when the springs have changed.
    void findLargestIndices();
    void needPoints(const Spring& s);
    /// True if the springs are in packs: those of points in space that belong to one state.
    bool isPacked() const;
    /// Lets the packs follow, where they are those of before.
    void followPacks(const SpringChange& change, const core::ElementSource& points);
    /// Empty, or what is wrong with the indices for states of these sizes.
    std::string indexError(std::size_t size1, std::size_t size2) const;

    core::DataTracker m_lists, m_list;
    /// K and, with implicitDamping, B of each spring at the last addForce, unless in packs.
    core::Vector<typename Law::Matrix> m_dfdx, m_dfdv;
    core::LinearSprings m_packed;
    bool m_packsReady = false;
    std::size_t m_pointsNeeded1 = 0, m_pointsNeeded2 = 0;  ///< no spring needs more
};

/// Damped springs between points of one or two states that push where they are shorter than at rest, and do nothing
/// otherwise, whatever elongationOnly says. SpringLaw has the law.
template <class DataTypes>
class RepulsiveSpringForceField final : public SpringForceField<DataTypes>
{
protected:
    bool isRepulsive() const override { return true; }
};

}  // namespace sofa::component
