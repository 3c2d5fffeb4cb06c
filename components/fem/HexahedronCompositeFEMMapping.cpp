// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronCompositeFEMMapping.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void HexahedronCompositeFEMMapping::init()
{
    if (!findStates()) return;
    std::string error;
    if (!l_forceField.resolve(error)) return fail("forceField: " + error);
    if (!l_forceField && input().node()) l_forceField.set(input().node()->get<Field>(Search::Local));
    if (!l_forceField || !l_forceField->isComposite())
        return fail(
            "it needs a HexahedronCompositeFEMForceFieldAndMass with nbVirtualFinerLevels in the node of its "
            "input '" +
            input().pathName() + "'");
    if (m_points.size() != output().size()) m_points = output().positions();
    try {
        locate();
    } catch (const std::runtime_error& e) {
        return fail(e);
    }
    Mapping::init();
}

void HexahedronCompositeFEMMapping::locate()
{
    struct FineCell
    {
        Index hexahedron = InvalidIndex;
        CompositeCells::Matrix weights;
    };
    std::map<Index, FineCell> cells;
    const CompositeCells& composite =
        l_forceField->interpolation([&](Index hexahedron, Index piece, const CompositeCells::Matrix& w) {
            cells[piece] = {hexahedron, w};
        });
    const Vector<Hexahedron>& corners = composite.fineMesh().hexahedra;
    // The cells around each fine node, by hexahedron. What they say about it differs a little: it is the mean that
    // counts, for SOFA the last one.
    struct Around
    {
        Index piece;
        std::size_t corner;
    };
    std::map<Index, std::map<Index, std::vector<Around>>> around;
    for (const auto& [piece, cell] : cells)
        for (std::size_t i = 0; i < 8; ++i) {
            auto& list = around[corners[piece][i]][cell.hexahedron];
            if (likeSofa()) list.clear();
            list.push_back({piece, i});
        }
    m_parts.clear();
    m_start.assign(1, 0);
    for (const Vec3& x : m_points) {
        const auto [home, local] = composite.locate(x);
        if (!cells.contains(home)) throw std::runtime_error("the hexahedron around " + toText(x) + " was removed");
        const std::array<double, 8> b = HexahedronShape::values(local);
        std::map<Index, Part> parts;
        for (std::size_t n = 0; n < 8; ++n) {
            const auto& all = around[corners[home][n]];
            const double share = b[n] / static_cast<double>(all.size());
            for (const auto& [hexahedron, list] : all) {
                Part& p = parts.try_emplace(hexahedron, Part{hexahedron, 0., {}, {}}).first->second;
                p.share += share;
                const auto rest = l_forceField->mechanics().restNodes(hexahedron);
                const auto shape = HexahedronShape::values(composite.coordinates(list[0].piece, list[0].corner));
                for (std::size_t j = 0; j < 8; ++j) p.place += rest[j] * (share * shape[j]);
                for (const Around& at : list) {
                    const CompositeCells::Matrix& w = cells[at.piece].weights;
                    const double part = share / static_cast<double>(list.size());
                    for (std::size_t r = 0; r < 3; ++r)
                        for (std::size_t c = 0; c < 24; ++c) p.weights[r][c] += part * w[3 * at.corner + r][c];
                }
            }
        }
        for (const auto& [hexahedron, p] : parts) m_parts.push_back(p);
        m_start.push_back(static_cast<Index>(m_parts.size()));
    }
    connect();
}

Mat3 HexahedronCompositeFEMMapping::frame(Index hexahedron, const InVecCoord& in) const
{
    const CorotationalHexahedra& mechanics = l_forceField->mechanics();
    return likeSofa() ? mechanics.frame(hexahedron) : mechanics.frameAt(hexahedron, in);
}

