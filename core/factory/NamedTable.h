// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sofa::core {

/// Reports that a name is registered for the second time: the message names the library of each. Registration runs
/// while libraries are loaded, where an exception would end the program.
void reportTaken(std::string_view kind, std::string_view name, const std::string& firstLibrary);
/// Throws std::runtime_error: there is no such thing, what the name may mean, and what there is.
[[noreturn]] void throwUnknown(std::string_view kind, std::string_view name, const std::vector<std::string>& known);
/// Library that is being loaded now ("the program" while none is), for messages.
std::string registeringLibrary();

/// One kind of things that are registered under names, by the program, plugins and scripts alike, at any time and from
/// any thread. The table owns names and values; who has found a value keeps it, though it be withdrawn. Lists are in
/// the order of the names, so that nothing depends on the order in which libraries are loaded.
template <class T>
class NamedTable
{
public:
    /// `kind` is the word for one of them in messages: "mesh format".
    explicit NamedTable(std::string kind) : m_kind(std::move(kind)) {}

    /// Adds a value. A name that is taken is reported as an error and keeps its first value: the result is nullptr.
    std::shared_ptr<const T> add(const std::string& name, T value)
    {
        const std::lock_guard lock(m_mutex);
        const auto [it, isNew] = m_entries.try_emplace(name);
        if (!isNew) {
            reportTaken(m_kind, name, it->second.library);
            return nullptr;
        }
        it->second = {std::make_shared<const T>(std::move(value)), registeringLibrary()};
        ++m_revision;
        return it->second.value;
    }
    /// Takes a value in place of what the name had, if it had one: overriding on purpose.
    std::shared_ptr<const T> replace(const std::string& name, T value)
    {
        const std::lock_guard lock(m_mutex);
        ++m_revision;
        return (m_entries[name] = {std::make_shared<const T>(std::move(value)), registeringLibrary()}).value;
    }
    /// Withdraws a name; false if there is none.
    bool remove(std::string_view name)
    {
        const std::lock_guard lock(m_mutex);
        const auto it = m_entries.find(name);
        if (it == m_entries.end()) return false;
        m_entries.erase(it);
        ++m_revision;
        return true;
    }
    /// nullptr if there is none.
    std::shared_ptr<const T> find(std::string_view name) const
    {
        const std::lock_guard lock(m_mutex);
        const auto it = m_entries.find(name);
        return it == m_entries.end() ? nullptr : it->second.value;
    }
    /// Throws std::runtime_error, with the names that there are, if there is none.
    std::shared_ptr<const T> get(std::string_view name) const
    {
        auto value = find(name);
        if (!value) throwUnknown(m_kind, name, names());
        return value;
    }
    std::vector<std::string> names() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<std::string> out;
        for (const auto& [name, entry] : m_entries) out.push_back(name);
        return out;
    }
    std::vector<std::shared_ptr<const T>> all() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<std::shared_ptr<const T>> out;
        for (const auto& [name, entry] : m_entries) out.push_back(entry.value);
        return out;
    }
    /// Grows with every change.
    std::size_t revision() const { return m_revision.load(std::memory_order_acquire); }

private:
    struct Entry
    {
        std::shared_ptr<const T> value;
        std::string library;
    };
    std::string m_kind;
    mutable std::mutex m_mutex;
    std::map<std::string, Entry, std::less<>> m_entries;
    std::atomic<std::size_t> m_revision{1};
};

}  // namespace sofa::core
