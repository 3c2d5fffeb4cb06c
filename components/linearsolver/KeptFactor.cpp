// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/KeptFactor.h"

#include <algorithm>
#include <stdexcept>

#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

void KeptFactor::archiveMatrix(Archive& a)
{
    int rows = matrix.blockRows(), columns = matrix.blockCols(), block = matrix.blockSize();
    Vector<int> rowPtr(matrix.rowPtr().begin(), matrix.rowPtr().end());
    Vector<int> colIdx(matrix.colIdx().begin(), matrix.colIdx().end());
    Vector<double> values(matrix.values().begin(), matrix.values().end());
    a(rows);
    a(columns);
    a(block);
    a(rowPtr);
    a(colIdx);
    a(values);
    if (!a.loading()) return;
    matrix.setPattern(rows, columns, block, rowPtr, colIdx);
    if (values.size() != matrix.values().size()) throw std::runtime_error("a matrix of another size");
    std::ranges::copy(values, matrix.values().begin());
}

PrecomputedSolver::PrecomputedSolver() : DirectSolver(FactorizationMethod::supernodalLdlt)
{
    const char* const why =
        "the factor of the matrix is kept in place of its inverse: it takes no longer than reading that";
    for (const char* unused : {"use_file", "jmjt_twostep", "share_matrix"}) ignoreAttribute(unused, why);
    ignoreAttribute("verbose", "use printLog");
}

void PrecomputedSolver::init()
{
    DirectSolver::init();
    forget();
}

void PrecomputedSolver::reset()
{
    DirectSolver::reset();
    forget();
}

void PrecomputedSolver::forget()
{
    m_known = m_wasLoaded = false;
    m_first.factor = newFactorization(ordering());
    renew();
}

void PrecomputedSolver::archive(Archive& a)
{
    DirectSolver::archive(a);
    bool known = m_known;
    a(known);
    if (a.loading()) forget();
    if (!known) return;
    m_first.archiveMatrix(a);
    if (!a.loading()) return;
    m_first.factorize();
    m_known = m_wasLoaded = true;
}

void PrecomputedSolver::explainFactor(Explanation& e) const
{
    DirectSolver::explainFactor(e);
    e.add("of", "the first matrix");
    e.addMemory(m_first.matrix.bytes());
}

void PrecomputedSolver::prepare(SystemOperator& from)
{
    const int size = from.layout().size();
    if (size == 0) return;
    if (m_known && m_first.matrix.rows() == size && !m_wasLoaded) {
        if (keepsSolutions()) sameMatrix();
        return;
    }
    const bool isNew = !m_known || m_first.matrix.rows() != size;
    if (isNew) {
        m_first.matrix = from.assemble(readsUpperTriangle()).stored();
        ScopedTimer t("Factorize");
        m_first.factorize();
        m_known = true;
    }
    m_wasLoaded = false;
    use(*m_first.factor);
    d_factorNonZeros.setValue(static_cast<unsigned>(m_first.factor->report().factorNonZeros));
    if (m_first.status != FactorizationStatus::ok) judge(m_first.status, from.assemble(readsUpperTriangle()));
    if (isNew) begin(from);
}

}  // namespace sofa::component
