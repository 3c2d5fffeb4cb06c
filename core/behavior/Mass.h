// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"

namespace sofa::core {

/// What solvers ask of a mass, whatever the type of its state. Every mass is a force field too (gravity, f = M g).
class BaseMass
{
public:
    virtual ~BaseMass() = default;
    static std::string_view typeLabel() { return "mass"; }
    /// The state whose points have it.
    virtual BaseState* massState() const = 0;

    /// f += factor M dx (dx = mp.dx)
    virtual void addMDx(const MechanicalParams& mp, const MultiVecDerivId& f, double factor) = 0;
    /// a = M⁻¹ f; throws std::runtime_error if the mass is not diagonal.
    virtual void accFromF(const MechanicalParams& mp, const MultiVecDerivId& a, const MultiVecDerivId& f) = 0;
    /// Adds the blocks of M.
    virtual void buildMass(const MechanicalParams& mp, MatrixAccumulator& m) = 0;
    /// v += dt g, where gravity is kept separate from the other forces.
    virtual void addGravityToV(const MechanicalParams& mp, const MultiVecDerivId& v) = 0;
    virtual bool separateGravity() const = 0;
    virtual double rayleighMass() const = 0;
    /// True if M has only diagonal blocks, so that accFromF works.
    virtual bool isDiagonal() const = 0;
    /// Whether an inertia turns with its body: M depends on the orientation at mp.xMass.
    virtual bool turns() const { return false; }
    /// Adds the inertia of rigid body i in its own axes [kg m²].
    virtual void addBodyInertia(Index, Mat3&) const {}

    /// ½ vᵀ M v [J]
    virtual double kineticEnergy(const MechanicalParams& mp) const = 0;
    /// Linear momentum [kg m/s] and angular momentum about the origin [kg m²/s].
    virtual Vec6 momentum(const MechanicalParams& mp) const = 0;
    /// Mass of one point [kg].
    virtual double pointMass(Index i) const = 0;
};

/// Mass of a state with coordinates of type DataTypes. A component that is a law of force and the mass of one state
/// derives from Mass<DataTypes, Law>, where Law is its force field: solvers see both, each by its interface, and its
/// force is that of the law and the weight (core/behavior/MassDefinitions.h instantiates it).
template <class DataTypes, class Law = ForceField<DataTypes>>
class Mass : public Law, public BaseMass
{
    static constexpr bool hasLaw = !std::is_same_v<Law, ForceField<DataTypes>>;

public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using BaseMass::typeLabel;

    Data<bool> d_separateGravity{
        this,
        {.name = "separateGravity", .help = "Add gravity to the velocities after the solve instead of to the forces"},
        false};
    Data<double> d_rayleighMass{this,
                                {.name = "rayleighMass",
                                 .help = "Rayleigh damping of this mass: B = −rayleighMass M",
                                 .unit = "1/s",
                                 .range = Range::nonNegative()},
                                0.};

    BaseState* massState() const final { return this->states().front(); }

    // --- Written by subclasses --------------------------------------------------------------------------------------
    /// f += factor M(x) dx
    virtual void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const = 0;
    /// a = M(x)⁻¹ f (only called when isDiagonal())
    virtual void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const = 0;
    /// Adds the blocks of M(x).
    virtual void buildMass(BlockSink& m, const VecCoord& x) const = 0;

    // --- Derived ----------------------------------------------------------------------------------------------------
    /// Gravity as a derivative: linear part g, no angular part.
    Deriv gravityDeriv() const;
    /// Whether inertia is fixed to the bodies: not in scenes that ask for SOFA's numbers, where it is fixed in space.
    bool inertiaTurns() const { return m_inertiaTurns; }
    void init() override;
    /// f += M g, unless gravity is separate; before it the force of the law.
    void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    /// A mass has no stiffness but that of the law.
    bool hasStiffness() const override { return hasLaw; }
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override
    {
        if constexpr (hasLaw) Law::buildStiffness(mp, k);
    }
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override
    {
        if constexpr (hasLaw) Law::addDForce(mp, df);
    }
    /// −Σ x·(M g), and the energy of the law [J]
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;

    void addMDx(const MechanicalParams& mp, const MultiVecDerivId& f, double factor) override;
    void accFromF(const MechanicalParams& mp, const MultiVecDerivId& a, const MultiVecDerivId& f) override;
    void buildMass(const MechanicalParams& mp, MatrixAccumulator& m) override;
    void addGravityToV(const MechanicalParams& mp, const MultiVecDerivId& v) override;
    bool separateGravity() const override { return d_separateGravity.value(); }
    double rayleighMass() const override { return d_rayleighMass.value(); }
    double kineticEnergy(const MechanicalParams& mp) const override;
    Vec6 momentum(const MechanicalParams& mp) const override;

    using Law::addForce;
    using Law::buildStiffness;
    using Law::potentialEnergy;

protected:
    /// f += M(x) g
    virtual void addWeight(VecDeriv& f, const VecCoord& x) const;

private:
    bool m_inertiaTurns = std::is_same_v<DataTypes, Rigid3Types>;
};

#define SOFA_EXTERN(D) extern template class Mass<D>;
SOFA_STATE_TYPES(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
