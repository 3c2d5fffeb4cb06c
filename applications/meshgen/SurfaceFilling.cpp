// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/meshgen/SurfaceFilling.h"

#include <iostream>
#include <stdexcept>

#include "core/factory/PluginManager.h"
#include "core/factory/Registry.h"
#include "core/io/MeshReader.h"
#include "core/log/Message.h"
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
    Node node("meshgen");
    auto& engine = dynamic_cast<Engine&>(*Registry::instance().createIn(node, desc));
    struct Option
    {
        const char *name, *data;
        const std::string& value;
    };
    for (const Option& o : {Option{"--size", "maxElementSize", options.size},
                            {"--min-size", "minElementSize", options.minSize},
                            {"--grading", "grading", options.grading},
                            {"--steps", "optimisationSteps", options.steps}}) {
        std::string error;
        BaseData* d = engine.findData(o.data);
        if (!o.value.empty() && (!d || !d->read(o.value, error)))
            throw std::runtime_error(std::string(o.name) + ": " + error);
    }
    dataOf<Vector<Vec3>>(engine, "inputPosition").setValue(std::move(surface.positions));
    dataOf<Vector<Triangle>>(engine, "inputTriangles").setValue(std::move(surface.triangles));
    dataOf<Vector<Quad>>(engine, "inputQuads").setValue(std::move(surface.quads));
    {
        const MessageCapture said;  // told once, by who catches the error
        engine.run();
        if (!engine.isValid()) throw std::runtime_error(options.surface + ": " + engine.messages().back().text);
        for (const Message& m : said.messages()) std::cerr << "meshgen: " << m.text << '\n';
    }
    io::MeshData mesh;
    mesh.positions = dataOf<Vector<Vec3>>(engine, "position").value();
    mesh.tetrahedra = dataOf<Vector<Tetrahedron>>(engine, "tetrahedra").value();
    mesh.triangles = dataOf<Vector<Triangle>>(engine, "triangles").value();
    return mesh;
}

}  // namespace meshgen
