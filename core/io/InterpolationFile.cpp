// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/InterpolationFile.h"

#include <limits>
#include <stdexcept>

#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/RawBytes.h"

namespace sofa::core::io {

Vector<Vec3> InterpolationWeights::interpolate(std::span<const Vec3> vertices) const
{
    Vector<Vec3> out(pointCount());
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t k = i * nodesPerPoint; k < (i + 1) * nodesPerPoint; ++k) {
            if (nodes[k] >= vertices.size())
                throw std::runtime_error("point " + std::to_string(i) + " is interpolated from vertex " +
                                         std::to_string(nodes[k]) + " of " + std::to_string(vertices.size()));
            out[i] += weights[k] * vertices[nodes[k]];
        }
    return out;
}

namespace {

InterpolationWeights parseText(const SourceText& source, std::int64_t vertexCount)
{
    InterpolationWeights out;
    out.nodesPerPoint = 0;
    DataLines lines(source);
    std::int64_t points = 0;
    for (DataLine line; lines.next(line); ++points) {
        LineValues v(line);
        v.integerWithin("the number of the point,", points, points);
        std::size_t n = 0;
        for (; !v.atEnd(); ++n) {
            out.nodes.push_back(static_cast<Index>(v.integerWithin("a vertex", 0, vertexCount - 1)));
            out.weights.push_back(v.finite("a weight"));
        }
        if (points == 0) out.nodesPerPoint = n;
        if (n == 0 || n != out.nodesPerPoint)
            line.fail(points ? "as many vertices as for the first point, " + std::to_string(out.nodesPerPoint)
                             : "vertices and their weights",
                      std::to_string(n));
    }
    if (points == 0) throw MeshError(source.path, "there are no interpolation weights in the file");
    return out;
}

InterpolationWeights parseBinary(const SourceText& bytes, std::int64_t vertexCount)
{
    TextScanner in(bytes);
    const std::int64_t points = in.binary<std::int32_t>("the number of points");
    const std::int64_t nodes = in.binary<std::int32_t>("the number of vertices for each point");
    constexpr std::size_t entryBytes = sizeof(std::int32_t) + sizeof(double);
    if (points < 0 || nodes <= 0 || in.remaining() % entryBytes != 0 ||
        static_cast<std::uint64_t>(points) * static_cast<std::uint64_t>(nodes) != in.remaining() / entryBytes)
        in.failBinary(0, "weights for " + std::to_string(points) + " points, " + std::to_string(nodes) + " for each",
                      "a file of " + std::to_string(bytes.text.size()) + " bytes");
    InterpolationWeights out;
    out.nodesPerPoint = static_cast<std::size_t>(nodes);
    const std::size_t n = in.remaining() / entryBytes;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = in.offset();
        const std::int64_t v = in.binary<std::int32_t>("a vertex");
        if (v < 0 || v >= vertexCount)
            in.failBinary(at, "a vertex from 0 to " + std::to_string(vertexCount - 1), std::to_string(v));
        out.nodes.push_back(static_cast<Index>(v));
    }
    for (std::size_t i = 0; i < n; ++i) out.weights.push_back(in.finiteBinary("a weight"));
    return out;
}

}  // namespace

InterpolationWeights parseInterpolation(const SourceText& bytes, std::size_t vertexCount)
{
    // The binary form starts with small integers, which have zero bytes; text has none.
    const bool binary = bytes.text.substr(0, 8).find('\0') != std::string::npos;
    const auto n = static_cast<std::int64_t>(vertexCount);
    return binary ? parseBinary(bytes, n) : parseText(bytes, n);
}

InterpolationWeights readInterpolation(const std::filesystem::path& path, std::size_t vertexCount)
{
    return parseInterpolation(loadBytes(path), vertexCount);
}

void writeInterpolation(const std::filesystem::path& path, const InterpolationWeights& w, bool binary)
{
    const std::size_t n = w.nodesPerPoint;
    if (n == 0 || w.nodes.size() % n != 0 || w.weights.size() != w.nodes.size())
        throw MeshError(path.string(), "not written: there are " + std::to_string(w.nodes.size()) + " nodes and " +
                                           std::to_string(w.weights.size()) + " weights, " + std::to_string(n) +
                                           " for each point");
    std::string out;
    if (binary) {
        constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
        if (w.pointCount() > most || n > most) throw MeshError(path.string(), "not written: there are too many points");
        appendRaw(out, static_cast<std::int32_t>(w.pointCount()));
        appendRaw(out, static_cast<std::int32_t>(n));
        for (const Index v : w.nodes) {
            if (v > most) throw MeshError(path.string(), "not written: vertex " + std::to_string(v) + " is too large");
            appendRaw(out, static_cast<std::int32_t>(v));
        }
        for (const double v : w.weights) appendRaw(out, v);
    } else {
        for (std::size_t i = 0; i < w.pointCount(); ++i) {
            out += std::to_string(i);
            for (std::size_t k = i * n; k < (i + 1) * n; ++k) {
                out += ' ' + std::to_string(w.nodes[k]) + ' ';
                appendNumber(out, w.weights[k]);
            }
            out += '\n';
        }
    }
    saveText(path, out);
}

}  // namespace sofa::core::io
