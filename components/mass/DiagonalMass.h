// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mass/MeshMass.h"

namespace sofa::component {

/// A mass for each point: M = diag(m₀, m₁, ...), usually the lumped mass of a mesh.
///
/// With a density ρ, each element (see MeshMass) gives its mass ρ·measure in equal parts to its vertices: ρ is in kg/m³
/// for hexahedra and tetrahedra, kg/m² for quads and triangles, kg/m for edges. Exactly one of these decides, in this
/// order: totalMass (ρ is chosen so that the sum is right), massDensity, vertexMass; totalMass = 1 kg when none is
/// given. A list vertexMass that is too short is continued with its last value. A file (.xs3, .xsp) gives the masses of
/// points without any mesh. Rigid bodies take vertexMass only, as they have no density.
template <class DataTypes, class GeometryTypes = DataTypes>
class DiagonalMass : public MeshMass<DataTypes, GeometryTypes>
{
public:
    using Base = MeshMass<DataTypes, GeometryTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Deriv = typename DataTypes::Deriv;
    using Point = PointMass<DataTypes>;
    using MassType = typename Point::Type;

    core::Data<core::Vector<MassType>> d_vertexMass{
        this, {.name = "vertexMass", .help = "Mass of each point, not negative", .unit = "kg"}};
    core::Data<double> d_massDensity{
        this,
        {.name = "massDensity", .help = "Mass per volume, area or length of the mesh's elements", .unit = "kg/m^3"},
        1.};
    core::Data<core::FileName> d_filename{
        this, {.name = "filename", .help = "Mass-spring file (.xs3, .xsp) with the masses of the points"}};

    DiagonalMass();

    void init() override;
    void reinit() override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const override;
    void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const override;
    void buildMass(core::BlockSink& m, const VecCoord& x) const override;
    bool isDiagonal() const override { return true; }
    bool turns() const override;
    void addBodyInertia(core::Index i, core::Mat3& sum) const override;
    double pointMass(core::Index i) const override;
    core::ElementLists elementLists() override;
    core::TopologyFollower::PointLists pointLists() override;
    /// The density stays, so that the mass of removed elements goes, as in SOFA; masses that are given stay.
    void followTopology(const core::TopologyChange& change) override;

    using Base::accFromF;
    using Base::addForce;
    using Base::addMDx;
    using Base::buildMass;

private:
    void readFile();
    void completeVertexMass();
    /// Sets all masses from a density; returns their sum.
    double integrate(double density);
    void fromTotalMass();
    void fromDensity();
    void fromVertexMass();
    void followChanges();
    void forgetChanges();
    /// Mass of point i at x.
    MassType massAt(std::size_t i, const VecCoord& x) const;

    bool m_hasMesh = false;
    bool m_fromMesh = false;  ///< the masses are those of a density on the mesh
    MassSum m_sum;
    core::DataTracker m_total, m_density, m_vertex;
};

}  // namespace sofa::component
