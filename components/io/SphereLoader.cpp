// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/SphereLoader.h"
#include "core/log/Reason.h"

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshOperations.h"
#include "core/io/SphereFormat.h"

namespace sofa::component {

SphereLoader::SphereLoader()
{
    addAlias(d_position, "sphere_centers");
    addAlias(d_scale, "scale3d");
}

void SphereLoader::doUpdate()
{
    io::MeshData spheres;
    setValid(true);
    try {
        spheres = io::readSpheres(requireFile(d_filename));
        for (const std::string& note : spheres.notes) message(Severity::Warning, note);
        const Vec3& s = d_scale.value();
        if (s[0] == 0. || s[1] == 0. || s[2] == 0.) msgWarning() << "scale (" << toText(s) << ") flattens the centres";
        io::applyTransform(spheres, io::makeTransform(s, d_rotation.value(), d_translation.value()));
    } catch (const std::exception& e) {
        fail(core::reasonOf(e));
        spheres = {};
    }
    d_position.setValue(std::move(spheres.positions));
    d_listRadius.setValue(std::move(spheres.radii));
}

BoundingBox SphereLoader::boundingBox() const
{
    BoundingBox b;
    if (!isValid()) return b;
    const auto& x = d_position.value();
    const auto& r = d_listRadius.value();
    for (std::size_t i = 0; i < x.size() && i < r.size(); ++i) {
        b.include(x[i] - Vec3::filled(r[i]));
        b.include(x[i] + Vec3::filled(r[i]));
    }
    return b;
}

namespace {

const RegisterComponent registeredSphereLoader = RegisterComponent("SphereLoader", "Loader", "Sofa.Component.IO.Mesh")
                                                     .help("Reads centres and radii of spheres from a file (.sph)")
                                                     .example("component/io/SphereLoader.scn")
                                                     .add<SphereLoader>();

}  // namespace

}  // namespace sofa::component
