// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HyperelasticForceField.h"

#include <sstream>

#include "core/fem/elements/BezierQuadrature.h"
#include "core/fem/materials/PointLaw.h"
#include "core/mesh/Renumbering.h"
#include "core/objectmodel/NoEffect.h"
#include "core/topology/ElementsOf.h"
#include "core/visual/DrawCurves.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Names of the kinds as scenes write them.
constexpr std::string_view pluralOf(ElementType t)
{
    constexpr std::string_view names[] = {"points",     "edges",    "triangles", "quads",
                                          "tetrahedra", "pyramids", "prisms",    "hexahedra"};
    return names[static_cast<int>(t)];
}

template <class Shape>
const auto& quadratureOf(int n)
{
    if constexpr (Shape::type == ElementType::Hexahedra)
        return hexahedronQuadrature(n);
    else if constexpr (Shape::type == ElementType::Prisms)
        return prismQuadrature(n);
    else if constexpr (Shape::type == ElementType::Pyramids)
        return pyramidQuadrature(n);
    else if constexpr (Shape::type == ElementType::Tetrahedra)
        return tetrahedronQuadrature();
    else
        return membraneQuadrature<Shape>(n);
}

template <class Part>
using ShapeOf = typename std::remove_cvref_t<Part>::Shape;

}  // namespace

template <class Types>
template <class S>
const Vector<typename S::Element>& HyperelasticForceField<Types>::wantedElements() const
{
    static const Vector<typename S::Element> none;
    const bool wanted = m_wanted & 1u << static_cast<unsigned>(S::type) && isShapeOfTopology<S>();
    if constexpr (isBezierShape<S>)
        if (wanted && !bezierTopologyOf(this->topology()).middlePoints().empty())
            throw std::runtime_error("edges of degree 1 are for BezierTetrahedronFEMForceField only");
    return wanted ? elementsOf<S>(this->topology()) : none;
}

template <class Types>
void HyperelasticForceField<Types>::chooseElements()
{
    unsigned present = 0, named = 0;
    std::size_t highest = 0;
    std::string possible;
    // Volumes come first: the faces and edges of a mesh that has some are not asked for, so that none are derived.
    forAll([&](auto& part) {
        using S = ShapeOf<decltype(part)>;
        const unsigned bit = 1u << static_cast<unsigned>(S::type);
        if (S::dimension < lowestDimension() || !isShapeOfTopology<S>()) return;
        possible += (possible.empty() ? "" : ", ") + std::string(pluralOf(S::type));
        bool isNamed = false;
        for (const std::string& name : d_elements.value())
            if (name == pluralOf(S::type)) isNamed = true;
        if (isNamed) named |= bit;
        if (!isNamed && (!d_elements.value().empty() || S::dimension < highest)) return;
        if (elementsOf<S>(this->topology()).empty()) return;
        if (S::type == ElementType::Triangles && !isNamed &&
            areHalves(this->topology().triangles(), this->topology().quads()))
            return;
        present |= bit;
        highest = std::max(highest, S::dimension);
    });
    for (const std::string& name : d_elements.value()) {
        bool known = false;
        forAll([&](auto& part) {
            known = known || (name == pluralOf(ShapeOf<decltype(part)>::type) &&
                              ShapeOf<decltype(part)>::dimension >= lowestDimension());
        });
        if (!known)
            throw std::runtime_error("elements=\"" + name + "\" is not one of the kinds that it acts on: " + possible);
    }
    if (!present)
        throw std::runtime_error("the topology '" + this->topology().pathName() +
                                 "' has none of the elements that it " + (named ? "is to act on" : "acts on") + ": " +
                                 (named ? d_elements.text() : possible));
    m_wanted = named ? named : present;
    m_chosenFrom = d_elements.value();
    bool faces = false, edges = false;
    forAll([&](auto& part) {
        using S = ShapeOf<decltype(part)>;
        if (!(m_wanted & 1u << static_cast<unsigned>(S::type))) return;
        faces = faces || S::dimension == 2;
        edges = edges || S::dimension == 1;
    });
    if (!faces) tellWithoutEffect(*this, {&d_thickness, &d_planeStress}, "it acts on no triangles or quads");
    if (!edges) tellWithoutEffect(*this, {&d_crossSection}, "it acts on no edges");
}

template <class Types>
void HyperelasticForceField<Types>::checkMaterial(const MaterialEvaluation& m, const Vector<double>& parameters,
                                                  bool locks, bool inPlaneStrain)
{
    if (m.law == MaterialLaw::NeoHookean && parameters[0] < 0.)
        throw std::runtime_error(
            "the neo-Hookean law needs lambda >= 0 (Poisson's ratio >= 0), as the term lambda/2 ln^2 J would make it "
            "collapse under pressure: take another law for this material (StableNeoHookean, StVenantKirchhoff, "
            "CorotationalLinearFEMForceField)");
    const LameParameters small = smallStrainParameters(m, parameters);
    const double bulk = bulkModulus(small), limit = -1e-9 * (std::abs(bulk) + std::abs(small.mu));
    if (bulk < limit || small.mu < limit) {
        std::ostringstream text;
        text << "the law '" << name(m.law) << "' is unstable with these parameters: at small strains its bulk modulus "
             << "is " << bulk << " Pa and its shear modulus " << small.mu << " Pa, and neither may be negative";
        throw std::runtime_error(text.str());
    }
    if (locks && small.mu + small.lambda > 0.)
        volumetricStrain.check(small.lambda / (2. * (small.lambda + small.mu)), inPlaneStrain);
}

