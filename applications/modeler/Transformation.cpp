// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/Transformation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "applications/modeler/Prototype.h"
#include "core/factory/Registry.h"

namespace sofa::modeler {

namespace {

constexpr double degree = std::numbers::pi / 180.;

Vec3 times(const Vec3& a, const Vec3& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }

Quat rotationOf(const Placement& p) { return Quat::fromEulerXYZ(p.rotation * degree); }

}  // namespace

Vec3 Placement::apply(const Vec3& x) const
{
    return translation2 + rotation2.rotate(translation + rotationOf(*this).rotate(times(scale, x)));
}

Quat Placement::axes() const { return rotation2 * rotationOf(*this); }

Vec3 Motion::apply(const Vec3& x) const
{
    return pivot + shift + turn.rotate(axes.rotate(times(scale, axes.inverseRotate(x - pivot))));
}

Placement moved(const Placement& p, const Motion& motion)
{
    // Within the frame of T₂ R₂, the motion M is M' = (T₂ R₂)⁻¹ M T₂ R₂, so that M T₂ R₂ T R S = T₂ R₂ M' T R S. Its
    // linear part is Q A, with the turn Q and the scale A = B K Bᵀ along the axes B. As A is uniform or B = R,
    // A R S = R K S.
    const Quat back = p.rotation2.inverse();
    Motion inner = motion;
    inner.pivot = back.rotate(motion.pivot - p.translation2);
    inner.shift = back.rotate(motion.shift);
    inner.turn = back * motion.turn * p.rotation2;
    inner.axes = back * motion.axes;
    Placement out = p;
    out.translation = inner.apply(p.translation);
    out.scale = times(motion.scale, p.scale);
    if (norm(motion.turn.imaginary()) > 0.) out.rotation = eulerAngles(inner.turn * rotationOf(p), p.rotation);
    return out;
}

Vec3 eulerAngles(const Quat& q, const Vec3& near)
{
    const Mat3 r = q.toMatrix();
    const double c = std::hypot(r[0][0], r[1][0]);  // |cos y|
    Vec3 best;
    double least = std::numeric_limits<double>::infinity();
    for (const double sign : {1., -1.}) {
        const double y = std::atan2(-r[2][0], sign * c);
        // Where y is a right angle, only the difference of x and z counts: x stays.
        const double x = c > 1e-7 ? std::atan2(sign * r[2][1], sign * r[2][2]) : near[0] * degree;
        const Mat3 rest = r * Quat::fromEulerXYZ({x, y, 0.}).toMatrix().transposed();
        const Vec3 found = Vec3{x, y, std::atan2(rest[1][0], rest[0][0])} / degree;
        Vec3 angles;
        for (std::size_t k = 0; k < 3; ++k) angles[k] = found[k] + 360. * std::round((near[k] - found[k]) / 360.);
        if (const double d = norm(angles - near); d < least) {
            least = d;
            best = angles;
        }
    }
    return best;
}

bool PlacedElements::sameAxes() const
{
    return std::ranges::all_of(elements, [this](const PlacedElement& e) {
        const Quat between = e.placement.axes().inverse() * elements.front().placement.axes();
        return norm(between.imaginary()) < 1e-9;
    });
}

// --- Which elements --------------------------------------------------------------------------------------------------

namespace {

constexpr std::array<const char*, 3> attributes = {"translation", "rotation", "scale3d"};
/// Another spelling of `min` and `max`; it counts if all six are given.
constexpr std::array<const char*, 6> bounds = {"xmin", "ymin", "zmin", "xmax", "ymax", "zmax"};

QString rounded(double v) { return QString::number(std::abs(v) < 1e-12 ? 0. : v, 'g', 9); }

/// Nine digits: what is beyond comes from rounding.
std::string textOf(const Vec3& x)
{
    return QStringList{rounded(x[0]), rounded(x[1]), rounded(x[2])}.join(' ').toStdString();
}

/// Looks in the text for what puts points into a part of the scene.
class Search
{
public:
    Search(const Document& d, bool turns) : m_x(*d.text().tree()), m_names(*d.links()), m_turns(turns) {}

