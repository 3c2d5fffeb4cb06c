// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/behavior/State.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Cuts a mesh into the part inside boxes or spheres and the rest. An element is inside if one of the boxes or spheres
/// has all its points.
///
/// With `localIndices` both parts get a numbering of their own. It begins with the points that both have, `nbrborder`
/// of them: those inside of elements that reach out (tetrahedra, or triangles where there are no tetrahedra). With
/// `tetrahedraInput` these tetrahedra are the part inside, and points are numbered as they come in the tetrahedra.
template <class D>
class SubsetTopology final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "rest_position", why);
    }

    /// Elements of one kind: which there are, and those of the two parts.
    template <class Element>
    struct Kind
    {
        Kind(SubsetTopology* e, const char* all, const char* indices, const char* in, const char* out)
            : d_all(e, input(all, "Elements of the mesh; default: those of the nearest topology")),
              d_indices(e, output(indices, "Elements inside, by index")),
              d_in(e, output(in, "Elements inside")),
              d_out(e, output(out, "All other elements"))
        {
        }
        Input<Vector<Element>> d_all;
        Output<Vector<Index>> d_indices;
        Output<Vector<Element>> d_in, d_out;
    };

    Input<Vector<Vec6>> d_box{
        this, input("box", "Boxes, by two opposite corners", "m"), {Vec6{0., 0., 0., 1., 1., 1.}}};
    Input<Vector<Vec3>> d_centers{this, input("centers", "Centres of spheres; given, they stand for the boxes", "m")};
    Input<Vector<double>> d_radii{this, input("radii", "Radius of each sphere", "m", Range::nonNegative())};
    Input<VecCoord> d_position{this,
                               input("rest_position", "Points; default: positions of the state of this node", "m")};
    Kind<Edge> m_edges{this, "edges", "edgeIndices", "edgesInROI", "edgesOutROI"};
    Kind<Triangle> m_triangles{this, "triangles", "triangleIndices", "trianglesInROI", "trianglesOutROI"};
    Kind<Quad> m_quads{this, "quads", "quadIndices", "quadsInROI", "quadsOutROI"};
    Kind<Tetrahedron> m_tetrahedra{this, "tetrahedra", "tetrahedronIndices", "tetrahedraInROI", "tetrahedraOutROI"};
    Kind<Hexahedron> m_hexahedra{this, "hexahedra", "hexahedronIndices", "hexahedraInROI", "hexahedraOutROI"};
    Input<Vector<Index>> d_tetrahedraInput{this, input("tetrahedraInput", "Tetrahedra of the part inside")};
    Input<bool> d_localIndices{this, input("localIndices", "Number the points of each part anew"), false};
    Output<Vector<Index>> d_indices{this, output("indices", "Points inside")};
    Output<VecCoord> d_pointsInROI{this, output("pointsInROI", "Positions of the points inside", "m")};
    Output<VecCoord> d_pointsOutROI{this, output("pointsOutROI", "Positions of the points of the other part", "m")};
    Output<Index> d_nbrborder{this, output("nbrborder", "Number of points that both parts have"), 0};
    Data<bool> d_drawROI{this, display("drawROI", "Show boxes and spheres"), false};
    Data<bool> d_drawPoints{this, display("drawPoints", "Show the points inside"), false};
    Data<bool> d_drawEdges{this, display("drawEdges", "Show the edges inside"), false};
    Data<bool> d_drawTriangles{this, display("drawTriangle", "Show the triangles inside"), false};
    Data<bool> d_drawTetrahedra{this, display("drawTetrahedra", "Show the tetrahedra inside"), false};
    Data<double> d_drawSize{this, display("drawSize", "Width of lines and size of points shown, in pixels", "1"), 1.};

    SubsetTopology()
    {
        for (const char* angle : {"direction", "normal", "edgeAngle", "triAngle"})
            this->ignoreAttribute(angle, "it selects nothing in SOFA either; SphereROI has it");
    }

    void draw(DrawTool& tool) override
    {
        if (!tool.shows(DisplayFlags::BehaviorModels)) return;
        const Color color(0.f, 1.f, 1.f);
        const auto size = static_cast<float>(std::max(d_drawSize.value(), 1.));
        if (d_drawROI.value()) drawRegions(tool, plainStyle(color, size));
        auto x = tool.scratch<Vec3>();
        for (const auto& c : d_position.value()) x.push_back(D::position(c));
        if (d_drawPoints.value()) {
            auto inside = tool.scratch<Vec3>();
            for (const auto& c : d_pointsInROI.value()) inside.push_back(D::position(c));
            tool.points(inside, plainStyle(color, size + 4.f));
        }
        const auto chosen = [&tool](const auto& kind) {
            auto list = tool.scratch<typename std::decay_t<decltype(kind.d_all.value())>::value_type>();
            for (const Index i : kind.d_indices.value())
                if (i < kind.d_all.value().size()) list.push_back(kind.d_all.value()[i]);
            return list;
        };
        const auto lines = [&](const auto& list, ElementType type) {
            if (list.empty()) return;
            const std::span<const Index> vertices{list.data()->data(), list.size() * list.data()->size()};
            tool.lines(x, edgesOf(tool, type, vertices, x.size()), plainStyle(color, size));
        };
        if (d_drawEdges.value()) sofa::core::drawEdges(tool, chosen(m_edges), x, color, size);
        if (d_drawTriangles.value()) lines(chosen(m_triangles), ElementType::Triangles);
        if (d_drawTetrahedra.value()) lines(chosen(m_tetrahedra), ElementType::Tetrahedra);
    }

