// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionModel.h"

#include <algorithm>

#include "core/geometry/Proximity.h"
#include "core/parallel/SimdLevel.h"
#include "core/topology/BaseMeshTopology.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

bool CollisionModel::canCollideWith(const CollisionModel& other) const
{
    if (node() == other.node()) return d_selfCollision.value();
    const Vector<int>& others = other.d_group.value();
    return std::ranges::none_of(d_group.value(),
                                [&](int g) { return std::find(others.begin(), others.end(), g) != others.end(); });
}

Vec3 CollisionModel::endPoint(Index k) const
{
    if (m_wanted.motion == CollisionMotion::FreeMotion && state().isAllocated(vec_id::freePosition))
        return state().pointPosition(k, vec_id::freePosition);
    if (m_wanted.motion != CollisionMotion::Inertia) return point(k);
    const double* v = state().scalars(vec_id::velocity) + state().derivSize() * k;
    return point(k) + Vec3{v[0], v[1], v[2]} * m_wanted.dt;
}

void CollisionModel::reportDegenerate(Index n) const
{
    if (n == 0) {
        msgWarning() << "it has no " << nameOf(shape()) << " at the first detection: nothing collides with it";
        return;
    }
    const bool lines = shape() == CollisionShape::Line;
    if (!lines && shape() != CollisionShape::Triangle) return;
    Index count = 0, first = 0;
    const Arrays known = arrays();
    const auto corner = [&](Index i, std::size_t k) {
        return known.vertices ? known.points[known.vertices[i * known.perPrimitive + k]] : point(vertices(i)[k]);
    };
    for (Index i = 0; i < n; ++i) {
        const Vec3 origin = corner(i, 0), a = corner(i, 1) - origin;
        double longest = norm2(a), extent = longest;  // squared length, or that of the normal of a triangle
        if (!lines) {
            const Vec3 b = corner(i, 2) - origin;
            longest = std::max({longest, norm2(b), norm2(b - a)});
            extent = norm(cross(a, b));
        }
        if (extent > 1e-12 * longest || !(longest >= 0.)) continue;  // positions that are no numbers are told elsewhere
        if (count++ == 0) first = i;
    }
    if (count == 0) return;
    msgWarning() << count << " of " << n << " " << nameOf(shape()) << (lines ? " have no length" : " have no area")
                 << ", the first is number " << first << " (vertices " << vertices(first)[0] << ", "
                 << vertices(first)[1] << (lines ? "" : ", " + std::to_string(vertices(first)[2]))
                 << "): there are no contacts with the inside of such";
}

void CollisionModel::archive(Archive& a)
{
    // Of a mesh that has changed since the last update, the next one orders anew.
    bool holds = !m_orderRevision || *m_orderRevision == (topology() ? topology()->revision() : 0);
    a(holds);
    if (holds) m_order.archive(a);
    if (!a.loading()) return;
    if (!holds) m_order = {};
    m_orderRevision.reset();  // it holds for the topology as it is
}

void CollisionModel::checkedPrimitives()
{
    try {
        updatePrimitives();
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(pathName() + " (" + className() + "): " + e.what());
    }
}

void CollisionModel::followTopology(const TopologyChange&)
{
    checkedPrimitives();
    m_hasChanged = true;
}

void CollisionModel::update(const CollisionUpdate& wanted)
{
    m_wanted = wanted;
    if (const std::size_t version = node()->root().version(); version != m_nodeVersion) {
        m_nodeVersion = version;
        m_hasLines = std::ranges::any_of(node()->getAll<CollisionModel>(Search::Up),
                                         [](const CollisionModel* m) { return m->shape() == CollisionShape::Line; });
    }
    checkedPrimitives();
    const Index n = primitiveCount();
    const std::size_t revision = topology() ? topology()->revision() : 0;
    if (m_updated && !m_hasChanged && !d_moving.value() && n == size() && m_orderRevision == revision) return;
    if (!m_updated) reportDegenerate(n);
    m_updated = true;
    m_hasChanged = false;
    m_treeReady = false;
    m_boxes.resize(n);
    if (n == 0 || wanted.motion != CollisionMotion::None || !boxesOf(arrays())) boxesOfPoints();
    // An order that a checkpoint brought stays.
    if (m_order.size() != n || (m_orderRevision && *m_orderRevision != revision))
        m_order.build(m_boxes, wanted.orderDepth);
    m_orderRevision = revision;
}

