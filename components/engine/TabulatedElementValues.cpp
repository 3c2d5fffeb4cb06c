// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/ListTypes.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

namespace {

/// A value of each element from a number at its points, by a table: the modulus of a material that follows its
/// temperature. It is looked up at the mean of the points of the element, straight between the entries of the table,
/// and constant beyond its ends.
///
/// The elements are those of the highest dimension that the topology has, in the order tetrahedra, hexahedra, prisms,
/// pyramids; triangles, quads; edges: that of the lists of force fields.
class TabulatedElementValues final : public Engine, public TopologyFollower
{
public:
    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology of the elements; default: the nearest one"}};
    Input<Vector<Vec<1>>> d_input{
        this, input("input", "Number at each point: @heat.position of a state of numbers, such as temperatures", "1")};
    Input<Vector<double>> d_keys{this, input("keys", "Numbers of the table, each larger than the one before", "1")};
    Input<Vector<double>> d_values{this, input("values", "Value for each of `keys`, such as Young's moduli", "1")};
    Output<Vector<double>> d_output{this, output("output", "Value of each element", "1")};

    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override { setDirty(); }

protected:
    void findInputs() override
    {
        if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
        if (!l_topology) throw std::runtime_error("topology: there is none in the node or above");
        for (const std::string_view list : {"tetrahedra", "hexahedra", "triangles", "quads", "edges"})
            if (BaseData* d = l_topology->findData(list)) addInput(*d);
    }
    void doUpdate() override
    {
        const Vector<double>&keys = d_keys.value(), &values = d_values.value();
        if (keys.empty() || keys.size() != values.size())
            throw std::runtime_error("values: there are " + std::to_string(values.size()) + " and " +
                                     std::to_string(keys.size()) + " keys; expected one for each, and at least one");
        for (std::size_t k = 1; k < keys.size(); ++k)
            if (!(keys[k] > keys[k - 1]))
                throw std::runtime_error("keys: number " + std::to_string(k) + " is " + toText(keys[k]) +
                                         "; expected more than the one before, " + toText(keys[k - 1]));
        if (!l_topology) throw std::runtime_error("topology: there is none any more");
        using enum ElementType;
        Vector<double> out;
        for (const auto& kinds : {std::vector{Tetrahedra, Hexahedra, Prisms, Pyramids}, std::vector{Triangles, Quads},
                                  std::vector{Edges}}) {
            for (const ElementType kind : kinds) append(out, kind);
            if (!out.empty()) break;
        }
        d_output.setValue(std::move(out));
    }

private:
    void append(Vector<double>& out, ElementType kind) const
    {
        const std::span<const Index> vertices = verticesOf(*l_topology, kind);
        const Vector<Vec<1>>& in = d_input.value();
        const std::size_t n = nodeCount(kind);
        for (std::size_t first = 0; first < vertices.size(); first += n) {
            double sum = 0.;
            for (const Index v : vertices.subspan(first, n)) {
                if (v >= in.size())
                    throw std::runtime_error("input: there are " + std::to_string(in.size()) + " numbers; element " +
                                             std::to_string(out.size()) + " has point " + std::to_string(v));
                sum += in[v][0];
            }
            out.push_back(lookUp(sum / static_cast<double>(n)));
        }
    }
    double lookUp(double key) const
    {
        const Vector<double>&keys = d_keys.value(), &values = d_values.value();
        const auto k = static_cast<std::size_t>(std::ranges::upper_bound(keys, key) - keys.begin());
        if (k == 0) return values.front();
        if (k == keys.size()) return values.back();
        const double t = (key - keys[k - 1]) / (keys[k] - keys[k - 1]);
        return values[k - 1] + t * (values[k] - values[k - 1]);
    }
};

const RegisterComponent registeredTabulatedElementValues =
    RegisterComponent("TabulatedElementValues", "Engine", "Sofa.Component.Engine.Generate")
        .help("Value of each element by a table, from numbers at its points, as moduli that follow temperatures")
        .example("component/engine/TabulatedElementValues.scn")
        .add<TabulatedElementValues>();

}  // namespace

}  // namespace sofa::component
