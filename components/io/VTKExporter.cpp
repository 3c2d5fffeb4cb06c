// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <limits>

#include "components/io/TopologyExporter.h"
#include "core/factory/Registry.h"
#include "core/io/VtkLegacyFormat.h"
#include "core/io/VtkXmlFormat.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/DataNumbers.h"
#include "core/objectmodel/Link.h"
#include "core/objectmodel/Path.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

namespace {

/// Writes elements with chosen Data of their points and of themselves for VTK. Names of files as in SOFA: the number of
/// the export, from 0, stands before the extension, in legacy files behind an underscore.
class VTKExporter final : public TopologyExporter, public TopologyFollower
{
public:
    Data<bool> d_xmlFormat{
        this, {.name = "XMLformat", .help = "Write .vtu (XML) files instead of .vtk (legacy) ones"}, true};
    Data<Vector<std::string>> d_pointsDataFields{
        this,
        {.name = "pointsDataFields",
         .help =
             "Data or quantities with an entry for each point: \"dofs.velocity\", or with a name of its own "
             "\"speed=dofs.velocity\"; paths as in links; nan for vectors of a state that no solver has taken yet"}};
    Data<Vector<std::string>> d_cellsDataFields{
        this,
        {.name = "cellsDataFields",
         .help = "The same for the elements, such as \"FEM.vonMises\", in the order edges, triangles, quads, "
                 "tetrahedra, hexahedra of those that are written"}};
    Data<bool> d_overwrite{
        this, {.name = "overwrite", .help = "Write the same file anew instead of one for each export"}, false};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology; default: that of the node or above"}};
    Link<BaseState> l_state{this, {"mstate", "State with the points; default: that of the node or above"}};

    VTKExporter() : TopologyExporter(true, false) {}
    PointLists pointLists() override { return noLists(); }

    void init() override
    {
        m_exports = 0;
        TopologyExporter::init();
        if (!isValid()) return;
        try {
            for (const auto* list : {&d_pointsDataFields, &d_cellsDataFields})
                for (const std::string& text : list->value()) fieldOf(text);
        } catch (const std::runtime_error& e) {
            fail(e);
        }
    }
    void reset() override
    {
        TopologyExporter::reset();
        m_exports = 0;
    }
    void archive(Archive& a) override
    {
        TopologyExporter::archive(a);
        a(m_exports);
    }

private:
    struct Field
    {
        std::string name;
        BaseData* data;
    };

    Field fieldOf(const std::string& text)
    {
        const auto equals = text.find('=');
        std::string path = text.substr(equals == std::string::npos ? 0 : equals + 1), error;
        if (!path.starts_with('@')) path.insert(0, 1, '@');
        BaseData* data = findDataByPath(*this, path, error);
        if (!data) throw std::runtime_error("field '" + text + "': " + error);
        return {equals == std::string::npos ? data->name() : text.substr(0, equals), data};
    }

    BaseState* findState() override { return resolved(l_state) ? l_state.get() : TopologyExporter::findState(); }
    BaseMeshTopology* findTopology() override
    {
        return resolved(l_topology) ? l_topology.get() : TopologyExporter::findTopology();
    }
    template <class T>
    bool resolved(Link<T>& link)
    {
        std::string error;
        if (!link.resolve(error)) fail(std::string(link.name()) + ": " + error);
        return link.get() != nullptr;
    }

    void addFields(const Vector<std::string>& texts, std::size_t entries, const char* what,
                   std::vector<io::DataArray>& out)
    {
        for (const std::string& text : texts) {
            const Field field = fieldOf(text);
            NumberList list;
            if (!numbersOf(*field.data, list))
                throw std::runtime_error(pathName() + ": field '" + text + "' does not hold numbers");
            // Vectors that solvers have not taken yet, as before the first step: nothing is known of them.
            if (list.values.empty() && dynamic_cast<const BaseState*>(field.data->owner()))
                list.values.assign(entries * list.width, std::numeric_limits<double>::quiet_NaN());
            if (list.entries() != entries)
                throw std::runtime_error(pathName() + ": field '" + text + "' has " + std::to_string(list.entries()) +
                                         " entries, and there are " + std::to_string(entries) + ' ' + what);
            out.push_back({field.name, list.width, std::move(list.values)});
        }
    }

    void write() override
    {
        io::MeshData m = mesh();
        addFields(d_pointsDataFields.value(), m.positions.size(), "points", m.pointData);
        std::size_t cells = 0;
        for (std::size_t k = 0; k < io::CellKindCount; ++k) cells += m.cellCount(static_cast<io::CellKind>(k));
        addFields(d_cellsDataFields.value(), cells, "elements", m.cellData);

        std::string base = baseName();
        const bool xml = d_xmlFormat.value();
        const std::string extension = xml ? ".vtu" : ".vtk";
        removeExtension(base, extension);
        if (!d_overwrite.value()) base += (xml ? "" : "_") + std::to_string(m_exports);
        const std::filesystem::path file = inFolder(base + extension);
        if (xml)
            io::writeVtu(file, m, io::VtkEncoding::Compressed);
        else
            io::writeVtkLegacy(file, m);
        ++m_exports;
        msgInfo() << "wrote " << file.string();
    }

    std::uint64_t m_exports = 0;
};

const RegisterComponent registeredVTKExporter =
    RegisterComponent("VTKExporter", "Exporter", "Sofa.Component.IO.Mesh")
        .help("Writes elements with chosen Data of points and elements in files of VTK")
        .example("component/io/VTKExporter.scn")
        .add<VTKExporter>();

}  // namespace

}  // namespace sofa::component
