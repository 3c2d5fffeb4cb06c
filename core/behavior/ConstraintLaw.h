// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "core/math/Vector.h"

namespace sofa::core {

/// Diagonal block of the compliance W that belongs to the rows of one law, by reference.
struct ComplianceBlock
{
    const double* first;
    std::size_t stride;  ///< distance of two rows
    double operator()(int i, int j) const
    {
        return first[static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(j)];
    }
};

/// Law of one group of constraint rows: which forces λ go with which violations δ = δ_free + W λ.
///
/// A solver sweeps over the laws; each one changes its own forces so that it holds while the others stay (projected
/// block Gauss–Seidel; Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998; Duriez et al., IEEE
/// TVCG 12(1), 2006). A law is owned by its constraint, which keeps it from step to step: warm starts live in the law.
///
/// Forces are in the units in which δ/W is: with SOFA's factors and implicit Euler [N s].
class ConstraintLaw
{
public:
    explicit ConstraintLaw(int size) : m_size(size) {}
    virtual ~ConstraintLaw() = default;

    /// Number of rows.
    int size() const { return m_size; }
    /// Largest error of this law, in the units of the violations; 0: that of the solver.
    double tolerance() const { return m_tolerance; }
    void setTolerance(double t) { m_tolerance = t; }
    /// What this group is from step to step, a number that is unique in its constraint (for a contact: of the pair of
    /// elements); negative: nothing that lasts. Solvers that start from the forces of the last step find them by it.
    std::int64_t identity() const { return m_identity; }
    void setIdentity(std::int64_t i) { m_identity = i; }

    /// Before the first sweep: prepares what depends on the block, and sets the forces to start from (they are zero).
    virtual void begin(const ComplianceBlock&, double* /*force*/) {}
    /// One update: changes the forces for the violations `d` at the present forces. `d` is scratch space afterwards.
    virtual void update(const ComplianceBlock& w, double* d, double* force) const = 0;
    /// After the last sweep.
    virtual void end(const double* /*force*/, bool /*converged*/) {}
    /// A copy that does not depend on the constraint, for those that solve later or elsewhere.
    virtual std::unique_ptr<ConstraintLaw> clone() const = 0;
    /// Coefficient of friction of a contact law of three rows (normal, two tangents); negative for other laws.
    virtual double friction() const { return -1.; }
    /// True if forces may only push: λ ≥ 0 of the first row.
    virtual bool isUnilateral() const { return false; }
    /// True if the law is δ = 0, whatever the force.
    virtual bool isBilateral() const { return false; }

protected:
    void setSize(int n) { m_size = n; }

private:
    int m_size;
    double m_tolerance = 0.;
    std::int64_t m_identity = -1;
};

/// δ = 0, whatever the force: λ ← λ − load · W⁻¹ δ for all rows of the group at once.
///
/// Directions in which the block has no compliance (nothing that can move) get no force.
class BilateralLaw final : public ConstraintLaw
{
public:
    /// `keepForce`: start from the forces of the last step.
    explicit BilateralLaw(int size = 1, bool keepForce = false) : ConstraintLaw(size), m_keep(keepForce) {}
    void resize(int n);
    /// Part of the correction that each update makes, 0 … 1.
    void setLoad(double f) { m_load = f; }
    /// Forgets the forces of the last step.
    void forget() { m_force.clear(); }
    Vector<double>& keptForce() { return m_force; }

    void begin(const ComplianceBlock& w, double* force) override;
    void update(const ComplianceBlock& w, double* d, double* force) const override;
    void end(const double* force, bool converged) override;
    bool isBilateral() const override { return m_load == 1.; }
    std::unique_ptr<ConstraintLaw> clone() const override { return std::make_unique<BilateralLaw>(*this); }

private:
    bool m_keep;
    double m_load = 1.;
    Vector<double> m_inverse, m_force;
};

/// Laws of one contact, of up to three rows. With a warm start every solver starts from the forces that the constraint
/// remembers of the step before.
class ContactLaw : public ConstraintLaw
{
public:
    using ConstraintLaw::ConstraintLaw;
    /// Forces to start from, size() of them; none: zero.
    void startFrom(std::span<const double> force);
    /// Updates as the augmented Lagrangian method makes them, λ ← P(λ − ε δ) with P the projection on the cone (Simo
    /// and Laursen, Comput. Struct. 42(1), 1992): they lead to the same forces where ε is small against 1/W, and only
    /// slowly. 0: each update solves its contact.
    void setStep(double epsilon) { m_step = epsilon; }

    void begin(const ComplianceBlock& w, double* force) override;
    bool isUnilateral() const override { return true; }

protected:
    double step() const { return m_step; }

private:
    double m_step = 0.;
    std::array<double, 3> m_start{};
    std::size_t m_count = 0;
};

/// Signorini's law of one row: 0 ≤ λ ⊥ δ ≥ 0.
class UnilateralLaw final : public ContactLaw
{
public:
    UnilateralLaw() : ContactLaw(1) {}
    void update(const ComplianceBlock& w, double* d, double* force) const override;
    std::unique_ptr<ConstraintLaw> clone() const override { return std::make_unique<UnilateralLaw>(*this); }
};

/// Signorini's law with Coulomb friction, three rows (normal, two tangents): the tangential force stays in the disc of
/// radius μ λ_n and opposes the slip. The normal force is updated first, then the tangential one with the mean
/// tangential compliance and projected radially, as in SOFA.
class CoulombLaw final : public ContactLaw
{
public:
    explicit CoulombLaw(double mu = 0.) : ContactLaw(3), m_mu(mu) {}
    void setFriction(double mu) { m_mu = mu; }
    void update(const ComplianceBlock& w, double* d, double* force) const override;
    double friction() const override { return m_mu; }
    std::unique_ptr<ConstraintLaw> clone() const override { return std::make_unique<CoulombLaw>(*this); }

private:
    double m_mu;
};

/// One row whose δ stays between two bounds; the force is zero inside.
class IntervalLaw final : public ConstraintLaw
{
public:
    IntervalLaw() : ConstraintLaw(1) {}
    void setBounds(double low, double high)
    {
        m_low = low;
        m_high = high;
    }
    void update(const ComplianceBlock& w, double* d, double* force) const override;
    std::unique_ptr<ConstraintLaw> clone() const override { return std::make_unique<IntervalLaw>(*this); }

private:
    double m_low = 0., m_high = 0.;
};

}  // namespace sofa::core
