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

/// Looks in the text for what puts points into a part of the scene.
class Search
{
public:
    explicit Search(const Document& d) : m_x(*d.text().tree()), m_names(*d.links()) {}

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
        if (!isNode && places(i) && !isMapped(node)) {
            found = {i};
            out.name = QString::fromStdString(m_names.pathOf(i));
        } else {
            // What a mapping moves is moved with what moves it.
            while (isMapped(node) && m_x.items()[node].parent != XmlItem::none) node = m_x.items()[node].parent;
            const bool isRoot = m_x.items()[node].parent == XmlItem::none;
            if (isRoot && (isNode || !hasOwn(node)))
                return refused(PlacedElements::tr("Select what is to be moved, turned or scaled."));
            gather(node, found);
            found = withoutFollowers(found);
            out.name = QString::fromStdString(m_names.pathOf(node));
            if (found.empty())
                return refused(
                    PlacedElements::tr("Nothing in %1 has translation, rotation and scale3d.").arg(out.name));
        }
        for (const std::uint32_t f : found) {
            PlacedElement e;
            if (const QString why = read(f, e); !why.isEmpty()) return refused(why);
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
    /// Whether a component has the three attributes.
    bool places(std::uint32_t i) const
    {
        const auto p = prototype(i);
        return p && std::ranges::all_of(attributes, [&](const char* a) {
                   const std::string name = p->canonical(a);
                   return std::ranges::any_of(
                       p->data(), [&](const DataEntry& d) { return d.name == name && d.typeName == "Vec3"; });
               });
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
    void gather(std::uint32_t node, std::vector<std::uint32_t>& found) const
    {
        forEachIn(node, [&](std::uint32_t i) {
            if (m_names.isNode(i)) {
                if (!isMapped(i) || isMeasured(i)) gather(i, found);
            } else if (places(i)) {
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
            if (text.find('@') != std::string::npos)
                return PlacedElements::tr("'%1' of %2 follows %3: take the link back to move it.")
                    .arg(QString::fromStdString(spelling), name, QString::fromStdString(text));
            const auto numbers = p->numbers(spelling, text);
            const std::size_t expected = isMatrix ? 16 : isShort || isScale ? 1 : 3;
            if (!numbers || numbers->size() != expected)
                return PlacedElements::tr("'%1' of %2 cannot be read.").arg(QString::fromStdString(spelling), name);
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

    const XmlDocument& m_x;
    const TextLinks& m_names;
};

}  // namespace

PlacedElements placedBy(const Document& document, XmlId element)
{
    PlacedElements none;
    const XmlDocument* x = document.text().tree();
    const std::uint32_t i = x && element != 0 ? x->find(element) : XmlItem::none;
    if (i == XmlItem::none || !document.text().wellFormed()) {
        none.reason = PlacedElements::tr("Nothing is selected.");
        return none;
    }
    return Search(document).of(i);
}

void writePlacement(SceneText& text, const PlacedElement& element, const Placement& now)
{
    const Placement& before = element.placement;
    const std::pair<Vec3, Vec3> values[] = {
        {before.translation, now.translation}, {before.rotation, now.rotation}, {before.scale, now.scale}};
    for (std::size_t k = 0; k < 3; ++k) {
        if (values[k].first == values[k].second) continue;
        QStringList numbers;
        // Nine digits: what is beyond comes from rounding.
        for (const double v : values[k].second) numbers << QString::number(std::abs(v) < 1e-12 ? 0. : v, 'g', 9);
        text.setAttribute(element.element, element.names[k], numbers.join(' ').toStdString());
        for (const std::string& part : element.replaced[k]) text.clearAttribute(element.element, part);
    }
}

}  // namespace sofa::modeler
