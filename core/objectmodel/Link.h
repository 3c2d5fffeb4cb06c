// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

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
class BaseLink
{
public:
    BaseLink(Base* owner, const LinkInfo& info) : m_owner(owner), m_info(info) { owner->addLink(*this); }
    virtual ~BaseLink() = default;
    BaseLink(const BaseLink&) = delete;
    BaseLink& operator=(const BaseLink&) = delete;

    std::string_view name() const { return m_info.name; }
    std::string_view help() const { return m_info.help; }
    bool isRequired() const { return m_info.required; }
    Base* owner() const { return m_owner; }

    /// Text as the scene wrote it (one or more paths); empty if the scene did not set the link.
    const std::string& path() const { return m_path; }
    bool isSet() const { return !m_path.empty(); }
    virtual void setPath(std::string path, SourceLocation where);
    SourceLocation location;

    /// Finds the targets. Returns false, with the reason in `error`, if one does not exist or has the wrong type.
    virtual bool resolve(std::string& error) = 0;
    virtual std::vector<Base*> targets() const = 0;
    /// Kind of object that the link accepts, for messages and the reference ("State<Vec3>", "topology").
    virtual std::string targetTypeName() const = 0;
    virtual bool isMultiple() const { return false; }
    /// Text that leads to the present targets.
    std::string text() const;

protected:
    void setResolved(bool on) { m_resolved = on; }
    bool isResolved() const { return m_resolved; }

private:
    Base* m_owner;
    LinkInfo m_info;
    std::string m_path;
    bool m_resolved = false;
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
        setResolved(true);
    }

    bool resolve(std::string& error) override
    {
        if (!isSet() || m_target) return true;
        const std::vector<Base*> found = findByPath(*owner(), path(), error);
        for (Base* b : found) {
            if (auto* t = dynamic_cast<T*>(b)) {
                set(t);
                return true;
            }
        }
        // A node stands for the state that holds there.
        if constexpr (requires { T::holdsBelow; }) {
            Base* above = found.empty()
                              ? nullptr
                              : findAbove(*found.front(), [](Base& b) { return dynamic_cast<T*>(&b) != nullptr; });
            if (above) {
                set(dynamic_cast<T*>(above));
                return true;
            }
        }
        if (error.empty()) error = "'" + path() + "' exists but is no " + targetTypeName();
        return false;
    }
    std::vector<Base*> targets() const override
    {
        if (auto* b = dynamic_cast<Base*>(m_target)) return {b};
        return {};
    }
    std::string targetTypeName() const override { return typeLabelOf<T>(); }
    void setPath(std::string p, SourceLocation where) override
    {
        m_target = nullptr;
        BaseLink::setPath(std::move(p), std::move(where));
    }

private:
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
    void add(T* t) { m_targets.push_back(t); }
    void clear() { m_targets.clear(); }

    bool resolve(std::string& error) override
    {
        if (!isSet() || isResolved()) return true;
        m_targets.clear();
        TextCursor c(path());
        while (!c.atEnd()) {
            const std::string one(c.token());
            T* found = nullptr;
            for (Base* b : findByPath(*owner(), one, error))
                if ((found = dynamic_cast<T*>(b))) break;
            if (!found) {
                if (error.empty()) error = "'" + one + "' exists but is no " + targetTypeName();
                return false;
            }
            m_targets.push_back(found);
        }
        setResolved(true);
        return true;
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
    void setPath(std::string p, SourceLocation where) override
    {
        m_targets.clear();
        BaseLink::setPath(std::move(p), std::move(where));
    }

private:
    std::vector<T*> m_targets;
};

}  // namespace sofa::core
