// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/ImplicitSurfaceMapping.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Component.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

template <class In, class Out>
ImplicitSurfaceMapping<In, Out>::ImplicitSurfaceMapping()
{
    for (const std::string axis : {"x", "y", "z"}) {
        this->declareAttribute("min" + axis, "Component " + axis + " of min [m]");
        this->declareAttribute("max" + axis, "Component " + axis + " of max [m]");
    }
}

template <class In, class Out>
void ImplicitSurfaceMapping<In, Out>::setDeclared(std::string_view name, std::string_view text)
{
    if (name.size() != 4 || name[3] < 'x' || name[3] > 'z') return Base::setDeclared(name, text);
    double value = 0.;
    std::string error;
    if (!parseText(text, value, error)) throw std::runtime_error(error);
    (name[1] == 'i' ? d_min : d_max).edit()[static_cast<std::size_t>(name[3] - 'x')] = value;
}

template <class In, class Out>
void ImplicitSurfaceMapping<In, Out>::init()
{
    if (!this->findStates()) return;
    if (this->output().isMechanical())
        return this->fail("the output '" + this->output().pathName() +
                          "' has dynamics, but the surface has other points at each step; expected a visual model");
    for (std::size_t k = 0; k < 3; ++k)
        if (!(d_min.value()[k] < d_max.value()[k]))
            return this->fail("min is not below max: " + toText(d_min.value()) + " and " + toText(d_max.value()));
    Base::init();
}

template <class In, class Out>
void ImplicitSurfaceMapping<In, Out>::followTopology(const TopologyChange&)
{
    if (this->isValid() && this->l_input && this->l_output) apply({}, vec_id::position, vec_id::position);
}

template <class In, class Out>
void ImplicitSurfaceMapping<In, Out>::apply(OutVecCoord& out, const InVecCoord& in)
{
    m_surface.make(in, {d_radius.value(), d_step.value(), d_isoValue.value(), d_min.value(), d_max.value()});
    out = m_surface.points();
}

template <class In, class Out>
void ImplicitSurfaceMapping<In, Out>::apply(const MechanicalParams&, const MultiVecCoordId& out,
                                            const MultiVecCoordId& in)
{
    State<Out>& o = this->output();
    if (out.at(o) != vec_id::position) return;
    OutVecCoord points;
    apply(points, this->input().read(in.at(this->input())));
    o.resize(static_cast<Index>(points.size()));
    o.write(vec_id::position) = std::move(points);
    d_triangles.setValue(m_surface.triangles());
    if (auto* faces = dynamic_cast<Data<Vector<Triangle>>*>(o.findData("triangles")))
        faces->setValue(m_surface.triangles());
}

template <class In, class Out>
void ImplicitSurfaceMapping<In, Out>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::Mappings)) return;
    BoundingBox box;
    box.include(d_min.value());
    box.include(d_max.value());
    tool.boxEdges(std::span<const BoundingBox>(&box, 1), plainStyle(Color(0.6f, 0.6f, 0.6f)));
}

static const RegisterComponent registeredImplicitSurfaceMapping =
    RegisterComponent("ImplicitSurfaceMapping", "Mapping", "SofaImplicitField")
        .help("Shows points as one body, the surface of a sum of blobs around them")
        .example("component/mapping/ImplicitSurfaceMapping.scn")
        .add<ImplicitSurfaceMapping, Types<Vec3Types, Vec3Types>>();

}  // namespace sofa::component
