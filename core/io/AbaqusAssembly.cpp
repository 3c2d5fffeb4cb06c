// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/AbaqusAssembly.h"

#include <algorithm>

namespace sofa::core::io::abaqus {

std::size_t Assembly::nodes() const
{
    std::size_t n = m_root->positions.size();
    for (const auto& [name, part] : m_parts) n += part->positions.size();
    for (const Instance& i : m_instances) n += i.part->positions.size();
    return n;
}

Part* Assembly::addPart(const std::string& name, const DataLine& line)
{
    auto& part = m_parts[upper(name)];
    if (part) line.fail("each part once", "part " + name + " again");
    part = std::make_shared<Part>();
    part->name = name;
    return part.get();
}

Part* Assembly::addInstance(const std::string& name, const std::string& part, const DataLine& line)
{
    const auto it = m_parts.find(upper(part));
    if (it == m_parts.end()) line.fail("the name of a part before this line", TextScanner::quoted(part));
    for (const Instance& i : m_instances)
        if (upper(i.name) == upper(name)) line.fail("each instance once", "instance " + name + " again");
    m_instances.push_back({name, std::make_shared<Part>(*it->second), {}});
    return m_instances.back().part.get();
}

void Assembly::addMaterial(VegMaterial material, const DataLine& line)
{
    if (!m_materialIndex.try_emplace(upper(material.name), static_cast<int>(m_materials.size())).second)
        line.fail("each material once", "material " + material.name + " again");
    m_materials.push_back(std::move(material));
}

AbaqusModel Assembly::assemble(const std::string& path)
{
    MeshData& mesh = m_out.mesh;
    const Instance whole{{}, m_root, {}};
    for (const Instance& i : m_instances) place(i);
    place(whole);
    VtkCells cells(mesh, path);
    for (const Placed& p : m_placed) {
        const Part& part = *p.instance->part;
        for (const Part::Element& e : part.elements) {
            if (e.type.nodes == 0) {
                m_elements.push_back({});
                continue;
            }
            Index ids[27];
            for (std::size_t k = 0; k < e.type.nodes; ++k) {
                const std::int64_t number = part.connectivity[e.first + k];
                const Index i = part.nodes.find(number);
                if (i == InvalidIndex) e.line.fail("an element of nodes that exist", "node " + std::to_string(number));
                ids[k] = p.firstPoint + i;
            }
            if (e.type.middleSecond) std::swap(ids[1], ids[2]);
            cells.add(e.type.vtk, ids, e.type.nodes);
            m_elements.push_back(mesh.cellOrigins.back());
        }
    }
    m_elementMaterial.assign(m_elements.size(), -1);
    for (std::size_t p = 0; p < m_placed.size(); ++p) assignMaterials(p);
    for (std::size_t p = 0; p < m_placed.size(); ++p) {
        const std::size_t end = p + 1 < m_placed.size() ? m_placed[p + 1].firstElement : m_elements.size();
        for (std::size_t e = m_placed[p].firstElement; e < end; ++e) {
            const int material = m_elementMaterial[e];
            const CellOrigin& o = m_elements[e];
            if (o.count == 1)
                extendRanges(mesh.ranges[static_cast<std::size_t>(o.kind)], o.first, m_placed[p].instance->name,
                             material < 0 ? "" : m_materials[static_cast<std::size_t>(material)].name, material);
        }
    }
    for (std::size_t p = 0; p < m_placed.size(); ++p) addSets(p, m_instances.size() > 1);
    cells.finish();
    if (!m_leftOut.empty())
        mesh.notes.push_back(path + ": elements of the types " + m_leftOut + " are not supported and left out");
    if (m_missing)
        mesh.notes.push_back(m_missingPlace + ": sets name " + std::to_string(m_missing) +
                             " nodes or elements that do not exist, from this line on");
    m_out.materials = std::move(m_materials);
    return std::move(m_out);
}

void Assembly::place(const Instance& instance)
{
    MeshData& mesh = m_out.mesh;
    std::size_t elements = 0;
    for (const Placed& p : m_placed) elements += p.instance->part->elements.size();
    m_placed.push_back({&instance, static_cast<Index>(mesh.positions.size()), elements, {}});
    for (const Vec3& x : instance.part->positions) mesh.positions.push_back(instance.transform(x));
}

void Assembly::assignMaterials(std::size_t placed)
{
    for (const Section& s : m_placed[placed].instance->part->sections) {
        const auto material = m_materialIndex.find(s.material);
        if (material == m_materialIndex.end()) s.line.fail("the name of a material", TextScanner::quoted(s.material));
        for (const Index e : resolve(placed, false, s.set, s.line)) m_elementMaterial[e] = material->second;
    }
}

void Assembly::addSets(std::size_t placed, bool several)
{
    const Instance& instance = *m_placed[placed].instance;
    const std::string prefix = several && !instance.name.empty() ? instance.name + "." : std::string();
    // Sets of the assembly may have the name of one of its only instance.
    const auto nameOf = [&](const NamedSet& s, const auto& others) {
        const std::string name = prefix + s.name;
        const bool taken = std::ranges::any_of(others, [&](const auto& o) { return o.name == name; });
        return taken ? "assembly." + name : name;
    };
    MeshData& mesh = m_out.mesh;
    for (const NamedSet& s : instance.part->elementSets.all()) {
        CellGroup g;
        g.name = nameOf(s, mesh.groups);
        g.tag = static_cast<int>(mesh.groups.size() + 1);
        for (const Index e : resolve(placed, false, upper(s.name), s.line)) {
            const CellOrigin& o = m_elements[e];
            if (o.count == 0) continue;
            g.cells[static_cast<std::size_t>(o.kind)].push_back(o.first);
            g.dimension = std::max(g.dimension, cellDimension(o.kind));
        }
        mesh.groups.push_back(std::move(g));
    }
    for (const NamedSet& s : instance.part->nodeSets.all())
        mesh.pointSets.push_back({nameOf(s, mesh.pointSets), resolve(placed, true, upper(s.name), s.line)});
}

const Vector<Index>& Assembly::resolve(std::size_t placed, bool ofNodes, const std::string& name, const DataLine& from)
{
    const Part& part = *m_placed[placed].instance->part;
    const NamedSet* set = (ofNodes ? part.nodeSets : part.elementSets).find(name);
    if (!set) from.fail(ofNodes ? "the name of a node set" : "the name of an element set", TextScanner::quoted(name));
    const auto [it, isNew] = m_placed[placed].sets[ofNodes].try_emplace(name);
    Resolved& r = it->second;
    if (!isNew && !r.done) from.fail("a set that does not contain itself", TextScanner::quoted(name));
    if (r.done) return r.members;
    constexpr int deepest = 100;
    if (++m_depth > deepest) from.fail("sets of sets, at most " + std::to_string(deepest) + " deep", "one more");
    Vector<Index> members;
    for (const SetEntry& e : set->entries) append(placed, ofNodes, e, members);
    --m_depth;
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    r.members = std::move(members);
    r.done = true;
    return r.members;
}

std::size_t Assembly::placedOf(std::size_t placed, const SetEntry& entry) const
{
    if (entry.instance.empty()) return placed;
    for (std::size_t p = 0; p < m_placed.size(); ++p)
        if (!m_placed[p].instance->name.empty() && upper(m_placed[p].instance->name) == entry.instance) return p;
    entry.line.fail("the name of an instance", TextScanner::quoted(entry.instance));
}

void Assembly::append(std::size_t placed, bool ofNodes, const SetEntry& entry, Vector<Index>& members)
{
    const std::size_t p = placedOf(placed, entry);
    const Placed& where = m_placed[p];
    const Part& part = *where.instance->part;
    if (entry.kind == SetEntry::Kind::Set) {
        const Vector<Index>& other = resolve(p, ofNodes, entry.name, entry.line);
        members.insert(members.end(), other.begin(), other.end());
        return;
    }
    if (entry.kind == SetEntry::Kind::NodesOfSet) {
        for (const Index e : resolve(p, false, entry.name, entry.line)) {
            const Part::Element& element = part.elements[e - where.firstElement];
            for (std::size_t k = 0; k < element.type.nodes; ++k)
                members.push_back(where.firstPoint + part.nodes.find(part.connectivity[element.first + k]));
        }
        return;
    }
    const FileNumbers& numbers = ofNodes ? part.nodes : part.elementNumbers;
    const Index offset = ofNodes ? where.firstPoint : static_cast<Index>(where.firstElement);
    if (entry.last < entry.first)
        entry.line.fail("a last number that is not below the first", std::to_string(entry.last));
    const std::size_t before = members.size();
    numbers.forEach(entry.first, entry.last, entry.step, [&](Index i) { members.push_back(offset + i); });
    const auto wanted = static_cast<std::size_t>((entry.last - entry.first) / entry.step + 1);
    const std::size_t missing = wanted - (members.size() - before);
    if (missing > 0 && m_missing == 0) m_missingPlace = entry.line.place();
    m_missing += missing;
}

}  // namespace sofa::core::io::abaqus
