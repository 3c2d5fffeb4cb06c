// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ContactMappings.h"

namespace sofa::component {

void WeightedPointsMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    out.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].count == 0) continue;  // its vertices are gone: it stays
        Vec3 p;
        for (std::size_t k = 0; k < rows[i].count; ++k) p += in[rows[i].vertices[k]] * rows[i].weights[k];
        out[i] = p;
    }
}

void WeightedPointsMapping::followPoints(const TopologyChange& change)
{
    const Vector<Index> now = change.source(pointsOf(input())).inverse();
    if (now.empty()) return;
    change.ifTakenBack([this, before = rows] {
        rows = before;
        invalidateJacobian();
    });
    for (Row& r : rows) {
        Row left{{}, {}, 0};
        double sum = 0.;
        for (std::size_t k = 0; k < r.count; ++k) {
            const Index v = r.vertices[k] < now.size() ? now[r.vertices[k]] : InvalidIndex;
            if (v == InvalidIndex) continue;
            left.vertices[left.count] = v;
            left.weights[left.count++] = r.weights[k];
            sum += r.weights[k];
        }
        if (left.count < r.count)
            for (std::size_t k = 0; k < left.count; ++k)
                left.weights[k] = sum > 0. ? left.weights[k] / sum : 1. / static_cast<double>(left.count);
        r = left;
    }
    invalidateJacobian();
}

void WeightedPointsMapping::buildJacobian(JacobianMatrix& j, const InVecCoord&)
{
    j.clear();
    for (const Row& r : rows) {
        j.appendRow();
        for (std::size_t k = 0; k < r.count; ++k) j.append(r.vertices[k], Mat3::identity() * r.weights[k]);
    }
}

void FramePointsMapping::apply(OutVecCoord& out, const InVecCoord& in)
{
    out.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const auto& frame = in[row.frame];
        out[i] = frame.center + frame.orientation.rotate(row.local);
        if (norm2(row.arm) == 0.) continue;
        const Quat turned = (frame.orientation * row.start.inverse()).normalized();
        out[i] += row.arm + cross(turned.toRotationVector(), row.arm);
    }
}

void FramePointsMapping::buildJacobian(JacobianMatrix& j, const InVecCoord& in)
{
    j.clear();
    for (const Row& row : rows) {
        const Vec3 r = in[row.frame].orientation.rotate(row.local) + row.arm;
        Mat<3, 6> block;
        for (std::size_t k = 0; k < 3; ++k) block[k][k] = 1.;
        block[0][4] = r[2];
        block[0][5] = -r[1];
        block[1][3] = -r[2];
        block[1][5] = r[0];
        block[2][3] = r[1];
        block[2][4] = -r[0];
        j.appendRow();
        j.append(row.frame, block);
    }
}

void WeightedPointsMapping::appendLinks(Vector<Vec3>& ends) const
{
    for (Index i = 0; i < rows.size() && i < output().size(); ++i)
        for (std::size_t k = 0; k < rows[i].count; ++k) {
            if (rows[i].vertices[k] >= input().size()) continue;
            ends.push_back(output().pointPosition(i));
            ends.push_back(input().pointPosition(rows[i].vertices[k]));
        }
}

void FramePointsMapping::appendLinks(Vector<Vec3>& ends) const
{
    for (Index i = 0; i < rows.size() && i < output().size(); ++i) {
        if (rows[i].frame >= input().size()) continue;
        ends.push_back(input().pointPosition(rows[i].frame));
        ends.push_back(output().pointPosition(i));
    }
}

}  // namespace sofa::component
