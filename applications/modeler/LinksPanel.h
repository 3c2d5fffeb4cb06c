// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointer>
#include <QTreeWidget>

#include "applications/modeler/Document.h"

namespace sofa::modeler {

/// Where the selected element leads, and what leads to it; a line goes to its object.
class LinksPanel : public QTreeWidget
{
    Q_OBJECT

public:
    explicit LinksPanel(QWidget* parent = nullptr);
    void setDocument(Document* document);

protected:
    void showEvent(QShowEvent* e) override;

private:
    void fill();

    QPointer<Document> m_document;
};

}  // namespace sofa::modeler
