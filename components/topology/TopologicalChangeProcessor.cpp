// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologicalChangeProcessor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "components/topology/TopologyModifiers.h"
#include "core/behavior/State.h"
#include "core/factory/Registry.h"
#include "core/io/CompressedFile.h"
#include "core/io/DataLines.h"
#include "core/io/DataRepository.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/PresentPositions.h"
#include "core/topology/SurfaceIncision.h"
#include "core/topology/TopologyTransaction.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

struct Word
{
    std::string_view one, many;
    ElementType type;
};
constexpr Word words[] = {{"Edge", "Edges", ElementType::Edges},
                          {"Triangle", "Triangles", ElementType::Triangles},
                          {"Quad", "Quads", ElementType::Quads},
                          {"Tetrahedron", "Tetrahedra", ElementType::Tetrahedra},
                          {"Hexahedron", "Hexahedra", ElementType::Hexahedra}};

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

Index numberOf(io::LineValues& values, const char* what)
{
    return static_cast<Index>(values.integerWithin(what, 0, largest));
}

double numberWithin(io::LineValues& values, double largestValue, const char* what)
{
    const double v = values.finite(what);
    if (!(std::abs(v) <= largestValue)) values.fail(std::string(what) + " within 1e100");
    return v;
}

}  // namespace

TopologicalChangeProcessor::TopologicalChangeProcessor()
{
    d_listening.setDefault(true);
    ignoreAttribute("listChanges", "changes are those of the file, or of the lists ...ToRemove with useDataInputs");
}

void TopologicalChangeProcessor::init()
{
    std::string error;
    if (!resolveChangeable(l_topology, *this)) return;
    m_blocks.clear();
    reset();
    if (d_useDataInputs.value()) return;
    if (d_filename.value().text.empty()) return fail("filename: it needs a file with changes, or useDataInputs");
    try {
        read();
    } catch (const std::runtime_error& e) {
        fail(std::string("filename: ") + e.what());
    }
}

void TopologicalChangeProcessor::reset()
{
    m_next = 0;
    m_begin = 0.;
    m_removeAfter = d_timeToRemove.value();
    m_madeLines.clear();
    m_madePoints.clear();
}

void TopologicalChangeProcessor::archive(Archive& a)
{
    std::uint64_t next = m_next;
    a(next);
    a(m_begin);
    a(m_removeAfter);
    m_next = static_cast<std::size_t>(next);
}

/// What REMOVE= removes.
ElementType TopologicalChangeProcessor::elementType() const
{
    if (const auto* m = l_topology->node()->get<PointSetTopologyModifier>(Search::Local)) return m->elementType();
    return l_topology->topologyType();
}

