// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/MixedBezierTetrahedra.h"

#include <algorithm>

namespace sofa::core {

namespace {

/// Gradients c_k of the barycentric coordinates in turned axes, and Lamé's parameters times the volume.
struct Turned
{
    std::array<Vec3, 4> c;
    double lambda, mu;

    explicit Turned(const IsotropicTangent& t) : lambda(t.rows[1][3]), mu(t.rows[0][3])
    {
        for (std::size_t k = 0; k < 4; ++k) c[k] = {t.rows[k][0], t.rows[k][1], t.rows[k][2]};
    }
};

}  // namespace

void MixedBezierTetrahedra::build(const Vector<BezierTetrahedron>& elements, const MiddlePoints& middles,
                                  const Vector<Vec3>& rest, bool rotated)
{
    m_elements = elements;
    m_all = middles;
    m_places.resize(elements.size());
    m_linearElements.clear();
    m_curvedElements.clear();
    m_middles.first = middles.first;
    m_middles.ends.clear();
    Vector<Tetrahedron> straight;
    Vector<BezierTetrahedron> bent;
    Vector<Index> numbers(middles.ends.size(), InvalidIndex);
    for (Index e = 0; e < elements.size(); ++e) {
        BezierTetrahedron t = elements[e];
        if (std::all_of(t.begin() + 4, t.end(), [&](Index c) { return middles.isMiddle(c); })) {
            m_places[e] = static_cast<Index>(m_linearElements.size());
            m_linearElements.push_back(e);
            straight.push_back({t[0], t[1], t[2], t[3]});
            continue;
        }
        m_places[e] = static_cast<Index>(m_curvedElements.size());
        m_curvedElements.push_back(e);
        for (std::size_t k = 4; k < t.size(); ++k) {
            if (!middles.isMiddle(t[k])) continue;
            Index& number = numbers[t[k] - middles.first];
            if (number == InvalidIndex) {
                number = m_middles.first + static_cast<Index>(m_middles.ends.size());
                m_middles.ends.push_back(middles.endsOf(t[k]));
            }
            t[k] = number;
        }
        bent.push_back(t);
    }
    m_linear.build(straight, rest, rotated ? RotationMethod::NearestGradient : RotationMethod::Small);
    m_curved.build(bent, m_middles.extended(rest, m_x), rotated, m_middles.first);
    m_middleStiffness.clear();
}

void MixedBezierTetrahedra::setMaterial(Index e, const LameParameters& material)
{
    m_middleStiffness.clear();
    const Index place = m_places[e];
    if (place < m_linearElements.size() && m_linearElements[place] == e)
        m_linear.setMaterial(place, material);
    else
        m_curved.setMaterial(place, material);
}

void MixedBezierTetrahedra::addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
{
    m_linear.addForce(f, x);
    if (m_middles.empty()) return m_curved.addForce(f, x);
    m_f.assign(m_middles.first + m_middles.ends.size(), {});
    m_curved.addForce(m_f, m_middles.extended(x, m_x));
    m_middles.addFolded(f, m_f);
}

void MixedBezierTetrahedra::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    m_linear.addStiffnessProduct(df, dx, factor);
    if (m_middles.empty()) return m_curved.addStiffnessProduct(df, dx, factor);
    m_f.assign(m_middles.first + m_middles.ends.size(), {});
    m_curved.addStiffnessProduct(m_f, m_middles.extended(dx, m_x), factor);
    m_middles.addFolded(df, m_f);
}

void MixedBezierTetrahedra::addStiffness(BlockSink& sink) const
{
    // Those with more blocks in a row come first: the rows of a matrix are made with them.
    if (m_curved.size() > 0) m_curved.addStiffness(sink);
    if (m_linear.size() > 0) m_linear.addStiffness(sink);
}

double MixedBezierTetrahedra::energy(const Vector<Vec3>& x) const
{
    return m_linear.energy(x) + m_curved.energy(m_middles.extended(x, m_x));
}

