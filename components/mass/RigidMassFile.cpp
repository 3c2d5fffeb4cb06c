// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/RigidMassFile.h"

#include <map>

#include "core/io/TextScanner.h"

namespace sofa::component {

RigidMassFile readRigidMassFile(const std::filesystem::path& path)
{
    // Keywords without influence, and how many numbers follow them.
    static const std::map<std::string_view, int> ignored = {{"cntr", 3}, {"center", 3}, {"frme", 4}, {"grav", 3},
                                                            {"visc", 1}, {"stck", 1},   {"step", 1}, {"prec", 1}};
    const core::io::SourceText source = core::io::loadSource(path);
    core::io::TextScanner in(source);
    RigidMassFile file;
    in.skipLine();
    for (in.skipSpace(); !in.atEnd(); in.skipSpace()) {
        const std::string_view word = in.token();
        if (word[0] == '#') {
            in.skipLine();
        } else if (word == "vertexMass") {
            file.vertexMass = in.finite("the mass");
        } else if (word == "mass") {
            file.mass = in.finite("the mass");
        } else if (word == "volm") {
            file.volume = in.finite("the volume");
        } else if (word == "inrt") {
            core::Mat3 inertia;
            for (std::size_t i = 0; i < 9; ++i) inertia[i / 3][i % 3] = in.finite("an entry of the inertia matrix");
            file.inertia = inertia;
        } else if (const auto it = ignored.find(word); it != ignored.end()) {
            for (int i = 0; i < it->second; ++i) in.finite("a number");
        } else {
            if (file.unknown.empty())
                file.unknown = path.string() + ':' + std::to_string(in.line()) +
                               ": expected vertexMass, mass, volm, inrt, cntr, center, frme, grav, visc, stck, step, "
                               "prec or a comment, found " +
                               core::io::TextScanner::quoted(word);
        }
    }
    return file;
}

}  // namespace sofa::component
