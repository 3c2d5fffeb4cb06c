// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/MultilevelHexahedra.h"

#include <algorithm>
#include <set>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

Vec3i MultilevelHexahedronSetTopologyContainer::coarseResolution() const
{
    Vec3i n = grid().cells;
    const int size = 1 << d_level.value();
    for (int& k : n) k = (k + size - 1) / size;
    return n;
}

Vec3i MultilevelHexahedronSetTopologyContainer::coarsePlace(Index hexahedron) const
{
    Vec3i at = placeOf(cellOf(hexahedron));
    for (int& k : at) k >>= d_level.value();
    return at;
}

Vector<Index> MultilevelHexahedronSetTopologyContainer::hexahedraIn(const Vec3i& coarsePlace) const
{
    Vector<Index> out;
    const Vec3i n = grid().cells, coarse = coarseResolution();
    Vec3i low, high;
    for (std::size_t a = 0; a < 3; ++a) {
        if (coarsePlace[a] < 0 || coarsePlace[a] >= coarse[a]) return out;
        low[a] = coarsePlace[a] << d_level.value();
        high[a] = std::min(n[a], low[a] + (1 << d_level.value()));
    }
    for (int k = low[2]; k < high[2]; ++k)
        for (int j = low[1]; j < high[1]; ++j)
            for (int i = low[0]; i < high[0]; ++i)
                if (const Index h = hexahedronIn(grid().number(i, j, k)); h != InvalidIndex) out.push_back(h);
    return out;
}

bool MultilevelHexahedronSetTopologyContainer::hangTogether(Index a, Index b) const
{
    const Hexahedron &first = hexahedra()[a], &second = hexahedra()[b];
    return std::ranges::count_if(first, [&](Index v) { return std::ranges::find(second, v) != second.end(); }) == 4;
}

Vector<Index> MultilevelHexahedronSetTopologyContainer::hexahedraWith(Index hexahedron) const
{
    const Index piece = pieceOf(hexahedron);
    Vector<Index> out;
    for (const Index h : hexahedraIn(coarsePlace(hexahedron)))
        if (pieceOf(h) == piece) out.push_back(h);
    return out;
}

void MultilevelHexahedronSetTopologyContainer::findPieces(const Vec3i& at, Vector<Index>& pieces) const
{
    const Vector<Index> inside = hexahedraIn(at);
    for (const Index h : inside) pieces[h] = InvalidIndex;
    Vector<Index> front;
    for (const Index start : inside) {  // by increasing cell, so that the first one names the piece
        if (pieces[start] != InvalidIndex) continue;
        const Index name = cellOf(start);
        pieces[start] = name;
        front.push_back(start);
        while (!front.empty()) {
            const Index h = front.back();
            front.pop_back();
            for (const Index other : neighbors(h)) {
                if (other == InvalidIndex || coarsePlace(other) != at) continue;
                if (pieces[other] != InvalidIndex || !hangTogether(h, other)) continue;
                pieces[other] = name;
                front.push_back(other);
            }
        }
    }
}

void MultilevelHexahedronSetTopologyContainer::cellsAreKnown()
{
    Vector<Index> pieces(hexahedra().size(), InvalidIndex);
    for (Index h = 0; h < pieces.size(); ++h)
        if (pieces[h] == InvalidIndex) findPieces(coarsePlace(h), pieces);
    d_coarseComponents.unlink();
    d_coarseComponents.setValue(std::move(pieces));
    d_coarseComponents.setIsSet(false);
}

void MultilevelHexahedronSetTopologyContainer::cellsChanged(const Vector<Index>& cells)
{
    std::set<std::array<int, 3>> places;
    for (const Index c : cells) {
        const Vec3i at = placeOf(c);
        places.insert({at[0] >> d_level.value(), at[1] >> d_level.value(), at[2] >> d_level.value()});
    }
    auto& pieces = *d_coarseComponents.edit();
    pieces.resize(hexahedra().size());
    for (const auto& at : places) findPieces({at[0], at[1], at[2]}, pieces);
    d_coarseComponents.setIsSet(false);
}

void MultilevelHexahedronSetTopologyModifier::init()
{
    HexahedronSetTopologyModifier::init();
    if (const auto* t = topology(); t && !dynamic_cast<const MultilevelHexahedronSetTopologyContainer*>(t))
        fail("the topology of this node, '" + t->pathName() + "' (" + t->className() +
             "), is no MultilevelHexahedronSetTopologyContainer");
}

namespace {

constexpr const char* multilevelModule = "Sofa.Component.Topology.Container.Dynamic";
constexpr const char* multilevelExample = "component/topology/MultilevelHexahedronSetTopologyContainer.scn";

const RegisterComponent registeredMultilevelHexahedronSetTopologyContainer =
    RegisterComponent("MultilevelHexahedronSetTopologyContainer", "Topology", multilevelModule)
        .help("Topology of hexahedra of a fine grid, and of their pieces in a coarse one")
        .example(multilevelExample)
        .add<MultilevelHexahedronSetTopologyContainer>();
const RegisterComponent registeredMultilevelHexahedronSetTopologyModifier =
    RegisterComponent("MultilevelHexahedronSetTopologyModifier", "TopologyModifier", multilevelModule)
        .help("Entrance for changes of hexahedra of several levels at run time")
        .example(multilevelExample)
        .add<MultilevelHexahedronSetTopologyModifier>();

}  // namespace

}  // namespace sofa::component