protected:
    void findInputs() override
    {
        followByDefault(d_position, defaultPositions(*node(), "position"));
        for (BaseData* d : std::initializer_list<BaseData*>{&m_edges.d_all, &m_triangles.d_all, &m_tetrahedra.d_all})
            followByDefault(*d, defaultElements(*node(), d->name()));
    }
    void doUpdate() override
    {
        if (spheres()) requireSameSize(d_centers, d_radii);
        const VecCoord& x = d_position.value();
        m_regions.assign(x.size(), {});
        for (std::size_t i = 0; i < x.size(); ++i)
            for (Index r = 0; r < regions(); ++r)
                if (contains(r, D::position(x[i]))) m_regions[i].push_back(r);
        forEachKind([&](const auto& kind) { requireVertices(kind.d_all, x.size()); });
        requireIndices(d_tetrahedraInput, m_tetrahedra.d_all.value().size(), "tetrahedra");
        m_isGiven.assign(m_tetrahedra.d_all.value().size(), false);
        for (const Index t : d_tetrahedraInput.value()) m_isGiven[t] = true;
        const bool byTetrahedra = d_tetrahedraInput.isSet();
        Numbering in(x.size()), out(x.size());
        if (byTetrahedra)
            numberByTetrahedra(in, out);
        else
            numberByRegions(in, out);
        const auto positions = [&x](const Vector<Index>& points) {
            VecCoord list;
            for (const Index i : points) list.push_back(x[i]);
            return list;
        };
        d_pointsInROI.setValue(positions(in.points));
        d_pointsOutROI.setValue(positions(out.points));
        d_indices.setValue(in.points);
        forEachKind([&](auto& kind) {
            split(kind, in, out, [&](std::size_t k, const auto& e) {
                if (!byTetrahedra) return isInside(e);
                if (static_cast<const void*>(&kind) == &m_tetrahedra) return isGiven(k);
                return std::all_of(e.begin(), e.end(), [&](Index i) { return in.number[i] != InvalidIndex; });
            });
        });
    }

