// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"
#include "core/io/VegFormat.h"

namespace sofa::core::io {

/// What an input file of Abaqus (or CalculiX) says about the mesh and the matter of a model.
struct AbaqusModel
{
    /// Element sets are in `groups`, node sets in `pointSets`; `ranges` have the instance as group, and the material,
    /// with `materialId` as index in the list below; −1 where no section gives one.
    MeshData mesh;
    std::vector<VegMaterial> materials;  ///< a density or Young's modulus of 0: the file gives none
};

/// Reads an input file (.inp; Abaqus Keywords Reference Guide). Keywords, parameters and labels may have any case;
/// "**" begins a comment, a line that ends with a comma goes on.
///
///   *NODE [NSET]             number, x, y, z
///   *ELEMENT TYPE [ELSET]    number, nodes; the types of abaqusElementType
///   *NSET NSET, *ELSET ELSET [GENERATE] [INSTANCE] [ELSET]
///                            numbers, names of sets, or "instance.name"; with GENERATE first, last, step
///   *PART, *ASSEMBLY, *INSTANCE PART
///                            an instance is moved, then turned: x, y, z; two points on the axis and an angle [degrees]
///   *MATERIAL, with *DENSITY, *ELASTIC (isotropic or ENGINEERING CONSTANTS), *HYPERELASTIC (NEO HOOKE, MOONEY-RIVLIN)
///   *SOLID SECTION, *SHELL SECTION, *MEMBRANE SECTION, *BEAM SECTION: ELSET, MATERIAL
///   *INCLUDE INPUT           stands for the lines of the file
///
/// Everything between *STEP and *END STEP, and all other keywords, are passed over, with one note that names them;
/// those that make nodes or elements (*NGEN, *ELGEN, ...) or move them (*SYSTEM) are errors. Numbers are taken as they
/// are: Abaqus knows no units. Points are in the order of the file, instance by instance; those of the assembly are
/// last. Sets of instances have the name of theirs in front ("instance.set") if there are several instances. Elements
/// of second order give midside nodes (edges, triangles, tetrahedra), or their corners, with a note. What depends on
/// the temperature has its first value, with a note. \throws MeshError
AbaqusModel parseAbaqus(const SourceText& source);

}  // namespace sofa::core::io
