// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/articulation/BvhFile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/io/TextScanner.h"

namespace sofa::component {

namespace {

class BvhReader
{
public:
    explicit BvhReader(const io::SourceText& source) : m_scan(source) {}

    BvhFile read()
    {
        m_scan.expect("HIERARCHY");
        m_scan.expect("ROOT");
        readJoint(BvhFile::none, std::string(name()), 0);
        readMotion();
        return std::move(m_file);
    }

private:
    static constexpr int deepest = 1000;

    /// A joint's name: the rest of the line, or what stands before its brace.
    std::string_view name()
    {
        const std::string_view found = m_scan.token();
        if (found.empty() || found == "{") m_scan.fail("the name of a joint", m_scan.found());
        return found;
    }

    void readJoint(std::size_t parent, std::string jointName, int depth)
    {
        if (depth > deepest) m_scan.fail(std::to_string(deepest) + " joints in a chain at most", m_scan.found());
        const std::size_t number = m_file.joints.size();
        m_file.joints.push_back({std::move(jointName), parent, {}, {}});
        bool hasOffset = false, hasChannels = false;
        m_scan.expect("{");
        for (;;) {
            const std::string_view word = m_scan.token();
            if (word == "}") break;
            if (word == "OFFSET" && !hasOffset) {
                m_file.joints[number].offset = m_scan.point("a coordinate of an offset");
                hasOffset = true;
            } else if (word == "CHANNELS" && !hasChannels) {
                readChannels(m_file.joints[number]);
                hasChannels = true;
            } else if (word == "JOINT") {
                readJoint(number, std::string(name()), depth + 1);
            } else if (word == "End") {
                m_scan.expect("Site");
                readJoint(number, m_file.joints[number].name + " end", depth + 1);
            } else {
                m_scan.fail("OFFSET or CHANNELS, once each, JOINT, End Site or }", m_scan.found());
            }
        }
        if (!hasOffset) m_scan.fail("an OFFSET of joint '" + m_file.joints[number].name + "' before", m_scan.found());
    }

    void readChannels(BvhFile::Joint& joint)
    {
        const std::size_t count = m_scan.count("the number of channels", 2);
        for (std::size_t i = 0; i < count; ++i) {
            constexpr std::array<std::string_view, 6> names{"Xposition", "Yposition", "Zposition",
                                                            "Xrotation", "Yrotation", "Zrotation"};
            const auto at = std::ranges::find(names, m_scan.token());
            if (at == names.end())
                m_scan.fail("a channel: Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation",
                            m_scan.found());
            const auto k = static_cast<std::size_t>(at - names.begin());
            joint.channels.push_back({k % 3, k >= 3});
        }
        m_file.channels += count;
    }

    void readMotion()
    {
        m_scan.expect("MOTION");
        m_scan.expect("Frames:");
        const std::int64_t frames = m_scan.integer("the number of frames");
        if (frames < 1) m_scan.fail("one frame at least", m_scan.found());
        m_scan.expect("Frame");
        m_scan.expect("Time:");
        m_file.frameTime = m_scan.finite("the time from frame to frame");
        if (!(m_file.frameTime > 0.)) m_scan.fail("a time above 0 from frame to frame", m_scan.found());
        std::vector<bool> rotates;
        for (const BvhFile::Joint& j : m_file.joints)
            for (const BvhFile::Channel& c : j.channels) rotates.push_back(c.rotates);
        for (std::int64_t f = 0; f < frames && !rotates.empty(); ++f)
            for (const bool isAngle : rotates) {
                const double v = m_scan.finite("the value of a channel");
                m_file.values.push_back(isAngle ? v * std::numbers::pi / 180. : v);
            }
        m_file.frames = static_cast<std::size_t>(frames);
        if (!m_scan.peek().empty()) {
            m_scan.token();
            m_scan.fail("the end of the file after " + std::to_string(frames) + " frames of " +
                            std::to_string(m_file.channels) + " values",
                        m_scan.found());
        }
    }

    io::TextScanner m_scan;
    BvhFile m_file;
};

}  // namespace

BvhFile BvhFile::read(const std::filesystem::path& path)
{
    const io::SourceText source = io::loadSource(path);
    return BvhReader(source).read();
}

double BvhFile::valueAt(double time, std::size_t channel) const
{
    const double at = std::clamp(time / frameTime, 0., static_cast<double>(frames - 1));
    const auto frame = static_cast<std::size_t>(at);
    if (frame + 1 >= frames) return value(frames - 1, channel);
    const double u = at - static_cast<double>(frame);
    return value(frame, channel) + u * (value(frame + 1, channel) - value(frame, channel));
}

}  // namespace sofa::component
