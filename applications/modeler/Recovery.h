// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>

#include "applications/modeler/Document.h"

namespace sofa::modeler {

/// Copies of documents with changes that were not saved, written every few seconds, for the case that the program ends
/// by force. They are gone when the document is saved, unchanged or closed.
class Recovery : public QObject
{
    Q_OBJECT

public:
    /// Longest time of work that can be lost [ms], unless the user prefers another.
    static constexpr int interval = 5000;

    Recovery();
    /// Watches a document from now on.
    void add(Document& document);
    /// The document is being closed: its copy is not needed any more.
    void remove(Document& document);
    /// Writes the copies now.
    void write();
    /// Where the copies are.
    static QString folder();

    /// A copy that a program left which does not run any more.
    struct Left
    {
        QString copy;  ///< its file
        QString path;  ///< of the document; empty for one that was never saved
        QString title;
        std::string bytes;
    };
    static std::vector<Left> left();
    /// Removes a copy that was taken over.
    static void forget(const Left& one);

private:
    struct Watched
    {
        QString copy;
        std::size_t revision = 0;  ///< that the copy has; 0: there is none
    };

    QTimer m_timer;
    std::map<Document*, Watched> m_documents;
};

}  // namespace sofa::modeler
