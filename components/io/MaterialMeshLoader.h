// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "core/io/VegFormat.h"
#include "core/topology/MeshLoader.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of the loaders of files that say what elements are made of.
///
/// Material properties are lists with a value for each element, in the order of the elements, that force fields and
/// masses link to (youngModulus="@loader.youngModulus"). A list is empty where the material of some element does not
/// have the property; a message says so if that of another element has it. Isotropic elements count as orthotropic ones
/// where the mesh has both. Sets of elements and points become Data of their own.
///
/// The file is read when the scene is, so that links find the sets.
class MaterialMeshLoader : public MeshLoader
{
public:
    Output<Vector<double>> d_density{this, property("density", "Mass density of each element", "kg/m^3")};
    Output<Vector<double>> d_youngModulus{
        this, property("youngModulus", "Young's modulus of each element, if all are isotropic (ENU)", "Pa")};
    Output<Vector<double>> d_poissonRatio{
        this, property("poissonRatio", "Poisson's ratio of each element, if all are isotropic (ENU)", "1")};
    Output<Vector<double>> d_mu01{
        this, property("mu01", "Coefficient of the second invariant of each element, if all are Mooney-Rivlin", "Pa")};
    Output<Vector<double>> d_mu10{
        this, property("mu10", "Coefficient of the first invariant of each element, if all are Mooney-Rivlin", "Pa")};
    Output<Vector<double>> d_v1{
        this, property("v1", "Coefficient of the volume change of each element, if all are Mooney-Rivlin", "Pa")};
    Output<Vector<Vec3>> d_orthotropicModuli{
        this, property("orthotropicModuli", "Young's moduli E1 E2 E3 of each element, if one is orthotropic", "Pa")};
    Output<Vector<Vec3>> d_orthotropicRatios{
        this,
        property("orthotropicRatios", "Poisson's ratios nu12 nu23 nu31 of each element, if one is orthotropic", "1")};
    Output<Vector<Vec3>> d_orthotropicShearModuli{
        this,
        property("orthotropicShearModuli", "Shear moduli G12 G23 G31 of each element, if one is orthotropic", "Pa")};
    Output<Vector<Mat3>> d_orthotropicAxes{
        this, property("orthotropicAxes",
                       "Rotation from the axes of the material of each element to those of the mesh, "
                       "if one is orthotropic",
                       "1")};
    Output<Vector<std::string>> d_materialNames{this, property("materialNames", "Names of the materials", {})};
    Output<Vector<Index>> d_materialIndices{
        this, property("materialIndices", "Material of each element: index in materialNames", {})};

    void parse(ComponentDescription& desc) override;

protected:
    static DataInfo property(std::string_view name, std::string_view help, std::string_view unit)
    {
        return {.name = name, .help = help, .unit = unit, .group = "Material"};
    }
    /// Gives the lists above their values. `indices` has the place in `materials` for each element, or is empty. A
    /// density or Young's modulus of 0 is one that the file does not give.
    void publishMaterials(std::span<const io::VegMaterial> materials, Vector<Index> indices);
    /// Forgets the members of all sets; their Data stay, so that links go on holding.
    void clearSets();
    /// A Data of that name, which is made if there is none, with the members of a set.
    void publishSet(const std::string& data, std::string_view help, Vector<Index> members);

private:
    /// The name of a Data is the key here, which lives as long as the Data.
    std::map<std::string, std::unique_ptr<Data<Vector<Index>>>> m_sets;
};

}  // namespace sofa::component
