// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CompositeCells.h"

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "core/fem/elements/ElementMassMatrix.h"

namespace sofa::core {

namespace {

using Eigen::MatrixXd;

/// Place of corner i of a cell, 0 or 1 along each axis.
Vec<3, int> cornerPlace(std::size_t i)
{
    Vec<3, int> p;
    for (std::size_t a = 0; a < 3; ++a) p[a] = HexahedronShape::corners[i][a] > 0. ? 1 : 0;
    return p;
}

/// Trilinear functions at a place of n along each axis.
std::array<double, 8> trilinear(const Vec<3, int>& place, int n)
{
    Vec3 at;
    for (std::size_t a = 0; a < 3; ++a) at[a] = 2. * place[a] / n - 1.;
    return HexahedronShape::values(at);
}

using Wide = Eigen::Matrix<double, Eigen::Dynamic, 24>;

/// A matrix of ours as one of Eigen.
Eigen::Map<const Eigen::Matrix<double, 24, 24, Eigen::RowMajor>> view(const Mat<24>& m)
{
    return Eigen::Map<const Eigen::Matrix<double, 24, 24, Eigen::RowMajor>>(m[0].data());
}

/// Stiffness of an empty cell in SOFA [N/m]: numbers of six digits in single precision, whose rows do not sum to zero.
void roundAsSofa(CorotationalHexahedra::Stiffness& k)
{
    k *= 8.5e10 * 8. / 3. / k[0][0];
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j) {
            const double unit = k[i][j] == 0. ? 1. : std::pow(10., std::floor(std::log10(std::abs(k[i][j]))) - 5.);
            k[i][j] = static_cast<float>(std::round(k[i][j] / unit) * unit);
        }
}

/// Takes the last bits of the energy of translations out of a stiffness: node 0 takes what the others leave.
void removeTranslations(CorotationalHexahedra::Stiffness& k)
{
    const auto takeRest = [&](std::size_t r, std::size_t c) {
        k[r][c] = 0.;
        for (std::size_t j = 1; j < 8; ++j) k[r][c] -= k[r][3 * j + c];
    };
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t r = 3; r < 24; ++r) {
            takeRest(r, c);
            k[c][r] = k[r][c];
        }
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) takeRest(r, c);
}

}  // namespace

/// A cell of a step: a piece of the finer level, or an empty one.
struct CompositeCells::Child
{
    Index piece = InvalidIndex;
    Vec<3, int> place;
    Cells cells;
};

void CompositeCells::build(std::span<const SparseLevel> levels, const Options& options)
{
    m_levels = levels;
    m_options = options;
    const std::size_t top = levels.size() - 1;
    m_at = top - options.finer;
    m_meshes.clear();
    m_start.clear();
    m_children.clear();
    m_stepWeights.clear();
    for (std::size_t l = m_at; l < top; ++l) {
        const bool shared = levels[l].neighbors.empty() || options.connectAll;
        m_meshes.push_back(shared ? sharedCorners(levels[l]) : ramifiedCorners(levels[l]));
        m_stepWeights.emplace_back();
        Vector<Index> start(levels[l + 1].pieces() + 1, 0), children(levels[l].pieces());
        for (const Index p : levels[l].parent) ++start[p + 1];
        for (std::size_t p = 1; p < start.size(); ++p) start[p] += start[p - 1];
        Vector<Index> next = start;
        for (Index q = 0; q < levels[l].pieces(); ++q) children[next[levels[l].parent[q]]++] = q;
        m_start.push_back(std::move(start));
        m_children.push_back(std::move(children));
    }
}

std::span<const Index> CompositeCells::childrenOf(std::size_t level, Index piece) const
{
    const std::size_t l = level - m_at - 1;
    return {m_children[l].data() + m_start[l][piece], m_start[l][piece + 1] - m_start[l][piece]};
}

Index CompositeCells::coarsePiece(Index finePiece) const
{
    Index p = finePiece;
    for (std::size_t l = m_at; l + 1 < m_levels.size(); ++l) p = m_levels[l].parent[p];
    return p;
}

