// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "components/mass/PointMass.h"
#include "core/behavior/Mass.h"
#include "core/math/PartialSums.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Kind of element over which a density is integrated.
enum class MassElement
{
    None,
    Edge,
    Triangle,
    Quad,
    Tetrahedron,
    Hexahedron
};

/// Length, area or volume (all as positive numbers) of an element with vertices at p. A quad is cut into the triangles
/// 012 and 023, a hexahedron into six tetrahedra around its diagonal 0-6.
double elementMeasure(MassElement kind, const core::Vec3* p);

/// The sum of a list of masses: taken anew where others have changed the list.
class MassSum
{
public:
    using List = core::Data<core::Vector<double>>;

    double of(const List& masses)
    {
        if (!isOf(masses)) {
            m_sums.forget();
            change(masses, {});
        }
        return m_sum;
    }
    /// Whether it is that of the list as it is.
    bool isOf(const List& masses) const { return masses.counter() == m_counter; }
    /// Only these were changed since then.
    void change(const List& masses, const core::Vector<core::Index>& changed)
    {
        m_sum = m_sums.update(masses.value(), changed);
        m_counter = masses.counter();
    }

private:
    core::PartialSums m_sums;
    double m_sum = 0.;
    std::size_t m_counter = ~std::size_t{0};
};

/// What the masses of meshes have in common: the mesh, the state whose positions are its geometry, the total mass.
///
/// Of the mesh, only the elements of one kind count: hexahedra if there are any, else tetrahedra, quads, triangles,
/// edges. GeometryTypes may have more dimensions than DataTypes: a temperature (Vec1) on a mesh in space (Vec3).
template <class DataTypes, class GeometryTypes>
class MeshMass : public core::Mass<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::Mass<DataTypes>;

    core::Data<double> d_totalMass{this,
                                   {.name = "totalMass",
                                    .help = "Mass of the whole mesh; wins over the other ways to give a mass, and 1 kg "
                                            "is taken when none of them is given",
                                    .unit = "kg"},
                                   1.};
    core::Data<bool> d_computeMassOnRest;
    core::Data<bool> d_showGravityCenter{
        this, {.name = "showGravityCenter", .help = "Show the centre of mass", .group = "Visualization"}, false};
    core::Data<float> d_showAxisSizeFactor{
        this,
        {.name = "showAxisSizeFactor", .help = "Length of the axes shown", .unit = "1", .group = "Visualization"},
        1.F};
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Mesh over which the density is integrated; default: that of the node or above"}};
    core::Link<core::State<GeometryTypes>> l_geometryState{
        this, {"geometryState", "State with the positions of the mesh; default: that of the mesh's node"}};

    /// "Vec3,Vec3"; where both types are equal, one name suffices.
    static std::vector<std::string> templateNames();
    /// Needs a state of type DataTypes; a pair of different types must be asked for by name or by geometryState.
    static bool canCreate(const core::Node* node, const core::ComponentDescription& desc, std::string& why);

    /// The points (flag BehaviorModels), and a cross at the centre of mass, `showAxisSizeFactor` metres to either side
    /// (`showGravityCenter`).
    void draw(core::DrawTool& tool) override;
    core::TopologyFollower::PointLists pointLists() override { return this->noLists(); }

protected:
    explicit MeshMass(bool massOnRest);

    /// Finds mesh and geometry. False, with the reason in `why`, if something is missing or does not fit.
    bool findMesh(std::string& why);
    MassElement element() const { return m_element; }
    std::size_t elementCount() const;
    core::ElementNumbering elementNumbering() const;
    /// From now on the measures of elements are those of the first integration, and of elements that are new, or whose
    /// points were moved at rest, those at rest: the masses must not depend on how the mesh was deformed when it
    /// changed.
    void keepMeasures();
    /// Before the first change: measures the elements at rest, to see later which of them are others.
    void measureAtRest();
    /// Calls f(element, its vertices, its measure at the positions of the geometry) for every element in order. Throws
    /// std::runtime_error if an element has a vertex that the state lacks.
    void forEachElement(const std::function<void(core::Index, std::span<const core::Index>, double)>& f) const;
    /// The elements on points that a change has touched, in increasing order.
    struct Measured
    {
        core::Vector<core::Index> elements;
        core::Vector<double> measures;
    };
    Measured measureTouched(const core::TopologyChange& change) const;
    /// The same as forEachElement for the elements that have all these points, which were touched.
    void forEachElementOn(std::span<const core::Index> points, const Measured& measured,
                          const std::function<void(core::Index, std::span<const core::Index>, double)>& f) const;
    /// The points on which masses are to be summed anew after a change of the mesh, or nothing where all are.
    std::optional<core::Vector<core::Index>> touchedPoints(const core::TopologyChange& change) const;
    /// Brings a list of masses up to date in place: `source` says where they come from, and those at `touched` are
    /// `massAt`. So is their sum, if it was that of the list.
    void updateMasses(const core::TopologyChange& change, core::Data<core::Vector<double>>& masses, MassSum& sum,
                      const core::ElementSource& source, const core::Vector<core::Index>& touched,
                      const std::function<double(core::Index)>& massAt) const;
    /// Puts a list back if the change is taken back.
    static void keep(const core::TopologyChange& change, core::BaseData& masses);
    /// The edges of an element, in the order of the mesh's tables.
    core::Vector<core::Index> edgesOf(core::Index element) const;

    /// Whether all masses are sums of density times measure; at the beginning they may have been scaled.
    bool m_summed = false;

private:
    MassElement m_element = MassElement::None;
    const core::StoredTopology* m_changeable = nullptr;  ///< the mesh, if it may change
    void findElement();
    /// Gives the measure of element e, and checks its vertices. Throws as forEachElement does.
    std::function<double(core::Index, std::span<const core::Index>)> measure() const;

    mutable core::Vector<double> m_measures;  ///< by the first integration
    core::Vector<double> m_atRest;            ///< of the same elements
    bool m_keepsMeasures = false;
};

#define SOFA_MESH_MASS_INSTANCES(X)     \
    X(core::Vec3Types, core::Vec3Types) \
    X(core::Vec2Types, core::Vec2Types) \
    X(core::Vec2Types, core::Vec3Types) \
    X(core::Vec1Types, core::Vec1Types) \
    X(core::Vec1Types, core::Vec2Types) \
    X(core::Vec1Types, core::Vec3Types)
#define SOFA_RIGID_MESH_MASS_INSTANCES(X)   \
    X(core::Rigid3Types, core::Rigid3Types) \
    X(core::Rigid2Types, core::Rigid2Types) \
    X(core::Rigid2Types, core::Rigid3Types)

}  // namespace sofa::component
