// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/SparseGridTopology.h"

#include <cmath>

#include "core/factory/Registry.h"
#include "core/geometry/Aabb.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshReader.h"
#include "core/io/VoxelFile.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

using geometry::CellFill;
using geometry::CellGrid;
using geometry::PolygonSurface;

namespace {

/// More cells than this are taken for a slip of the pen.
constexpr double largestGrid = 1 << 28;

template <class Faces>
void addFaces(PolygonSurface& surface, const Faces& faces)
{
    for (const auto& f : faces) surface.addFace(f);
}

/// The faces of a mesh, or of the border of its volume; of an OBJ file in its own order and with its polygons whole.
PolygonSurface surfaceOf(const io::MeshData& mesh)
{
    PolygonSurface out;
    out.positions = mesh.positions;
    if (mesh.faceStart.size() > 1) {
        Vector<Index> corners;
        for (const io::FaceCorner& c : mesh.faceCorners) corners.push_back(c.position);
        for (std::size_t f = 0; f + 1 < mesh.faceStart.size(); ++f)
            out.addFace(
                std::span<const Index>(corners).subspan(mesh.faceStart[f], mesh.faceStart[f + 1] - mesh.faceStart[f]));
        return out;
    }
    addFaces(out, mesh.triangles);
    addFaces(out, mesh.quads);
    if (out.faces() > 0) return out;
    addFaces(out, trianglesOf(mesh.tetrahedra));
    addFaces(out, quadsOf(mesh.hexahedra));
    return out;
}

}  // namespace

SparseGridTopology::SparseGridTopology()
{
    addAlias(d_position, "vertices");
    for (const char* name : {"marchingCubeStep", "convolutionSize"})
        ignoreAttribute(name, "no surface is made of voxels: give one by a loader");
}

double SparseGridTopology::stiffnessFactor(Index hexahedron) const
{
    return m_levels.back().stiffness.at(initialIndex(ElementType::Hexahedra, hexahedron));
}

double SparseGridTopology::massFactor(Index hexahedron) const
{
    return m_levels.back().mass.at(initialIndex(ElementType::Hexahedra, hexahedron));
}

SparseGridTopology::CellLocation SparseGridTopology::locateCell(const Vec3& x) const
{
    prepareOnce();
    if (m_levels.empty()) return {};
    std::size_t level = locatesOnFinestLevel() ? 0 : m_levels.size() - 1;
    const SparseLevel &from = m_levels[level], &to = m_levels.back();
    const Index gridCell = from.grid.find(x);
    Index cell = gridCell == InvalidIndex ? InvalidIndex : from.sparseCell[gridCell];
    if (cell == InvalidIndex) cell = nearestCell(from, x);
    Index piece = from.pieceStart[cell];
    for (; level + 1 < m_levels.size(); ++level) piece = m_levels[level].parent[piece];
    const Vec3i place = to.grid.place(to.gridCell[to.pieceCell[piece]]);
    CellLocation out{piece, to.grid.coordinates(x)};
    for (std::size_t a = 0; a < 3; ++a) out.local[a] -= place[a];
    return out;
}

void SparseGridTopology::prepare()
{
    try {
        Vec3i n = d_n.value();
        for (int& count : n) count = std::max(count, 2);
        if (n != d_n.value())
            msgWarning() << "n: expected at least 2 points along each axis, found " << toText(d_n.value())
                         << "; taking " << toText(n);
        d_n.setValue(n);
        Body body = readBody();
        clearInput();
        const double boundary = d_fillWeighted.value() ? 0.5 : 1.;
        if (body.stiffness.empty())
            for (const CellFill f : body.fill) body.stiffness.push_back(f == CellFill::Boundary ? boundary : 1.);
        m_levels.push_back(finestLevel(body.grid, body.fill, body.stiffness, d_onlyInsideCells.value(), body.mass));
        if (m_levels[0].pieces() == 0) throw std::runtime_error("no cell of the grid is filled");
        SparseMesh mesh = buildLevels(m_levels, body.surface);
        d_position.setValue(std::move(mesh.positions));
        d_position.setIsSet(false);
        d_hexahedra.setValue(std::move(mesh.hexahedra));
        d_hexahedra.setIsSet(false);
        const CellGrid& grid = m_levels.back().grid;
        d_n.setValue(grid.cells + Vec3i{1, 1, 1});
        d_min.setValue(grid.origin);
        d_max.setValue(grid.corner(grid.cells[0], grid.cells[1], grid.cells[2]));
    } catch (const std::exception& e) {
        m_levels.clear();
        clearInput();
        fail(e);
    }
}

SparseMesh SparseGridTopology::buildLevels(std::vector<SparseLevel>& levels, const PolygonSurface&)
{
    for (int i = 0; i < d_nbVirtualFinerLevels.value(); ++i) {
        SparseLevel coarse = coarsen(levels.back(), Coarsening::Plain);
        levels.push_back(std::move(coarse));
    }
    return sharedCorners(levels.back());
}

SparseGridTopology::Body SparseGridTopology::readBody()
{
    if (d_filename.value().text.empty()) return voxelizedSurface();
    const std::string path = requireFile(d_filename);
    if (path.ends_with(".raw")) return rawVoxels(path);
    if (path.ends_with(".voxel")) return textVoxels(path);
    return voxelizedSurface();
}

PolygonSurface SparseGridTopology::readSurfaceFile(const std::string& path) const
{
    const io::MeshData mesh = io::readMesh(path);
    for (const std::string& note : mesh.notes) message(Severity::Warning, note);
    return surfaceOf(mesh);
}

