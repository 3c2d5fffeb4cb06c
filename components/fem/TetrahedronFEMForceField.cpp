// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedronFEMForceField.h"

#include <algorithm>
#include <utility>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Six tetrahedra of a hexahedron around its diagonal 0-6.
constexpr std::size_t cut[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2}, {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
/// Edges of a hexahedron along its first, second and third direction.
constexpr std::size_t edgesAlong[3][4][2] = {
    {{0, 1}, {4, 5}, {3, 2}, {7, 6}}, {{0, 3}, {4, 7}, {1, 2}, {5, 6}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}};

void mirror(Hexahedron& h, std::size_t direction)
{
    for (const auto& e : edgesAlong[direction]) std::swap(h[e[0]], h[e[1]]);
}

/// Cuts the hexahedra of a mesh, nx · ny · ... cells of a grid with x running fastest. Every second cell along each
/// direction is cut in mirror image, because the diagonals of shared faces must agree.
Vector<Tetrahedron> cutHexahedra(const BaseMeshTopology& mesh, std::size_t nx, std::size_t ny)
{
    const Vector<Hexahedron>& hexahedra = mesh.hexahedra();
    Vector<Tetrahedron> out;
    out.reserve(6 * hexahedra.size());
    for (std::size_t k = 0; k < hexahedra.size(); ++k) {
        Hexahedron h = hexahedra[k];
        const Index i = initialIndex(mesh, ElementType::Hexahedra, static_cast<Index>(k));
        if ((i % nx) % 2 == 0) mirror(h, 0);
        if ((i / nx) % ny % 2 == 1) mirror(h, 1);
        if (i / (nx * ny) % 2 == 1) mirror(h, 2);
        for (const auto& t : cut) out.push_back({h[t[0]], h[t[1]], h[t[2]], h[t[3]]});
    }
    return out;
}

std::string joinNames(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& n : names) text += (text.empty() ? "" : ", ") + n;
    return text;
}

}  // namespace

TetrahedronFEMForceField::TetrahedronFEMForceField()
    : TetrahedronForceFieldBase(
          rotationMethodOptions(true),
          "Rotation of the elements: small (none, for small displacements), large (from the first "
          "edges), polar (polar decomposition), svd (polar, also for inverted elements)"),
      m_stressColors(d_vonMisesStressColors, [this] { colorStress(); })
{
    m_stressColors.addDependency(d_vonMisesPerElement);
    m_stressColors.addDependency(d_showStressColorMap);
    m_stressColors.addDependency(d_showStressAlpha);
    ignoreAttribute("gatherPt", "it is a setting of SOFA's CUDA version");
    ignoreAttribute("gatherBsize", "it is a setting of SOFA's CUDA version");
    ignoreAttribute("indices", "every tetrahedron of the topology is an element");
}

void TetrahedronFEMForceField::init()
{
    m_initialPointsGiven = d_initialPoints.isSet();
    if (!ColorMap::has(d_showStressColorMap.value()))
        msgWarning() << "showStressColorMap: there are no colours '" << d_showStressColorMap.value()
                     << "', HSV is taken. There are " << joinNames(ColorMap::names());
    if (d_updateStiffness.value() || d_computeVonMisesStress.value() != 0) d_listening.setValue(true);
    TetrahedronForceFieldBase::init();
}

Vector<Tetrahedron> TetrahedronFEMForceField::elements() const
{
    if (!m_cuts) return topology().tetrahedra();
    const auto cells = topology().gridCells();
    // Without a grid, SOFA alternates along the first direction only.
    return cells[0] > 0 ? cutHexahedra(topology(), cells[0], cells[1]) : cutHexahedra(topology(), 2, 1);
}

ElementNumbering TetrahedronFEMForceField::elementNumbering() const
{
    if (m_cuts) return {l_topology.get(), {ElementType::Hexahedra}, 6};
    return TetrahedronForceFieldBase::elementNumbering();
}

const TetrahedronFEMForceField::VecCoord& TetrahedronFEMForceField::restShape() const
{
    return d_initialPoints.value();
}

