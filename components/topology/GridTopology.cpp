// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/GridTopology.h"

#include <memory>

#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

namespace {

/// More points than this are taken for a slip of the pen.
constexpr double largestGrid = 1 << 28;

/// Calls f(x, y, z) for all points of a box of the grid, x fastest.
template <class F>
void forEachPlace(const Vec3i& count, F f)
{
    for (int z = 0; z < count[2]; ++z)
        for (int y = 0; y < count[1]; ++y)
            for (int x = 0; x < count[0]; ++x) f(x, y, z);
}

}  // namespace

/// Computes the Data `position`.
class GridTopology::Positions : public DdgNode
{
public:
    explicit Positions(GridTopology& grid) : m_grid(grid) {}
    std::string ddgName() const override { return m_grid.pathName() + ".position (computed)"; }

protected:
    void update() override
    {
        for (DdgNode* in : inputs()) in->updateIfDirty();
        Vector<Vec3> x;
        if (m_grid.d_computePointList.value()) {
            x.reserve(m_grid.nbPoints());
            forEachPlace(m_grid.resolution(), [&](int i, int j, int k) {
                x.push_back(m_grid.gridPosition({i, j, k}));
            });
        }
        m_grid.d_position.setValue(std::move(x));
        m_grid.d_position.setIsSet(false);
    }

private:
    GridTopology& m_grid;
};

GridTopology::GridTopology()
{
    for (const char* axis : {"nx", "ny", "nz"})
        declareAttribute(axis, std::string("Number of points along ") + axis[1]);
    const std::vector<BaseData*> shape{&d_n, &d_computeHexaList, &d_computeQuadList, &d_computeTriangleList,
                                       &d_computeEdgeList};
    derive<Hexahedron>(d_hexahedra, shape, [this] { return gridHexahedra(); });
    derive<Quad>(d_quads, shape, [this] { return computeQuads(); });
    derive<Triangle>(d_triangles, shape, [this] { return computeTriangles(); });
    derive<Edge>(d_edges, shape, [this] { return computeEdges(); });
    for (const BaseData* d : std::initializer_list<BaseData*>{&d_hexahedra, &d_quads, &d_triangles, &d_edges})
        deriveNow(*d);
}

void GridTopology::setDeclared(std::string_view name, std::string_view text)
{
    int count = 0;
    std::string error;
    if (!parseText(text, count, error)) throw std::runtime_error(error);
    if (count < 1) throw std::runtime_error("expected at least 1, found " + std::string(text));
    Vec3i n = d_n.value();
    n[static_cast<std::size_t>(name[1] - 'x')] = count;
    d_n.setValue(n);
}

void GridTopology::computePositionsFrom(const std::vector<BaseData*>& shape)
{
    m_positions = std::make_unique<Positions>(*this);
    m_positions->addDependency(d_n);
    m_positions->addDependency(d_computePointList);
    for (BaseData* d : shape) m_positions->addDependency(*d);
    d_position.addDependency(*m_positions);
}

Vec3i GridTopology::resolution() const
{
    const Vec3i& n = d_n.value();
    return n[0] < 1 || n[1] < 1 || n[2] < 1 ? Vec3i{2, 2, 2} : n;
}

Index GridTopology::nbPoints() const
{
    if (fixedPointCount() != InvalidIndex) return fixedPointCount();
    const Vec3i n = resolution();
    return static_cast<Index>(n[0]) * static_cast<Index>(n[1]) * static_cast<Index>(n[2]);
}

Index GridTopology::pointIndex(int i, int j, int k) const
{
    const Vec3i n = resolution();
    return static_cast<Index>(i + n[0] * (j + n[1] * k));
}

Index GridTopology::cellIndex(int i, int j, int k) const
{
    const Vec3i n = resolution();
    return static_cast<Index>(i + (n[0] - 1) * (j + (n[1] - 1) * k));
}

Vec3i GridTopology::pointCoordinates(Index i) const
{
    const Vec3i n = resolution();
    const int p = static_cast<int>(i);
    return {p % n[0], (p / n[0]) % n[1], p / (n[0] * n[1])};
}

Vec3 GridTopology::gridPosition(const Vec3i& p) const
{
    return StoredTopology::pointPosition(pointIndex(p[0], p[1], p[2]));
}

Vec3 GridTopology::pointPosition(Index i) const { return gridPosition(pointCoordinates(i)); }

BoundingBox GridTopology::boundingBox() const
{
    BoundingBox b;
    for (Index i = 0; i < nbPoints(); ++i) b.include(pointPosition(i));
    return b;
}

