// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/behavior/ForceField.h"
#include "core/fem/ElementResults.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/ElementRegions.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of the force fields on the elements of a mesh in one, two or three dimensions: finds the topology, prepares the
/// elements, and prepares them anew when the topology changed, or a parameter of the material that follows another
/// value
/// (`youngModulus="@hot.output"`).
template <class DataTypes>
class ElementForceField : public ForceField<DataTypes>, public TopologyFollower
{
public:
    using Base = ForceField<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    Link<BaseMeshTopology> l_topology{
        this, {"topology", "Topology that holds the elements; default: that of the node or the nearest above"}};
    /// Where lists of parameters have the values of an element; subclasses update them in prepare().
    ElementRegions regions{this};

    void init() override;
    /// Applies edited parameters.
    void reinit() override;

    using Base::addForce;
    void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override;
    BoundingBox boundingBox() const override;
    /// The regions, or the lists of elementValues().
    ElementLists elementLists() override;
    PointLists pointLists() override { return noLists(); }
    /// Follows, or prepares all elements that there are.
    void followTopology(const TopologyChange& change) override;

protected:
    /// How the elements are numbered, and lists that have a value for each element where there are no regions.
    virtual ElementNumbering elementNumbering() const = 0;
    virtual std::vector<ElementData> elementValues() { return {}; }
    /// The numbers among these, of each element.
    std::vector<ElementResults::Parameter> elementParameters();

    /// (Re)builds everything that is precomputed from the elements, the rest shape and the parameters. Throws
    /// std::runtime_error, with what the user must change, if that is not possible.
    virtual void prepare() = 0;
    /// Applies parameters of the material that changed since the last prepare(), to the same elements. Throws as
    /// prepare() does.
    virtual void applyParameters() { prepare(); }
    /// Brings what is precomputed up to date where the mesh changed; false if it cannot, and prepare() is needed.
    /// Throws as prepare() does.
    virtual bool followElements(const TopologyChange&) { return false; }
    /// False if the topology's elements are not those of the last prepare().
    virtual bool hasPreparedElements() const = 0;
    /// Forces at x, and products with the stiffness, of the prepared elements.
    virtual void addElementForces(VecDeriv& f, const VecCoord& x) = 0;
    virtual void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const = 0;

    BaseMeshTopology& topology() const { return *l_topology.get(); }
    /// Rest positions of the state.
    const VecCoord& restPositions() const;

private:
    /// True while the topology's elements are those of the last prepare().
    bool isUpToDate();
    /// prepare(), with its exceptions reported as errors of this component.
    void tryPrepare();
    /// The same for applyParameters().
    void tryApply();

    std::optional<DataTracker> m_parameters;  ///< values of elements that follow others
    std::size_t m_revision = 0;  ///< of the topology, when its elements were last known to be the prepared ones
};

}  // namespace sofa::component