std::pair<Index, Vec3> CompositeCells::locate(const Vec3& x) const
{
    const SparseLevel &finest = m_levels.front(), &fine = m_levels[m_at];
    const Index gridCell = finest.grid.find(x);
    Index cell = gridCell == InvalidIndex ? InvalidIndex : finest.sparseCell[gridCell];
    if (cell == InvalidIndex) cell = nearestCell(finest, x);
    Index piece = finest.pieceStart[cell];
    for (std::size_t l = 0; l < m_at; ++l) piece = m_levels[l].parent[piece];
    const Vec<3, int> place = fine.grid.place(fine.gridCell[fine.pieceCell[piece]]);
    Vec3 at = fine.grid.coordinates(x);
    for (std::size_t a = 0; a < 3; ++a) at[a] = 2. * (at[a] - place[a]) - 1.;
    return {piece, at};
}

Vec3 CompositeCells::coordinates(Index finePiece, std::size_t corner) const
{
    const SparseLevel &fine = m_levels[m_at], &coarse = m_levels.back();
    const int n = 1 << m_options.finer;
    const Vec<3, int> in = coarse.grid.place(coarse.gridCell[coarse.pieceCell[coarsePiece(finePiece)]]);
    const Vec<3, int> place = fine.grid.place(fine.gridCell[fine.pieceCell[finePiece]]) - in * n + cornerPlace(corner);
    Vec3 at;
    for (std::size_t a = 0; a < 3; ++a) at[a] = 2. * place[a] / n - 1.;
    return at;
}

CompositeCells::Element CompositeCells::homogenise(Index piece, const Nodes& rest, const LameParameters& material,
                                                   double density, const WeightSink& sink)
{
    Nodes fine;
    const int n = 1 << m_options.finer;
    for (std::size_t i = 0; i < 8; ++i) {
        const std::array<double, 8> w = trilinear(cornerPlace(i), n);
        fine[i] = {};
        for (std::size_t j = 0; j < 8; ++j) fine[i] += rest[j] * w[j];
    }
    m_unitStiffness = CorotationalHexahedra::integrate(fine, material);
    m_unitMass = elementMassMatrix<HexahedronShape>(fine, HexahedronShape::quadrature,
                                                    [density](const double*) { return density; });
    for (auto& weights : m_stepWeights) weights.clear();
    const Cells cells = compute(m_levels.size() - 1, piece);
    if (sink) compose(m_levels.size() - 1, piece, Matrix::identity(), sink);
    Element out{cells.stiffness, {}};
    removeTranslations(out.stiffness);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j)
            for (std::size_t c = 0; c < 3; ++c) out.mass[i][j] += cells.mass[3 * i + c][3 * j + c] / 3.;
    return out;
}

void CompositeCells::removeRotations(Matrix& k, const Nodes& rest, const std::array<Mat3, 8>& turning)
{
    Matrix p = Matrix::identity();
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j)
            p.setBlock(3 * i, 3 * j, p.block<3, 3>(3 * i, 3 * j) + crossMatrix(rest[i]) * turning[j]);
    const Matrix full = p.transposed() * (k * p);
    for (std::size_t r = 0; r < 24; ++r)
        for (std::size_t c = 0; c < 24; ++c) k[r][c] = (full[r][c] + full[c][r]) * 0.5;
    removeTranslations(k);
}

CompositeCells::Cells CompositeCells::compute(std::size_t level, Index piece)
{
    Cells out;
    if (level == m_at) {
        out.stiffness = m_unitStiffness;
        out.stiffness *= m_levels[level].stiffness[piece];
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j)
                for (std::size_t c = 0; c < 3; ++c)
                    out.mass[3 * i + c][3 * j + c] = m_unitMass[i][j] * m_levels[level].mass[piece];
        return out;
    }
    std::vector<Child> children;
    collect(level, piece, step(), {}, children);
    for (Child& c : children) c.cells = compute(level - step(), c.piece);
    return condense(level - step(), children, std::size_t{1} << step());
}

