// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/MessagesPanel.h"

#include <QApplication>
#include <QFileInfo>
#include <QStyle>

#include "applications/qt/CoreTexts.h"
#include "applications/qt/panels/Panel.h"

namespace sofa::modeler {

namespace {

/// Of an item: index of the finding, and of the fix or -1.
constexpr int findingRole = Qt::UserRole, fixRole = Qt::UserRole + 1;

}  // namespace

MessagesPanel::MessagesPanel(QWidget* parent) : QTreeWidget(parent)
{
    setObjectName("messages");
    setAccessibleName(tr("Messages about the scene"));
    setHeaderLabels({tr("Message"), tr("Place")});
    setUniformRowHeights(true);
    setExpandsOnDoubleClick(false);
    qt::fitColumnsToTexts(this);
    const auto finding = [this](const QTreeWidgetItem* item) -> const Finding* {
        const auto i = item->data(0, findingRole).toUInt();
        return m_analyser && i < m_analyser->findings().size() ? &m_analyser->findings()[i] : nullptr;
    };
    connect(this, &QTreeWidget::currentItemChanged, this, [this, finding](QTreeWidgetItem* item) {
        const Finding* f = item ? finding(item) : nullptr;
        if (f && f->file.isEmpty()) Q_EMIT goTo(f->begin);
    });
    connect(this, &QTreeWidget::itemActivated, this, [this, finding](QTreeWidgetItem* item) {
        const Finding* f = finding(item);
        const int fix = item->data(0, fixRole).toInt();
        if (!f) return;
        if (fix >= 0 && static_cast<std::size_t>(fix) < f->fixes.size()) {
            const SceneFix chosen = f->fixes[static_cast<std::size_t>(fix)];
            m_analyser->mend(chosen);
        } else if (f->file.isEmpty()) {
            Q_EMIT goTo(f->begin);
        } else {
            Q_EMIT goToFile(f->file, f->line);
        }
    });
}

void MessagesPanel::setAnalyser(Analyser* analyser)
{
    if (m_analyser) m_analyser->disconnect(this);
    m_analyser = analyser;
    if (analyser) connect(analyser, &Analyser::analysed, this, &MessagesPanel::fill);
    fill();
}

void MessagesPanel::fill()
{
    // While somebody types, the messages are the same most of the time, but for their places.
    QStringList now;
    if (m_analyser)
        for (const Finding& f : m_analyser->findings()) {
            now << QString::number(static_cast<int>(f.severity)) + f.file + QString::number(f.line) + f.text;
            for (const SceneFix& fix : f.fixes) now << QString::fromStdString(fix.title);
        }
    if (now == m_shown && !now.isEmpty()) return;
    m_shown = now;
    const QSignalBlocker blocker(this);
    clear();
    int errors = 0, warnings = 0;
    const auto icon = [](QStyle::StandardPixmap which) { return QApplication::style()->standardIcon(which); };
    const QIcon errorIcon = icon(QStyle::SP_MessageBoxCritical), warningIcon = icon(QStyle::SP_MessageBoxWarning),
                otherIcon = icon(QStyle::SP_MessageBoxInformation);
    QList<QTreeWidgetItem*> items;
    if (m_analyser) {
        for (std::size_t i = 0; i < m_analyser->findings().size(); ++i) {
            const Finding& f = m_analyser->findings()[i];
            const bool isError = f.severity == Severity::Error, isWarning = f.severity == Severity::Warning;
            errors += isError ? 1 : 0;
            warnings += isWarning ? 1 : 0;
            const QString place = (f.file.isEmpty() ? QString() : QFileInfo(f.file).fileName() + ", ") +
                                  (f.line > 0 ? tr("line %1").arg(f.line) : QString());
            auto* item = new QTreeWidgetItem({f.text, place});
            item->setToolTip(0, f.text);
            item->setIcon(0, isError ? errorIcon : isWarning ? warningIcon : otherIcon);
            item->setData(0, findingRole, static_cast<unsigned>(i));
            item->setData(0, fixRole, -1);
            for (std::size_t k = 0; k < f.fixes.size(); ++k) {
                auto* fix = new QTreeWidgetItem(item, {tr("→ %1").arg(qt::coreText(f.fixes[k].title))});
                fix->setToolTip(0, tr("Make this change: double click, or Return"));
                fix->setData(0, findingRole, static_cast<unsigned>(i));
                fix->setData(0, fixRole, static_cast<int>(k));
                QFont font = this->font();
                font.setItalic(true);
                fix->setFont(0, font);
            }
            items << item;
        }
    }
    addTopLevelItems(items);
    expandAll();
    // The blocker is for the signals of this widget alone; this one is meant.
    blockSignals(false);
    Q_EMIT counted(errors, warnings);
}

}  // namespace sofa::modeler