void TetrahedronFEMForceField::prepare()
{
    if (d_computeVonMisesStress.value() == 1 && d_method.value().selected() == "small")
        throw std::runtime_error(
            "computeVonMisesStress=\"1\" uses the strain in the elements' frames, which method=\"small\" does not "
            "have: "
            "give computeVonMisesStress=\"2\" or another method");
    if (volumetricStrain.isAveraged() && d_plasticMaxThreshold.value() > 0.)
        throw std::runtime_error(
            "volumetricStrain=\"averaged\" cannot be with plasticity, which takes the whole strain of each element: "
            "leave out plasticMaxThreshold");
    if (d_tangent.value() && d_plasticMaxThreshold.value() > 0.)
        throw std::runtime_error("tangent=\"1\" cannot be with plasticity: leave out plasticMaxThreshold");
    if (!m_initialPointsGiven) {
        d_initialPoints.setValue(restPositions());
    } else if (d_initialPoints.value().size() != state().size()) {
        throw std::runtime_error("initialPoints has " + std::to_string(d_initialPoints.value().size()) +
                                 " points, but the state has " + std::to_string(state().size()));
    }
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (m_mechanics.size() == 0 && topology().tetrahedra().empty() && topology().hexahedra().empty() &&
        !mayStartEmpty(*this, topology(), "tetrahedra, and no hexahedra to cut into tetrahedra"))
        return;
    if (m_mechanics.size() == 0) m_cuts = topology().tetrahedra().empty() && !topology().hexahedra().empty();
    TetrahedronForceFieldBase::prepare();
    m_cutHexahedra = m_cuts ? topology().hexahedra() : Vector<Hexahedron>();
    m_mechanics.setPlasticity({d_plasticMaxThreshold.value(), d_plasticYieldThreshold.value(), d_plasticCreep.value()});
    m_shownPositions.clear();
    if (d_computeVonMisesStress.value() != 0) updateStress();
}

bool TetrahedronFEMForceField::hasPreparedElements() const
{
    return m_cuts ? topology().hexahedra() == m_cutHexahedra : TetrahedronForceFieldBase::hasPreparedElements();
}

bool TetrahedronFEMForceField::followElements(const TopologyChange& change)
{
    const TopologyChange::Source points = change.source(pointsOf(state()));
    if (m_cuts || m_initialPointsGiven || d_initialPoints.value().size() != points.before) return false;
    {
        const auto x = d_initialPoints.edit();
        (void)points.follow(*x);
        for (const Index i : change.touchedPoints(topology())) x[i] = restPositions()[i];
    }
    m_shownPositions.clear();
    return TetrahedronForceFieldBase::followElements(change);
}

void TetrahedronFEMForceField::followTopology(const TopologyChange& change)
{
    const bool plastic = d_plasticMaxThreshold.value() > 0.;
    Vector<CorotationalTetrahedra::ScaledStrain> strain;
    if (plastic) strain = m_mechanics.plasticStrain();
    const TopologyChange::Source source = change.source(elementNumbering());
    TetrahedronForceFieldBase::followTopology(change);
    if (!isValid()) return;
    if (plastic && strain.size() == source.before) {
        (void)source.update(strain, 1,
                            [](const auto&, Index, Index) { return CorotationalTetrahedra::ScaledStrain(); });
        m_mechanics.setPlasticStrain(std::move(strain));
    }
    if (d_computeVonMisesStress.value() != 0) updateStress();
}

void TetrahedronFEMForceField::archive(Archive& a)
{
    TetrahedronForceFieldBase::archive(a);
    Vector<CorotationalTetrahedra::ScaledStrain> strain = m_mechanics.plasticStrain();
    a(strain);
    if (!a.loading()) return;
    if (strain.size() != m_mechanics.size()) throw std::runtime_error(pathName() + ": another number of elements");
    m_mechanics.setPlasticStrain(std::move(strain));
}

void TetrahedronFEMForceField::reset() { m_mechanics.clearPlasticStrain(); }

void TetrahedronFEMForceField::updateStress() { computeVonMises(state().positions(), wantsGreenStrain()); }

void TetrahedronFEMForceField::colorStress()
{
    const Vector<double>& element = d_vonMisesPerElement.value();
    const auto nodes = d_vonMisesStressColors.edit();
    nodes->clear();
    if (element.empty() || element.size() != m_mechanics.size()) return;  // not computed
    const auto extremes = std::minmax_element(element.begin(), element.end());
    const auto low = extremes.first, high = extremes.second;
    const double range = static_cast<double>(d_showStressAlpha.value()) * *high - *low;
    const ElementGraph<4>& graph = m_mechanics.graph();
    const ColorMap colors(d_showStressColorMap.value());
    Vector<Color> elementColors(element.size());
    for (std::size_t e = 0; e < element.size(); ++e)
        elementColors[e] = colors.at(range > 0. ? (element[e] - *low) / range : 0.);
    nodes->assign(graph.nbPoints(), Color(0.f, 0.f, 0.f, 0.f));
    for (Index v = 0; v < graph.nbPoints(); ++v) {
        float count = 0.f;
        graph.forEachAround(v, [&](Index e) {
            for (std::size_t i = 0; i < 4; ++i) nodes[v][i] += elementColors[e][i];
            count += 1.f;
        });
        for (std::size_t i = 0; i < 4 && count > 0.f; ++i) nodes[v][i] /= count;
    }
}

