// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/engine/ListTypes.h"
#include "components/engine/Transforms.h"

namespace sofa::component {

/// Base of the engines that compute an affine map from another one.
class TransformMatrixEngine : public Engine
{
public:
    Input<Mat4> d_inT{this, input("inT", "Map that is given: 4 × 4 matrix, by rows", "1"), Mat4::identity()};
    Output<Mat4> d_outT{this, output("outT", "Map that is computed", "1"), Mat4::identity()};

protected:
    virtual Mat4 compute(const Mat4& in) const = 0;
    void doUpdate() override { d_outT.setValue(compute(d_inT.value())); }
};

}  // namespace sofa::component
