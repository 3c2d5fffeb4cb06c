// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/Analyser.h"

#include <algorithm>
#include <utility>

namespace sofa::modeler {

namespace {

/// Times without typing before the text is analysed, and before its scene is initialised [ms].
constexpr int afterTyping = 40, afterPause = 600;
/// More fixes than these nobody looks at.
constexpr std::size_t mostFixed = 200;

bool isHigh(char c) { return static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

Analyser::Analyser(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_path(document.text().path())
{
    m_typing.setSingleShot(true);
    m_typing.setInterval(afterTyping);
    m_idle.setSingleShot(true);
    m_idle.setInterval(afterPause);
    connect(&m_typing, &QTimer::timeout, this, &Analyser::sendText);
    connect(&m_idle, &QTimer::timeout, this, &Analyser::check);
    connect(&document, &Document::changed, this, [this] {
        if (m_document.text().path() != m_path) {
            m_path = m_document.text().path();
            m_sentRevision = 0;
            const std::lock_guard lock(m_mutex);
            m_newPath = m_path;
        }
        if (m_document.text().revision() == m_sentRevision) return;
        m_typing.start();
        m_idle.start();
    });
    m_thread = std::thread([this, path = m_path] { run(path); });
    m_typing.start(0);
    m_idle.start();
}

Analyser::~Analyser()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        m_queue.clear();
        if (m_phases) m_phases->interrupt();
    }
    m_wake.notify_all();
    m_thread.join();
}

void Analyser::post(std::function<void(SceneAnalysis&)> work)
{
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back(std::move(work));
    }
    m_wake.notify_all();
}

void Analyser::run(std::string path)
{
    auto analysis = std::make_unique<SceneAnalysis>(path);
    std::unique_lock lock(m_mutex);
    m_phases = &Phases::ofThisThread();
    while (!m_stopping) {
        if (m_queue.empty()) {
            m_wake.wait(lock);
            continue;
        }
        const auto work = std::move(m_queue.front());
        m_queue.pop_front();
        const std::optional<std::string> newPath = std::exchange(m_newPath, std::nullopt);
        lock.unlock();
        try {
            if (newPath) analysis = std::make_unique<SceneAnalysis>(*newPath);
            work(*analysis);
        } catch (const Interrupted&) {
            // The document is being closed.
        } catch (const std::exception& e) {
            Finding f;
            f.text = QString::fromUtf8(e.what());
            QMetaObject::invokeMethod(
                this, [this, f] { take({f}, m_document.text().revision(), true); }, Qt::QueuedConnection);
        }
        lock.lock();
    }
    m_phases = nullptr;
}

// --- Text ------------------------------------------------------------------------------------------------------------

void Analyser::sendText()
{
    const SceneText& t = m_document.text();
    if (t.revision() == m_sentRevision) return;
    m_sentRevision = t.revision();
    m_latin1 = t.tree() && t.tree()->utf8("\xE4").size() == 2;
    std::string text = m_latin1 ? t.tree()->utf8(t.bytes()) : t.bytes();
    post([this, text = std::move(text), revision = m_sentRevision](SceneAnalysis& a) mutable {
        if (a.text().empty())
            a.setText(std::move(text));
        else
            a.edit(difference(a.text(), text));
        QMetaObject::invokeMethod(
            this, [this, found = findingsOf(a), revision] { take(found, revision, false); }, Qt::QueuedConnection);
    });
}

namespace {

/// A simulation with the session that it needs.
struct Built
{
    Built(std::shared_ptr<Session> s, const std::shared_ptr<Node>& root) : session(std::move(s)), simulation(root) {}
    ~Built()
    {
        const Session::Scope scope(*session);
        simulation.reset();
    }
    Built(const Built&) = delete;
    Built& operator=(const Built&) = delete;

