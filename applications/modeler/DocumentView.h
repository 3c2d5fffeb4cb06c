// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QSplitter>

#include "applications/modeler/Analyser.h"
#include "applications/modeler/Document.h"

namespace sofa::modeler {

class SourceEditor;
class TreePanel;

/// A tab: the tree of a document at the left, its text at the right; and what analyses it.
class DocumentView : public QSplitter
{
    Q_OBJECT

public:
    explicit DocumentView(std::unique_ptr<Document> document, QWidget* parent = nullptr);
    ~DocumentView() override;

    Document& document() const { return *m_document; }
    Analyser& analyser() const { return *m_analyser; }
    TreePanel& tree() const { return *m_tree; }
    SourceEditor& source() const { return *m_source; }

private:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Analyser> m_analyser;
    TreePanel* m_tree;
    SourceEditor* m_source;
};

}  // namespace sofa::modeler