void TetrahedronFEMForceField::handleEvent(const Event& e)
{
    if (!isValid()) return;
    if (d_updateStiffness.value() && dynamic_cast<const AnimateBeginEvent*>(&e)) {
        try {
            updateMaterial();
        } catch (const std::runtime_error& error) {
            fail(error.what());
        }
    } else if (d_computeVonMisesStress.value() != 0 && dynamic_cast<const AnimateEndEvent*>(&e)) {
        updateStress();
    }
}

ElementResults::Shown TetrahedronFEMForceField::showsStress() const
{
    if (d_showVonMisesStressPerElement.value()) return Shown::Elements;
    return d_showVonMisesStressPerNodeColorMap.value() || d_showVonMisesStressPerNode.value() ? Shown::Smooth
                                                                                              : Shown::No;
}

void TetrahedronFEMForceField::vonMisesStresses(const Shape&, Vector<double>& out) const
{
    m_mechanics.vonMisesStresses(state().positions(), wantsGreenStrain(), out);
}

void TetrahedronFEMForceField::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    // What no step computed is computed to be shown, once for each state.
    if (showsStress() != Shown::No && d_computeVonMisesStress.value() == 0 && state().positions() != m_shownPositions) {
        updateStress();
        m_shownPositions = state().positions();
    }
    const ColorMap map(d_showStressColorMap.value());
    const auto alpha = static_cast<double>(d_showStressAlpha.value());
    const Vector<double>&element = d_vonMisesPerElement.value(), &point = d_vonMisesPerNode.value();
    const bool stress = showsStress() != Shown::No && element.size() == m_mechanics.size() &&
                        point.size() == state().size() && !point.empty();
    if (stress && d_showVonMisesStressPerNode.value()) drawPointStress(tool, map, alpha);
    if (stress) {
        const Vector<double>& shown = showsStress() == Shown::Elements ? element : point;
        const auto ends = std::minmax_element(shown.begin(), shown.end());
        tool.legend(titleOf(BodyField::Stress), map, *ends.first, *ends.second * alpha);
    }

    static const Color blues[] = {{0.f, 0.f, 1.f}, {0.f, 0.5f, 1.f}, {0.f, 1.f, 1.f}, {0.5f, 1.f, 1.f}};
    ElementDrawing how;
    how.gap = d_showElementGapScale.value();
    how.lit = false;
    how.faceColors = blues;
    const auto range = [](const Vector<double>& v) { return std::minmax_element(v.begin(), v.end()); };
    auto colors = tool.scratch<Color>();
    if (d_drawHeterogeneousTetra.value()) {
        auto young = tool.scratch<double>();
        young.resize(m_mechanics.size());
        for (Index e = 0; e < young.size(); ++e) young[e] = regions.valueOf(d_youngModulus, e);
        const auto ends = range(young);
        if (*ends.second - *ends.first > 1e-8) {
            for (const double y : young) {
                const auto t = static_cast<float>((y - *ends.first) / (*ends.second - *ends.first));
                colors.emplace_back(t, 0.5f * (1.f - t), 1.f - t);
            }
            how.elementColors = colors;
            how.lit = true;
        }
    }
    if (colors.empty() && stress && d_showVonMisesStressPerElement.value()) {
        const auto ends = range(element);
        map.append(colors, element, *ends.first, *ends.second * alpha);
        how.elementColors = colors;
        how.lit = true;
    } else if (colors.empty() && stress && d_showVonMisesStressPerNodeColorMap.value()) {
        const auto ends = range(point);
        map.append(colors, point, *ends.first, *ends.second * alpha);
        how.pointColors = colors;
        how.lit = true;
    }
    drawTetrahedra(tool, how);
    drawRotations(tool);
}

static const RegisterComponent registeredTetrahedronFEMForceField =
    RegisterComponent("TetrahedronFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Corotational linear elasticity on tetrahedra (or hexahedra cut into six), with optional plasticity")
        .alias("ParallelTetrahedronFEMForceField")
        .example("component/fem/TetrahedronFEMForceField.scn")
        .add<TetrahedronFEMForceField>();

}  // namespace sofa::component
