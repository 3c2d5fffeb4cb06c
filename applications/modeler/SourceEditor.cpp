// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/SourceEditor.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QListWidget>
#include <QPainter>
#include <QScopedValueRollback>
#include <QTextBlock>

#include "applications/modeler/EditingPreferences.h"
#include "applications/modeler/XmlHighlighter.h"

namespace sofa::modeler {

/// The numbers of the lines.
class SourceEditor::Margin : public QWidget
{
public:
    explicit Margin(SourceEditor& editor) : QWidget(&editor), m_editor(editor) {}

protected:
    void paintEvent(QPaintEvent* e) override { m_editor.paintMargin(e); }

private:
    SourceEditor& m_editor;
};

SourceEditor::SourceEditor(Document& document, Analyser* analyser, QWidget* parent)
    : QPlainTextEdit(parent),
      m_document(document),
      m_analyser(analyser),
      m_list(new QListWidget(this)),
      m_margin(new Margin(*this))
{
    setObjectName("source");
    setAccessibleName(tr("Text of the scene"));
    setUndoRedoEnabled(false);  // the document does that, over all panels
    readPreferences();
    connect(&qt::Preferences::instance(), &qt::Preferences::changed, this, &SourceEditor::readPreferences);
    makeHighlighter();
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(marginWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::textChanged, this, &SourceEditor::typed);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        // While a text is being typed, it comes before what is known of it.
        const bool typing = m_map.text().size() != QPlainTextEdit::document()->characterCount() - 1;
        if (m_following || typing || !m_document.text().wellFormed()) return;
        const std::uint32_t part = m_document.partAt(place());
        const QScopedValueRollback following(m_following, true);
        if (part != XmlItem::none) m_document.select({m_document.text().tree()->items()[part].id});
        markPlaces();
    });
    connect(&document, &Document::changed, this, [this] {
        // What was typed here is here.
        if (m_following)
            makeMap();
        else
            followDocument();
    });
    connect(&document, &Document::selectionChanged, this, &SourceEditor::followSelection);
    m_list->setObjectName("completions");
    m_list->setAccessibleName(tr("Completions"));
    m_list->setWindowFlags(Qt::ToolTip);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->hide();
    connect(m_list, &QListWidget::itemClicked, this, &SourceEditor::accept);
    if (analyser) connect(analyser, &Analyser::analysed, this, &SourceEditor::markFindings);
    setViewportMargins(marginWidth(), 0, 0, 0);
    followDocument();
}

void SourceEditor::readPreferences()
{
    using qt::Preferences;
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const int size = Preferences::value(preferences::textSize).toInt();
    const double others = QFontInfo(font).pointSizeF() * Preferences::value(Preferences::letters).toInt() / 100.;
    font.setPointSizeF(std::clamp(size > 0 ? size : others, 4., 100.));
    setFont(font);
    m_tabWidth = std::clamp(Preferences::value(preferences::tabWidth).toInt(), 1, 16);
    m_tabSpaces = Preferences::value(preferences::tabSpaces).toBool();
    setTabStopDistance(QFontMetricsF(font).horizontalAdvance(' ') * m_tabWidth);
    setLineWrapMode(Preferences::value(preferences::wrap).toBool() ? WidgetWidth : NoWrap);
    setViewportMargins(marginWidth(), 0, 0, 0);
}

void SourceEditor::makeHighlighter()
{
    delete m_highlighter;
    m_highlighter = new XmlHighlighter(QPlainTextEdit::document(), palette().base().color().lightness() < 128);
}

void SourceEditor::makeMap()
{
    const SceneText& t = m_document.text();
    const bool latin1 = t.tree() ? t.tree()->utf8("\xE4").size() == 2 : !isUtf8(t.bytes());
    m_map = TextMap(t.bytes(), latin1);
}