PolygonSurface SparseGridTopology::readSurface() const
{
    if (!d_filename.value().text.empty()) return readSurfaceFile(requireFile(d_filename));
    PolygonSurface out;
    out.positions = d_position.value();
    if (out.positions.empty())
        throw std::runtime_error("a sparse grid needs a surface: a file (filename), or position and triangles");
    addFaces(out, d_facets.value());
    addFaces(out, d_triangles.value());
    addFaces(out, d_quads.value());
    return out;
}

SparseGridTopology::Body SparseGridTopology::voxelizedSurface()
{
    Body body;
    body.surface = readSurface();
    body.grid = gridAround(body.surface.positions);
    body.fill = voxelize(body.grid, body.surface);
    return body;
}

CellGrid SparseGridTopology::gridAround(const Vector<Vec3>& points)
{
    if (d_min.value() == Vec3() && d_max.value() == Vec3()) {
        geometry::Aabb box;
        for (const Vec3& x : points) box.include(x);
        if (!box.valid()) throw std::runtime_error("the surface has no point, or a position that is not finite");
        d_min.setValue(box.lower - box.extent() / 100.);
        d_max.setValue(box.upper + box.extent() / 100.);
    }
    const Vec3 extent = d_max.value() - d_min.value();
    for (std::size_t a = 0; a < 3; ++a)
        if (!(extent[a] > 0.) || !std::isfinite(extent[a]))
            throw std::runtime_error("the box of the grid has no extent along " + std::string(1, "xyz"[a]) +
                                     ": give min and max of a box with a volume");
    if (const double w = d_cellWidth.value(); w > 0.) {
        Vec3i n;
        for (std::size_t a = 0; a < 3; ++a)
            n[a] = static_cast<int>(std::min(std::ceil(extent[a] / w), largestGrid)) + 1;
        d_n.setValue(n);
    }
    return finestGrid();
}

CellGrid SparseGridTopology::finestGrid() const
{
    CellGrid grid;
    grid.origin = d_min.value();
    const double factor = std::ldexp(1., d_nbVirtualFinerLevels.value());
    double cells = 1.;
    for (std::size_t a = 0; a < 3; ++a) cells *= (d_n.value()[a] - 1) * factor;
    if (!(cells <= largestGrid))
        throw std::runtime_error(
            "n: a grid of " + toText(d_n.value()) + " points is too large" +
            (factor > 1. ? " for nbVirtualFinerLevels=\"" + d_nbVirtualFinerLevels.text() + "\"" : ""));
    for (std::size_t a = 0; a < 3; ++a) {
        grid.cells[a] = (d_n.value()[a] - 1) * static_cast<int>(factor);
        grid.spacing[a] = (d_max.value()[a] - d_min.value()[a]) / grid.cells[a];
    }
    return grid;
}

SparseGridTopology::Body SparseGridTopology::rawVoxels(const std::string& path)
{
    const Vec3i& count = d_dataResolution.value();
    for (std::size_t a = 0; a < 3; ++a)
        if (count[a] < 1 || !(d_voxelSize.value()[a] > 0.))
            throw std::runtime_error(
                "a .raw file needs dataResolution (at least 1 1 1) and voxelSize (greater than 0)");
    if (static_cast<double>(count[0]) * count[1] * count[2] > largestGrid)
        throw std::runtime_error("dataResolution: " + toText(count) + " voxels are too many");
    const Vector<std::uint8_t> values = io::readRawVoxels(path, count);
    Vec3 high = d_voxelSize.value();
    for (std::size_t a = 0; a < 3; ++a) high[a] *= count[a];
    d_min.setValue({});
    d_max.setValue(high);
    Body body;
    body.grid = finestGrid();
    body.fill.assign(body.grid.size(), CellFill::Outside);
    const auto cellOf = [&](int voxel, std::size_t a) {
        return static_cast<int>(voxel * (static_cast<double>(body.grid.cells[a]) / count[a]));
    };
    std::size_t v = 0;
    for (int k = 0; k < count[2]; ++k)
        for (int j = 0; j < count[1]; ++j)
            for (int i = 0; i < count[0]; ++i, ++v)
                if (values[v] != 0)
                    body.fill[body.grid.number(cellOf(i, 0), cellOf(j, 1), cellOf(k, 2))] = CellFill::Inside;
    return body;
}

SparseGridTopology::Body SparseGridTopology::textVoxels(const std::string& path) const
{
    const io::Voxels voxels = io::readVoxelText(path);
    Body body;
    body.grid = {voxels.count, {}, voxels.size};
    for (const std::uint8_t v : voxels.filled) body.fill.push_back(v ? CellFill::Inside : CellFill::Outside);
    return body;
}

void SparseGridTopology::clearInput()
{
    const auto clearList = [](auto& d) {
        d.unlink();
        d.setValue({});
        d.setIsSet(false);
    };
    clearList(d_position);
    clearList(d_edges);
    clearList(d_triangles);
    clearList(d_quads);
    clearList(d_tetrahedra);
    clearList(d_hexahedra);
    clearList(d_prisms);
    clearList(d_pyramids);
}

namespace {

const RegisterComponent registeredSparseGridTopology =
    RegisterComponent("SparseGridTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Hexahedra of a regular grid that a surface touches or encloses")
        .example("component/topology/SparseGridTopology.scn")
        .add<SparseGridTopology>();

}  // namespace

}  // namespace sofa::component
