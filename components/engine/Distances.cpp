// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <queue>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/mesh/Adjacency.h"
#include "core/topology/Geometry.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

namespace {

/// Distances of the cells of a mesh of hexahedra, as of voxels, from some of them: those of the points `sources`. There
/// is a list for each source, with a number for each cell; −1 is for cells that have no way to it. A point is in the
/// cell whose centre is nearest to it, after `offset` is taken from it. Neighbours are cells with a common edge.
///   Geodesic                 length of the shortest way through centres of neighbours, up to `maxDistance`
///   Stiffness Diffusion      the same, where a step counts 1 + 5 ρ/255 times its length, by the density of the cell
///                            that it leaves
///   Voronoi                  the same as Geodesic for the cells that are nearest to the source (of several, to the
///                            first one); −1 for the others
///   Harmonic                 0 at the source, `harmonicMaxValue` at the others, and elsewhere Σ w (u_j − u_i) = 0 over
///                            the neighbours, with the weight 2 of those with a common face, and 1 of the others
///   Harmonic with Stiffness  the same with weights times the mean density of both cells
/// `targetDistances` has the numbers of the cells in which the points `targets` are.
///
/// In SOFA this is a service that other C++ code calls, for a DynamicSparseGridTopologyContainer beside a VoxelLoader;
/// as an engine it computes nothing. Its ways are not always the shortest, a source is not at distance 0 from itself,
/// Voronoi does nothing, and densities weigh sums without being divided out. Here distances are Data, of any mesh of
/// hexahedra, and densities are a list.
class Distances final : public Engine
{
    enum Type : std::size_t
    {
        Geodesic,
        Harmonic,
        Stiffness,
        Voronoi,
        HarmonicStiffness
    };

public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_position{
        this, input("position", "Points of the mesh; default: rest positions of the state, else of the loader", "m")};
    Input<Vector<Hexahedron>> d_hexahedra{this, input("hexahedra", "Cells; default: those of the topology")};
    Input<Vector<Vec3>> d_sources{this, input("sources", "Points from whose cells the distances count", "m")};
    Input<Vector<Vec3>> d_targets{this, input("targets", "Points whose distances are asked for", "m")};
    Input<Vec3> d_offset{this, input("offset", "From the mesh to where sources and targets are", "m")};
    Input<Options> d_distanceType{
        this, input("d_distanceType", "Which distance"),
        Options({"Geodesic", "Harmonic", "Stiffness Diffusion", "Voronoi", "Harmonic with Stiffness"})};
    Input<double> d_maxDistance{this, input("maxDistance", "Where ways end; 0: nowhere", "m", Range::nonNegative()),
                                0.};
    Input<double> d_harmonicMaxValue{
        this, input("harmonicMaxValue", "Harmonic distance of the other sources", "1", Range::positive()), 100.};
    Input<Vector<double>> d_density{this,
                                    input("density", "Density of each cell, 0 to 255", "1", Range::closed(0., 255.))};
    Output<Vector<Vector<double>>> d_distances{this,
                                               output("distances", "For each source the distance of each cell", "m")};
    Output<Vector<Vector<double>>> d_targetDistances{
        this, output("targetDistances", "For each source the distance of each target", "m")};
    Data<bool> d_showDistances{this, display("showDistancesMap", "Write the distances into the cells"), false};
    Data<Index> d_showMapIndex{this, display("showMapIndex", "Source whose distances are written")};
    Data<double> d_textSize{this, display("showTextScaleFactor", "Height of these texts", "m"), 0.001};

    Distances()
    {
        addAlias(d_distanceType, "distanceType");
        for (const char* path : {"hexaContainerPath", "targetPath"})
            ignoreAttribute(path, "link hexahedra and position, sources and targets");
        for (const char* target : {"initTarget", "initTargetStep"})
            ignoreAttribute(target, "states take their positions from a link, or from the grid");
        ignoreAttribute("zonesFramePair", "there are no segmented voxels");
        for (const char* file : {"filename", "d_fileDistance"}) ignoreAttribute(file, "distances are computed anew");
        for (const char* shown : {"showGoalDistancesMap", "showGradients", "showGradientsScaleFactor"})
            ignoreAttribute(shown, "it shows nothing in SOFA either");
    }