void CollisionModel::boxesOfPoints()
{
    m_box = {};
    const double skin = d_contactDistance.value();
    for (Index i = 0; i < size(); ++i) {
        const auto v = vertices(i);
        const auto check = [&](Index k, const Vec3& p) {
            if (!isFinite(p))
                throw std::runtime_error(pathName() + " (" + className() + "): the position of point " +
                                         std::to_string(k) + " is not finite: " + toText(p) + ", in number " +
                                         std::to_string(i) + " of its " + nameOf(shape()));
        };
        geometry::Aabb b;
        for (const Index k : v) {
            const Vec3 p = point(k);
            check(k, p);
            b.include(p);
        }
        // What is more than its vertices.
        if (v.size() < 2) b = bounds(i);
        if (m_wanted.motion != CollisionMotion::None) {
            // What one point carries goes with it.
            const geometry::Aabb start = b;
            for (const Index k : v) {
                const Vec3 end = endPoint(k);
                check(k, end);
                b.include(end);
                const Vec3 way = end - point(k);
                if (v.size() == 1) b.include(geometry::Aabb(start.lower + way, start.upper + way));
            }
            // Points of what turns leave their straight way by no more than the arc.
            if (const double arc = turn(i); arc > 0.) b = b.inflated(arc);
        }
        m_boxes[i] = b.inflated(skin + radius(i));
        m_box.include(m_boxes[i]);
    }
}

namespace {

/// Sets boxes of N vertices each and the box of all of them; returns a number that is zero if all numbers are finite.
template <std::size_t N>
double boxesOfVertices(const Index* v, const Vec3* points, double skin, Vector<geometry::Aabb>& boxes,
                       geometry::Aabb& all)
{
    double notFinite = 0.;
    Vec3 lower = all.lower, upper = all.upper;
    for (geometry::Aabb& box : boxes) {
        Vec3 least = points[v[0]], most = least, sum = least;
        for (std::size_t i = 1; i < N; ++i) {
            const Vec3& p = points[v[i]];
            for (std::size_t k = 0; k < 3; ++k) {
                least[k] = std::min(least[k], p[k]);
                most[k] = std::max(most[k], p[k]);
            }
            sum += p;
        }
        v += N;
        for (std::size_t k = 0; k < 3; ++k) {
            notFinite += sum[k] * 0.;
            box.lower[k] = least[k] - skin;
            box.upper[k] = most[k] + skin;
            lower[k] = std::min(lower[k], box.lower[k]);
            upper[k] = std::max(upper[k], box.upper[k]);
        }
    }
    all = {lower, upper};
    return notFinite;
}

#if defined(__x86_64__)
/// The same, with a point in a register of four. What is behind a point is neither read nor written.
template <std::size_t N>
[[gnu::target("avx2")]] double boxesOfVerticesAvx2(const Index* v, const Vec3* points, double skin,
                                                   Vector<geometry::Aabb>& boxes, geometry::Aabb& all)
{
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    const __m256d margin = _mm256_set1_pd(skin), zero = _mm256_setzero_pd();
    __m256d notFinite = zero, lower = _mm256_maskload_pd(all.lower.data(), three),
            upper = _mm256_maskload_pd(all.upper.data(), three);
    static_assert(sizeof(geometry::Aabb) == 6 * sizeof(double));
    for (geometry::Aabb& box : boxes) {
        __m256d least = _mm256_maskload_pd(points[v[0]].data(), three), most = least, sum = least;
        for (std::size_t i = 1; i < N; ++i) {
            const __m256d p = _mm256_maskload_pd(points[v[i]].data(), three);
            least = _mm256_min_pd(p, least);
            most = _mm256_max_pd(p, most);
            sum = _mm256_add_pd(sum, p);
        }
        v += N;
        notFinite = _mm256_add_pd(notFinite, _mm256_mul_pd(sum, zero));
        least = _mm256_sub_pd(least, margin);
        most = _mm256_add_pd(most, margin);
        lower = _mm256_min_pd(least, lower);
        upper = _mm256_max_pd(most, upper);
        _mm256_storeu_pd(box.lower.data(), least);  // and the first number of the next
        _mm_storeu_pd(box.upper.data(), _mm256_castpd256_pd128(most));
        _mm_store_sd(&box.upper[2], _mm256_extractf128_pd(most, 1));
    }
    _mm256_maskstore_pd(all.lower.data(), three, lower);
    _mm256_maskstore_pd(all.upper.data(), three, upper);
    return notFinite[0] + notFinite[1] + notFinite[2];
}
#endif

}  // namespace

