// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "core/behavior/BaseForceField.h"
#include "core/behavior/BaseState.h"
#include "core/collision/CollisionModel.h"
#include "core/io/MeshError.h"
#include "core/io/OutputFile.h"
#include "core/io/TextScanner.h"
#include "core/objectmodel/Transient.h"
#include "core/scene/SceneWriter.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/TopologyChange.h"
#include "core/visitor/Operations.h"
#include "core/visual/SurfaceMaker.h"

namespace sofa::core {

namespace {

const std::string magic = "SOFA checkpoint 7\n";

/// FNV-1a over the content: finds truncated and damaged files.
std::uint64_t checksum(const std::string& s)
{
    std::uint64_t h = 1469598103934665603ULL;
    for (unsigned char c : s) h = (h ^ c) * 1099511628211ULL;
    return h;
}

std::string identity(const Component& c) { return c.pathName() + " (" + c.className() + ' ' + c.templateName() + ')'; }

/// Node that holds an object that is no root.
Node& holderOf(const Base& object)
{
    if (const auto* c = dynamic_cast<const Component*>(&object)) return *c->node();
    return *dynamic_cast<const Node&>(object).parents().front();
}

/// Places of objects among the components or the children of their nodes, each of which is gone through once.
class Places
{
public:
    std::uint64_t of(const Base& object)
    {
        const Node& n = holderOf(object);
        if (m_nodes.insert(&n).second) {
            number(n, n.components());
            number(n, n.children());
        }
        return m_places.at(&object);
    }

private:
    template <class List>
    void number(const Node& holder, const List& list)
    {
        for (std::uint64_t k = 0; k < list.size(); ++k)
            if (&holderOf(*list[k]) == &holder) m_places.emplace(list[k].get(), k);
    }
    std::unordered_set<const Node*> m_nodes;
    std::unordered_map<const Base*, std::uint64_t> m_places;
};

/// Saves, or makes anew, the transient objects of the scene and their order, on which sums of forces depend. Returns
/// those that the archive holds.
std::vector<Base*> archiveTransients(Archive& a, Node& root)
{
    std::vector<Base*> made;
    for (TransientOwner* owner : root.getAll<TransientOwner>(Search::Down)) owner->archiveTransients(a, made);
    std::vector<std::pair<std::uint64_t, Base*>> places;
    Places present;
    for (Base* object : made) {
        places.emplace_back(a.loading() ? 0 : present.of(*object), object);
        a(places.back().first);
    }
    if (!a.loading()) return made;
    std::ranges::stable_sort(places, {}, &std::pair<std::uint64_t, Base*>::first);
    std::vector<Node::ComponentMove> moves;
    for (const auto& [place, object] : places) {
        Node& holder = holderOf(*object);
        if (auto* c = dynamic_cast<Component*>(object))
            moves.push_back({c, &holder});
        else
            holder.moveChild(dynamic_cast<Node&>(*object), holder);
    }
    Node::moveComponents(moves);
    return made;
}

/// The nodes and components that a checkpoint holds, in an order that is the same before and after.
struct KeptObjects
{
    std::vector<Node*> nodes;
    std::vector<Component*> components;

