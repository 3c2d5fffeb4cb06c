// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/CompareTopology.h"

#include <numeric>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

namespace {

template <class E>
unsigned countErrors(const Vector<E>& expected, const Vector<E>& found)
{
    const auto n = static_cast<long long>(expected.size()) - static_cast<long long>(found.size());
    if (n != 0) return static_cast<unsigned>(std::abs(n));
    unsigned errors = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) errors += expected[i] != found[i] ? 1 : 0;
    return errors;
}

}  // namespace

void CompareTopology::init()
{
    if (!resolveOrNeed<BaseMeshTopology>(l_topology, *this)) return;
    loadFrames();
}

void CompareTopology::setErrors(Vector<unsigned> errors)
{
    d_totalError.setValue(std::accumulate(errors.begin(), errors.end(), 0U));
    d_errors.setValue(std::move(errors));
}

void CompareTopology::reset()
{
    ReadTopology::reset();
    setErrors(Vector<unsigned>(5));
}

void CompareTopology::archive(Archive& a)
{
    ReadTopology::archive(a);
    Vector<unsigned> errors = d_errors.value();
    a(errors);
    if (a.loading()) setErrors(std::move(errors));
}

void CompareTopology::show(std::size_t i)
{
    if (!l_topology) throw std::runtime_error("the topology that " + pathName() + " compares has left the scene");
    ReadTopology::show(i);
    Vector<unsigned> errors = d_errors.value();
    auto compare = [&, kind = std::size_t{0}](const auto& expected, const auto& found) mutable {
        if (frame(i).given[kind]) errors[kind] += countErrors(expected, found);
        ++kind;
    };
    compare(d_edges.value(), l_topology->edges());
    compare(d_triangles.value(), l_topology->triangles());
    compare(d_quads.value(), l_topology->quads());
    compare(d_tetrahedra.value(), l_topology->tetrahedra());
    compare(d_hexahedra.value(), l_topology->hexahedra());
    setErrors(std::move(errors));
    if (d_printLog.value()) message(Severity::Info, "errors so far: " + d_errors.text());
}

static const RegisterComponent registeredCompareTopology =
    RegisterComponent("CompareTopology", "Loader", "Sofa.Component.Playback")
        .help("Compares the elements of a topology with a file of WriteTopology")
        .example("component/playback/CompareTopology.scn")
        .add<CompareTopology>();

}  // namespace sofa::component
