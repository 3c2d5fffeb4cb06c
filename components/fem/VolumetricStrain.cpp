// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/VolumetricStrain.h"

namespace sofa::component {

VolumetricStrain::VolumetricStrain(core::Component* owner)
    : d_volumetricStrain(
          owner,
          {.name = "volumetricStrain",
           .help =
               "Where the change of volume is taken: pointwise (at each integration point, as in SOFA; elements "
               "lock as Poisson's ratio approaches 0.5), averaged (its mean over each hexahedron, prism or pyramid, "
               "of tetrahedra over those around each node: for nearly incompressible materials)"},
          core::Options({"pointwise", "averaged"})),
      m_owner(*owner)
{
}

void VolumetricStrain::check(double poissonRatio, bool inPlaneStrain)
{
    if (m_warned || d_volumetricStrain.isSet() || !locks(poissonRatio)) return;
    m_warned = true;
    m_owner.msgWarning() << "elements " << (inPlaneStrain ? "in plane strain " : "") << "lock at this Poisson's ratio, "
                         << poissonRatio << ": they are much too stiff. "
                         << (inPlaneStrain ? "A slice of hexahedra or prisms between two planes with "
                                             "volumetricStrain=\"averaged\" is not; here "
                                           : "volumetricStrain=\"averaged\" is for such materials; ")
                         << "volumetricStrain=\"pointwise\" is what you have, without this warning";
}

}  // namespace sofa::component
