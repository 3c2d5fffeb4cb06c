// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/CubeTopology.h"

#include "core/factory/Registry.h"

namespace sofa::component {

std::string CubeTopology::mistake() const
{
    for (const auto* n : {&d_nx, &d_ny, &d_nz})
        if (n->value() < 2 || n->value() > 4096)
            return std::string(n->name()) + ": expected 2 to 4096 points, not " + std::to_string(n->value());
    for (std::size_t k = 0; k < 3; ++k)
        if (!(d_min.value()[k] < d_max.value()[k]))
            return "min (" + d_min.text() + ") must be below max (" + d_max.text() + ") along each axis";
    return {};
}

void CubeTopology::init()
{
    if (const std::string wrong = mistake(); !wrong.empty()) return fail(wrong);
    MeshTopology::init();
}

Index CubeTopology::pointAt(std::array<int, 3> place, int side) const
{
    const auto n = size();
    const auto [x, y, z] = place;
    if (d_splitNormals.value()) {
        for (int k = 0; k < 3 && side < 0; ++k)
            side = place[static_cast<std::size_t>(k)] == 0                                    ? k
                   : place[static_cast<std::size_t>(k)] == n[static_cast<std::size_t>(k)] - 1 ? k + 3
                                                                                              : -1;
        const int sizes[] = {n[1] * n[2], n[0] * n[2], n[0] * n[1]};
        int i = side >= 3 ? sizes[0] + sizes[1] + sizes[2] : 0;
        for (int k = 0; k < side % 3; ++k) i += sizes[k];
        return static_cast<Index>(i + (side % 3 == 0 ? y + n[1] * z : side % 3 == 1 ? x + n[0] * z : x + n[0] * y));
    }
    if (d_internalPoints.value()) return static_cast<Index>(x + n[0] * (y + n[1] * z));
    if (z == 0) return static_cast<Index>(x + n[0] * y);
    if (z == n[2] - 1) return static_cast<Index>(x + n[0] * (y + n[1]));
    const int layer = 2 * n[0] * n[1] + (2 * n[0] + 2 * n[1] - 4) * (z - 1);
    if (y == 0) return static_cast<Index>(layer + x);
    if (y == n[1] - 1) return static_cast<Index>(layer + n[0] + x);
    return static_cast<Index>(layer + 2 * n[0] + (x == 0 ? 0 : n[1] - 2) + y - 1);
}

Vec3 CubeTopology::placePosition(const std::array<int, 3>& place) const
{
    Vec3 x;
    for (std::size_t k = 0; k < 3; ++k)
        x[k] = d_min.value()[k] + (d_max.value()[k] - d_min.value()[k]) / (size()[k] - 1) * place[k];
    return x;
}

void CubeTopology::prepare()
{
    if (!mistake().empty()) return;
    const auto n = size();
    Vector<Vec3> positions;
    Vector<Edge> edges;
    Vector<Quad> quads;
    const auto set = [&](std::size_t i, const std::array<int, 3>& place) {
        if (i >= positions.size()) positions.resize(i + 1);
        positions[i] = placePosition(place);
    };
    // Sides as SOFA orders them: z, y, x, the lesser one first; along each the axes of its rows and columns.
    constexpr std::array<std::array<std::size_t, 3>, 3> sides{{{2, 1, 0}, {1, 2, 0}, {0, 2, 1}}};
    for (const auto& axes : sides)
        for (const bool greater : {false, true}) {
            const std::size_t axis = axes[0], rows = axes[1], columns = axes[2];
            const int side = static_cast<int>(axis) + (greater ? 3 : 0);
            const auto place = [&](int row, int column) {
                std::array<int, 3> p{};
                p[axis] = greater ? n[axis] - 1 : 0;
                p[rows] = row;
                p[columns] = column;
                return p;
            };
            const auto at = [&](int row, int column) { return pointAt(place(row, column), side); };
            for (int r = 0; r < n[rows]; ++r)
                for (int c = 0; c < n[columns]; ++c) set(at(r, c), place(r, c));
            const bool columnsFirst = (axis == 1) != greater;
            for (int r = 0; r + 1 < n[rows]; ++r)
                for (int c = 0; c + 1 < n[columns]; ++c) {
                    const Index a = at(r, c), down = at(r + 1, c), right = at(r, c + 1), d = at(r + 1, c + 1);
                    quads.push_back(columnsFirst ? Quad{a, right, d, down} : Quad{a, down, d, right});
                }
        }
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y)
            for (int x = 0; x < n[0]; ++x) {
                const std::array<int, 3> p{x, y, z};
                const auto isEnd = [&](std::size_t k) { return p[k] == 0 || p[k] == n[k] - 1; };
                if (d_internalPoints.value() && !d_splitNormals.value()) set(pointAt(p), p);
                for (std::size_t k = 0; k < 3; ++k) {
                    if (p[k] == n[k] - 1 || (!isEnd((k + 1) % 3) && !isEnd((k + 2) % 3))) continue;
                    auto next = p;
                    ++next[k];
                    edges.push_back({pointAt(p), pointAt(next)});
                }
            }
    d_position.setValue(std::move(positions));
    d_edges.setValue(std::move(edges));
    d_quads.setValue(std::move(quads));
}

std::string SphereQuadTopology::mistake() const
{
    if (!(d_radius.value() > 0.)) return "radius: it needs a radius above zero";
    return CubeTopology::mistake();
}

Vec3 SphereQuadTopology::placePosition(const std::array<int, 3>& place) const
{
    Vec3 p;
    const int n[] = {d_nx.value(), d_ny.value(), d_nz.value()};
    for (std::size_t k = 0; k < 3; ++k) p[k] = 2. * place[k] / (n[k] - 1) - 1.;
    // The middle of an inside stays where it is.
    const double length = norm(p);
    return d_center.value() + (length > 0. ? p * (d_radius.value() / length) : p);
}

namespace {

constexpr const char* cubeTopologyModule = "Sofa.Component.Topology.Container.Constant";

const RegisterComponent registeredCubeTopology = RegisterComponent("CubeTopology", "Topology", cubeTopologyModule)
                                                     .help("Points, edges and quads on the surface of a box")
                                                     .example("component/topology/CubeTopology.scn")
                                                     .add<CubeTopology>();
const RegisterComponent registeredSphereQuadTopology =
    RegisterComponent("SphereQuadTopology", "Topology", cubeTopologyModule)
        .help("Points, edges and quads on a sphere")
        .example("component/topology/CubeTopology.scn")
        .add<SphereQuadTopology>();

}  // namespace

}  // namespace sofa::component
