// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/meshgen/SurfaceFilling.h"

#include <stdexcept>

#include "core/factory/PluginManager.h"
#include "core/factory/Registry.h"
#include "core/io/MeshReader.h"
#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Node.h"

namespace meshgen {

using namespace sofa::core;

namespace {

template <class T>
Data<T>& dataOf(Engine& engine, const char* name)
{
    if (auto* d = dynamic_cast<Data<T>*>(engine.findData(name))) return *d;
    throw std::runtime_error(std::string("the plugin Netgen is of another version: ") + engine.className() + " lacks " +
                             name);
}

}  // namespace

io::MeshData fillSurface(const FillingOptions& options)
{
    try {
        PluginManager::instance().load("Netgen");
    } catch (const PluginError& e) {
        throw std::runtime_error(std::string("it needs the plugin Netgen, which is built where nglib is (Debian: "
                                             "apt-get install libnglib-dev; then configure and build again): ") +
                                 e.what());
    }
    io::MeshData surface = io::readMesh(options.surface);
    if (surface.triangles.empty() && surface.quads.empty())
        throw std::runtime_error(options.surface + ": there is no surface in it");

    ComponentDescription desc;
    desc.type = "MeshFromSurface";
    desc.set("name", "surface");
    for (const auto& [name, value] :
         {std::pair("maxElementSize", options.size), std::pair("minElementSize", options.minSize),
          std::pair("grading", options.grading), std::pair("optimisationSteps", options.steps)})
        if (!value.empty()) desc.set(name, value);
    Node node("meshgen");
    auto& engine = dynamic_cast<Engine&>(*Registry::instance().createIn(node, desc));
    dataOf<Vector<Vec3>>(engine, "inputPosition").setValue(std::move(surface.positions));
    dataOf<Vector<Triangle>>(engine, "inputTriangles").setValue(std::move(surface.triangles));
    dataOf<Vector<Quad>>(engine, "inputQuads").setValue(std::move(surface.quads));
    if (!engine.isValid()) throw std::runtime_error(engine.messages().back().text);
    engine.run();
    if (!engine.isValid()) throw std::runtime_error(engine.messages().back().text);

    io::MeshData mesh;
    mesh.positions = dataOf<Vector<Vec3>>(engine, "position").value();
    mesh.tetrahedra = dataOf<Vector<Tetrahedron>>(engine, "tetrahedra").value();
    mesh.triangles = dataOf<Vector<Triangle>>(engine, "triangles").value();
    return mesh;
}

}  // namespace meshgen
