// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPlainTextEdit>

#include "applications/modeler/Analyser.h"
#include "applications/modeler/Document.h"
#include "applications/modeler/TextMap.h"

class QListWidget;

namespace sofa::modeler {

class XmlHighlighter;

/// The text of a document, with numbers of lines and colours. What is typed becomes edits of the document at once; what
/// others change there shows here. Cursor and selected element follow each other. What the analysis of the text finds
/// is underlined; completion and help come from there.
class SourceEditor : public QPlainTextEdit
{
    Q_OBJECT

public:
    /// Without an analyser there is no completion and no help.
    explicit SourceEditor(Document& document, Analyser* analyser = nullptr, QWidget* parent = nullptr);

    /// Puts the cursor to a place in the bytes, and shows it.
    void goTo(std::size_t byte);
    /// Place of the cursor in the bytes.
    std::size_t place() const { return m_map.byteAt(textCursor().position()); }
    /// Selects the next place of a text behind the cursor, from the beginning if there is none; false if it is nowhere.
    bool findNext(const QString& text, bool backwards = false);

    /// Offers what may be written at the cursor.
    void complete();
    /// The list of completions while it is shown.
    QListWidget* completions() const { return m_list; }
    /// Goes to what the link at the cursor leads to.
    void followLink();

Q_SIGNALS:
    /// A link leads to another file.
    void goToFile(const QString& file, std::size_t byte);

protected:
    bool event(QEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;
    void mousePressEvent(QMouseEvent* e) override;
    void focusOutEvent(QFocusEvent* e) override;
    void resizeEvent(QResizeEvent* e) override;
    void changeEvent(QEvent* e) override;

private:
    class Margin;
    void paintMargin(QPaintEvent* e);
    int marginWidth() const;
    int columnOf(const QTextCursor& c) const;
    void readPreferences();
    void typed();
    void followDocument();
    void followSelection();
    void markPlaces();
    void markFindings();
    void makeMap();
    void makeHighlighter();
    void offer(const std::vector<SceneCompletion>& list);
    void endCompletion();
    void accept();
    bool completionTakes(const QKeyEvent& e);
    void showHelp(const QPoint& at, const QPoint& global);

    Document& m_document;
    Analyser* m_analyser;
    QListWidget* m_list;
    bool m_completing = false;  ///< what is typed goes on with a completion, also before its list is there
    std::vector<SceneCompletion> m_offered;
    QList<QTextEdit::ExtraSelection> m_found;  ///< what is underlined
    TextMap m_map;
    QWidget* m_margin;
    int m_tabWidth = 4;  ///< [letters]
    bool m_tabSpaces = false;
    XmlHighlighter* m_highlighter = nullptr;
    bool m_following = false;  ///< the change comes from the document, or goes there
    int m_typing = 0;          ///< number of the run of typing, for merging
    qsizetype m_typedAt = -1;  ///< where it goes on
};

}  // namespace sofa::modeler
