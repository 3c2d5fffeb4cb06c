// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/FieldDisplays.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

/// Ends of each scheme: colours in RGB space, or hues [deg] in HSV space at full saturation and value.
struct Scheme
{
    const char* name;
    bool hues;
    Color from, to;  ///< as hues: the first component
};
const Scheme colorSchemes[] = {
    {"Red to Blue", true, {0.f, 0.f, 0.f}, {240.f, 0.f, 0.f}},
    {"Blue to Red", true, {240.f, 0.f, 0.f}, {0.f, 0.f, 0.f}},
    {"HSV", true, {0.f, 0.f, 0.f}, {300.f, 0.f, 0.f}},
    {"Red", false, {0.f, 0.f, 0.f}, {1.f, 0.f, 0.f}},
    {"Green", false, {0.f, 0.f, 0.f}, {0.f, 1.f, 0.f}},
    {"Blue", false, {0.f, 0.f, 0.f}, {0.f, 0.f, 1.f}},
    {"Yellow to Cyan", true, {60.f, 0.f, 0.f}, {180.f, 0.f, 0.f}},
    {"Cyan to Yellow", true, {180.f, 0.f, 0.f}, {60.f, 0.f, 0.f}},
    {"Red to Yellow", false, {1.f, 0.f, 0.f}, {1.f, 1.f, 0.f}},
    {"Yellow to Red", false, {1.f, 1.f, 0.f}, {1.f, 0.f, 0.f}},
    {"Yellow to Green", false, {1.f, 1.f, 0.f}, {0.f, 1.f, 0.f}},
    {"Green to Yellow", false, {0.f, 1.f, 0.f}, {1.f, 1.f, 0.f}},
    {"Green to Cyan", false, {0.f, 1.f, 0.f}, {0.f, 1.f, 1.f}},
    {"Cyan to Green", false, {0.f, 1.f, 1.f}, {0.f, 1.f, 0.f}},
    {"Cyan to Blue", false, {0.f, 1.f, 1.f}, {0.f, 0.f, 1.f}},
    {"Blue to Cyan", false, {0.f, 0.f, 1.f}, {0.f, 1.f, 1.f}},
    {"BlueInv", false, {1.f, 1.f, 1.f}, {0.f, 0.f, 1.f}},
    {"GreenInv", false, {1.f, 1.f, 1.f}, {0.f, 1.f, 0.f}},
    {"RedInv", false, {1.f, 1.f, 1.f}, {1.f, 0.f, 0.f}},
    {"Custom", false, {0.f, 0.f, 0.f}, {1.f, 1.f, 1.f}},
};

/// Colour of a hue [deg] at full saturation and value.
Color fromHue(float hue)
{
    const auto channel = [hue](float offset) {
        const float k = std::fmod(offset + hue / 60.f, 6.f);
        return 1.f - std::max(0.f, std::min({k, 4.f - k, 1.f}));
    };
    return {channel(5.f), channel(3.f), channel(1.f)};
}

template <class Points>
BoundingBox boxOf(const Points& points)
{
    BoundingBox box;
    for (const Vec3& p : points) box.include(p);
    return box;
}

}  // namespace

Options OglColorMap::schemes()
{
    std::vector<std::string> names;
    for (const Scheme& s : colorSchemes) names.emplace_back(s.name);
    return {names, 2};
}

Color OglColorMap::colorOf(double value, double low, double high) const
{
    const Scheme& scheme = colorSchemes[d_colorScheme.value().index()];
    double t = high > low ? std::clamp((value - low) / (high - low), 0., 1.) : 0.;
    if (const Index n = d_paletteSize.value(); n > 1) t = std::round(t * (n - 1)) / (n - 1);
    const auto s = static_cast<float>(t);
    Color c;
    for (std::size_t i = 0; i < 3; ++i) c[i] = scheme.from[i] + (scheme.to[i] - scheme.from[i]) * s;
    return scheme.hues ? fromHue(c[0]) : c;
}

BoundingBox VisualMesh::boundingBox() const { return boxOf(d_position.value()); }
BoundingBox VisualVectorField::boundingBox() const { return boxOf(d_position.value()); }

template <class D>
BoundingBox VisualPointCloud<D>::boundingBox() const
{
    BoundingBox box;
    for (const auto& c : d_position.value()) box.include(D::position(c));
    return box;
}

