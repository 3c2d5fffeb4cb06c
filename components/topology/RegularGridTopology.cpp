// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/RegularGridTopology.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

constexpr const char* boxAttributes[] = {"xmin", "ymin", "zmin", "xmax", "ymax", "zmax"};

}  // namespace

RegularGridTopology::RegularGridTopology()
{
    for (const char* name : boxAttributes)
        declareAttribute(name, "Bound of the box; all six must be given, else use min and max");
    declareAttribute("scale", "Factor on xmin, ymin, ... zmax");
    computePositionsFrom({&d_min, &d_max, &d_p0, &d_cellWidth});
}

void RegularGridTopology::setDeclared(std::string_view name, std::string_view text)
{
    const bool isOwn = name == "scale" || std::ranges::find(boxAttributes, name) != std::end(boxAttributes);
    if (!isOwn) return GridTopology::setDeclared(name, text);
    readAttribute(text);  // they are read together, in parse
}

void RegularGridTopology::parse(ComponentDescription& desc)
{
    GridTopology::parse(desc);
    const auto given = [&](const char* name) { return desc.find(name) != nullptr; };
    if (std::all_of(std::begin(boxAttributes), std::end(boxAttributes), given)) {
        const auto number = [&](const char* name, double otherwise) {
            const Attribute* a = desc.find(name);
            try {
                return a ? readAttribute(a->value) : otherwise;
            } catch (const std::runtime_error&) {
                return otherwise;  // it was reported when the attribute was set
            }
        };
        const double scale = number("scale", 1.);
        Vec3 bounds[2];
        for (std::size_t i = 0; i < 6; ++i) bounds[i / 3][i % 3] = number(boxAttributes[i], 0.) * scale;
        d_min.setValue(bounds[0]);
        d_max.setValue(bounds[1]);
    } else if (std::any_of(std::begin(boxAttributes), std::end(boxAttributes), given)) {
        msgWarning() << "xmin, ymin, zmin, xmax, ymax and zmax have an effect only if all six are given";
    }
    applyCellWidth();
}

void RegularGridTopology::applyCellWidth()
{
    const double w = d_cellWidth.value();
    if (!(w > 0.)) return;
    const Vec3 extent = d_max.value() - d_min.value();
    Vec3i n;
    for (std::size_t i = 0; i < 3; ++i) n[i] = static_cast<int>(std::clamp(std::ceil(extent[i] / w), 0., 1e6)) + 1;
    if (n != d_n.value()) d_n.setValue(n);
}

void RegularGridTopology::init()
{
    applyCellWidth();
    const Vec3 &a = d_min.value(), &b = d_max.value();
    if (a[0] > b[0] || a[1] > b[1] || a[2] > b[2])
        msgWarning() << "min (" << toText(a) << ") is greater than max (" << toText(b)
                     << ") along an axis: the cells are turned inside out";
    if (!d_p0.isSet()) {
        d_p0.setValue(origin());
        d_p0.setIsSet(false);
    }
    GridTopology::init();
}

void RegularGridTopology::reinit() { init(); }

Vec3 RegularGridTopology::spacing() const
{
    const double w = d_cellWidth.value();
    if (w > 0.) return Vec3::filled(w);
    const Vec3 extent = d_max.value() - d_min.value();
    const Vec3i n = resolution();
    Vec3 h;
    for (std::size_t i = 0; i < 3; ++i) h[i] = n[i] > 1 ? extent[i] / (n[i] - 1) : extent[i];
    return h;
}

Vec3 RegularGridTopology::origin() const
{
    if (d_p0.isSet()) return d_p0.value();
    const Vec3 &a = d_min.value(), &b = d_max.value();
    const Vec3i n = resolution();
    return {n[0] > 1 ? a[0] : (b[0] + a[0]) / 2., n[1] > 1 ? a[1] : (b[1] + a[1]) / 2., a[2]};
}

Vec3 RegularGridTopology::gridPosition(const Vec3i& p) const
{
    const Vec3 h = spacing(), x0 = origin();
    return {x0[0] + h[0] * p[0], x0[1] + h[1] * p[1], x0[2] + h[2] * p[2]};
}

BoundingBox RegularGridTopology::boundingBox() const
{
    BoundingBox b;
    b.include(gridPosition({0, 0, 0}));
    b.include(gridPosition(resolution() - Vec3i{1, 1, 1}));
    return b;
}

Vec3 RegularGridTopology::cellCoordinates(const Vec3& x) const
{
    const Vec3 h = spacing(), d = x - origin();
    return {d[0] / h[0], d[1] / h[1], d[2] / h[2]};
}

Index RegularGridTopology::findPoint(const Vec3& x) const
{
    const Vec3 c = cellCoordinates(x);
    const Vec3i n = resolution();
    Vec3i p;
    for (std::size_t i = 0; i < 3; ++i) {
        const double r = std::round(c[i]);
        if (!(r >= 0. && r <= n[i] - 1)) return InvalidIndex;
        p[i] = static_cast<int>(r);
    }
    return pointIndex(p[0], p[1], p[2]);
}

RegularGridTopology::CellLocation RegularGridTopology::findCell(const Vec3& x) const
{
    const Vec3 c = cellCoordinates(x);
    const Vec3i n = resolution();
    for (std::size_t i = 0; i < 3; ++i)
        if (!(c[i] >= 0. && c[i] < n[i] - 1)) return {};
    return findNearestCell(x);
}

RegularGridTopology::CellLocation RegularGridTopology::findNearestCell(const Vec3& x) const
{
    const Vec3i n = resolution();
    if (n[0] < 2 || n[1] < 2 || n[2] < 2) return {};
    const Vec3 c = cellCoordinates(x);
    Vec3i p;
    CellLocation out;
    for (std::size_t i = 0; i < 3; ++i) {
        p[i] = static_cast<int>(std::clamp(std::floor(c[i]), 0., static_cast<double>(n[i] - 2)));
        out.local[i] = c[i] - p[i];
    }
    out.cell = cellIndex(p[0], p[1], p[2]);
    return out;
}

namespace {

const RegisterComponent registeredRegularGridTopology =
    RegisterComponent("RegularGridTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Regular grid of points, edges, triangles, quads and hexahedra in a box along the axes")
        .example("component/topology/RegularGridTopology.scn")
        .add<RegularGridTopology>();

}  // namespace

}  // namespace sofa::component
