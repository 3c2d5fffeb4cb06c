// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/ReadState.h"

#include <numbers>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/MeshError.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::component {

void ReadState::init()
{
    m_state = findMechanicalState<BaseState>(*node(), Search::Up);
    if (!m_state) return fail("it needs a state in its node or above");
    FrameReader::init();
}

std::vector<double> ReadState::load(const std::string& file)
{
    m_frames = io::readStateFile(file);
    std::vector<double> times;
    const auto check = [&](const io::StateVector& v, std::size_t scalars, const char* what) {
        const std::size_t expected = m_state->size() * scalars;
        if (v.given() && v.numbers.size() != expected)
            throw io::MeshError(file, v.line, io::MeshError::None,
                                std::to_string(expected) + " numbers, the " + what + " of " +
                                    std::to_string(m_state->size()) + " points of " + m_state->pathName(),
                                std::to_string(v.numbers.size()));
    };
    for (const io::StateFrame& f : m_frames) {
        check(f.position, m_state->coordSize(), "positions");
        check(f.velocity, m_state->derivSize(), "velocities");
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
    // Points may have come or gone since the file was read.
    const auto fits = [&](const io::StateVector& v, std::size_t scalars) {
        if (v.given() && v.numbers.size() != m_state->size() * scalars)
            throw std::runtime_error(pathName() + ": " + m_state->pathName() + " has other points than the file");
        return v.given();
    };
    if (fits(f.position, m_state->coordSize()))
        m_state->setScalars(vec_id::position, transformed(f.position.numbers).data());
    if (fits(f.velocity, m_state->derivSize())) {
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
