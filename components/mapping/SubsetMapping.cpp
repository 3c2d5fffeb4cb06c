// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/SubsetMapping.h"

#include "core/factory/Registry.h"
#include "core/topology/TopologicalMapping.h"

namespace sofa::component {

template <class In, class Out>
void SubsetMapping<In, Out>::takeRange()
{
    const Index n = this->input().size();
    if (n == 0) return;
    const Index first = d_first.value() < n ? d_first.value() : 0;
    const Index last = std::min(d_last.value(), n - 1);
    Vector<Index> indices;
    for (Index i = first; i <= last; ++i) indices.push_back(i);
    d_indices.setValue(std::move(indices));
}

template <class In, class Out>
bool SubsetMapping<In, Out>::search()
{
    const InVecCoord& in = this->input().positions();
    const OutVecCoord& out = this->output().positions();
    Vector<Index> indices(out.size(), InvalidIndex);
    for (std::size_t i = 0; i < out.size(); ++i) {
        double nearest = d_radius.value();
        for (std::size_t j = 0; j < in.size(); ++j) {
            const double r = norm(Out::difference(out[i], in[j]));
            if (!(r < nearest)) continue;
            nearest = r;
            indices[i] = static_cast<Index>(j);
        }
        if (indices[i] == InvalidIndex && !d_ignoreNotFound.value()) {
            this->fail("no input point lies within radius " + d_radius.text() + " of output point " +
                       std::to_string(i) + " (" + toText(out[i]) +
                       "); give indices, a larger radius, or ignoreNotFound=\"1\"");
            return false;
        }
    }
    d_indices.setValue(std::move(indices));
    return true;
}

template <class In, class Out>
void SubsetMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const Index n = this->input().size();
    if (d_indices.value().empty() && d_first.value() != InvalidIndex) {
        takeRange();
    } else if (d_indices.value().empty()) {
        if (!search()) return;
    } else if (!d_ignoreNotFound.value()) {
        for (const Index i : d_indices.value())
            if (i >= n)
                return this->fail("index " + std::to_string(i) + " is outside the input, which has " +
                                  std::to_string(n) + " points");
    }
    this->output().resize(static_cast<Index>(d_indices.value().size()));
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
bool SubsetMapping<In, Out>::followsMapping() const
{
    const BaseData* d = d_indices.parent();
    return d && dynamic_cast<const TopologicalMapping*>(d->owner());
}

template <class In, class Out>
TopologyFollower::PointLists SubsetMapping<In, Out>::pointLists()
{
    if (!d_handleTopologyChange.value()) return std::nullopt;
    if (followsMapping()) return {{{pointsOf(this->input()), {}}, {pointsOf(this->output()), {}}}};
    return {{{pointsOf(this->input()), {{&d_indices, ElementData::Kind::Kept}}}, {pointsOf(this->output()), {}}}};
}

template <class In, class Out>
void SubsetMapping<In, Out>::followTopology(const TopologyChange& change)
{
    this->invalidateJacobian();
    if (change.restores() || followsMapping()) return;
    const auto refuse = [this](const std::string& why) {
        throw std::runtime_error("'" + this->pathName() + "' (SubsetMapping): " + why);
    };
    Vector<Index> indices = d_indices.value();
    if (const auto points = change.source(pointsOf(this->output())); !points.same) {
        Vector<Index> left(this->output().size(), InvalidIndex);
        const Vector<Index> now = points.inverse();
        std::size_t count = 0;
        for (std::size_t i = 0; i < now.size() && i < indices.size(); ++i) {
            if (now[i] == InvalidIndex) continue;
            left[now[i]] = indices[i];
            ++count;
        }
        if (count < left.size()) refuse("its output would have points that are none of the input");
        indices = std::move(left);
    }
    if (const auto points = change.source(pointsOf(this->input())); !points.same) {
        const Vector<Index> now = points.inverse();
        for (Index& i : indices) {
            if (i >= now.size()) continue;  // ignoreNotFound
            if (now[i] == InvalidIndex) refuse("a point that it maps would go");
            i = now[i];
        }
    }
    d_indices.setValue(std::move(indices));
}

template <class In, class Out>
void SubsetMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    const Vector<Index>& indices = d_indices.value();
    if (out.size() != indices.size()) {
        this->output().resize(static_cast<Index>(indices.size()));
        out.resize(indices.size());
        this->invalidateJacobian();
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < in.size()) {
            out[i] = in[indices[i]];
        } else if (this->output().isAllocated(vec_id::restPosition)) {
            out[i] = this->output().read(vec_id::restPosition)[i];
        }
    }
}

template <class In, class Out>
void SubsetMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (const Index i : d_indices.value()) {
        j.appendRow();
        if (i < in.size()) j.append(i, Mat<Out::derivSize, In::derivSize>::identity());
    }
}

template <class In, class Out>
void SubsetMapping<In, Out>::appendLinks(Vector<Vec3>& ends) const
{
    const Vector<Index>& indices = d_indices.value();
    for (Index i = 0; i < this->output().size() && i < indices.size(); ++i) {
        if (indices[i] >= this->input().size()) continue;
        ends.push_back(this->input().pointPosition(indices[i]));
        ends.push_back(this->output().pointPosition(i));
    }
}

static const RegisterComponent registeredSubsetMapping =
    RegisterComponent("SubsetMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("The output's points are some of the input's points")
        .alias("SurfaceIdentityMapping")
        .example("component/mapping/SubsetMapping.scn")
        .add<SubsetMapping, Types<Vec3Types, Vec3Types>, Types<Vec1Types, Vec1Types>,
             Types<Rigid3Types, Rigid3Types>>();

}  // namespace sofa::component
