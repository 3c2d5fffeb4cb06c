// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <sstream>
#include <unordered_set>

#include "core/objectmodel/Data.h"
#include "core/objectmodel/Reference.h"
#include "core/objectmodel/SceneChange.h"

namespace sofa::core {

class BaseLink;
class Component;
class Node;

/// One attribute as a scene wrote it.
struct Attribute
{
    std::string name;
    std::string value;
    SourceLocation where;
    bool used = false;
};

/// An element of a scene, as parsed, before the component exists.
struct ComponentDescription
{
    std::string type;   ///< element name, or the `type` attribute of <Object>
    std::string templ;  ///< the `template` attribute; empty when omitted
    std::vector<Attribute> attributes;
    SourceLocation where;

    const Attribute* find(std::string_view name) const;
    Attribute* find(std::string_view name);
    /// Value of an attribute, or `fallback`.
    std::string get(std::string_view name, std::string fallback = {}) const;
    void set(std::string name, std::string value, SourceLocation where = {});
};

/// Number of an object, unique in its scene: 1, 2, ... in the order in which objects came into it. 0: never in one.
using ObjectId = std::uint64_t;

/// Objects that are about to leave a scene: a component, or a node with what is below it and nowhere else.
class Leaving
{
public:
    /// None: an object that is being destroyed goes alone.
    Leaving() = default;
    explicit Leaving(Component& component);
    explicit Leaving(Node& node);
    bool contains(const Base& object) const { return m_all.contains(&object); }

    /// A node before what it holds.
    const std::vector<Base*>& objects() const { return m_objects; }
    /// Makes all references and dependencies from elsewhere let go.
    void letGo() const;

private:
    std::vector<Base*> m_objects;
    std::unordered_set<const Base*> m_all;  ///< to look objects up, never to go through
};

/// Root of everything that has a name, Data, links and messages: components and nodes.
class Base
{
public:
    struct ExtraAttribute
    {
        std::string help;
        bool ignored = false;
    };

private:
    /// The names beside those of Data and links under which scenes set something. Objects of a class share them.
    struct OtherNames
    {
        std::map<std::string, std::string, std::less<>> aliases;  ///< alias → name
        std::map<std::string, ExtraAttribute, std::less<>> extra;
        /// Those with one more: by what makes the difference.
        mutable std::map<std::array<std::string, 3>, std::unique_ptr<OtherNames>> more;
    };
    static const OtherNames& noOtherNames();
    void addOtherName(const char* kind, std::string name, std::string meaning);

    // First, because the Data and links below register themselves here as they are constructed.
    std::vector<BaseData*> m_data;
    std::vector<BaseLink*> m_links;
    const OtherNames* m_otherNames;
    std::vector<std::pair<std::string, std::string>> m_given;
    mutable std::vector<Message> m_messages;
    const std::uint64_t m_serial;
    ObjectId m_id = 0;
    std::uint64_t m_lineage = 0;        ///< of the scene that gave the number
    Reference* m_references = nullptr;  ///< to this object
    std::vector<std::unique_ptr<BaseData>> m_quantities;
    friend class Reference;
    friend class Leaving;
    friend class Node;

public:
    Base();
    virtual ~Base();
    Base(const Base&) = delete;
    Base& operator=(const Base&) = delete;

    Data<std::string> d_name{this, {.name = "name", .help = "Name of the object, unique among its siblings"}};
    Data<TagSet> d_tags{this, {.name = "tags", .help = "Words by which visitors select their objects"}};
    Data<bool> d_printLog{this, {.name = "printLog", .help = "Print informative messages of this object"}, false};
    Data<bool> d_listening{this, {.name = "listening", .help = "Receive events", .displayed = false}, false};

    static std::uint64_t nextSerial();
    /// Counts the objects of the process in the order in which they were made; no two have the same.
    std::uint64_t serial() const { return m_serial; }

    /// Number in the scene, the same as long as the object is there, and when it comes back; checkpoints keep it.
    ObjectId id() const { return m_id; }
    /// For checkpoints: numbers of another run of the same scene. They must be unique.
    void setId(ObjectId id) { m_id = id; }

    const std::string& name() const { return d_name.value(); }
    void setName(std::string n) { d_name.setValue(std::move(n)); }
    /// Registered class name, e.g. "UniformMass"; for nodes "Node".
    virtual std::string className() const = 0;
    /// "Vec3", "Rigid3,Vec3", or empty for a class without template.
    virtual std::string templateName() const { return {}; }
    /// Absolute path in the scene graph, "/body/mass".
    virtual std::string pathName() const { return name(); }
    /// Node from which relative links are resolved: the component's node, or the node itself.
    virtual Node* linkContext() const = 0;
    /// Called when a watched Data (BaseData::setWatched), such as the name, was changed or is out of date; edit() calls
    /// it before the value is written. The listeners of the scene are told then.
    virtual void dataChanged(const BaseData&) {}
    /// Tells the listeners of the scene.
    void tell(SceneChange::Kind kind, const BaseData* data = nullptr) const;
    bool hasTag(const std::string& t) const { return d_tags.value().count(t) > 0; }

