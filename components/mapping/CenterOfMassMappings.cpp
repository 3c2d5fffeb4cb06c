// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/CenterOfMassMappings.h"

#include <algorithm>

#include "core/behavior/Mass.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

template <class In>
Vec3 weightedSum(const typename In::VecCoord& x, const Vector<double>& parts)
{
    Vec3 sum;
    for (std::size_t i = 0; i < x.size(); ++i) sum += In::position(x[i]) * parts[i];
    return sum;
}

/// The row of a Jacobian whose blocks are parts of the identity of translations.
template <class In, class Out, class JacobianMatrix>
void setRow(JacobianMatrix& j, const Vector<double>& parts)
{
    j.clear();
    j.appendRow();
    for (Index i = 0; i < parts.size(); ++i) {
        Mat<Out::derivSize, In::derivSize> block;
        for (std::size_t k = 0; k < std::min(In::spatialDimensions, Out::spatialDimensions); ++k)
            block[k][k] = parts[i];
        j.append(i, block);
    }
}

}  // namespace

bool MassParts::find(Component& owner, const std::vector<BaseState*>& states)
{
    m_parts.clear();
    double all = 0.;
    for (const BaseState* s : states) {
        const auto* mass = s->node()->get<BaseMass>(Search::Local);
        if (!mass) {
            owner.fail("there is no mass beside the state '" + s->pathName() + "'");
            return false;
        }
        Vector<double>& parts = m_parts.emplace_back(s->size());
        for (Index i = 0; i < s->size(); ++i) all += parts[i] = mass->pointMass(i);
    }
    if (!(all > 0.)) {
        owner.fail("its inputs have no mass");
        return false;
    }
    for (auto& parts : m_parts)
        for (double& m : parts) m /= all;
    return true;
}

template <class In, class Out>
void CenterOfMassMapping<In, Out>::init()
{
    if (!this->findStates() || !m_parts.find(*this, this->inputs())) return;
    this->output().resize(1);
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
void CenterOfMassMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    Out::setPosition(out[0], weightedSum<In>(in, m_parts[0]));
}

template <class In, class Out>
void CenterOfMassMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    setRow<In, Out>(j, m_parts[0]);
}

template <class Out, class... Ins>
void CenterOfMassOfStates<Out, Ins...>::init()
{
    if (!this->findStates() || !m_parts.find(*this, this->inputs())) return;
    this->output().resize(1);
    this->invalidateJacobian();
    Base::init();
}

template <class Out, class... Ins>
void CenterOfMassOfStates<Out, Ins...>::apply(OutVecCoord& out, Positions<Ins>... in)
{
    Vec3 x;
    std::size_t state = 0;
    const auto add = [&]<class In>(Positions<In> of) {
        for (const auto* positions : of) x += weightedSum<In>(*positions, m_parts[state++]);
    };
    (add.template operator()<Ins>(in), ...);
    Out::setPosition(out[0], x);
}

template <class Out, class... Ins>
void CenterOfMassOfStates<Out, Ins...>::buildJacobians(Jacobians<Ins>... j, Positions<Ins>...)
{
    std::size_t state = 0;
    const auto set = [&]<class In>(Jacobians<In> of) {
        for (auto& one : of) setRow<In, Out>(one, m_parts[state++]);
    };
    (set.template operator()<Ins>(j), ...);
}

namespace {

RegisterComponent centerOfMass(const char* name, const char* help)
{
    return RegisterComponent(name, "Mapping", "Sofa.Component.Mapping.Linear")
        .help(help)
        .example("component/mapping/CenterOfMassMapping.scn");
}

const RegisterComponent registeredCenterOfMassMapping =
    centerOfMass("CenterOfMassMapping", "The centre of mass of a body as one point")
        .add<CenterOfMassMapping, Types<Rigid3Types, Vec3Types>, Types<Rigid2Types, Vec2Types>,
             Types<Vec3Types, Vec3Types>>();
const RegisterComponent registeredCenterOfMassMultiMapping =
    centerOfMass("CenterOfMassMultiMapping", "The common centre of mass of several states as one point")
        .add<CenterOfMassMultiMapping, Types<Vec3Types, Vec3Types>, Types<Rigid3Types, Vec3Types>,
             Types<Rigid3Types, Rigid3Types>>();
const RegisterComponent registeredCenterOfMassMulti2Mapping =
    centerOfMass("CenterOfMassMulti2Mapping", "The common centre of mass of points and bodies as one point")
        .add<CenterOfMassMulti2Mapping<Vec3Types, Rigid3Types, Vec3Types>>();

}  // namespace

}  // namespace sofa::component