template <class T, class OfLinear, class OfCurved>
void MixedBezierTetrahedra::scatter(Vector<T>& out, OfLinear ofLinear, OfCurved ofCurved) const
{
    out.resize(size());
    Vector<T> part;
    ofLinear(part);
    for (std::size_t k = 0; k < part.size(); ++k) out[m_linearElements[k]] = part[k];
    ofCurved(part);
    for (std::size_t k = 0; k < part.size(); ++k) out[m_curvedElements[k]] = part[k];
}

void MixedBezierTetrahedra::energies(const Vector<Vec3>& x, Vector<double>& out) const
{
    scatter(
        out, [&](Vector<double>& part) { m_linear.energies(x, part); },
        [&](Vector<double>& part) { m_curved.energies(m_middles.extended(x, m_x), part); });
}

void MixedBezierTetrahedra::stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const
{
    scatter(
        out, [&](Vector<Mat3>& part) { m_linear.stresses(x, part); },
        [&](Vector<Mat3>& part) { m_curved.stresses(m_middles.extended(x, m_x), part); });
}

void MixedBezierTetrahedra::middleForces(const Vector<Vec3>& x, Vector<Vec3>& f)
{
    if (m_all.empty()) return f.clear();
    f.assign(x.size(), {});
    addForce(f, x);
    f.assign(m_all.ends.size(), {});
    // With the constant stress of a linear element the forces on a middle are half of those on its ends.
    for (Index k = 0; k < m_linear.size(); ++k) {
        const BezierTetrahedron& t = m_elements[m_linearElements[k]];
        const Turned element(m_linear.tangent(k));
        Mat3 gradient = -Mat3::identity();
        for (std::size_t i = 1; i < 4; ++i) gradient += outer(x[t[i]] - x[t[0]], element.c[i]);
        const Mat3 stress = isotropicStress(gradient, element.lambda, element.mu);
        std::array<Vec3, 4> half;
        for (std::size_t i = 0; i < 4; ++i) half[i] = stress * element.c[i] * -0.5;
        for (std::size_t e = 0; e < bezierEdges.size(); ++e)
            f[t[4 + e] - m_all.first] += half[bezierEdges[e][0]] + half[bezierEdges[e][1]];
    }
    const Vector<Vec3>& all = m_middles.extended(x, m_x);
    for (Index k = 0; k < m_curved.size(); ++k) {
        const BezierTetrahedron& t = m_elements[m_curvedElements[k]];
        std::array<Vec3, 10> forces;
        m_curved.elementForces(k, all, forces);
        for (std::size_t c = 4; c < t.size(); ++c)
            if (m_all.isMiddle(t[c])) f[t[c] - m_all.first] += forces[c];
    }
}

const Vector<double>& MixedBezierTetrahedra::middleStiffness() const
{
    Vector<double>& k = m_middleStiffness;
    if (k.size() == m_all.ends.size()) return k;
    k.assign(m_all.ends.size(), 0.);
    const auto add = [&](const BezierTetrahedron& t, const IsotropicTangent& tangent) {
        const Turned element(tangent);
        const double factor = (element.lambda + 4. * element.mu) / 15. * 2.;
        for (std::size_t e = 0; e < bezierEdges.size(); ++e) {
            if (!m_all.isMiddle(t[4 + e])) continue;
            const Vec3 &one = element.c[bezierEdges[e][0]], &other = element.c[bezierEdges[e][1]];
            k[t[4 + e] - m_all.first] += factor * (norm2(one) + norm2(other) + dot(one, other));
        }
    };
    for (Index e = 0; e < m_linear.size(); ++e) add(m_elements[m_linearElements[e]], m_linear.tangent(e));
    for (Index e = 0; e < m_curved.size(); ++e) add(m_elements[m_curvedElements[e]], m_curved.tangent(e));
    return k;
}

}  // namespace sofa::core
