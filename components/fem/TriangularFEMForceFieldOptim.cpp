// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularFEMForceFieldOptim.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

TriangularFEMForceFieldOptim::TriangularFEMForceFieldOptim()
{
    declareAttribute("method", "large; there is no other");
    ignoreAttribute("damping", "it has no effect, in SOFA neither; use rayleighStiffness");
    ignoreAttribute("showStressColorMap", "use a ColorMap of the scene");
    for (const char* name : {"triangleInfo", "triangleState"})
        ignoreAttribute(name, "it was internal data of the component");
}

void TriangularFEMForceFieldOptim::setDeclared(std::string_view, std::string_view text)
{
    if (text != "large")
        msgWarning() << "method \"" << text
                     << "\": this force field has the method large only; TriangularFEMForceField has small too";
}

void TriangularFEMForceFieldOptim::addElementForces(VecDeriv& f, const VecCoord& x)
{
    TriangleMembrane::addElementForces(f, x);
    if (!d_computePrincipalStress.value() && !d_showStressVector.value()) return;
    double largest = 0.;
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Principal p = principalStress(e);
        largest = std::max({largest, p.first, p.second});
    }
    d_stressMaxValue.setValue(largest);
}

void TriangularFEMForceFieldOptim::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !l_state) return;
    const VecCoord& x = state().positions();
    if (d_showStressVector.value() && d_showStressThreshold.value() > 0.)
        drawStresses(tool, x);
    else
        drawFrames(tool, x);
}

void TriangularFEMForceFieldOptim::drawStresses(DrawTool& tool, const VecCoord& x) const
{
    const double unit = d_stressMaxValue.value();
    if (!(unit > 0.)) return;
    auto ends = tool.scratch<Vec3>();
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Triangle& t = mechanics().graph().elements()[e];
        const Principal p = principalStress(e);
        if (std::abs(p.first) < d_showStressThreshold.value() || std::max({t[0], t[1], t[2]}) >= x.size()) continue;
        const Vec3 middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3.;
        const Vec3 across = cross(mechanics().axes(e)[2], p.direction);
        for (const Vec3& arrow : {p.direction * (std::abs(p.first) / unit), across * (std::abs(p.second) / unit)}) {
            ends.push_back(middle);
            ends.push_back(middle + arrow);
        }
    }
    tool.arrows(ends, 0.01, litStyle(Color(1.f, 0.f, 1.f)));
}

void TriangularFEMForceFieldOptim::drawFrames(DrawTool& tool, const VecCoord& x) const
{
    auto first = tool.scratch<Vec3>(), second = tool.scratch<Vec3>(), shapes = tool.scratch<Vec3>(),
         pulls = tool.scratch<Vec3>();
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Triangle& t = mechanics().graph().elements()[e];
        if (std::max({t[0], t[1], t[2]}) >= x.size()) continue;
        const Mat3 axes = mechanics().axes(e);
        const Vec3 middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3.;
        const double size = 0.5 * std::sqrt(norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]])));
        for (const Vec3& end : {middle, middle + axes[0] * size}) first.push_back(end);
        for (const Vec3& end : {middle, middle + axes[1] * size}) second.push_back(end);
        const std::array<Vec2, 3> rest = mechanics().restCorners(e);
        const Vec2 center = (rest[0] + rest[1] + rest[2]) / 3.;
        std::array<Vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = middle + axes[0] * (rest[k][0] - center[0]) + axes[1] * (rest[k][1] - center[1]);
            pulls.push_back(corners[k]);
            pulls.push_back(x[t[k]]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            shapes.push_back(corners[k]);
            shapes.push_back(corners[(k + 1) % 3]);
        }
    }
    tool.lines(first, plainStyle(Color(1.f, 0.f, 0.f)));
    tool.lines(second, plainStyle(Color(0.f, 1.f, 0.f)));
    tool.lines(shapes, plainStyle(Color(1.f, 0.5f, 0.f)));
    tool.lines(pulls, plainStyle(Color(0.f, 0.f, 1.f)));
}

static const RegisterComponent registeredTriangularFEMForceFieldOptim =
    RegisterComponent("TriangularFEMForceFieldOptim", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Membrane of linear elastic triangles in plane stress, with strains on the triangles at rest")
        .example("component/fem/TriangularFEMForceFieldOptim.scn")
        .add<TriangularFEMForceFieldOptim>();

}  // namespace sofa::component
