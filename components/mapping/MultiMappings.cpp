// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/MultiMappings.h"

#include "components/mapping/IndexPairs.h"
#include "core/factory/Registry.h"

namespace sofa::component {

template <class In, class Out>
void PointsMultiMapping<In, Out>::setPairs(Vector<Index> pairs)
{
    m_pairs = std::move(pairs);
    this->invalidateJacobian();
}

template <class In, class Out>
void PointsMultiMapping<In, Out>::init()
{
    this->output().resize(static_cast<Index>(pairs().size() / 2));
    Base::init();
}

template <class In, class Out>
auto PointsMultiMapping<In, Out>::pointLists() -> PointLists
{
    std::vector<ElementLists> lists;
    for (auto* s : this->template inputsOf<In>()) lists.push_back({pointsOf(*s), {}});
    lists.push_back({pointsOf(this->output()), {}});
    return lists;
}

template <class In, class Out>
void PointsMultiMapping<In, Out>::refuse(const std::string& why) const
{
    throw std::runtime_error("'" + this->pathName() + "' (" + this->className() + "): " + why);
}

template <class In, class Out>
void PointsMultiMapping<In, Out>::apply(OutVecCoord& out, Positions in)
{
    const Vector<Index>& from = pairs();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto& x = (*in[from[2 * i]])[from[2 * i + 1]];
        if constexpr (std::is_same_v<In, Out>)
            out[i] = x;
        else
            Out::setPosition(out[i], In::position(x));
    }
}

template <class In, class Out>
void PointsMultiMapping<In, Out>::buildJacobians(Jacobians j, Positions)
{
    const Vector<Index>& from = pairs();
    Mat<Out::derivSize, In::derivSize> same;
    for (std::size_t k = 0; k < Out::derivSize; ++k) same[k][k] = 1.;
    for (std::size_t s = 0; s < j.size(); ++s) {
        j[s].clear();
        for (std::size_t i = 0; i + 1 < from.size(); i += 2) {
            j[s].appendRow();
            if (from[i] == s) j[s].append(from[i + 1], same);
        }
    }
}

template <class In, class Out>
void PointsMultiMapping<In, Out>::appendLinks(Vector<Vec3>& ends) const
{
    const auto& inputs = this->template inputsOf<In>();
    const Vector<Index>& from = pairs();
    for (Index i = 0; i < this->output().size(); ++i) {
        ends.push_back(inputs[from[2 * i]]->pointPosition(from[2 * i + 1]));
        ends.push_back(this->output().pointPosition(i));
    }
}

template <class In, class Out>
void SubsetMultiMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const Vector<Index>& pairs = d_indexPairs.value();
    if (const std::string fault = faultOfIndexPairs(pairs, this->template inputsOf<In>()); !fault.empty())
        return this->fail(fault);
    this->setPairs(pairs);
    PointsMultiMapping<In, Out>::init();
}

template <class In, class Out>
void SubsetMultiMapping<In, Out>::apply(typename Out::VecCoord& out, typename PointsMultiMapping<In, Out>::Positions in)
{
    if (m_restored) this->setPairs(d_indexPairs.value());
    m_restored = false;
    PointsMultiMapping<In, Out>::apply(out, in);
}

template <class In, class Out>
void SubsetMultiMapping<In, Out>::followTopology(const TopologyChange& change)
{
    if (change.restores()) {
        m_restored = true;
        return;
    }
    Vector<Index> pairs = this->pairs();
    if (const auto points = change.source(pointsOf(this->output())); !points.same)
        this->refuse("its output cannot change");
    const auto& inputs = this->template inputsOf<In>();
    for (std::size_t s = 0; s < inputs.size(); ++s) {
        const auto points = change.source(pointsOf(*inputs[s]));
        if (points.same) continue;
        const Vector<Index> now = points.inverse();
        for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
            Index& point = pairs[k + 1];
            if (pairs[k] != s) continue;
            if (point >= now.size() || now[point] == InvalidIndex) this->refuse("a point that it maps would go");
            point = now[point];
        }
    }
    d_indexPairs.setValue(pairs);
    this->setPairs(std::move(pairs));
}

template <class In, class Out>
void IdentityMultiMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    Vector<Index> pairs;
    Index number = 0;
    for (const auto* s : this->template inputsOf<In>()) {
        for (Index i = 0; i < s->size(); ++i) pairs.insert(pairs.end(), {number, i});
        ++number;
    }
    this->setPairs(std::move(pairs));
    PointsMultiMapping<In, Out>::init();
}

template <class In, class Out>
void IdentityMultiMapping<In, Out>::followTopology(const TopologyChange& change)
{
    if (change.restores()) return;
    for (auto* s : this->template inputsOf<In>())
        if (!change.source(pointsOf(*s)).same) this->refuse("points of '" + s->pathName() + "' cannot come or go");
}

namespace {

const RegisterComponent registeredSubsetMultiMapping =
    RegisterComponent("SubsetMultiMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("The output's points are some points of several states")
        .example("component/mapping/SubsetMultiMapping.scn")
        .add<SubsetMultiMapping, Types<Vec3Types, Vec3Types>, Types<Vec2Types, Vec2Types>, Types<Vec1Types, Vec1Types>,
             Types<Rigid3Types, Rigid3Types>, Types<Rigid3Types, Vec3Types>>();
const RegisterComponent registeredIdentityMultiMapping =
    RegisterComponent("IdentityMultiMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("The output's points are those of several states, one state after the other")
        .example("component/mapping/IdentityMultiMapping.scn")
        .add<IdentityMultiMapping, Types<Vec3Types, Vec3Types>, Types<Vec2Types, Vec2Types>,
             Types<Vec1Types, Vec1Types>, Types<Rigid3Types, Rigid3Types>>();

}  // namespace

}  // namespace sofa::component
