// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/factory/Registry.h"
#include "core/mesh/Elements.h"
#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Node.h"
#include "core/objectmodel/Path.h"

/// What engines over lists of values share: the names of their templates, and how one is chosen.
namespace sofa::component {

using namespace sofa::core;

/// Template name for entries of a list: "double", "unsigned", "Vec3", "Triangle", ...
template <class T>
std::string listTemplate()
{
    if constexpr (std::is_same_v<T, Index>)
        return "unsigned";
    else if constexpr (std::is_same_v<T, Edge>)
        return "Edge";
    else if constexpr (std::is_same_v<T, Triangle>)
        return "Triangle";
    else if constexpr (std::is_same_v<T, Tetrahedron>)
        return "Tetrahedron";
    else if constexpr (std::is_same_v<T, Hexahedron>)
        return "Hexahedron";
    else
        return TypeName<T>::get();
}

/// How many inputs or outputs of a kind there are.
inline constexpr Range seriesLength = Range::closed(0., 1000.);

/// The Data to which an attribute of a component in the node is linked; nullptr if it is no link, or leads to something
/// that is not there yet.
inline const BaseData* linkedData(const Node* node, const ComponentDescription& desc, std::string_view attribute)
{
    const Attribute* a = desc.find(attribute);
    if (!node || !a || a->value.empty() || a->value.front() != '@') return nullptr;
    std::string error;
    return findDataByPath(*node, a->value, error);
}

/// Whether the entries of a list that an attribute leads to are of type T; also where it leads to nothing.
template <class T>
bool listFits(const Node* node, const ComponentDescription& desc, std::string_view attribute, std::string& why)
{
    const BaseData* d = linkedData(node, desc, attribute);
    if (!d || d->typeName() == TypeName<Vector<T>>::get()) return true;
    why = std::string(attribute) + ": " + d->ddgName() + " is a " + d->typeName() + ", not a " +
          TypeName<Vector<T>>::get();
    return false;
}

/// Gives a list entries up to an index. Throws std::runtime_error at an index that no mesh has.
inline void growTo(Vector<double>& list, Index i, double value)
{
    if (i >= 1u << 30) throw std::runtime_error("the index " + std::to_string(i) + " is too large for a list");
    if (i >= list.size()) list.resize(i + std::size_t(1), value);
}

/// Throws std::runtime_error, with the name of the list, if there is an index in it that is not below `size`.
inline void requireIndices(const Data<Vector<Index>>& list, std::size_t size, std::string_view what = "points")
{
    for (const Index i : list.value())
        if (i >= size)
            throw std::runtime_error(list.name() + ": " + std::to_string(i) + " does not exist; there are " +
                                     std::to_string(size) + ' ' + std::string(what));
}

/// Throws std::runtime_error if two lists have different lengths.
template <class A, class B>
void requireSameSize(const Data<A>& a, const Data<B>& b)
{
    if (a.value().size() != b.value().size())
        throw std::runtime_error(a.name() + " has " + std::to_string(a.value().size()) + " entries and " + b.name() +
                                 " has " + std::to_string(b.value().size()) + "; they must have the same number");
}

/// As requireIndices, for the vertices of elements.
template <std::size_t N>
void requireVertices(const Data<Vector<std::array<Index, N>>>& elements, std::size_t points)
{
    for (std::size_t e = 0; e < elements.value().size(); ++e)
        for (const Index i : elements.value()[e])
            if (i >= points)
                throw std::runtime_error(elements.name() + ": element " + std::to_string(e) + " has the point " +
                                         std::to_string(i) + "; there are " + std::to_string(points));
}

}  // namespace sofa::component
