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
    /// Rows of the body, increasing, out of `total`, and their compliance (row-major, rows.size() squared), which must
    /// stay as it is until the last product; the forces are zero.
    void begin(int total, const core::Vector<int>& rows, std::span<const double> w);
    void addBlock(int first, int n, double* w) const;
    void addProduct(int first, int n, double* d) const;
    void changeForce(int first, int n, const double* change);

private:
    core::Vector<int> m_local;  ///< of each row of the scene; −1: it does not touch the body
    std::span<const double> m_w;
    core::Vector<double> m_force;
};

}  // namespace sofa::component
