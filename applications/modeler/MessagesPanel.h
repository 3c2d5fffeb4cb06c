// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointer>
#include <QTreeWidget>

#include "applications/modeler/Analyser.h"

namespace sofa::modeler {

/// The messages about a document. A click goes to the place; below a message stand the changes that mend it, which a
/// double click, or Return, makes.
class MessagesPanel : public QTreeWidget
{
    Q_OBJECT

public:
    explicit MessagesPanel(QWidget* parent = nullptr);
    /// nullptr: none.
    void setAnalyser(Analyser* analyser);

Q_SIGNALS:
    /// To a place in the bytes of the document, or, with a file, to a line of that.
    void goTo(std::size_t byte);
    void goToFile(const QString& file, int line);
    /// How many errors and warnings there are.
    void counted(int errors, int warnings);

private:
    void fill();

    QPointer<Analyser> m_analyser;
    QStringList m_shown;  ///< what the list says
};

}  // namespace sofa::modeler
