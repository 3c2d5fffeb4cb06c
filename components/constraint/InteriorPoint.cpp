// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/InteriorPoint.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/log/Phases.h"

namespace sofa::component {

using namespace core;

namespace {

using Eigen::VectorXd;
/// Factorisations of a usual solution.
constexpr double usualIterations = 10.;
/// An operation of a dense factorisation, in those of a sparse one.
constexpr double denseCost = 0.15;
/// A member of a cone, of one or three components: x_0 ≥ |x_t|.
using Part = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

/// Components of a vector that belong to a cone.
template <class Cone>
Part part(const VectorXd& v, const Cone& c)
{
    return v.segment(c.first, c.size);
}

/// x_0² − |x_t|², positive inside; without the rounding of squares.
double determinant(const Part& x)
{
    const double t = x.tail(x.size() - 1).norm();
    return (x[0] - t) * (x[0] + t);
}

Part reflected(const Part& x)
{
    Part y = -x;
    y[0] = x[0];
    return y;
}

/// The product of Jordan, (xᵀ y, x_0 y_t + y_0 x_t).
Part product(const Part& x, const Part& y)
{
    Part z = x[0] * y + y[0] * x;
    z[0] = x.dot(y);
    return z;
}

/// z with product(x, z) = y.
Part quotient(const Part& y, const Part& x)
{
    Part z = y;
    const Eigen::Index n = x.size() - 1;
    z[0] = (x[0] * y[0] - x.tail(n).dot(y.tail(n))) / determinant(x);
    z.tail(n) = (y.tail(n) - z[0] * x.tail(n)) / x[0];
    return z;
}

/// The point of the cone nearest to x.
Part nearest(const Part& x)
{
    const double t = x.tail(x.size() - 1).norm();
    if (t <= x[0]) return x;
    Part z = Part::Zero(x.size());
    if (t <= -x[0]) return z;
    z[0] = 0.5 * (x[0] + t);
    z.tail(x.size() - 1) = z[0] / t * x.tail(x.size() - 1);
    return z;
}

/// How far x may go along d and stay in the cone.
double reach(const Part& x, const Part& d)
{
    const Eigen::Index n = x.size() - 1;
    const double infinite = std::numeric_limits<double>::infinity();
    double most = d[0] < 0. ? -x[0] / d[0] : infinite;
    const double a = determinant(d), b = x[0] * d[0] - x.tail(n).dot(d.tail(n)), c = determinant(x);
    // The first positive zero of c + 2 b t + a t².
    const double root = b * b - a * c;
    if (root < 0.) return most;
    if (b < 0.)
        most = std::min(most, c / (std::sqrt(root) - b));
    else if (a < 0.)
        most = std::min(most, -(b + std::sqrt(root)) / a);
    return most;
}

}  // namespace

/// Nesterov and Todd's scaling, which maps x and y to the same point λ = F y = F⁻¹ x.
struct InteriorPoint::Scaling
{
    Block forth, back;  ///< F, F⁻¹
    Part point;         ///< λ

