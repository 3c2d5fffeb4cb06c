// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/IsotropicRows.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/linalg/SymmetricPairs.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

constexpr std::size_t rowsGrain = 256;  ///< rows in a piece of the parallel loop

}  // namespace

void IsotropicRows::collect(const ElementConnectivity& mesh, Index v)
{
    const std::uint32_t bits = m_quadratic ? quadraticTermBits : linearTermBits;
    const auto n = static_cast<std::uint32_t>(mesh.n);
    m_neighbours.clear();
    m_pairTerms.clear();
    m_rowTerms.clear();
    for (const std::uint32_t slot : mesh.slots[v]) {
        const std::uint32_t e = slot / n, i = slot % n, place = mesh.order.placeOf(e);
        if (place >> (32 - bits) != 0)
            throw std::runtime_error("more than " + std::to_string(1u << (32 - bits)) + " tetrahedra in one mesh");
        const Index* const element = mesh.verticesOf(e);
        for (std::uint32_t j = 0; j < n; ++j) {
            const Index w = element[j];
            if (w == v) {
                m_rowTerms.push_back(isotropicTerm(bits, place, i, j));
                continue;
            }
            if (w < v || w >= mesh.middles) continue;
            std::uint32_t k = m_indexOf[w];  // of an earlier row, perhaps
            if (k >= m_neighbours.size() || m_neighbours[k].vertex != w) {
                k = m_indexOf[w] = static_cast<std::uint32_t>(m_neighbours.size());
                m_neighbours.push_back({w, 0, 0});
            }
            ++m_neighbours[k].count;
            m_pairTerms.push_back({k, isotropicTerm(bits, place, i, j)});
        }
    }
    if (!m_rowTerms.empty()) m_rowTerms.back() |= lastIsotropicTerm;
    // Columns in order, each with its terms as they came.
    m_sorted.resize(m_neighbours.size());
    std::iota(m_sorted.begin(), m_sorted.end(), 0u);
    std::ranges::sort(m_sorted, {}, [this](std::uint32_t k) { return m_neighbours[k].vertex; });
    m_columns.clear();
    for (const std::uint32_t k : m_sorted) m_columns.push_back(m_neighbours[k].vertex);
    auto end = static_cast<std::uint32_t>(m_rowTerms.size());
    for (const std::uint32_t k : m_sorted) {
        m_neighbours[k].next = end;
        end += m_neighbours[k].count;
    }
    m_rowTerms.resize(end);
    for (const auto& [k, term] : m_pairTerms) m_rowTerms[m_neighbours[k].next++] = term;
    for (const std::uint32_t k : m_sorted) m_rowTerms[m_neighbours[k].next - 1] |= lastIsotropicTerm;
}

void IsotropicRows::build(const ElementConnectivity& mesh)
{
    const std::size_t points = std::min<std::size_t>(mesh.points(), mesh.middles);
    m_quadratic = mesh.n == 10;
    m_middles.assign(m_quadratic ? mesh.count : 0, 0);
    for (std::size_t e = 0; e < m_middles.size(); ++e)
        for (std::size_t k = 4; k < 10; ++k)
            if (mesh.verticesOf(e)[k] >= mesh.middles)
                m_middles[mesh.order.placeOf(static_cast<Index>(e))] |= static_cast<std::uint8_t>(1u << (k - 4));
    m_indexOf.assign(points, 0);
    m_terms.clear();
    SymmetricPattern& p = m_pattern;
    PiecewiseRows<std::uint32_t> before;
    std::swap(p.columns, before);
    p.vertices = mesh.order.vertices;
    std::erase_if(p.vertices, [&](Index v) { return v >= mesh.middles; });
    const bool reordered = !p.vertices.empty();
    if (reordered) p.columns.resize(points);
    for (std::size_t r = 0; r < points; ++r) {
        const Index v = p.vertexAt(r);
        collect(mesh, v);
        m_terms.push_back(m_rowTerms);
        if (reordered)
            p.columns.set(v, m_columns);
        else
            p.columns.push_back(m_columns);
    }
    p.columnsWere(before);
}

void IsotropicRows::update(const ElementConnectivity& mesh, Vector<Index> vertices)
{
    const std::size_t points = mesh.points();
    SymmetricPattern& p = m_pattern;
    m_indexOf.resize(points, 0);
    m_terms.resize(points);
    p.columns.resize(points);
    p.vertices = mesh.order.vertices;
    p.previous = p.id;
    p.id = SymmetricPattern::newId();
    for (const Index v : vertices) {
        collect(mesh, v);
        m_terms.set(mesh.order.rankOf(v), m_rowTerms);
        p.columns.set(v, m_columns);
    }
    p.changed = std::move(vertices);
}

void IsotropicRows::Source::forEachRows(const Rows& rows)
{
    const IsotropicRows& s = m_rows;
    parallelFor(0, s.m_terms.size(), rowsGrain, [&](std::size_t first, std::size_t last) {
        forEachRowsBuffered(
            first, last, rows,
            [&](std::size_t begin, std::size_t end) {
                std::size_t blocks = end - begin;
                for (std::size_t r = begin; r < end; ++r) blocks += s.columnsOf(r);
                return blocks;
            },
            [&](std::size_t begin, std::size_t end, double* out) {
                for (std::size_t r = begin; r < end; ++r) {
                    const auto terms = s.m_terms[r];
                    const std::size_t blocks = 1 + s.columnsOf(r);
                    if (terms.empty()) {
                        std::fill_n(out, 9, 0.);
                    } else {
                        if (s.m_quadratic)
                            edgeKernels().sumQuadratic(m_tangents, s.m_middles.data(), terms.data(), blocks, out);
                        else
                            edgeKernels().sumLinear(m_tangents, terms.data(), blocks, out);
                        // Symmetric in exact arithmetic only; now exactly.
                        for (std::size_t i = 0; i < 3; ++i)
                            for (std::size_t j = 0; j < i; ++j)
                                out[3 * i + j] = out[3 * j + i] = (out[3 * i + j] + out[3 * j + i]) * 0.5;
                    }
                    out += 9 * blocks;
                }
            });
    });
}

}  // namespace sofa::core
