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
        return fail(e.what());
    }
    Mapping::init();
}

void HexahedronCompositeFEMMapping::locate()
{
    struct Cell
    {
        Index hexahedron = InvalidIndex;
        CompositeCells::Matrix weights;
    };
    std::map<Index, Cell> cells;
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
}

Mat3 HexahedronCompositeFEMMapping::frame(Index hexahedron, const InVecCoord& in) const
{
    const CorotationalHexahedra& mechanics = l_forceField->mechanics();
    return likeSofa() ? mechanics.frame(hexahedron) : mechanics.frameAt(hexahedron, in);
}

void HexahedronCompositeFEMMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    const CorotationalHexahedra& mechanics = l_forceField->mechanics();
    const Vector<Hexahedron>& elements = mechanics.graph().elements();
    // Of each hexahedron that shows points: its frame, and the displacements of its nodes in it.
    struct Present
    {
        Mat3 frame;
        Vec<24> u;
    };
    std::map<Index, Present> present;
    for (const Part& p : m_parts) {
        const auto [at, isNew] = present.try_emplace(p.hexahedron);
        if (!isNew) continue;
        Present& now = at->second;
        now.frame = frame(p.hexahedron, in);
        const auto rest = mechanics.restNodes(p.hexahedron);
        const Hexahedron& h = elements[p.hexahedron];
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 u = now.frame * (in[h[i]] - in[h[0]]) - rest[i];
            for (std::size_t c = 0; c < 3; ++c) now.u[3 * i + c] = u[c];
        }
    }
    for (Index i = 0; i < out.size(); ++i) {
        Vec3 x;
        for (Index k = m_start[i]; k < m_start[i + 1]; ++k) {
            const Part& p = m_parts[k];
            const Present& now = present[p.hexahedron];
            x += in[elements[p.hexahedron][0]] * p.share + transposeTimes(now.frame, p.place + p.weights * now.u);
        }
        out[i] = x;
    }
}

void HexahedronCompositeFEMMapping::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    const CorotationalHexahedra& mechanics = l_forceField->mechanics();
    j.clear();
    for (Index i = 0; i + 1 < m_start.size(); ++i) {
        std::map<Index, Mat3> blocks;
        for (Index k = m_start[i]; k < m_start[i + 1]; ++k) {
            const Part& p = m_parts[k];
            const Hexahedron& h = mechanics.graph().elements()[p.hexahedron];
            const Mat3 axes = frame(p.hexahedron, in), back = axes.transposed();
            const auto rest = mechanics.restNodes(p.hexahedron);
            Vec3 arm = p.place;  // in the frame: what turns with it
            Mat3 turned;         // Σ W_i [x_i − x₀]×, in the frame
            for (std::size_t n = 0; n < 8; ++n) {
                const Mat3 w = p.weights.block<3, 3>(0, 3 * n);
                const Vec3 d = axes * (in[h[n]] - in[h[0]]);
                arm += w * (d - rest[n]);
                turned += w * crossMatrix(d);
                const Mat3 along = back * w * axes;
                blocks[h[n]] += along;
                blocks[h[0]] -= along;
            }
            blocks[h[0]] += Mat3::identity() * p.share;
            if (likeSofa()) continue;
            // ω × arm − W (ω × d), as a matrix on the angular velocity in the frame.
            const Mat3 spin = back * (turned - crossMatrix(arm)) * axes;
            const auto turning = mechanics.turning(p.hexahedron, in);
            for (std::size_t n = 0; n < 8; ++n) blocks[h[n]] += spin * turning[n];
        }
        j.appendRow();
        for (const auto& [column, block] : blocks) j.append(column, block);
    }
}

static const RegisterComponent registeredHexahedronCompositeFEMMapping =
    RegisterComponent("HexahedronCompositeFEMMapping", "Mapping", "Sofa.Component.SolidMechanics.FEM.NonUniform")
        .help("Points in the finer cells of hexahedra that bend as their matter does")
        .example("component/fem/HexahedronCompositeFEMMapping.scn")
        .add<HexahedronCompositeFEMMapping>();

}  // namespace sofa::component
