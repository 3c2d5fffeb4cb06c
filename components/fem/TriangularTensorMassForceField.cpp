// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularTensorMassForceField.h"

#include "core/factory/Registry.h"
#include "core/fem/elements/ElementStretch.h"
#include "core/fem/elements/FiniteElements.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

TriangularTensorMassForceField::TriangularTensorMassForceField()
{
    ignoreAttribute("edgeInfo", "it was internal data of the component");
}

LameParameters TriangularTensorMassForceField::materialOf(Index e) const
{
    const double young = regions.valueOf(d_youngModulus, e), poisson = regions.valueOf(d_poissonRatio, e);
    return {young * poisson / (1. - poisson * poisson), young / (2. * (1. + poisson))};
}

void TriangularTensorMassForceField::prepare()
{
    const Vector<Triangle>& triangles = topology().triangles();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (triangles.empty() && m_triangles.empty() && !mayStartEmpty(*this, topology(), "triangles")) return;
    const VecCoord& rest = restPositions();
    regions.update(static_cast<Index>(triangles.size()));
    m_shapes.resize(triangles.size());
    for (Index e = 0; e < triangles.size(); ++e) {
        const Triangle& t = triangles[e];
        std::array<Vec3, 3> x;
        for (std::size_t i = 0; i < 3; ++i) {
            if (t[i] >= rest.size())
                throw std::runtime_error("triangle " + std::to_string(e) + " has the vertex " + std::to_string(t[i]) +
                                         ", but there are " + std::to_string(rest.size()) + " points");
            x[i] = rest[t[i]];
        }
        const auto reference = TriangleShape::gradients({});
        const auto j = elementJacobian(x, reference);
        const Vec3 normal = cross(j.column(0), j.column(1));
        const double twice = norm(normal);
        if (!(twice > 1e-12 * norm(j.column(0)) * norm(j.column(1))))
            throw std::runtime_error("triangle " + std::to_string(e) + " (vertices " + std::to_string(t[0]) + ' ' +
                                     std::to_string(t[1]) + ' ' + std::to_string(t[2]) + ") has no area at rest");
        const LameParameters m = materialOf(e);
        m_shapes[e] = {spatialGradients(j, reference), normal / twice, {m.lambda * 0.5 * twice, m.mu * 0.5 * twice}};
    }
    m_triangles = triangles;
    m_tensors.build<3>(m_triangles, rest, [this](Index e, std::size_t i, std::size_t j) { return block(e, i, j); });
}

Mat3 TriangularTensorMassForceField::block(Index e, std::size_t i, std::size_t j) const
{
    const RestShape& s = m_shapes[e];
    const Vec3 &a = s.gradients[i], &b = s.gradients[j];
    const auto& [lambda, mu] = s.material;
    return isotropicStiffnessBlock(a, b, lambda, mu) + outer(s.normal, s.normal) * ((lambda + mu) * dot(a, b));
}

void TriangularTensorMassForceField::stresses(const Shape& shape, Vector<Mat3>& out) const
{
    out.clear();
    Index number = 0;
    forEachElement(shape, [&](ElementType type, std::span<const Index> e, bool exists) {
        const ElementStretch stretch = exists ? elementStretch(type, e, shape.rest, shape.now) : ElementStretch();
        out.push_back(hookeStress(stretch, materialOf(number++)));
    });
}

void TriangularTensorMassForceField::elementEnergies(Vector<double>& out) const
{
    TensorMassForceField::elementEnergies(out, m_triangles,
                                          [this](Index e, std::size_t i, std::size_t j) { return block(e, i, j); });
}

void TriangularTensorMassForceField::draw(DrawTool& tool)
{
    if (tool.shows(DisplayFlags::ForceFields) && l_state)
        drawElements(tool, ElementType::Triangles, m_triangles, state().positions());
}

static const RegisterComponent registeredTriangularTensorMassForceField =
    RegisterComponent("TriangularTensorMassForceField", "ForceField", "Sofa.Component.SolidMechanics.TensorMass")
        .help("Linear elasticity (Hooke's law in plane stress) of triangles for small displacements")
        .example("component/fem/TriangularTensorMassForceField.scn")
        .add<TriangularTensorMassForceField>();

}  // namespace sofa::component
