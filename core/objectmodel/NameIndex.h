// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sofa::core {

/// Finds the first object of a name in a node's list of children or components. Short lists are gone through; of a long
/// one the names are kept in order, from the first look-up on. Look-ups may come from several threads, changes not.
template <class T>
class NameIndex
{
public:
    NameIndex() = default;
    ~NameIndex() { forget(); }
    NameIndex(const NameIndex&) = delete;
    NameIndex& operator=(const NameIndex&) = delete;

    using List = std::vector<std::shared_ptr<T>>;

    T* find(const List& list, std::string_view name) const
    {
        constexpr std::size_t few = 16;
        if (list.size() <= few) {
            const auto it = std::ranges::find_if(list, [&](const auto& o) { return o->name() == name; });
            return it == list.end() ? nullptr : it->get();
        }
        const auto& first = namesOf(list).first;
        const auto it = first.find(name);
        return it == first.end() ? nullptr : it->second;
    }
    /// At the end of the list.
    void added(T& object)
    {
        if (Names* n = m_names.load()) n->add(object);
    }
    void removed(const T& object)
    {
        Names* n = m_names.load();
        if (!n) return;
        if (n->ambiguous) return forget();
        n->first.erase(object.name());
    }
    /// After an object was renamed.
    void forget() { delete m_names.exchange(nullptr); }

private:
    struct Names
    {
        std::map<std::string, T*, std::less<>> first;
        bool ambiguous = false;  ///< some name is that of several objects

        void add(T& object)
        {
            if (!first.try_emplace(object.name(), &object).second) ambiguous = true;
        }
    };

    const Names& namesOf(const List& list) const
    {
        Names* names = m_names.load(std::memory_order_acquire);
        if (names) return *names;
        auto fresh = std::make_unique<Names>();
        for (const auto& o : list) fresh->add(*o);
        if (m_names.compare_exchange_strong(names, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
        return *names;
    }
    mutable std::atomic<Names*> m_names{nullptr};
};

}  // namespace sofa::core
