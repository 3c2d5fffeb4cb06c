// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/MatrixTemplates.h"

namespace sofa::component {

std::vector<std::string> matrixTemplates(bool matrixFreeFirst)
{
    std::vector<std::string> names;
    if (matrixFreeFirst) names.emplace_back("GraphScattered");
    for (const char* base :
         {"CompressedRowSparseMatrix", "BTDMatrix", "BlockDiagonalMatrix", "SparseMatrix", "FullMatrix",
          "DiagonalMatrix", "RotationMatrix", "EigenSparseMatrix", "ParallelCompressedRowSparseMatrix"}) {
        names.emplace_back(base);
        names.emplace_back(std::string(base) + 'd');
        names.emplace_back(std::string(base) + 'f');
    }
    for (int n : {1, 2, 3, 4, 6, 8}) {
        const std::string d = std::to_string(n), mat = "Mat" + d + 'x' + d;
        for (const char* base :
             {"CompressedRowSparseMatrix", "BlockDiagonalMatrix", "BTDMatrix", "ParallelCompressedRowSparseMatrix"}) {
            names.push_back(base + mat);
            names.push_back(base + mat + 'd');
            names.push_back(base + mat + 'f');
            names.push_back(base + d);
            names.push_back(base + d + 'd');
            names.push_back(base + d + 'f');
        }
    }
    return names;
}

}  // namespace sofa::component
