// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/Numerics.h"

#include <catch2/catch.hpp>

#include "core/math/LineDerivative.h"

namespace sofa::test {

using core::BaseState;

StateSet::StateSet(std::vector<BaseState*> states) : m_states(std::move(states))
{
    for (BaseState* s : m_states) {
        REQUIRE(s != nullptr);
        REQUIRE(s->size() > 0);
        m_size += s->derivScalars();
        s->allocate(harness_id::base);
        for (const auto id : {core::vec_id::velocity, core::vec_id::force, core::vec_id::dx, core::vec_id::dforce,
                              harness_id::displacement, harness_id::result})
            s->allocate(id);
    }
    rebase();
}

Eigen::Index StateSet::offset(const BaseState& s) const
{
    Eigen::Index o = 0;
    for (const BaseState* t : m_states) {
        if (t == &s) return o;
        o += t->derivScalars();
    }
    FAIL("a component writes to a state that it does not name: " << s.pathName());
    return 0;
}

Eigen::VectorXd StateSet::get(core::VecDerivId id) const
{
    Eigen::VectorXd v(m_size);
    Eigen::Index o = 0;
    for (const BaseState* s : m_states) {
        s->getScalars(id, v.data() + o);
        o += s->derivScalars();
    }
    return v;
}

void StateSet::set(core::VecDerivId id, const Eigen::VectorXd& v) const
{
    Eigen::Index o = 0;
    for (BaseState* s : m_states) {
        s->setScalars(id, v.data() + o);
        o += s->derivScalars();
    }
}

void StateSet::rebase() const
{
    for (BaseState* s : m_states) s->copy(harness_id::base, core::vec_id::position);
}

void StateSet::displace(const Eigen::VectorXd& d) const
{
    set(harness_id::displacement, d);
    for (BaseState* s : m_states) s->add(core::vec_id::position, harness_id::base, harness_id::displacement, 1.);
}

Eigen::VectorXd StateSet::displacementFromBase() const
{
    for (BaseState* s : m_states) s->difference(harness_id::result, core::vec_id::position, harness_id::base);
    return get(harness_id::result);
}

double StateSet::largestPosition() const
{
    double largest = 0.;
    for (const BaseState* s : m_states) {
        std::vector<double> x(s->size() * s->coordSize());
        s->getScalars(core::vec_id::position, x.data());
        for (const double c : x) largest = std::max(largest, std::abs(c));
    }
    return largest;
}

core::BlockSink& DenseAccumulator::sink(const BaseState& row, const BaseState& col)
{
    m_sinks.push_back(std::make_unique<Sink>(m_matrix, m_rows->offset(row), m_columns->offset(col), row.derivSize(),
                                             col.derivSize(), row.size(), col.size()));
    return *m_sinks.back();
}

void DenseAccumulator::Sink::addBlock(core::Index i, core::Index j, const double* block, std::size_t r, std::size_t c)
{
    REQUIRE(r == m_r);
    REQUIRE(c == m_c);
    REQUIRE(i < m_nr);
    REQUIRE(j < m_nc);
    for (std::size_t a = 0; a < r; ++a)
        for (std::size_t b = 0; b < c; ++b)
            (*m_matrix)(m_row + static_cast<Eigen::Index>(i * r + a), m_col + static_cast<Eigen::Index>(j * c + b)) +=
                block[a * c + b];
}

Difference differentiate(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f, Eigen::Index n, double step,
                         double scale)
{
    Difference d;
    d.bound.resize(n);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    for (Eigen::Index j = 0; j < n; ++j) {
        const auto along = [&](double s) {
            x[j] = s;
            const Eigen::VectorXd value = f(x);
            x[j] = 0.;
            return core::Vector<double>(value.begin(), value.end());
        };
        const core::LineDerivative column = core::differentiateLine(along, step, scale);
        if (j == 0) d.value.resize(static_cast<Eigen::Index>(column.value.size()), n);
        d.value.col(j) = Eigen::Map<const Eigen::VectorXd>(column.value.data(), d.value.rows());
        d.bound[j] = column.bound;
    }
    return d;
}

void checkDerivative(const Eigen::MatrixXd& derivative, const Difference& d, const std::string& what)
{
    REQUIRE(derivative.rows() == d.value.rows());
    REQUIRE(derivative.cols() == d.value.cols());
    const double largest = std::max(derivative.cwiseAbs().maxCoeff(), d.value.cwiseAbs().maxCoeff());
    double worst = 0.;
    Eigen::Index row = 0, column = 0;
    for (Eigen::Index j = 0; j < derivative.cols(); ++j)
        for (Eigen::Index i = 0; i < derivative.rows(); ++i) {
            const double error = std::abs(derivative(i, j) - d.value(i, j));
            const double excess = error == 0. ? 0. : error / d.bound[j];
            if (excess <= worst) continue;
            worst = excess;
            row = i;
            column = j;
        }
    INFO(what << ": entry (" << row << ", " << column << ") is " << derivative(row, column) << ", by differences "
              << d.value(row, column) << " ± " << d.bound[column]);
    CHECK(worst <= 1.);
    if (derivative.isZero(0.)) return;
    INFO("the differences do not converge: their error is up to " << d.bound.maxCoeff() << " of " << largest);
    CHECK(d.bound.maxCoeff() <= 1e-5 * largest);
}

void checkEqual(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& magnitude,
                const std::string& what)
{
    REQUIRE(a.size() == b.size());
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        if (std::abs(a[i] - b[i]) <= 64. * machineEpsilon * magnitude[i]) continue;
        INFO(what << ": scalar " << i << " is " << a[i] << ", expected " << b[i] << " (difference " << a[i] - b[i]
                  << ")");
        CHECK(a[i] == b[i]);
        return;
    }
}

}  // namespace sofa::test
