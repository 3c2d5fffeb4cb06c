// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QLineEdit>
#include <QTimer>
#include <QTreeWidget>
#include <array>
#include <mutex>

#include "applications/qt/panels/Panel.h"
#include "core/log/Message.h"

class QLabel;
class QToolButton;

namespace sofa::qt {

/// All messages of the program, newest last, with filters by severity and text. A double click asks for the component
/// that sent one.
class LogPanel : public Panel
{
    Q_OBJECT

public:
    explicit LogPanel(QWidget* parent = nullptr);
    ~LogPanel() override;

    /// Called with the path of the component whose message was double-clicked.
    std::function<void(const std::string& path)> onComponent;
    /// Called when the number of errors and warnings shown changed.
    std::function<void(std::size_t errors, std::size_t warnings)> onCount;

    std::size_t messageCount() const { return m_messages.size(); }
    std::size_t shownCount() const;
    /// Takes over what arrived since the last time; a timer does so, too.
    void drain();
    void clear();
    /// Takes over messages from before the panel was there.
    void add(const std::vector<core::Message>& messages);
    /// Messages from now on belong to the file that is being opened.
    void beginScene();
    /// That file is open: what was said before it is of no more interest.
    void keepScene();
    /// The messages that the filters let through, a line each.
    QString shownText() const;

private:
    void filter();
    void count();
    bool passes(const core::Message& m) const;
    void addItem(const core::Message& m, std::size_t index);

    std::vector<core::Message> m_messages;
    std::mutex m_mutex;
    std::vector<core::Message> m_arrived;
    int m_handler = 0;
    QTimer m_timer;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QLabel* m_summary;
    std::array<QToolButton*, 4> m_levels{};  ///< errors, warnings, information, debugging
    std::size_t m_errors = 0, m_warnings = 0;
    std::size_t m_scene = 0;  ///< messages before the file that is being opened
};

/// Path of the component in a sender's name: "/body/fem" of "/body/fem (TetrahedronFEMForceField)".
std::string senderPath(const std::string& sender);

}  // namespace sofa::qt
