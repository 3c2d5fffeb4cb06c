// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/BaseROI.h"
#include "components/engine/Transforms.h"
#include "core/factory/Registry.h"
#include "core/topology/Geometry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Selects the points and elements inside spheres; the border belongs to a sphere.
///
/// With `edgeAngle`, of the edges only those whose direction, either way, is at most so far from `direction`; with
/// `triAngle`, of the triangles only those whose normal (by the right-hand rule) is at most so far from `normal`. SOFA
/// selects those that are farther away, and takes the opposite normal.
template <class D>
class SphereROI final : public BaseROI<D>
{
public:
    Input<Vector<Vec3>> d_centers{this, this->input("centers", "Centres of the spheres", "m")};
    Input<Vector<double>> d_radii{
        this, this->input("radii", "Their radii; one serves all spheres", "m", Range::nonNegative())};
    Input<Vec3> d_direction{this, this->input("direction", "Direction of selected edges, for edgeAngle", "1")};
    Input<Vec3> d_normal{this, this->input("normal", "Normal of selected triangles, for triAngle", "1")};
    Input<double> d_edgeAngle{this,
                              this->input("edgeAngle", "Largest angle between an edge and `direction`; 0: any edge",
                                          "deg", Range::closed(0., 180.)),
                              0.};
    Input<double> d_triAngle{
        this,
        this->input("triAngle", "Largest angle between the normal of a triangle and `normal`; 0: any", "deg",
                    Range::closed(0., 180.)),
        0.};

    SphereROI()
    {
        this->addAlias(this->d_drawROI, "isVisible");
        this->addAlias(this->d_drawROI, "drawSphere");
        this->addAlias(this->d_indices, "pointIndices");
        this->addAlias(this->d_position, "rest_position");
        this->addAlias(d_triAngle, "angle");
    }
    BoundingBox boundingBox() const override
    {
        BoundingBox all;
        for (std::size_t i = 0; this->d_drawROI.value() && i < d_centers.value().size(); ++i)
            for (const double side : {-1., 1.}) all.include(d_centers.value()[i] + Vec3::filled(side * radius(i)));
        return all;
    }

protected:
    bool prepareRegion() override
    {
        const std::size_t spheres = d_centers.value().size(), radii = d_radii.value().size();
        if (radii != spheres && radii != 1)
            throw std::runtime_error("radii: there are " + std::to_string(radii) + " for " + std::to_string(spheres) +
                                     " spheres; one serves all");
        if (d_edgeAngle.value() > 0. && norm2(d_direction.value()) == 0.)
            throw std::runtime_error("direction: edgeAngle needs one that is not 0");
        if (d_triAngle.value() > 0. && norm2(d_normal.value()) == 0.)
            throw std::runtime_error("normal: triAngle needs one that is not 0");
        return spheres > 0;
    }
    bool contains(const Vec3& p) const override
    {
        for (std::size_t i = 0; i < d_centers.value().size(); ++i)
            if (norm2(p - d_centers.value()[i]) <= radius(i) * radius(i)) return true;
        return false;
    }
    bool accepts(std::span<const Vec3> x) const override
    {
        if (x.size() == 2 && d_edgeAngle.value() > 0.) {
            const double along = dot(normalized(x[1] - x[0]), normalized(d_direction.value()));
            return std::abs(along) >= std::cos(d_edgeAngle.value() * degree);
        }
        if (x.size() == 3 && d_triAngle.value() > 0.)
            return dot(geometry::triangleNormal(x[0], x[1], x[2]), normalized(d_normal.value())) >=
                   std::cos(d_triAngle.value() * degree);
        return true;
    }
    std::string describeRegion() const override
    {
        return "the spheres (centers=\"" + d_centers.text() + "\" radii=\"" + d_radii.text() + "\")";
    }
    void drawRegion(DrawTool& tool) const override
    {
        auto radii = tool.scratch<double>();
        for (std::size_t i = 0; i < d_centers.value().size(); ++i) radii.push_back(radius(i));
        DrawStyle style = plainStyle(Color(0.f, 1.f, 1.f));
        style.wireframe = true;
        tool.spheres(d_centers.value(), radii, style);
    }

private:
    double radius(std::size_t i) const { return d_radii.value()[d_radii.value().size() == 1 ? 0 : i]; }
};

const RegisterComponent registeredSphereROI =
    RegisterComponent("SphereROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points, edges, triangles, quads, tetrahedra and hexahedra inside spheres")
        .example("component/engine/SphereROI.scn")
        .add<SphereROI, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