    void draw(DrawTool& tool) override
    {
        const auto& maps = d_distances.value();
        if (!d_showDistances.value() || maps.empty()) return;
        const Vector<double>& shown = maps[d_showMapIndex.value() % maps.size()];
        tool.geometry(
            {},
            [&](Geometry& g) {
                for (std::size_t c = 0; c < shown.size(); ++c)
                    g.labels.push_back({Vec3f(m_centers[c]), toText(static_cast<float>(shown[c])),
                                        static_cast<float>(d_textSize.value()), true, Color(1.f, 0.f, 0.3f)});
            },
            d_distances.counter() + d_showMapIndex.counter() + d_textSize.counter());
    }

protected:
    void findInputs() override
    {
        followByDefault(d_position, defaultPositions(*node(), "rest_position"));
        followByDefault(d_hexahedra, defaultElements(*node(), "hexahedra"));
    }

    void doUpdate() override
    {
        requireVertices(d_hexahedra, d_position.value().size());
        const std::size_t cells = d_hexahedra.value().size();
        const auto type = static_cast<Type>(d_distanceType.value().index());
        if ((type == Stiffness || type == HarmonicStiffness) && d_density.value().size() != cells)
            throw std::runtime_error("density: there are " + std::to_string(d_density.value().size()) + " for " +
                                     std::to_string(cells) + " cells");
        m_centers.clear();
        for (const Hexahedron& h : d_hexahedra.value()) {
            std::array<Vec3, 8> corners;
            for (std::size_t k = 0; k < 8; ++k) corners[k] = d_position.value()[h[k]];
            m_centers.push_back(geometry::centroid(corners));
        }
        findNeighbours();
        Vector<Index> sources;
        for (const Vec3& p : d_sources.value()) sources.push_back(cellOf(p));

        Vector<Vector<double>> maps;
        for (const Index s : sources)
            maps.push_back(type == Harmonic || type == HarmonicStiffness ? harmonic(s, sources, type) : ways(s, type));
        if (type == Voronoi) keepNearest(maps);
        Vector<Vector<double>> ofTargets(maps.size());
        for (const Vec3& p : d_targets.value()) {
            const Index cell = maps.empty() ? 0 : cellOf(p);
            for (std::size_t s = 0; s < maps.size(); ++s) ofTargets[s].push_back(maps[s][cell]);
        }
        d_distances.setValue(std::move(maps));
        d_targetDistances.setValue(std::move(ofTargets));
    }

private:
    struct Neighbour
    {
        Index cell;
        double weight;  ///< 2 with a common face, 1 with an edge
    };

    Index cellOf(const Vec3& p) const
    {
        if (m_centers.empty()) throw std::runtime_error("hexahedra: there are no cells");
        const Vec3 place = p - d_offset.value();
        const auto nearest =
            std::ranges::min_element(m_centers, {}, [&](const Vec3& c) { return dot(c - place, c - place); });
        return static_cast<Index>(nearest - m_centers.begin());
    }

    void findNeighbours()
    {
        const Vector<Hexahedron>& cells = d_hexahedra.value();
        const Adjacency around(d_position.value().size(), cells.size(),
                               [&](std::size_t i) -> const Hexahedron& { return cells[i]; });
        m_neighbours.assign(cells.size(), {});
        Vector<Index> met;
        for (Index c = 0; c < cells.size(); ++c) {
            met.clear();
            for (const Index v : cells[c]) met.insert(met.end(), around[v].begin(), around[v].end());
            std::ranges::sort(met);
            for (std::size_t i = 0, end = 0; i < met.size(); i = end) {
                while (end < met.size() && met[end] == met[i]) ++end;
                if (met[i] != c && end - i >= 2) m_neighbours[c].push_back({met[i], end - i >= 4 ? 2. : 1.});
            }
        }
    }