void CompositeCells::collect(std::size_t level, Index piece, std::size_t down, const Vec<3, int>& place,
                             std::vector<Child>& out) const
{
    if (down == 0) {
        out.push_back({piece, place, {}});
        return;
    }
    const SparseLevel &coarse = m_levels[level], &fine = m_levels[level - 1];
    const Vec<3, int> in = coarse.grid.place(coarse.gridCell[coarse.pieceCell[piece]]) * 2;
    for (const Index q : childrenOf(level, piece))
        collect(level - 1, q, down - 1, place * 2 + fine.grid.place(fine.gridCell[fine.pieceCell[q]]) - in, out);
}

CompositeCells::Cells CompositeCells::condense(std::size_t level, const std::vector<Child>& children,
                                               std::size_t places)
{
    const int n = static_cast<int>(places);
    // Local nodes: by place, then by number in the mesh of the level; empty cells take the first one of a place.
    std::map<std::array<int, 3>, std::map<Index, Eigen::Index>> nodes;
    const auto key = [](const Vec<3, int>& p) { return std::array<int, 3>{p[2], p[1], p[0]}; };
    const Vector<Hexahedron>& hexahedra = m_meshes[level - m_at].hexahedra;
    std::vector<bool> filled(places * places * places, false);
    const auto slot = [n](const Vec<3, int>& p) { return static_cast<std::size_t>(p[0] + n * (p[1] + n * p[2])); };
    for (const Child& c : children) {
        filled[slot(c.place)] = true;
        for (std::size_t i = 0; i < 8; ++i) nodes[key(c.place + cornerPlace(i))][hexahedra[c.piece][i]] = 0;
    }
    Eigen::Index count = 0;
    for (int z = 0; z <= n; ++z)
        for (int y = 0; y <= n; ++y)
            for (int x = 0; x <= n; ++x) {
                auto& here = nodes[{z, y, x}];
                if (here.empty()) here[InvalidIndex] = 0;
                for (auto& [id, number] : here) number = count++;
            }
    MatrixXd real = MatrixXd::Zero(3 * count, 3 * count), mass = real;
    const auto add = [](MatrixXd& to, const Matrix& m, const std::array<Eigen::Index, 8>& at) {
        for (Eigen::Index i = 0; i < 8; ++i)
            for (Eigen::Index j = 0; j < 8; ++j)
                to.block<3, 3>(3 * at[static_cast<std::size_t>(i)], 3 * at[static_cast<std::size_t>(j)]) +=
                    view(m).block<3, 3>(3 * i, 3 * j);
    };
    std::vector<std::array<Eigen::Index, 8>> numbers;
    for (const Child& c : children) {
        auto& at = numbers.emplace_back();
        for (std::size_t i = 0; i < 8; ++i) at[i] = nodes[key(c.place + cornerPlace(i))][hexahedra[c.piece][i]];
        add(real, c.cells.stiffness, at);
        add(mass, c.cells.mass, at);
    }
    // The static problem has the empty cells too.
    double largest = 0., smallest = 0.;
    for (const double k : real.diagonal()) {
        largest = std::max(largest, k);
        if (k > 0. && (smallest == 0. || k < smallest)) smallest = k;
    }
    MatrixXd all = real;
    {
        Matrix empty = CorotationalHexahedra::integrate(HexahedronShape::corners, {0., 1.});
        if (m_options.asSofa)
            roundAsSofa(empty);
        else
            empty *= std::max(1e9 * smallest, 100. * largest) / empty[0][0];
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x) {
                    const Vec<3, int> place{x, y, z};
                    if (filled[slot(place)]) continue;
                    std::array<Eigen::Index, 8> at;
                    for (std::size_t i = 0; i < 8; ++i) at[i] = nodes[key(place + cornerPlace(i))].begin()->second;
                    add(all, empty, at);
                }
    }
    // What nothing holds takes its place from the trilinear functions.
    const auto hold = [&](Eigen::Index row) {
        const double k = real(row, row) > 0. ? real(row, row) : smallest;
        return k > 0. ? 1e-10 * k : 1.;
    };
    Wide linear = Wide::Zero(3 * count, 24);
    std::vector<Eigen::Index> free;
    std::vector<bool> isCorner(static_cast<std::size_t>(count), false);
    for (const auto& [place, here] : nodes) {
        const std::array<double, 8> w = trilinear({place[2], place[1], place[0]}, n);
        for (const auto& [id, number] : here) {
            const auto isEnd = [n](int p) { return p == 0 || p == n; };
            const bool corner = isEnd(place[0]) && isEnd(place[1]) && isEnd(place[2]);
            isCorner[static_cast<std::size_t>(number)] = corner;
            for (Eigen::Index j = 0; j < 8; ++j)
                for (Eigen::Index c = 0; c < 3; ++c) {
                    linear(3 * number + c, 3 * j + c) = w[static_cast<std::size_t>(j)];
                    if (!corner && j == 0) free.push_back(3 * number + c);
                }
        }
    }
    Wide full = linear;
    if (!free.empty()) {
        // Corners move as the coarse nodes: K_ff W_f = −K_fc W_c.
        Wide moved = linear;
        for (const Eigen::Index f : free) moved.row(f).setZero();
        const auto m = static_cast<Eigen::Index>(free.size());
        MatrixXd k(m, m);
        Wide right(m, 24);
        for (Eigen::Index i = 0; i < m; ++i) {
            const Eigen::Index row = free[static_cast<std::size_t>(i)];
            right.row(i) = hold(row) * linear.row(row) - all.row(row) * moved;
            for (Eigen::Index j = 0; j < m; ++j) k(i, j) = all(row, free[static_cast<std::size_t>(j)]);
            k(i, i) += hold(row);
        }
        const Wide solved = k.ldlt().solve(right);
        for (Eigen::Index i = 0; i < m; ++i) full.row(free[static_cast<std::size_t>(i)]) = solved.row(i);
    }
    Wide masked = Wide::Zero(3 * count, 24);
    for (Eigen::Index r = 0; r < 3 * count; ++r) {
        double sum = 0.;
        for (Eigen::Index j = r % 3; j < 24; j += 3)
            if (linear(r, j) > 0.) sum += masked(r, j) = full(r, j);
        // Weights that cancel tell nothing.
        if (sum > 0.1 || (m_options.asSofa && sum != 0.))
            masked.row(r) /= sum;
        else
            masked.row(r) = linear.row(r);
    }
    Cells out;
    const Eigen::Matrix<double, 24, 24> kc = masked.transpose() * real * masked,
                                        mc = masked.transpose() * mass * masked;
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j) {
            const auto a = static_cast<Eigen::Index>(std::min(i, j)), b = static_cast<Eigen::Index>(std::max(i, j));
            out.stiffness[i][j] = kc(a, b);
            out.mass[i][j] = mc(a, b);
        }
    const Wide& shown = m_options.complete ? full : masked;
    for (std::size_t c = 0; c < children.size(); ++c) {
        Matrix& weights = m_stepWeights[level - m_at][children[c].piece];
        for (std::size_t i = 0; i < 24; ++i)
            for (std::size_t j = 0; j < 24; ++j)
                weights[i][j] =
                    shown(3 * numbers[c][i / 3] + static_cast<Eigen::Index>(i % 3), static_cast<Eigen::Index>(j));
    }
    return out;
}

void CompositeCells::compose(std::size_t level, Index piece, const Matrix& parent, const WeightSink& sink) const
{
    if (level == m_at) return sink(piece, parent);
    std::vector<Child> children;
    collect(level, piece, step(), {}, children);
    for (const Child& c : children)
        compose(level - step(), c.piece, m_stepWeights[level - step() - m_at].at(c.piece) * parent, sink);
}

}  // namespace sofa::core
