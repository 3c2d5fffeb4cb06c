// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularFEMForceField.h"

#include <cmath>

#include "core/factory/Registry.h"

namespace sofa::component {

void TriangleMembrane::prepare()
{
    const Vector<Triangle> elements = triangles();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (elements.empty() && m_mechanics.size() == 0)
        throw std::runtime_error("the topology '" + topology().pathName() + "' has no triangles");
    const VecCoord& rest = shapeAtRest();
    if (rest.size() != state().size())
        throw std::runtime_error("initialPoints has " + std::to_string(rest.size()) + " points, but the state has " +
                                 std::to_string(state().size()));
    m_mechanics.build(elements, rest, d_method.value().index() == 0, turnsCorners());
    regions.update(m_mechanics.size());
    m_mechanics.setMaterial([this](Index e) {
        materialOf(e);  // names the element whose values make no sense
        return membraneMaterial(regions.valueOf(d_youngModulus, e), regions.valueOf(d_poissonRatio, e));
    });
}

CorotationalTriangles::Material TriangleMembrane::membraneMaterial(double young, double poisson) const
{
    return CorotationalTriangles::planeStress(young, poisson);
}

void TriangleMembrane::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (isValid()) m_mechanics.addStiffness(k);
}

double TriangleMembrane::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_mechanics.energy(x);
}

void TriangleMembrane::nodeRotations(Vector<Mat3>& rotations) const
{
    averageRotations(m_mechanics.graph(), rotations, [this](Index e) { return m_mechanics.rotation(e); });
}

TriangularFEMForceField::TriangularFEMForceField()
{
    for (const char* name : {"rotatedInitialElements", "initialTransformation"})
        ignoreAttribute(name, "the rest shape is that of the state");
}

void TriangularFEMForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    TriangleMembrane::addElementForces(f, x);
    if (!d_computePrincipalStress.value()) return;
    auto& stresses = d_maxStress.edit();
    stresses.resize(mechanics().size());
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Vec3 s = mechanics().stress(e);
        stresses[e] = std::abs(0.5 * (s[0] + s[1])) + std::hypot(0.5 * (s[0] - s[1]), s[2]);
    }
}

Vector<Triangle> TriangleFEMForceField::triangles() const
{
    if (!topology().triangles().empty()) return topology().triangles();
    Vector<Triangle> halves;
    for (const Quad& q : topology().quads()) {
        halves.push_back({q[0], q[1], q[2]});
        halves.push_back({q[0], q[2], q[3]});
    }
    return halves;
}

CorotationalTriangles::Material TriangleFEMForceField::membraneMaterial(double young, double poisson) const
{
    const double y = young * d_thickness.value();
    return d_planeStrain.value() ? CorotationalTriangles::planeStrain(y, poisson)
                                 : CorotationalTriangles::planeStress(y, poisson);
}

const Vec3Types::VecCoord& TriangleFEMForceField::shapeAtRest()
{
    if (!d_initialPoints.isSet()) return restPositions();
    return d_initialPoints.value();
}

static const RegisterComponent triangular =
    RegisterComponent("TriangularFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Membrane of linear elastic triangles in plane stress")
        .example("component/fem/TriangularFEMForceField.scn")
        .add<TriangularFEMForceField>();
static const RegisterComponent triangle =
    RegisterComponent("TriangleFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Membrane of linear elastic triangles, or quads cut in two, with a thickness")
        .example("component/fem/TriangleFEMForceField.scn")
        .add<TriangleFEMForceField>();

}  // namespace sofa::component