void HexahedronCompositeFEMMapping::connect()
{
    const CorotationalHexahedra& mechanics = l_forceField->mechanics();
    std::map<Index, Index> cells;
    m_cells.clear();
    m_columns.clear();
    m_columnStart.assign(1, 0);
    m_hasPattern = false;
    for (Index i = 0; i + 1 < m_start.size(); ++i) {
        std::set<Index> nodes;
        const std::span<Part> parts(m_parts.data() + m_start[i], m_start[i + 1] - m_start[i]);
        for (Part& p : parts) {
            const auto [cell, isNew] = cells.try_emplace(p.hexahedron, static_cast<Index>(m_cells.size()));
            if (isNew) m_cells.push_back({p.hexahedron, mechanics.restNodes(p.hexahedron), {}, {}});
            p.cell = cell->second;
            const Hexahedron& h = mechanics.graph().elements()[p.hexahedron];
            nodes.insert(h.begin(), h.end());
        }
        for (Part& p : parts)
            for (std::size_t n = 0; n < 8; ++n) {
                const auto at = nodes.find(mechanics.graph().elements()[p.hexahedron][n]);
                p.blocks[n] = m_columnStart.back() + static_cast<Index>(std::distance(nodes.begin(), at));
            }
        m_columns.insert(m_columns.end(), nodes.begin(), nodes.end());
        m_columnStart.push_back(static_cast<Index>(m_columns.size()));
    }
}

void HexahedronCompositeFEMMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    const Vector<Hexahedron>& elements = l_forceField->mechanics().graph().elements();
    for (Cell& cell : m_cells) {
        cell.frame = frame(cell.hexahedron, in);
        const Hexahedron& h = elements[cell.hexahedron];
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 u = cell.frame * (in[h[i]] - in[h[0]]) - cell.rest[i];
            for (std::size_t c = 0; c < 3; ++c) cell.u[3 * i + c] = u[c];
        }
    }
    for (Index i = 0; i < out.size(); ++i) {
        Vec3 x;
        for (Index k = m_start[i]; k < m_start[i + 1]; ++k) {
            const Part& p = m_parts[k];
            const Cell& cell = m_cells[p.cell];
            x += in[elements[p.hexahedron][0]] * p.share + transposeTimes(cell.frame, p.place + p.weights * cell.u);
        }
        out[i] = x;
    }
}

void HexahedronCompositeFEMMapping::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    if (!m_hasPattern || j.rows() + 1 != m_columnStart.size()) {
        j.clear();
        for (Index i = 0; i + 1 < m_columnStart.size(); ++i) {
            j.appendRow();
            for (Index k = m_columnStart[i]; k < m_columnStart[i + 1]; ++k) j.append(m_columns[k], {});
        }
        m_hasPattern = true;
    }
    for (Index k = 0; k < m_columns.size(); ++k) j.block(k) = Mat3();
    Vector<std::array<Mat3, 8>> turning;
    if (!likeSofa())
        for (const Cell& cell : m_cells) turning.push_back(l_forceField->mechanics().turning(cell.hexahedron, in));
    for (const Part& p : m_parts) {
        const Cell& cell = m_cells[p.cell];
        const Mat3 &axes = cell.frame, back = axes.transposed();
        Vec3 arm = p.place;  // in the frame: what turns with it
        Mat3 turned;         // Σ W_i [x_i − x₀]×, in the frame
        for (std::size_t n = 0; n < 8; ++n) {
            const Mat3 w = p.weights.block<3, 3>(0, 3 * n);
            const Vec3 u(cell.u[3 * n], cell.u[3 * n + 1], cell.u[3 * n + 2]);
            arm += w * u;
            turned += w * crossMatrix(u + cell.rest[n]);
            const Mat3 along = back * w * axes;
            j.block(p.blocks[n]) += along;
            j.block(p.blocks[0]) -= along;
        }
        j.block(p.blocks[0]) += Mat3::identity() * p.share;
        if (likeSofa()) continue;
        // ω × arm − W (ω × d), as a matrix on the angular velocity in the frame.
        const Mat3 spin = back * (turned - crossMatrix(arm)) * axes;
        for (std::size_t n = 0; n < 8; ++n) j.block(p.blocks[n]) += spin * turning[p.cell][n];
    }
}

static const RegisterComponent registeredHexahedronCompositeFEMMapping =
    RegisterComponent("HexahedronCompositeFEMMapping", "Mapping", "Sofa.Component.SolidMechanics.FEM.NonUniform")
        .help("Points in the finer cells of hexahedra that bend as their matter does")
        .example("component/fem/HexahedronCompositeFEMMapping.scn")
        .add<HexahedronCompositeFEMMapping>();

}  // namespace sofa::component
