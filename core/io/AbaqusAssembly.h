// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "core/io/AbaqusFormat.h"
#include "core/io/AbaqusParts.h"
#include "core/io/VtkCells.h"

namespace sofa::core::io::abaqus {

/// Parts, where they are placed, and materials: what the reader collects, and then puts together.
class Assembly
{
public:
    struct Instance
    {
        std::string name;  ///< as written; empty for the assembly itself
        std::shared_ptr<Part> part;
        AffineTransform transform;
    };

    /// Nodes of all parts.
    std::size_t nodes() const;
    /// What stands in no part: the whole of a flat file, or the assembly.
    Part& root() { return *m_root; }
    /// \throws MeshError where the name is taken
    Part* addPart(const std::string& name, const DataLine& line);
    /// An instance of a part, to which it can add nodes, elements and sets of its own. \throws MeshError
    Part* addInstance(const std::string& name, const std::string& part, const DataLine& line);
    Instance& lastInstance() { return m_instances.back(); }
    /// \throws MeshError where the name is taken
    void addMaterial(VegMaterial material, const DataLine& line);
    /// The material that was added last.
    VegMaterial& material() { return m_materials.back(); }
    /// Elements of this type are left out, with a note.
    void leaveOut(const std::string& type) { m_leftOut += (m_leftOut.empty() ? "" : ", ") + type; }

    /// The mesh of all instances. Nothing is left here. \throws MeshError
    AbaqusModel assemble(const std::string& path);

private:
    struct Placed;
    void place(const Instance& instance);
    void assignMaterials(std::size_t placed);
    void addSets(std::size_t placed, bool several);
    const Vector<Index>& resolve(std::size_t placed, bool ofNodes, const std::string& name, const DataLine& from);
    void append(std::size_t placed, bool ofNodes, const SetEntry& entry, Vector<Index>& members);
    std::size_t placedOf(std::size_t placed, const SetEntry& entry) const;

    std::map<std::string, std::shared_ptr<Part>> m_parts;  ///< by the name in upper case
    std::vector<Instance> m_instances;
    std::shared_ptr<Part> m_root = std::make_shared<Part>();
    std::vector<VegMaterial> m_materials;
    std::map<std::string, int> m_materialIndex;
    std::string m_leftOut;

    /// Of sets, by part and name: their members, or that they are being looked for.
    struct Resolved
    {
        bool done = false;
        Vector<Index> members;  ///< points or elements of the whole
    };
    struct Placed
    {
        const Instance* instance;
        Index firstPoint = 0;
        std::size_t firstElement = 0;
        std::map<std::string, Resolved> sets[2];  ///< of elements, of nodes
    };
    AbaqusModel m_out;
    std::vector<Placed> m_placed;
    std::vector<CellOrigin> m_elements;  ///< where each element of the whole went
    std::vector<int> m_elementMaterial;
    int m_depth = 0;
    std::size_t m_missing = 0;  ///< members of sets that do not exist
    std::string m_missingPlace;
};

}  // namespace sofa::core::io::abaqus
