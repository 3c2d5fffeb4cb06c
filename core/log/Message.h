// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sofa::core {

enum class Severity
{
    Debug,
    Info,
    Advice,
    Deprecated,
    Warning,
    Error
};

std::string_view toString(Severity s);

/// A place in a text file; line and column count from 1, 0 means unknown.
struct SourceLocation
{
    std::shared_ptr<const std::string> file;
    int line = 0;
    int column = 0;

    bool known() const { return file != nullptr; }
    /// Whether it is an option of the command line, "--dt".
    bool isOption() const { return known() && file->starts_with("--"); }
    /// "file:line:column", as far as known; empty when nothing is.
    std::string str() const;
};

/// One message to the user: what happened, in which component, and where that component was written.
struct Message
{
    Severity severity = Severity::Info;
    SourceLocation where;
    std::string sender;  ///< component path and class, e.g. "/body/fem (TetrahedronFEMForceField)"; may be empty
    std::string text;

    /// "file:line:column: error: /path (Class): text", the form in which it is printed.
    std::string str() const;
};

/// Hub for the messages of the session (core/log/Session.h) in which the calling thread works. Thread safe. Without a
/// handler, messages go to standard error (Advice and below to standard output).
class MessageLog
{
public:
    using Handler = std::function<void(const Message&)>;

    /// Sends a message to every handler.
    static void emit(const Message& m);
    static void emit(Severity s, std::string text, SourceLocation where = {}, std::string sender = {});

    /// Adds a handler and returns its identifier for removeHandler. A handler takes the place of printing unless
    /// `alsoPrint` is true.
    static int addHandler(Handler h, bool alsoPrint = false);
    static void removeHandler(int id);

    /// Number of messages of this severity since the last resetCounts().
    static std::size_t count(Severity s);
    static void resetCounts();

    /// Messages below this severity are neither counted nor handled. Default: Info.
    static void setThreshold(Severity s);
    static Severity threshold();
};

/// Collects every message emitted during its lifetime; the other handlers are silenced. For tests and checkers.
class MessageCapture
{
public:
    MessageCapture();
    ~MessageCapture();
    MessageCapture(const MessageCapture&) = delete;
    MessageCapture& operator=(const MessageCapture&) = delete;

    const std::vector<Message>& messages() const { return m_messages; }
    std::size_t count(Severity s) const;
    /// True if a message of this severity contains `part`.
    bool has(Severity s, std::string_view part) const;
    /// All messages, one a line.
    std::string text() const;

private:
    std::vector<Message> m_messages;
    MessageCapture* m_outer;
    friend class MessageLog;
};

/// Notes every message emitted during its lifetime, without silencing anything. For reports.
class MessageRecorder
{
public:
    MessageRecorder();
    ~MessageRecorder();
    MessageRecorder(const MessageRecorder&) = delete;
    MessageRecorder& operator=(const MessageRecorder&) = delete;

    const std::vector<Message>& messages() const { return m_messages; }

private:
    std::vector<Message> m_messages;
    MessageRecorder* m_outer;
    friend class MessageLog;
};

/// The candidate nearest in spelling to `name`; empty if none is near enough to be a plausible slip.
std::string nearestMatch(std::string_view name, const std::vector<std::string>& candidates);
/// " (did you mean 'x'?)" or an empty string.
std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace sofa::core