template <class D>
void TrailRenderer<D>::handleEvent(const Event& e)
{
    if (!dynamic_cast<const AnimateEndEvent*>(&e)) return;
    const auto& x = d_position.value();
    m_trails.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        Vector<Vec3>& trail = m_trails[i];
        trail.push_back(D::position(x[i]));
        if (trail.size() > d_nbSteps.value()) trail.erase(trail.begin());
    }
}

DataDisplay::DataDisplay()
{
    bind(vec_id::position, d_position);
    bind(vec_id::restPosition, d_restPosition);
    bind(vec_id::normal, d_normal);
    addAlias(d_enable, "isEnabled");
    addAlias(d_triangleData, "cellData");
}

void DataDisplay::resize(Index n)
{
    setSize(n);
    if (d_position.value().size() != n) d_position.edit().resize(n);
}

void DataDisplay::init()
{
    std::string error;
    if (!l_topology.resolve(error)) return fail("topology: " + error);
    if (!l_colorMap.resolve(error)) return fail("colorMap: " + error);
    if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
    if (!l_colorMap) l_colorMap.set(node()->get<OglColorMap>(Search::Up));
    setSize(static_cast<Index>(d_position.value().size()));
}

void VisualMesh::init()
{
    std::string error;
    if (!l_topology.resolve(error)) return fail("topology: " + error);
    if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
    if (!l_topology) fail("it needs a topology: give `topology`, or put one into its node or above");
}

CylinderVisualModel::CylinderVisualModel()
{
    bind(vec_id::position, d_position);
    bind(vec_id::restPosition, d_restPosition);
    bind(vec_id::normal, d_normal);
}

void CylinderVisualModel::resize(Index n)
{
    setSize(n);
    if (d_position.value().size() != n) d_position.edit().resize(n);
}

void CylinderVisualModel::init()
{
    if (const auto* t = node()->get<BaseMeshTopology>(Search::Up)) {
        if (d_edges.value().empty()) d_edges.setValue(t->edges());
        if (d_position.value().empty() && t->hasPositions()) {
            Vector<Vec3> x;
            for (Index i = 0; i < t->nbPoints(); ++i) x.push_back(t->pointPosition(i));
            d_position.setValue(std::move(x));
        }
    }
    setSize(static_cast<Index>(d_position.value().size()));
}

namespace {

RegisterComponent display(const char* name, const char* module, const char* help)
{
    return RegisterComponent(name, "Visual", module)
        .help(std::string(help) + " It draws only in a viewer.")
        .example("component/visual/FieldDisplays.scn");
}

const RegisterComponent displays[] = {
    display("OglColorMap", "Sofa.GL.Component.Rendering2D", "Colours for numbers, and a legend.")
        .alias("ColorMap")
        .add<OglColorMap>(),
    display("DataDisplay", "Sofa.GL.Component.Rendering3D", "Values on points or faces as colours of the mesh.")
        .add<DataDisplay>({""}),
    display("VisualMesh", "Sofa.Component.Visual", "The elements of a mesh, slightly shrunk.").add<VisualMesh>(),
    display("VisualPointCloud", "Sofa.Component.Visual", "Points, spheres or frames at given places.")
        .add<VisualPointCloud<Vec3Types>>()
        .add<VisualPointCloud<Vec2Types>>()
        .add<VisualPointCloud<Vec1Types>>()
        .add<VisualPointCloud<Rigid3Types>>()
        .add<VisualPointCloud<Rigid2Types>>(),
    display("VisualVectorField", "Sofa.Component.Visual", "Vectors at given places.").add<VisualVectorField>(),
    display("TrailRenderer", "Sofa.Component.Visual", "The paths that points took.")
        .add<TrailRenderer<Vec3Types>>()
        .add<TrailRenderer<Vec2Types>>()
        .add<TrailRenderer<Vec1Types>>()
        .add<TrailRenderer<Rigid3Types>>(),
    display("CylinderVisualModel", "Sofa.Component.Visual", "Edges as cylinders; its points follow mappings.")
        .add<CylinderVisualModel>({""}),
    display("PointSplatModel", "Sofa.GL.Component.Rendering3D", "Points as discs that face the viewer.")
        .alias("PointSplat")
        .add<PointSplatModel>(),
    display("SlicedVolumetricModel", "Sofa.GL.Component.Rendering3D",
            "A mesh of hexahedra or tetrahedra as a stack of translucent slices.")
        .add<SlicedVolumetricModel>(),
};

}  // namespace

}  // namespace sofa::component
