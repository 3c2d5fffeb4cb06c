// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/SparseGridMultipleTopology.h"

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"

namespace sofa::component {

using geometry::CellFill;
using geometry::PolygonSurface;

SparseGridTopology::Body SparseGridMultipleTopology::readBody()
{
    if (d_fileTopologies.value().empty())
        throw std::runtime_error("fileTopologies is empty: give the mesh file of at least one surface");
    std::vector<PolygonSurface> surfaces;
    Vector<Vec3> points;
    for (const std::string& name : d_fileTopologies.value()) {
        const auto path = findFile(name, d_fileTopologies);
        surfaces.push_back(readSurfaceFile(path ? *path : DataRepository::instance().require(name)));
        points.insert(points.end(), surfaces.back().positions.begin(), surfaces.back().positions.end());
    }
    Body body;
    body.grid = gridAround(points);
    body.fill.assign(body.grid.size(), CellFill::Outside);
    body.stiffness.assign(body.grid.size(), 0.);
    body.mass.assign(body.grid.size(), 0.);
    const Vector<double>&coefficients = d_stiffnessCoefs.value(), &masses = d_massCoefs.value();
    if (coefficients.size() < surfaces.size())
        msgWarning() << "stiffnessCoefs: expected " << surfaces.size() << " numbers, found " << coefficients.size()
                     << "; taking 1 for the others";
    for (std::size_t i = 0; i < surfaces.size(); ++i)
        blend(body, voxelize(body.grid, surfaces[i]), i < coefficients.size() ? coefficients[i] : 1.,
              i < masses.size() ? masses[i] : 1.);
    if (!d_filename.value().text.empty()) body.surface = readSurfaceFile(requireFile(d_filename));
    return body;
}

void SparseGridMultipleTopology::blend(Body& body, const Vector<CellFill>& fill, double stiffness, double mass) const
{
    const auto mix = [this](double& before, double now) {
        before = d_erasePreviousCoef.value() ? now : (before + now) / 2.;
    };
    for (std::size_t c = 0; c < fill.size(); ++c) {
        if (fill[c] == CellFill::Outside) continue;
        if (fill[c] == CellFill::Inside || !d_fillWeighted.value()) {
            body.fill[c] = CellFill::Inside;
            body.stiffness[c] = stiffness;
            body.mass[c] = mass;
        } else {
            if (body.fill[c] != CellFill::Inside) body.fill[c] = CellFill::Boundary;
            mix(body.stiffness[c], stiffness);
            mix(body.mass[c], mass);
        }
    }
}

namespace {

const RegisterComponent registeredSparseGridMultipleTopology =
    RegisterComponent("SparseGridMultipleTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Sparse grid of several bodies with different stiffness")
        .example("component/topology/SparseGridMultipleTopology.scn")
        .add<SparseGridMultipleTopology>();

}  // namespace

}  // namespace sofa::component
