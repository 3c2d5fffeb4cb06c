// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/Operations.h"

#include <algorithm>

#include "core/visitor/JoinedPoints.h"

namespace sofa::core {

void VectorOperations::allocate(VecDerivId id)
{
    for (auto* list : {&m_plan.independentStates(), &m_plan.mappedStates()})
        for (BaseState* s : *list)
            if (!s->isAllocated(id)) s->allocate(id);
}

void VectorOperations::allocate(VecCoordId id)
{
    for (auto* list : {&m_plan.independentStates(), &m_plan.mappedStates()})
        for (BaseState* s : *list)
            if (!s->isAllocated(id)) s->allocate(id);
}

void VectorOperations::clear(const MultiVecDerivId& v)
{
    for (BaseState* s : m_plan.independentStates()) s->clear(v.at(*s));
}

void VectorOperations::copy(const MultiVecCoordId& v, const MultiVecCoordId& a)
{
    for (BaseState* s : m_plan.independentStates()) s->copy(v.at(*s), a.at(*s));
}

void VectorOperations::copy(const MultiVecDerivId& v, const MultiVecDerivId& a)
{
    for (BaseState* s : m_plan.independentStates()) s->copy(v.at(*s), a.at(*s));
}

void VectorOperations::add(const MultiVecCoordId& v, const MultiVecCoordId& a, const MultiVecDerivId& b, double f)
{
    for (BaseState* s : m_plan.independentStates()) s->add(v.at(*s), a.at(*s), b.at(*s), f);
}

void VectorOperations::add(const MultiVecDerivId& v, const MultiVecDerivId& a, const MultiVecDerivId& b, double f)
{
    for (BaseState* s : m_plan.independentStates()) s->add(v.at(*s), a.at(*s), b.at(*s), f);
}

void VectorOperations::scale(const MultiVecDerivId& v, double f)
{
    for (BaseState* s : m_plan.independentStates()) s->scale(v.at(*s), f);
}

double VectorOperations::dot(const MultiVecDerivId& a, const MultiVecDerivId& b) const
{
    double sum = 0.;
    for (const BaseState* s : m_plan.independentStates()) sum += s->dot(a.at(*s), b.at(*s));
    return sum;
}

double VectorOperations::norm(const MultiVecDerivId& a) const { return std::sqrt(dot(a, a)); }

namespace {

struct PropagateX final : MechanicalVisitor
{
    bool timesMappings() const override { return true; }
    PropagateX(const MechanicalParams& p, const MultiVecCoordId& id) : mp(p), x(id) {}
    Result fwdMapping(Node&, BaseMapping& m) override
    {
        m.apply(mp, x, x);
        return Continue;
    }
    const MechanicalParams& mp;
    const MultiVecCoordId& x;
};

struct PropagateV final : MechanicalVisitor
{
    bool timesMappings() const override { return true; }
    PropagateV(const MechanicalParams& p, const MultiVecDerivId& id) : mp(p), v(id) {}
    Result fwdMapping(Node&, BaseMapping& m) override
    {
        m.applyJ(mp, v, v);
        return Continue;
    }
    const MechanicalParams& mp;
    const MultiVecDerivId& v;
};

struct PropagateXAndV final : MechanicalVisitor
{
    bool timesMappings() const override { return true; }
    PropagateXAndV(const MechanicalParams& p, const MultiVecCoordId& xId, const MultiVecDerivId& vId)
        : mp(p), x(xId), v(vId)
    {
    }
    Result fwdMapping(Node&, BaseMapping& m) override
    {
        m.apply(mp, x, x);
        m.applyJ(mp, v, v);
        return Continue;
    }
    const MechanicalParams& mp;
    const MultiVecCoordId& x;
    const MultiVecDerivId& v;
};

/// Projective constraints act on independent states: the visit stops at mappings.
struct Project final : MechanicalVisitor
{
    enum What
    {
        Response,
        Velocity,
        Position
    };
    Project(const MechanicalParams& p, What w, const MultiVecDerivId& d, const MultiVecCoordId& c)
        : mp(p), what(w), deriv(d), coord(c)
    {
    }
    bool stopAtMapping(const BaseMapping&) const override { return true; }
    Result fwdProjectiveConstraint(Node&, BaseProjectiveConstraint& c) override
    {
        if (what == Response) c.projectResponse(mp, deriv);
        if (what == Velocity) c.projectVelocity(mp, deriv);
        if (what == Position) c.projectPosition(mp, coord);
        return Continue;
    }
    const MechanicalParams& mp;
    What what;
    const MultiVecDerivId& deriv;
    const MultiVecCoordId& coord;
};

/// Force fields on the way down, mappings carry their sums up. The vectors were cleared in a pass of their own, because
/// a force field between two objects stands above them and is visited first.
struct ComputeForce final : MechanicalVisitor
{
    bool timesForces() const override { return true; }
    bool timesMappings() const override { return true; }
    ComputeForce(const MechanicalParams& p, const MultiVecDerivId& id) : mp(p), f(id) {}
    Result fwdForceField(Node&, BaseForceField& ff) override
    {
        ff.addForce(mp, f);
        return Continue;
    }
    void bwdMapping(Node&, BaseMapping& m) override
    {
        if (!m.carriesForces()) return;
        m.addInertialForces(mp, f);
        m.applyJT(mp, f, f);
    }
    const MechanicalParams& mp;
    const MultiVecDerivId& f;
};

/// First pass of a product: displacements of mapped states, cleared results.
struct PrepareMBKdx final : MechanicalVisitor
{
    bool timesMappings() const override { return true; }
    PrepareMBKdx(const MechanicalParams& p, bool clearIndependent) : mp(p), clearFirst(clearIndependent) {}
    bool stopAtMapping(const BaseMapping& m) const override { return !m.carriesForces(); }
    Result fwdMapping(Node&, BaseMapping& m) override
    {
        if (m.carriesMatrices())
            m.applyJ(mp, mp.dx, mp.dx);
        else
            for (BaseState* s : m.outputs()) s->clear(mp.dx.at(*s));
        return Continue;
    }
    Result fwdState(Node&, BaseState& s) override
    {
        if (clearFirst) s.clear(mp.df.at(s));
        return Continue;
    }
    Result fwdMappedState(Node&, BaseState& s) override
    {
        s.clear(mp.df.at(s));
        return Continue;
    }
    const MechanicalParams& mp;
    bool clearFirst;
};

/// Second pass: masses and force fields on the way down, mappings on the way up.
struct AddMBKdx final : MechanicalVisitor
{
    bool timesMasses() const override { return true; }
    bool timesForces() const override { return true; }
    bool timesMappings() const override { return true; }
    AddMBKdx(const MechanicalParams& p, bool rayleigh) : mp(p), rayleighOnly(rayleigh), own(p) { own.bFactor = 0.; }
    bool stopAtMapping(const BaseMapping& m) const override { return !m.carriesForces(); }
    Result fwdMass(Node&, BaseMass& m) override
    {
        const double factor = mp.massFactor(m.rayleighMass());
        if (factor != 0.) m.addMDx(mp, mp.df, factor);
        return Continue;
    }
    Result fwdForceField(Node&, BaseForceField& ff) override
    {
        if (!rayleighOnly) {
            ff.addDForce(mp, mp.df);
            return Continue;
        }
        own.kFactor = mp.stiffnessFactor(ff.d_rayleighStiffness.value());
        if (own.kFactor != 0.) ff.addDForce(own, mp.df);
        return Continue;
    }
    void bwdMapping(Node&, BaseMapping& m) override
    {
        if (!m.carriesMatrices()) return;
        m.applyJT(mp, mp.df, mp.df);
        m.applyDJT(mp, mp.df);
    }
    const MechanicalParams& mp;
    bool rayleighOnly;
    MechanicalParams own;  ///< of one force field, its Rayleigh damping as stiffness
};

}  // namespace

void MechanicalOperations::propagateX(const MultiVecCoordId& x)
{
    PropagateX v(mp, x);
    m_plan.run(v);
}

void MechanicalOperations::propagateV(const MultiVecDerivId& v)
{
    PropagateV visitor(mp, v);
    m_plan.run(visitor);
}

void MechanicalOperations::propagateXAndV(const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    PropagateXAndV visitor(mp, x, v);
    m_plan.run(visitor);
}

void MechanicalOperations::projectPosition(const MultiVecCoordId& x)
{
    const MultiVecDerivId none;
    Project p(mp, Project::Position, none, x);
    m_plan.run(p);
}

void MechanicalOperations::projectVelocity(const MultiVecDerivId& v)
{
    const MultiVecCoordId none;
    Project p(mp, Project::Velocity, v, none);
    m_plan.run(p);
}

void MechanicalOperations::projectResponse(const MultiVecDerivId& dx)
{
    const MultiVecCoordId none;
    Project p(mp, Project::Response, dx, none);
    m_plan.run(p);
}

void MechanicalOperations::computeForce(const MultiVecDerivId& f)
{
    mp.f = f;
    for (auto* list : {&m_plan.independentStates(), &m_plan.mappedStates()}) {
        for (BaseState* s : *list) {
            if (s->isAllocated(vec_id::externalForce))
                s->copy(f.at(*s), vec_id::externalForce);
            else
                s->clear(f.at(*s));
        }
    }
    ComputeForce v(mp, f);
    m_plan.run(v);
}

void MechanicalOperations::addMBKdx(const MultiVecDerivId& df, const MultiVecDerivId& dx, double m, double b, double k,
                                    bool clearFirst, Damping damping)
{
    mp.mFactor = m;
    mp.bFactor = b;
    mp.kFactor = k;
    mp.dx = dx;
    mp.df = df;
    PrepareMBKdx prepare(mp, clearFirst);
    m_plan.run(prepare);
    AddMBKdx add(mp, damping == Damping::RayleighOnly);
    m_plan.run(add);
}

void MechanicalOperations::addMdx(const MultiVecDerivId& f, const MultiVecDerivId& dx, double factor)
{
    mp.dx = dx;
    if (m_plan.massesAreIndependent()) {
        for (BaseMass* m : m_plan.masses()) m->addMDx(mp, f, factor);
        return;
    }
    MechanicalParams product = mp;
    product.mFactor = factor;
    product.bFactor = product.kFactor = 0.;
    product.df = f;
    PrepareMBKdx prepare(product, false);
    m_plan.run(prepare);
    AddMBKdx add(product, true);
    m_plan.run(add);
}

void MechanicalOperations::accFromF(const MultiVecDerivId& a, const MultiVecDerivId& f)
{
    for (BaseMass* m : m_plan.masses()) m->accFromF(mp, a, f);
}

void MechanicalOperations::computeForceAt(const MultiVecDerivId& f, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    mp.x = x;
    mp.xMass = x;
    mp.v = v;
    projectPosition(x);
    projectVelocity(v);
    propagateXAndV(x, v);
    computeForce(f);
    RotatingBodies(m_plan).addGyroscopicTorque(mp, f);
}

void MechanicalOperations::advance(const MultiVecCoordId& x, const MultiVecCoordId& from, const MultiVecDerivId& u,
                                   double h, std::initializer_list<MultiVecDerivId> carried,
                                   std::initializer_list<MultiVecDerivId> momenta)
{
    RotatingBodies bodies(m_plan);
    if (!bodies.empty()) bodies.turn(mp, from, u, h);
    VectorOperations(m_plan).add(x, from, u, h);
    bodies.finish(x, carried, momenta);
}

bool MechanicalOperations::holdMasses(VecCoordId id)
{
    if (RotatingBodies(m_plan).empty()) return false;
    VectorOperations vop(m_plan);
    vop.allocate(id);
    vop.copy(id, vec_id::position);
    propagateX(id);
    mp.xMass = id;
    return true;
}

void MechanicalOperations::addSeparateGravity(double dt, const MultiVecDerivId& v)
{
    mp.dt = dt;
    for (BaseMass* m : m_plan.masses()) m->addGravityToV(mp, v);
}

bool MechanicalOperations::massIsDiagonal() const
{
    if (joiningConstraint(m_plan) || !m_plan.massesAreIndependent()) return false;
    std::vector<const BaseState*> states;
    for (const BaseMass* m : m_plan.masses()) {
        if (!m->isDiagonal()) return false;
        states.push_back(m->massState());
    }
    std::ranges::sort(states);
    return std::ranges::adjacent_find(states) == states.end();
}

}  // namespace sofa::core
