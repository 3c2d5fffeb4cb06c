// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/IdentityMapping.h"

#include "core/factory/Registry.h"

namespace sofa::component {

template <class In, class Out>
void IdentityMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    const Index before = this->output().size();
    if (!this->output().isMechanical() && before > 0 && before != this->input().size())
        this->msgWarning() << "the output '" << this->output().pathName() << "' has " << before
                           << " points and takes over the " << this->input().size()
                           << " of the input; to show another mesh, use a BarycentricMapping";
    this->output().resize(this->input().size());
    this->invalidateJacobian();
    Base::init();
}

template <class In, class Out>
void IdentityMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    if (out.size() != in.size()) {  // the input's topology changed
        this->output().resize(static_cast<Index>(in.size()));
        out.resize(in.size());
        this->invalidateJacobian();
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        if constexpr (std::is_same_v<In, Out>) {
            out[i] = in[i];
        } else {
            const double* s = scalars(in[i]);
            std::copy(s, s + std::min(In::coordSize, Out::coordSize), scalars(out[i]));
        }
    }
}

template <class In, class Out>
void IdentityMapping<In, Out>::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    const auto v = this->output().write(out.at(this->output()));
    const auto& u = this->input().read(in.at(this->input()));
    for (std::size_t i = 0; i < v.size(); ++i)
        for (std::size_t k = 0; k < std::min(In::derivSize, Out::derivSize); ++k) v[i][k] = u[i][k];
}

template <class In, class Out>
void IdentityMapping<In, Out>::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    const auto f = this->input().write(in.at(this->input()));
    const auto& g = this->output().read(out.at(this->output()));
    for (std::size_t i = 0; i < g.size(); ++i)
        for (std::size_t k = 0; k < std::min(In::derivSize, Out::derivSize); ++k) f[i][k] += g[i][k];
}

template <class In, class Out>
void IdentityMapping<In, Out>::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    Mat<Out::derivSize, In::derivSize> block;
    for (std::size_t k = 0; k < std::min(In::derivSize, Out::derivSize); ++k) block[k][k] = 1.;
    j.clear();
    for (Index i = 0; i < in.size(); ++i) {
        j.appendRow();
        j.append(i, block);
    }
}

template <class In, class Out>
void IdentityMapping<In, Out>::appendLinks(Vector<Vec3>& ends) const
{
    for (Index i = 0; i < this->output().size() && i < this->input().size(); ++i) {
        ends.push_back(this->input().pointPosition(i));
        ends.push_back(this->output().pointPosition(i));
    }
}

static const RegisterComponent registeredIdentityMapping =
    RegisterComponent("IdentityMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("The output's points are the input's points; points on frames take their centres")
        .example("component/mapping/IdentityMapping.scn")
        .add<IdentityMapping, Types<Vec3Types, Vec3Types>, Types<Vec2Types, Vec2Types>, Types<Vec1Types, Vec1Types>,
             Types<Vec6Types, Vec6Types>, Types<Vec6Types, Vec3Types>, Types<Rigid3Types, Rigid3Types>,
             Types<Rigid3Types, Vec3Types>, Types<Rigid2Types, Rigid2Types>, Types<Rigid2Types, Vec2Types>>();

}  // namespace sofa::component
