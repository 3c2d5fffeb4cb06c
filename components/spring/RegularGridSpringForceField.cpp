// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/RegularGridSpringForceField.h"

#include <algorithm>

#include "components/spring/SpringAttributes.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

using core::Index;
using core::Vec3;
using Vec3i = core::Vec<3, int>;

template <class D>
void RegularGridSpringForceField<D>::parse(core::ComponentDescription& desc)
{
    distributeAttribute(*this, desc, "stiffness", {"linesStiffness", "quadsStiffness", "cubesStiffness"});
    distributeAttribute(*this, desc, "damping", {"linesDamping", "quadsDamping", "cubesDamping"});
    Base::parse(desc);
}

template <class D>
void RegularGridSpringForceField<D>::init()
{
    this->findStates();
    if (!this->isValid()) return;
    Base::init();
    const auto* t = this->node()->template get<core::BaseMeshTopology>();
    if (!this->isValid() || &this->state1() != &this->state2() || !t || t->className() != "RegularGridTopology") return;
    const auto* resolution = dynamic_cast<const core::Data<Vec3i>*>(t->findData("n"));
    if (!resolution) return;
    const Vec3i n = resolution->value();
    const auto spacing = [&](int points, int stride) {
        return points > 1 ? t->pointPosition(static_cast<Index>(stride)) - t->pointPosition(0) : Vec3();
    };
    core::Vector<LinearSpring> springs = this->d_springs.value();
    addGrid(springs, n, {spacing(n[0], 1), spacing(n[1], n[0]), spacing(n[2], n[0] * n[1])});
    this->setSprings(std::move(springs));
}

template <class D>
std::string RegularGridSpringForceField<D>::refusal(const core::TopologyStep& step) const
{
    const auto* t = this->node()->template get<core::BaseMeshTopology>();
    if (std::ranges::find(step.topologies, t) == step.topologies.end()) return {};
    return "its springs are those of the whole grid; MeshSpringForceField follows the elements";
}

template <class D>
void RegularGridSpringForceField<D>::addGrid(core::Vector<LinearSpring>& springs, const Vec3i& n,
                                             const std::array<Vec3, 3>& d)
{
    struct Direction
    {
        Vec3i from, to;  ///< offsets of the two ends in a cell
    };
    // Springs of all directions of a group alternate from cell to cell, as SOFA orders them.
    const auto add = [&](const std::vector<Direction>& group, const Vec3i& extent, double stiffness, double damping) {
        std::vector<double> lengths;
        for (const Direction& g : group) {
            Vec3 u;
            for (std::size_t k = 0; k < 3; ++k) u += d[k] * static_cast<double>(g.to[k] - g.from[k]);
            lengths.push_back(norm(u));
        }
        const auto point = [&](int x, int y, int z) { return static_cast<Index>(x + n[0] * (y + n[1] * z)); };
        for (int z = 0; z < n[2] - extent[2]; ++z)
            for (int y = 0; y < n[1] - extent[1]; ++y)
                for (int x = 0; x < n[0] - extent[0]; ++x)
                    for (std::size_t g = 0; g < group.size(); ++g) {
                        const auto &a = group[g].from, &b = group[g].to;
                        springs.push_back({point(x + a[0], y + a[1], z + a[2]), point(x + b[0], y + b[1], z + b[2]),
                                           stiffness / lengths[g], damping / lengths[g], lengths[g], false, true});
                    }
    };
    const Vec3i o, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, xy = x + y, xz = x + z, yz = y + z, xyz = xy + z;
    if (const double k = d_linesStiffness.value(), c = d_linesDamping.value(); k != 0. || c != 0.)
        for (const Vec3i& e : {x, y, z}) add({{o, e}}, e, k, c);
    if (const double k = d_quadsStiffness.value(), c = d_quadsDamping.value(); k != 0. || c != 0.) {
        add({{o, xy}, {x, y}}, xy, k, c);
        add({{o, xz}, {x, z}}, xz, k, c);
        add({{o, yz}, {y, z}}, yz, k, c);
    }
    if (const double k = d_cubesStiffness.value(), c = d_cubesDamping.value(); k != 0. || c != 0.)
        add({{o, xyz}, {x, yz}, {y, xz}, {z, xy}}, xyz, k, c);
}

template class RegularGridSpringForceField<core::Vec1Types>;
template class RegularGridSpringForceField<core::Vec2Types>;
template class RegularGridSpringForceField<core::Vec3Types>;
template class RegularGridSpringForceField<core::Vec6Types>;

static const core::RegisterComponent registeredRegularGridSpringForceField =
    core::RegisterComponent("RegularGridSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs along the lines and diagonals of a regular grid")
        .example("component/spring/RegularGridSpringForceField.scn")
        .add<RegularGridSpringForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types>();

}  // namespace sofa::component