void TopologicalChangeProcessor::read()
{
    const io::SourceText source = io::loadCompressed(requireFile(d_filename));
    io::DataLines lines(source);
    io::DataLine line;
    while (lines.next(line)) {
        io::LineValues head(line);
        const std::string_view verb = head.next();
        if (verb == "T=") {
            const double time = numberWithin(head, largestNumber, "a time");
            if (!m_blocks.empty() && !(time > m_blocks.back().time)) head.fail("a time after the one before");
            m_blocks.push_back({time, {}});
            continue;
        }
        if (verb != "REMOVE=" && verb != "ADD=" && verb != "INCISE=") head.fail("T=, REMOVE=, ADD= or INCISE=");
        if (m_blocks.empty()) head.fail("T= before the first change");
        Change c{Change::Kind::Remove, elementType(), {}, {}, {}, line.place()};
        std::size_t each = 1;
        if (verb == "ADD=") {
            const std::string_view what = head.next();
            const auto* word =
                std::ranges::find_if(words, [&](const Word& w) { return w.one == what || w.many == what; });
            if (what == "PointInTriangle" || what == "PointsInTriangle") {
                c.kind = Change::Kind::AddPointsInTriangles;
            } else if (word != std::end(words)) {
                c.kind = Change::Kind::Add;
                c.type = word->type;
                each = nodeCount(c.type);
            } else {
                head.fail("PointsInTriangle, Edges, Triangles, Quads, Tetrahedra or Hexahedra");
            }
        }
        const Index count = numberOf(head, "a number of elements");
        if (!head.atEnd()) {
            // Files of SOFA have the singular as well.
            const std::string_view word = c.kind == Change::Kind::Add ? head.next() : std::string_view();
            if (word != "Ancestors" && word != "Ancestor") head.fail("Ancestors or nothing");
            for (Index i = 0; i < count; ++i) c.ancestors.push_back(numberOf(head, "an ancestor"));
        }
        if (!lines.next(line)) line.fail("a line with the elements of this change", "the end of the file");
        io::LineValues values(line);
        if (verb == "INCISE=") {
            c.kind = Change::Kind::Incise;
            readPath(values, count, c);
            m_blocks.back().changes.push_back(std::move(c));
            continue;
        }
        for (std::size_t i = 0; i < count * each && (i % each > 0 || !values.atEnd()); ++i) {
            c.numbers.push_back(numberOf(values, "the number of an element or point"));
            if (c.kind != Change::Kind::AddPointsInTriangles) continue;
            for (int k = 0; k < 2; ++k) c.parts.push_back(numberWithin(values, largestNumber, "a part of a vertex"));
        }
        if (!values.atEnd() || c.numbers.size() < count * each)
            msgWarning() << line.place() << ": " << count << " elements are announced, and "
                         << (values.atEnd() ? "only " + std::to_string(c.numbers.size() / each) + " given"
                                            : "more given: the rest is passed over");
        if (!c.ancestors.empty()) c.ancestors.resize(c.numbers.size() / each);
        m_blocks.back().changes.push_back(std::move(c));
    }
    if (m_blocks.empty()) throw std::runtime_error("'" + source.path + "' has no changes");
}

/// x y z of each point of a cut, or a triangle and x y z.
void TopologicalChangeProcessor::readPath(io::LineValues& values, Index count, Change& c)
{
    if (count < 2) values.fail("two points or more of a cut");
    Vector<double> all;
    while (!values.atEnd()) all.push_back(numberWithin(values, largestNumber, "a coordinate of a point of the cut"));
    const std::size_t each = all.size() / count;
    if (all.size() % count > 0 || each < 3 || each > 4)
        values.fail(std::to_string(count) + " points of a cut, x y z or a triangle and x y z of each");
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (each == 3 || i % 4 > 0) {
            c.parts.push_back(all[i]);
        } else {
            if (all[i] != std::floor(all[i]) || all[i] < 0. || all[i] > static_cast<double>(largest))
                values.fail("the number of a triangle before each point");
            c.numbers.push_back(static_cast<Index>(all[i]));
        }
    }
}

void TopologicalChangeProcessor::incise(TopologyTransaction& all, StoredTopology& mesh, const Change& c) const
{
    const bool atRest = d_saveIndicesAtInit.value();
    Vector<Vec3> x;
    for (const auto* s : mesh.node()->getAll<State<Vec3Types>>(Search::Up))
        if (s->isMechanical() && s->size() == mesh.nbPoints() && x.empty())
            x = atRest ? s->read(vec_id::restPosition) : s->positions();
    for (Index i = static_cast<Index>(x.size()); i < mesh.nbPoints(); ++i) x.push_back(mesh.pointPosition(i));
    std::vector<SurfacePlace> path;
    for (std::size_t i = 0; i < c.parts.size() / 3; ++i) {
        const Vec3 p{c.parts[3 * i], c.parts[3 * i + 1], c.parts[3 * i + 2]};
        path.push_back(atRest || c.numbers.empty() ? nearestPlace(mesh, x, p) : placeOn(mesh, x, p, c.numbers[i]));
    }
    core::incise(all, mesh, x, path, {d_epsilonSnapPath.value(), d_epsilonSnapBorder.value()});
}