bool CollisionModel::boxesOf(const Arrays& arrays)
{
    if (!arrays.vertices) return false;
    m_box = {};
    const auto boxes = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
        auto* const kernel = SOFA_OF_SIMD_LEVEL(boxesOfVertices<N>, boxesOfVerticesAvx2<N>, boxesOfVerticesAvx2<N>);
        return kernel(arrays.vertices, arrays.points, d_contactDistance.value(), m_boxes, m_box);
    };
    switch (arrays.perPrimitive) {
        case 1:
            return boxes(std::integral_constant<std::size_t, 1>()) == 0.;
        case 2:
            return boxes(std::integral_constant<std::size_t, 2>()) == 0.;
        case 3:
            return boxes(std::integral_constant<std::size_t, 3>()) == 0.;
        default:
            return false;
    }
}

bool CollisionModel::sharesVertex(Index i, const CollisionModel& other, Index j) const
{
    if (&state() != &other.state()) return false;
    const auto others = other.vertices(j);
    return std::ranges::any_of(vertices(i),
                               [&](Index v) { return std::find(others.begin(), others.end(), v) != others.end(); });
}

geometry::ConvexBody CollisionModel::body(Index primitive) const
{
    std::array<Vec3, 4> points;
    const auto v = vertices(primitive);
    for (std::size_t k = 0; k < v.size(); ++k) points[k] = point(v[k]);
    return geometry::ConvexBody::of({points.data(), v.size()}, radius(primitive));
}

geometry::ConvexBody CollisionModel::bodyAt(Index primitive, double t) const
{
    std::array<Vec3, 4> points;
    const auto v = vertices(primitive);
    for (std::size_t k = 0; k < v.size(); ++k) points[k] = pointAt(v[k], t);
    return geometry::ConvexBody::of({points.data(), v.size()}, radius(primitive));
}

PrimitivePoint CollisionModel::carriedBack(Index primitive, double t, const Vec3& p) const
{
    const auto v = vertices(primitive);
    if (v.size() == 1) return {p + (point(v[0]) - pointAt(v[0], t)), {}};
    PrimitivePoint at{{}, weightsAt(primitive, p, t)};
    for (std::size_t k = 0; k < v.size(); ++k) at.position += point(v[k]) * at.weights[k];
    return at;
}

PrimitiveWeights CollisionModel::weightsAt(Index primitive, const Vec3& p, double t) const
{
    const auto v = vertices(primitive);
    const auto at = [&](std::size_t k) { return pointAt(v[k], t); };
    if (v.size() == 2) return geometry::pointSegment(p, at(0), at(1)).weightsB;
    if (v.size() == 3) return geometry::pointTriangle(p, at(0), at(1), at(2)).weightsB;
    return geometry::pointTetrahedron(p, at(0), at(1), at(2), at(3)).weightsB;
}

geometry::Aabb CollisionModel::bounds(Index primitive) const
{
    geometry::Aabb b;
    for (const Index v : vertices(primitive)) b.include(point(v));
    return b;
}

const geometry::Bvh& CollisionModel::tree() const
{
    if (!m_treeReady) m_tree.update(m_boxes);
    m_treeReady = true;
    return m_tree;
}

}  // namespace sofa::core