template <class Types>
template <class S>
void HyperelasticForceField<Types>::preparePart(Part<S>& part)
{
    using Elements = Vector<typename S::Element>;
    part.prepared = wantedElements<S>();
    const Elements& elements = isElsewhere(S::type) ? Elements() : part.prepared;
    const bool averaged = volumetricStrain.isAveraged();
    if constexpr (std::is_same_v<S, BezierTetrahedronShape>) {
        const BezierQuadratureChoice chosen =
            chooseBezierQuadrature(elements, this->restPositions(), d_quadratureTolerance.value());
        const auto& rule = bezierQuadrature(chosen.level);
        if (chosen.worst != InvalidIndex)
            this->msgWarning() << "element " << chosen.worst << " is curved so much that " << rule.points.size()
                               << " points of quadrature are not enough: the estimated error is " << chosen.error;
        else if (chosen.level > 0)
            this->msgInfo() << rule.points.size() << " points of quadrature for curved rest shapes";
        part.mechanics.build(elements, this->restPositions(), rule, volumetricStrain.dilatation());
    } else if constexpr (S::dimension == 3)
        part.mechanics.build(elements, this->restPositions(), quadratureOf<S>(quadraturePoints()),
                             volumetricStrain.dilatation());
    else
        part.mechanics.build(elements, this->restPositions(), quadratureOf<S>(quadraturePoints()));
    if (S::dimension < 3 && averaged && !elements.empty())
        throw std::runtime_error("volumetricStrain=\"averaged\" is for elements that fill a volume, not for " +
                                 std::string(pluralOf(S::type)));
    if (elements.empty()) return;
    MaterialEvaluation m = material();
    m.projection = projection(m.projection);
    if constexpr (S::dimension == 3)
        part.mechanics.setMaterial(m);
    else
        part.mechanics.setMaterial(m, keepsThickness<S>() ? Thickness::Kept : Thickness::Free);
    setParameters(part, identity(part.mechanics.size()));
}

template <class Types>
template <class S>
void HyperelasticForceField<Types>::setParameters(Part<S>& part, const Vector<Index>& elements)
{
    Vector<double> parameters, checked;
    for (const Index e : elements) {
        try {
            parametersOf(part.first + e, parameters);
            if (parameters != checked)
                checkMaterial(part.mechanics.material(), parameters, S::dimension == 3 || keepsThickness<S>(),
                              keepsThickness<S>());
            checked = parameters;
            if constexpr (S::dimension == 2) part.mechanics.setSection(e, valueOf(d_thickness, part.first + e));
            if constexpr (S::dimension == 1) part.mechanics.setSection(e, valueOf(d_crossSection, part.first + e));
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("element " + std::to_string(part.first + e) + ": " + error.what());
        }
        part.mechanics.setParameters(e, parameters);
    }
}

template <class Types>
template <class S>
bool HyperelasticForceField<Types>::followPart(Part<S>& part, const TopologyChange& change)
{
    const Vector<typename S::Element>& elements = wantedElements<S>();
    if (elements.empty() && part.prepared.empty()) return true;
    if constexpr (isBezierShape<S>) {
        return false;
    } else {
        if (isElsewhere(S::type)) return false;
        Vector<Index> touched = change.touchedElements(this->topology(), S::type);
        if (!part.mechanics.follow(elements, this->restPositions(), quadratureOf<S>(quadraturePoints()),
                                   change.source(this->topology(), S::type), change.source(pointsOf(this->state())),
                                   touched))
            return false;
        part.prepared.resize(elements.size());
        for (const Index e : touched) part.prepared[e] = elements[e];
        setParameters(part, this->regions.given() ? identity(part.mechanics.size()) : touched);
        return true;
    }
}

template <class Types>
template <class S>
void HyperelasticForceField<Types>::archivePart(Part<S>& part, Archive& a)
{
    if constexpr (S::dimension == 3 && !isBezierShape<S>) {
        core::PackOrder order = part.mechanics.packOrder();
        if (!order.archive(a, part.mechanics.size()))
            throw std::runtime_error("'" + this->pathName() + "' has other elements");
        if (!a.loading() || part.mechanics.size() == 0) return;
        part.mechanics.build(part.prepared, this->restPositions(), quadratureOf<S>(quadraturePoints()),
                             volumetricStrain.dilatation(), &order);
        setParameters(part, identity(part.mechanics.size()));
    }
}

