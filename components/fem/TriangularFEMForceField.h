// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "components/fem/FramedElementsForceField.h"
#include "components/fem/VolumetricStrain.h"
#include "core/fem/elements/CorotationalTriangles.h"

namespace sofa::component {

/// Base of the membranes of linear triangles; equations, units and sources are in
/// core/fem/elements/CorotationalTriangles.h.
class TriangleMembrane : public FramedElementsForceField<CorotationalTriangles>
{
public:
    /// The triangles (flag ForceFields).
    void draw(DrawTool& tool) override;

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Triangles}}; }
    void prepare() override;
    bool followElements(const TopologyChange& change) override;
    bool hasPreparedElements() const override { return triangles() == m_mechanics.graph().elements(); }
    /// Principal stresses [Pa m] at the last force, and the direction of the first, the larger one in size.
    struct Principal
    {
        double first, second;
        Vec3 direction;
    };
    Principal principalStress(Index e) const;

    virtual Vector<Triangle> triangles() const { return topology().triangles(); }
    virtual CorotationalTriangles::Method method() const = 0;
    /// Factor of the sides at rest.
    virtual double restScale() const { return 1.; }
    /// Thickness [m] and hypothesis, with the material of an element.
    virtual CorotationalTriangles::Material membraneMaterial(Index e) const;
    /// Sets the material of some elements from the Data.
    void setMaterial(const Vector<Index>& elements);
    virtual const VecCoord& shapeAtRest() { return restPositions(); }
    virtual bool turnsCorners() const { return false; }
};

/// Membrane whose scene chooses between displacements in frames and displacements in the plane x y.
class LargeOrSmallMembrane : public TriangleMembrane
{
public:
    Data<Options> d_method{
        this,
        {.name = "method",
         .help = "large: displacements are measured in a frame of each triangle; small: in the plane x y"},
        Options({"large", "small"})};

protected:
    CorotationalTriangles::Method method() const override
    {
        return d_method.value().index() == 0 ? CorotationalTriangles::Method::large
                                             : CorotationalTriangles::Method::small;
    }
};

/// Membrane of triangles in plane stress with a thickness of one metre; `maxStress` has the stresses.
class TriangularFEMForceField : public LargeOrSmallMembrane
{
public:
    Data<bool> d_computePrincipalStress{
        this, {.name = "computePrincipalStress", .help = "Write the principal stresses to maxStress"}, false};
    Data<Vector<double>> d_maxStress{
        this,
        {.name = "maxStress",
         .help = "Largest principal stress of each triangle in size, if computePrincipalStress",
         .unit = "Pa",
         .readOnly = true,
         .saved = false}};
    Data<double> d_hosfordExponent{this,
                                   {.name = "hosfordExponant",
                                    .help = "Exponent of Hosford's yield criterion",
                                    .unit = "1",
                                    .group = "Visualization"},
                                   1.};
    Data<double> d_criteriaValue{this,
                                 {.name = "criteriaValue",
                                  .help = "Stress above which triangles are drawn as breakable",
                                  .unit = "Pa",
                                  .group = "Visualization"},
                                 1e15};
    Data<bool> d_showStressValue{
        this, {.name = "showStressValue", .help = "Draw the stress as a colour", .group = "Visualization"}, true};
    Data<bool> d_showStressVector{
        this,
        {.name = "showStressVector", .help = "Draw the direction of the stress", .group = "Visualization"},
        false};
    Data<bool> d_showFracturableTriangles{
        this,
        {.name = "showFracturableTriangles", .help = "Draw breakable triangles", .group = "Visualization"},
        false};

    TriangularFEMForceField();

    /// With the flag ForceFields: triangles by the stress of their points, the largest principal stress (mean of the
    /// triangles around); the direction of the largest principal stress, as long as the sides; triangles whose stress
    /// exceeds criteriaValue by Hosford's criterion in red.
    void draw(DrawTool& tool) override;

protected:
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
};

/// Membrane of triangles, or of quads cut in two, with a thickness, in plane stress or plane strain.
class TriangleFEMForceField final : public LargeOrSmallMembrane
{
public:
    Data<VecCoord> d_initialPoints{
        this, {.name = "initialPoints", .help = "Rest shape; default: the rest position of the state", .unit = "m"}};
    Data<double> d_thickness{
        this,
        {.name = "thickness", .help = "Thickness of the membrane", .unit = "m", .range = Range::nonNegative()},
        1.};
    Data<bool> d_planeStrain{
        this, {.name = "planeStrain", .help = "No strain across the membrane; otherwise no stress across it"}, false};

protected:
    /// The triangles, or the halves of the quads where the mesh had no triangles at the beginning.
    ElementNumbering elementNumbering() const override
    {
        if (m_halves) return {l_topology.get(), {ElementType::Quads}, 2};
        return TriangleMembrane::elementNumbering();
    }
    void prepare() override
    {
        if (mechanics().size() == 0) m_halves = topology().triangles().empty();
        TriangleMembrane::prepare();
        if (!m_warned && d_planeStrain.value() &&
            std::ranges::any_of(d_poissonRatio.value(), VolumetricStrain::locks)) {
            m_warned = true;
            msgWarning() << "elements in plane strain lock as Poisson's ratio approaches 0.5: they are much too stiff";
        }
    }
    Vector<Triangle> triangles() const override;
    CorotationalTriangles::Material membraneMaterial(Index e) const override;
    const VecCoord& shapeAtRest() override;
    bool turnsCorners() const override { return true; }

private:
    bool m_halves = false, m_warned = false;
};

}  // namespace sofa::component
