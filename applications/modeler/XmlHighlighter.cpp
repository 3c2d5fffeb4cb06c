// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/XmlHighlighter.h"

namespace sofa::modeler {

namespace {

/// Where a line ends.
enum State
{
    Outside = -1,  ///< also before the first line
    Comment,
    Instruction,
    Tag,
    DoubleQuoted,
    SingleQuoted
};

bool isName(QChar c) { return c.isLetterOrNumber() || c == '_' || c == ':' || c == '-' || c == '.'; }

}  // namespace

XmlHighlighter::XmlHighlighter(QTextDocument* document, bool dark) : QSyntaxHighlighter(document)
{
    const auto format = [dark](QTextCharFormat& f, const char* light, const char* onDark) {
        f.setForeground(QColor(dark ? onDark : light));
    };
    format(m_element, "#1a5fb4", "#7fb5ff");
    format(m_attribute, "#8a4b08", "#e5b567");
    format(m_value, "#1b6b2f", "#9ccf8a");
    format(m_link, "#7a2a9c", "#d59cf0");
    format(m_comment, "#6b6b6b", "#9a9a9a");
    format(m_reference, "#a03050", "#f08aa0");
    m_element.setFontWeight(QFont::DemiBold);
    m_comment.setFontItalic(true);
    m_link.setFontUnderline(true);
}

void XmlHighlighter::highlightBlock(const QString& text)
{
    int state = previousBlockState();
    int i = 0;
    const int n = static_cast<int>(text.size());
    const auto upTo = [&](const char* end, const QTextCharFormat& f) {
        const qsizetype found = text.indexOf(QLatin1String(end), i);
        const int to = found < 0 ? n : static_cast<int>(found) + static_cast<int>(qstrlen(end));
        setFormat(i, to - i, f);
        i = to;
        return found >= 0;
    };
    while (i < n) {
        switch (state) {
            case Comment:
                if (upTo("-->", m_comment)) state = Outside;
                break;
            case Instruction:
                if (upTo(">", m_comment)) state = Outside;
                break;
            case DoubleQuoted:
            case SingleQuoted: {
                const QChar quote = state == DoubleQuoted ? '"' : '\'';
                const qsizetype found = text.indexOf(quote, i);
                const int to = found < 0 ? n : static_cast<int>(found);
                for (int k = i; k < to;) {
                    int end = k;
                    const bool link = text[k] == '@';
                    const bool reference = text[k] == '&';
                    do ++end;
                    while (end < to && text[end] != '@' && text[end] != '&' && !(link && text[end].isSpace()) &&
                           !(reference && text[end - 1] == ';'));
                    setFormat(k, end - k, link ? m_link : reference ? m_reference : m_value);
                    k = end;
                }
                i = to;
                if (found >= 0) {
                    setFormat(i++, 1, m_value);
                    state = Tag;
                }
                break;
            }
            case Tag:
                if (text[i] == '>') {
                    setFormat(i++, 1, m_element);
                    state = Outside;
                } else if (text[i] == '"' || text[i] == '\'') {
                    state = text[i] == '"' ? DoubleQuoted : SingleQuoted;
                    setFormat(i++, 1, m_value);
                } else if (isName(text[i])) {
                    int end = i;
                    while (end < n && isName(text[end])) ++end;
                    setFormat(i, end - i, m_attribute);
                    i = end;
                } else {
                    if (text[i] == '/') setFormat(i, 1, m_element);
                    ++i;
                }
                break;
            default: {
                const qsizetype found = text.indexOf('<', i);
                if (found < 0) {
                    i = n;
                    break;
                }
                i = static_cast<int>(found);
                const QStringView rest = QStringView(text).mid(i);
                if (rest.startsWith(QLatin1String("<!--"))) {
                    state = Comment;
                } else if (rest.startsWith(QLatin1String("<?")) || rest.startsWith(QLatin1String("<!"))) {
                    state = Instruction;
                } else {
                    int end = i + 1;
                    if (end < n && text[end] == '/') ++end;
                    while (end < n && isName(text[end])) ++end;
                    setFormat(i, end - i, m_element);
                    i = end;
                    state = Tag;
                }
            }
        }
    }
    setCurrentBlockState(state);
}

}  // namespace sofa::modeler