void TopologicalChangeProcessor::make(const std::vector<Change>& changes)
{
    auto& topology = dynamic_cast<StoredTopology&>(*l_topology);
    m_madeLines.clear();
    m_madePoints.clear();
    for (const Change& c : changes)
        if (d_draw.value()) mark(c, m_madeLines, m_madePoints);
    std::string place;
    try {
        TopologyTransaction all(topology);
        for (const Change& c : changes) {
            place = c.place;
            if (c.kind == Change::Kind::Remove) {
                Vector<Index> there;
                const std::size_t count = core::elementCount(topology, c.type);
                for (const Index i : c.numbers)
                    if (i < count) there.push_back(i);
                if (const std::size_t missing = c.numbers.size() - there.size(); missing > 0)
                    msgWarning() << place << (place.empty() ? "" : ": ") << missing << " of " << c.numbers.size()
                                 << " elements are not there: '" << topology.pathName() << "' has only " << count;
                all.remove(c.type, std::move(there));
            } else if (c.kind == Change::Kind::Add) {
                Vector<Ancestors> from;
                for (const Index a : c.ancestors) from.push_back({{a, 1.}});
                all.add(c.type, c.numbers, from);
            } else if (c.kind == Change::Kind::Incise) {
                incise(all, topology, c);
            } else {
                Vector<Ancestors> from;
                for (std::size_t i = 0; i < c.numbers.size(); ++i) {
                    if (c.numbers[i] >= topology.triangles().size())
                        throw std::runtime_error("there is no triangle " + std::to_string(c.numbers[i]) + " in '" +
                                                 topology.pathName() + "'");
                    const Triangle t = topology.triangles()[c.numbers[i]];
                    const double u = c.parts[2 * i], v = c.parts[2 * i + 1];
                    from.push_back({{t[0], u}, {t[1], v}, {t[2], 1. - u - v}});
                }
                all.addPoints(from);
            }
        }
        all.commit();
    } catch (const std::runtime_error& e) {
        throw std::runtime_error("'" + pathName() + "': " + (place.empty() ? "" : place + ": ") +
                                 "the topology cannot be changed: " + e.what());
    }
}

std::array<std::pair<const Data<Vector<Index>>*, ElementType>, 6> TopologicalChangeProcessor::lists() const
{
    return {{{&d_hexahedra, ElementType::Hexahedra},
             {&d_tetrahedra, ElementType::Tetrahedra},
             {&d_quads, ElementType::Quads},
             {&d_triangles, ElementType::Triangles},
             {&d_edges, ElementType::Edges},
             {&d_points, ElementType::Points}}};
}

void TopologicalChangeProcessor::removeLists(double time)
{
    if (m_removeAfter >= time) return;
    std::vector<Change> changes;
    for (const auto& [list, type] : lists())
        if (!list->value().empty()) changes.push_back({Change::Kind::Remove, type, list->value(), {}, {}, {}});
    if (!changes.empty()) make(changes);
    if (d_interval.value() > 0.)
        m_removeAfter += d_interval.value();
    else
        m_removeAfter = std::numeric_limits<double>::infinity();
}

void TopologicalChangeProcessor::handleEvent(const Event& e)
{
    if (!isValid() || !dynamic_cast<const AnimateBeginEvent*>(&e)) return;
    const double time = node()->time() + d_shift.value();
    if (d_useDataInputs.value()) return removeLists(time);
    const auto isDue = [&](double t) {
        return t < time || std::abs(t - time) < std::numeric_limits<double>::epsilon();
    };
    while (true) {
        if (m_next == m_blocks.size()) {
            if (!d_loop.value() || m_blocks.empty() || !(m_blocks.back().time > 0.)) return;
            m_next = 0;
            m_begin += m_blocks.back().time;
        }
        const Block& b = m_blocks[m_next];
        if (!isDue(m_begin + b.time)) return;
        ++m_next;
        make(b.changes);
    }
}

// --- Drawing --------------------------------------------------------------------------------------------------------

namespace {

/// Local vertices of the edges of an element.
std::span<const std::array<Index, 2>> edgesIn(ElementType type)
{
    static constexpr std::array<std::array<Index, 2>, 1> edge{{{0, 1}}};
    switch (type) {
        case ElementType::Edges:
            return edge;
        case ElementType::Triangles:
            return triangleEdges;
        case ElementType::Quads:
            return quadEdges;
        case ElementType::Tetrahedra:
            return tetrahedronEdges;
        case ElementType::Hexahedra:
            return hexahedronEdges;
        default:
            return {};
    }
}

}  // namespace

