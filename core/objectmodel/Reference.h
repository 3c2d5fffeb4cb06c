// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <type_traits>

namespace sofa::core {

class Base;
class Leaving;

/// Refers to an object, and is told when that object leaves its scene or is destroyed. The objects themselves hold the
/// list of their references, so that none is left behind. References are made, changed and told in one thread at a
/// time: that which changes the scene.
class Reference
{
public:
    Reference() = default;
    virtual ~Reference() { refer(nullptr); }
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;

protected:
    Base* referred() const { return m_object; }
    /// Refers to this object from now on; nullptr: to none.
    void refer(Base* object);
    /// Whether the reference stays although its object leaves the scene, because its owner leaves too.
    virtual bool goesWith(const Leaving&) const { return false; }
    /// The object has gone: it left its scene, or is being destroyed, when only what is in Base may be used. The
    /// reference refers to none any more.
    virtual void objectGone(const Base& object) = 0;

private:
    friend class Base;
    friend class Leaving;
    Base* m_object = nullptr;
    Reference* m_next = nullptr;    ///< of the same object
    Reference** m_place = nullptr;  ///< what points to this one
};

/// A pointer to an object that becomes nullptr when the object leaves its scene or is destroyed.
template <class T>
class Tracked final : public Reference
{
public:
    Tracked() = default;
    Tracked(T* target) { set(target); }
    Tracked(const Tracked& other) : Reference() { set(other.m_target); }
    Tracked& operator=(const Tracked& other)
    {
        if (this != &other) set(other.m_target);
        return *this;
    }
    Tracked& operator=(T* target)
    {
        set(target);
        return *this;
    }

    T* get() const { return m_target; }
    operator T*() const { return m_target; }
    T* operator->() const { return m_target; }

private:
    void set(T* target)
    {
        m_target = target;
        auto* object = const_cast<std::remove_const_t<T>*>(target);
        if constexpr (std::is_base_of_v<Base, T>)
            refer(object);
        else
            refer(dynamic_cast<Base*>(object));
    }
    void objectGone(const Base&) override { m_target = nullptr; }

    T* m_target = nullptr;
};

}  // namespace sofa::core
