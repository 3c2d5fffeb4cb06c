// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/TensorMass.h"

#include <stdexcept>
#include <tuple>

namespace sofa::core {

template <std::size_t N>
void TensorMass::build(const Vector<std::array<Index, N>>& elements, const Vector<Vec3>& rest, Block block)
{
    struct Term
    {
        Index low, high, element;
        std::uint8_t i, j;
    };
    std::vector<Term> terms;
    terms.reserve(elements.size() * (N * (N - 1) / 2));
    for (Index e = 0; e < elements.size(); ++e)
        for (std::uint8_t i = 0; i < N; ++i)
            for (std::uint8_t j = i + 1; j < N; ++j) {
                const Index a = elements[e][i], b = elements[e][j];
                // A point exerts no force on itself.
                if (a != b) terms.push_back({std::min(a, b), std::max(a, b), e, i, j});
            }
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
        return std::tie(a.low, a.high, a.element, a.i, a.j) < std::tie(b.low, b.high, b.element, b.i, b.j);
    });
    Vector<Edge> pairs;
    m_tensors.clear();
    for (const Term& t : terms) {
        if (pairs.empty() || pairs.back() != Edge{t.low, t.high}) {
            pairs.push_back({t.low, t.high});
            m_tensors.push_back(Mat3());
        }
        const Mat3 k = block(t.element, t.i, t.j);
        m_tensors.back() += elements[t.element][t.i] == t.low ? k : k.transposed();
    }
    m_graph.build(pairs, static_cast<Index>(rest.size()));
    m_rest = rest;
}

template <class Difference>
void TensorMass::addProducts(Vector<Vec3>& out, double factor, Difference&& difference) const
{
    m_graph.accumulate(out, [&](Index p, Vec3* sums) {
        const Vec3 d = difference(m_graph.elements()[p]) * factor;
        sums[0] = m_tensors[p] * d;
        sums[1] = -transposeTimes(m_tensors[p], d);
    });
}

void TensorMass::addForce(Vector<Vec3>& f, const Vector<Vec3>& x) const
{
    addProducts(f, 1., [&](const Edge& p) { return (x[p[0]] - m_rest[p[0]]) - (x[p[1]] - m_rest[p[1]]); });
}

void TensorMass::addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
{
    addProducts(df, factor, [&](const Edge& p) { return dx[p[0]] - dx[p[1]]; });
}

void TensorMass::addStiffness(BlockSink& sink) const
{
    if (m_graph.size() > 0)
        m_graph.addStiffness(sink, [&](Index p, std::size_t i, std::size_t) {
            return i == 0 ? m_tensors[p] : m_tensors[p].transposed();
        });
}

double TensorMass::energy(const Vector<Vec3>& x) const
{
    return m_graph.sum([&](Index p) {
        const auto& [i, j] = m_graph.elements()[p];
        const Vec3 a = x[i] - m_rest[i], b = x[j] - m_rest[j], d = a - b;
        return -0.5 * (dot(a, m_tensors[p] * d) - dot(b, transposeTimes(m_tensors[p], d)));
    });
}

template void TensorMass::build<3>(const Vector<Triangle>&, const Vector<Vec3>&, Block);
template void TensorMass::build<4>(const Vector<Quad>&, const Vector<Vec3>&, Block);

}  // namespace sofa::core
