// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/haptics/VirtualCoupling.h"

#include "core/factory/Registry.h"
#include "core/math/RotationVector.h"
#include "core/simulation/SceneForces.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

VirtualCoupling::VirtualCoupling() : HapticRendering(static_cast<Component*>(this)) { d_listening.setDefault(true); }

void VirtualCoupling::init()
{
    ForceField<Rigid3Types>::init();
    if (!isValid()) return;
    if (d_index.value() >= state().size())
        return fail("index: the point " + d_index.text() + " does not exist; '" + state().pathName() + "' has " +
                    std::to_string(state().size()));
    m_device = state().read(vec_id::position)[d_index.value()];
    m_deviceVelocity = {};
}

void VirtualCoupling::bwdInit()
{
    for (const HapticDevice* d : node()->getAll<HapticDevice>(Search::Root))
        if (d->d_deviceIndex.value() == d_indice.value()) return;
    fail("indice: the scene has no haptic device with deviceIndex " + d_indice.text());
}

void VirtualCoupling::reset()
{
    if (!isValid() || !l_state || d_index.value() >= state().size()) return;
    m_device = state().read(vec_id::position)[d_index.value()];
    m_deviceVelocity = {};
}

void VirtualCoupling::archive(Archive& a)
{
    a(m_device);
    a(m_deviceVelocity);
}

VirtualCoupling::Spring VirtualCoupling::spring() const
{
    return {d_stiffness.value(), d_angularStiffness.value(), d_damping.value(), d_angularDamping.value()};
}

Vec6 VirtualCoupling::Spring::force(const RigidCoord3& device, const Vec6& deviceVelocity, const RigidCoord3& tool,
                                    const Vec6& toolVelocity) const
{
    const Vec6 d = T::difference(device, tool), v = deviceVelocity - toolVelocity;
    return T::makeDeriv(T::linear(d) * k + T::linear(v) * b, T::angular(d) * angular + T::angular(v) * angularDamping);
}

void VirtualCoupling::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    const Index i = d_index.value();
    if (i >= x.size()) return;
    f[i] += spring().force(m_device, m_deviceVelocity, x[i], v[i]);
    m_turn = T::angular(T::difference(m_device, x[i]));
}

void VirtualCoupling::buildStiffness(const MechanicalParams&, BlockSink& sink)
{
    const Spring s = spring();
    // The rotation to the device changes by exp(−ω) from the right.
    const Mat3 turn = rotationVectorDerivative(m_turn).transposed();
    Mat<6, 6> block;
    for (std::size_t r = 0; r < 3; ++r) {
        block[r][r] = -s.k;
        for (std::size_t c = 0; c < 3; ++c) block[3 + r][3 + c] = -s.angular * turn[r][c];
    }
    sink.add(d_index.value(), d_index.value(), block);
}

void VirtualCoupling::buildDamping(const MechanicalParams&, BlockSink& sink)
{
    const Spring s = spring();
    const double b = -s.b, r = -s.angularDamping;
    sink.add(d_index.value(), d_index.value(), Mat<6, 6>::diagonal({b, b, b, r, r, r}));
}

double VirtualCoupling::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const Index i = d_index.value();
    if (i >= x.size()) return 0.;
    const Spring s = spring();
    const Vec6 d = T::difference(m_device, x[i]);
    return 0.5 * (s.k * norm2(T::linear(d)) + s.angular * norm2(T::angular(d)));
}

void VirtualCoupling::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::InteractionForceFields) || !l_state || d_index.value() >= state().size()) return;
    const Vec3 ends[] = {m_device.center, state().read(vec_id::position)[d_index.value()].center};
    DrawStyle style;
    style.color = {1.f, 0.6f, 0.f, 1.f};
    tool.lines(ends, style);
}

void VirtualCoupling::beginStep(const HapticMotion& m, double)
{
    m_device = m.pose;
    m_deviceVelocity = m.velocity;
}

bool VirtualCoupling::isTouched() const
{
    return SceneForces::with(
        node()->root(),
        [&](VecDerivId f) { return state().isAllocated(f) && norm2(state().read(f)[d_index.value()]) > 0.; },
        &SceneForces::contacts);
}

void VirtualCoupling::prepare()
{
    m_prepared = {};
    if (!isValid() || !l_state || d_index.value() >= state().size()) return;
    m_prepared.tool = state().read(vec_id::position)[d_index.value()];
    if (state().isAllocated(vec_id::velocity)) m_prepared.velocity = state().read(vec_id::velocity)[d_index.value()];
    m_prepared.spring = spring();
    m_prepared.fixed = d_synchronous.value();
    m_prepared.held = -m_prepared.spring.force(m_device, m_deviceVelocity, m_prepared.tool, m_prepared.velocity);
    m_prepared.acts = !d_cancelArtificialDamping.value() || isTouched();
}

Vec6 VirtualCoupling::wrench(const HapticMotion& m)
{
    if (!m_used.acts) return {};
    return m_used.fixed ? m_used.held : -m_used.spring.force(m.pose, m.velocity, m_used.tool, m_used.velocity);
}

static const RegisterComponent registeredVirtualCoupling =
    RegisterComponent("VirtualCoupling", "ForceField", "Sofa.Component.Haptics")
        .help("Virtual coupling: a damped spring of six degrees of freedom between a haptic device and a tool")
        .example("component/haptics/VirtualCoupling.scn")
        .add<VirtualCoupling>();

}  // namespace sofa::component