    PlacedElements of(std::uint32_t i)
    {
        PlacedElements out;
        const bool isNode = m_x.items()[i].isElement() && m_names.isNode(i);
        if (!m_x.items()[i].isElement()) return refused(PlacedElements::tr("A comment cannot be moved."));
        if (m_names.isOpaque(i))
            return refused(PlacedElements::tr("What stands in another file is moved there, or by a node around it."));
        std::uint32_t node = isNode ? i : m_x.items()[i].parent;
        if (node == XmlItem::none || !m_names.isNode(node))
            return refused(PlacedElements::tr("This is a part of a component; select that."));
        std::vector<std::uint32_t> found;
        if (!isNode && (places(i) || isBox(i)) && !isMapped(node)) {
            found = {i};
            out.name = QString::fromStdString(m_names.pathOf(i));
        } else {
            // What a mapping moves is moved with what moves it.
            while (isMapped(node) && m_x.items()[node].parent != XmlItem::none) node = m_x.items()[node].parent;
            const bool isRoot = m_x.items()[node].parent == XmlItem::none;
            if (isRoot && (isNode || !hasOwn(node)))
                return refused(PlacedElements::tr("Select what is to be moved, turned or scaled."));
            gather(node, found, &Search::places);
            if (found.empty()) gather(node, found, &Search::isBox);
            found = withoutFollowers(found);
            out.name = QString::fromStdString(m_names.pathOf(node));
            if (found.empty())
                return refused(
                    PlacedElements::tr("Nothing in %1 has translation, rotation and scale3d.").arg(out.name));
        }
        for (const std::uint32_t f : found) {
            PlacedElement e;
            if (const QString why = places(f) ? read(f, e) : readBox(f, e); !why.isEmpty()) return refused(why);
            out.elements.push_back(std::move(e));
        }
        return out;
    }

private:
    static PlacedElements refused(const QString& why)
    {
        PlacedElements out;
        out.reason = why;
        return out;
    }

    template <class F>
    void forEachIn(std::uint32_t node, const F& f) const
    {
        for (std::uint32_t i = m_x.firstIn(node); i < m_x.endIn(node); i = m_x.items()[i].next)
            if (m_x.items()[i].isElement()) f(i);
    }
    std::string value(std::uint32_t i, const char* attribute) const
    {
        const XmlAttribute* a = m_x.attribute(m_x.items()[i], attribute);
        return a ? m_x.value(*a) : std::string();
    }
    std::shared_ptr<const Prototype> prototype(std::uint32_t i) const
    {
        return m_names.isOpaque(i) ? nullptr : Prototype::of(m_names.classOf(i), value(i, "template"));
    }
    static bool hasVector(const Prototype& p, const char* attribute)
    {
        const std::string name = p.canonical(attribute);
        return std::ranges::any_of(p.data(),
                                   [&](const DataEntry& d) { return d.name == name && d.typeName == "Vec3"; });
    }
    /// Whether a component has the three attributes.
    bool places(std::uint32_t i) const
    {
        const auto p = prototype(i);
        return p && std::ranges::all_of(attributes, [&](const char* a) { return hasVector(*p, a); });
    }
    /// Whether a component is a box between `min` and `max` that is moved. Those of spheres do not matter, and one
    /// without any extent lies around what it holds.
    bool isBox(std::uint32_t i) const
    {
        const auto p = m_turns ? nullptr : prototype(i);
        if (!p || places(i) || !hasVector(*p, "min") || !hasVector(*p, "max") || !p->canonical("center").empty())
            return false;
        PlacedElement e;
        return !readBox(i, e).isEmpty() || e.placement.scale != Vec3();
    }
    bool derives(std::uint32_t i, const char* base) const
    {
        // It is asked for many elements of few classes, and costs milliseconds.
        static std::map<std::pair<std::string, std::string>, bool> kept;
        const std::pair key{m_names.classOf(i), std::string(base)};
        if (!Registry::instance().find(key.first)) return false;
        auto it = kept.find(key);
        if (it == kept.end()) it = kept.emplace(key, Registry::instance().derives(key.first, base)).first;
        return it->second;
    }
    bool hasOwn(std::uint32_t node) const
    {
        bool any = false;
        forEachIn(node, [&](std::uint32_t i) { any = any || (!m_names.isNode(i) && places(i)); });
        return any;
    }
    bool isMapped(std::uint32_t node) const
    {
        bool any = false;
        forEachIn(node, [&](std::uint32_t i) { any = any || (!m_names.isNode(i) && derives(i, "BaseMapping")); });
        return any;
    }
    /// Whether the mappings of a node find out at the beginning where its points lie: these are moved, too. Otherwise
    /// the points are in the frame of what moves them, or are computed.
    bool isMeasured(std::uint32_t node) const
    {
        bool any = false;
        forEachIn(node, [&](std::uint32_t i) {
            if (m_names.isNode(i) || !derives(i, "BaseMapping")) return;
            const std::string type = m_names.classOf(i), global = value(i, "globalToLocalCoords");
            any = any || type.find("Barycentric") != std::string::npos || type.find("Skinning") != std::string::npos ||
                  (type == "SubsetMapping" && value(i, "indices").empty()) || global == "1" || global == "true";
        });
        return any;
    }
    void gather(std::uint32_t node, std::vector<std::uint32_t>& found,
                bool (Search::*counts)(std::uint32_t) const) const
    {
        forEachIn(node, [&](std::uint32_t i) {
            if (m_names.isNode(i)) {
                if (!isMapped(i) || isMeasured(i)) gather(i, found, counts);
            } else if ((this->*counts)(i)) {
                found.push_back(i);
            }
        });
    }
    /// The component from which one has its points; none if it has its own.
    std::uint32_t sourceOf(std::uint32_t i) const
    {
        for (const char* a : {"position", "src", "vertices", "input_position", "input"}) {
            const std::string path = value(i, a);
            if (path.empty()) continue;
            if (path.front() != '@') return XmlItem::none;
            const XmlId target = m_names.target(i, path);
            return target == 0 ? XmlItem::none : m_x.find(target);
        }
        // A state without positions has those of the topology of its node.
        std::uint32_t topology = XmlItem::none;
        if (derives(i, "BaseState"))
            forEachIn(m_x.items()[i].parent, [&](std::uint32_t k) {
                if (topology == XmlItem::none && !m_names.isNode(k) && k != i && derives(k, "BaseMeshTopology"))
                    topology = k;
            });
        return topology;
    }
    std::vector<std::uint32_t> withoutFollowers(const std::vector<std::uint32_t>& all) const
    {
        std::vector<std::uint32_t> out;
        for (const std::uint32_t i : all) {
            bool follows = false;
            std::uint32_t from = sourceOf(i);
            for (int steps = 0; from != XmlItem::none && !follows && steps < 20; ++steps) {
                follows = from != i && std::ranges::find(all, from) != all.end();
                from = sourceOf(from);
            }
            if (!follows) out.push_back(i);
        }
        return out;
    }

