// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "applications/qt/panels/Panel.h"

class QLabel;
class QStackedLayout;

namespace sofa::qt {

class PropertyWindow;

/// The properties of the object that is selected. What was edited and not yet given to an object stays until it is
/// selected again.
class PropertiesPanel : public Panel
{
    Q_OBJECT

public:
    explicit PropertiesPanel(QWidget* parent = nullptr);
    ~PropertiesPanel() override;

    /// As those of PropertyWindow.
    std::function<void(const std::string& path)> onFollow;
    std::function<void(const std::string&path, const std::string&name)> onEdited, onPlot;

    /// Shows the object at a path; nothing if it is empty.
    void setPath(const std::string& path);
    /// What is shown; nullptr for nothing.
    PropertyWindow* page() const { return m_page; }

protected:
    void simulationChanged() override;

private:
    QStackedLayout* m_stack;
    QLabel* m_nothing;
    PropertyWindow* m_page = nullptr;
    std::vector<PropertyWindow*> m_pages;  ///< the one that is shown, and others with edited values
};

}  // namespace sofa::qt