template <class Points>
void TopologicalChangeProcessor::markElements(ElementType type, const Vector<Index>& elements, Points& lines,
                                              Points& points) const
{
    const PresentPositions x(*l_topology);
    if (type == ElementType::Points) {
        for (const Index p : elements)
            if (p < l_topology->nbPoints()) points.push_back(x(p));
        return;
    }
    const std::span<const Index> vertices = verticesOf(*l_topology, type);
    const std::size_t width = nodeCount(type);
    for (const Index e : elements) {
        if ((e + 1) * width > vertices.size()) continue;
        for (const auto& edge : edgesIn(type))
            for (const Index end : edge) lines.push_back(x(vertices[e * width + end]));
    }
}

template <class Points>
void TopologicalChangeProcessor::mark(const Change& c, Points& lines, Points& points) const
{
    const PresentPositions x(*l_topology);
    const Index count = l_topology->nbPoints();
    if (c.kind == Change::Kind::Remove) {
        markElements(c.type, c.numbers, lines, points);
    } else if (c.kind == Change::Kind::Add) {
        // On points that are there already.
        const std::size_t width = nodeCount(c.type);
        for (std::size_t first = 0; first + width <= c.numbers.size(); first += width)
            for (const auto& edge : edgesIn(c.type)) {
                const Index a = c.numbers[first + edge[0]], b = c.numbers[first + edge[1]];
                if (a >= count || b >= count) continue;
                lines.push_back(x(a));
                lines.push_back(x(b));
            }
    } else if (c.kind == Change::Kind::AddPointsInTriangles) {
        for (std::size_t i = 0; i < c.numbers.size(); ++i) {
            if (c.numbers[i] >= l_topology->triangles().size()) continue;
            const Triangle& t = l_topology->triangles()[c.numbers[i]];
            const double u = c.parts[2 * i], v = c.parts[2 * i + 1];
            points.push_back(x(t[0]) * u + x(t[1]) * v + x(t[2]) * (1. - u - v));
        }
    } else {
        const auto at = [&c](std::size_t i) { return Vec3{c.parts[3 * i], c.parts[3 * i + 1], c.parts[3 * i + 2]}; };
        for (std::size_t i = 0; i < c.parts.size() / 3; ++i) {
            points.push_back(at(i));
            if (i == 0) continue;
            lines.push_back(at(i - 1));
            lines.push_back(at(i));
        }
    }
}

void TopologicalChangeProcessor::draw(DrawTool& tool)
{
    if (!d_draw.value() || !l_topology || !isInitialised() || !isValid()) return;
    const auto show = [&tool](std::span<const Vec3> lines, std::span<const Vec3> points, const Color& color) {
        tool.lines(lines, plainStyle(color, 3.f));
        tool.points(points, plainStyle(color, 8.f));
    };
    show(m_madeLines, m_madePoints, Color(0.5f, 0.5f, 0.5f));
    auto lines = tool.scratch<Vec3>(), points = tool.scratch<Vec3>();
    if (d_useDataInputs.value()) {
        for (const auto& [list, type] : lists())
            if (std::isfinite(m_removeAfter)) markElements(type, list->value(), lines, points);
    } else if (!m_blocks.empty() && (m_next < m_blocks.size() || d_loop.value())) {
        for (const Change& c : m_blocks[m_next % m_blocks.size()].changes) mark(c, lines, points);
    }
    show(lines, points, Color(1.f, 0.9f, 0.f));
}

static const RegisterComponent registeredTopologicalChangeProcessor =
    RegisterComponent("TopologicalChangeProcessor", "TopologyUtility", "Sofa.Component.Topology.Utility")
        .help("Adds and removes elements of a topology, and cuts surfaces, at given times")
        .example("component/topology/TopologicalChangeProcessor.scn")
        .add<TopologicalChangeProcessor>();

}  // namespace sofa::component
