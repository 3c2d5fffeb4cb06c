// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameMeshFormat.h"

namespace sofa::component {

using namespace sofa::core;

io::MeshData parsePluginName(const io::SourceText& source)
{
    io::MeshData mesh;
    io::TextScanner in(source);
    in.expect("triangles");
    const std::size_t points = in.count("the number of points", 6), triangles = in.count("the number of triangles", 6);
    for (std::size_t i = 0; i < points; ++i) mesh.positions.push_back(in.point("the coordinate of a point"));
    for (std::size_t i = 0; i < triangles; ++i) {
        Triangle t{};
        for (Index& corner : t) {
            const std::int64_t v = in.integer("the number of a point");
            if (v < 0 || static_cast<std::size_t>(v) >= points)
                in.fail("a number of a point below " + std::to_string(points), in.found());
            corner = static_cast<Index>(v);
        }
        mesh.triangles.push_back(t);
    }
    return mesh;
}

void writePluginName(const std::filesystem::path& path, const io::MeshData& mesh)
{
    std::string out =
        "triangles " + std::to_string(mesh.positions.size()) + ' ' + std::to_string(mesh.triangles.size()) + '\n';
    const auto line = [&](const auto& numbers) {
        for (std::size_t k = 0; k < 3; ++k) {
            if constexpr (std::is_same_v<std::decay_t<decltype(numbers[0])>, double>)
                io::appendNumber(out, numbers[k]);
            else
                io::appendNumber(out, std::uint64_t{numbers[k]});
            out += k < 2 ? ' ' : '\n';
        }
    };
    for (const Vec3& p : mesh.positions) line(p);
    for (const Triangle& t : mesh.triangles) line(t);
    io::saveText(path, out);
}

static const io::RegisterMeshFormat registered(
    {.name = "PluginName",
     .extensions = {".tri"},
     .recognise =
         [](std::string_view content) {
             return content.starts_with("triangles ") ? io::Recognition::Likely : io::Recognition::No;
         },
     .read = [](const io::SourceText& source, const io::MeshReadOptions&) { return parsePluginName(source); },
     .write = writePluginName});

}  // namespace sofa::component
