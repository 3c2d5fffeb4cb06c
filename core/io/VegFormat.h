// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"
#include "core/math/Mat.h"

namespace sofa::core::io {

/// What a .veg file says about the matter of some elements. Only the members of its kind have a meaning.
struct VegMaterial
{
    enum class Kind
    {
        Isotropic,    ///< ENU: youngModulus, poissonRatio
        Orthotropic,  ///< moduli, ratios, shearModuli, axes
        MooneyRivlin  ///< mu01, mu10, v1
    };

    std::string name = "defaultMaterial";
    Kind kind = Kind::Isotropic;
    double density = 1000.;  ///< [kg/m³], > 0

    double youngModulus = 1e9;   ///< E [Pa], > 0
    double poissonRatio = 0.45;  ///< ν, between −1 and 0.5

    Vec3 moduli;                   ///< E₁ E₂ E₃ [Pa], > 0
    Vec3 ratios;                   ///< ν₁₂ ν₂₃ ν₃₁; the compliance couples −ν_ij / E_i
    Vec3 shearModuli;              ///< G₁₂ G₂₃ G₃₁ [Pa], > 0
    Mat3 axes = Mat3::identity();  ///< R of the file, row by row: from material to world axes
    double mu01 = 0., mu10 = 0.;   ///< Mooney-Rivlin coefficients [Pa]
    double v1 = 0.;                ///< volumetric coefficient [Pa]

    static VegMaterial isotropic(std::string name, double density, double youngModulus, double poissonRatio);
    static VegMaterial mooneyRivlin(std::string name, double density, double mu01, double mu10, double v1);
    /// Any numbers; see `orthotropicN1` for the forms with one Poisson's ratio.
    static VegMaterial orthotropic(std::string name, double density, const Vec3& moduli, const Vec3& ratios,
                                   const Vec3& shearModuli, const Mat3& axes = Mat3::identity());
    /// ν_ij = ν √(E_i/E_j) and G_ij = shear √(E_i E_j) / (2 (1 + ν)), which is stable for −1 < ν < 1/2 whatever the
    /// moduli: Y. Li and J. Barbič, "Stable Orthotropic Materials", Symposium on Computer Animation 2014.
    static VegMaterial orthotropicN1(std::string name, double density, const Vec3& moduli, double poissonRatio,
                                     double shear = 1., const Mat3& axes = Mat3::identity());

    /// The same matter as an orthotropic one: E, ν and G = E / (2 (1 + ν)) in all directions for an isotropic one.
    /// \throws std::runtime_error for a Mooney-Rivlin one
    VegMaterial toOrthotropic() const;

    friend bool operator==(const VegMaterial&, const VegMaterial&) = default;
};

/// Named set of elements.
struct VegSet
{
    std::string name;
    Vector<Index> elements;  ///< increasing, from 0
    friend bool operator==(const VegSet&, const VegSet&) = default;
};

/// Gives the elements of a set a material: indices in VegMesh::sets and VegMesh::materials.
struct VegRegion
{
    Index set = 0, material = 0;
    friend bool operator==(const VegRegion&, const VegRegion&) = default;
};

/// A volumetric mesh with its materials: tetrahedra or hexahedra (never both), numbered from 0 in the order of the
/// file. The corners of a hexahedron stand in the order of `Hexahedron`, which is that of the file as well.
struct VegMesh
{
    Vector<Vec3> positions;  ///< [m]
    Vector<Tetrahedron> tetrahedra;
    Vector<Hexahedron> hexahedra;
    std::vector<VegMaterial> materials;
    std::vector<VegSet> sets;  ///< the first one is allElements
    std::vector<VegRegion> regions;
    Vector<Index> elementMaterial;  ///< index in `materials` for each element
    std::vector<std::string> notes;

    std::size_t elementCount() const { return tetrahedra.empty() ? hexahedra.size() : tetrahedra.size(); }
    const VegMaterial& materialOf(std::size_t element) const { return materials[elementMaterial[element]]; }
};

/// Sets `elementMaterial` from the regions: of several regions that hold an element, the last one counts. Elements in
/// none get the last material, or VegMaterial{} if there is none, by a set "unassignedSet" and a region that are
/// appended; as in Vega. Returns the number of such elements.
std::size_t assignMaterials(VegMesh& mesh);

/// The mesh with sets as groups of cells, and ranges of cells by material.
MeshData toMeshData(const VegMesh& mesh);

/// The tetrahedra, or else the hexahedra, of a mesh with a material for each: one set and region per material.
/// \throws std::runtime_error if the mesh has neither, or the sizes or indices do not fit
VegMesh makeVegMesh(const MeshData& mesh, std::vector<VegMaterial> materials, const Vector<Index>& elementMaterial);

/// Reads a volumetric mesh of the Vega library (.veg; a binary one as well, see VegBinary.h; Vega FEM 4.0 manual,
/// section "Vega file format").
///
///   *VERTICES          a line "n 3", then n lines "number x y z"
///   *ELEMENTS          a line TET or CUBIC (or TETS, CUBE, CUBES), a line "n 4" or "n 8", n lines "number v₁ v₂ …"
///   *MATERIAL name     a line "ENU, ρ, E, ν", "MOONEYRIVLIN, ρ, μ₀₁, μ₁₀, v₁", or "ORTHOTROPIC…, ρ, E₁, E₂, E₃, …"
///                      that goes on, by its suffix: none or _N3G3R9: ν₁₂ ν₂₃ ν₃₁ G₁₂ G₂₃ G₃₁ R₁₁ … R₃₃; _N3G3: without
///                      R; _N1: ν; _N1G1: ν and a factor on G; _N1G3: ν G₁₂ G₂₃ G₃₁; each of the last three with _…R9:
///                      R
///   *SET name          lines of element numbers
///   *REGION            a line "set, material"; the set allElements is known
///   *INCLUDE file      stands for the lines of the file (DataLines)
///
/// Numbering starts at 0 or 1, in each of the two lists for itself, and ascends by one. Blanks and commas separate;
/// what follows on a line is ignored, as attributes and boundary markers of .node and .ele files (TetGen, Stellar) have
/// to be; so are lines that start with '#'. Words of the language may have any case, names count as written but for
/// their blanks. Sets and materials may stand behind the regions that use them. Second-order tetrahedra (10 vertices)
/// are reduced to their corners. Duplicate names (the first one counts), elements in no region and tetrahedra that are
/// not positively oriented give notes. \throws MeshError
VegMesh readVeg(const std::filesystem::path& path);
VegMesh parseVeg(const SourceText& source);

/// Writes a .veg file; all numbers read back exactly. Regions say which material an element has (`elementMaterial` is
/// not looked at). \throws MeshError where the file cannot be written, a name is empty or contains a blank, ',', '#' or
/// '*', an index is out of range or a number is not finite
void writeVeg(const std::filesystem::path& path, const VegMesh& mesh);

}  // namespace sofa::core::io
