// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <mutex>
#include <typeindex>

#include "core/objectmodel/Component.h"

namespace sofa::core {

/// One template instance of a registered component.
struct ComponentCreator
{
    std::string templ;  ///< canonical template name; empty for a class without template
    /// Makes an object. It may carry state, and own what it needs: a scripting language registers closures.
    std::function<std::shared_ptr<Component>()> create;
    /// Whether one can be made there; empty: anywhere.
    std::function<bool(const Node*, const ComponentDescription&, std::string&)> canCreate = {};
    const std::type_info* type = nullptr;  ///< of the C++ class, where there is one for this registration
    const void* code = nullptr;            ///< an address in the library of the class

    bool fits(const Node* node, const ComponentDescription& desc, std::string& why) const
    {
        return !canCreate || canCreate(node, desc, why);
    }
};

/// All that is known of a component class. Nothing of it changes once it is registered; objects keep the entry that
/// made them, though it be withdrawn.
struct ComponentEntry
{
    std::string name;
    std::string module;  ///< SOFA's module, e.g. "Sofa.Component.Mass"; also satisfied by RequiredPlugin
    std::string help;
    std::string authors;
    std::string license = "LGPL-2.1-or-later";
    std::string example;     ///< path of an example scene under scenes/
    bool isDefault = false;  ///< of its category: made where a scene needs one and has none
    std::string category;    ///< kind of component, for libraries and the reference: "ForceField", "Mapping", ...
    /// Class that it extends, for registrations without a C++ class of their own: a registered name, or a class of the
    /// framework ("ForceField").
    std::string base;
    std::string library;  ///< that registered it, while it was being loaded
    std::vector<std::string> aliases;
    std::vector<ComponentCreator> creators;  ///< the first is the default template
};
using ComponentEntryPtr = std::shared_ptr<const ComponentEntry>;

/// Thrown when a component cannot be created; the text says what was expected.
struct CreationError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Every component class of the program, of the loaded plugins, and of whoever else registers one. Classes come and go
/// at any time, from any thread.
class Registry
{
public:
    static Registry& instance();

    /// Entry by name or alias; nullptr if there is none.
    ComponentEntryPtr find(std::string_view name) const;
    /// All of them, in the order of their names.
    std::vector<ComponentEntryPtr> entries() const;
    /// The component that is made where a scene needs one of this category and has none; nullptr if there is none.
    ComponentEntryPtr defaultOf(std::string_view category) const;
    /// Names and aliases.
    std::vector<std::string> names() const;

    /// The classes from which a class derives, nearest first: "Mass", "BaseMass", ..., "Component", "Base". The name is
    /// a registered one, an alias, or that of such a class. Throws std::runtime_error if there is no such class.
    std::vector<std::string> basesOf(std::string_view name) const;
    /// Whether a class is another one or derives from it.
    bool derives(std::string_view name, std::string_view base) const;
    /// The registered classes that derive from a class, in the order of their names.
    std::vector<std::string> derivedFrom(std::string_view base) const;

    /// Creates the component that `desc` describes, for `node`: chooses the template (given, or deduced from the
    /// context: the first whose canCreate agrees), but neither parses attributes nor adds it. Throws CreationError.
    std::shared_ptr<Component> create(const Node* node, const ComponentDescription& desc) const;
    /// Creates a component and puts it into the node, as scenes do. Throws CreationError.
    std::shared_ptr<Component> createIn(Node& node, ComponentDescription& desc) const;
    /// Puts a component into the node and gives it place, name and attributes. Links to Data are bound as far as their
    /// targets exist. The one way by which components come into a scene, from files, editors and other components.
    static void adopt(Node& node, const std::shared_ptr<Component>& c, ComponentDescription& desc);
    /// Name under which an object was made, also after it was withdrawn; of an object that C++ made, that under which
    /// its class is registered; empty if it is not.
    const std::string& nameOf(const Component& c) const;
    /// The template under which an object was made, or the first one of its class; empty if there is none.
    std::string templateOf(const Component& c) const;

    /// Template name as components register it: "Vec3d" → "Vec3", "Rigid" → "Rigid3", "Mapping<A,B>" → "A,B",
    /// "ExtVec3f" → "Vec3".
    static std::string canonicalTemplate(std::string_view t);

    /// Adds a component. A name that is taken is reported as an error and listed in conflicts(); the first one stays,
    /// and the result is false.
    bool add(ComponentEntry entry);
    /// Replaces the entry of a name by a copy that `change` has edited; objects that exist keep the one that made them.
    void change(const std::string& name, const std::function<void(ComponentEntry&)>& change);
    /// Adds another name for a component; one that is taken is reported as an error and listed in conflicts().
    void addAlias(const std::string& alias, const std::string& name);
    /// States the class that a component extends (ComponentEntry::base). One that is unknown is reported as an error
    /// and listed in conflicts(); the component is withdrawn, and the result is false.
    bool setBase(const std::string& name, const std::string& base);
    /// What was registered although its name was taken, one text each.
    std::vector<std::string> conflicts() const;
    /// Withdraws a component and its aliases: from now on none is made. Objects that exist live on, with their name.
    void remove(std::string_view name);

private:
    static std::shared_ptr<Component> make(const ComponentEntryPtr& entry, std::size_t creator);
    void reject(std::string text);
    ComponentEntryPtr findLocked(std::string_view name) const;
    void changeLocked(const std::string& name, const std::function<void(ComponentEntry&)>& change);
    ComponentEntryPtr entryOf(const Component& c) const;
    /// Direct bases of all classes that are known, by name.
    using Classes = std::map<std::string, std::vector<std::string>, std::less<>>;
    Classes classes() const;
    std::vector<std::string> basesOf(std::string_view name, const Classes& known) const;

