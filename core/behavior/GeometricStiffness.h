// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Data.h"
#include "core/objectmodel/DataText.h"

namespace sofa::core {

/// How much of the geometric stiffness f · ∂²x_out/∂x_in² a nonlinear mapping adds.
enum class GeometricStiffness : std::size_t
{
    None,
    Exact,
    Stabilized  ///< what keeps the matrix of an implicit integrator definite: the part with negative eigenvalues
};

/// The choice, as an attribute of a mapping.
class GeometricStiffnessData : public Data<Options>
{
public:
    GeometricStiffnessData(Base& owner, GeometricStiffness standard)
        : Data(&owner,
               {.name = "geometricStiffness",
                .help = "Stiffness of forces whose directions change with the input: None, Exact, Stabilized (its "
                        "part that keeps the matrix definite)"},
               Options({"None", "Exact", "Stabilized"}, static_cast<std::size_t>(standard)))
    {
    }
    GeometricStiffness kind() const { return static_cast<GeometricStiffness>(value().index()); }
    bool isOn() const { return kind() != GeometricStiffness::None; }
    bool isStabilized() const { return kind() == GeometricStiffness::Stabilized; }
};

}  // namespace sofa::core