    Scaling(const Part& x, const Part& y)
    {
        const double dx = determinant(x), dy = determinant(y);
        const Part s = x / std::sqrt(dx), z = y / std::sqrt(dy);
        const double gamma = std::sqrt(0.5 * (1. + s.dot(z)));
        Part v = (s + reflected(z)) / (2. * gamma);
        v[0] += 1.;
        v /= std::sqrt(2. * v[0]);
        const double beta = std::pow(dx / dy, 0.25);
        Block j = -Block::Identity(x.size(), x.size());
        j(0, 0) = 1.;
        const Part r = reflected(v);
        forth = beta * (2. * v * v.transpose() - j);
        back = (2. * r * r.transpose() - j) / beta;
        point = forth * y;
    }
};

InteriorPoint::InteriorPoint(ConstraintProblem& p, Rows rows)
{
    std::array<double, 3> d;
    for (const auto& g : p.groups) {
        const int n = g.law->size();
        if (g.law->isUnilateral()) {
            if (!(p.diagonal(g, 0) > 0.)) continue;
            if (rows == Rows::acting && !(p.force[static_cast<std::size_t>(g.first)] > 0.)) {
                p.violation(g, d.data());
                if (d[0] >= 0.) continue;
            }
            const double mu = n == 3 ? g.law->friction() : 0.;
            const bool rubs = mu > 0. && p.diagonal(g, 1) > 0. && p.diagonal(g, 2) > 0.;
            m_cones.push_back({size(), rubs ? 3 : 1});
            addRow(g.first, rubs ? mu : 1.);
            for (int r = 1; rubs && r < n; ++r) addRow(g.first + r, 1.);
        } else if (g.law->isBilateral()) {
            for (int r = 0; r < n; ++r)
                if (p.diagonal(g, r) > 0.) addRow(g.first + r, 1.);
        }
    }
    if (!m_rows.empty()) assemble(p.entries());
}

void InteriorPoint::addRow(int row, double scale)
{
    m_rows.push_back(row);
    m_scale.push_back(scale);
}

void InteriorPoint::assemble(const ComplianceMatrix& w)
{
    m_diagonal = VectorXd::Zero(size());
    m_inCone.assign(m_rows.size(), false);
    for (const Cone& c : m_cones) std::fill_n(m_inCone.begin() + c.first, c.size, true);
    Vector<int> place(static_cast<std::size_t>(w.rows()), -1);
    for (std::size_t k = 0; k < m_rows.size(); ++k) place[static_cast<std::size_t>(m_rows[k])] = static_cast<int>(k);
    std::vector<Eigen::Triplet<double, int>> entries;
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const auto k = static_cast<std::size_t>(i);
        w.forRow(m_rows[k], [&](int column, double value) {
            const int j = place[static_cast<std::size_t>(column)];
            if (j < 0 || j > i || (value == 0. && j != i)) return;
            value /= m_scale[k] * m_scale[static_cast<std::size_t>(j)];
            entries.emplace_back(i, j, value);
            if (i == j) m_diagonal[i] = value;
        });
    }
    for (const Cone& c : m_cones)
        for (Eigen::Index i = 0; i < c.size; ++i)
            for (Eigen::Index j = 0; j < i; ++j)
                entries.emplace_back(static_cast<int>(c.first + i), static_cast<int>(c.first + j), 0.);
    m_w.resize(size(), size());
    m_w.setFromTriplets(entries.begin(), entries.end());
    m_a = m_w;
    m_factor.analyzePattern(m_a);
    double operations = 0.;
    for (Eigen::Index k = 0; k < size(); ++k) {
        const double column = m_factor.columns()[k + 1] - m_factor.columns()[k];
        operations += column * (column + 10.);
    }
    const auto n = static_cast<double>(size());
    m_dense = m_factor.columns()[size()] > 0.25 * n * n;
    if (m_dense) operations *= denseCost;
    m_cost = usualIterations * operations / static_cast<double>(w.entries());
}

/// Forces and violations of the rows, in the components of the cones.
void InteriorPoint::begin(const ConstraintProblem& p, const ComplianceMatrix& w)
{
    Vector<double> others = p.force, d = p.dFree;
    for (const int row : m_rows) others[static_cast<std::size_t>(row)] = 0.;
    for (std::size_t g = 0; g < p.groups.size(); ++g) w.addProduct(g, others.data(), d.data() + p.groups[g].first);
    m_d.resize(size());
    m_x.resize(size());
    for (std::size_t k = 0; k < m_rows.size(); ++k) {
        const auto row = static_cast<std::size_t>(m_rows[k]);
        m_d[static_cast<Eigen::Index>(k)] = d[row] / m_scale[k];
        m_x[static_cast<Eigen::Index>(k)] = p.force[row] * m_scale[k];
    }
}

