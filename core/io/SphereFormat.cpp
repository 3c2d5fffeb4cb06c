// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/SphereFormat.h"

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"

namespace sofa::core::io {

MeshData parseSpheres(const SourceText& source)
{
    MeshData mesh;
    TextScanner in(source);
    in.stayOnLine(true);
    if (in.token() != "sph") in.fail("'sph 1.0'", in.found());
    in.skipLine();
    std::int64_t announced = -1;
    const auto note = [&](const std::string& text) {
        if (mesh.notes.size() < 20)
            mesh.notes.push_back(in.path() + ":" + std::to_string(in.lineAt(in.tokenOffset())) + ": " + text);
    };
    for (; !in.atEnd(); in.skipLine()) {
        const auto key = in.token();
        if (key.empty() || key[0] == '#') continue;
        if (key == "nums") {
            announced = in.integer("the number of spheres");
        } else if (key == "sphe") {
            (void)in.integer("the index of a sphere");
            mesh.positions.push_back(in.point("the coordinate of a sphere"));
            const double r = in.atLineEnd() ? 1. : in.finite("the radius of a sphere");
            if (r < 0.) in.fail("the radius of a sphere (not negative)", in.found());
            mesh.radii.push_back(r);
        } else {
            note("keyword " + in.found() + " is not known and passed over");
        }
    }
    if (announced != 0 && mesh.positions.empty()) in.fail("a sphere ('sphe')", "the end of the file");
    if (announced >= 0 && static_cast<std::uint64_t>(announced) != mesh.positions.size())
        mesh.notes.push_back(in.path() + ": " + std::to_string(announced) + " spheres are announced, " +
                             std::to_string(mesh.positions.size()) + " given");
    return mesh;
}

MeshData readSpheres(const std::filesystem::path& path) { return parseSpheres(loadSource(path)); }

void writeSpheres(const std::filesystem::path& path, const MeshData& mesh)
{
    std::string out = "sph 1.0\nnums " + std::to_string(mesh.positions.size()) + "\n";
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        out += "sphe ";
        appendNumber(out, static_cast<std::uint64_t>(i + 1));
        for (const double c : mesh.positions[i]) {
            out += ' ';
            appendNumber(out, c);
        }
        out += ' ';
        appendNumber(out, i < mesh.radii.size() ? mesh.radii[i] : 1.);
        out += '\n';
    }
    saveText(path, out);
}

static const RegisterMeshFormat registeredSphereFormat(
    {.name = "list of spheres",
     .extensions = {".sph"},
     .recognise =
         [](std::string_view content) { return content.starts_with("sph ") ? Recognition::Likely : Recognition::No; },
     .read = [](const SourceText& source, const MeshReadOptions&) { return parseSpheres(source); },
     .write = [](const std::filesystem::path& path, const MeshData& mesh) { writeSpheres(path, mesh); }});

}  // namespace sofa::core::io
