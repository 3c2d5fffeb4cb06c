// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "components/collision/Interpenetration.h"
#include "core/collision/OutputOrder.h"
#include "core/factory/Registry.h"
#include "core/geometry/Proximity.h"
#include "core/parallel/Parallel.h"

namespace sofa::component {

namespace {

/// Contacts of closed surfaces of triangles that overlap, by rays through the volume that they share (SOFA's
/// RayTraceNarrowPhase).
///
/// From each point p of one surface, with the unit normal n, a ray goes inwards: p − t n, t > 0. There is a contact if
///  1. the ray meets the other surface, and the first triangle that it meets it meets from behind: p lies within the
///     other body, and the ray leaves that at q;
///  2. the ray also leaves its own surface, behind q: q lies within the first body.
/// Its points are p and q, its normal is n, its value −t: how far p must go back along n. The points of both surfaces
/// send rays. What does not overlap has no contacts: distances of the intersection method only decide which models are
/// looked at, and what the response makes of the contacts. Distances below 1e-9 of the size of the surfaces are none:
/// sides of two bodies that lie in one plane neither hide what is behind them nor are opposite to each other.
///
/// n is the direction of the sum of the normals of the triangles at p, weighted by their angles there (J. A. Bærentzen,
/// H. Aanæs, "Signed distance computation using the angle weighted pseudonormal", IEEE TVCG 11(3), 2005): it does not
/// depend on how a face is cut into triangles. SOFA, and compatibility="sofa", leave the weights out.
class RayTraceNarrowPhase final : public NarrowPhase
{
public:
    void findContacts(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                      std::vector<DetectionOutput>& outputs) override;
    void reset() override
    {
        m_outputOrder.clear();
        m_reported.clear();
    }
    void archive(Archive& a) override { m_outputOrder.archive(a); }

private:
    /// A surface of this detection.
    struct Surface
    {
        const CollisionModel* model;
        Vector<Vec3> normals;         ///< of the points; zero where there is none
        Vector<std::size_t> corners;  ///< 3 · triangle + corner of each point, once
        double least;                 ///< distance that is none [m]
    };
    struct Ray
    {
        Index pair, from, to;  ///< numbers of the pair and of the surfaces
        bool back;             ///< from the second model of the pair to the first one
        std::size_t corner;
    };

    Index surfaceOf(const CollisionModel& m);
    bool concerns(const ModelPair& pair);
    void trace(const ModelPair& pair, const Ray& ray, double contact, Vector<DetectedContact>& found) const;