    mutable std::mutex m_mutex;
    std::map<std::string, ComponentEntryPtr, std::less<>> m_entries;
    std::map<std::string, std::string, std::less<>> m_aliases;
    std::map<std::type_index, ComponentEntryPtr> m_byType;
    std::vector<std::string> m_conflicts;
};

/// Class templates and pairs of types, for RegisterComponent::add.
template <class... T>
struct Types
{
};

/// Registers a component class: one statement beside the class, its name stated once.
///
///     static const RegisterComponent registered =
///         RegisterComponent("UniformMass", "Mass", "Sofa.Component.Mass")
///             .help("The same mass for every point ...")
///             .alias("UniformMassOld")
///             .add<UniformMass, Vec3Types, Rigid3Types>();   // the first is the default
///
/// At run time the same statement stands in a function, with functions that make the objects:
///
///     RegisterComponent("Wind", "ForceField", "my script").help("...").base("ForceField").add("Vec3", [script] {...});
///     ...
///     Registry::instance().remove("Wind");
class RegisterComponent
{
public:
    RegisterComponent(std::string name, std::string category, std::string module);
    RegisterComponent& help(std::string t)
    {
        return change([&](ComponentEntry& e) { e.help = std::move(t); });
    }
    RegisterComponent& alias(const std::string& a)
    {
        if (m_accepted) Registry::instance().addAlias(a, m_name);
        return *this;
    }
    /// What is made where a scene needs a component of this category and has none.
    RegisterComponent& makeDefault()
    {
        return change([](ComponentEntry& e) { e.isDefault = true; });
    }
    RegisterComponent& authors(std::string t)
    {
        return change([&](ComponentEntry& e) { e.authors = std::move(t); });
    }
    RegisterComponent& license(std::string t)
    {
        return change([&](ComponentEntry& e) { e.license = std::move(t); });
    }
    /// Example scene, relative to scenes/.
    RegisterComponent& example(std::string t)
    {
        return change([&](ComponentEntry& e) { e.example = std::move(t); });
    }
    /// The class that is extended, where functions make the objects (ComponentEntry::base).
    RegisterComponent& base(const std::string& b)
    {
        m_accepted = m_accepted && Registry::instance().setBase(m_name, b);
        return *this;
    }
    /// Adds a class. Its template name is T::staticTemplateName() where it has one, or the names given here.
    template <class T>
    RegisterComponent& add(std::vector<std::string> templates = {})
    {
        if (templates.empty()) {
            if constexpr (requires { T::staticTemplateName(); })
                templates = {std::string(T::staticTemplateName())};
            else
                templates = {""};
        }
        std::shared_ptr<Component> (*const create)() = [] { return std::shared_ptr<Component>(std::make_shared<T>()); };
        for (auto& t : templates)
            add({std::move(t), create, &T::canCreate, &typeid(T), reinterpret_cast<const void*>(create)});
        return *this;
    }
    /// Adds the instances of a class template for types, or, for one of several parameters, for lists Types<A, B>. It
    /// instantiates them, so that neither "extern template" in the header nor "template class" is needed beside it;
    /// except where other C++ code calls functions of the class that are not virtual.
    template <template <class...> class T, class... Arguments>
    RegisterComponent& add()
    {
        (Instance<T, Arguments>::add(*this), ...);
        return *this;
    }
    /// Adds objects that a function makes, at places where another one agrees.
    RegisterComponent& add(std::string templ, std::function<std::shared_ptr<Component>()> create,
                           decltype(ComponentCreator::canCreate) canCreate = {})
    {
        return add({.templ = std::move(templ), .create = std::move(create), .canCreate = std::move(canCreate)});
    }

private:
    template <template <class...> class T, class Argument>
    struct Instance
    {
        static void add(RegisterComponent& r) { r.add<T<Argument>>(); }
    };
    template <template <class...> class T, class... A>
    struct Instance<T, Types<A...>>
    {
        static void add(RegisterComponent& r) { r.add<T<A...>>(); }
    };
    RegisterComponent& add(ComponentCreator creator);
    RegisterComponent& change(const std::function<void(ComponentEntry&)>& f)
    {
        if (m_accepted) Registry::instance().change(m_name, f);
        return *this;
    }

    std::string m_name;
    bool m_accepted = false;
};

}  // namespace sofa::core
