// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Quantity.h"

#include <tuple>
#include <variant>

#include "core/behavior/ConstraintCorrection.h"
#include "core/behavior/Mass.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/collision/ContactResponse.h"
#include "core/fem/ElementResults.h"
#include "core/simulation/SceneForces.h"
#include "core/simulation/Simulation.h"

// The quantities of the base classes.

namespace sofa::core {

namespace {

// --- Nodes, masses

const RegisterQuantity nodeKinetic({.name = "kineticEnergy",
                                    .help = "Sum of the kinetic energies of the node and what is below it",
                                    .unit = "J"},
                                   [](Node& n) { return Simulation::energyOf(n).kinetic; });
const RegisterQuantity nodePotential({.name = "potentialEnergy",
                                      .help = "Sum of the potential energies of the node and what is below it; forces "
                                              "without potential count nothing",
                                      .unit = "J"},
                                     [](Node& n) { return Simulation::energyOf(n).potential; });
const RegisterQuantity nodeEnergy({.name = "energy", .help = "kineticEnergy plus potentialEnergy", .unit = "J"},
                                  [](Node& n) {
                                      const Simulation::Energy e = Simulation::energyOf(n);
                                      return e.kinetic + e.potential;
                                  });
const RegisterQuantity massKinetic({.name = "kineticEnergy", .help = "Kinetic energy of the mass", .unit = "J"},
                                   [](BaseMass& m) { return m.kineticEnergy(MechanicalParams()); });
const RegisterQuantity massMomentum({.name = "momentum",
                                     .help = "Linear momentum [kg m/s], then angular momentum about the origin "
                                             "[kg m^2/s]",
                                     .unit = "kg m/s"},
                                    [](BaseMass& m) { return m.momentum(MechanicalParams()); });

// --- Force fields

const RegisterQuantity fieldPotential({.name = "potentialEnergy",
                                       .help = "Potential energy of the force field; nan if it has none",
                                       .unit = "J"},
                                      [](BaseForceField& f) { return f.potentialEnergy(MechanicalParams()); });

/// A vector of the points of states, one after the other, that `compute` writes in a vector of the scene.
template <class D, class F>
Vector<typename D::Deriv> onStates(const std::vector<BaseState*>& states, F&& compute)
{
    if (states.empty() || !states[0] || !states[0]->node()) return {};
    VectorOperations vop(states[0]->node()->root());
    const TempDeriv id(vop);
    for (BaseState* s : states) {
        s->allocate(id);
        s->clear(id);
    }
    compute(VecDerivId(id));
    Vector<typename D::Deriv> out;
    for (const BaseState* s : states) {
        const auto& part = dynamic_cast<const State<D>&>(*s).read(id);
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

/// Throws for a state without dynamics.
void checkIsMechanical(const BaseState& s)
{
    if (!s.isMechanical())
        throw std::runtime_error("'" + s.pathName() + "' has no forces: it is not a mechanical state");
}

/// What depends on the type of degrees of freedom.
template <class D>
struct OfType
{
    using Deriv = typename D::Deriv;

    static Vector<Deriv> force(BaseForceField& f)
    {
        return onStates<D>(f.states(), [&](VecDerivId id) { f.addForce(MechanicalParams(), id); });
    }
    static Vector<Deriv> reaction(BaseProjectiveConstraint& c)
    {
        Node& root = c.node()->root();
        return SceneForces::with(root, [&](VecDerivId total) {
            return onStates<D>(c.states(), [&](VecDerivId id) {
                for (BaseState* s : c.states()) s->copy(id, total);
                c.projectResponse(MechanicalParams(), id);
                for (BaseState* s : c.states()) s->add(id, id, total, -1.);
            });
        });
    }
    static Vector<Deriv> totalForce(State<D>& s)
    {
        checkIsMechanical(s);
        return SceneForces::with(s.node()->root(), [&](VecDerivId total) { return s.read(total); });
    }
    static Vector<Deriv> constraintForce(State<D>& s)
    {
        checkIsMechanical(s);
        Vector<Deriv> out(s.size());
        const auto* solver = s.node()->template get<ConstraintSolver>(Search::Up);
        if (!solver || !s.isAllocated(solver->lambda())) return out;
        const Vector<Deriv>& impulse = s.read(solver->lambda());
        const double dt = s.node()->root().dt();
        for (std::size_t i = 0; i < out.size() && i < impulse.size(); ++i) out[i] = impulse[i] * (1. / dt);
        return out;
    }

    static Vector<Deriv> contactForce(State<D>& s)
    {
        checkIsMechanical(s);
        return SceneForces::with(
            s.node()->root(), [&](VecDerivId contacts) { return s.read(contacts); }, &SceneForces::contacts);
    }

    static constexpr const char *forceHelp =
                                    "What the force field adds to each point of its states, one after the "
                                    "other, at the end of the step",
                                *unit = D::isRigid ? "N, N m" : "N";
    RegisterQuantity ofField{{.name = "force", .help = forceHelp, .unit = unit},
                             [](ForceField<D>& f) { return force(f); }};
    RegisterQuantity ofPair{{.name = "force", .help = forceHelp, .unit = unit},
                            [](PairInteractionForceField<D>& f) { return force(f); }};
    RegisterQuantity ofConstraint{{.name = "reaction",
                                   .help = "What the constraint adds to each point so that the point obeys: minus the "
                                           "part of all forces that it takes out. The inertia of points that it moves "
                                           "is not in it",
                                   .unit = unit},
                                  [](ProjectiveConstraint<D>& c) { return reaction(c); }};
    RegisterQuantity ofState{{.name = "totalForce",
                              .help = "All forces on each point at the end of the step, what mapped states carry to "
                                      "it included",
                              .unit = unit},
                             [](State<D>& s) { return totalForce(s); }};
    RegisterQuantity ofMultipliers{{.name = "constraintForce",
                                    .help = "Forces of Lagrangian constraints and of contacts by constraints on each "
                                            "point in the last step",
                                    .unit = unit},
                                   [](State<D>& s) { return constraintForce(s); }};
    RegisterQuantity ofContacts{{.name = "contactForce",
                                 .help = "Forces of contacts on each point, what mapped states carry to it included: "
                                         "those of constraints in the last step, those of penalties at present",
                                 .unit = unit},
                                [](State<D>& s) { return contactForce(s); }};
};

#define SOFA_OF_TYPE(D) OfType<D>,
const std::tuple<SOFA_STATE_TYPES(SOFA_OF_TYPE) std::monostate> ofTypes;
#undef SOFA_OF_TYPE

// --- Contacts

Vector<ContactForce> contactForces(const ContactManager& m)
{
    Vector<ContactForce> all;
    for (const ContactResponse* r : m.responses()) r->appendForces(all);
    return all;
}

const RegisterQuantity forcesOfContacts({.name = "contactForces",
                                         .help = "Force of each contact on the second model of its pair; the first one "
                                                 "has the opposite force",
                                         .unit = "N"},
                                        [](ContactManager& m) {
                                            Vector<Vec3> out;
                                            for (const ContactForce& c : contactForces(m)) out.push_back(c.force);
                                            return out;
                                        });
const RegisterQuantity pointsOfContacts({.name = "contactPoints",
                                         .help = "Where each contact of contactForces acts on the second model",
                                         .unit = "m"},
                                        [](ContactManager& m) {
                                            Vector<Vec3> out;
                                            for (const ContactForce& c : contactForces(m))
                                                out.push_back(c.state2->positions()[c.point2]);
                                            return out;
                                        });
const RegisterQuantity forceOnModel({.name = "contactForce",
                                     .help = "Sum of the forces of the contacts of the model on it",
                                     .unit = "N"},
                                    [](CollisionModel& model) {
                                        Vec3 sum;
                                        Vector<ContactForce> all;
                                        for (const auto* m : model.node()->root().getAll<ContactManager>(Search::Down))
                                            for (const ContactResponse* r : m->responses()) {
                                                all.clear();
                                                r->appendForces(all);
                                                for (const ContactForce& c : all) {
                                                    if (r->models().second == &model) sum += c.force;
                                                    if (r->models().first == &model) sum -= c.force;
                                                }
                                            }
                                        return sum;
                                    });

// --- Elements

/// Calls f with the elements of a force field.
template <class F>
auto onElements(const ElementResults& r, F&& f)
{
    const BaseState* state = r.resultState();
    const ElementNumbering elements = r.resultElements();
    if (!state || !elements.topology) throw std::runtime_error("it does not know what goes on in its elements");
    const RestAndNow points(*state);
    return f(ElementResults::Shape{elements, points.rest, points.now});
}

Vector<Vec6> sixNumbers(const Vector<Mat3>& tensors)
{
    Vector<Vec6> out(tensors.size());
    for (std::size_t e = 0; e < out.size(); ++e) {
        const Mat3& t = tensors[e];
        out[e] = {t[0][0], t[1][1], t[2][2], t[0][1], t[1][2], t[0][2]};
    }
    return out;
}

const RegisterQuantity vonMises({.name = "vonMises",
                                 .help = "Von Mises stress of each element; nan where it is not known",
                                 .unit = "Pa"},
                                [](ElementResults& r) {
                                    return onElements(r, [&](const ElementResults::Shape& shape) {
                                        Vector<double> out;
                                        r.vonMisesStresses(shape, out);
                                        return out;
                                    });
                                });
const RegisterQuantity stress({.name = "stress",
                               .help = "Mean Cauchy stress of each element, in the axes of the scene: xx, yy, zz, xy, "
                                       "yz, xz; nan where it is not known",
                               .unit = "Pa"},
                              [](ElementResults& r) {
                                  return onElements(r, [&](const ElementResults::Shape& shape) {
                                      Vector<Mat3> out;
                                      r.stresses(shape, out);
                                      return sixNumbers(out);
                                  });
                              });
const RegisterQuantity strain({.name = "strain",
                               .help = "Green's strain in the middle of each element, in the axes of the rest shape: "
                                       "xx, yy, zz, xy, yz, xz (components of the tensor, not engineering shears)",
                               .unit = "1"},
                              [](ElementResults& r) {
                                  return onElements(r, [&](const ElementResults::Shape& shape) {
                                      Vector<Mat3> out;
                                      greenStrains(shape, out);
                                      return sixNumbers(out);
                                  });
                              });
const RegisterQuantity elementEnergy({.name = "elementEnergy",
                                      .help = "Potential energy of each element, whose sum is potentialEnergy",
                                      .unit = "J"},
                                     [](ElementResults& r) {
                                         Vector<double> out;
                                         r.elementEnergies(out);
                                         return out;
                                     });

}  // namespace

}  // namespace sofa::core