bool InteriorPoint::factorise(std::vector<Scaling>& scalings)
{
    Phases::check();
    std::copy_n(m_w.valuePtr(), m_w.nonZeros(), m_a.valuePtr());
    // Bilateral rows may repeat each other.
    for (Eigen::Index i = 0; i < size(); ++i)
        if (!m_inCone[static_cast<std::size_t>(i)]) m_a.coeffRef(i, i) *= 1. + 1e-10;
    scalings.clear();
    for (const Cone& c : m_cones) {
        const Scaling& s = scalings.emplace_back(part(m_x, c), part(m_y, c));
        const Block b = s.back * s.back;
        if (!b.allFinite()) return false;
        for (Eigen::Index i = 0; i < c.size; ++i)
            for (Eigen::Index j = 0; j <= i; ++j) m_a.coeffRef(c.first + i, c.first + j) += b(i, j);
    }
    if (m_dense) {
        m_denseFactor.compute(Eigen::MatrixXd(m_a));
        return m_denseFactor.info() == Eigen::Success;
    }
    m_factor.factorize(m_a);
    return m_factor.info() == Eigen::Success;
}

VectorXd InteriorPoint::solveFactor(const VectorXd& right) const
{
    if (m_dense) return m_denseFactor.solve(right);
    return m_factor.solve(right);
}

double InteriorPoint::longestStep(const Direction& d) const
{
    double most = std::numeric_limits<double>::infinity();
    for (const Cone& c : m_cones)
        most = std::min({most, reach(part(m_x, c), part(d.x, c)), reach(part(m_y, c), part(d.y, c))});
    return most;
}

double InteriorPoint::largestChange() const
{
    double worst = 0.;
    for (const Cone& c : m_cones) {
        const Part x = m_diagonal[c.first] * part(m_x, c);
        worst = std::max(worst, (x - nearest(x - part(m_y, c))).norm());
    }
    return worst;
}

VectorXd InteriorPoint::residual()
{
    VectorXd u = m_w.selfadjointView<Eigen::Lower>() * m_x + m_d;
    for (const Cone& c : m_cones) {
        const auto slip = u.segment(c.first + 1, c.size - 1);
        const double length = slip.norm();
        if (length > 0.) m_slip.segment(c.first + 1, c.size - 1) = slip / length;
        u[c.first] += length;
    }
    return u - m_y;
}

VectorXd InteriorPoint::changeOfSlips(const VectorXd& dx) const
{
    const VectorXd du = m_w.selfadjointView<Eigen::Lower>() * dx;
    VectorXd change = VectorXd::Zero(size());
    for (const Cone& c : m_cones) {
        const Eigen::Index t = c.size - 1;
        change[c.first] = m_slip.segment(c.first + 1, t).dot(du.segment(c.first + 1, t));
    }
    return change;
}

void InteriorPoint::addSlips(VectorXd& dx, double error) const
{
    constexpr int most = 20;
    VectorXd next = -changeOfSlips(dx);
    const double length = next.norm();
    if (length <= error) return;
    Eigen::MatrixXd basis(size(), most + 1), solved(size(), most), h = Eigen::MatrixXd::Zero(most + 1, most);
    basis.col(0) = next / length;
    for (int k = 0;; ++k) {
        solved.col(k) = solveFactor(basis.col(k));
        next = basis.col(k) + changeOfSlips(solved.col(k));
        for (int i = 0; i <= k; ++i) {
            h(i, k) = basis.col(i).dot(next);
            next -= h(i, k) * basis.col(i);
        }
        h(k + 1, k) = next.norm();
        const bool complete = h(k + 1, k) <= 1e-12 * h.col(k).head(k + 1).norm();
        VectorXd wanted = VectorXd::Zero(k + 2);
        wanted[0] = length;
        const auto krylov = h.topLeftCorner(k + 2, k + 1);
        const VectorXd weights = krylov.householderQr().solve(wanted);
        if (complete || k + 1 == most || (wanted - krylov * weights).norm() <= error) {
            dx += solved.leftCols(k + 1) * weights;
            return;
        }
        basis.col(k + 1) = next / h(k + 1, k);
    }
}

