// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <optional>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// The N points nearest to some centres, of those that are nearer to a centre than its radius. They come by distance,
/// and of equal ones by index (SOFA leaves them in the order of a heap).
class ProximityROI final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_centers{this, input("centers", "Centres", "m")};
    Input<Vector<double>> d_radii{
        this, input("radii", "Radius of each; further centres have the last one", "m", Range::nonNegative())};
    Input<Index> d_number{this, input("N", "Largest number of points"), 0};
    Input<Vector<Vec3>> d_position{
        this, input("position", "Positions; default: rest positions of the state of this node", "m")};
    Output<Vector<Index>> d_indices{this, output("indices", "The nearest points")};
    Output<Vector<Vec3>> d_pointsInROI{this, output("pointsInROI", "Their positions", "m")};
    Output<Vector<double>> d_distance{this, output("distance", "Distance of each from the nearest centre", "m")};
    Output<Vector<Index>> d_indicesOut{this, output("indicesOut", "All other points, ascending")};
    Data<bool> d_drawSphere{this, display("drawSphere", "Show the spheres"), false};
    Data<bool> d_drawPoints{this, display("drawPoints", "Show the nearest points"), false};
    Data<double> d_drawSize{this, display("drawSize", "Size of points shown, in pixels", "1"), 1.};

    ProximityROI()
    {
        addAlias(d_drawSphere, "isVisible");
        addAlias(d_indices, "pointIndices");
        addAlias(d_position, "rest_position");
    }
    void draw(DrawTool& tool) override
    {
        if (!tool.shows(DisplayFlags::BehaviorModels)) return;
        const Color color(0.f, 1.f, 1.f);
        if (d_drawSphere.value()) {
            auto radii = tool.scratch<double>();
            for (std::size_t k = 0; k < d_centers.value().size(); ++k) radii.push_back(radius(k));
            DrawStyle style = plainStyle(color);
            style.wireframe = true;
            tool.spheres(d_centers.value(), radii, style);
        }
        if (d_drawPoints.value())
            tool.points(d_pointsInROI.value(), plainStyle(color, static_cast<float>(4. + d_drawSize.value())));
    }

protected:
    void findInputs() override { followByDefault(d_position, defaultPositions(*node(), "rest_position")); }
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        if (!d_centers.value().empty() && d_radii.value().empty())
            throw std::runtime_error("radii: at least one is needed");
        if (d_radii.value().size() > std::max<std::size_t>(d_centers.value().size(), 1))
            msgWarning() << "radii: there are " << d_radii.value().size() << " for " << d_centers.value().size()
                         << " centers; the last ones have no effect";
        std::vector<std::pair<double, Index>> near;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (const auto d = distance(x[i])) near.emplace_back(*d, static_cast<Index>(i));
        std::sort(near.begin(), near.end());
        if (near.size() > d_number.value()) near.resize(d_number.value());
        Vector<Index> indices, out;
        Vector<Vec3> points;
        Vector<double> distances;
        std::vector<bool> chosen(x.size(), false);
        for (const auto& [d, i] : near) {
            indices.push_back(i);
            points.push_back(x[i]);
            distances.push_back(d);
            chosen[i] = true;
        }
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!chosen[i]) out.push_back(static_cast<Index>(i));
        d_indices.setValue(std::move(indices));
        d_pointsInROI.setValue(std::move(points));
        d_distance.setValue(std::move(distances));
        d_indicesOut.setValue(std::move(out));
    }

private:
    double radius(std::size_t k) const
    {
        const Vector<double>& radii = d_radii.value();
        return radii.empty() ? 0. : radii[std::min(k, radii.size() - 1)];
    }
    /// From the nearest of the centres whose radius reaches the point; nothing if none does.
    std::optional<double> distance(const Vec3& x) const
    {
        std::optional<double> least;
        for (std::size_t k = 0; k < d_centers.value().size(); ++k) {
            const double d = norm(x - d_centers.value()[k]);
            if (d < radius(k) && (!least || d < *least)) least = d;
        }
        return least;
    }
};

const RegisterComponent registeredProximityROI =
    RegisterComponent("ProximityROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points nearest to some centres")
        .example("component/engine/ProximityROI.scn")
        .add<ProximityROI>();

}  // namespace

}  // namespace sofa::component
