// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/log/Message.h"
#include "core/log/Suggestion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iostream>
#include <map>
#include <mutex>

#include "core/log/Session.h"

namespace sofa::core {

std::string_view toString(Severity s)
{
    switch (s) {
        case Severity::Debug:
            return "debug";
        case Severity::Info:
            return "info";
        case Severity::Advice:
            return "advice";
        case Severity::Deprecated:
            return "deprecated";
        case Severity::Warning:
            return "warning";
        case Severity::Error:
            return "error";
    }
    return "";
}

std::string SourceLocation::str() const
{
    if (!file) return {};
    std::string s = *file;
    if (line > 0) s += ':' + std::to_string(line);
    if (line > 0 && column > 0) s += ':' + std::to_string(column);
    return s;
}

std::string Message::str() const
{
    std::string s = where.str();
    if (!s.empty()) s += ": ";
    s += toString(severity);
    s += ": ";
    if (!sender.empty()) s += sender + ": ";
    return s + text;
}

namespace {

struct LogState
{
    std::recursive_mutex mutex;
    struct Entry
    {
        MessageLog::Handler handler;
        bool alsoPrint;
    };
    std::map<int, Entry> handlers;
    int nextId = 1;
    std::array<std::size_t, 6> counts{};
    Severity threshold = Severity::Info;
    MessageCapture* capture = nullptr;
    MessageRecorder* recorder = nullptr;
};

LogState& logState()
{
    static const SessionLocal<LogState> s;
    return *s;
}

}  // namespace

void MessageLog::emit(const Message& m)
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    if (m.severity < s.threshold) return;
    ++s.counts[static_cast<std::size_t>(m.severity)];
    for (MessageRecorder* r = s.recorder; r; r = r->m_outer) r->m_messages.push_back(m);
    if (s.capture) {
        s.capture->m_messages.push_back(m);
        return;
    }
    if (std::all_of(s.handlers.begin(), s.handlers.end(), [](const auto& h) { return h.second.alsoPrint; })) {
        // A terminal shows each line at once; what goes into a file or to another program waits until much is there,
        // or a warning comes, before which the standard library writes it out.
        if (m.severity <= Severity::Advice)
            std::cout << m.str() << '\n';
        else
            std::cerr << m.str() << std::endl;
    }
    for (auto& [id, h] : s.handlers) h.handler(m);
}

void MessageLog::emit(Severity sev, std::string text, SourceLocation where, std::string sender)
{
    emit(Message{sev, std::move(where), std::move(sender), std::move(text)});
}

int MessageLog::addHandler(Handler h, bool alsoPrint)
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    s.handlers.emplace(s.nextId, LogState::Entry{std::move(h), alsoPrint});
    return s.nextId++;
}

void MessageLog::removeHandler(int id)
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    s.handlers.erase(id);
}

std::size_t MessageLog::count(Severity sev)
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    return s.counts[static_cast<std::size_t>(sev)];
}

void MessageLog::resetCounts()
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    s.counts.fill(0);
}

void MessageLog::setThreshold(Severity sev)
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    s.threshold = sev;
}

Severity MessageLog::threshold()
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    return s.threshold;
}

MessageCapture::MessageCapture()
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    m_outer = s.capture;
    s.capture = this;
}

MessageCapture::~MessageCapture()
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    s.capture = m_outer;
}

MessageRecorder::MessageRecorder()
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    m_outer = s.recorder;
    s.recorder = this;
}

MessageRecorder::~MessageRecorder()
{
    LogState& s = logState();
    std::lock_guard lock(s.mutex);
    s.recorder = m_outer;
}

std::size_t MessageCapture::count(Severity s) const
{
    return static_cast<std::size_t>(
        std::count_if(m_messages.begin(), m_messages.end(), [s](const Message& m) { return m.severity == s; }));
}

bool MessageCapture::has(Severity s, std::string_view part) const
{
    return std::any_of(m_messages.begin(), m_messages.end(),
                       [&](const Message& m) { return m.severity == s && m.str().find(part) != std::string::npos; });
}

std::string MessageCapture::text() const
{
    std::string t;
    for (const auto& m : m_messages) t += m.str() + '\n';
    return t;
}

namespace {

/// Optimal string alignment distance (Damerau–Levenshtein with adjacent transpositions), case-insensitive.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    const auto low = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::vector<std::size_t> before(b.size() + 1), prev(b.size() + 1), cur(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) prev[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        cur[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t cost = low(a[i - 1]) == low(b[j - 1]) ? 0 : 1;
            cur[j] = std::min({prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost});
            if (i > 1 && j > 1 && low(a[i - 1]) == low(b[j - 2]) && low(a[i - 2]) == low(b[j - 1]))
                cur[j] = std::min(cur[j], before[j - 2] + 1);
        }
        std::swap(before, prev);
        std::swap(prev, cur);
    }
    return prev[b.size()];
}

}  // namespace

std::string nearestMatch(std::string_view name, const std::vector<std::string>& candidates)
{
    const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
    std::string best;
    std::size_t bestDistance = limit + 1;
    for (const auto& c : candidates) {
        if (c.size() > name.size() + limit || name.size() > c.size() + limit) continue;
        const std::size_t d = editDistance(name, c);
        if (d < bestDistance) {
            bestDistance = d;
            best = c;
        }
    }
    return best;
}

namespace {

constexpr std::string_view suggestionOpening = "did you mean '", suggestionClosing = "'?";

}  // namespace

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates)
{
    const std::string m = nearestMatch(name, candidates);
    return m.empty() ? std::string() : " (" + std::string(suggestionOpening) + m + std::string(suggestionClosing) + ')';
}

std::optional<Suggestion> suggestionIn(std::string_view text)
{
    const auto at = text.find(suggestionOpening);
    if (at == std::string_view::npos) return {};
    const auto begin = at + suggestionOpening.size(), end = text.find(suggestionClosing, begin);
    if (end == std::string_view::npos) return {};
    const std::vector<std::string> meant{std::string(text.substr(begin, end - begin))};
    // The word that was found stands between quotes: the last one before that is near in spelling, or the first behind.
    std::vector<std::string_view> pieces;
    const auto collect = [&pieces](std::string_view part) {
        for (auto open = part.find('\''); open != std::string_view::npos;) {
            const auto close = part.find('\'', open + 1);
            if (close != std::string_view::npos) pieces.push_back(part.substr(open + 1, close - open - 1));
            open = close;
        }
    };
    collect(text.substr(0, at));
    std::ranges::reverse(pieces);
    collect(text.substr(end + suggestionClosing.size()));
    for (const std::string_view p : pieces)
        if (!nearestMatch(p, meant).empty()) return Suggestion{std::string(p), meant.front()};
    return {};
}

}  // namespace sofa::core
