// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/FreeBodies.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "core/behavior/ProjectiveConstraint.h"
#include "core/behavior/State.h"

namespace sofa::core {

namespace {

constexpr std::size_t motions = 6;
constexpr double freeBelow = 1e-9;
constexpr std::size_t mostBodies = 4;

/// What the scalars of a point of a state are.
enum class Kind
{
    Points,   ///< translations along the first axes
    Frames3,  ///< translations, then the rotation vector
    Frames2,  ///< translations x y, then the angle about z
    Other
};

Kind kindOf(const BaseState& s)
{
    if (dynamic_cast<const State<Rigid3Types>*>(&s)) return Kind::Frames3;
    if (dynamic_cast<const State<Rigid2Types>*>(&s)) return Kind::Frames2;
    return s.derivSize() <= 3 ? Kind::Points : Kind::Other;
}

struct Body
{
    std::vector<const SystemLayout::Entry*> states;
    Vec3 center;
    double size = 1.;  ///< half of the extent [m], or 1
};

/// Displacement of scalar k of a point at `arm` from the centre, in rigid motion m.
double displacement(Kind kind, std::size_t k, std::size_t m, const Vec3& arm, double size)
{
    Vec3 axis;
    axis[m % 3] = 1.;
    const bool turns = m >= 3;
    const Vec3 linear = turns ? cross(axis, arm) * (1. / size) : axis;
    const Vec3 angular = turns ? axis * (1. / size) : Vec3();
    switch (kind) {
        case Kind::Points:
            return linear[k];
        case Kind::Frames3:
            return k < 3 ? linear[k] : angular[k - 3];
        case Kind::Frames2:
            return k < 2 ? linear[k] : angular[2];
        case Kind::Other:
            break;
    }
    return 0.;
}

/// States that the matrix couples, as bodies in the order of the first state of each.
std::vector<Body> bodiesOf(const SystemAssembly& a)
{
    std::vector<const SystemLayout::Entry*> entries;
    for (const SystemLayout::Entry& e : a.layout()) entries.push_back(&e);
    std::vector<std::size_t> group(entries.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
        while (group[i] != i) i = group[i] = group[group[i]];
        return i;
    };
    const BlockCsrMatrix& matrix = a.stored();
    const int size = matrix.blockSize();
    std::vector<std::size_t> stateOf(static_cast<std::size_t>(matrix.blockRows()));
    for (std::size_t s = 0; s < entries.size(); ++s)
        for (int r = entries[s]->offset / size; r * size < entries[s]->offset + entries[s]->size; ++r)
            stateOf[static_cast<std::size_t>(r)] = s;
    for (std::size_t r = 0; r < stateOf.size(); ++r)
        for (auto k = static_cast<std::size_t>(matrix.rowStarts()[r]);
             k < static_cast<std::size_t>(matrix.rowEnds()[r]); ++k) {
            const std::size_t p = root(stateOf[r]), q = root(stateOf[static_cast<std::size_t>(matrix.colIdx()[k])]);
            group[std::max(p, q)] = std::min(p, q);
        }
    std::vector<Body> bodies;
    std::vector<std::size_t> bodyOf(entries.size());
    for (std::size_t s = 0; s < entries.size(); ++s) {
        if (root(s) == s) {
            bodyOf[s] = bodies.size();
            bodies.emplace_back();
        }
        bodies[bodyOf[root(s)]].states.push_back(entries[s]);
    }
    for (Body& b : bodies) {
        Vec3 low(1e300, 1e300, 1e300), high = -low;
        for (const SystemLayout::Entry* e : b.states)
            for (Index i = 0; i < e->state->size(); ++i) {
                const Vec3 x = e->state->pointPosition(i);
                for (std::size_t c = 0; c < 3; ++c) {
                    low[c] = std::min(low[c], x[c]);
                    high[c] = std::max(high[c], x[c]);
                }
            }
        b.center = (low + high) * 0.5;
        if (const double half = 0.5 * norm(high - low); half > 0. && std::isfinite(half)) b.size = half;
    }
    return bodies;
}

/// What each scalar of the system does in each rigid motion of its body.
using Motions = std::vector<std::array<double, motions>>;

/// Coefficients of the rigid motions that a body does not resist, as orthonormal columns. Sets its rows of `v`.
Eigen::MatrixXd freeMotions(const SystemAssembly& a, const Body& body, Motions& v)
{
    const BlockCsrMatrix& matrix = a.stored();
    const auto size = static_cast<std::size_t>(matrix.blockSize());
    Eigen::MatrixXd s = Eigen::MatrixXd::Zero(motions, motions);
    for (const SystemLayout::Entry* e : body.states) {
        const Kind kind = kindOf(*e->state);
        const std::size_t d = e->state->derivSize();
        for (Index i = 0; i < e->state->size(); ++i) {
            const Vec3 arm = e->state->pointPosition(i) - body.center;
            for (std::size_t k = 0; k < d; ++k) {
                const std::size_t row = static_cast<std::size_t>(e->offset) + i * d + k;
                for (std::size_t m = 0; m < motions; ++m) v[row][m] = displacement(kind, k, m, arm, body.size);
                for (std::size_t p = 0; p < motions; ++p)
                    for (std::size_t q = 0; q < motions; ++q)
                        s(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(q)) += v[row][p] * v[row][q];
            }
        }
    }
    Eigen::Matrix<double, motions, motions> g = g.Zero(), d = d.Zero();
    const auto addRow = [&](std::size_t r) {
        for (auto k = static_cast<std::size_t>(matrix.rowStarts()[r]);
             k < static_cast<std::size_t>(matrix.rowEnds()[r]); ++k) {
            const auto c = static_cast<std::size_t>(matrix.colIdx()[k]);
            const double* block = matrix.block(k);
            const double times = a.isUpper() && c != r ? 2. : 1.;  // the other triangle
            for (std::size_t i = 0; i < size; ++i)
                for (std::size_t j = 0; j < size; ++j) {
                    const double value = *block++;
                    const auto &left = v[r * size + i], &right = v[c * size + j];
                    for (std::size_t p = 0; p < motions; ++p)
                        for (std::size_t q = 0; q < motions; ++q) {
                            const auto row = static_cast<Eigen::Index>(p), col = static_cast<Eigen::Index>(q);
                            g(row, col) += 0.5 * times * value * (left[p] * right[q] + left[q] * right[p]);
                            if (r == c && i == j) d(row, col) += std::abs(value) * left[p] * left[q];
                        }
                }
        }
    };
    for (const SystemLayout::Entry* e : body.states)
        for (std::size_t r = static_cast<std::size_t>(e->offset) / size;
             r * size < static_cast<std::size_t>(e->offset + e->size); ++r)
            addRow(r);
    // Motions that move nothing (rotations of a point, or about the line of all points) are none.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> moving(s);
    const auto none = (moving.eigenvalues().array() <= 1e-9 * moving.eigenvalues().maxCoeff()).count();
    const auto kept = static_cast<Eigen::Index>(motions) - none;
    const Eigen::MatrixXd basis =
        moving.eigenvectors().rightCols(kept) *
        moving.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal().toDenseMatrix();
    const double scale =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(basis.transpose() * d * basis).eigenvalues().maxCoeff();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> resistance(basis.transpose() * g * basis);
    const auto isFree = [&](Eigen::Index k) { return std::abs(resistance.eigenvalues()[k]) <= freeBelow * scale; };
    Eigen::Index free = 0;
    Eigen::MatrixXd out(motions, kept);
    for (Eigen::Index k = 0; k < kept; ++k)
        if (isFree(k)) out.col(free++) = basis * resistance.eigenvectors().col(k);
    out.conservativeResize(motions, free);
    if (free == 0) return out;
    return Eigen::HouseholderQR<Eigen::MatrixXd>(out).householderQ() * Eigen::MatrixXd::Identity(motions, free);
}

/// An axis as "x", "y", "z" or "(0.6 0.8 0)".
std::string axisText(Vec3 axis)
{
    axis *= 1. / norm(axis);
    std::size_t main = 0;
    for (std::size_t c = 1; c < 3; ++c)
        if (std::abs(axis[c]) > std::abs(axis[main])) main = c;
    if (axis[main] < 0.) axis = -axis;
    if (std::abs(axis[main]) > 1. - 1e-6) return std::string(1, "xyz"[main]);
    std::ostringstream text;
    text.precision(3);
    const auto tidy = [](double c) { return std::abs(c) < 1e-6 ? 0. : c; };
    text << '(' << tidy(axis[0]) << ' ' << tidy(axis[1]) << ' ' << tidy(axis[2]) << ')';
    return text.str();
}

std::string join(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

/// Axes of a space spanned by the columns of a matrix: those of the world where it has them.
std::vector<std::string> axesOf(const Eigen::MatrixXd& columns)
{
    std::vector<std::string> names;
    const Eigen::MatrixXd projection = columns * columns.transpose();
    Eigen::MatrixXd rest = projection;
    for (Eigen::Index c = 0; c < 3; ++c)
        if (projection(c, c) > 1. - 1e-9) {
            names.emplace_back(1, "xyz"[c]);
            rest(c, c) = 0.;
        }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> others(rest);
    for (Eigen::Index k = 0; k < 3; ++k)
        if (others.eigenvalues()[k] > 0.5) {
            const Eigen::VectorXd u = others.eigenvectors().col(k);
            names.push_back(axisText({u[0], u[1], u[2]}));
        }
    return names;
}

/// Translations, and the axes of the other motions.
std::string motionText(const Eigen::MatrixXd& free, const Body& body)
{
    std::vector<std::string> parts;
    // What has no turning part translates; the others are taken across those.
    const Eigen::JacobiSVD<Eigen::MatrixXd> turning(free.bottomRows(3), Eigen::ComputeFullV);
    Eigen::Index turns = 0;
    for (Eigen::Index k = 0; k < turning.singularValues().size(); ++k)
        if (turning.singularValues()[k] > 1e-6) ++turns;
    const Eigen::MatrixXd mixed = free * turning.matrixV();
    if (turns < mixed.cols()) {
        const auto names = axesOf(mixed.rightCols(mixed.cols() - turns).topRows(3));
        parts.push_back((names.size() > 1 ? "translations along " : "translation along ") + join(names));
    }
    if (turns == 3) {
        parts.emplace_back("rotations about every axis");
    } else {
        for (Eigen::Index k = 0; k < turns; ++k) {
            Vec3 t, w;
            for (std::size_t c = 0; c < 3; ++c) {
                t[c] = mixed(static_cast<Eigen::Index>(c), k);
                w[c] = mixed(static_cast<Eigen::Index>(c) + 3, k) / body.size;
            }
            const Vec3 through = body.center + cross(w, t) * (1. / dot(w, w));
            std::ostringstream text;
            text.precision(3);
            const auto tidy = [&](double c) { return std::abs(c) < 1e-6 * body.size ? 0. : c; };
            text << "rotation about " << axisText(w) << " through (" << tidy(through[0]) << ' ' << tidy(through[1])
                 << ' ' << tidy(through[2]) << ')';
            parts.push_back(text.str());
        }
    }
    return join(parts);
}

}  // namespace

std::string describeFreeBodies(const SystemAssembly& a, const ExecutionPlan& plan)
{
    Motions v(static_cast<std::size_t>(a.size()));
    std::string text;
    std::size_t found = 0;
    for (const Body& body : bodiesOf(a)) {
        if (std::ranges::any_of(body.states, [](const auto* e) { return kindOf(*e->state) == Kind::Other; })) continue;
        const Eigen::MatrixXd free = freeMotions(a, body, v);
        if (free.cols() == 0) continue;
        if (++found > mostBodies) continue;
        std::vector<std::string> names, constraints;
        for (const SystemLayout::Entry* e : body.states) {
            if (names.size() < 3) names.push_back(e->state->pathName());
            for (const BaseProjectiveConstraint* c : plan.constraints())
                if (std::ranges::count(c->states(), e->state) > 0)
                    constraints.push_back(c->pathName() + " (" + c->className() + ")");
        }
        if (body.states.size() > names.size())
            names.push_back(std::to_string(body.states.size() - names.size()) + " more states");
        text += (text.empty() ? "" : ". ") + ("Nothing resists " + motionText(free, body) + " of " + join(names));
        if (constraints.empty())
            text += ": a FixedProjectiveConstraint or RestShapeSpringsForceField beside it would hold it";
        else
            text += ", on which " + join(constraints) + (constraints.size() == 1 ? " acts" : " act") +
                    ": more of its points must be held";
        if (plan.masses().empty()) text += ", or a mass if it is to move in time";
    }
    if (found > mostBodies) text += ". So it is with " + std::to_string(found - mostBodies) + " more bodies";
    return text;
}

}  // namespace sofa::core