    std::shared_ptr<Session> session;
    std::optional<Simulation> simulation;
};

}  // namespace

void Analyser::check()
{
    sendText();
    post([this, revision = m_sentRevision](SceneAnalysis& a) {
        if (a.isProvisional()) a.refresh();
        auto simulation = std::make_shared<std::shared_ptr<Simulation>>();
        a.check([&](const std::shared_ptr<Node>& root, const std::shared_ptr<Session>& session) {
            const auto made = std::make_shared<Built>(session, root);
            if (made->simulation->init()) *simulation = {made, &*made->simulation};
        });
        QMetaObject::invokeMethod(
            this,
            [this, found = findingsOf(a), revision, simulation] {
                take(found, revision, true);
                if (m_document.text().revision() != revision) return;
                if (*simulation)
                    Q_EMIT built(*simulation);
                else
                    Q_EMIT notBuilt();
            },
            Qt::QueuedConnection);
    });
}

std::size_t Analyser::byteOf(std::size_t analysed) const
{
    if (!m_latin1) return analysed;
    const std::string& bytes = m_document.text().bytes();
    std::size_t at = 0;
    for (std::size_t utf8 = 0; at < bytes.size() && utf8 < analysed; ++at) utf8 += isHigh(bytes[at]) ? 2 : 1;
    return at;
}

std::size_t Analyser::analysedAt(std::size_t byte) const
{
    if (!m_latin1) return byte;
    const std::string_view before = std::string_view(m_document.text().bytes()).substr(0, byte);
    return byte + static_cast<std::size_t>(std::ranges::count_if(before, isHigh));
}

// --- Findings --------------------------------------------------------------------------------------------------------

std::vector<Finding> Analyser::findingsOf(const SceneAnalysis& a)
{
    std::vector<Finding> out;
    for (const SceneProblem& p : a.problems()) {
        Finding f;
        f.severity = p.message.severity;
        f.text = QString::fromStdString(p.message.text);
        if (!p.inText && p.message.where.known()) f.file = QString::fromStdString(*p.message.where.file);
        f.line = p.message.where.line;
        f.begin = p.range.begin;
        f.end = p.range.end;
        if (p.inText && out.size() < mostFixed) f.fixes = a.fixes(p);
        out.push_back(std::move(f));
    }
    return out;
}

void Analyser::take(std::vector<Finding> findings, std::size_t revision, bool checked)
{
    if (revision < m_findingsRevision) return;
    m_findings = std::move(findings);
    m_findingsRevision = revision;
    if (checked) m_checkedRevision = revision;
    if (m_latin1)
        for (Finding& f : m_findings) {
            f.begin = byteOf(f.begin);
            f.end = byteOf(f.end);
            for (SceneFix& fix : f.fixes)
                for (TextEdit& e : fix.edits) {
                    const std::size_t end = byteOf(e.at + e.length);
                    e.at = byteOf(e.at);
                    e.length = end - e.at;
                    e.text = m_document.text().tree()->transcoded(e.text);
                }
        }
    Q_EMIT analysed();
}

bool Analyser::mend(const SceneFix& fix)
{
    if (m_document.text().revision() != m_findingsRevision) return false;
    return m_document.perform([&](SceneText& t) { t.edit(fix.edits, fix.title); });
}

std::size_t Analyser::modernise()
{
    if (m_document.text().revision() != m_findingsRevision) return 0;
    std::vector<TextEdit> edits;
    std::size_t count = 0;
    for (const Finding& f : m_findings) {
        if (f.severity != Severity::Deprecated || f.fixes.empty()) continue;
        const auto& one = f.fixes.front().edits;
        edits.insert(edits.end(), one.begin(), one.end());
        ++count;
    }
    std::ranges::sort(edits, {}, &TextEdit::at);
    for (std::size_t i = 1; i < edits.size();) {
        // Two messages about the same name.
        if (edits[i - 1].at + edits[i - 1].length > edits[i].at || edits[i - 1].at == edits[i].at)
            edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
    if (edits.empty()) return 0;
    m_document.perform([&](SceneText& t) { t.edit(std::move(edits), tr("old names to today's").toStdString()); });
    return count;
}

}  // namespace sofa::modeler
