// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularAnisotropicFEMForceField.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

TriangularAnisotropicFEMForceField::TriangularAnisotropicFEMForceField()
{
    ignoreAttribute("triangleInfo", "it was internal data of the component");
    ignoreAttribute("vertexInfo", "it was internal data of the component");
}

Vec3 TriangularAnisotropicFEMForceField::fiber(Index e) const
{
    const Triangle& t = mechanics().graph().elements()[e];
    const VecCoord& rest = restPositions();
    const Vec3 normal = normalized(cross(rest[t[1]] - rest[t[0]], rest[t[2]] - rest[t[0]]));
    const double angle = d_fiberAngle.value() * std::numbers::pi / 180.;
    Vec3 direction{std::cos(angle), std::sin(angle), 0.};
    if (!d_fiberCenter.value().empty())
        direction = normalized(
            cross(normal, d_fiberCenter.value().front() - (rest[t[0]] + rest[t[1]] + rest[t[2]]) / 3.), Vec3());
    direction -= normal * dot(direction, normal);
    const double length = norm(direction);
    if (!(length > 1e-6))
        throw std::runtime_error(
            "triangle " + std::to_string(e) + " has no direction of fibres in its plane: " +
            (d_fiberCenter.value().empty() ? "that of fiberAngle is normal to it" : "fiberCenter is above its middle"));
    return direction / length;
}

void TriangularAnisotropicFEMForceField::prepare()
{
    TriangularFEMForceField::prepare();
    const auto local = d_localFiberDirection.edit();
    local->clear();
    const VecCoord& rest = restPositions();
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Triangle& t = mechanics().graph().elements()[e];
        const Vec3 ab = rest[t[1]] - rest[t[0]], ac = rest[t[2]] - rest[t[0]], n = cross(ab, ac), f = fiber(e);
        // f = u ab + v ac
        const Vec3 parts{dot(cross(f, ac), n), dot(cross(ab, f), n), 0.};
        local->push_back(parts / norm(parts));
    }
}

CorotationalTriangles::Material TriangularAnisotropicFEMForceField::membraneMaterial(Index e) const
{
    const double young = regions.valueOf(d_youngModulus, e), poisson = regions.valueOf(d_poissonRatio, e);
    const Vec3 inFrame = mechanics().restAxes(e) * fiber(e);
    const double length = std::hypot(inFrame[0], inFrame[1]);
    if (!(length > 1e-6))
        throw std::runtime_error("triangle " + std::to_string(e) +
                                 ": method small takes fibres in the plane x y, and these are normal to it");
    try {
        return CorotationalTriangles::fibrous(young, regions.valueOf(d_transverseYoungModulus, e), poisson,
                                              0.5 * young / (1. + poisson), {inFrame[0] / length, inFrame[1] / length});
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("element " + std::to_string(e) + ": " + error.what());
    }
}

void TriangularAnisotropicFEMForceField::stresses(const Shape&, Vector<Mat3>& out) const
{
    out.clear();
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Mat3 axes = mechanics().axes(e);
        const Vec3 s = mechanics().stress(e), p = axes[0], q = axes[1];
        out.push_back(outer(p, p) * s[0] + outer(q, q) * s[1] + (outer(p, q) + outer(q, p)) * s[2]);
    }
}

void TriangularAnisotropicFEMForceField::vonMisesStresses(const Shape& shape, Vector<double>& out) const
{
    Vector<Mat3> all;
    stresses(shape, all);
    out.clear();
    for (const Mat3& stress : all) out.push_back(vonMisesStress(stress));
}

void TriangularAnisotropicFEMForceField::draw(DrawTool& tool)
{
    TriangularFEMForceField::draw(tool);
    if (!tool.shows(DisplayFlags::ForceFields) || !l_state || !d_showFiber.value()) return;
    const VecCoord& x = state().positions();
    const auto& triangles = mechanics().graph().elements();
    const VecDeriv& local = d_localFiberDirection.value();
    auto ends = tool.scratch<Vec3>();
    for (std::size_t e = 0; e < std::min(triangles.size(), local.size()); ++e) {
        const Triangle& t = triangles[e];
        if (std::max({t[0], t[1], t[2]}) >= x.size()) continue;
        const Vec3 middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3.,
                   half = ((x[t[1]] - x[t[0]]) * local[e][0] + (x[t[2]] - x[t[0]]) * local[e][1]) * 0.25;
        ends.push_back(middle - half);
        ends.push_back(middle + half);
    }
    tool.lines(ends, plainStyle(Color(0.f, 0.f, 0.f)));
}

static const RegisterComponent registeredTriangularAnisotropicFEMForceField =
    RegisterComponent("TriangularAnisotropicFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Membrane of linear elastic triangles with fibres, in plane stress")
        .example("component/fem/TriangularAnisotropicFEMForceField.scn")
        .add<TriangularAnisotropicFEMForceField>();

}  // namespace sofa::component
