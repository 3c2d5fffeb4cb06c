// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/QuadBendingFEMForceField.h"

#include "core/factory/Registry.h"
#include "core/fem/elements/FiniteElements.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

constexpr double shearCorrection = 5. / 6.;  // of a rectangular cross-section

std::string quadName(Index e, const Quad& q)
{
    std::string text = "quad " + std::to_string(e) + " (vertices";
    for (const Index v : q) text += ' ' + std::to_string(v);
    return text + ')';
}

}  // namespace

QuadBendingFEMForceField::QuadBendingFEMForceField()
{
    d_youngModulus.setDefault({1000.});
    for (const char* name : {"quadInfo", "vertexInfo", "edgeInfo"})
        ignoreAttribute(name, "it was internal data of the component");
}

void QuadBendingFEMForceField::prepare()
{
    const Vector<Quad>& quads = topology().quads();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (quads.empty() && m_quads.empty() && !mayStartEmpty(*this, topology(), "quads")) return;
    regions.update(static_cast<Index>(quads.size()));
    for (Index e = 0; e < quads.size(); ++e)
        for (const Index v : quads[e])
            if (v >= restPositions().size())
                throw std::runtime_error(quadName(e, quads[e]) + ": there are only " +
                                         std::to_string(restPositions().size()) + " points");
    m_quads = quads;
    measure(restPositions());
}

void QuadBendingFEMForceField::measure(const VecCoord& x)
{
    m_plates.resize(m_quads.size());
    for (Index e = 0; e < m_quads.size(); ++e) m_plates[e] = plateOf(e, x);
    m_tensors.build<4>(m_quads, restPositions(),
                       [this](Index e, std::size_t i, std::size_t j) { return block(e, i, j); });
}

auto QuadBendingFEMForceField::plateOf(Index e, const VecCoord& x) const -> Plate
{
    std::array<Vec3, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) corners[i] = x[m_quads[e][i]];
    Plate plate;
    if (likeSofa()) {
        plate = rectangle(corners);
    } else {
        // In the plane of the diagonals.
        const Vec3 normal = cross(corners[2] - corners[0], corners[3] - corners[1]);
        const double twice = norm(normal);
        if (!(twice > 1e-12 * norm(corners[2] - corners[0]) * norm(corners[3] - corners[1])))
            throw std::runtime_error(quadName(e, m_quads[e]) + " has no area at rest");
        plate.normal = normal / twice;
        for (Vec3& c : corners) c -= plate.normal * dot(plate.normal, c - x[m_quads[e][0]]);
        for (std::size_t q = 0; q < plate.plane.size(); ++q) {
            const auto& [point, weight] = QuadShape::quadrature[q];
            const auto reference = QuadShape::gradients(point);
            const auto j = elementJacobian(corners, reference);
            const double area = dot(plate.normal, cross(j.column(0), j.column(1)));
            if (!(area > 1e-12 * twice))
                throw std::runtime_error(quadName(e, m_quads[e]) +
                                         " is not convex at rest. Are its vertices in the right order?");
            plate.plane[q] = {spatialGradients(j, reference), weight * area};
        }
    }
    materialOf(e);  // names the element whose values make no sense
    const double young = regions.valueOf(d_youngModulus, e) * d_thickness.value(),
                 poisson = regions.valueOf(d_poissonRatio, e);
    plate.material = {young * poisson / (1. - poisson * poisson), young / (2. * (1. + poisson))};
    return plate;
}

auto QuadBendingFEMForceField::rectangle(const std::array<Vec3, 4>& corners) -> Plate
{
    const double length = norm(corners[1] - corners[0]), height = norm(corners[3] - corners[0]);
    Plate plate;
    plate.normal = {0., 0., 1.};
    for (std::size_t q = 0; q < plate.plane.size(); ++q) {
        const auto& [point, weight] = QuadShape::quadrature[q];
        const auto reference = QuadShape::gradients(point);
        for (std::size_t i = 0; i < 4; ++i)
            plate.plane[q].gradients[i] = {2. * reference[i][0] / length, 2. * reference[i][1] / height, 0.};
        plate.plane[q].weight = 0.25 * weight * length * height;
    }
    return plate;
}

Mat3 QuadBendingFEMForceField::block(Index e, std::size_t i, std::size_t j) const
{
    const Plate& p = m_plates[e];
    const auto& [lambda, mu] = p.material;
    const Mat3 across = outer(p.normal, p.normal);
    Mat3 k;
    Vec3 a, b;  // times the area, for the mean gradients
    double area = 0., shear = 0.;
    for (const Sample& s : p.plane) {
        const Vec3 &ga = s.gradients[i], &gb = s.gradients[j];
        k += (isotropicStiffnessBlock(ga, gb, lambda, mu) - across * (mu * dot(ga, gb))) * s.weight;
        shear += s.weight * dot(ga, gb);
        a += ga * s.weight;
        b += gb * s.weight;
        area += s.weight;
    }
    // The mean of the gradients is that at the middle of a rectangle.
    if (likeSofa()) shear = dot(a, b) / area;
    return k + across * (shearCorrection * mu * shear);
}

void QuadBendingFEMForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    if (likeSofa()) measure(x);
    TensorMassForceField::addElementForces(f, x);
}

double QuadBendingFEMForceField::potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const
{
    return likeSofa() ? std::nan("") : TensorMassForceField::potentialEnergy(mp, x);
}

void QuadBendingFEMForceField::elementEnergies(Vector<double>& out) const
{
    TensorMassForceField::elementEnergies(out, m_quads,
                                          [this](Index e, std::size_t i, std::size_t j) { return block(e, i, j); });
}

void QuadBendingFEMForceField::draw(DrawTool& tool)
{
    if (tool.shows(DisplayFlags::ForceFields) && l_state)
        drawElements(tool, ElementType::Quads, m_quads, state().positions());
}

static const RegisterComponent registeredQuadBendingFEMForceField =
    RegisterComponent("QuadBendingFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Plate of quads that resists stretching in its plane and shear across it, for small displacements")
        .example("component/fem/QuadBendingFEMForceField.scn")
        .add<QuadBendingFEMForceField>();

}  // namespace sofa::component
