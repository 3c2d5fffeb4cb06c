// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <functional>

#include "core/objectmodel/Base.h"

namespace sofa::core {

struct LinkInfo
{
    std::string_view name;
    std::string_view help;
    bool required = false;  ///< initialisation fails when the scene does not give it and no default is found
};

/// Untyped part of a link from one object to others, written "@path" in scenes.
class BaseLink : public Reference
{
public:
    BaseLink(Base* owner, const LinkInfo& info) : m_owner(owner), m_info(info) { owner->addLink(*this); }

    std::string_view name() const { return m_info.name; }
    std::string_view help() const { return m_info.help; }
    bool isRequired() const { return m_info.required; }
    Base* owner() const { return m_owner; }

    /// Text as the scene wrote it (one or more paths); empty if the scene did not set the link.
    const std::string& path() const { return m_path; }
    bool isSet() const { return !m_path.empty(); }
    void setPath(std::string path, SourceLocation where);
    SourceLocation location;

    /// Finds the targets, unless they are found already. Returns false, with the reason in `error`, if one does not
    /// exist or has the wrong type.
    bool resolve(std::string& error);
    virtual std::vector<Base*> targets() const = 0;
    /// Kind of object that the link accepts, for messages and the reference ("State<Vec3>", "topology").
    virtual std::string targetTypeName() const = 0;
    virtual bool isMultiple() const { return false; }
    /// Text that leads to the present targets.
    std::string text() const;

    /// Notes what the link leads to before its owner is initialised: that is what the scene or a program gave.
    void beginInit() { m_given = !targets().empty(); }
    /// Before the owner is initialised once more: forgets what initialisation found, finds again what was given and had
    /// left the scene, and corrects a path that leads elsewhere because its target was moved or renamed. False, with
    /// the reason in `error`, if an object that was given is not in the scene any more.
    bool renew(std::string& error);

protected:
    void setResolved(bool on) { m_resolved = on; }
    bool isResolved() const { return m_resolved; }
    /// The object that one path leads to; nullptr, with the reason in `error`, if there is none of the right type.
    virtual Base* find(const std::string& path, std::string& error) const = 0;
    /// Leads to no object.
    virtual void clearTargets() = 0;
    /// Leads to this object too; false if it has the wrong type.
    virtual bool addTarget(Base& object) = 0;
    /// An object to which the link led has gone.
    void targetGone(const Base& object);
    bool goesWith(const Leaving& all) const override { return all.contains(*m_owner); }

private:
    /// The paths of the text: one, or those between spaces.
    std::vector<std::string> paths() const;

    Base* m_owner;
    LinkInfo m_info;
    std::string m_path;
    std::vector<ObjectId> m_lost;  ///< objects that were given by no path, and went
    bool m_resolved = false, m_given = true;
};

/// Human name of a class for messages: its `typeLabel()` if it has one.
template <class T>
std::string typeLabelOf()
{
    if constexpr (requires { T::typeLabel(); })
        return std::string(T::typeLabel());
    else
        return "object";
}

/// Every object that `path` ("@../a", "@[-1]", "@/root/b", "@.") may mean, seen from `from`: the object itself and,
/// when it is a node, its components. Empty, with the reason in `error`, if there is none.
std::vector<Base*> findByPath(const Base& from, std::string_view path, std::string& error);
/// First component above `node`, which must be one, that fulfils the condition: what holds in a node that has none.
Base* findAbove(const Base& node, const std::function<bool(Base&)>& condition);

/// The first of these objects that is a T, or for a T that holds below its node the nearest one from there upwards;
/// with the reason in `error` if there is none.
template <class T>
Base* findOfType(const std::vector<Base*>& found, std::string_view path, std::string& error)
{
    const auto isT = [](Base& b) { return dynamic_cast<T*>(&b) != nullptr; };
    for (Base* b : found)
        if (isT(*b)) return b;
    // A node stands for the state that holds there.
    if constexpr (requires { T::holdsBelow; })
        if (Base* above = found.empty() ? nullptr : findAbove(*found.front(), isT)) return above;
    if (error.empty()) error = "'" + std::string(path) + "' exists but is no " + typeLabelOf<T>();
    return nullptr;
}

/// Link to one object of type T (a component class, an interface, or Node).
template <class T>
class Link : public BaseLink
{
public:
    using BaseLink::BaseLink;

