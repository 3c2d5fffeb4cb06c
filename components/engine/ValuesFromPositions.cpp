// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <limits>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/behavior/State.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Values along a direction: `inputValues` are spread evenly from the first point along it to the last one, and points
/// and mean points of elements get what lies between (SOFA spreads them between the least and the largest x of the box
/// of the whole scene). With the type "Vector" each point and element gets the direction.
template <class D>
class ValuesFromPositions final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "position", why);
    }

    Input<Vector<double>> d_inputValues{this, input("inputValues", "Values along the direction", "1")};
    Input<Vec3> d_direction{this, input("direction", "The direction", "1"), Vec3{0., 1., 0.}};
    Input<VecCoord> d_position{this,
                               input("position", "Positions; default: rest positions of the state of this node", "m")};
    Input<Vector<Edge>> d_edges{this, input("edges", "Edges; default: those of the nearest topology")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles; default: as for edges")};
    Input<Vector<Tetrahedron>> d_tetrahedra{this, input("tetrahedra", "Tetrahedra; default: as for edges")};
    Input<Options> d_fieldType{this, input("fieldType", "Scalar: values; Vector: the direction"),
                               Options({"Scalar", "Vector"})};
    Output<Vector<double>> d_values{this, output("values", "Value of each point", "1")};
    Output<Vector<double>> d_edgeValues{this, output("edgeValues", "Value of each edge", "1")};
    Output<Vector<double>> d_triangleValues{this, output("triangleValues", "Value of each triangle", "1")};
    Output<Vector<double>> d_tetrahedronValues{this, output("tetrahedronValues", "Value of each tetrahedron", "1")};
    Output<Vector<Vec3>> d_pointVectors{this, output("pointVectors", "Vector of each point", "1")};
    Output<Vector<Vec3>> d_edgeVectors{this, output("edgeVectors", "Vector of each edge", "1")};
    Output<Vector<Vec3>> d_triangleVectors{this, output("triangleVectors", "Vector of each triangle", "1")};
    Output<Vector<Vec3>> d_tetrahedronVectors{this, output("tetrahedronVectors", "Vector of each tetrahedron", "1")};
    Data<bool> d_drawVectors{this, display("drawVectors", "Show the vectors of tetrahedra"), false};
    Data<float> d_drawVectorLength{this, display("drawVectorLength", "Length of a vector of length 1", "m"), 10.f};

    ValuesFromPositions() { addAlias(d_position, "rest_position"); }
    void draw(DrawTool& tool) override
    {
        if (!d_drawVectors.value()) return;
        auto middles = tool.scratch<Vec3>();
        for (const Tetrahedron& t : d_tetrahedra.value()) middles.push_back(middle(t));
        const Vector<Vec3>& v = d_tetrahedronVectors.value();
        drawDirections(tool, {middles.data(), std::min(middles.size(), v.size())}, v, d_drawVectorLength.value(),
                       Color(0.f, 0.f, 0.f));
    }

protected:
    void findInputs() override
    {
        followByDefault(d_position, defaultPositions(*node(), "rest_position"));
        followByDefault(d_edges, defaultElements(*node(), "edges"));
        followByDefault(d_triangles, defaultElements(*node(), "triangles"));
        followByDefault(d_tetrahedra, defaultElements(*node(), "tetrahedra"));
    }
    void doUpdate() override
    {
        m_low = std::numeric_limits<double>::infinity();
        m_high = -m_low;
        for (const auto& x : d_position.value()) {
            const double s = dot(D::position(x), d_direction.value());
            m_low = std::min(m_low, s);
            m_high = std::max(m_high, s);
        }
        Vector<std::array<Index, 1>> points(d_position.value().size());
        for (std::size_t i = 0; i < points.size(); ++i) points[i] = {static_cast<Index>(i)};
        fill(points, d_values, d_pointVectors);
        fill(checked(d_edges), d_edgeValues, d_edgeVectors);
        fill(checked(d_triangles), d_triangleValues, d_triangleVectors);
        fill(checked(d_tetrahedra), d_tetrahedronValues, d_tetrahedronVectors);
    }

private:
    template <class List>
    const List& checked(const Data<List>& elements) const
    {
        requireVertices(elements, d_position.value().size());
        return elements.value();
    }
    template <std::size_t N>
    Vec3 middle(const std::array<Index, N>& element) const
    {
        Vec3 sum;
        for (const Index i : element) sum += D::position(d_position.value()[i]);
        return sum / static_cast<double>(N);
    }
    double valueAt(const Vec3& x) const
    {
        const Vector<double>& v = d_inputValues.value();
        if (v.empty()) return 0.;
        const double last = static_cast<double>(v.size() - 1);
        const double part = m_high > m_low ? (dot(x, d_direction.value()) - m_low) / (m_high - m_low) : 0.;
        const double s = std::clamp(part * last, 0., last);
        const auto k = std::min(static_cast<std::size_t>(s), v.size() - 1);
        const double t = s - static_cast<double>(k);
        return k + 1 < v.size() ? v[k] * (1. - t) + v[k + 1] * t : v[k];
    }
    template <class List>
    void fill(const List& elements, Data<Vector<double>>& values, Data<Vector<Vec3>>& vectors) const
    {
        const bool scalar = d_fieldType.value().index() == 0;
        Vector<double> list;
        for (const auto& e : elements)
            if (scalar) list.push_back(valueAt(middle(e)));
        values.setValue(std::move(list));
        vectors.setValue(scalar ? Vector<Vec3>() : Vector<Vec3>(elements.size(), d_direction.value()));
    }

    double m_low = 0., m_high = 0.;  ///< of the points, along the direction
};

const RegisterComponent registeredValuesFromPositions =
    RegisterComponent("ValuesFromPositions", "Engine", "Sofa.Component.Engine.Select")
        .help("Values of points and elements along a direction")
        .example("component/engine/ValuesFromPositions.scn")
        .add<ValuesFromPositions, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