namespace {

/// The text of an editor; QPlainTextEdit::toPlainText makes spaces of spaces that do not break.
QString textOf(const QTextDocument& d)
{
    QString text = d.toRawText();
    text.replace(QChar::ParagraphSeparator, '\n');
    return text;
}

/// What of one text is replaced by what of another: the piece between their common beginning and end.
struct Piece
{
    qsizetype at, length;
    QString text;
};

Piece pieceOf(const QString& from, const QString& to)
{
    const qsizetype least = std::min(from.size(), to.size());
    qsizetype begin = 0, end = 0;
    while (begin < least && from[begin] == to[begin]) ++begin;
    if (begin > 0 && begin < std::max(from.size(), to.size()) && from[begin - 1].isHighSurrogate()) --begin;
    while (end < least - begin && from[from.size() - 1 - end] == to[to.size() - 1 - end]) ++end;
    if (end > 0 && from[from.size() - end].isLowSurrogate()) --end;
    return {begin, from.size() - begin - end, to.mid(begin, to.size() - begin - end)};
}

}  // namespace

void SourceEditor::typed()
{
    if (m_following) return;
    const QString shown = textOf(*QPlainTextEdit::document());
    const Piece p = pieceOf(m_map.text(), shown);
    if (p.length == 0 && p.text.isEmpty()) return;
    const QScopedValueRollback following(m_following, true);
    const SceneText& t = m_document.text();
    const std::size_t begin = m_map.byteAt(p.at), end = m_map.byteAt(p.at + p.length);
    QString lines = p.text;
    // The ends of lines that the file has.
    const auto first = t.bytes().find('\n');
    if (first != std::string::npos && first > 0 && t.bytes()[first - 1] == '\r') lines.replace('\n', "\r\n");
    std::string bytes = lines.toStdString();
    if (m_map.isLatin1()) bytes = t.tree() ? t.tree()->transcoded(bytes) : lines.toLatin1().toStdString();
    if (p.at + p.length != m_typedAt && p.at != m_typedAt) ++m_typing;
    const bool goesOn = p.text.size() <= 1 && p.length <= 1 && !p.text.contains('\n');
    if (!goesOn) ++m_typing;
    m_typedAt = p.at + p.text.size();
    const std::string key = "typing " + std::to_string(m_typing);
    if (!goesOn) ++m_typing;
    m_document.perform([&](SceneText& text) {
        const QString label = p.text.isEmpty() ? tr("delete text") : tr("type text");
        text.edit({{begin, end - begin, bytes}}, label.toStdString(), key);
    });
    if (m_map.text() != shown) followDocument();  // characters that became references
    if (t.wellFormed())
        if (const std::uint32_t part = m_document.partAt(place()); part != XmlItem::none)
            m_document.select({t.tree()->items()[part].id});
    markPlaces();
}

void SourceEditor::followDocument()
{
    const QScopedValueRollback following(m_following, true);
    makeMap();
    const Piece p = pieceOf(textOf(*QPlainTextEdit::document()), m_map.text());
    if (p.length > 0 || !p.text.isEmpty()) {
        QTextCursor c(QPlainTextEdit::document());
        c.setPosition(static_cast<int>(p.at));
        c.setPosition(static_cast<int>(p.at + p.length), QTextCursor::KeepAnchor);
        c.insertText(p.text);
        m_typedAt = -1;
    }
    markPlaces();
}

void SourceEditor::followSelection()
{
    if (m_following) return;
    const XmlDocument* x = m_document.text().tree();
    const std::uint32_t i = x && m_document.current() != 0 ? x->find(m_document.current()) : XmlItem::none;
    if (i != XmlItem::none && m_document.text().wellFormed() && m_document.partAt(place()) != i) {
        const QScopedValueRollback following(m_following, true);
        goTo(x->items()[i].begin);
    }
    markPlaces();
}

void SourceEditor::goTo(std::size_t byte)
{
    QTextCursor c = textCursor();
    c.setPosition(static_cast<int>(m_map.positionAt(byte)));
    setTextCursor(c);
    const QRect r = cursorRect();
    if (r.top() < 0 || r.bottom() > viewport()->height() - r.height()) centerCursor();
}

bool SourceEditor::findNext(const QString& wanted, bool backwards)
{
    const QTextDocument::FindFlags flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (find(wanted, flags)) return true;
    const QTextCursor before = textCursor();
    moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    if (find(wanted, flags)) return true;
    setTextCursor(before);
    return false;
}

