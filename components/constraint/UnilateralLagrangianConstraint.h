// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>
#include <map>

#include "core/behavior/LagrangianConstraint.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace core;

/// Keeps pairs of points of two objects apart: contacts without or with Coulomb friction.
///
/// A contact has the points x₁ and x₂, the unit normal n from the first to the second one, and the distance d at which
/// it begins. Its rows are (n, t, s) with two tangents t and s, without friction n only. The violation is
///
///     δ_n = (x₂ − x₁) · n − d,   0 ≤ λ_n ⊥ δ_n ≥ 0,   ‖λ_t‖ ≤ μ λ_n against the slip,
///
/// and the tangential violation is the slip of the free motion from the moment on at which the contact closes, as in
/// SOFA; by velocities it is the relative velocity. Round surfaces that roll slip by what their velocities tell,
/// however far they turn in a step. The tangents follow from the normal by t₀ = (n_z, n_x, n_y), s = n × t₀ / |n × t₀|,
/// t = s × n.
///
/// Restitution e > 0 replaces the normal part of a contact that closes fast by Newton's law u⁺ = −e u⁻ in Moreau's form
/// 0 ≤ λ_n ⊥ u_n⁺ + e u_n⁻ ≥ 0 (Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988), with u⁻
/// the velocity at the beginning of the step: for e = 1 and elastic bodies it conserves the energy exactly. Fast means
/// e |u⁻| ≥ the changes of both normal velocities by the free motion: a slower rebound would not outlast the step, and
/// such contacts come to rest. Fast contacts that are still open after the free motion have no rows in that step.
class UnilateralLagrangianConstraint final : public PairLagrangianConstraint<Vec3Types>, public TopologyFollower
{
public:
    struct Contact
    {
        Index point1 = 0, point2 = 0;
        Vec3 normal;           ///< unit vector from the first to the second point
        double distance = 0.;  ///< of the points when the contact closes [m]
        /// Identity over the steps, for solvers that keep forces by it (LCPConstraintSolver). SOFA's are not unique.
        std::int64_t id = 0;
        double friction = 0.;     ///< coefficient of friction; without it the contact has one row
        double restitution = 0.;  ///< coefficient of restitution, 0 … 1
        std::int64_t pair = 0;    ///< of primitives; together with the id it is unique, for the warm start
        bool round = false;       ///< the place of a round surface that touches moves over the body as that turns
    };

    Data<Vector<Index>> d_firstPoint{
        this, {.name = "first_point", .help = "Points of the first object (object1), for contacts given by the scene"}};
    Data<Vector<Index>> d_secondPoint{
        this, {.name = "second_point", .help = "Point of the second object (object2) for each of first_point"}};
    Data<Vector<Vec3>> d_normal{
        this,
        {.name = "normal",
         .help =
             "Direction from the first to the second point, for each pair or one for all; its length does not count",
         .unit = "1"}};
    Data<Vector<double>> d_distance{this,
                                    {.name = "distance",
                                     .help = "Smallest distance of the points along the normal, for each pair or one "
                                             "for all; default 0",
                                     .unit = "m"}};
    Data<double> d_friction{this,
                            {.name = "mu",
                             .help = "Coefficient of friction of the contacts given by the scene; 0: none",
                             .unit = "1",
                             .range = Range::nonNegative()},
                            0.};
    Data<double> d_restitution{this,
                               {.name = "restitution",
                                .help = "Coefficient of restitution of the contacts given by the scene",
                                .unit = "1",
                                .range = Range::closed(0., 1.)},
                               0.};
    Data<double> d_tolerance{this,
                             {.name = "tol",
                              .help = "Tolerance of the solver for these contacts, instead of its own; 0: its own",
                              .unit = "m",
                              .range = Range::nonNegative()},
                             0.};
    Data<double> d_epsilon{
        this,
        {.name = "epsilon",
         .help = "Force for a violation by which solvers update the forces (augmented Lagrangian); 0: each update "
                 "solves its contact",
         .unit = "N s/m",
         .range = Range::nonNegative()},
        0.};
    Data<bool> d_warmStart{this,
                           {.name = "warmStart",
                            .help = "Every solver starts from the forces that the contacts had in the step before (in "
                                    "SOFA LCPConstraintSolver only)"},
                           false};
    Data<double> d_maxSeparationSpeed{
        this,
        {.name = "maxSeparationSpeed",
         .help =
             "Largest speed at which contacts that overlap at the beginning of a step are pushed apart. 0: the speed "
             "of "
             "a fall through the overlap, that of their approach, or a tenth of the overlap in a step, whichever is "
             "largest; negative: no limit, as in SOFA",
         .unit = "m/s"},
        0.};
    Data<Vector<Vec3>> d_contactForces{this,
                                       {.name = "contactForces",
                                        .help = "Force of each contact on the second object in the last step; the "
                                                "first one has the opposite force",
                                        .unit = "N",
                                        .readOnly = true,
                                        .saved = false}};
    Data<Vector<Vec3>> d_contactPoints{this,
                                       {.name = "contactPoints",
                                        .help = "Point of the second object of each contact at the beginning of the "
                                                "last step",
                                        .unit = "m",
                                        .readOnly = true,
                                        .saved = false}};

