// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/PatchCoupling.h"
#include "core/objectmodel/Component.h"
#include "core/objectmodel/Data.h"
#include "core/objectmodel/DataText.h"

namespace sofa::component {

/// What force fields on elements that fill a volume let the scene choose about locking: a member of the component.
class VolumetricStrain
{
public:
    core::Data<core::Options> d_volumetricStrain;

    explicit VolumetricStrain(core::Component* owner);

    core::Dilatation dilatation() const
    {
        return d_volumetricStrain.value().index() == 1 ? core::Dilatation::Averaged : core::Dilatation::Pointwise;
    }
    bool isAveraged() const { return dilatation() == core::Dilatation::Averaged; }
    /// Warns once if elements with this Poisson's ratio lock and the scene does not say what it wants. Those in plane
    /// strain cannot take the mean.
    void check(double poissonRatio, bool inPlaneStrain = false);

    /// Whether elements with it are so stiff that a user should know, where they keep their volume point by point.
    static bool locks(double poissonRatio) { return poissonRatio >= 0.49 - 1e-9; }

private:
    core::Component& m_owner;
    bool m_warned = false;
};

}  // namespace sofa::component
