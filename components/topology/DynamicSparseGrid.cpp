// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/DynamicSparseGrid.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace {

constexpr unsigned char filled = 255;

/// Sets what the component computes.
template <class T>
void setComputed(Data<T>& data, T value)
{
    data.unlink();
    data.setValue(std::move(value));
    data.setIsSet(false);
}

}  // namespace

// --- Container ------------------------------------------------------------------------------------------------------

void DynamicSparseGridTopologyContainer::init()
{
    const Vec3 size = d_voxelSize.value();
    if (std::min({size[0], size[1], size[2]}) <= 0.)
        return fail("voxelSize: expected positive sizes, found " + toText(size));
    const Vector<unsigned char> given = d_valuesIndexedInRegularGrid.value();
    const bool valuesOfCells = d_valuesIndexedInRegularGrid.isSet() && !given.empty();
    HexahedraInGrid::init();
    if (!isValid()) return;
    if (knowsPlaces() && !d_voxelSize.isSet()) setComputed(d_voxelSize, Vec3(grid().spacing));
    const std::size_t n = hexahedra().size(), values = d_valuesIndexedInTopology.value().size();
    if (values > 1 && values != n)
        return fail("valuesIndexedInTopology: expected one value, or one for each of the " + std::to_string(n) +
                    " hexahedra, found " + std::to_string(values));
    if (valuesOfCells && given.size() != cellCount())
        return fail("valuesIndexedInRegularGrid: expected a value for each of the " + std::to_string(cellCount()) +
                    " cells, found " + std::to_string(given.size()));
    if (values > 0) return;
    Vector<unsigned char> all(1, filled);
    if (valuesOfCells && n > 0) {
        all.resize(n);
        for (Index h = 0; h < n; ++h) all[h] = given[cellOf(h)];
    }
    setComputed(d_valuesIndexedInTopology, std::move(all));
}

std::optional<Vec3> DynamicSparseGridTopologyContainer::givenSpacing() const
{
    return d_voxelSize.isSet() ? std::optional(d_voxelSize.value()) : std::nullopt;
}

ElementLists DynamicSparseGridTopologyContainer::elementLists()
{
    ElementLists lists = HexahedraInGrid::elementLists();
    lists.data.emplace_back(&d_valuesIndexedInTopology);
    return lists;
}

void DynamicSparseGridTopologyContainer::cellsAreKnown()
{
    Vector<unsigned char> values(cellCount(), 0);
    std::map<Index, Index> map;
    for (Index h = 0; h < d_idxInRegularGrid.value().size(); ++h) {
        values[cellOf(h)] = filled;
        map[cellOf(h)] = h;
    }
    setComputed(d_valuesIndexedInRegularGrid, std::move(values));
    setComputed(d_idInRegularGrid2IndexInTopo, std::move(map));
}

void DynamicSparseGridTopologyContainer::cellsChanged(const Vector<Index>& cells)
{
    auto& values = *d_valuesIndexedInRegularGrid.edit();
    auto& map = *d_idInRegularGrid2IndexInTopo.edit();
    for (const Index c : cells) {
        const Index h = hexahedronIn(c);
        values[c] = h == InvalidIndex ? 0 : filled;
        if (h == InvalidIndex)
            map.erase(c);
        else
            map[c] = h;
    }
    d_valuesIndexedInRegularGrid.setIsSet(false);
    d_idInRegularGrid2IndexInTopo.setIsSet(false);
}

// --- Modifier -------------------------------------------------------------------------------------------------------

void DynamicSparseGridTopologyModifier::init()
{
    HexahedronSetTopologyModifier::init();
    if (const auto* t = topology(); t && !dynamic_cast<const DynamicSparseGridTopologyContainer*>(t))
        fail("the topology of this node, '" + t->pathName() + "' (" + t->className() +
             "), is no DynamicSparseGridTopologyContainer");
}

// --- Measures -------------------------------------------------------------------------------------------------------

template <class D>
void DynamicSparseGridGeometryAlgorithms<D>::init()
{
    HexahedronSetGeometryAlgorithms<D>::init();
    m_container = dynamic_cast<const DynamicSparseGridTopologyContainer*>(this->l_topology.get());
    if (this->l_topology && !m_container)
        this->fail("topology: '" + this->l_topology->pathName() + "' (" + this->l_topology->className() +
                   ") is no DynamicSparseGridTopologyContainer");
}

template <class D>
const DynamicSparseGridTopologyContainer& DynamicSparseGridGeometryAlgorithms<D>::container() const
{
    if (!m_container) throw std::logic_error(this->pathName() + ": there is no sparse grid to measure");
    return *m_container;
}

template <class D>
Index DynamicSparseGridGeometryAlgorithms<D>::hexahedronAt(const Vec3& x) const
{
    if (!container().knowsPlaces()) throw std::logic_error(this->pathName() + ": the container has no positions");
    return m_container->hexahedronIn(m_container->grid().find(x));
}

template <class D>
BaseMeshTopology::CellLocation DynamicSparseGridGeometryAlgorithms<D>::nearestHexahedron(const Vec3& x) const
{
    if (!container().locatesCells())
        throw std::logic_error(this->pathName() +
                               ": the container has no positions, or hexahedra that do not stand along the axes");
    return m_container->locateCell(x);
}

template <class D>
Vec3 DynamicSparseGridGeometryAlgorithms<D>::pointAt(const BaseMeshTopology::CellLocation& place, At at) const
{
    const auto x = this->corners(this->topology().hexahedra().at(place.cell), at);
    const Vec3& t = place.local;
    const auto side = [&](std::size_t k) {
        return ((1. - t[0]) * x[k] + t[0] * x[k + 1]) * (1. - t[1]) + (t[0] * x[k + 2] + (1. - t[0]) * x[k + 3]) * t[1];
    };
    return (1. - t[2]) * side(0) + t[2] * side(4);
}

template class DynamicSparseGridGeometryAlgorithms<Vec3Types>;

namespace {

constexpr const char* sparseGridModule = "Sofa.Component.Topology.Container.Dynamic";
constexpr const char* sparseGridExample = "component/topology/DynamicSparseGridTopologyContainer.scn";

const RegisterComponent registeredDynamicSparseGridTopologyContainer =
    RegisterComponent("DynamicSparseGridTopologyContainer", "Topology", sparseGridModule)
        .help("Topology of hexahedra that are cells of a sparse grid")
        .example(sparseGridExample)
        .add<DynamicSparseGridTopologyContainer>();
const RegisterComponent registeredDynamicSparseGridTopologyModifier =
    RegisterComponent("DynamicSparseGridTopologyModifier", "TopologyModifier", sparseGridModule)
        .help("Entrance for changes of a sparse grid at run time")
        .example(sparseGridExample)
        .add<DynamicSparseGridTopologyModifier>();
const RegisterComponent registeredDynamicSparseGridGeometryAlgorithms =
    RegisterComponent("DynamicSparseGridGeometryAlgorithms", "GeometryAlgorithms", sparseGridModule)
        .help("Measures of a sparse grid")
        .example(sparseGridExample)
        .add<DynamicSparseGridGeometryAlgorithms, Vec3Types>();

}  // namespace

}  // namespace sofa::component
