// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

namespace sofa::core {

/// A line of a list of regression tests.
struct RegressionCase
{
    std::string name;        ///< of the scene, as the list has it
    std::string scene;       ///< its file
    std::string references;  ///< beginning of the names of its reference files: FOLDER/NAME.reference_
    std::size_t steps = 0;
    double epsilon = 0.;    ///< error that is allowed (Regression.h)
    bool mapped = false;    ///< states that mappings move are tested too
    std::size_t dumps = 0;  ///< number of frames of new references, beside that at the start; 0: one after each step
};

/// Reads a list of SOFA's (.regression-tests). Lines that are empty or begin with '#' are passed over; the first other
/// one names the folder of the references, each further one is a test:
///
///     SCENE STEPS EPSILON MAPPED DUMPS
///
/// The folder and scenes are seen from that of the list, and there is at least one scene; $REGRESSION_DIR in the folder
/// stands for the environment variable of that name, without one for the folder of the list. Appends each mistake to
/// `errors`, as "file:line:
/// ...".
std::vector<RegressionCase> readRegressionList(const std::string& file, std::vector<std::string>& errors);

}  // namespace sofa::core