    KeptObjects(const Node& root, std::vector<Base*> made)
    {
        std::ranges::sort(made);  // to look them up only
        const auto isKept = [&made](Base* b) { return !isTransient(*b) || std::ranges::binary_search(made, b); };
        for (Node* n : root.descendants(true)) {
            if (!isKept(n)) continue;
            nodes.push_back(n);
            for (const auto& c : n->components())
                if (isKept(c.get())) components.push_back(c.get());
        }
    }
};

/// Saves the number of an object, or gives it the one of the archive.
void archiveId(Archive& a, Base& object)
{
    ObjectId id = object.id();
    a(id);
    if (a.loading()) object.setId(id);
}

/// Those of nodes, and the last that was given.
void archiveIds(Archive& a, Node& root, const std::vector<Node*>& nodes)
{
    a(root.scene().lastId);
    std::uint64_t count = nodes.size();
    a(count);
    if (count != nodes.size())
        throw std::runtime_error("the checkpoint belongs to another scene: it holds more components");
    for (Node* n : nodes) archiveId(a, *n);
}

/// What a scene must share with the one that a checkpoint is of, one line for each thing: the number of points of each
/// state that is part of the scene, but for surfaces that have others at each step. It is compared before anything is
/// changed.
std::vector<std::string> sizesOf(const Node& root)
{
    std::vector<std::string> lines;
    for (const Node* n : root.descendants(true)) {
        if (isTransient(*n)) continue;
        const bool makesSurface = n->get<SurfaceMaker>(Search::Local) != nullptr;
        for (const auto& c : n->components())
            if (const auto* s = dynamic_cast<const BaseState*>(c.get());
                s && !isTransient(*s) && (s->isMechanical() || !makesSurface))
                lines.push_back(identity(*s) + " with " + std::to_string(s->initialSize()) + " points");
    }
    std::ranges::sort(lines);  // groups of contacts move nodes
    return lines;
}

/// Saves the sizes of the scene, or compares them with those of the archive. Throws std::runtime_error.
void archiveSizes(Archive& a, const Node& root)
{
    std::vector<std::string> lines = sizesOf(root);
    std::uint64_t count = lines.size();
    a(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string line = a.loading() ? std::string() : lines[i];
        a(line);
        const std::string here = i < lines.size() ? lines[i] : "nothing more";
        if (line != here) throw std::runtime_error("it holds " + line + " where this one has " + here);
    }
    if (count < lines.size()) throw std::runtime_error("it holds nothing more where this one has " + lines[count]);
}

/// Values of which a continued run is made as much as of its state: the time step, gravity, and single values of
/// masses, materials and other forces, by path and name. Lists change with the elements, results with the time, and
/// the path of a file with the folder.
std::map<std::string, const BaseData*> parametersOf(const Node& root)
{
    std::map<std::string, const BaseData*> found{{"dt", &root.d_dt}, {"gravity", &root.d_gravity}};
    for (const auto* f : root.getAll<BaseForceField>(Search::Down)) {
        if (isTransient(*f)) continue;
        for (const BaseData* d : f->data()) {
            if (!d->isSaved() || d->isReadOnly() || d->group() == "Results") continue;
            if (d->typeName() == TypeName<FileName>::get()) continue;
            if (d->typeName().starts_with("list") && d->text().find(' ') != std::string::npos) continue;
            found.emplace(identity(*f) + " " + d->name(), d);
        }
    }
    return found;
}

/// Saves the parameters of the scene, or compares them with those of the archive. Values of the command line may be
/// others, and with --lenient all may: a warning. Else throws std::runtime_error.
void archiveParameters(Archive& a, const Node& root)
{
    const auto here = parametersOf(root);
    std::uint64_t count = here.size();
    a(count);
    auto it = here.begin();
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string name, value;
        if (!a.loading()) {
            name = it->first;
            value = (it++)->second->text();
        }
        a(name);
        a(value);
        const auto same = here.find(name);
        if (!a.loading() || same == here.end() || same->second->text() == value) continue;
        const std::string text =
            "it was made with " + name + "=\"" + value + "\" where this one has \"" + same->second->text() + "\"";
        if (same->second->location.isOption()) continue;
        if (!root.isLenient()) throw std::runtime_error(text + " (give it by --set or --dt if that is meant)");
        root.message(Severity::Warning, "the checkpoint is of another scene: " + text, same->second->location);
    }
}

/// On whom it depends whether contacts can be made again: those who make them, and the models.
std::vector<ObjectId> contactMakers(const Node& root)
{
    std::vector<ObjectId> ids;
    for (const Node* n : root.descendants(true)) {
        if (isTransient(*n)) continue;
        for (const auto& c : n->components())
            if (dynamic_cast<const CollisionModel*>(c.get()) || dynamic_cast<const TransientOwner*>(c.get()))
                ids.push_back(c->id());
    }
    return ids;
}

/// Sizes of all to which the state of a component may refer: of itself, and of the states and meshes to which it links.
/// A mesh may follow a file that was changed and cannot be read any more: then they are other ones than before.
std::vector<std::size_t> sizesAround(const Component& c)
{
    std::vector<std::size_t> sizes;
    const auto add = [&sizes](const Base* b) {
        if (const auto* s = dynamic_cast<const BaseState*>(b)) sizes.push_back(s->size());
        const auto* t = dynamic_cast<const BaseMeshTopology*>(b);
        if (!t) return;
        try {
            sizes.push_back(t->nbPoints());
            // Lists of sides and edges may be made only when they are asked for.
            const std::size_t solids =
                t->tetrahedra().size() + t->hexahedra().size() + t->prisms().size() + t->pyramids().size();
            sizes.push_back(solids > 0 ? solids : t->triangles().size() + t->quads().size());
        } catch (const DataError&) {
            sizes.push_back(std::numeric_limits<std::size_t>::max());
        }
    };
    add(&c);
    for (const BaseLink* l : c.links())
        for (const Base* target : l->targets()) add(target);
    return sizes;
}

std::string bytesOf(Component& c)
{
    Archive a;
    c.archive(a);
    return a.bytes();
}

/// Whether a component is one of the objects that transient owners made, or below one. Groups hold nodes of others too:
/// these have another parent.
bool isMade(const Component& c, const std::vector<Base*>& made)
{
    const auto isOne = [&made](const Base& b) { return std::ranges::find(made, &b) != made.end(); };
    if (isOne(c)) return true;
    for (const Node* n = c.node();; n = n->parents().front()) {
        if (isOne(*n)) return true;
        if (n->parents().size() != 1) return false;
    }
}

}  // namespace

