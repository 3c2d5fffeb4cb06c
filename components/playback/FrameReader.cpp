// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/FrameReader.h"

#include <algorithm>
#include <cmath>

#include "core/io/DataRepository.h"
#include "core/io/MeshError.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

FrameReader::FrameReader() { d_listening.setDefault(true); }

void FrameReader::loadFrames()
{
    m_times.clear();
    m_frames = 0;
    m_isPlaying = false;
    if (d_filename.value().text.empty()) return;  // it is required: that was said
    try {
        m_file = requireFile(d_filename);
        m_times = load(m_file);
        if (m_times.empty())
            message(Severity::Warning, "the file '" + m_file + "' holds no frame", d_filename.location);
    } catch (const std::exception& e) {
        fail(std::string("filename: ") + e.what());
    }
}

void FrameReader::failAt(std::size_t line, const std::string& expected, const std::string& found) const
{
    throw io::MeshError(m_file, line, io::MeshError::None, expected, found);
}

void FrameReader::showAt(double time)
{
    if (!isValid() || m_times.empty()) return;
    const double rounding = 1e-3 * node()->dt();  // sums of time steps are rounded
    if (d_interval.value() > 0.) time = std::floor((time + rounding) / d_interval.value()) * d_interval.value();
    time += d_shift.value() + rounding;
    const double length = m_times.back();
    const double loops = d_loop.value() && length > 0. && time > 0. ? std::floor(time / length) : 0.;
    const auto next = std::ranges::upper_bound(m_times, time - loops * length);
    const auto frames =
        static_cast<std::uint64_t>(loops) * m_times.size() + static_cast<std::uint64_t>(next - m_times.begin());
    if (frames == m_frames) return;
    m_frames = frames;
    if (frames > 0) show((frames - 1) % m_times.size());
}

void FrameReader::handleEvent(const Event& e)
{
    if (!dynamic_cast<const AnimateBeginEvent*>(&e)) return;
    m_isPlaying = true;
    try {
        showAt(node()->time());
    } catch (const io::MeshError& error) {
        throw std::runtime_error(pathName() + " (" + className() + "): " + error.what());
    }
}

}  // namespace sofa::component
