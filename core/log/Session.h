// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace sofa::core {

/// What belongs to a simulation and not to the process: its messages, its timers, the folders in which it looks for
/// files.
///
/// Every thread works in one session: that of the process, unless a Scope says otherwise. A Simulation works in the
/// session in which it was made, in whatever thread it is stepped; parallel loops take that of their caller along. Two
/// scenes in two sessions have nothing in common on which their results or messages depend:
///
///     Session mine;
///     const Session::Scope scope(mine);
///     Simulation s(loadScene("scene.scn"));
class Session
{
public:
    Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// That of this thread.
    static Session& current()
    {
        Session* own = ofThread();
        return own ? *own : ofProcess();
    }

    /// Makes a session the one of this thread until the scope ends. The session must live as long.
    class Scope
    {
    public:
        explicit Scope(Session& s) : m_before(ofThread()) { ofThread() = &s; }
        ~Scope() { ofThread() = m_before; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Session* m_before;
    };

private:
    template <class T>
    friend class SessionLocal;
    static Session*& ofThread()
    {
        thread_local Session* session = nullptr;
        return session;
    }
    static Session& ofProcess();

    std::mutex m_mutex;
    std::map<const void*, std::shared_ptr<void>> m_values;  ///< by their variables
};

/// A variable of which each session has one of its own, made when it is first asked for. It must be static.
template <class T>
class SessionLocal
{
public:
    SessionLocal() = default;
    SessionLocal(const SessionLocal&) = delete;
    SessionLocal& operator=(const SessionLocal&) = delete;

    T& get() const
    {
        Session& s = Session::current();
        const std::scoped_lock lock(s.m_mutex);
        std::shared_ptr<void>& value = s.m_values[this];
        if (!value) value = std::make_shared<T>();
        return *static_cast<T*>(value.get());
    }
    T& operator*() const { return get(); }
    T* operator->() const { return &get(); }
};

}  // namespace sofa::core
