// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QSyntaxHighlighter>

namespace sofa::modeler {

/// Colours elements, attributes, values and links, comments and character references of XML, for light and dark
/// palettes.
class XmlHighlighter : public QSyntaxHighlighter
{
public:
    /// `dark`: the text stands on a dark ground.
    XmlHighlighter(QTextDocument* document, bool dark);

protected:
    void highlightBlock(const QString& text) override;

private:
    QTextCharFormat m_element, m_attribute, m_value, m_link, m_comment, m_reference;
};

}  // namespace sofa::modeler
