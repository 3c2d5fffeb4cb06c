// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/LogPanel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace sofa::qt {

using core::Message;
using core::Severity;

namespace {

/// Which of the four buttons a severity belongs to.
std::size_t levelOf(Severity s)
{
    switch (s) {
        case Severity::Error:
            return 0;
        case Severity::Warning:
        case Severity::Deprecated:
            return 1;
        case Severity::Advice:
        case Severity::Info:
            return 2;
        default:
            return 3;
    }
}

QStyle::StandardPixmap pixmapOf(std::size_t level)
{
    return level == 0   ? QStyle::SP_MessageBoxCritical
           : level == 1 ? QStyle::SP_MessageBoxWarning
                        : QStyle::SP_MessageBoxInformation;
}

constexpr std::size_t mostMessages = 20'000;

}  // namespace

std::string senderPath(const std::string& sender) { return sender.substr(0, sender.find(" (")); }

LogPanel::LogPanel(QWidget* parent) : Panel(parent)
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    const char* names[] = {QT_TR_NOOP("Errors"), QT_TR_NOOP("Warnings"), QT_TR_NOOP("Information"),
                           QT_TR_NOOP("Debugging")};
    // Short: the panel is narrow.
    const char* labels[] = {QT_TR_NOOP("Errors"), QT_TR_NOOP("Warnings"), QT_TR_NOOP("Info"), QT_TR_NOOP("Debug")};
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        m_levels[i] = new QToolButton;
        m_levels[i]->setObjectName(QString("log") + names[i]);
        m_levels[i]->setCheckable(true);
        m_levels[i]->setChecked(i < 3);
        m_levels[i]->setText(tr(labels[i]));
        m_levels[i]->setToolTip(tr("Show messages of this kind: %1").arg(tr(names[i])));
        m_levels[i]->setAccessibleName(tr(names[i]));
        if (i < 3) {
            m_levels[i]->setIcon(style()->standardIcon(pixmapOf(i)));
            m_levels[i]->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        }
        bar->addWidget(m_levels[i]);
        connect(m_levels[i], &QToolButton::toggled, this, [this] { filter(); });
    }
    bar->addStretch();
    m_filter = new QLineEdit;
    m_filter->setObjectName("logFilter");
    m_filter->setAccessibleName(tr("Filter of the messages"));
    m_filter->setPlaceholderText(tr("Filter by text or component"));
    m_filter->setClearButtonEnabled(true);
    layout->addWidget(m_filter);
    connect(m_filter, &QLineEdit::textChanged, this, [this] { filter(); });

    m_list = new QTreeWidget;
    m_list->setObjectName("logList");
    m_list->setAccessibleName(tr("Messages"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderLabels({tr("Message"), tr("Component"), tr("Place")});
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    fitColumnsToTexts(m_list);
    layout->addWidget(m_list);
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const auto index = item->data(0, Qt::UserRole).toULongLong();
        const std::string path = index < m_messages.size() ? senderPath(m_messages[index].sender) : std::string();
        if (!path.empty() && onComponent) onComponent(path);
    });

    auto* bottom = new QHBoxLayout;
    layout->addLayout(bottom);
    m_summary = new QLabel;
    bottom->addWidget(m_summary);
    bottom->addStretch();
    auto* copy = new QPushButton(tr("&Copy"));
    copy->setObjectName("logCopy");
    copy->setToolTip(tr("Copy the selected messages; all that are shown if none is selected"));
    bottom->addWidget(copy);
    connect(copy, &QPushButton::clicked, this, [this] {
        QStringList lines;
        for (const QTreeWidgetItem* i : m_list->selectedItems())
            lines += text(m_messages[i->data(0, Qt::UserRole).toULongLong()].str());
        QGuiApplication::clipboard()->setText(lines.isEmpty() ? shownText() : lines.join('\n'));
    });
    auto* clearButton = new QPushButton(tr("C&lear"));
    clearButton->setObjectName("logClear");
    bottom->addWidget(clearButton);
    connect(clearButton, &QPushButton::clicked, this, [this] { clear(); });

    m_handler = core::MessageLog::addHandler(
        [this](const Message& m) {
            const std::lock_guard lock(m_mutex);
            m_arrived.push_back(m);
        },
        true);
    connect(&m_timer, &QTimer::timeout, this, [this] { drain(); });
    m_timer.start(100);
    count();
}

