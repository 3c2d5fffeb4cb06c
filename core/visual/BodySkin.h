// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <optional>

#include "core/fem/ElementResults.h"
#include "core/visual/CurvedSkin.h"
#include "core/visual/DrawTool.h"

namespace sofa::core {

/// The elements of a mesh as one sees them: the border of volumes, faces, or edges, on the points of a state. Faces are
/// smooth up to sharp edges of the rest shape. They may be coloured by values of the elements or of the points.
class BodySkin
{
public:
    /// Edges that are sharper at rest stay sharp: the cosine of the angle between the normals (50 degrees).
    static constexpr double sharpCosine = 0.643;

    /// The elements of the highest dimension that the mesh has, or those that a source of stresses numbers.
    BodySkin(const BaseState& state, const BaseMeshTopology& mesh, const ElementResults* stress = nullptr);

    const BaseState& state() const { return *m_state; }
    /// Whether it is that of these components; others may have come to live at their addresses.
    bool isOf(const BaseState& state, const BaseMeshTopology& mesh) const
    {
        return m_stateAlive.lock().get() == &state && m_meshAlive.lock().get() == &mesh;
    }
    /// Finds the faces again where the mesh changed.
    void update();
    /// Of its elements: 3, 2, 1; 0 without any.
    std::size_t dimension() const { return m_dimension; }
    /// Whether every edge has two faces.
    bool isClosed() const { return m_closed; }

    /// Computes the values of a field at the present state; false if it is not known here, and then there are none.
    bool computeField(BodyField field);
    /// Widens a range to hold them.
    void include(std::array<double, 2>& range) const;

    /// Value of the last computeField() in a triangle of what drawField() draws, at the place in it that is nearest to
    /// a point [m]; nothing if there is no such triangle, or no value. Of a curved one, in the triangle of its corners.
    std::optional<double> valueIn(std::size_t triangle, const Vec3& point, bool perElement) const;

    /// Faces lit and smooth, edges as tubes.
    void draw(DrawTool& tool, const DrawStyle& style);
    /// The same coloured by the values of the last computeField(), by element or smooth.
    void drawField(DrawTool& tool, const DrawStyle& style, bool perElement, const std::array<double, 2>& range);

private:
    using Face = SkinFace;
    bool isCurrent() const;
    void addFaces(ElementType type, Index first);
    void splitAtSharpEdges();
    void averageOverPoints();
    void readPositions();
    /// Writes down the faces: `colorOf` an element and a point, or none.
    template <class ColorOf>
    void fill(Geometry& g, bool perElement, const ColorOf* colorOf);
    /// The elements, if they are curved.
    const BezierTopology* curved() const;
    void drawTubes(DrawTool& tool, const DrawStyle& style);

    const BaseState* m_state;
    const BaseMeshTopology* m_mesh;
    const ElementResults* m_stress;
    std::weak_ptr<const Base> m_stateAlive, m_meshAlive;
    ElementNumbering m_elements;  ///< kinds, and parts of each
    std::size_t m_dimension = 0;
    bool m_closed = false, m_known = false;
    std::size_t m_revision = 0;             ///< of the mesh for which it holds
    std::array<std::size_t, 8> m_counts{};  ///< elements of each kind, and points
    Index m_elementCount = 0;
    Vector<Face> m_faces;
    Vector<Edge> m_lines;
    Vector<Index> m_points;  ///< of each drawn vertex
    CurvedSkin m_curves;
    Vector<Vec3> m_control;      ///< points of the state, and middles of edges of degree 1
    Vector<Vec3> m_rest, m_now;  ///< points of the state
    Vector<Vec3> m_normals;      ///< of the drawn vertices
    double m_tubeRadius = 0.;
    bool m_valuesOfPoints = false;  ///< the field is one of points: elements have their mean
    Vector<double> m_ofElements, m_ofParts, m_ofPoints;
    Vector<double> m_velocities;
    Vector<int> m_around;
};

}  // namespace sofa::core