std::array<Index, 3> GridTopology::gridCells() const
{
    if (hexahedra().empty()) return {};
    const Vec3i n = resolution();
    return {static_cast<Index>(n[0] - 1), static_cast<Index>(n[1] - 1), static_cast<Index>(n[2] - 1)};
}

void GridTopology::init()
{
    const Vec3i& n = d_n.value();
    if (n[0] < 1 || n[1] < 1 || n[2] < 1)
        msgWarning() << "n: expected at least 1 point along each axis, found " << toText(n) << "; taking 2 2 2";
    const Vec3i used = resolution();
    if (static_cast<double>(used[0]) * used[1] * used[2] > largestGrid) {
        fail("n: a grid of " + toText(used) + " points is too large");
        d_n.setValue({2, 2, 2});
    }
    MeshTopology::init();
    if (d_createTexCoords.value()) createTextureCoordinates();
}

Vector<Hexahedron> GridTopology::gridHexahedra() const
{
    Vector<Hexahedron> out;
    if (!d_computeHexaList.value()) return out;
    const auto p = [this](int x, int y, int z) { return pointIndex(x, y, z); };
    forEachPlace(resolution() - Vec3i{1, 1, 1}, [&](int x, int y, int z) {
        out.push_back({p(x, y, z), p(x + 1, y, z), p(x + 1, y + 1, z), p(x, y + 1, z), p(x, y, z + 1),
                       p(x + 1, y, z + 1), p(x + 1, y + 1, z + 1), p(x, y + 1, z + 1)});
    });
    return out;
}

Vector<Quad> GridTopology::gridQuads() const
{
    Vector<Quad> out;
    const Vec3i n = resolution();
    // Quads normal to z, y and x: the directions a and b that span them.
    constexpr std::array<std::array<std::size_t, 2>, 3> spans{{{0, 1}, {0, 2}, {1, 2}}};
    for (const auto& [a, b] : spans) {
        Vec3i count = n;
        --count[a];
        --count[b];
        Vec3i da{}, db{};
        da[a] = db[b] = 1;
        forEachPlace(count, [&](int x, int y, int z) {
            const auto corner = [&](const Vec3i& d) { return pointIndex(x + d[0], y + d[1], z + d[2]); };
            out.push_back({corner({}), corner(da), corner(da + db), corner(db)});
        });
    }
    return out;
}

Vector<Quad> GridTopology::computeQuads() const
{
    if (d_computeQuadList.value() || d_computeTriangleList.value()) return gridQuads();
    return MeshTopology::computeQuads();
}

Vector<Triangle> GridTopology::computeTriangles() const
{
    if (!d_computeTriangleList.value()) return MeshTopology::computeTriangles();
    Vector<Triangle> out;
    for (const Quad& q : quads()) {
        out.push_back({q[0], q[1], q[2]});
        out.push_back({q[0], q[2], q[3]});
    }
    return out;
}

Vector<Edge> GridTopology::computeEdges() const
{
    if (!d_computeEdgeList.value()) return MeshTopology::computeEdges();
    if (!triangles().empty()) return edgesOf(triangles(), Vector<Quad>());
    Vector<Edge> out;
    for (std::size_t a = 0; a < 3; ++a) {
        Vec3i count = resolution(), d{};
        --count[a];
        d[a] = 1;
        forEachPlace(count, [&](int x, int y, int z) {
            out.push_back({pointIndex(x, y, z), pointIndex(x + d[0], y + d[1], z + d[2])});
        });
    }
    return out;
}

void GridTopology::createTextureCoordinates()
{
    const Vec3i n = resolution();
    if ((n[0] == 1) + (n[1] == 1) + (n[2] == 1) > 1) {
        msgWarning() << "createTexCoords: needs a grid of at least two dimensions, this one has " << toText(n)
                     << " points";
        return;
    }
    // u and v along the two directions of a flat grid, or along x and y.
    const std::size_t u = n[0] == 1 ? 1 : 0, v = n[0] == 1 || n[1] == 1 ? 2 : 1, w = 3 - u - v;
    Vector<Vec2> uv;
    uv.reserve(nbPoints());
    forEachPlace(n, [&](int x, int y, int z) {
        const Vec3i p{x, y, z};
        Vec2 t{static_cast<double>(p[u]) / (n[u] - 1), static_cast<double>(p[v]) / (n[v] - 1)};
        if (p[w] == n[w] - 1) t = Vec2{1., 1.} - t;  // the far side runs backwards
        uv.push_back(t);
    });
    d_uv.setValue(std::move(uv));
}

namespace {

const RegisterComponent registeredGridTopology =
    RegisterComponent("GridTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Grid of nx x ny x nz points without a shape: numbering and elements only")
        .example("component/topology/GridTopology.scn")
        .add<GridTopology>();

}  // namespace

}  // namespace sofa::component
