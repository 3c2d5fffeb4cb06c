// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointer>

#include "applications/modeler/Document.h"

namespace sofa::modeler {

/// A step of a document that is made anew, with other values, until it is right: while something is dragged or picked.
class LiveStep
{
public:
    LiveStep(Document& document, std::string label)
        : m_document(&document), m_label(std::move(label)), m_before(document.text().historyPosition())
    {
    }

    /// Calls `f` for what the step is to be, after what it was has been taken back. False if that cannot be done.
    bool set(const std::function<void(SceneText&)>& f)
    {
        return m_document && m_document->perform([&](SceneText& t) {
            takeBack(t);
            t.step(m_label, [&] { f(t); });
            m_isDone = t.historyPosition() > m_before;
        });
    }
    /// The text becomes what it was before the step.
    void cancel()
    {
        if (m_document && m_isDone) m_document->perform([this](SceneText& t) { takeBack(t); });
    }

private:
    void takeBack(SceneText& t)
    {
        if (m_isDone && t.historyPosition() == m_before + 1) t.undo();
        m_isDone = false;
    }

    QPointer<Document> m_document;
    std::string m_label;
    std::size_t m_before;
    bool m_isDone = false;
};

}  // namespace sofa::modeler
