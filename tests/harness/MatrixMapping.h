// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <utility>
#include <vector>

#include "core/behavior/Mapping.h"

namespace sofa::test {

/// A linear mapping between points whose Jacobian the test gives: of each row, columns and blocks.
class MatrixMapping final : public core::Mapping<core::Vec3Types, core::Vec3Types>
{
public:
    std::vector<std::vector<std::pair<core::Index, core::Mat3>>> matrix;

    std::string className() const override { return "MatrixMapping"; }
    using Mapping::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override
    {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = {};
            for (const auto& [column, block] : matrix[i]) out[i] += block * in[column];
        }
    }
    void buildJacobian(JacobianMatrix& j, const InVecCoord&) override
    {
        j.clear();
        for (const auto& row : matrix) {
            j.appendRow();
            for (const auto& [column, block] : row) j.append(column, block);
        }
    }
};

}  // namespace sofa::test
