// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedronForceFieldBase.h"

#include <algorithm>

#include "core/mesh/Renumbering.h"

namespace sofa::component {

namespace {

DataInfo shown(std::string_view name, std::string_view help)
{
    return {.name = name, .help = help, .group = "Visualization"};
}

}  // namespace

FaceColors::FaceColors(Component* owner)
    : d_drawing(owner, shown("drawing", "Draw the elements"), true),
      d_first(owner, shown("drawColor1", "Colour of the first face"), Color(0.f, 0.f, 1.f)),
      d_second(owner, shown("drawColor2", "Colour of the second face"), Color(0.f, 0.5f, 1.f)),
      d_third(owner, shown("drawColor3", "Colour of the third face"), Color(0.f, 1.f, 1.f)),
      d_fourth(owner, shown("drawColor4", "Colour of the fourth face"), Color(0.5f, 1.f, 1.f))
{
}

TetrahedronForceFieldBase::TetrahedronForceFieldBase(Options methods, std::string_view help)
    : d_method(this, {.name = "method", .help = help}, std::move(methods)),
      m_meanStress(d_vonMisesPerNode, [this] { averageStress(); })
{
    m_meanStress.addDependency(d_vonMisesPerElement);
    for (const char* name : {"computeGlobalMatrix", "assembling"})
        ignoreAttribute(name, "the linear solver decides whether a matrix is assembled");
}

void TetrahedronForceFieldBase::prepare()
{
    if (volumetricStrain.isAveraged() && d_updateStiffnessMatrix.value())
        throw std::runtime_error(
            "volumetricStrain=\"averaged\" cannot be with updateStiffnessMatrix=\"1\": leave that out");
    if (d_tangent.value() && (volumetricStrain.isAveraged() || d_updateStiffnessMatrix.value()))
        throw std::runtime_error(
            "tangent=\"1\" cannot be with volumetricStrain=\"averaged\" or updateStiffnessMatrix=\"1\": leave one "
            "out");
    checkLocking(volumetricStrain);
    m_mechanics.setExactTangent(d_tangent.value());
    m_mechanics.build(elements(), restShape(), selectedMethod(), d_updateStiffnessMatrix.value(),
                      volumetricStrain.dilatation());
    updateMaterial();
    if (m_mechanics.nbInverted() > 0)
        msgInfo() << m_mechanics.nbInverted() << " of " << m_mechanics.size()
                  << " tetrahedra are numbered with negative volume; their forces are those of positive ones";
}

ElementLists TetrahedronForceFieldBase::elementLists()
{
    // The factors belong to elements whether there are regions or not.
    ElementLists all = LinearElasticForceField::elementLists();
    all.data.push_back({&d_localStiffnessFactor, ElementData::Kind::Spread});
    return all;
}

bool TetrahedronForceFieldBase::followElements(const TopologyChange& change)
{
    if (volumetricStrain.isAveraged() || m_mechanics.size() == 0) return false;
    Vector<Index> touched = change.touchedElements(topology(), ElementType::Tetrahedra);
    if (!m_mechanics.follow(topology().tetrahedra(), restShape(), change.source(elementNumbering()),
                            change.source(pointsOf(state())), touched))
        return false;
    updateMaterial(regions.update(m_mechanics.size(), std::move(touched)));
    return true;
}

void TetrahedronForceFieldBase::updateMaterial()
{
    regions.update(m_mechanics.size());
    updateMaterial(identity(m_mechanics.size()));
}

void TetrahedronForceFieldBase::updateMaterial(const Vector<Index>& elements)
{
    const Vector<double>& local = d_localStiffnessFactor.value();
    const Index n = m_mechanics.size();
    for (const Index e : elements)
        m_mechanics.setMaterial(e, materialOf(e, local.empty() ? 1. : local[e * local.size() / n]));
}

bool TetrahedronForceFieldBase::hasPreparedElements() const
{
    return topology().tetrahedra() == m_mechanics.graph().elements();
}

void TetrahedronForceFieldBase::computeVonMises(const VecCoord& x, bool greenStrain)
{
    m_mechanics.vonMisesStresses(x, greenStrain, *d_vonMisesPerElement.edit());
}

void TetrahedronForceFieldBase::stresses(const Shape&, Vector<Mat3>& out) const
{
    m_mechanics.stresses(state().positions(), out);
}

void TetrahedronForceFieldBase::vonMisesStresses(const Shape&, Vector<double>& out) const
{
    m_mechanics.vonMisesStresses(state().positions(), usesGreenStrain(), out);
}

void TetrahedronForceFieldBase::averageStress()
{
    const ElementGraph<4>& graph = m_mechanics.graph();
    const Vector<double>& element = d_vonMisesPerElement.value();
    const auto nodal = d_vonMisesPerNode.edit();
    nodal->clear();
    if (element.size() != graph.size()) return;  // not computed
    nodal->resize(graph.nbPoints());
    for (Index v = 0; v < graph.nbPoints(); ++v) {
        double count = 0.;
        graph.forEachAround(v, [&](Index e) {
            nodal[v] += element[e];
            count += 1.;
        });
        if (count > 0.) nodal[v] /= count;
    }
}

bool TetrahedronForceFieldBase::isShown(const DrawTool& tool) const
{
    return tool.shows(DisplayFlags::ForceFields) && l_state && m_mechanics.size() > 0;
}

void TetrahedronForceFieldBase::drawTetrahedra(DrawTool& tool, const ElementDrawing& how) const
{
    drawElements(tool, ElementType::Tetrahedra, m_mechanics.graph().elements(), state().positions(), how);
}

void TetrahedronForceFieldBase::drawFaces(DrawTool& tool, const FaceColors& c) const
{
    if (!c.d_drawing.value()) return;
    const Color colors[] = {c.d_first.value(), c.d_second.value(), c.d_third.value(), c.d_fourth.value()};
    ElementDrawing how;
    how.faceColors = colors;
    drawTetrahedra(tool, how);
    drawRotations(tool);
}

void TetrahedronForceFieldBase::drawPointStress(DrawTool& tool, const ColorMap& colors, double alpha) const
{
    const Vector<double>& stress = d_vonMisesPerNode.value();
    const VecCoord& x = state().positions();
    if (stress.empty() || stress.size() != x.size()) return;
    const auto extremes = std::minmax_element(stress.begin(), stress.end());
    const double low = *extremes.first, high = *extremes.second * alpha;
    tool.geometry(plainStyle(Color(), 10.f), [&](Geometry& g) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            g.positions.push_back(Vec3f(x[i]));
            g.colors.push_back(colors.of(stress[i], low, high));
            g.points.push_back(static_cast<Index>(i));
        }
    });
}

void TetrahedronForceFieldBase::drawRotations(DrawTool& tool) const
{
    if (!tool.shows(DisplayFlags::Normals)) return;
    auto rotations = tool.scratch<Mat3>();
    nodeRotations(rotations);
    auto frames = tool.scratch<RigidCoord3>();
    frames.resize(std::min<std::size_t>(rotations.size(), state().size()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        frames[i].center = state().positions()[i];
        frames[i].orientation = Quat::fromMatrix(rotations[i]);
    }
    tool.frames(frames, 0.02 * tool.sceneSize());
}

}  // namespace sofa::component
