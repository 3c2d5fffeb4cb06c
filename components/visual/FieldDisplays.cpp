// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/FieldDisplays.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

/// Names in SOFA's order; "Custom" has no colours of its own there either, and is "HSV".
constexpr const char* colorSchemes[] = {
    "Red to Blue",    "Blue to Red",    "HSV",           "Red",           "Green",           "Blue",
    "Yellow to Cyan", "Cyan to Yellow", "Red to Yellow", "Yellow to Red", "Yellow to Green", "Green to Yellow",
    "Green to Cyan",  "Cyan to Green",  "Cyan to Blue",  "Blue to Cyan",  "BlueInv",         "GreenInv",
    "RedInv",         "Custom"};

template <class Points>
BoundingBox boxOf(const Points& points)
{
    BoundingBox box;
    for (const Vec3& p : points) box.include(p);
    return box;
}

}  // namespace

Options OglColorMap::schemes() { return {{std::begin(colorSchemes), std::end(colorSchemes)}, 2}; }

const ColorMap& OglColorMap::colors() const
{
    static const std::vector<ColorMap> all(std::begin(colorSchemes), std::end(colorSchemes));
    return all[d_colorScheme.value().index()];
}

Color OglColorMap::colorOf(double value, double low, double high) const
{
    double t = high > low ? std::clamp((value - low) / (high - low), 0., 1.) : 0.;
    if (const Index n = d_paletteSize.value(); n > 1) t = std::round(t * (n - 1)) / (n - 1);
    return colors().at(t);
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
    if (d_position.value().size() != n) d_position.edit()->resize(n);
}

void DataDisplay::init()
{
    if (!resolveOrFind(l_topology, *this) || !resolveOrFind(l_colorMap, *this)) return;
    setSize(static_cast<Index>(d_position.value().size()));
}

void VisualMesh::init()
{
    if (!resolveOrFind(l_topology, *this)) return;
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
    if (d_position.value().size() != n) d_position.edit()->resize(n);
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

RegisterComponent display(const char* name, const char* module, const char* help,
                          const char* scene = "component/visual/FieldDisplays.scn")
{
    return RegisterComponent(name, "Visual", module)
        .help(std::string(help) + " It draws only in a viewer.")
        .example(scene);
}

constexpr const char* splats = "component/visual/SplatsAndSlices.scn";

const RegisterComponent displays[] = {
    display("OglColorMap", "Sofa.GL.Component.Rendering2D", "Colours for numbers, and a legend.")
        .alias("ColorMap")
        .add<OglColorMap>(),
    display("DataDisplay", "Sofa.GL.Component.Rendering3D", "Values on points or faces as colours of the mesh.")
        .add<DataDisplay>({""}),
    display("VisualMesh", "Sofa.Component.Visual", "The elements of a mesh, slightly shrunk.").add<VisualMesh>(),
    display("VisualPointCloud", "Sofa.Component.Visual", "Points, spheres or frames at given places.")
        .add<VisualPointCloud, Vec3Types, Vec2Types, Vec1Types, Rigid3Types, Rigid2Types>(),
    display("VisualVectorField", "Sofa.Component.Visual", "Vectors at given places.").add<VisualVectorField>(),
    display("TrailRenderer", "Sofa.Component.Visual", "The paths that points took.")
        .add<TrailRenderer, Vec3Types, Vec2Types, Vec1Types, Rigid3Types>(),
    display("CylinderVisualModel", "Sofa.Component.Visual", "Edges as cylinders; its points follow mappings.")
        .add<CylinderVisualModel>({""}),
    display("PointSplatModel", "Sofa.GL.Component.Rendering3D", "Points as discs that face the viewer.", splats)
        .alias("PointSplat")
        .add<PointSplatModel>(),
    display("SlicedVolumetricModel", "Sofa.GL.Component.Rendering3D",
            "A mesh of hexahedra or tetrahedra as a stack of translucent slices.", splats)
        .add<SlicedVolumetricModel>(),
};

}  // namespace

}  // namespace sofa::component
