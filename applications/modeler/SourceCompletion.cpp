// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// What the analysis gives to the text editor: completion, help, links, underlined messages.
#include <QFileInfo>
#include <QKeyEvent>
#include <QListWidget>
#include <QMouseEvent>
#include <QTextBlock>
#include <QToolTip>

#include "applications/modeler/SourceEditor.h"

namespace sofa::modeler {

namespace {

constexpr int linesShown = 12;
constexpr std::size_t mostOffered = 400;

}  // namespace

void SourceEditor::complete()
{
    if (!m_analyser) return;
    m_completing = true;
    const std::size_t at = m_analyser->analysedAt(place());
    m_analyser->ask([at](SceneAnalysis& a) { return a.completions(at); },
                    [this](const std::vector<SceneCompletion>& list) {
                        if (m_completing) offer(list);
                    });
}

void SourceEditor::endCompletion()
{
    m_completing = false;
    m_list->hide();
}

void SourceEditor::offer(const std::vector<SceneCompletion>& list)
{
    m_offered.clear();
    m_list->clear();
    // What was typed already is in the text that is replaced.
    for (const SceneCompletion& c : list) {
        const std::size_t begin = m_analyser->byteOf(c.replaced.begin);
        if (begin > place() || m_offered.size() >= mostOffered) continue;
        const std::string written = m_document.text().bytes().substr(begin, place() - begin);
        const QString label = QString::fromStdString(c.label);
        if (!label.contains(QString::fromStdString(written), Qt::CaseInsensitive)) continue;
        m_offered.push_back(c);
        auto* item =
            new QListWidgetItem(c.detail.empty() ? label : label + "    " + QString::fromStdString(c.detail), m_list);
        item->setToolTip(QString::fromStdString(c.help));
        if (!c.fits) item->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
    }
    if (m_offered.empty() || !hasFocus()) return endCompletion();
    m_list->setCurrentRow(0);
    const int rows = std::min(linesShown, m_list->count());
    const int width = std::clamp(m_list->sizeHintForColumn(0) + 30, 200, 600);
    m_list->resize(width, rows * m_list->sizeHintForRow(0) + 2 * m_list->frameWidth());
    m_list->move(viewport()->mapToGlobal(cursorRect().bottomLeft() + QPoint(0, 2)));
    m_list->show();
}

void SourceEditor::accept()
{
    const int row = m_list->currentRow();
    endCompletion();
    if (row < 0 || static_cast<std::size_t>(row) >= m_offered.size()) return;
    const SceneCompletion c = m_offered[static_cast<std::size_t>(row)];
    const std::size_t begin = m_analyser->byteOf(c.replaced.begin), end = m_analyser->byteOf(c.replaced.end);
    m_document.perform([&](SceneText& t) {
        t.edit({{begin, std::max(end, place()) - begin, c.insert}},
               tr("complete %1").arg(QString::fromStdString(c.label)).toStdString());
    });
    goTo(begin + c.cursor);
    // An attribute that was completed waits for its value.
    if (c.kind == SceneCompletion::Kind::Attribute || c.insert.ends_with('/')) complete();
}

bool SourceEditor::completionTakes(const QKeyEvent& e)
{
    if (!m_list->isVisible()) {
        if (e.key() == Qt::Key_Escape || e.key() == Qt::Key_Return || e.key() == Qt::Key_Enter) m_completing = false;
        return false;
    }
    const int row = m_list->currentRow();
    const auto select = [this](int to) { m_list->setCurrentRow(std::clamp(to, 0, m_list->count() - 1)); };
    switch (e.key()) {
        case Qt::Key_Down:
            select(row + 1);
            return true;
        case Qt::Key_Up:
            select(row - 1);
            return true;
        case Qt::Key_PageDown:
            select(row + linesShown);
            return true;
        case Qt::Key_PageUp:
            select(row - linesShown);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
            accept();
            return true;
        case Qt::Key_Escape:
            endCompletion();
            return true;
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Home:
        case Qt::Key_End:
            endCompletion();
            return false;
        default:
            return false;
    }
}

void SourceEditor::focusOutEvent(QFocusEvent* e)
{
    endCompletion();
    QPlainTextEdit::focusOutEvent(e);
}

void SourceEditor::mousePressEvent(QMouseEvent* e)
{
    endCompletion();
    QPlainTextEdit::mousePressEvent(e);
    if (e->button() == Qt::LeftButton && e->modifiers() == Qt::ControlModifier) followLink();
}

void SourceEditor::followLink()
{
    if (!m_analyser) return;
    const std::size_t at = m_analyser->analysedAt(place());
    m_analyser->ask([at](SceneAnalysis& a) { return a.definition(at); },
                    [this](const std::optional<FileRange>& to) {
                        if (!to) return;
                        const QString file = QString::fromStdString(to->file);
                        if (QFileInfo(file) == QFileInfo(QString::fromStdString(m_document.text().path())))
                            goTo(m_analyser->byteOf(to->range.begin));
                        else
                            Q_EMIT goToFile(file, to->range.begin);
                    });
}

void SourceEditor::showHelp(const QPoint& at, const QPoint& global)
{
    if (!m_analyser) return;
    const std::size_t byte = m_map.byteAt(cursorForPosition(at).position());
    QString text;
    for (const Finding& f : m_analyser->findings())
        if (f.file.isEmpty() && byte >= f.begin && byte <= f.end) text += "<p>" + f.text.toHtmlEscaped() + "</p>";
    if (!text.isEmpty()) return QToolTip::showText(global, text, this);
    const std::size_t analysed = m_analyser->analysedAt(byte);
    m_analyser->ask([analysed](SceneAnalysis& a) { return a.hover(analysed); },
                    [this, global](const std::optional<SceneHover>& h) {
                        if (!h || !underMouse()) return;
                        QToolTip::showText(global,
                                           "<b>" + QString::fromStdString(h->title).toHtmlEscaped() + "</b><p>" +
                                               QString::fromStdString(h->text).toHtmlEscaped().replace("\n", "<br>") +
                                               "</p>",
                                           this);
                    });
}

void SourceEditor::markFindings()
{
    m_found.clear();
    for (const Finding& f : m_analyser->findings()) {
        if (!f.file.isEmpty() || f.line == 0) continue;
        QTextEdit::ExtraSelection s;
        s.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        s.format.setUnderlineColor(f.severity == Severity::Error     ? QColor(220, 40, 40)
                                   : f.severity == Severity::Warning ? QColor(214, 140, 20)
                                                                     : QColor(120, 140, 170));
        s.cursor = QTextCursor(QPlainTextEdit::document());
        const auto begin = static_cast<int>(m_map.positionAt(f.begin));
        const auto end = static_cast<int>(m_map.positionAt(std::max(f.end, f.begin + 1)));
        s.cursor.setPosition(begin);
        s.cursor.setPosition(end, QTextCursor::KeepAnchor);
        m_found << s;
    }
    markPlaces();
}

}  // namespace sofa::modeler
