// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Archive.h"
#include "core/topology/StoredTopology.h"

namespace sofa::core {

class BaseState;
class TopologyChange;
struct ElementSource;

/// How a point of a mapping's output is made: a sum of points of the input, with weights that add up to one, and an
/// offset [m].
struct MappedPoint
{
    Ancestors from;
    Vec3 offset;
};

/// Makes the elements of one topology from those of another: the border triangles of a tetrahedral mesh, tetrahedra
/// from hexahedra, ... Points stay the same, unless the mapping says how it makes its own.
///
/// The input defaults to the topology of the parent node, the output to that of this node (the last one declared). The
/// output is filled when it is first used, or when this mapping is initialised, whichever comes first; what it held
/// before is dropped, positions excepted.
class TopologicalMapping : public Component
{
public:
    static std::string_view typeLabel() { return "topological mapping"; }

    Link<BaseMeshTopology> l_input{this, {"input", "Topology to map; default: that of the parent node"}};
    Link<BaseMeshTopology> l_output{this, {"output", "Topology to fill; default: that of this node"}};

    void init() override;
    /// Fills the output unless that happened already. Errors are reported once.
    void build();
    /// Fills the output anew, from the elements that the input has now.
    void rebuild();
    void undoInit() override
    {
        Component::undoInit();
        m_built = false;
    }

    /// Input and output; nullptr where there is none.
    BaseMeshTopology* input() const;
    BaseMeshTopology* output() const;

    /// Element of the input that each element of the output comes from.
    const Vector<Index>& localToGlobal() const { return m_localToGlobal; }
    /// Element of the output that comes from an element of the input (the last one, if there are several); InvalidIndex
    /// if none does.
    Index globalToLocal(Index inputElement) const;
    /// All of them, in increasing order.
    Vector<Index> outputElements(Index inputElement) const;
    /// How the points of the output are made, once it was filled; empty where they are those of the input.
    virtual std::span<const MappedPoint> mappedPoints() const { return {}; }

    /// Kinds of elements that the mapping reads and writes.
    virtual ElementType inputType() const = 0;
    virtual ElementType outputType() const = 0;
    /// Those elements of the input that the elements of the output are counted from.
    virtual ElementType sourceType() const { return inputType(); }

    // --- Changes of the input, for core/topology/TopologyTransaction.h ----------------------------------------------
    /// Elements of the output that a change of the input takes, and brings.
    struct Translation
    {
        Vector<Index> gone{};      ///< in increasing order
        Vector<Index> vertices{};  ///< of the new ones, one after the other
        Vector<Index> inputs{};    ///< for each new one the element of the input that it comes from, as it counts now
    };
    /// Whether changes are translated; otherwise the output is made anew.
    virtual bool translates() const { return false; }
    /// What a change of the input means; the output is as it was before.
    virtual Translation translate(const TopologyChange& /*input*/) { return {}; }
    /// Keeps the numbers of both sides true when elements of input and output have changed; `inputs` are those of
    /// Translation. Returns what takes that back.
    StoredTopology::List::Undo follow(const ElementSource& input, const ElementSource& output,
                                      const Vector<Index>& inputs);
    /// Whether the elements of the output were translated, so that making them anew would number them otherwise.
    bool hasTranslated() const;
    /// Whether the output has points of its own, which followInput() then tells of.
    virtual bool makesPoints() const { return false; }
    /// Whether some of them are there for elements of this kind of the input.
    virtual bool makesPointsOf(ElementType) const { return false; }
    /// Whether the mapping keeps something of the input that must follow changes, before the output is made anew.
    virtual bool keepsInput() const { return makesPoints(); }
    /// What became of the points of the output.
    struct MadePoints
    {
        Vector<Index> before{};             ///< for each point the number that it had; InvalidIndex for a new one
        std::map<Index, Ancestors> from{};  ///< for new ones points of the output, as they counted before
        StoredTopology::List::Undo undo{};  ///< takes back what followInput() did
    };
    /// Brings what the mapping keeps up to date, also mappedPoints(). `before` and `from` are filled if makesPoints().
    virtual MadePoints followInput(const TopologyChange& /*input*/) { return {}; }
    /// The same when the input is as it was at the beginning, or was loaded. Returns what takes it back.
    virtual StoredTopology::List::Undo remakeInput(bool /*restoring*/)
    {
        return [] {};
    }
    /// Saves or loads what remakeInput() cannot make.
    virtual void archiveInput(Archive&) {}
    /// Puts points of the output to where they are made, in the output and in these states: new ones in all their
    /// vectors, others at rest only. Returns what takes that back if they are no new ones.
    virtual StoredTopology::List::Undo placePoints(std::span<const Index> points, std::span<BaseState* const> states,
                                                   bool areNew);
    /// Sets them, for an output that is not made by map().
    void setLocalToGlobal(Vector<Index> inputs);

protected:
    /// Called before the output is emptied: the number of points that it will have.
    virtual Index preparePoints(const BaseMeshTopology& input, StoredTopology& output);
    /// Fills `output`, which is empty and has that number of points, and calls addElement for each element.
    virtual void map(const BaseMeshTopology& input, StoredTopology& output) = 0;
    /// Records that the next element of the output comes from `inputElement`.
    void addElement(Index inputElement) { m_localToGlobal.push_back(inputElement); }

private:
    BaseMeshTopology* topologyOf(const Node* node, const BaseMeshTopology* except) const;
    void link(Index output);
    void unlink(Index output);

    Vector<Index> m_localToGlobal;
    Vector<Index> m_first, m_next;  ///< elements of the output by those of the input: the first one, and who follows it
    bool m_built = false;
};

}  // namespace sofa::core