    /// Target; resolves the path at the first call. nullptr if there is none.
    T* get() const
    {
        if (!m_target && isSet() && !isResolved()) {
            std::string ignored;
            const_cast<Link*>(this)->resolve(ignored);
        }
        return m_target;
    }
    T* operator->() const { return get(); }
    T& operator*() const { return *get(); }
    explicit operator bool() const { return get() != nullptr; }
    void set(T* target)
    {
        m_target = target;
        refer(dynamic_cast<Base*>(target));
        setResolved(true);
    }

    std::vector<Base*> targets() const override
    {
        if (auto* b = dynamic_cast<Base*>(m_target)) return {b};
        return {};
    }
    std::string targetTypeName() const override { return typeLabelOf<T>(); }

private:
    Base* find(const std::string& path, std::string& error) const override
    {
        return findOfType<T>(findByPath(*owner(), path, error), path, error);
    }
    void clearTargets() override
    {
        set(nullptr);
        setResolved(false);
    }
    bool addTarget(Base& object) override
    {
        auto* t = dynamic_cast<T*>(&object);
        if (t) set(t);
        return t != nullptr;
    }
    void objectGone(const Base& object) override
    {
        m_target = nullptr;
        targetGone(object);
    }

    T* m_target = nullptr;
};

/// Link to any number of objects of type T; the scene separates paths by spaces.
template <class T>
class MultiLink : public BaseLink
{
public:
    using BaseLink::BaseLink;

    const std::vector<T*>& get() const
    {
        if (m_targets.empty() && isSet() && !isResolved()) {
            std::string ignored;
            const_cast<MultiLink*>(this)->resolve(ignored);
        }
        return m_targets;
    }
    void add(T* t)
    {
        m_targets.push_back(t);
        m_ties.push_back(std::make_unique<Tie>(*this, dynamic_cast<Base*>(t)));
    }
    void clear()
    {
        m_targets.clear();
        m_ties.clear();
    }

    std::vector<Base*> targets() const override
    {
        std::vector<Base*> out;
        for (T* t : m_targets)
            if (auto* b = dynamic_cast<Base*>(t)) out.push_back(b);
        return out;
    }
    std::string targetTypeName() const override { return typeLabelOf<T>(); }
    bool isMultiple() const override { return true; }

private:
    struct Tie final : Reference
    {
        Tie(MultiLink& l, Base* object) : link(l) { refer(object); }
        bool goesWith(const Leaving& all) const override { return link.goesWith(all); }
        void objectGone(const Base& object) override { link.drop(*this, object); }

        MultiLink& link;
    };

    Base* find(const std::string& path, std::string& error) const override
    {
        return findOfType<T>(findByPath(*owner(), path, error), path, error);
    }
    void clearTargets() override
    {
        clear();
        setResolved(false);
    }
    bool addTarget(Base& object) override
    {
        auto* t = dynamic_cast<T*>(&object);
        if (t) add(t);
        return t != nullptr;
    }
    void objectGone(const Base&) override {}
    /// Deletes the tie.
    void drop(const Tie& tie, const Base& object)
    {
        const auto it = std::ranges::find(m_ties, &tie, &std::unique_ptr<Tie>::get);
        m_targets.erase(m_targets.begin() + (it - m_ties.begin()));
        m_ties.erase(it);
        targetGone(object);
    }

    std::vector<T*> m_targets;
    std::vector<std::unique_ptr<Tie>> m_ties;  ///< to each target
};

}  // namespace sofa::core