SceneMemory::SceneMemory(Node& root) : m_contactMakers(contactMakers(root)), m_time(root.time())
{
    Archive elements, transients;
    archiveElements(elements, root);
    m_elements = elements.bytes();
    const std::vector<Base*> made = archiveTransients(transients, root);
    m_transients = transients.bytes();
    for (Component* c : KeptObjects(root, made).components) {
        if (isMade(*c, made))
            m_transient.emplace_back(identity(*c), bytesOf(*c));
        else if (c->isInitialised())
            try {
                m_kept.push_back(
                    {std::shared_ptr(c->node()->components()[c->node()->placeOf(*c)]), sizesAround(*c), bytesOf(*c)});
            } catch (const DataError&) {
                // What follows a file that cannot be read any more begins anew.
            }
    }
}

void SceneMemory::rollBack(Node& root) const
{
    restoreElements(root);
    std::vector<std::shared_ptr<Component>> all;
    for (const Node* n : root.descendants(true)) all.insert(all.end(), n->components().begin(), n->components().end());
    for (const auto& c : all) try {
            if (c->isInitialised()) c->reset();
        } catch (const DataError&) {
            // It follows what cannot be computed now; when it is initialised once more, it says so.
        }
    root.d_time.resetToDefault();
}

void SceneMemory::restore(Node& root)
{
    root.d_time.setValue(m_time);
    const auto tryTo = [&root](const std::function<void()>& load, const std::string& otherwise) {
        try {
            load();
        } catch (const std::runtime_error& e) {
            root.message(Severity::Warning, "the scene was changed: " + std::string(e.what()) + "; " + otherwise);
        }
    };
    tryTo(
        [&] {
            Archive elements(m_elements);
            archiveElements(elements, root);
        },
        "elements that had been removed are there again");
    std::vector<Component*> transient;
    if (contactMakers(root) == m_contactMakers) {
        tryTo(
            [&] {
                Archive transients(m_transients);
                const std::vector<Base*> made = archiveTransients(transients, root);
                std::vector<std::string> names;
                for (Component* c : KeptObjects(root, made).components) {
                    if (!isMade(*c, made)) continue;
                    transient.push_back(c);
                    names.push_back(identity(*c));
                }
                if (!std::ranges::equal(names, m_transient, {}, {}, &std::pair<std::string, std::string>::first)) {
                    transient.clear();
                    throw std::runtime_error("contacts are in another order");
                }
            },
            "contacts begin anew");
    }
    for (const Kept& k : m_kept) {
        if (!k.component->node() || &k.component->node()->root() != &root) continue;
        if (k.sizes != sizesAround(*k.component)) {
            k.component->msgWarning()
                << "what it refers to has another size since the scene was changed: its state is that "
                   "in which the scene begins";
            continue;
        }
        Archive own(k.bytes);
        k.component->archive(own);
    }
    for (std::size_t i = 0; i < transient.size(); ++i) {
        Archive own(m_transient[i].second);
        transient[i]->archive(own);
    }
    // As a step ends: Jacobians of mappings are those of the present positions.
    MechanicalOperations(root, MechanicalParams()).propagateXAndV(vec_id::position, vec_id::velocity);
}

