// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/LineSetSkinningMapping.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/parallel/Parallel.h"

namespace sofa::component {

namespace {

/// Weight of the line from a to b at x; infinite where x is one of its places.
double lineWeight(const Vec3& a, const Vec3& b, const Vec3& x, int power)
{
    constexpr int steps = 1000;
    const Vec3 along = b - a;
    if (along == Vec3()) return 0.;
    double sum = 0.;
    for (int k = 0; k <= steps; ++k) {
        const double d2 = norm2(along * k / steps + a - x);
        double term = power % 2 != 0 ? 1. / std::sqrt(d2) : 1.;
        for (int i = 0; i < power / 2; ++i) term /= d2;
        sum += term;
    }
    return sum * (norm(along) / steps);
}

}  // namespace

template <class In, class Out>
bool LineSetSkinningMapping<In, Out>::checkLines()
{
    const auto failed = [this](const std::string& why) {
        this->fail(why);
        return false;
    };
    std::string error;
    if (!l_topology.resolve(error)) return failed("topology: " + error);
    if (!l_topology) l_topology.set(this->input().node()->template get<BaseMeshTopology>(Search::Up));
    if (!l_topology)
        return failed("it needs a topology with the lines between the frames beside '" + this->input().pathName() +
                      "' or above");
    const Vector<Edge>& edges = l_topology->edges();
    if (edges.empty())
        return failed("'" + l_topology->pathName() + "' has no edges; expected lines between the frames");
    for (std::size_t i = 0; i < edges.size(); ++i)
        for (const Index v : edges[i])
            if (v >= this->input().size())
                return failed("edge " + std::to_string(i) + " of '" + l_topology->pathName() + "' ends in frame " +
                              std::to_string(v) + ", but '" + this->input().pathName() + "' has " +
                              std::to_string(this->input().size()));
    if (d_numberInfluencedLines.value() < 1 || d_numberInfluencedLines.value() == InvalidIndex)
        return failed("numberInfluencedLines is 0; expected 1 at least");
    return true;
}

template <class In, class Out>
void LineSetSkinningMapping<In, Out>::init()
{
    if (!this->findStates() || !checkLines()) return;
    m_frames = this->input().positions();
    m_points = this->output().positions();
    setUp();
    Base::init();
}

template <class In, class Out>
Vector<Vector<Index>> LineSetSkinningMapping<In, Out>::neighborhoods() const
{
    const Vector<Edge>& edges = l_topology->edges();
    Vector<Vector<Index>> around(m_frames.size());  // lines of each frame
    for (Index i = 0; i < edges.size(); ++i)
        for (const Index v : edges[i]) around[v].push_back(i);
    Vector<Vector<Index>> near(edges.size());
    for (Index line = 0; line < edges.size(); ++line) {
        std::vector<bool> found(edges.size());
        found[line] = true;
        near[line] = {line};
        std::size_t begin = 0;
        for (Index level = 0; level < d_neighborhoodLevel.value() && begin < near[line].size(); ++level) {
            const std::size_t end = near[line].size();
            for (; begin < end; ++begin) {
                const Edge edge = edges[near[line][begin]];
                for (const Index v : edge)
                    for (const Index other : around[v])
                        if (!found[other]) {
                            found[other] = true;
                            near[line].push_back(other);
                        }
            }
        }
        std::sort(near[line].begin(), near[line].end());
    }
    return near;
}

template <class In, class Out>
void LineSetSkinningMapping<In, Out>::setUp()
{
    const Vector<Edge>& edges = l_topology->edges();
    const Vector<Vector<Index>> near = neighborhoods();
    m_lines.assign(m_points.size(), {});
    parallelFor(0, m_points.size(), 16, [&](std::size_t begin, std::size_t end) {
        Vector<Line> all(edges.size());
        for (std::size_t i = begin; i < end; ++i) {
            for (Index k = 0; k < edges.size(); ++k)
                all[k] = {k, lineWeight(m_frames[edges[k][0]].center, m_frames[edges[k][1]].center, m_points[i],
                                        d_weightCoef.value())};
            std::ranges::sort(all, [](const Line& a, const Line& b) {
                return a.weight > b.weight || (a.weight == b.weight && a.line > b.line);
            });
            Vector<Line>& mine = m_lines[i];
            const Vector<Index>& around = near[all[0].line];
            for (const Line& one : all)
                if (mine.size() < d_numberInfluencedLines.value() && std::ranges::binary_search(around, one.line))
                    mine.push_back(one);
            const bool onLine = !std::isfinite(mine[0].weight);
            double sum = 0.;
            for (Line& one : mine) {
                if (onLine) one.weight = std::isfinite(one.weight) ? 0. : 1.;
                sum += one.weight;
            }
            // Lines without length have no weight.
            for (Line& one : mine) one.weight = sum > 0. ? one.weight / sum : 1. / static_cast<double>(mine.size());
        }
    });

    Vector<typename Base::Influence> influences;
    Vector<Index> starts{0};
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const auto first = static_cast<std::ptrdiff_t>(influences.size());
        for (const Line& one : m_lines[i]) {
            const Index frame = edges[one.line][0];
            const auto same = std::find_if(influences.begin() + first, influences.end(),
                                           [&](const auto& other) { return other.frame == frame; });
            if (same != influences.end()) {
                same->weight += one.weight;
            } else if (one.weight > 0.) {
                const RigidCoord3& f = m_frames[frame];
                influences.push_back({frame, one.weight, f.orientation.inverseRotate(m_points[i] - f.center)});
            }
        }
        starts.push_back(static_cast<Index>(influences.size()));
    }
    this->setInfluences(std::move(influences), std::move(starts));
}

static const RegisterComponent registeredLineSetSkinningMapping =
    RegisterComponent("LineSetSkinningMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("A skin whose points follow the lines near them, between frames")
        .example("component/mapping/LineSetSkinningMapping.scn")
        .add<LineSetSkinningMapping, Types<Rigid3Types, Vec3Types>>();

}  // namespace sofa::component