    /// The contacts of the present step, in place of those of the scene. None: the constraint has no rows.
    void setContacts(Vector<Contact> contacts);
    const Vector<Contact>& contacts() const { return m_contacts; }
    /// SOFA forgets the forces of a pair's first step, but by accident not that of contact 0 of the first pair of a
    /// scene. Solutions with friction are not unique, so that this start can decide which one is found.
    void setFirstPair(bool on) { m_firstPair = on; }
    /// Place among the contacts of a node (BaseLagrangianConstraint::sequence).
    void setSequence(std::uint64_t n) { m_sequence = n; }

    PointLists pointLists() override;
    /// Contacts of the scene go with their points; those that lose one end, with their forces. Found ones are found
    /// anew.
    void followTopology(const TopologyChange& change) override;
    void init() override;
    void bwdInit() override;
    void reinit() override { bwdInit(); }
    void reset() override;
    void archive(Archive& a) override;
    std::uint64_t sequence() const override { return m_sequence; }
    /// That of the contacts at the present positions, whatever the numbers of their points are.
    std::uint64_t fingerprint() const override;
    void buildRows(const ConstraintParams& p, ConstraintMatrix& h) override;
    void violation(const ConstraintParams& p, const MultiVecCoordId& x, std::span<double> d) override;
    void laws(const ConstraintParams& p, std::vector<ConstraintLaw*>& out) override;
    /// Lines between the points of contacts, normals (flag Normals) and the forces, the largest a tenth of
    /// the size of the scene (flag InteractionForceFields).
    void draw(DrawTool& tool) override;
    void freeViolation(const ConstraintParams& p, std::span<const double> hv, std::span<double> d) override;
    void storeForces(const ConstraintParams& p, std::span<const double> lambda) override;

    /// The tangents of a unit normal.
    static std::pair<Vec3, Vec3> tangents(const Vec3& normal);

private:
    /// A contact with rows in the present step.
    struct Row
    {
        std::size_t contact;
        Vec3 t, s;
        bool bounce;      ///< by Newton's law
        double approach;  ///< u⁻ [m/s]
    };
    enum class Motion
    {
        none,  ///< no rows
        closing,
        bouncing
    };
    using Key = std::array<std::int64_t, 2>;  ///< identity and pair
    Motion motionOf(const ConstraintParams& p, const Contact& c, double& approach) const;
    /// The gap [m] that an overlapping contact may have at the end of the step at most for its forces to push; `gap` <
    /// 0 is that at the beginning.
    double allowedGap(const ConstraintParams& p, const Contact& c, double gap) const;
    void readScene();

    Vector<Contact> m_contacts;
    std::vector<Row> m_rows;
    std::deque<UnilateralLaw> m_normalLaws;
    std::deque<CoulombLaw> m_frictionLaws;
    std::map<Key, std::array<double, 3>> m_remembered;  ///< forces of the last step
    bool m_fromScene = false;
    bool m_solved = false;  ///< whether there was a step before
    bool m_firstPair = false;
    std::uint64_t m_sequence = 0;
};

}  // namespace sofa::component
