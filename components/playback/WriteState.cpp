// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/WriteState.h"

#include <cmath>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/StateFile.h"

namespace sofa::component {

TopologyFollower::PointLists WriteState::pointLists()
{
    if (!m_state) return noLists();
    constexpr auto numbers = ElementData::Kind::Numbers;
    return {{{pointsOf(*m_state), {{&d_DOFsX, numbers}, {&d_DOFsV, numbers}}}}};
}

void WriteState::followTopology(const TopologyChange&)
{
    if (d_DOFsX.value().size() + d_DOFsV.value().size() != m_listed)
        throw std::runtime_error("'" + pathName() + "' (WriteState): a point that it writes would go");
}

void WriteState::init()
{
    m_state = findMechanicalState<BaseState>(*node(), Search::Up);
    if (!m_state) return fail("it needs a state in its node or above");
    for (const auto* points : {&d_DOFsX, &d_DOFsV})
        for (const Index i : points->value())
            if (i >= m_state->size())
                return fail(points->name() + ": there is no point " + std::to_string(i) + ", " + m_state->pathName() +
                            " has " + std::to_string(m_state->size()));
    if (d_stopAt.value() > 0. && m_state->node()->getAll<BaseMass>().empty())
        return fail("stopAt: there is no mass in " + m_state->node()->pathName() + " whose kinetic energy counts");
    m_listed = d_DOFsX.value().size() + d_DOFsV.value().size();
    m_lookAt = d_keperiod.value();
    FrameWriter::init();
}

void WriteState::reset()
{
    FrameWriter::reset();
    m_lookAt = d_keperiod.value();
    m_energy = 0.;
    m_over = false;
}

void WriteState::archive(Archive& a)
{
    FrameWriter::archive(a);
    a(m_lookAt);
    a(m_energy);
    a(m_over);
}

bool WriteState::isOver(double time)
{
    if (m_over || d_stopAt.value() == 0. || !(time > m_lookAt)) return m_over;
    double energy = 0.;
    for (const BaseMass* m : m_state->node()->getAll<BaseMass>()) energy += m->kineticEnergy(MechanicalParams());
    m_over = std::abs(energy - m_energy) < d_stopAt.value();
    if (m_over)
        message(Severity::Info, "the kinetic energy has settled at " + toText(energy) + " J: nothing is written from " +
                                    toText(time) + " s on");
    m_energy = energy;
    m_lookAt += d_keperiod.value();
    return m_over;
}

void WriteState::append(std::string& text, std::string_view key, const Vector<Index>& points, std::size_t size)
{
    m_some.clear();
    for (const Index i : points) {
        if ((i + 1) * size > m_scalars.size()) throw std::runtime_error("the point " + std::to_string(i) + " is gone");
        m_some.insert(m_some.end(), m_scalars.begin() + i * size, m_scalars.begin() + (i + 1) * size);
    }
    io::appendStateVector(text, key, points.empty() ? m_scalars : m_some);
}

void WriteState::appendFrame(std::string& text, double time)
{
    if (!m_state) throw std::runtime_error("the state that " + pathName() + " wrote has left the scene");
    io::appendStateTime(text, time);
    const auto positions = [&](std::string_view key, VecCoordId id) {
        m_scalars.assign(m_state->size() * m_state->coordSize(), 0.);
        m_state->getScalars(m_state->isAllocated(id) ? id : vec_id::position, m_scalars.data());
        append(text, key, d_DOFsX.value(), m_state->coordSize());
    };
    const auto derivatives = [&](std::string_view key, VecDerivId id) {
        m_scalars.assign(m_state->derivScalars(), 0.);
        if (m_state->isAllocated(id)) m_state->getScalars(id, m_scalars.data());
        append(text, key, d_DOFsV.value(), m_state->derivSize());
    };
    if (d_writeX.value()) positions("X", vec_id::position);
    if (d_writeX0.value()) positions("X0", vec_id::restPosition);
    if (d_writeV.value()) derivatives("V", vec_id::velocity);
    if (d_writeF.value()) derivatives("F", vec_id::force);
}

static const RegisterComponent registeredWriteState =
    RegisterComponent("WriteState", "Exporter", "Sofa.Component.Playback")
        .help("Writes positions, velocities and forces of a state at chosen times")
        .example("component/playback/WriteState.scn")
        .add<WriteState>();

}  // namespace sofa::component
