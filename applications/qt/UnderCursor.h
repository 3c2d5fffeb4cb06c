// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "applications/gl/Renderer.h"
#include "core/interaction/Picking.h"
#include "core/visual/DisplayFlags.h"

namespace sofa::qt {

using namespace sofa::core;

/// What is under the cursor.
struct UnderCursor
{
    Q_DECLARE_TR_FUNCTIONS(UnderCursor)

public:
    QString path;       ///< of the component; empty: nothing is there
    QString primitive;  ///< "triangle 12"
    Vec3 position;      ///< [m]
    QString value;      ///< "stress 1.2e+03 Pa", of the field by which it is coloured; empty: none

    /// What can be picked by mechanics.
    static UnderCursor of(const Picked& picked);
    /// What is drawn there.
    static UnderCursor of(const gl::Pick& pick, const DrawList& list);
    /// One line: what, which and where; empty if nothing is there.
    QString text() const;
};

/// "von Mises stress 1200 Pa": a value of a field with its unit.
QString fieldText(BodyField field, double value);

}  // namespace sofa::qt