LogPanel::~LogPanel() { core::MessageLog::removeHandler(m_handler); }

void LogPanel::drain()
{
    std::vector<Message> arrived;
    {
        const std::lock_guard lock(m_mutex);
        arrived.swap(m_arrived);
    }
    if (arrived.empty()) return;
    const QScrollBar* scroll = m_list->verticalScrollBar();
    const bool atEnd = scroll->value() == scroll->maximum();
    if (m_messages.size() + arrived.size() > mostMessages) {
        // Drop the older half, and number the rest anew.
        const std::size_t keep = mostMessages / 2;
        m_messages.insert(m_messages.end(), arrived.begin(), arrived.end());
        if (m_messages.size() > keep) {
            const std::size_t old = m_messages.size() - keep;
            m_messages.erase(m_messages.begin(), m_messages.begin() + static_cast<std::ptrdiff_t>(old));
            m_scene -= std::min(m_scene, old);
        }
        filter();
    } else {
        for (Message& m : arrived) {
            m_messages.push_back(std::move(m));
            if (passes(m_messages.back())) addItem(m_messages.back(), m_messages.size() - 1);
        }
    }
    count();
    if (atEnd) m_list->scrollToBottom();
}

void LogPanel::count()
{
    m_errors = m_warnings = 0;
    for (const Message& m : m_messages) {
        m_errors += levelOf(m.severity) == 0;
        m_warnings += levelOf(m.severity) == 1;
    }
    m_summary->setText(
        m_messages.empty()
            ? tr("no messages")
            : tr("%1 errors, %2 warnings, %3 messages").arg(m_errors).arg(m_warnings).arg(m_messages.size()));
    if (onCount) onCount(m_errors, m_warnings);
}

void LogPanel::add(const std::vector<Message>& messages)
{
    {
        const std::lock_guard lock(m_mutex);
        m_arrived.insert(m_arrived.end(), messages.begin(), messages.end());
    }
    drain();
}

void LogPanel::beginScene()
{
    drain();
    m_scene = m_messages.size();
}

void LogPanel::keepScene()
{
    drain();
    m_messages.erase(m_messages.begin(), m_messages.begin() + static_cast<std::ptrdiff_t>(m_scene));
    m_scene = 0;
    filter();
    count();
}

void LogPanel::clear()
{
    drain();
    m_messages.clear();
    m_scene = 0;
    m_list->clear();
    count();
}

bool LogPanel::passes(const Message& m) const
{
    if (!m_levels[levelOf(m.severity)]->isChecked()) return false;
    const QString wanted = m_filter->text().trimmed();
    return wanted.isEmpty() || text(m.str()).contains(wanted, Qt::CaseInsensitive);
}

void LogPanel::addItem(const Message& m, std::size_t index)
{
    auto* item = new QTreeWidgetItem(m_list);
    item->setText(0, text(m.text).simplified());
    item->setToolTip(0, text(m.text));
    item->setIcon(0, style()->standardIcon(pixmapOf(levelOf(m.severity))));
    item->setText(1, text(m.sender));
    item->setText(2, text(m.where.str()));
    item->setToolTip(1, text(m.sender));
    item->setToolTip(2, text(m.where.str()));
    item->setData(0, Qt::UserRole, static_cast<qulonglong>(index));
}

void LogPanel::filter()
{
    m_list->clear();
    for (std::size_t i = 0; i < m_messages.size(); ++i)
        if (passes(m_messages[i])) addItem(m_messages[i], i);
}

std::size_t LogPanel::shownCount() const { return static_cast<std::size_t>(m_list->topLevelItemCount()); }

QString LogPanel::shownText() const
{
    QStringList lines;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        lines += text(m_messages[m_list->topLevelItem(i)->data(0, Qt::UserRole).toULongLong()].str());
    return lines.join('\n');
}

}  // namespace sofa::qt