namespace {

/// Everything that a checkpoint holds, without its head.
std::string contentOf(const Simulation& s)
{
    Archive a;
    double time = s.root().time();
    std::uint64_t steps = s.stepCount();
    a(time);
    a(steps);
    archiveSizes(a, s.root());
    Archive elements, transients;
    archiveElements(elements, s.root());
    std::string left = elements.bytes();
    a(left);
    archiveParameters(a, s.root());
    const KeptObjects kept(s.root(), archiveTransients(transients, s.root()));
    std::string made = transients.bytes();
    a(made);
    for (Component* c : kept.components) {
        std::string name = identity(*c), bytes = bytesOf(*c);
        a(name);
        archiveId(a, *c);
        a(bytes);
    }
    archiveIds(a, s.root(), kept.nodes);
    return a.bytes();
}

/// Brings the scene to what a checkpoint holds; `other` is what an error about another scene begins with.
void restore(Simulation& s, const std::string& content, const std::string& other)
{
    Archive a(content);
    double time = 0.;
    std::uint64_t steps = 0;
    a(time);
    a(steps);
    std::string bytesOfElements, bytesOfTransients;
    std::vector<Component*> components;
    std::vector<Node*> nodes;
    try {
        archiveSizes(a, s.root());
        a(bytesOfElements);
        Archive elements(bytesOfElements);
        archiveElements(elements, s.root());
        archiveParameters(a, s.root());
        a(bytesOfTransients);
        Archive transients(bytesOfTransients);
        const KeptObjects kept(s.root(), archiveTransients(transients, s.root()));
        if (!transients.atEnd()) throw std::runtime_error("it holds contacts that this one cannot have");
        components = kept.components;
        nodes = kept.nodes;
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(other + e.what());
    }
    for (Component* c : components) {
        std::string name, bytes;
        if (!a.atEnd()) a(name);
        if (name != identity(*c))
            throw std::runtime_error(other + "it holds " + (name.empty() ? "nothing more" : name) +
                                     " where this one has " + identity(*c));
        archiveId(a, *c);
        a(bytes);
        Archive own(bytes);
        c->archive(own);
    }
    archiveIds(a, s.root(), nodes);
    if (!a.atEnd()) throw std::runtime_error(other + "it holds more components");
    s.root().d_time.setValue(time);
    s.setStepCount(steps);
    // As a step ends: Jacobians of mappings are those of the present positions, for a free motion that comes first.
    MechanicalOperations(s.root(), MechanicalParams()).propagateXAndV(vec_id::position, vec_id::velocity);
}

}  // namespace

void saveCheckpoint(const Simulation& s, const std::string& file)
{
    if (s.isInterrupted()) throw std::runtime_error("there is no checkpoint of a step that was interrupted");
    if (s.isUnsettled()) throw std::runtime_error("the scene was changed, and its components do not fit together yet");
    const std::string content = contentOf(s);
    std::uint64_t sum = checksum(content);
    writeFile(file, magic + std::string(reinterpret_cast<const char*>(&sum), sizeof sum) + content);
}

void loadCheckpoint(Simulation& s, const std::string& file)
{
    std::string bytes;
    try {
        bytes = io::loadBytes(file).text;
    } catch (const io::MeshError& e) {
        throw std::runtime_error("cannot read checkpoint '" + file + "': " + e.what());
    }
    const std::size_t header = magic.size() + sizeof(std::uint64_t);
    if (bytes.compare(0, magic.size(), magic) != 0 || bytes.size() < header)
        throw std::runtime_error("'" + file + "' is no checkpoint of this program");
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.data() + magic.size(), sizeof sum);
    const std::string content = bytes.substr(header);
    if (checksum(content) != sum) throw std::runtime_error("checkpoint '" + file + "' is damaged or truncated");
    // Whatever is wrong with it, the scene stays what it is; after a step that was interrupted it is nothing to keep.
    const bool keeps = !s.isInterrupted() && !s.isUnsettled();
    const std::string before = keeps ? contentOf(s) : std::string();
    try {
        restore(s, content, "checkpoint '" + file + "' belongs to another scene: ");
    } catch (...) {
        if (keeps) restore(s, before, {});
        throw;
    }
}

void saveSceneAndState(const Simulation& s, const std::string& file, SaveOptions options)
{
    // Before the checkpoint of the scene that is there is overwritten.
    if (const auto& document = s.root().scene().document; document && !options.overwrite) document->checkSave(file);
    const bool hasChanged = hasChangedElements(s.root());
    if (options.presentValues && hasChanged) {
        std::string meshes;
        for (const StoredTopology* t : s.root().getAll<StoredTopology>(Search::Down))
            if (t->isEdited()) meshes += " '" + t->pathName() + "'";
        throw std::runtime_error("present values are not written where meshes have changed (" +
                                 (meshes.empty() ? "points of states" : meshes.substr(1)) +
                                 "): the checkpoint, which brings the changes back, belongs to the values with which "
                                 "the scene begins. Save it without present values");
    }
    if (s.stepCount() > 0 || hasChanged) {
        saveCheckpoint(s, file + ".checkpoint");
        options.checkpoint = std::filesystem::path(file + ".checkpoint").filename().string();
    }
    saveScene(s.root(), file, options);
}

}  // namespace sofa::core
