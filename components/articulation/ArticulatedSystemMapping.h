// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/articulation/Articulation.h"
#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/MultiMapping.h"

namespace sofa::component {

/// Rigid bodies whose places follow from the numbers of joints (reduced coordinates): input1 are the numbers, angles
/// [rad] and ways [m], the output the bodies. Body 0, or every body that no joint moves, is the base: it stays where it
/// is, or follows body `indexInput2` of input2.
///
/// A joint (ArticulationCenter) puts its child where the places of the joint on both bodies meet, with the orientation
/// of the parent, and its articulations turn and move it about and along their axes. With the world axis a_i and the
/// pivot A_i of articulation i, a body with centre c that comes after it has the velocity a_i × (c − A_i) and the
/// angular velocity a_i for each unit of a rate of rotation, and the velocity a_i for a rate of translation: these are
/// the columns of J.
///
/// With articulationProcess 1 or 2 the rotations of a joint are one, R = exp(φ) in the frame before it, with the
/// rotation vector φ = Σ θ_k a_k of their axes and angles: none comes before another, and there is no lock at 90°
/// (lengths up to 2π). Their columns have the axes T(φ) a_k, T the left Jacobian of SO(3).
///
/// The masses of the bodies resist the change of J with velocity (centrifugal and Coriolis forces, and gyroscopic
/// torques): f −= M J̇ v, so that with the mass matrix Jᵀ M J the equations of motion are Lagrange's (R. Featherstone,
/// Rigid Body Dynamics Algorithms, 2008, 3.3). Not with `inertialForces` off, as in SOFA.
///
/// `geometricStiffness` Exact adds the derivatives of the columns, fᵀ ∂J with all forces, and the symmetric part of Jᵀ
/// ∂f of inertial forces by positions; for a single joint, on whose motion they do nothing, the two cancel. Left out
/// are the other part, what these forces change by with the rates, and what the mass matrix changes by. Stabilized is
/// not there.
template <class Out, class In, class Root>
class ArticulatedSystemMapping final : public MultiMapping<Out, In, Root>
{
public:
    using Base = MultiMapping<Out, In, Root>;
    using typename Base::OutVecCoord;
    using typename Base::OutVecDeriv;
    template <class T>
    using Positions = typename Base::template Positions<T>;
    template <class T>
    using Jacobians = typename Base::template Jacobians<T>;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::None};
    Data<bool> d_inertialForces{
        this,
        {.name = "inertialForces", .help = "Centrifugal, Coriolis and gyroscopic forces of the masses of the bodies"},
        true};
    Data<Index> d_indexInput2{
        this, {.name = "indexInput2", .help = "Body of input2 that the base follows; default: the last"}, InvalidIndex};
    Link<ArticulatedHierarchyContainer> l_container{
        this, {"container", "Joints; default: those in the node of input1 and below"}};

    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return Base::statesFit(node, desc, why, 1);
    }
    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }
    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, Positions<In> numbers, Positions<Root> roots) override;
    void buildJacobians(Jacobians<In> ofNumbers, Jacobians<Root> ofRoots, Positions<In> numbers,
                        Positions<Root> roots) override;
    void buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    void buildGeometricStiffness(MatrixAccumulator& k, const OutVecDeriv& f, Positions<In> numbers,
                                 Positions<Root> roots) override;
    void addInertialForces(const MechanicalParams& mp, const MultiVecDerivId& f) override;

private:
    /// One motion: a rotation or a translation.
    struct Motion
    {
        Index number;  ///< of input1
        Vec3 axis;     ///< unit, as the scene gives it
        bool rotates;
        Vec3 worldAxis, pivot;  ///< at the last apply
        std::size_t ball;       ///< of those that it is one rotation with; m_balls.size() or more: of none
    };
    /// Several rotations of a joint that are one.
    struct Ball
    {
        std::size_t first, last;  ///< its motions
        Quat before;              ///< orientation before it, at the last apply
        Vec3 vector;              ///< φ [rad], at the last apply
    };
    struct Joint
    {
        ArticulationCenter* center;
        std::string place;  ///< of messages
        Index parent, child;
        Vec3 onParent, onChild;
        std::size_t first, last;  ///< its motions
    };
    /// How a body moves if the rates of joints do not change; or how that changes with a motion.
    struct Kinematics
    {
        Vec3 turn;          ///< rotation for each unit of the motion; of changes only
        Vec3 spin;          ///< angular velocity [rad/s]
        Vec3 spinRate;      ///< angular acceleration [rad/s²]
        Vec3 acceleration;  ///< of its centre [m/s²]
    };
    /// A column of J: of a motion, or of the base (axis 0 to 5).
    struct Column
    {
        bool isRoot;
        std::size_t index;
    };

    bool findJoints();
    bool addJoint(const JointDescription& joint);
    bool sortJoints();
    void findChains();
    bool hasRoot() const { return !this->template inputsOf<Root>().empty(); }
    Index rootIndex() const;
    std::vector<Column> columnsOf(Index body) const;
    /// World axis, pivot and kind of a column.
    Motion motionOf(const Column& c) const;

    /// From a parent to its child, and how that changes with the motion `along`, from the change of the parent on.
    void carry(const Joint& j, Kinematics& k, Kinematics* change = nullptr, std::size_t along = s_noBall) const;
    /// The symmetric part of ∂(Jᵀ f)/∂x, x the motion `along`, J held, f the inertial forces; `columns` those of each
    /// body.
    void addInertialStiffness(MatrixAccumulator& k, const Column& along,
                              const std::vector<std::vector<Column>>& columns) const;
    void addEntry(MatrixAccumulator& k, const Column& row, const Column& col, double value) const;

    /// How the axis of motion i changes with motion j of the same ball, in the world.
    Vec3 axisChange(const Motion& i, const Motion& j) const;
    static constexpr std::size_t s_noBall = static_cast<std::size_t>(-1);

    std::vector<Motion> m_motions;
    std::vector<Ball> m_balls;
    std::vector<Joint> m_joints;                     ///< parents before children
    std::vector<std::vector<std::size_t>> m_chains;  ///< motions before each body, from the base on
    std::vector<bool> m_isOnBase;                    ///< whether a body comes after body 0
    OutVecCoord m_bodies;                            ///< at the last apply
    OutVecCoord m_initial;
    // Of the last sum of forces, where inertial ones are a part of it; else there are no kinematics.
    std::vector<Kinematics> m_kinematics;   ///< of each body
    std::vector<double> m_rates, m_values;  ///< of each motion
    VecDerivId m_inertialSum;               ///< the sum
};

}  // namespace sofa::component
