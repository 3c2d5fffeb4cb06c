// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Widgets.h"

#include <QBoxLayout>
#include <QCheckBox>

namespace sofa::qt {

QScrollArea* scrolled(QWidget* widget)
{
    auto* area = new QScrollArea;
    area->setWidget(widget);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    return area;
}

QCheckBox* addCheckBox(QBoxLayout* layout, const char* name, const QString& text, const QString& help)
{
    auto* box = new QCheckBox(text);
    box->setObjectName(name);
    box->setToolTip(help);
    layout->addWidget(box);
    return box;
}

}  // namespace sofa::qt
