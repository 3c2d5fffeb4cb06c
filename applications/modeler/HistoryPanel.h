// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QListWidget>
#include <QPointer>

#include "applications/modeler/Document.h"

namespace sofa::modeler {

/// The steps of a document; a click goes to the state after one.
class HistoryPanel : public QListWidget
{
    Q_OBJECT

public:
    explicit HistoryPanel(QWidget* parent = nullptr);
    /// nullptr: none.
    void setDocument(Document* document);

private:
    void fill();

    QPointer<Document> m_document;
};

}  // namespace sofa::modeler
