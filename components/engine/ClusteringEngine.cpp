// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

#include "components/engine/ListTypes.h"
#include "core/behavior/State.h"
#include "core/io/DataRepository.h"
#include "core/io/OutputFile.h"
#include "core/io/SceneOutput.h"
#include "core/io/TextScanner.h"
#include "core/mesh/FarthestPoints.h"
#include "core/objectmodel/Event.h"
#include "core/objectmodel/OutputFileName.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/PointsBehind.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Groups of points that lie close together. A point may be in several of them.
///
/// Centres are all points (`number` −1), or as many as asked for, point 0 first and then always the one that is
/// farthest from those chosen; each point belongs to its nearest centre. Distances are straight, or with a topology
/// along its edges. A cluster has its centre first, and then:
///   with a topology  the points around it, ring by ring: the neighbours of points that belong to the centre, and
///                    neighbours of others of the cluster where they are nearer to it than `radius`;
///   without          all points nearer to it than `radius`; a point in no other cluster than that of which it is the
///                    centre goes to the nearest other one.
/// Last come the points of `fixedPosition` nearer than `fixedRadius`, numbered on from those of `position` (in SOFA
/// only without a topology).
///
/// `inFile` gives clusters that were computed before; `outFile` writes them: "useTopo radius fixedRadius clusters
/// number", then a line for each cluster with the number of its points and their numbers.
///
/// Where points of the mesh come and go, clusters are computed anew. Those of a file go with their points; new points
/// come to the first cluster that has their nearest ancestor.
class ClusteringEngine final : public Engine, public TopologyFollower
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology with the edges; default: the nearest one"}};
    Input<bool> d_useTopo{this, input("useTopo", "Go along the edges of the topology, if there is one"), true};
    Input<double> d_radius{this, input("radius", "Points nearer to its centre are in a cluster", "m"), 1.};
    Input<double> d_fixedRadius{this, input("fixedRadius", "The same for fixed points", "m"), 1.};
    Input<int> d_number{this, input("number", "Number of clusters; -1: one for each point", {}, Range::atLeast(-1.)),
                        -1};
    Input<Vector<Vec3>> d_fixedPosition{this, input("fixedPosition", "Fixed points", "m")};
    Input<Vector<Vec3>> d_position{this, input("position", "Points", "m")};
    Output<Vector<Vector<Index>>> d_cluster{this, output("cluster", "Points of each cluster")};
    Input<FileName> d_inFile{this, input("inFile", "File to read clusters from")};
    Input<OutputFileName> d_outFile{this, input("outFile", "File to write clusters to")};

    ClusteringEngine() { d_listening.setDefault(true); }
    void init() override
    {
        Engine::init();
        if (d_outFile.value().text.empty()) return;
        try {
            checkOutput(d_outFile.value().text);
        } catch (const std::runtime_error& e) {
            fail(std::string("outFile: ") + e.what());
        }
    }
    PointLists pointLists() override
    {
        auto points = pointsBehind(d_position);
        if (!points && l_topology) points = ElementNumbering{l_topology.get(), {ElementType::Points}};
        if (!points) return noLists();
        std::vector<ElementData> lists;
        if (!d_position.parent()) lists.emplace_back(&d_position);
        if (!d_inFile.value().text.empty()) {
            fileClusters();  // as long as points have the numbers of the file
            lists.emplace_back(&d_fileClusters, ElementData::Kind::NumberLists);
        }
        return {{{*points, std::move(lists)}}};
    }
    void followTopology(const TopologyChange&) override { setDirty(); }
    /// Reads the file again.
    void reinit() override
    {
        m_read = 0;
        Engine::reinit();
    }
    void draw(DrawTool& tool) override
    {
        const auto* state = node() ? node()->get<State<Vec3Types>>(Search::Up) : nullptr;
        if (!tool.shows(DisplayFlags::BehaviorModels) || !state) return;
        const auto& x = state->positions();
        const auto& clusters = d_cluster.value();
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            auto ends = tool.scratch<Vec3>();
            for (const Index i : clusters[c]) {
                if (i >= x.size() || clusters[c].front() >= x.size()) continue;
                ends.push_back(x[clusters[c].front()]);
                ends.push_back(x[i]);
            }
            const auto part = [&](std::size_t factor, std::size_t steps) {
                return static_cast<float>(c * factor % steps) / static_cast<float>(steps);
            };
            tool.lines(ends, plainStyle(Color(part(7543, 11), part(1357, 13), part(4829, 17))));
        }
    }

