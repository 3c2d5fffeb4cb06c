// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/LinearSprings.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sofa::core {

namespace {

constexpr std::size_t packWidth = SweepPlan::width;

}  // namespace

void LinearSprings::build(const Vector<Spring>& springs, Index nbPoints)
{
    const std::size_t n = springs.size();
    Vector<ElementGraph<2>::Element> ends(n);
    m_damped = m_hasDrag = false;
    for (std::size_t i = 0; i < n; ++i) {
        ends[i] = {springs[i].a, springs[i].b};
        const Index largest = std::max(springs[i].a, springs[i].b);
        if (largest >= nbPoints)
            throw std::runtime_error("spring " + std::to_string(i) + " joins point " + std::to_string(largest) +
                                     ", but there are only " + std::to_string(nbPoints) + " points");
        m_damped = m_damped || springs[i].damping != 0.;
        m_hasDrag = m_hasDrag || springs[i].drag != 0.;
    }
    m_graph.build(ends, nbPoints);
    const std::size_t packs = (n + packWidth - 1) / packWidth;
    m_packs.assign(packs, {});
    m_tangents.assign(packs, {});
    for (std::size_t slot = 0; slot < packs * packWidth; ++slot) {
        const Spring& s = springs[std::min(slot, n - 1)];
        SpringPack& p = m_packs[slot / packWidth];
        const std::size_t lane = slot % packWidth;
        p.stiffness[lane] = s.stiffness;
        p.damping[lane] = s.damping;
        p.drag[lane] = s.drag;
        p.length[lane] = s.length;
        p.least[lane] = s.least;
        p.vertex[0][lane] = s.a;
        p.vertex[1][lane] = s.b;
    }
}

void LinearSprings::addForce(Vector<Vec3>& f, const Vector<Vec3>& x, const Vector<Vec3>& v)
{
    if (size() == 0) return;
    const SpringKernels& kernels = springKernels();
    const double* velocities = m_damped || m_hasDrag ? v[0].data() : nullptr;
    m_graph.accumulatePacks(f, [&](std::size_t p, double* out) {
        kernels.forces(m_packs[p], x[0].data(), velocities, out, m_tangents[p]);
    });
}

void LinearSprings::addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor, double dragFactor) const
{
    // One by one: gathering and scattering packs would take longer than the nine products.
    m_graph.accumulate(df, [&](Index e, Vec3* out) {
        const auto& ends = m_graph.elements()[e];
        const std::size_t p = e / packWidth, lane = e % packWidth;
        const auto& k = m_tangents[p].k;
        const Vec3 d = dx[ends[1]] - dx[ends[0]];
        const double drag = dragFactor * m_packs[p].drag[lane];
        out[0] = Vec3{k[0][lane] * d[0] + k[1][lane] * d[1] + k[2][lane] * d[2],
                      k[1][lane] * d[0] + k[3][lane] * d[1] + k[4][lane] * d[2],
                      k[2][lane] * d[0] + k[4][lane] * d[1] + k[5][lane] * d[2]} *
                     factor +
                 d * drag;
        out[1] = -out[0];
    });
}

void LinearSprings::addStiffness(BlockSink& sink) const
{
    if (size() == 0) return;
    m_graph.addPackStiffness(sink, [&](std::size_t p, double* values) {
        constexpr std::size_t entries[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        for (std::size_t k = 0; k < 9; ++k) std::copy_n(m_tangents[p].k[entries[k]], packWidth, values + k * packWidth);
    });
}

void LinearSprings::addDrag(BlockSink& sink) const
{
    if (size() == 0) return;
    m_graph.addPackStiffness(sink, [&](std::size_t p, double* values) {
        std::fill_n(values, 9 * packWidth, 0.);
        for (std::size_t k = 0; k < 9; k += 4) std::copy_n(m_packs[p].drag, packWidth, values + k * packWidth);
    });
}

}  // namespace sofa::core
