// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/EndContacts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "components/collision/ProximityTests.h"
#include "core/geometry/Ccd.h"
#include "core/geometry/Proximity.h"
#include "core/parallel/Parallel.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

namespace {

using Shape = CollisionShape;

/// Candidates that one thread tests at a time.
constexpr std::size_t chunk = 128;

/// Corners of two primitives, those of the first one first, at the beginning and at the end of the motion [m].
template <std::size_t M, std::size_t N>
struct Way
{
    static constexpr std::size_t size = M + N;

    Way(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
    {
        for (std::size_t k = 0; k < size; ++k) {
            const CollisionModel& m = k < M ? a : b;
            const Index v = k < M ? m.vertices(i)[k] : m.vertices(j)[k - M];
            start[k] = m.point(v);
            end[k] = m.endPoint(v);
        }
        // Differences of corners bound those of all other points.
        double furthest2 = 0.;
        for (std::size_t k = 0; k < M; ++k)
            for (std::size_t l = M; l < size; ++l)
                furthest2 = std::max(furthest2, norm2((end[l] - start[l]) - (end[k] - start[k])));
        relative = std::sqrt(furthest2);
    }
    std::array<Vec3, size> at(double t) const
    {
        std::array<Vec3, size> x;
        for (std::size_t k = 0; k < size; ++k) x[k] = start[k] * (1. - t) + end[k] * t;
        return x;
    }
    std::array<Vec3, size> start, end;
    double relative = 0.;  ///< longest way of a point of one relative to a point of the other [m]
};

/// A pair of primitives, and how near they may come.
struct Tested
{
    Tested(const IntersectionMethod& m, const CollisionModel& model1, Index primitive1, const CollisionModel& model2,
           Index primitive2)
        : method(m),
          a(model1),
          b(model2),
          i(primitive1),
          j(primitive2),
          contact(Reach(m, a, i, b, j).contact),
          tolerance(m.correctionTolerance())
    {
        const double radii = a.radius(i) + b.radius(j);
        tolerance *= contact > radii ? contact - radii : contact;
    }
    const IntersectionMethod& method;
    const CollisionModel &a, &b;
    Index i, j;
    double contact, tolerance;  ///< [m]
};

/// Appends the contact of two points, given with their ways, that shall stay apart along a normal; false if they do.
bool report(const Tested& t, const NearestPoints& start, const NearestPoints& end, const Vec3& normal,
            Vector<DetectedContact>& out)
{
    const double before = dot(start.second - start.first, normal) - t.contact,
                 after = dot(end.second - end.first, normal) - t.contact;
    if (!(after < std::min(0., before) - t.tolerance)) return false;
    DetectedContact c{t.i, t.j, idOfLarger(t.a, t.i, t.b, t.j), start.first, start.second, normal, before};
    c.weights1 = start.weights1;
    c.weights2 = start.weights2;
    c.atEnd = true;
    const Vec3 side = c.normal;
    if (!settleSide(t.method, {t.a, t.i}, {t.b, t.j}, c) || dot(side, c.normal) < 0.) return false;
    out.push_back(c);
    return true;
}

/// Points of two primitives of M and N corners, which are given those of the first one first.
template <std::size_t M, std::size_t N>
NearestPoints pointsAt(const std::array<Vec3, M + N>& x, const PrimitiveWeights& w1, const PrimitiveWeights& w2)
{
    NearestPoints at{{}, {}, w1, w2};
    for (std::size_t k = 0; k < M; ++k) at.first += x[k] * w1[k];
    for (std::size_t k = 0; k < N; ++k) at.second += x[M + k] * w2[k];
    return at;
}

geometry::CcdParameters crossing(const Tested& t)
{
    return {.tolerance = std::max(1e-3 * t.contact, 1e-12), .maxIterations = 10000};
}

/// Contacts of pairs that have passed through each other along n, a vector of any length, at weights of their corners.
template <std::size_t M, std::size_t N>
bool reportPassage(const Tested& t, const Way<M, N>& way, const PrimitiveWeights& w1, const PrimitiveWeights& w2,
                   const Vec3& n, Vector<DetectedContact>& out)
{
    const double length = norm(n);
    if (!(length > 0.)) return false;
    const NearestPoints start = pointsAt<M, N>(way.start, w1, w2), end = pointsAt<M, N>(way.end, w1, w2);
    const bool forwards = dot(start.second - start.first, n) > 0.;
    return report(t, start, end, n / (forwards ? length : -length), out);
}

/// A triangle and a point, or the centre of a sphere.
void endTriangleAndPoint(const Tested& t, Vector<DetectedContact>& out)
{
    const Way<3, 1> way(t.a, t.i, t.b, t.j);
    const auto &x0 = way.start, &x1 = way.end;
    const auto near0 = geometry::pointTriangle(x0[3], x0[0], x0[1], x0[2]);
    const double distance0 = near0.distance();
    if (distance0 - way.relative >= t.contact) return;
    if (distance0 <= way.relative) {
        const auto pointFirst = [](const std::array<Vec3, 4>& x) {
            return std::array<Vec3, 4>{x[3], x[0], x[1], x[2]};
        };
        const auto met = geometry::pointTriangleCcd(pointFirst(x0), pointFirst(x1), crossing(t));
        if (met.status == geometry::CcdStatus::collision) {
            const auto x = way.at(met.time);
            const auto near = geometry::pointTriangle(x[3], x[0], x[1], x[2]);
            if (reportPassage(t, way, near.weightsB, PrimitiveWeights::corner(0), cross(x[1] - x[0], x[2] - x[0]), out))
                return;
        }
    }
    NearestPoints end;
    if (!nearestOnMovingSurface(t.a, t.i, 1., x1[3], Sides::all, end)) return;
    const double distance1 = norm(end.second - end.first);
    if (!(distance1 > 0. && distance1 < t.contact - t.tolerance)) return;
    report(t, pointsAt<3, 1>(x0, end.weights1, PrimitiveWeights::corner(0)), end, (end.second - end.first) / distance1,
           out);
}

/// Two lines; their ends are points of other lines or triangles.
void endLines(const Tested& t, Vector<DetectedContact>& out)
{
    const Way<2, 2> way(t.a, t.i, t.b, t.j);
    const auto &x0 = way.start, &x1 = way.end;
    const double distance0 = geometry::segmentSegment(x0[0], x0[1], x0[2], x0[3]).distance();
    if (distance0 - way.relative >= t.contact) return;
    if (distance0 <= way.relative) {
        const auto met = geometry::edgeEdgeCcd(x0, x1, crossing(t));
        if (met.status == geometry::CcdStatus::collision) {
            const auto x = way.at(met.time);
            const auto near = geometry::segmentSegment(x[0], x[1], x[2], x[3]);
            if (reportPassage(t, way, near.weightsA, near.weightsB, cross(x[1] - x[0], x[3] - x[2]), out)) return;
        }
    }
    const auto near1 = geometry::segmentSegment(x1[0], x1[1], x1[2], x1[3]);
    const double distance1 = near1.distance();
    if (!(distance1 > 0. && distance1 < t.contact - t.tolerance)) return;
    if (std::min({near1.weightsA[0], near1.weightsA[1], near1.weightsB[0], near1.weightsB[1]}) < proximityBorder)
        return;
    report(t, pointsAt<2, 2>(x0, near1.weightsA, near1.weightsB), {near1.pointA, near1.pointB}, near1.delta / distance1,
           out);
}

/// Tests primitives i and j of a pair of models whose shapes are looked at.
void test(const IntersectionMethod& m, const ModelPair& pair, Index i, Index j, Vector<DetectedContact>& out)
{
    const CollisionModel &a = *pair.first, &b = *pair.second;
    if (a.shape() == Shape::Line) return endLines({m, a, i, b, j}, out);
    if (a.shape() == Shape::Triangle) return endTriangleAndPoint({m, a, i, b, j}, out);
    const std::size_t before = out.size();
    endTriangleAndPoint({m, b, j, a, i}, out);
    if (out.size() == before) return;
    DetectedContact& c = out.back();
    c.swapPrimitives();
    c.id = idOfLarger(a, i, b, j);
}

/// What the contacts of two primitives are known by.
using Primitives = std::pair<Index, Index>;

/// Appends the contacts that none of those that are there says already, to tell how many they are.
std::size_t append(const Vector<DetectedContact>& found, double contact, Vector<DetectedContact>& to)
{
    std::multimap<Primitives, std::size_t> known;
    for (std::size_t k = 0; k < to.size(); ++k) known.emplace(Primitives{to[k].primitive1, to[k].primitive2}, k);
    std::size_t count = 0;
    for (DetectedContact c : found) {
        const Primitives key{c.primitive1, c.primitive2};
        const auto [first, last] = known.equal_range(key);
        // Where a solver has not converged, the same row once more would not help.
        const double near2 = 1e-6 * contact * contact;
        const bool repeated = std::any_of(first, last, [&](const auto& entry) {
            const DetectedContact& o = to[entry.second];
            return dot(o.normal, c.normal) > 1. - 1e-6 && norm2(o.point1 - c.point1) < near2 &&
                   norm2(o.point2 - c.point2) < near2;
        });
        if (repeated) continue;
        c.id |= static_cast<std::int64_t>(std::distance(first, last)) << 40;
        known.emplace(key, to.size());
        to.push_back(c);
        ++count;
    }
    return count;
}

}  // namespace

bool EndContacts::covers(CollisionShape a, CollisionShape b)
{
    const auto isRound = [](CollisionShape s) { return s == Shape::Point || s == Shape::Sphere; };
    return (a == Shape::Line && b == Shape::Line) || (a == Shape::Triangle && isRound(b)) ||
           (b == Shape::Triangle && isRound(a));
}

double longestWay(const CollisionModel& m)
{
    double longest2 = 0.;
    for (Index k = 0; k < m.state().size(); ++k) longest2 = std::max(longest2, norm2(m.endPoint(k) - m.point(k)));
    return std::sqrt(longest2);
}

std::size_t EndContacts::find(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                              std::vector<DetectionOutput>& outputs)
{
    std::size_t count = 0;
    Vector<DetectedContact> all;
    for (const ModelPair& pair : pairs) {
        const CollisionModel &a = *pair.first, &b = *pair.second;
        method.prepare(pair);
        const double contact = method.contactDistance();  // skins and radii are in the boxes
        const auto found =
            &a == &b ? m_search.within(a.tree(), contact) : m_search.between(a.tree(), b.tree(), contact);
        m_candidates.assign(found.begin(), found.end());
        const std::size_t chunks = (m_candidates.size() + chunk - 1) / chunk;
        if (m_found.size() < chunks) m_found.resize(chunks);
        const bool sameNode = a.node() == b.node();
        parallelFor(0, m_candidates.size(), chunk, [&](std::size_t begin, std::size_t end) {
            Vector<DetectedContact>& here = m_found[begin / chunk];
            here.clear();
            for (std::size_t k = begin; k < end; ++k) {
                auto [i, j] = m_candidates[k];
                if (&a == &b) std::swap(i, j);
                if (!sameNode || a.canCollide(i, b, j, contact)) test(method, pair, i, j, here);
            }
        });
        all.clear();
        for (std::size_t c = 0; c < chunks; ++c) all.insert(all.end(), m_found[c].begin(), m_found[c].end());
        if (all.empty()) continue;
        auto to = std::ranges::find(outputs, pair, &DetectionOutput::models);
        if (to == outputs.end()) to = outputs.insert(to, {pair, {}});
        count += append(all, contact, to->contacts);
    }
    return count;
}

}  // namespace sofa::component
