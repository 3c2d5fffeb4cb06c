// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTimer>
#include <map>

#include "applications/qt/panels/Panel.h"
#include "core/scene/SceneEditor.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QVBoxLayout;

namespace sofa::qt {

class DataEditor;

/// The properties of one node or component: its Data by groups, links, and messages. Values that nobody is editing here
/// follow the simulation; what was edited is given to the component together by Update, which then calls its reinit.
class PropertyWindow : public Panel
{
    Q_OBJECT

public:
    /// A window of its own, or a part of another one (Qt::Widget).
    PropertyWindow(core::SimulationThread& thread, std::string path, QWidget* parent = nullptr,
                   Qt::WindowFlags flags = Qt::Window);

    /// Called with the path of an object whose link was clicked.
    std::function<void(const std::string& path)> onFollow;
    /// Called with the path of the object and the name of each value that was given to it.
    std::function<void(const std::string& path, const std::string& name)> onEdited;

    /// Called with the path of the object and the name of a value that is to be plotted.
    std::function<void(const std::string& path, const std::string& name)> onPlot;

    const std::string& path() const { return m_path; }
    /// Editor of a Data; nullptr if there is none of this name.
    DataEditor* editor(const std::string& name) const;
    /// What the window says of a Data that was refused; empty if it was not.
    QString error(const std::string& name) const;
    /// Names of the Data that were edited and not yet applied.
    std::vector<std::string> edited() const;
    void apply();
    void refresh();

protected:
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;

private:
    struct Row
    {
        DataEditor* editor = nullptr;
        QLabel *label = nullptr, *error = nullptr;
        QPushButton* whole = nullptr;  ///< loads a text that was cut
        std::size_t counter = 0;
        std::string defaultText, unit;
        bool edited = false, readOnly = false;
    };
    void build(const core::ObjectSnapshot& o);
    void display(const core::ObjectSnapshot& o);
    void addRow(QVBoxLayout* layout, const core::DataEntry& d);
    void mark(const std::string& name, bool edited);

    std::string m_path;
    std::map<std::string, Row> m_rows;
    QTabWidget* m_tabs;
    QLabel *m_head, *m_status;
    QPlainTextEdit* m_messages;
    QPushButton *m_update, *m_revert;
    QTimer m_timer;
    bool m_built = false, m_asked = false;
    std::size_t m_messageCount = 0;
};

}  // namespace sofa::qt
