// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Checkpoint.h"

#include <fstream>
#include <sstream>

#include "core/simulation/Recorder.h"

namespace sofa::core {

namespace {

const std::string magic = "SOFA checkpoint 1\n";

/// FNV-1a over the content: finds truncated and damaged files.
std::uint64_t checksum(const std::string& s)
{
    std::uint64_t h = 1469598103934665603ULL;
    for (unsigned char c : s) h = (h ^ c) * 1099511628211ULL;
    return h;
}

std::string identity(const Component& c) { return c.pathName() + " (" + c.className() + ' ' + c.templateName() + ')'; }

}  // namespace

void saveCheckpoint(const Simulation& s, const std::string& file)
{
    Archive a;
    double time = s.root().time();
    std::uint64_t steps = s.stepCount();
    a(time);
    a(steps);
    for (Node* n : s.root().descendants(true)) {
        for (const auto& c : n->components()) {
            Archive own;
            c->archive(own);
            std::string id = identity(*c), bytes = own.bytes();
            a(id);
            a(bytes);
        }
    }
    std::uint64_t sum = checksum(a.bytes());
    writeTextFile(file, magic + std::string(reinterpret_cast<const char*>(&sum), sizeof sum) + a.bytes());
}

void loadCheckpoint(Simulation& s, const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read checkpoint '" + file + "'");
    std::ostringstream buffer;
    buffer << in.rdbuf();
    const std::string content = buffer.str();
    const std::size_t header = magic.size() + sizeof(std::uint64_t);
    if (content.compare(0, magic.size(), magic) != 0 || content.size() < header)
        throw std::runtime_error("'" + file + "' is no checkpoint of this program");
    std::uint64_t sum = 0;
    std::memcpy(&sum, content.data() + magic.size(), sizeof sum);
    const std::string body = content.substr(header);
    if (checksum(body) != sum) throw std::runtime_error("checkpoint '" + file + "' is damaged or truncated");

    Archive a(body);
    double time = 0.;
    std::uint64_t steps = 0;
    a(time);
    a(steps);
    for (Node* n : s.root().descendants(true)) {
        for (const auto& c : n->components()) {
            std::string id, bytes;
            if (!a.atEnd()) {
                a(id);
                a(bytes);
            }
            if (id != identity(*c))
                throw std::runtime_error("checkpoint '" + file + "' belongs to another scene: it holds " +
                                         (id.empty() ? "nothing more" : id) + " where this one has " + identity(*c));
            Archive own(bytes);
            c->archive(own);
        }
    }
    if (!a.atEnd())
        throw std::runtime_error("checkpoint '" + file + "' belongs to another scene: it holds more components");
    s.root().d_time.setValue(time);
    s.setStepCount(steps);
}

}  // namespace sofa::core
