// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/MultigridPreconditioner.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

void MultigridPreconditioner::init()
{
    AssembledLinearSolver::init();
    m_isAnalysed = false;
}

void MultigridPreconditioner::reset()
{
    m_isAnalysed = false;
    m_isRestored = false;
}

void MultigridPreconditioner::archive(Archive& a)
{
    a(m_points);
    if (a.loading()) m_isAnalysed = false;
}

void MultigridPreconditioner::readPoints(const SystemLayout& layout)
{
    m_points.clear();
    for (const auto& [state, offset, size] : layout)
        for (Index i = 0; i < state->size(); ++i) m_points.push_back(state->pointPosition(i));
}

Vector<double> MultigridPreconditioner::modes(const SystemLayout& layout, int& count) const
{
    // From the mean position: rotations about a far point are nearly translations.
    Vec3 mean{};
    for (const Vec3& p : m_points) mean += p;
    mean = mean * (1. / static_cast<double>(std::max<std::size_t>(m_points.size(), 1)));
    const auto isPlane = [](const BaseState& s) { return s.templateName() == "Rigid2"; };
    count = 3;
    for (const auto& [state, offset, size] : layout)
        if (state->derivSize() > 2 && !isPlane(*state)) count = 6;
    Vector<double> rows;
    rows.reserve(static_cast<std::size_t>(layout.size()) * static_cast<std::size_t>(count));
    auto point = m_points.begin();
    for (const auto& [state, offset, size] : layout) {
        const bool isFrame = isPlane(*state) || state->derivSize() == 6;
        const std::size_t translations = isPlane(*state) ? 2 : std::min<std::size_t>(3, state->derivSize());
        for (Index i = 0; i < state->size(); ++i) addRigidModes(rows, *point++ - mean, translations, isFrame, count);
    }
    return rows;
}

void MultigridPreconditioner::prepare(SystemOperator& from)
{
    const SystemLayout& layout = from.layout();
    if (layout.size() == 0) return;
    std::size_t points = 0;
    for (const auto& e : layout) points += e.state->size();
    if (!std::exchange(m_isRestored, false) || m_points.size() != points) readPoints(layout);
    int count = 0;
    Vector<double> rows = modes(layout, count);
    const SystemAssembly& a = from.assemble();
    const BlockCsrMatrix& matrix = a.matrix();
    const bool patternChanged = isNewPattern(matrix, a);
    try {
        if (patternChanged || !m_isAnalysed || m_fixed != a.eliminated()) {
            ScopedTimer t("Analyze");
            m_multigrid.degree = static_cast<int>(d_degree.value());
            m_multigrid.coarsest = static_cast<int>(d_coarsest.value());
            m_multigrid.analyze(matrix, a.eliminated(), count);
            m_fixed = a.eliminated();
            m_isAnalysed = true;
            d_levels.setValue(m_multigrid.unknowns());
        }
        ScopedTimer t("Factorize");
        m_multigrid.refresh(matrix, std::move(rows));
    } catch (const std::runtime_error& e) {
        m_isAnalysed = false;
        refuse(std::string(e.what()) + ". Is every body held, or given a mass?");
    }
}

void MultigridPreconditioner::explainFactor(Explanation& e) const
{
    e.add("levels", d_levels.text() + " unknowns");
    if (m_isAnalysed) e.addMemory(m_multigrid.bytes());
}

void MultigridPreconditioner::apply(std::span<const double> b, std::span<double> x)
{
    if (!b.empty()) m_multigrid.apply(b, x);
}

static const RegisterComponent registeredMultigridPreconditioner =
    RegisterComponent("MultigridPreconditioner", "LinearSolver", Preconditioner::module)
        .help(
            "Preconditioner for PCGLinearSolver: algebraic multigrid for elasticity, whose iterations hardly grow with "
            "the number of elements")
        .example("component/linearsolver/MultigridPreconditioner.scn")
        .add<MultigridPreconditioner>(matrixTemplates(false));

}  // namespace sofa::component
