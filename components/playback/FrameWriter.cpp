// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/FrameWriter.h"

#include <algorithm>
#include <cmath>

#include "core/io/SceneOutput.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

FrameWriter::FrameWriter() { d_listening.setDefault(true); }

FrameWriter::~FrameWriter()
{
    try {
        cleanup();
    } catch (const std::exception&) {
        // Whoever wants to know calls cleanup().
    }
}

std::string FrameWriter::absoluteName() const
{
    return std::filesystem::absolute(d_filename.value().text).lexically_normal().string();
}

void FrameWriter::init()
{
    const Vector<double>& times = d_time.value();
    if (const auto it = std::ranges::adjacent_find(times, std::greater_equal<>()); it != times.end())
        return fail("time: times that increase are expected, " + toText(it[1]) + " follows " + toText(it[0]));
    if (d_filename.value().text.empty()) return;
    if (period() > 0. && period() < node()->dt())
        message(Severity::Warning, "the period of " + toText(period()) + " s is shorter than the time step of " +
                                       toText(node()->dt()) + " s: each step is written");
    for (const FrameWriter* other : node()->getAll<FrameWriter>(Search::Root)) {
        if (other == this) break;
        if (!other->d_filename.value().text.empty() && other->absoluteName() == absoluteName())
            return fail("filename: " + other->pathName() + " writes the same file");
    }
    if (m_file) return;  // initialised once more while it runs
    try {
        checkOutput(d_filename.value().text);
    } catch (const std::exception& e) {
        fail(std::string("filename: ") + e.what());
    }
}

void FrameWriter::reset() { m_next = m_periods = m_frames = 0; }

void FrameWriter::archive(Archive& a)
{
    a(m_next);
    a(m_periods);
    a(m_frames);
}

bool FrameWriter::isDue(double time, double dt)
{
    const Vector<double>& times = d_time.value();
    time += 0.1 * dt;  // sums of time steps are rounded
    bool due = false;
    for (; m_next < times.size() && times[m_next] <= time; ++m_next) due = true;
    if (m_next < times.size() || (period() == 0. && !times.empty())) return due;
    const double start = times.empty() ? 0. : times.back(), length = period() > 0. ? period() : dt;
    if (time < start) return due;
    if (!(length > 0.)) return true;
    // The count of frames since the start, that at the start included.
    const auto periods = static_cast<std::uint64_t>((time - start) / length) + 1;
    if (periods > m_periods) due = true;
    m_periods = std::max(periods, m_periods);
    return due;
}

void FrameWriter::handleEvent(const Event& e)
{
    const auto* begin = dynamic_cast<const AnimateBeginEvent*>(&e);
    if (!begin || !isValid() || d_filename.value().text.empty()) return;
    const double time = node()->time();
    if (isOver(time) || !isDue(time, begin->dt())) return;
    m_text.clear();
    appendFrame(m_text, time);
    if (!m_file || m_inFile != m_frames) m_file.emplace(d_filename.value().text);
    m_file->write(m_text);
    m_file->flush();
    m_inFile = ++m_frames;
}

void FrameWriter::cleanup()
{
    if (!m_file) return;
    OutputFile file = std::move(*m_file);
    m_file.reset();
    m_inFile = 0;
    file.commit();
}

}  // namespace sofa::component
