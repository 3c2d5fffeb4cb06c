// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/DocumentView.h"

#include "applications/modeler/SourceEditor.h"
#include "applications/modeler/TreePanel.h"

namespace sofa::modeler {

DocumentView::DocumentView(std::unique_ptr<Document> document, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      m_document(std::move(document)),
      m_analyser(std::make_unique<Analyser>(*m_document)),
      m_tree(new TreePanel(*m_document)),
      m_source(new SourceEditor(*m_document, m_analyser.get()))
{
    addWidget(m_tree);
    addWidget(m_source);
    setStretchFactor(0, 2);
    setStretchFactor(1, 3);
    setChildrenCollapsible(false);
    connect(m_tree, &TreePanel::activated, this, [this](XmlId id) {
        const XmlDocument* x = m_document->text().tree();
        const std::uint32_t i = x ? x->find(id) : XmlItem::none;
        if (i == XmlItem::none) return;
        m_source->goTo(x->items()[i].begin);
        m_source->setFocus();
    });
}

DocumentView::~DocumentView()
{
    // They refer to the document.
    delete m_source;
    delete m_tree;
}

}  // namespace sofa::modeler