template <class Types>
void HyperelasticForceField<Types>::archive(Archive& a)
{
    if (!this->isValid() || !this->l_topology) return;
    // Who loads it has the mesh already.
    const auto* mesh = dynamic_cast<const StoredTopology*>(this->l_topology.get());
    if (mesh && mesh->isEdited()) forAll([&](auto& part) { archivePart(part, a); });
}

template <class Types>
void HyperelasticForceField<Types>::numberElements()
{
    Index count = 0;
    forAll([&](auto& part) {
        part.first = count;
        count += static_cast<Index>(wantedElements<ShapeOf<decltype(part)>>().size());
    });
    this->regions.update(count);
}

template <class Types>
bool HyperelasticForceField<Types>::followElements(const TopologyChange& change)
{
    if (m_wanted == 0 || m_chosenFrom != d_elements.value()) return false;
    numberElements();
    bool follows = true;
    forAll([&](auto& part) { follows = follows && followPart(part, change); });
    return follows;
}

template <class Types>
void HyperelasticForceField<Types>::prepare()
{
    // During a simulation the last element may be removed; at the start it is a mistake, and its faces do not step in.
    if (m_wanted == 0 || m_chosenFrom != d_elements.value()) chooseElements();
    numberElements();
    forAll([&](auto& part) { preparePart(part); });
}

template <class Types>
ElementNumbering HyperelasticForceField<Types>::elementNumbering() const
{
    ElementNumbering n{this->l_topology.get(), {}};
    std::apply(
        [&](const auto&... part) {
            const auto add = [&](ElementType type, bool isShape) {
                if (m_wanted & 1u << static_cast<unsigned>(type) && isShape) n.kinds.push_back(type);
            };
            (add(ShapeOf<decltype(part)>::type, isShapeOfTopology<ShapeOf<decltype(part)>>()), ...);
        },
        m_parts);
    return n;
}

template <class Types>
bool HyperelasticForceField<Types>::hasPreparedElements() const
{
    return std::apply(
        [&](const auto&... part) { return ((wantedElements<ShapeOf<decltype(part)>>() == part.prepared) && ...); },
        m_parts);
}

template <class Types>
void HyperelasticForceField<Types>::addElementForces(VecDeriv& f, const VecCoord& x)
{
    forAll([&](auto& part) {
        if (part.mechanics.size() > 0) part.mechanics.addForce(f, x);
    });
}

template <class Types>
void HyperelasticForceField<Types>::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    forPresent([&](const auto& part) { part.mechanics.addStiffnessProduct(df, dx, factor); });
}

template <class Types>
void HyperelasticForceField<Types>::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (this->isValid()) forPresent([&](const auto& part) { part.mechanics.addStiffness(k); });
}

template <class Types>
double HyperelasticForceField<Types>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    forPresent([&](const auto& part) { energy += part.mechanics.energy(x); });
    return energy;
}

template <class Types>
void HyperelasticForceField<Types>::stresses(const Shape&, Vector<Mat3>& out) const
{
    out.clear();
    Vector<Mat3> ofPart;
    forPrepared([&](const auto& part) {
        if (part.mechanics.size() > 0)
            part.mechanics.stresses(this->state().positions(), ofPart);
        else
            stressesElsewhere(ShapeOf<decltype(part)>::type, ofPart);
        out.insert(out.end(), ofPart.begin(), ofPart.end());
    });
}

template <class Types>
void HyperelasticForceField<Types>::elementEnergies(Vector<double>& out) const
{
    out.clear();
    Vector<double> ofPart;
    forPrepared([&](const auto& part) {
        if (part.mechanics.size() > 0)
            part.mechanics.energies(this->state().positions(), ofPart);
        else
            energiesElsewhere(ShapeOf<decltype(part)>::type, ofPart);
        out.insert(out.end(), ofPart.begin(), ofPart.end());
    });
}

template <class Types>
std::array<Color, 4> HyperelasticForceField<Types>::faceColors() const
{
    return {Color(0.f, 0.f, 1.f), Color(0.f, 0.5f, 1.f), Color(0.f, 1.f, 1.f), Color(0.5f, 1.f, 1.f)};
}

template <class Types>
void HyperelasticForceField<Types>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !this->l_state) return;
    const auto points = drawnPoints(tool, this->state());
    const std::array<Color, 4> colors = faceColors();
    forAll([&](auto& part) {
        constexpr ElementType type = std::decay_t<decltype(part)>::Shape::type;
        if constexpr (isBezierShape<ShapeOf<decltype(part)>>) {
            drawCurvedEdges(tool, std::span(std::as_const(part.prepared)), points, plainStyle(colors[1]));
        } else {
            ElementDrawing how;
            if (type == ElementType::Tetrahedra) how.faceColors = colors;
            drawElements(tool, type, part.prepared, points, how);
        }
    });
}

template class HyperelasticForceField<Vec2Types>;
template class HyperelasticForceField<Vec3Types>;

}  // namespace sofa::component
