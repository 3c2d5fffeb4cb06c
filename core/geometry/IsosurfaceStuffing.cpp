// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/IsosurfaceStuffing.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace sofa::core::geometry {

namespace {

/// Points of the lattice by twice their coordinates from the middle of the box: all even for corners of cubes, all odd
/// for centres.
class Lattice
{
public:
    using Place = Vec<3, int>;

    explicit Lattice(const StuffingOptions& o) : m_cell(o.cell), m_middle((o.box.lower + o.box.upper) * 0.5)
    {
        if (!(o.cell > 0.)) throw std::runtime_error("the cells of the lattice have no size");
        for (std::size_t a = 0; a < 3; ++a) {
            m_half[a] = std::floor(0.5 * (o.box.upper[a] - o.box.lower[a]) / m_cell) + 2.;
            if (!(m_half[a] < 1e6)) throw std::runtime_error("the lattice has too many cells");
            m_corners[a] = 2 * static_cast<int>(m_half[a]) + 1;
        }
        if (!(m_half[0] * m_half[1] * m_half[2] < 1e8)) throw std::runtime_error("the lattice has too many cells");
    }
    /// Corners of cubes along each axis; there is one layer of centres more.
    const Place& corners() const { return m_corners; }
    Index cornerCount() const { return static_cast<Index>(m_corners[0] * m_corners[1] * m_corners[2]); }
    Index count() const
    {
        return cornerCount() + static_cast<Index>((m_corners[0] + 1) * (m_corners[1] + 1) * (m_corners[2] + 1));
    }
    bool isCorner(Index i) const { return i < cornerCount(); }
    Place place(Index i) const
    {
        const bool corner = isCorner(i);
        int k = static_cast<int>(corner ? i : i - cornerCount());
        Place p;
        for (std::size_t a = 0; a < 3; ++a) {
            const int n = m_corners[a] + (corner ? 0 : 1);
            p[a] = 2 * (k % n) - n + 1;
            k /= n;
        }
        return p;
    }
    Vec3 position(Index i) const
    {
        const Place p = place(i);
        return m_middle + Vec3{double(p[0]), double(p[1]), double(p[2])} * (0.5 * m_cell);
    }
    /// InvalidIndex outside.
    Index number(const Place& p) const
    {
        const bool corner = (p[0] + m_corners[0] - 1) % 2 == 0;
        Index number = 0;
        for (std::size_t a = 3; a-- > 0;) {
            const int n = m_corners[a] + (corner ? 0 : 1), k = p[a] + n - 1;
            if (k < 0 || k / 2 >= n) return InvalidIndex;
            number = number * static_cast<Index>(n) + static_cast<Index>(k / 2);
        }
        return corner ? number : number + cornerCount();
    }
    /// Calls f(neighbour, whether the edge is a long one) for the six and eight edges of a point.
    template <class F>
    void forEachEdge(Index i, F f) const
    {
        const Place p = place(i);
        const auto visit = [&](const Place& step, bool isLong) {
            if (const Index j = number({p[0] + step[0], p[1] + step[1], p[2] + step[2]}); j != InvalidIndex)
                f(j, isLong);
        };
        for (std::size_t a = 0; a < 3; ++a)
            for (const int s : {-2, 2}) {
                Place step;
                step[a] = s;
                visit(step, true);
            }
        for (const int z : {-1, 1})
            for (const int y : {-1, 1})
                for (const int x : {-1, 1}) visit({x, y, z}, false);
    }
    /// Calls f(tetrahedron) for those around each edge between two corners of cubes.
    template <class F>
    void forEachTetrahedron(F f) const
    {
        for (Index i = 0; i < cornerCount(); ++i) {
            const Place p = place(i);
            for (std::size_t a = 0; a < 3; ++a) {
                Place before = p;
                before[a] -= 2;
                const Index other = number(before);
                if (other == InvalidIndex) continue;
                // The four centres around the middle of the edge, in turn.
                std::array<Index, 4> around;
                constexpr std::array<std::array<int, 2>, 4> turn{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
                for (std::size_t k = 0; k < 4; ++k) {
                    Place c = p;
                    c[a] -= 1;
                    c[(a + 1) % 3] += turn[k][0];
                    c[(a + 2) % 3] += turn[k][1];
                    around[k] = number(c);
                }
                for (std::size_t k = 0; k < 4; ++k) f(Tetrahedron{i, other, around[(k + 1) % 4], around[k]});
            }
        }
    }

private:
    double m_cell;
    Vec3 m_middle, m_half;
    Place m_corners;
};

class Stuffing
{
public:
    Stuffing(FunctionRef<double(const Vec3&)> f, const StuffingOptions& o) : m_f(f), m_options(o), m_lattice(o)
    {
        const std::size_t n = m_lattice.count();
        m_out.points.resize(n);
        m_out.kinds.resize(n, StuffedMesh::Lattice);
        m_value.resize(n);
        parallelFor(0, n, 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                m_out.points[i] = m_lattice.position(static_cast<Index>(i));
                m_value[i] = m_f(m_out.points[i]);
            }
        });
        // What is on the surface but for rounding is on it.
        for (double& v : m_value)
            if (std::abs(v) < 1e-12 * o.cell) v = 0.;
    }

