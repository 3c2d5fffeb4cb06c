// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/math/Vector.h"

namespace sofa::component {

/// Compliance of one body between the rows that touch it, and its product with the forces of these rows: what a
/// constraint correction needs for solvers that do not build the compliance of the whole scene.
class LocalCompliance
{
public:
    /// Rows of the body, increasing, and their compliance (row-major, rows.size() squared); both must stay as they are
    /// until the last product. The forces are zero.
    void begin(std::span<const int> rows, std::span<const double> w);
    void addBlock(int first, int n, double* w) const;
    void addProduct(int first, int n, double* d) const;
    void changeForce(int first, int n, const double* change);
    /// Forces of all rows of the scene.
    void startFrom(std::span<const double> force);

private:
    /// Place of a row of the scene in m_rows; −1: it does not touch the body.
    int local(int row) const;

    std::span<const int> m_rows;
    std::span<const double> m_w;
    core::Vector<double> m_force;
};

}  // namespace sofa::component