protected:
    void findInputs() override
    {
        if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
        if (l_topology)
            for (BaseData* d : core::elementLists(*l_topology)) addInput(*d);
    }
    void doUpdate() override
    {
        if (!d_inFile.value().text.empty()) return d_cluster.setValue(fileClusters());
        const Vector<Vec3>&x = d_position.value(), &fixed = d_fixedPosition.value();
        const bool alongEdges = l_topology && d_useTopo.value();
        Vector<Edge> edges;
        if (alongEdges)
            std::copy_if(l_topology->edges().begin(), l_topology->edges().end(), std::back_inserter(edges),
                         [&x](const Edge& e) { return e[0] < x.size() && e[1] < x.size(); });
        Vector<Index> centers(x.size()), owner;
        std::iota(centers.begin(), centers.end(), Index(0));
        if (d_number.value() == -1) {
            owner = centers;
        } else {
            FarthestPoints samples(x, edges);
            while (samples.size() < static_cast<std::size_t>(d_number.value()) && samples.addFarthest()) {
            }
            centers = samples.points();
            owner = samples.nearest();
        }
        Vector<Vector<Index>> clusters;
        for (const Index c : centers) clusters.push_back({c});
        if (alongEdges)
            for (Index c = 0; c < clusters.size(); ++c) growRings(clusters[c], c, owner);
        else
            collect(clusters, centers);
        for (std::size_t j = 0; j < fixed.size(); ++j)
            for (std::size_t c = 0; c < centers.size(); ++c)
                if (norm(fixed[j] - x[centers[c]]) < d_fixedRadius.value())
                    clusters[c].push_back(static_cast<Index>(x.size() + j));
        d_cluster.setValue(std::move(clusters));
        m_isWritten = false;
    }
    /// Writes what is new, from the first step on.
    void handleEvent(const Event& e) override
    {
        const bool begin = dynamic_cast<const AnimateBeginEvent*>(&e);
        if (!isValid() || d_outFile.value().text.empty() || !(begin || dynamic_cast<const AnimateEndEvent*>(&e)))
            return;
        const Vector<Vector<Index>>& clusters = d_cluster.value();
        if (!std::exchange(m_isWritten, true)) write(clusters);
    }

private:
    Data<Vector<Vector<Index>>> d_fileClusters{this,
                                               {.name = "fileClusters",
                                                .help = "Clusters of the file, with the present numbers of the points",
                                                .readOnly = true,
                                                .displayed = false,
                                                .saved = false}};
    bool m_isWritten = false;  ///< the present clusters
    std::size_t m_read = 0;    ///< the counter of inFile when fileClusters was read

    const Vector<Vector<Index>>& fileClusters()
    {
        if (m_read != d_inFile.counter()) d_fileClusters.setValue(read(requireFile(d_inFile)));
        m_read = d_inFile.counter();
        return d_fileClusters.value();
    }
    Vector<Index> neighbors(Index i) const
    {
        Vector<Index> list = l_topology->verticesAroundVertex(i);
        std::erase_if(list, [&](Index j) { return j >= d_position.value().size(); });
        return list;
    }
    void growRings(Vector<Index>& cluster, Index number, const Vector<Index>& owner) const
    {
        const Vector<Vec3>& x = d_position.value();
        const Vec3& center = x[cluster[0]];
        std::set<Index> inside{cluster[0]};
        for (std::size_t k = 0; k < cluster.size(); ++k)
            for (const Index j : neighbors(cluster[k]))
                if ((owner[cluster[k]] == number || norm(center - x[j]) < d_radius.value()) && inside.insert(j).second)
                    cluster.push_back(j);
    }
    void collect(Vector<Vector<Index>>& clusters, const Vector<Index>& centers) const
    {
        const Vector<Vec3>& x = d_position.value();
        for (Index j = 0; j < x.size(); ++j) {
            bool found = false;
            double least = std::numeric_limits<double>::max();
            std::size_t nearest = centers.size();
            for (std::size_t c = 0; c < centers.size(); ++c) {
                if (j == centers[c]) continue;
                const double d = norm(x[j] - x[centers[c]]);
                if (d < d_radius.value()) {
                    clusters[c].push_back(j);
                    found = true;
                }
                if (d < least) {
                    least = d;
                    nearest = c;
                }
            }
            if (!found && nearest < centers.size()) clusters[nearest].push_back(j);
        }
    }
    void write(const Vector<Vector<Index>>& clusters) const
    {
        std::string text = toText(int(d_useTopo.value())) + ' ' + toText(d_radius.value()) + ' ' +
                           toText(d_fixedRadius.value()) + ' ' + std::to_string(clusters.size()) + ' ' +
                           std::to_string(d_number.value()) + '\n';
        for (const Vector<Index>& c : clusters) text += std::to_string(c.size()) + ' ' + toText(c) + '\n';
        writeFile(d_outFile.value().text, text);
    }
    static Vector<Vector<Index>> read(const std::string& path)
    {
        const io::SourceText source = io::loadBytes(path);
        TextCursor c(source.text);
        const auto next = [&](const char* what) {
            double v = 0.;
            if (!readValue(c, v) || v < -1.) throw std::runtime_error(path + ": " + what + " expected, " + c.error());
            return v;
        };
        for (const char* what : {"useTopo", "radius", "fixedRadius"}) next(what);
        const double count = next("number of clusters");
        next("number");
        Vector<Vector<Index>> clusters;
        while (static_cast<double>(clusters.size()) < count) {
            Vector<Index>& cluster = clusters.emplace_back();
            for (double n = next("number of points"); static_cast<double>(cluster.size()) < n;) {
                Index i = 0;
                if (!readValue(c, i)) throw std::runtime_error(path + ": number of a point expected, " + c.error());
                cluster.push_back(i);
            }
        }
        return clusters;
    }
};

const RegisterComponent registeredClusteringEngine =
    RegisterComponent("ClusteringEngine", "Engine", "Sofa.Component.Engine.Analyze")
        .help("Groups of points that lie close together")
        .example("component/engine/ClusteringEngine.scn")
        .add<ClusteringEngine>();

}  // namespace

}  // namespace sofa::component