    /// What an element says of its place; the reason if that cannot be changed here.
    QString read(std::uint32_t i, PlacedElement& out) const
    {
        const auto p = prototype(i);
        const QString name = QString::fromStdString(m_names.nameOf(i));
        out.element = m_x.items()[i].id;
        out.path = m_names.pathOf(i);
        std::string canonical[3];
        for (std::size_t k = 0; k < 3; ++k) out.names[k] = canonical[k] = p->canonical(attributes[k]);
        Vec3* const values[] = {&out.placement.translation, &out.placement.rotation, &out.placement.scale};
        Vec3 rotation2;
        for (const XmlAttribute& a : m_x.attributes(m_x.items()[i])) {
            const std::string spelling(m_x.name(a)), text = m_x.value(a), today = p->canonical(spelling);
            const auto known = std::ranges::find(canonical, today);
            const bool second = today == "translation2" || today == "rotation2";
            const bool isMatrix = today == "transformation";
            const auto axis = static_cast<std::size_t>(spelling.size() > 1 ? spelling[1] - 'x' : 9);
            const bool isShort = today == spelling && axis < 3 && known == std::end(canonical) &&
                                 std::string("drs").find(spelling[0]) != std::string::npos &&
                                 (spelling.size() == 2 || (spelling.size() == 3 && spelling[2] == '2'));
            // That of a loader is a factor, which stays.
            const bool isScale = spelling == "scale" && known == std::end(canonical) && !derives(i, "MeshLoader");
            if (known == std::end(canonical) && !second && !isMatrix && !isShort && !isScale) continue;
            if (text.find('@') != std::string::npos) return follows(spelling, name, text);
            const auto numbers = p->numbers(spelling, text);
            const std::size_t expected = isMatrix ? 16 : isShort || isScale ? 1 : 3;
            if (!numbers || numbers->size() != expected) return unreadable(spelling, name);
            if (isMatrix) {
                for (std::size_t k = 0; k < 16; ++k)
                    if ((*numbers)[k] != (k % 5 == 0 ? 1. : 0.))
                        return PlacedElements::tr(
                                   "The transformation matrix of %1 takes the place of its translation, "
                                   "rotation and scale.")
                            .arg(name);
            } else if (isShort && spelling.size() == 3) {
                (spelling[0] == 'd' ? out.placement.translation2 : rotation2)[axis] = (*numbers)[0];
            } else if (isShort) {
                const std::size_t k = std::string("drs").find(spelling[0]);
                (*values[k])[axis] = (*numbers)[0];
                out.replaced[k].push_back(spelling);
            } else if (isScale) {
                out.placement.scale = Vec3::filled((*numbers)[0]);
                out.replaced[2].push_back(spelling);
            } else {
                const Vec3 v{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
                if (second) {
                    (today == "translation2" ? out.placement.translation2 : rotation2) = v;
                } else {
                    const auto k = static_cast<std::size_t>(known - std::begin(canonical));
                    *values[k] = v;
                    out.names[k] = spelling;
                }
            }
        }
        out.placement.rotation2 = Quat::fromEulerXYZ(rotation2 * degree);
        return {};
    }

    /// The same of a box.
    QString readBox(std::uint32_t i, PlacedElement& out) const
    {
        const auto p = prototype(i);
        const QString name = QString::fromStdString(m_names.nameOf(i));
        out.element = m_x.items()[i].id;
        out.path = m_names.pathOf(i);
        out.points = {{p->canonical("min"), {}}, {p->canonical("max"), {}}};
        for (PlacedElement::Point& point : out.points)
            for (const DataEntry& d : p->data())
                if (d.name == point.name) point.place = vectorOf(*p, d.name, d.defaultText).value_or(Vec3());
        const bool hasBounds = std::ranges::all_of(
            bounds, [&](const char* b) { return !p->canonical(b).empty() && m_x.attribute(m_x.items()[i], b); });
        double scale = 1.;
        for (const XmlAttribute& a : m_x.attributes(m_x.items()[i])) {
            const std::string spelling(m_x.name(a)), text = m_x.value(a), today = p->canonical(spelling);
            const auto bound = std::ranges::find(bounds, today);
            const bool isScale = today == "scale" && hasBounds, isBound = bound != bounds.end() && hasBounds;
            const bool isCorner = today == out.points[0].name || today == out.points[1].name;
            if (!isCorner && today != "p0" && !isScale && !isBound) continue;
            if (text.find('@') != std::string::npos) return follows(spelling, name, text);
            if (isScale || isBound) {
                const auto number = p->numbers(spelling, text);
                if (!number || number->size() != 1) return unreadable(spelling, name);
                const auto k = static_cast<std::size_t>(bound - bounds.begin());
                (isScale ? scale : out.points[k / 3].place[k % 3]) = number->front();
                out.replaced[0].push_back(spelling);
                continue;
            }
            const auto place = vectorOf(*p, spelling, text);
            if (!place) return unreadable(spelling, name);
            if (today == "p0") {
                out.points.push_back({spelling, *place});
                continue;
            }
            PlacedElement::Point& point = out.points[today == out.points[0].name ? 0 : 1];
            point.name = spelling;
            if (!hasBounds) point.place = *place;
        }
        for (std::size_t k = 0; k < 2 && hasBounds; ++k) out.points[k].place *= scale;
        out.placement.translation = out.points[0].place;
        out.placement.scale = out.points[1].place - out.points[0].place;
        return {};
    }
    static std::optional<Vec3> vectorOf(const Prototype& p, const std::string& attribute, const std::string& text)
    {
        const auto n = p.numbers(attribute, text);
        return n && n->size() == 3 ? std::optional(Vec3{(*n)[0], (*n)[1], (*n)[2]}) : std::nullopt;
    }
    static QString follows(const std::string& attribute, const QString& name, const std::string& text)
    {
        return PlacedElements::tr("'%1' of %2 follows %3: take the link back to move it.")
            .arg(QString::fromStdString(attribute), name, QString::fromStdString(text));
    }
    static QString unreadable(const std::string& attribute, const QString& name)
    {
        return PlacedElements::tr("'%1' of %2 cannot be read.").arg(QString::fromStdString(attribute), name);
    }

    const XmlDocument& m_x;
    const TextLinks& m_names;
    const bool m_turns;
};

}  // namespace

PlacedElements placedBy(const Document& document, XmlId element, bool turns)
{
    PlacedElements none;
    const XmlDocument* x = document.text().tree();
    const std::uint32_t i = x && element != 0 ? x->find(element) : XmlItem::none;
    if (i == XmlItem::none || !document.text().wellFormed()) {
        none.reason = PlacedElements::tr("Nothing is selected.");
        return none;
    }
    return Search(document, turns).of(i);
}

void writeMotion(SceneText& text, const PlacedElement& element, const Motion& motion)
{
    if (element.isBox()) {
        const bool replaces = !element.replaced[0].empty();  // all of it, by min and max
        for (const PlacedElement::Point& p : element.points)
            if (const Vec3 to = motion.apply(p.place); to != p.place || replaces)
                text.setAttribute(element.element, p.name, textOf(to));
        for (const std::string& part : element.replaced[0]) text.clearAttribute(element.element, part);
        return;
    }
    const Placement &before = element.placement, now = moved(before, motion);
    const std::pair<Vec3, Vec3> values[] = {
        {before.translation, now.translation}, {before.rotation, now.rotation}, {before.scale, now.scale}};
    for (std::size_t k = 0; k < 3; ++k) {
        if (values[k].first == values[k].second) continue;
        text.setAttribute(element.element, element.names[k], textOf(values[k].second));
        for (const std::string& part : element.replaced[k]) text.clearAttribute(element.element, part);
    }
}

}  // namespace sofa::modeler
