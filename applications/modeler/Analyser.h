// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QTimer>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "applications/modeler/Document.h"
#include "core/log/Phases.h"
#include "core/scene/SceneAnalysis.h"
#include "core/simulation/Simulation.h"

namespace sofa::modeler {

/// A message about a document, and what mends it. Places are those of its bytes.
struct Finding
{
    Severity severity = Severity::Error;
    QString text;
    QString file;  ///< of an included file; empty for the document
    int line = 0;
    std::size_t begin = 0, end = 0;
    std::vector<SceneFix> fixes;
};

/// Analyses the text of a document in a thread of its own while it is being edited: the messages of the loader, then
/// those of the initialisation, which also gives the scene to look at. The window never waits for it.
class Analyser : public QObject
{
    Q_OBJECT

public:
    explicit Analyser(Document& document, QObject* parent = nullptr);
    ~Analyser() override;

    /// Of the last text that was analysed.
    const std::vector<Finding>& findings() const { return m_findings; }
    /// Whether the findings are those of the text as it is now, initialisation included.
    bool isUpToDate() const { return m_checkedRevision == m_document.text().revision(); }
    /// Has the scene initialised again soon, and built() emitted, though the text is the same.
    void build() { m_idle.start(); }
    /// Makes the edits of a fix, unless the text has changed since.
    bool mend(const SceneFix& fix);
    /// Old names of components and attributes become today's, in one step. Returns how many.
    std::size_t modernise();

    /// Calls `take` in the thread, for the text as it is now, and then `show` with its result in the window's thread,
    /// unless the text has changed by then.
    template <class Take, class Show>
    void ask(Take take, Show show)
    {
        sendText();
        post([this, take = std::move(take), show = std::move(show), revision = m_sentRevision](SceneAnalysis& a) {
            auto result = std::make_shared<decltype(take(a))>(take(a));
            QMetaObject::invokeMethod(
                this,
                [this, result, show, revision] {
                    if (m_document.text().revision() == revision) show(*result);
                },
                Qt::QueuedConnection);
        });
    }
    /// Place in the bytes of the document of a place in the analysed text, which is UTF-8, and back.
    std::size_t byteOf(std::size_t analysed) const;
    std::size_t analysedAt(std::size_t byte) const;

Q_SIGNALS:
    /// There are new findings.
    void analysed();
    /// The scene of the text was initialised.
    void built(const std::shared_ptr<sofa::core::Simulation>& simulation);
    /// It could not be: the findings say why.
    void notBuilt();

private:
    void sendText();
    void check();
    void post(std::function<void(SceneAnalysis&)> work);
    void run(std::string path);
    void take(std::vector<Finding> findings, std::size_t revision, bool checked);
    static std::vector<Finding> findingsOf(const SceneAnalysis& a);

    Document& m_document;
    std::string m_path;
    std::vector<Finding> m_findings;
    std::size_t m_sentRevision = 0, m_findingsRevision = 0, m_checkedRevision = 0;
    bool m_latin1 = false;
    QTimer m_typing, m_idle;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void(SceneAnalysis&)>> m_queue;
    Phases* m_phases = nullptr;            ///< of the thread
    std::optional<std::string> m_newPath;  ///< the document has another file now
    bool m_stopping = false;
    std::thread m_thread;
};

}  // namespace sofa::modeler
