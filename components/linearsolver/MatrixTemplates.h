// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sofa::component {

/// Matrix types that SOFA's scenes write as template of linear solvers and systems. One block sparse matrix stands for
/// all assembled ones (its block size follows the degrees of freedom); GraphScattered means products without a matrix.
std::vector<std::string> matrixTemplates(bool matrixFreeFirst);
inline bool isMatrixFree(std::string_view templ) { return templ.empty() || templ == "GraphScattered"; }

}  // namespace sofa::component
