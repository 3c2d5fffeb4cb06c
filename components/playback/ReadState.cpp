// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/ReadState.h"

#include <numbers>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/topology/TopologyChange.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::component {

void ReadState::init()
{
    m_state = findMechanicalState<BaseState>(*node(), Search::Up);
    if (!m_state) return fail("it needs a state in its node or above");
    FrameReader::init();
}

bool ReadState::fits(const io::StateVector& v, std::size_t scalars, const char* what) const
{
    const std::size_t expected = m_state->size() * scalars;
    if (v.given() && v.numbers.size() != expected)
        failAt(v.line,
               std::to_string(expected) + " numbers, the " + what + " of " + std::to_string(m_state->size()) +
                   " points of " + m_state->pathName(),
               std::to_string(v.numbers.size()));
    return v.given();
}

std::vector<double> ReadState::load(const std::string& file)
{
    m_frames = io::readStateFile(file);
    std::vector<double> times;
    // Where points come and go, only the time of a frame tells how many there should be.
    const bool mayChange = !node()->getAll<TopologyModifier>(Search::Root).empty();
    for (const io::StateFrame& f : m_frames) {
        if (!mayChange) {
            fits(f.position, m_state->coordSize(), "positions");
            fits(f.velocity, m_state->derivSize(), "velocities");
        }
        times.push_back(f.time);
    }
    return times;
}

void ReadState::bwdInit()
{
    m_starting = true;
    showAt(node()->time());
    m_starting = false;
}

std::vector<double> ReadState::transformed(std::vector<double> x) const
{
    const double scale = d_scalePos.value();
    const Quat turn = Quat::fromEulerXYZ(d_rotation.value() * (std::numbers::pi / 180.));
    const std::size_t size = m_state->coordSize(), inSpace = std::min<std::size_t>(size, 3);
    if (scale == 1. && d_rotation.value() == Vec3{} && d_translation.value() == Vec3{}) return x;
    for (std::size_t at = 0; at + size <= x.size(); at += size) {
        Vec3 p;
        std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(at), inSpace, p.begin());
        p = turn.rotate(p * scale) + d_translation.value();
        std::copy_n(p.begin(), inSpace, x.begin() + static_cast<std::ptrdiff_t>(at));
        if (size != 7) continue;
        const Quat q = turn * Quat(x[at + 3], x[at + 4], x[at + 5], x[at + 6]);
        std::copy_n(q.q.begin(), 4, x.begin() + static_cast<std::ptrdiff_t>(at + 3));
    }
    return x;
}

void ReadState::put(const io::StateFrame& f)
{
    // Nothing is set unless both fit.
    const bool moves = fits(f.position, m_state->coordSize(), "positions");
    const bool drives = fits(f.velocity, m_state->derivSize(), "velocities");
    if (moves) m_state->setScalars(vec_id::position, transformed(f.position.numbers).data());
    if (drives) {
        m_state->allocate(vec_id::velocity);
        m_state->setScalars(vec_id::velocity, f.velocity.numbers.data());
    }
}

void ReadState::show(std::size_t frame)
{
    if (!m_state) throw std::runtime_error("the state that " + pathName() + " moves has left the scene");
    put(m_frames[frame]);
    if (m_starting) return;  // the whole scene is mapped when all of it is initialised
    projectState(*m_state->node());
    propagateState(*m_state->node());
}

static const RegisterComponent registeredReadState = RegisterComponent("ReadState", "Loader", "Sofa.Component.Playback")
                                                         .help("Moves a state as a file of WriteState says")
                                                         .example("component/playback/ReadState.scn")
                                                         .add<ReadState>();

}  // namespace sofa::component