    Vector<double> ways(Index source, Type type) const
    {
        Vector<double> distance(m_centers.size(), -1.);
        using Arrival = std::pair<double, Index>;
        std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> front;
        front.emplace(0., source);
        while (!front.empty()) {
            const auto [way, cell] = front.top();
            front.pop();
            if (distance[cell] >= 0.) continue;
            distance[cell] = way;
            const double factor = type == Stiffness ? 1. + 5. * d_density.value()[cell] / 255. : 1.;
            for (const Neighbour& n : m_neighbours[cell]) {
                const double there = way + factor * norm(m_centers[n.cell] - m_centers[cell]);
                if (distance[n.cell] < 0. && !(d_maxDistance.value() > 0. && there > d_maxDistance.value()))
                    front.emplace(there, n.cell);
            }
        }
        return distance;
    }

    static void keepNearest(Vector<Vector<double>>& maps)
    {
        for (std::size_t c = 0; !maps.empty() && c < maps[0].size(); ++c) {
            std::size_t nearest = 0;
            for (std::size_t s = 1; s < maps.size(); ++s)
                if (maps[s][c] >= 0. && (maps[nearest][c] < 0. || maps[s][c] < maps[nearest][c])) nearest = s;
            for (std::size_t s = 0; s < maps.size(); ++s)
                if (s != nearest) maps[s][c] = -1.;
        }
    }

    double weight(Index cell, const Neighbour& n, Type type) const
    {
        if (type == Harmonic) return n.weight;
        return n.weight * 0.5 * (d_density.value()[cell] + d_density.value()[n.cell]);
    }

    Vector<double> harmonic(Index source, const Vector<Index>& sources, Type type) const
    {
        // Cells that are joined to a source by neighbours that weigh something.
        Vector<double> u(m_centers.size(), -1.);
        Vector<char> fixed(m_centers.size(), 0), joined(m_centers.size(), 0);
        for (const Index s : sources) {
            u[s] = d_harmonicMaxValue.value();
            fixed[s] = joined[s] = 1;
        }
        u[source] = 0.;
        Vector<Index> waiting(sources), unknown(m_centers.size(), InvalidIndex), cells;
        while (!waiting.empty()) {
            const Index c = waiting.back();
            waiting.pop_back();
            for (const Neighbour& n : m_neighbours[c]) {
                if (joined[n.cell] || !(weight(c, n, type) > 0.)) continue;
                joined[n.cell] = 1;
                waiting.push_back(n.cell);
            }
        }
        for (Index c = 0; c < m_centers.size(); ++c) {
            if (!joined[c] || fixed[c]) continue;
            unknown[c] = static_cast<Index>(cells.size());
            cells.push_back(c);
        }
        if (cells.empty()) return u;

        const auto n = static_cast<Eigen::Index>(cells.size());
        std::vector<Eigen::Triplet<double>> entries;
        Eigen::VectorXd rhs = Eigen::VectorXd::Zero(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const Index c = cells[static_cast<std::size_t>(i)];
            for (const Neighbour& other : m_neighbours[c]) {
                const double w = weight(c, other, type);
                if (!(w > 0.)) continue;
                entries.emplace_back(i, i, w);
                if (fixed[other.cell])
                    rhs[i] += w * u[other.cell];
                else
                    entries.emplace_back(i, unknown[other.cell], -w);
            }
        }
        Eigen::SparseMatrix<double> matrix(n, n);
        matrix.setFromTriplets(entries.begin(), entries.end());
        const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
        const Eigen::VectorXd solution = factor.solve(rhs);
        for (Eigen::Index i = 0; i < n; ++i) u[cells[static_cast<std::size_t>(i)]] = solution[i];
        return u;
    }

    Vector<Vec3> m_centers;
    std::vector<std::vector<Neighbour>> m_neighbours;
};

const RegisterComponent registeredDistances =
    RegisterComponent("Distances", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Distances of the cells of a mesh from some of them, through the mesh")
        .example("component/engine/Distances.scn")
        .add<Distances>();

}  // namespace

}  // namespace sofa::component