    // --- Data and links -------------------------------------------------------------------------------------------
    const std::vector<BaseData*>& data() const { return m_data; }
    const std::vector<BaseLink*>& links() const { return m_links; }
    /// Data or link by name or alias; nullptr if there is none.
    BaseData* findData(std::string_view name) const;
    BaseLink* findLink(std::string_view name) const;
    /// What may be read under a name: the Data, or that of a quantity (core/objectmodel/Quantity.h), which the object
    /// gets now if nobody asked before. nullptr if there is neither.
    BaseData* findReadable(std::string_view name);
    /// Names of the Data and quantities.
    std::vector<std::string> readableNames() const;
    /// Aliases of a Data or link: other names under which scenes may set it.
    void addAlias(const BaseData& d, std::string alias);
    void addAlias(const BaseLink& l, std::string alias);
    std::vector<std::string> aliasesOf(std::string_view name) const;
    /// Registers a Data or link made outside the class body (dynamic ones); the members register themselves.
    void addData(BaseData& d);
    void removeData(BaseData& d);
    void addLink(BaseLink& l);

    /// Declares an attribute that scenes may set although it is no Data (SOFA's "dx", "nx", ...): setDeclared gets it.
    void declareAttribute(std::string name, std::string help);
    /// Declares an attribute of old scenes that has no effect any more; its use is reported as deprecated.
    void ignoreAttribute(std::string name, std::string reason);
    const std::map<std::string, ExtraAttribute, std::less<>>& extraAttributes() const { return m_otherNames->extra; }
    /// Every name that a scene may write as attribute of this object.
    std::vector<std::string> attributeNames() const;

    /// Sets Data and links from a scene element; unknown attributes stay unused, malformed values are reported as
    /// errors. Links ("@...") to Data are remembered and resolved by resolveDataLinks once the graph is complete.
    virtual void parse(ComponentDescription& desc);
    /// Sets one attribute as parse does; false if there is no such Data, link or extra attribute. An empty text empties
    /// a list or a string and is otherwise ignored.
    bool setAttribute(const std::string& name, const std::string& value, const SourceLocation& where);
    /// Takes an attribute back, as if it had not been given: a Data has its default again, a link leads nowhere. False
    /// if there is no such Data or link.
    bool clearAttribute(const std::string& name);
    /// The attributes that a scene or an editor gave, with their texts, in the order in which they came first: what the
    /// scene writer writes. setAttribute and parse record them.
    const std::vector<std::pair<std::string, std::string>>& givenAttributes() const { return m_given; }
    void recordAttribute(const std::string& name, std::string value);
    /// Takes the text of an attribute that this class, or the one above it, declared. Throws std::runtime_error with
    /// what was expected when it is malformed.
    virtual void setDeclared(std::string_view name, std::string_view text);

    /// Binds Data links whose targets exist now. With `report`, a target that is missing is an error. Returns true when
    /// nothing is left to bind. What could not be bound may be tried again.
    bool resolveDataLinks(bool report);

    // --- Messages -------------------------------------------------------------------------------------------------
    SourceLocation location;  ///< where the scene declares the object

    void message(Severity s, std::string text, SourceLocation where = {}) const;
    /// The messages that this object sent, oldest first.
    const std::vector<Message>& messages() const { return m_messages; }
    void clearMessages() { m_messages.clear(); }

    /// Streams one message: `msg(Severity::Warning) << "..." << value;`, sent at the end of the statement.
    class MessageStream
    {
    public:
        MessageStream(const Base& b, Severity s) : m_base(b), m_severity(s) {}
        ~MessageStream() { m_base.message(m_severity, m_text.str()); }
        MessageStream(const MessageStream&) = delete;
        MessageStream& operator=(const MessageStream&) = delete;
        template <class T>
        MessageStream& operator<<(const T& v)
        {
            m_text << v;
            return *this;
        }

    private:
        const Base& m_base;
        Severity m_severity;
        std::ostringstream m_text;
    };
    MessageStream msg(Severity s) const { return {*this, s}; }
    MessageStream msgInfo() const { return {*this, Severity::Info}; }
    MessageStream msgWarning() const { return {*this, Severity::Warning}; }
    MessageStream msgError() const { return {*this, Severity::Error}; }
};

}  // namespace sofa::core