    StuffedMesh run()
    {
        if (m_options.snap || m_options.split) findCuts();
        if (m_options.snap) snap();
        m_lattice.forEachTetrahedron([&](const Tetrahedron& t) { add(t); });
        dropUnused();
        return std::move(m_out);
    }

private:
    static Edge key(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }
    int sign(Index i) const { return (m_value[i] > 0.) - (m_value[i] < 0.); }

    /// Where the edges between an inner and an outer point meet the surface, as parts from the lower number.
    void findCuts()
    {
        for (Index i = 0; i < m_lattice.count(); ++i)
            m_lattice.forEachEdge(i, [&](Index j, bool) {
                if (i < j && sign(i) * sign(j) < 0) m_cuts[{i, j}] = root(i, j);
            });
    }
    /// The Illinois method.
    double root(Index i, Index j) const
    {
        double a = 0., b = 1., fa = m_value[i], fb = m_value[j];
        int kept = 0;  // which end was kept the last time
        for (int k = 0; k < 60 && b - a > 1e-12; ++k) {
            double c = a + (b - a) * fa / (fa - fb);
            if (!(c > a && c < b)) c = 0.5 * (a + b);
            const double fc = m_f(m_out.points[i] * (1. - c) + m_out.points[j] * c);
            if (std::abs(fc) < 1e-13 * m_options.cell) return c;
            if ((fc > 0.) == (m_value[i] > 0.)) {
                a = c;
                fa = fc;
                if (kept == 2) fb *= 0.5;
                kept = 2;
            } else {
                b = c;
                fb = fc;
                if (kept == 1) fa *= 0.5;
                kept = 1;
            }
        }
        return 0.5 * (a + b);
    }
    /// Moves points to the nearest cut that is too near. Edges of a moved point have no cuts any more.
    void snap()
    {
        for (Index i = 0; i < m_lattice.count(); ++i) {
            if (sign(i) == 0) continue;
            double least = std::numeric_limits<double>::infinity();
            Vec3 target;
            m_lattice.forEachEdge(i, [&](Index j, bool isLong) {
                if (sign(i) * sign(j) >= 0) return;
                const double s = m_cuts.at(key(i, j)), part = i < j ? s : 1. - s;
                const double distance = part * (isLong ? 1. : std::sqrt(0.75));
                if (part >= (isLong ? m_options.alphaLong : m_options.alphaShort) || distance >= least) return;
                least = distance;
                target = m_out.points[i] * (1. - part) + m_out.points[j] * part;
            });
            if (least > 1.) continue;
            m_out.points[i] = target;
            m_out.kinds[i] = StuffedMesh::Snapped;
            m_value[i] = 0.;
        }
    }
    Index cut(Index a, Index b)
    {
        const auto [known, isNew] = m_cutPoints.try_emplace(key(a, b), static_cast<Index>(m_out.points.size()));
        if (isNew) {
            const Edge e = key(a, b);
            const double s = m_cuts.at(e);
            m_out.points.push_back(m_out.points[e[0]] * (1. - s) + m_out.points[e[1]] * s);
            m_out.kinds.push_back(StuffedMesh::Cut);
        }
        return known->second;
    }
    /// Of the quad p, q, cut(q, e), cut(p, e) in the face p q e: whether its diagonal starts at p rather than at q. It
    /// touches the cut of the long edge, if that is cut; else it follows the parity rule, about which both tetrahedra
    /// with the face agree.
    bool startsAt(Index p, Index q, Index e) const
    {
        const bool likeP = m_lattice.isCorner(p) == m_lattice.isCorner(e);
        const bool likeQ = m_lattice.isCorner(q) == m_lattice.isCorner(e);
        if (likeP != likeQ) return likeQ;
        const auto a = m_lattice.place(p), b = m_lattice.place(e);
        int above = 0;
        for (std::size_t k = 0; k < 3; ++k) above += a[k] > b[k];
        return (above % 2 == 1) == m_lattice.isCorner(p);
    }
    void emit(Index a, Index b, Index c, Index d)
    {
        const Vector<Vec3>& x = m_out.points;
        const double volume = dot(x[b] - x[a], cross(x[c] - x[a], x[d] - x[a]));
        m_out.tetrahedra.push_back(volume < 0. ? Tetrahedron{a, b, d, c} : Tetrahedron{a, b, c, d});
    }
    void add(const Tetrahedron& t)
    {
        Vector<Index> in, on, out;
        for (const Index i : t) (sign(i) > 0 ? in : sign(i) < 0 ? out : on).push_back(i);
        if (in.empty()) return;
        if (out.empty() || !m_options.split) return emit(t[0], t[1], t[2], t[3]);
        if (in.size() == 1) {
            Tetrahedron cutOff = t;
            for (Index& i : cutOff)
                if (sign(i) < 0) i = cut(i, in[0]);
            emit(cutOff[0], cutOff[1], cutOff[2], cutOff[3]);
        } else if (in.size() == 2 && out.size() == 1) {
            Index p = in[0], q = in[1];
            if (!startsAt(p, q, out[0])) std::swap(p, q);
            const Index cp = cut(p, out[0]), cq = cut(q, out[0]);
            emit(on[0], p, q, cq);
            emit(on[0], p, cq, cp);
        } else if (in.size() == 2) {
            // The diagonals of the two faces with both inner points start at different ones.
            const Index p = in[0], q = in[1];
            Index m = out[0], n = out[1];
            if (!startsAt(p, q, m)) std::swap(m, n);
            const Index pm = cut(p, m), pn = cut(p, n), qm = cut(q, m), qn = cut(q, n);
            emit(p, pm, pn, qm);
            emit(p, q, pn, qm);
            emit(q, pn, qn, qm);
        } else {
            // The inner point at the other end of the long edge of the outer one has no diagonal.
            const Index e = out[0];
            for (std::size_t k = 1; k < 3; ++k)
                if (m_lattice.isCorner(in[k]) == m_lattice.isCorner(e)) std::swap(in[0], in[k]);
            Index b = in[1], c = in[2];
            if (!startsAt(b, c, e)) std::swap(b, c);
            const Index ca = cut(in[0], e), cb = cut(b, e), cc = cut(c, e);
            emit(in[0], b, c, ca);
            emit(ca, b, c, cc);
            emit(ca, b, cc, cb);
        }
    }
    void dropUnused()
    {
        Vector<Index> number(m_out.points.size(), InvalidIndex);
        for (const Tetrahedron& t : m_out.tetrahedra)
            for (const Index i : t) number[i] = 0;
        Index used = 0;
        for (std::size_t i = 0; i < number.size(); ++i) {
            if (number[i] == InvalidIndex) continue;
            m_out.points[used] = m_out.points[i];
            m_out.kinds[used] = m_out.kinds[i];
            number[i] = used++;
        }
        m_out.points.resize(used);
        m_out.kinds.resize(used);
        for (Tetrahedron& t : m_out.tetrahedra)
            for (Index& i : t) i = number[i];
    }

    FunctionRef<double(const Vec3&)> m_f;
    const StuffingOptions& m_options;
    Lattice m_lattice;
    StuffedMesh m_out;
    Vector<double> m_value;  ///< of the points of the lattice; 0 for those on the surface
    std::map<Edge, double> m_cuts;
    std::map<Edge, Index> m_cutPoints;
};

}  // namespace

double latticeSize(const StuffingOptions& options)
{
    double cells = 1.;
    for (std::size_t a = 0; a < 3; ++a)
        cells *= 2. * (std::floor(0.5 * (options.box.upper[a] - options.box.lower[a]) / options.cell) + 2.);
    return 12. * cells;
}

StuffedMesh stuffIsosurface(FunctionRef<double(const Vec3&)> f, const StuffingOptions& options)
{
    return Stuffing(f, options).run();
}

}  // namespace sofa::core::geometry
