// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TorsionForceField.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

template <class D>
void TorsionForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!core::resolveOrFind(l_topology, *this)) return;
    if (!(norm(d_axis.value()) > 0.)) this->fail("axis: give the direction of the axis; it is zero");
}

template <class D>
void TorsionForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    for (const Index i : d_indices.value())
        if (i >= this->state().size())
            return this->fail("indices: point " + std::to_string(i) + " of '" + this->state().pathName() +
                              "', which has " + std::to_string(this->state().size()) + " points");
}

template <class D>
void TorsionForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    const Vec3 moment = axis() * d_torque.value();
    for (const Index i : d_indices.value()) {
        Position::addTo(f.at(i), cross(moment, Position::of(x[i]) - d_origin.value()));
        if constexpr (D::isRigid)
            for (std::size_t k = 0; k < 3; ++k) f[i][3 + k] += moment[k];
    }
}

template <class D>
void TorsionForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    if (!d_tangent.value()) return;
    const auto block = Position::block(crossMatrix(axis() * d_torque.value()));
    for (const Index i : d_indices.value()) k.add(i, i, block);
}

template <class D>
void TorsionForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !this->l_state) return;
    const auto& x = this->state().positions();
    const Vec3 u = axis(), origin = d_origin.value();
    auto ends = tool.scratch<Vec3>();
    double low = 0., high = 0.;
    for (const Index i : d_indices.value()) {
        if (i >= x.size()) continue;
        const Vec3 p = D::position(x[i]);
        const double along = dot(u, p - origin);
        low = std::min(low, along);
        high = std::max(high, along);
        ends.push_back(p);
        ends.push_back(p + cross(u, p - origin) * (d_torque.value() < 0. ? -1. : 1.));
    }
    core::drawArrows(tool, ends, 1. / 20., core::Color(0.f, 0.5f, 1.f));
    const std::array<Vec3, 2> line{origin + u * low, origin + u * high};
    tool.lines(line, core::plainStyle(core::Color(1.f, 1.f, 0.f)));
}

static const core::RegisterComponent registeredTorsionForceField =
    core::RegisterComponent("TorsionForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Forces around an axis on given points, proportional to their distance from it")
        .example("component/load/TorsionForceField.scn")
        .add<TorsionForceField, core::Vec3Types, core::Rigid3Types>();

}  // namespace sofa::component
