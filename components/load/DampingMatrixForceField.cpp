// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/DampingMatrixForceField.h"

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/VegaMatrixFile.h"
#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Vec3;

void DampingMatrixForceField::init()
{
    Base::init();
    if (!isValid()) return;
    if (!core::resolveOrFind(l_topology, *this)) return;
    reinit();
}

void DampingMatrixForceField::reinit()
{
    m_blocks.clear();
    std::map<std::pair<Index, Index>, Mat3> blocks;
    try {
        if (!d_filename.value().text.empty()) addFile(blocks);
        if (d_laplacian.value() != 0.) addLaplacian(blocks);
    } catch (const std::runtime_error& e) {
        return fail(e);
    }
    if (d_filename.value().text.empty() && d_laplacian.value() == 0.)
        msgWarning() << "there is no filename and no laplacian: nothing is damped";
    for (const auto& [at, value] : blocks) m_blocks.push_back({at.first, at.second, -value});
}

void DampingMatrixForceField::addFile(std::map<std::pair<Index, Index>, Mat3>& blocks) const
{
    const core::BlockCsrMatrix d =
        core::io::readVegaSparseMatrix(core::requireFile(d_filename), static_cast<int>(d_indexBase.value()));
    const int expected = static_cast<int>(state().derivScalars());
    if (d.rows() != expected || d.cols() != expected)
        throw std::runtime_error("filename: the matrix has " + std::to_string(d.rows()) + " rows and " +
                                 std::to_string(d.cols()) + " columns, but the state '" + state().pathName() +
                                 "' has " + std::to_string(expected) + " degrees of freedom");
    const auto rows = d.rowPtr(), columns = d.colIdx();
    for (int r = 0; r < d.blockRows(); ++r)
        for (int k = rows[static_cast<std::size_t>(r)]; k < rows[static_cast<std::size_t>(r) + 1]; ++k) {
            const auto i = static_cast<Index>(r), j = static_cast<Index>(columns[static_cast<std::size_t>(k)]);
            blocks[{i / 3, j / 3}][i % 3][j % 3] += d.values()[static_cast<std::size_t>(k)];
        }
}

void DampingMatrixForceField::addLaplacian(std::map<std::pair<Index, Index>, Mat3>& blocks)
{
    if (!l_topology) throw std::runtime_error("laplacian needs a topology in its node or above");
    const auto& edges = l_topology->edges();
    core::Vector<double> degree(state().size(), 0.);
    for (const core::Edge& e : edges)
        for (const Index i : e) {
            if (i >= degree.size())
                throw std::runtime_error("the mesh '" + l_topology->pathName() + "' has a point " + std::to_string(i) +
                                         ", but the state '" + state().pathName() + "' has only " +
                                         std::to_string(degree.size()));
            degree[i] += 1.;
        }
    const bool scaled = d_scaleRows.value();
    const auto add = [&](Index i, Index j, double value) {
        blocks[{i, j}] += Mat3::diagonal(Vec3::filled(value * d_laplacian.value()));
    };
    for (Index i = 0; i < degree.size(); ++i)
        if (degree[i] > 0.) add(i, i, scaled ? 1. : degree[i]);
    for (const core::Edge& e : edges) {
        add(e[0], e[1], scaled ? -1. / degree[e[0]] : -1.);
        add(e[1], e[0], scaled ? -1. / degree[e[1]] : -1.);
    }
}

void DampingMatrixForceField::addProduct(VecDeriv& out, const VecDeriv& v, double factor) const
{
    for (const Block& b : m_blocks) out[b.row] += b.value * v[b.column] * factor;
}

void DampingMatrixForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv& v)
{
    addProduct(f, v, 1.);
}

void DampingMatrixForceField::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    if (mp.bFactor == 0.) return;
    auto& s = state();
    addProduct(*s.write(df.at(s)), s.read(mp.dx.at(s)), mp.bFactor);
}

void DampingMatrixForceField::buildDamping(const MechanicalParams&, core::BlockSink& sink)
{
    for (const Block& b : m_blocks) sink.add(b.row, b.column, b.value);
}

static const core::RegisterComponent registeredDampingMatrixForceField =
    core::RegisterComponent("DampingMatrixForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Viscous damping with a matrix from a file, or the Laplacian of the mesh")
        .example("component/load/DampingMatrixForceField.scn")
        .add<DampingMatrixForceField>();

}  // namespace sofa::component