void SourceEditor::markPlaces()
{
    QList<QTextEdit::ExtraSelection> marks = m_found;
    const SceneText& t = m_document.text();
    if (!m_analyser && t.error() && t.error()->where().line > 0) {
        QTextEdit::ExtraSelection s;
        s.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        s.format.setUnderlineColor(QColor(220, 40, 40));
        s.cursor = QTextCursor(QPlainTextEdit::document()->findBlockByNumber(t.error()->where().line - 1));
        s.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        marks << s;
    } else if (t.wellFormed()) {
        // The start tags of what is selected.
        for (const XmlId id : m_document.selection()) {
            const std::uint32_t i = t.tree()->find(id);
            if (i == XmlItem::none) continue;
            const XmlItem& e = t.tree()->items()[i];
            QTextEdit::ExtraSelection s;
            QColor ground = palette().highlight().color();
            ground.setAlpha(45);
            s.format.setBackground(ground);
            s.cursor = QTextCursor(QPlainTextEdit::document());
            s.cursor.setPosition(static_cast<int>(m_map.positionAt(e.begin)));
            s.cursor.setPosition(static_cast<int>(m_map.positionAt(e.isElement() ? e.tagEnd : e.end)),
                                 QTextCursor::KeepAnchor);
            marks << s;
        }
    }
    setExtraSelections(marks);
}

bool SourceEditor::event(QEvent* e)
{
    if (e->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(e);
        showHelp(viewport()->mapFrom(this, help->pos()), help->globalPos());
        return true;
    }
    return QPlainTextEdit::event(e);
}

void SourceEditor::keyPressEvent(QKeyEvent* e)
{
    if (completionTakes(*e)) return;
    if ((e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter) && e->modifiers() == Qt::NoModifier) {
        // The new line begins where this one does.
        const QString line = textCursor().block().text().left(textCursor().positionInBlock());
        qsizetype n = 0;
        while (n < line.size() && (line[n] == ' ' || line[n] == '\t')) ++n;
        textCursor().insertText('\n' + line.left(n));
        ensureCursorVisible();
        return;
    }
    if (e->key() == Qt::Key_Tab && e->modifiers() == Qt::NoModifier && m_tabSpaces) {
        QTextCursor c = textCursor();
        c.setPosition(c.selectionStart());
        textCursor().insertText(QString(m_tabWidth - columnOf(c) % m_tabWidth, ' '));
        return;
    }
    QPlainTextEdit::keyPressEvent(e);
    // What begins something, or goes on with what is being completed.
    const QString typedText = e->text();
    const bool goesOn = m_completing && !typedText.isEmpty() && !(e->modifiers() & Qt::ControlModifier);
    if (typedText == "<" || typedText == "@" || goesOn) complete();
}

/// Where a place is seen in its line [letters].
int SourceEditor::columnOf(const QTextCursor& c) const
{
    int column = 0;
    for (const QChar letter : c.block().text().left(c.positionInBlock()))
        column += letter == '\t' ? m_tabWidth - column % m_tabWidth : 1;
    return column;
}

int SourceEditor::marginWidth() const
{
    const auto digits = QString::number(std::max(100, blockCount())).size();
    return static_cast<int>(digits) * fontMetrics().horizontalAdvance('9') + 14;
}

void SourceEditor::resizeEvent(QResizeEvent* e)
{
    QPlainTextEdit::resizeEvent(e);
    const QRect r = contentsRect();
    m_margin->setGeometry(r.left(), r.top(), marginWidth(), r.height());
}

void SourceEditor::changeEvent(QEvent* e)
{
    QPlainTextEdit::changeEvent(e);
    if (e->type() != QEvent::PaletteChange || !m_margin) return;
    const QScopedValueRollback following(m_following, true);
    makeHighlighter();
    markPlaces();
}

void SourceEditor::paintMargin(QPaintEvent* e)
{
    QPainter p(m_margin);
    p.fillRect(e->rect(), palette().alternateBase());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    const int current = textCursor().blockNumber();
    p.setFont(font());
    for (; block.isValid() && top <= e->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        if (block.isVisible() && top + height >= e->rect().top()) {
            QColor ink = palette().text().color();
            if (block.blockNumber() != current) ink.setAlpha(110);
            p.setPen(ink);
            p.drawText(QRectF(0, top, m_margin->width() - 7, fontMetrics().height()), Qt::AlignRight,
                       QString::number(block.blockNumber() + 1));
        }
        top += height;
    }
}

}  // namespace sofa::modeler