InteriorPoint::Direction InteriorPoint::direction(const std::vector<Scaling>& scalings, const VectorXd& r,
                                                  const VectorXd& q, double error) const
{
    VectorXd right = -r;
    for (std::size_t i = 0; i < m_cones.size(); ++i)
        right.segment(m_cones[i].first, m_cones[i].size) += scalings[i].back * part(q, m_cones[i]);
    Direction d{solveFactor(right), VectorXd::Zero(size())};
    addSlips(d.x, error);
    for (std::size_t i = 0; i < m_cones.size(); ++i) {
        const Block& back = scalings[i].back;
        d.y.segment(m_cones[i].first, m_cones[i].size) = back * (part(q, m_cones[i]) - back * part(d.x, m_cones[i]));
    }
    return d;
}

bool InteriorPoint::solve(double tolerance)
{
    constexpr int mostIterations = 60, patience = 8;
    constexpr double inside = 0.99;  // of the way to the border
    constexpr double infinite = std::numeric_limits<double>::infinity();
    // Begin with forces and violations of their sizes along the axes of all cones.
    const double violation = m_d.lpNorm<Eigen::Infinity>();
    if (!(violation > 0.)) return false;
    double force = m_x.lpNorm<Eigen::Infinity>();
    if (!(force > 0.)) force = violation / m_diagonal.maxCoeff();
    m_y = VectorXd::Zero(size());
    for (const Cone& c : m_cones) {
        m_x.segment(c.first, c.size).setZero();
        m_x[c.first] = force;
        m_y[c.first] = violation;
    }
    std::vector<Scaling> scalings;
    m_slip = VectorXd::Zero(size());
    VectorXd best, q = VectorXd::Zero(size());
    double least = infinite;
    for (int k = 0, bestAt = 0; k < mostIterations && k <= bestAt + patience; ++k) {
        const VectorXd r = residual();
        const double error = std::max(r.lpNorm<Eigen::Infinity>(), largestChange());
        if (error < least) {
            least = error;
            best = m_x;
            bestAt = k;
        }
        if (error <= tolerance || !factorise(scalings)) break;
        const auto setTarget = [&](auto&& of) {
            for (std::size_t i = 0; i < m_cones.size(); ++i)
                q.segment(m_cones[i].first, m_cones[i].size) = of(m_cones[i], scalings[i]);
        };
        setTarget([](const Cone&, const Scaling& s) -> Part { return -s.point; });
        const Direction affine = direction(scalings, r, q, infinite);
        double gap = 0.;
        for (const Cone& c : m_cones) gap += part(m_x, c).dot(part(m_y, c));
        const double left = 1. - std::min(1., longestStep(affine));
        const double centre = std::pow(left, 3) * gap / static_cast<double>(m_cones.size());
        setTarget([&](const Cone& c, const Scaling& s) {
            Part wanted = -product(s.point, s.point) - product(s.back * part(affine.x, c), s.forth * part(affine.y, c));
            wanted[0] += centre;
            return quotient(wanted, s.point);
        });
        const Direction d = direction(scalings, r, q, 0.1 * std::max(r.norm(), tolerance));
        const double step = std::min(1., inside * longestStep(d));
        if (!(step > 0.) || !d.x.allFinite() || !d.y.allFinite()) break;
        m_x += step * d.x;
        m_y += step * d.y;
    }
    m_x = best;
    return std::isfinite(least);
}

bool InteriorPoint::improve(ConstraintProblem& p, double tolerance)
{
    if (m_rows.empty()) return false;
    begin(p, p.entries());
    if (!solve(tolerance)) return false;
    const double residual = complementarityResidual(p);
    const Vector<double> before = p.force;
    for (std::size_t k = 0; k < m_rows.size(); ++k)
        p.force[static_cast<std::size_t>(m_rows[k])] = m_x[static_cast<Eigen::Index>(k)] / m_scale[k];
    p.allChanged(&before);
    if (complementarityResidual(p) < residual) return true;
    const Vector<double> found = p.force;
    p.force = before;
    p.allChanged(&found);
    return false;
}

}  // namespace sofa::component
