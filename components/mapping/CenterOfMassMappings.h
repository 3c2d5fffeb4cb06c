// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/behavior/MultiMapping.h"

namespace sofa::component {

using namespace sofa::core;

/// Parts of points in the mass of several states.
class MassParts
{
public:
    /// Asks the mass components beside the states. False, with the failure of `owner` reported, if there is none or no
    /// mass.
    bool find(Component& owner, const std::vector<BaseState*>& states);
    /// m_i / Σ m of the points of a state.
    const Vector<double>& operator[](std::size_t state) const { return m_parts[state]; }

private:
    std::vector<Vector<double>> m_parts;
};

/// The centre of mass of a body as one point: x = Σ m_i x_i / Σ m_i, with the masses of points that the mass component
/// beside the input tells when the mapping starts. A force on it is shared out by mass. An output that has an
/// orientation keeps it.
template <class In, class Out>
class CenterOfMassMapping final : public Mapping<In, Out>
{
public:
    using Base = Mapping<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::JacobianMatrix;
    using typename Base::OutVecCoord;

    void init() override;
    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

private:
    MassParts m_parts;
};

/// That of several bodies together.
template <class Out, class... Ins>
class CenterOfMassOfStates : public MultiMapping<Out, Ins...>
{
public:
    using Base = MultiMapping<Out, Ins...>;
    using typename Base::OutVecCoord;
    template <class In>
    using Positions = typename Base::template Positions<In>;
    template <class In>
    using Jacobians = typename Base::template Jacobians<In>;

    void init() override;
    using Base::apply;
    void apply(OutVecCoord& out, Positions<Ins>... in) override;
    void buildJacobians(Jacobians<Ins>... j, Positions<Ins>... in) override;

private:
    MassParts m_parts;
};

template <class In, class Out>
class CenterOfMassMultiMapping final : public CenterOfMassOfStates<Out, In>
{
};

template <class In1, class In2, class Out>
class CenterOfMassMulti2Mapping final : public CenterOfMassOfStates<Out, In1, In2>
{
};

}  // namespace sofa::component
