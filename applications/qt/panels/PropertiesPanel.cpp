// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/PropertiesPanel.h"

#include <QLabel>
#include <QStackedLayout>
#include <algorithm>

#include "applications/qt/panels/PropertyWindow.h"

namespace sofa::qt {

PropertiesPanel::PropertiesPanel(QWidget* parent) : Panel(parent)
{
    setObjectName("propertiesPanel");
    m_stack = new QStackedLayout(this);
    m_nothing = new QLabel(tr("Nothing is selected.\n\nClick on a part of the view, or on a line of the graph."));
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_stack->addWidget(m_nothing);
    // A whole column of properties is seen without making the letters of others smaller.
    setMinimumWidth(fontMetrics().averageCharWidth() * 36);
}

PropertiesPanel::~PropertiesPanel() { setSimulation(nullptr); }

void PropertiesPanel::simulationChanged()
{
    for (PropertyWindow* page : m_pages) delete page;
    m_pages.clear();
    m_page = nullptr;
}

void PropertiesPanel::setPath(const std::string& path)
{
    if (m_page && m_page->path() == path) return;
    if (m_page && m_page->edited().empty()) {
        std::erase(m_pages, m_page);
        m_page->deleteLater();
    }
    m_page = nullptr;
    if (path.empty() || !thread()) {
        m_stack->setCurrentWidget(m_nothing);
        return;
    }
    const auto known = std::ranges::find(m_pages, path, &PropertyWindow::path);
    if (known != m_pages.end()) {
        m_page = *known;
    } else {
        m_page = new PropertyWindow(*thread(), path, this, Qt::Widget);
        m_page->onFollow = onFollow;
        m_page->onEdited = onEdited;
        m_page->onPlot = onPlot;
        m_pages.push_back(m_page);
        m_stack->addWidget(m_page);
    }
    m_stack->setCurrentWidget(m_page);
}

}  // namespace sofa::qt