    OutputOrder m_outputOrder;
    std::set<std::uint64_t> m_reported;  ///< serial numbers of the models that were told to be left out
    std::map<const CollisionModel*, Index> m_numbers;
    std::vector<Surface> m_surfaces;
    Vector<Ray> m_rays;
    std::vector<Vector<DetectedContact>> m_found;  ///< of each chunk of rays
    std::vector<Vector<Index>> m_pairOf;           ///< the pair of each of these contacts
};

/// Rays that one thread follows at a time.
constexpr std::size_t raysAtOnce = 64;

/// The normal of the points of a surface: see the class.
Vector<Vec3> normalsOfPoints(const CollisionModel& m, bool byAngles)
{
    Vector<Vec3> normals(m.state().size());
    for (Index i = 0; i < m.size(); ++i) {
        const auto v = m.vertices(i);
        const std::array<Vec3, 3> x{m.point(v[0]), m.point(v[1]), m.point(v[2])};
        const Vec3 area = cross(x[1] - x[0], x[2] - x[0]);
        const double length = norm(area);
        if (!(length > 0.)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 a = x[(k + 1) % 3] - x[k], b = x[(k + 2) % 3] - x[k];
            normals[v[k]] += area * ((byAngles ? std::atan2(length, dot(a, b)) : 1.) / length);
        }
    }
    for (Vec3& n : normals) n = normalized(n);
    return normals;
}

struct FirstHit
{
    Index triangle = InvalidIndex;
    geometry::RayHit hit{geometry::Aabb::infinity, {}, false};
};

/// The first triangle that a ray meets farther away than `least`, of those without the point `without`. Of several as
/// near the first one of the list.
FirstHit firstHit(const CollisionModel& m, const Vec3& origin, const Vec3& direction, double least, Index without)
{
    FirstHit first;
    m.tree().rayQuery(origin, direction, geometry::Aabb::infinity, [&](Index i, double) {
        const auto v = m.vertices(i);
        if (std::ranges::find(v, without) != v.end()) return first.hit.t;
        const auto hit = geometry::rayTriangle(origin, direction, m.point(v[0]), m.point(v[1]), m.point(v[2]));
        if (hit && hit->t > least && (hit->t < first.hit.t || (hit->t == first.hit.t && i < first.triangle)))
            first = {i, *hit};
        return first.hit.t;
    });
    return first;
}

Index RayTraceNarrowPhase::surfaceOf(const CollisionModel& m)
{
    const auto [it, isNew] = m_numbers.emplace(&m, static_cast<Index>(m_surfaces.size()));
    if (!isNew) return it->second;
    // What several threads read, besides: the hierarchy.
    (void)m.tree();
    Surface s{&m, normalsOfPoints(m, compatibility() == Compatibility::Exact), {}, 0.};
    Vector<char> seen(m.state().size(), 0);
    for (Index i = 0; i < m.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            if (!std::exchange(seen[m.vertices(i)[k]], char{1})) s.corners.push_back(3 * std::size_t{i} + k);
    s.least = 1e-9 * norm(m.box().upper - m.box().lower);
    m_surfaces.push_back(std::move(s));
    return it->second;
}

bool RayTraceNarrowPhase::concerns(const ModelPair& pair)
{
    bool both = true;
    for (const CollisionModel* m : {pair.first, pair.second}) {
        if (m->shape() == CollisionShape::Triangle) continue;
        both = false;
        if (!standsForTriangles(*m) && m_reported.insert(m->serial()).second)
            msgWarning() << "compares surfaces of triangles only: '" << m->pathName() << "' has " << nameOf(m->shape())
                         << ", which get no contacts";
    }
    // The way through a body is no overlap of the body with itself.
    return both && pair.first != pair.second;
}

void RayTraceNarrowPhase::trace(const ModelPair& pair, const Ray& ray, double contact,
                                Vector<DetectedContact>& found) const
{
    const Surface &from = m_surfaces[ray.from], &to = m_surfaces[ray.to];
    const auto triangle = static_cast<Index>(ray.corner / 3);
    const std::size_t corner = ray.corner % 3;
    const Index point = from.model->vertices(triangle)[corner];
    const Vec3 p = from.model->point(point), normal = from.normals[point], inwards = -normal;
    if (normal == Vec3()) return;
    const double least = std::max(from.least, to.least);
    const FirstHit other = firstHit(*to.model, p, inwards, least, InvalidIndex);
    if (other.triangle == InvalidIndex || other.hit.front) return;
    const FirstHit own = firstHit(*from.model, p, inwards, least, point);
    if (own.triangle == InvalidIndex || own.hit.front || !(own.hit.t > other.hit.t + least)) return;
    if (pair.first->node() == pair.second->node() &&
        !from.model->canCollide(triangle, *to.model, other.triangle, contact))
        return;
    DetectedContact c;
    c.primitive1 = triangle;
    c.primitive2 = other.triangle;
    c.id = static_cast<std::int64_t>(2 * ray.corner + (ray.back ? 1 : 0));
    c.point1 = p;
    c.point2 = p + inwards * other.hit.t;
    c.normal = normal;
    c.value = -other.hit.t;
    c.weights1 = PrimitiveWeights::corner(corner);
    c.weights2 = other.hit.weights;
    if (ray.back) c.swapPrimitives();
    found.push_back(c);
}

void RayTraceNarrowPhase::findContacts(const std::vector<ModelPair>& pairs, const IntersectionMethod& method,
                                       std::vector<DetectionOutput>& outputs)
{
    outputs.clear();
    m_numbers.clear();
    m_surfaces.clear();
    m_rays.clear();
    for (Index p = 0; p < pairs.size(); ++p) {
        if (!concerns(pairs[p])) continue;
        const Index a = surfaceOf(*pairs[p].first), b = surfaceOf(*pairs[p].second);
        for (const std::size_t c : m_surfaces[a].corners) m_rays.push_back({p, a, b, false, c});
        for (const std::size_t c : m_surfaces[b].corners) m_rays.push_back({p, b, a, true, c});
    }
    const std::size_t chunks = (m_rays.size() + raysAtOnce - 1) / raysAtOnce;
    if (m_found.size() < chunks) {
        m_found.resize(chunks);
        m_pairOf.resize(chunks);
    }
    const double contact = method.contactDistance();
    parallelFor(0, m_rays.size(), raysAtOnce, [&](std::size_t begin, std::size_t end) {
        Vector<DetectedContact>& found = m_found[begin / raysAtOnce];
        Vector<Index>& pairOf = m_pairOf[begin / raysAtOnce];
        found.clear();
        pairOf.clear();
        for (std::size_t k = begin; k < end; ++k) {
            trace(pairs[m_rays[k].pair], m_rays[k], contact, found);
            pairOf.resize(found.size(), m_rays[k].pair);
        }
    });
    Index current = InvalidIndex;
    for (std::size_t c = 0; c < chunks; ++c)
        for (std::size_t k = 0; k < m_found[c].size(); ++k) {
            if (m_pairOf[c][k] != current) {
                current = m_pairOf[c][k];
                outputs.push_back({pairs[current], {}});
            }
            outputs.back().contacts.push_back(m_found[c][k]);
        }
    m_outputOrder.sort(pairs, outputs);
}

const RegisterComponent registeredRayTraceNarrowPhase =
    RegisterComponent("RayTraceNarrowPhase", "NarrowPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help(
            "Contacts of surfaces of triangles that overlap: rays from points of one along the inward normal to the "
            "other")
        .example("component/collision/RayTraceNarrowPhase.scn")
        .add<RayTraceNarrowPhase>();

}  // namespace

}  // namespace sofa::component
