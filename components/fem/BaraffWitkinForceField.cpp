// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BaraffWitkinForceField.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void BaraffWitkinForceField::prepare()
{
    const Vector<Triangle>& triangles = topology().triangles();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (triangles.empty() && m_cloth.triangleCount() == 0 && !mayStartEmpty(*this, topology(), "triangles")) return;
    const BaraffWitkinCloth::Options options{
        .restStretch = d_restStretch.value(),
        .useRestAngles = d_useRestAngles.value(),
        .bending = static_cast<BaraffWitkinCloth::Bending>(d_bending.value().index())};
    regions.update(static_cast<Index>(triangles.size()));
    m_cloth.build(triangles, restPositions(), d_uv.value(), options, [this](Index e) {
        return BaraffWitkinCloth::Material{regions.valueOf(d_tensileStiffness, e), regions.valueOf(d_shearStiffness, e),
                                           regions.valueOf(d_bendStiffnessU, e), regions.valueOf(d_bendStiffnessV, e)};
    });
}

bool BaraffWitkinForceField::hasPreparedElements() const
{
    return topology().triangles() == m_cloth.triangles().elements();
}

void BaraffWitkinForceField::addElementForces(VecDeriv& f, const VecCoord& x) { m_cloth.addForce(f, x); }

void BaraffWitkinForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    m_cloth.addStiffnessProduct(df, dx, factor);
}

void BaraffWitkinForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (isValid()) m_cloth.addStiffness(k);
}

double BaraffWitkinForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_cloth.energy(x);
}

void BaraffWitkinForceField::draw(DrawTool& tool)
{
    if (tool.shows(DisplayFlags::ForceFields) && l_state && l_topology)
        drawElements(tool, ElementType::Triangles, topology().triangles(), state().positions());
}

static const RegisterComponent registeredBaraffWitkinForceField =
    RegisterComponent("BaraffWitkinForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help(
            "Cloth of Baraff and Witkin on triangles: stretch, shear and bending; it has an energy for each triangle, "
            "but no stress")
        .example("component/fem/BaraffWitkinForceField.scn")
        .add<BaraffWitkinForceField>();

}  // namespace sofa::component