private:
    /// The points of a part, in their order, and the new number of each point.
    struct Numbering
    {
        explicit Numbering(std::size_t n) : number(n, InvalidIndex) {}
        void add(Index i)
        {
            if (number[i] != InvalidIndex) return;
            number[i] = static_cast<Index>(points.size());
            points.push_back(i);
        }
        Vector<Index> points, number;
    };

    bool spheres() const { return d_centers.isSet(); }
    std::size_t regions() const { return spheres() ? d_centers.value().size() : d_box.value().size(); }
    bool contains(std::size_t r, const Vec3& p) const
    {
        if (spheres()) return norm(p - d_centers.value()[r]) <= d_radii.value()[r];
        return boxOf(r).low[0] <= p[0] && p[0] <= boxOf(r).high[0] && boxOf(r).low[1] <= p[1] &&
               p[1] <= boxOf(r).high[1] && boxOf(r).low[2] <= p[2] && p[2] <= boxOf(r).high[2];
    }
    BoundingBox boxOf(std::size_t r) const
    {
        const Vec6& b = d_box.value()[r];
        BoundingBox box;
        box.include(Vec3{b[0], b[1], b[2]});
        box.include(Vec3{b[3], b[4], b[5]});
        return box;
    }
    void drawRegions(DrawTool& tool, DrawStyle style) const
    {
        for (std::size_t r = 0; !spheres() && r < regions(); ++r) {
            const BoundingBox box = boxOf(r);
            tool.boxEdges({&box, 1}, style);
        }
        style.wireframe = true;
        if (spheres()) tool.spheres(d_centers.value(), d_radii.value(), style);
    }
    template <class Element>
    bool isInside(const Element& e) const
    {
        return std::any_of(m_regions[e[0]].begin(), m_regions[e[0]].end(), [&](Index r) {
            return std::all_of(e.begin(), e.end(), [&](Index i) {
                return std::find(m_regions[i].begin(), m_regions[i].end(), r) != m_regions[i].end();
            });
        });
    }
    bool isGiven(std::size_t tetrahedron) const { return m_isGiven[tetrahedron]; }
    /// Adds the points inside of elements that are not.
    template <class Element>
    void addBorder(const Kind<Element>& kind, Vector<Index>& border) const
    {
        for (const Element& e : kind.d_all.value())
            if (!isInside(e))
                std::copy_if(e.begin(), e.end(), std::back_inserter(border),
                             [this](Index i) { return !m_regions[i].empty(); });
    }
    void numberByRegions(Numbering& in, Numbering& out)
    {
        Vector<Index> border;
        if (d_localIndices.value()) forEachKind([&](const auto& kind) { addBorder(kind, border); });
        std::sort(border.begin(), border.end());
        for (const Index i : border) {
            in.add(i);
            out.add(i);
        }
        d_nbrborder.setValue(static_cast<Index>(in.points.size()));
        for (Index i = 0; i < m_regions.size(); ++i)
            if (in.number[i] == InvalidIndex) (m_regions[i].empty() ? out : in).add(i);
    }
    void numberByTetrahedra(Numbering& in, Numbering& out)
    {
        for (std::size_t t = 0; t < m_tetrahedra.d_all.value().size(); ++t)
            for (const Index i : m_tetrahedra.d_all.value()[t]) (isGiven(t) ? in : out).add(i);
        d_nbrborder.setValue(0);
    }
    template <class F>
    void forEachKind(F f)
    {
        f(m_edges);
        f(m_triangles);
        f(m_quads);
        f(m_tetrahedra);
        f(m_hexahedra);
    }
    template <class Element, class IsInside>
    void split(Kind<Element>& kind, const Numbering& in, const Numbering& out, IsInside inside)
    {
        Vector<Index> indices;
        Vector<Element> elementsIn, elementsOut;
        for (std::size_t k = 0; k < kind.d_all.value().size(); ++k) {
            Element e = kind.d_all.value()[k];
            const bool isIn = inside(k, e);
            if (d_localIndices.value())
                for (Index& i : e) {
                    const Index number = (isIn ? in : out).number[i];
                    if (number == InvalidIndex)
                        throw std::runtime_error(kind.d_all.name() + ": the point " + std::to_string(i) +
                                                 " of element " + std::to_string(k) +
                                                 " is in no tetrahedron of its part");
                    i = number;
                }
            if (isIn) indices.push_back(static_cast<Index>(k));
            (isIn ? elementsIn : elementsOut).push_back(e);
        }
        kind.d_indices.setValue(std::move(indices));
        kind.d_in.setValue(std::move(elementsIn));
        kind.d_out.setValue(std::move(elementsOut));
    }

    std::vector<Vector<Index>> m_regions;  ///< boxes or spheres of each point
    std::vector<bool> m_isGiven;           ///< whether a tetrahedron is in tetrahedraInput
};

const RegisterComponent registeredSubsetTopology =
    RegisterComponent("SubsetTopology", "Engine", "Sofa.Component.Engine.Select")
        .help("Cuts a mesh into the part inside boxes or spheres and the rest")
        .example("component/engine/SubsetTopology.scn")
        .add<SubsetTopology, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
