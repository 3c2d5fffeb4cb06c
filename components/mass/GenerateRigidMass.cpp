// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/PointMass.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Engine.h"
#include "core/topology/Geometry.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// Mass, centre and inertia of a homogeneous body from its closed surface, by exact integration over the tetrahedra
/// between its faces and a point. Quads and polygons are divided from their first corner. The inertia is about the
/// centre of mass, in the axes of space and per unit of mass; `rigidMass` is what UniformMass takes as `vertexMass`.
///
/// The body is the same whichever side its faces show: SOFA gives a negative mass where normals point inwards. A
/// surface that is not closed has no volume; where SOFA computes a number that depends on the origin, this is an error.
class GenerateRigidMass final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Rigid3Types::name(); }

    Input<double> d_density{this, input("density", "Density", "kg/m³", Range::positive()), 1000.};
    Input<Vector<Vec3>> d_position{this, input("position", "Vertices of the surface", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles of the surface")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads of the surface")};
    Input<Vector<Vector<Index>>> d_polygons{this, input("polygons", "Faces of any number of corners")};
    Output<RigidMass3> d_rigidMass{this, output("rigidMass", "Mass, volume and inertia per unit of mass", "kg")};
    Output<double> d_mass{this, output("mass", "Mass", "kg"), 0.};
    Output<double> d_volume{this, output("volume", "Volume", "m³"), 0.};
    Output<Mat3> d_inertiaMatrix{this, output("inertiaMatrix", "Inertia about the centre, per unit of mass", "m²")};
    Output<Vec3> d_massCenter{this, output("massCenter", "Centre of mass", "m")};
    Output<Vec3> d_centerToOrigin{this, output("centerToOrigin", "From the centre of mass to the origin", "m")};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        Vector<Triangle> faces;
        const auto add = [&](const auto& list, const BaseData& data) {
            for (std::size_t f = 0; f < list.size(); ++f) {
                for (const Index i : list[f])
                    if (i >= x.size())
                        throw std::runtime_error(data.name() + ": face " + std::to_string(f) + " has the point " +
                                                 std::to_string(i) + "; there are " + std::to_string(x.size()));
                for (std::size_t k = 2; k < list[f].size(); ++k)
                    faces.push_back({list[f][0], list[f][k - 1], list[f][k]});
            }
        };
        add(d_triangles.value(), d_triangles);
        add(d_quads.value(), d_quads);
        add(d_polygons.value(), d_polygons);

        const double gap = geometry::openness(x, faces);
        if (gap > 1e-4)
            throw std::runtime_error("the surface is not closed: its faces leave a hole of at least " + toText(gap) +
                                     " of their area");
        const geometry::SolidMoments m = geometry::enclosedMoments(x, faces);
        RigidMass3 body;
        body.volume = std::abs(m.volume);
        body.mass = d_density.value() * body.volume;
        body.inertia = m.inertia() * (1. / m.volume);
        if (!(body.volume > 0.) || !isFinite(m.center)) throw std::runtime_error("the surface encloses no volume");
        body.update();
        d_mass.setValue(body.mass);
        d_volume.setValue(body.volume);
        d_inertiaMatrix.setValue(body.inertia);
        d_rigidMass.setValue(body);
        d_massCenter.setValue(m.center);
        d_centerToOrigin.setValue(-m.center);
    }
};

const RegisterComponent registeredGenerateRigidMass =
    RegisterComponent("GenerateRigidMass", "Engine", "Sofa.Component.Engine.Generate")
        .help("Mass, centre and inertia of a body from its closed surface")
        .example("component/engine/GenerateRigidMass.scn")
        .add<GenerateRigidMass>();

}  // namespace

}  // namespace sofa::component
