// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Probe.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/behavior/Mass.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/objectmodel/Path.h"
#include "core/visitor/StateVectors.h"
#include "core/visual/StressSource.h"

namespace sofa::core {

namespace {

const std::vector<std::string> operationNames = {"min", "max", "mean", "sum", "norm", "x", "y", "z"};

/// Appends the vector of a state; all states of a list have points of one size.
void appendState(const BaseState& s, VecDerivId id, NumberList& out)
{
    if (!out.values.empty() && out.width != s.derivSize())
        throw std::runtime_error("it acts on states of different types");
    out.width = s.derivSize();
    const std::size_t o = out.values.size();
    out.values.resize(o + s.derivScalars());
    s.getScalars(id, out.values.data() + o);
}

NumberList single(double v) { return {{v}, 1}; }

/// The von Mises stress of each element.
NumberList stressesOf(const StressSource& source)
{
    const BaseState* state = source.stressedState();
    const ElementNumbering elements = source.stressedElements();
    if (!state || !elements.topology) return {};
    const VecCoordId restId = state->isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position;
    Vector<Vec3> rest(state->size()), now(state->size());
    for (Index i = 0; i < state->size(); ++i) {
        rest[i] = state->pointPosition(i, restId);
        now[i] = state->pointPosition(i);
    }
    NumberList out;
    source.vonMisesStresses(elements, rest, now, out.values);
    return out;
}

/// Quantities of an object that are no Data, by name.
struct Quantity
{
    const char* name;
    std::function<NumberList()> value;
};

std::vector<Quantity> quantitiesOf(Base& object, ProbeForces& forces)
{
    std::vector<Quantity> out;
    if (auto* node = dynamic_cast<Node*>(&object)) {
        out.push_back({"kineticEnergy", [node] { return single(Simulation::energyOf(*node).kinetic); }});
        out.push_back({"potentialEnergy", [node] { return single(Simulation::energyOf(*node).potential); }});
        out.push_back({"energy", [node] {
                           const Simulation::Energy e = Simulation::energyOf(*node);
                           return single(e.kinetic + e.potential);
                       }});
    }
    if (auto* mass = dynamic_cast<BaseMass*>(&object)) {
        out.push_back({"kineticEnergy", [mass] { return single(mass->kineticEnergy(MechanicalParams())); }});
        out.push_back({"momentum", [mass] {
                           const Vec6 p = mass->momentum(MechanicalParams());
                           return NumberList{{p.begin(), p.end()}, 6};
                       }});
    }
    if (auto* field = dynamic_cast<BaseForceField*>(&object)) {
        out.push_back({"potentialEnergy", [field] { return single(field->potentialEnergy(MechanicalParams())); }});
        out.push_back({"force", [field, &forces] { return forces.of(*field); }});
    }
    if (auto* source = dynamic_cast<StressSource*>(&object))
        out.push_back({"vonMises", [source] { return stressesOf(*source); }});
    if (auto* constraint = dynamic_cast<BaseProjectiveConstraint*>(&object))
        out.push_back({"reaction", [constraint, &forces] { return forces.reaction(*constraint); }});
    return out;
}

/// The result of `f` over the entries, for each scalar of an entry.
template <class F>
NumberList overEntries(const NumberList& in, F f)
{
    NumberList out{{in.values.begin(), in.values.begin() + static_cast<std::ptrdiff_t>(in.width)}, in.width};
    for (std::size_t i = in.width; i < in.values.size(); ++i) {
        double& v = out.values[i % in.width];
        v = f(v, in.values[i]);
    }
    return out;
}

NumberList lengths(const NumberList& in)
{
    NumberList out;
    const std::size_t width = in.width == 1 ? in.values.size() : in.width;
    for (std::size_t i = 0; i < in.values.size(); i += width) {
        double sum = 0.;
        for (std::size_t k = 0; k < width; ++k) sum += in.values[i + k] * in.values[i + k];
        out.values.push_back(std::sqrt(sum));
    }
    return out;
}

NumberList entry(const NumberList& in, std::size_t i)
{
    const auto from = in.values.begin() + static_cast<std::ptrdiff_t>(i * in.width);
    return {{from, from + static_cast<std::ptrdiff_t>(in.width)}, in.width};
}

}  // namespace

const Vector<double>& ProbeForces::total(const BaseState& s)
{
    if (!m_total) {
        VectorOperations vop(m_root);
        m_total.emplace(vop);
        MechanicalOperations(m_root, MechanicalParams()).computeForce(*m_total);
    }
    m_scalars.resize(s.derivScalars());
    s.getScalars(*m_total, m_scalars.data());
    return m_scalars;
}

NumberList ProbeForces::of(BaseForceField& f)
{
    NumberList out;
    VectorOperations vop(m_root);
    const TempDeriv ownId(vop);
    for (BaseState* s : f.states()) {
        s->allocate(ownId);
        s->clear(ownId);
    }
    f.addForce(MechanicalParams(), ownId);
    for (const BaseState* s : f.states()) appendState(*s, ownId, out);
    return out;
}

NumberList ProbeForces::reaction(BaseProjectiveConstraint& c)
{
    NumberList out;
    VectorOperations vop(m_root);
    const TempDeriv ownId(vop);
    for (BaseState* s : c.states()) {
        const Vector<double>& all = total(*s);
        s->allocate(ownId);
        s->setScalars(ownId, all.data());
    }
    c.projectResponse(MechanicalParams(), ownId);
    for (BaseState* s : c.states()) {
        s->add(ownId, ownId, *m_total, -1.);
        appendState(*s, ownId, out);
    }
    return out;
}

Probe::Probe(std::string text) : m_text(std::move(text))
{
    if (m_text.starts_with('@')) m_text.erase(0, 1);
    std::string rest = m_text;
    const auto wrong = [&](const std::string& why) { throw std::runtime_error("probe '" + m_text + "': " + why); };
    const auto dot = rest.rfind('.', rest.find(':'));
    const auto slash = rest.rfind('/', rest.find(':'));
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash))
        wrong("expected @PATH.NAME or @PATH.NAME:OPERATION, such as @/body/dofs.position:max");
    m_path = '@' + rest.substr(0, dot);
    rest.erase(0, dot + 1);
    for (std::size_t colon = 0; colon != std::string::npos; rest.erase(0, colon + 1)) {
        colon = rest.find(':');
        m_operations.push_back(rest.substr(0, colon));
    }
    m_name = m_operations.front();
    m_operations.erase(m_operations.begin());
    if (m_name.empty()) wrong("there is no name of a Data behind the '.'");
    for (const std::string& o : m_operations) {
        const bool index = !o.empty() && o.size() < 10 && o.find_first_not_of("0123456789") == std::string::npos;
        if (!index && std::ranges::find(operationNames, o) == operationNames.end())
            wrong("'" + o + "' is no operation: expected min, max, mean, sum, norm, x, y, z or the index of an entry");
    }
}

NumberList Probe::quantity(Node& root, ProbeForces& forces) const
{
    std::string error;
    const std::vector<Base*> objects = findByPath(root, m_path, error);
    if (objects.empty()) throw std::runtime_error("probe '" + m_text + "': " + error);
    // Of a node only what is its own: a component is named by its path.
    for (Base* b : objects) {
        if (const BaseData* d = b->findData(m_name)) {
            NumberList out;
            if (numbersOf(*d, out)) return out;
            throw std::runtime_error("probe '" + m_text + "': " + d->ddgName() + " (" + d->typeName() +
                                     ") does not hold numbers");
        }
        for (const Quantity& q : quantitiesOf(*b, forces)) {
            if (q.name != m_name) continue;
            try {
                return q.value();
            } catch (const std::exception& e) {
                throw std::runtime_error("probe '" + m_text + "': " + e.what());
            }
        }
    }
    Base& object = *objects.front();
    std::vector<std::string> names;
    std::string quantities;
    for (const BaseData* d : object.data()) names.push_back(d->name());
    for (const Quantity& q : quantitiesOf(object, forces)) {
        names.emplace_back(q.name);
        quantities += (quantities.empty() ? "; besides its Data it has " : ", ") + std::string(q.name);
    }
    throw std::runtime_error("probe '" + m_text + "': '" + object.pathName() + "' (" + object.className() +
                             ") has no data '" + m_name + "'" + didYouMean(m_name, names) + quantities);
}

void Probe::apply(const std::string& operation, NumberList& list) const
{
    const auto wrong = [&](const std::string& why) {
        throw std::runtime_error("probe '" + m_text + "': '" + operation + "': " + why);
    };
    if (operation == "sum" && list.values.empty()) {
        list.values.assign(list.width, 0.);
    } else if (operation == "norm") {
        list = list.values.empty() && list.width == 1 ? single(0.) : lengths(list);
    } else if (operation == "x" || operation == "y" || operation == "z") {
        const auto k = static_cast<std::size_t>(operation[0] - 'x');
        if (k >= list.width) wrong("an entry has " + std::to_string(list.width) + " number(s)");
        NumberList out;
        for (std::size_t i = k; i < list.values.size(); i += list.width) out.values.push_back(list.values[i]);
        list = std::move(out);
    } else if (std::isdigit(static_cast<unsigned char>(operation[0]))) {
        const std::size_t i = std::stoul(operation);
        if (i >= list.entries()) wrong("there are " + std::to_string(list.entries()) + " entries, counted from 0");
        list = entry(list, i);
    } else if (list.values.empty()) {
        // Of nothing there is no least, greatest or mean.
        list.values.assign(list.width, std::nan(""));
    } else if (operation == "min") {
        list = overEntries(list, [](double a, double b) { return std::min(a, b); });
    } else if (operation == "max") {
        list = overEntries(list, [](double a, double b) { return std::max(a, b); });
    } else {
        const double n = operation == "mean" ? static_cast<double>(list.entries()) : 1.;
        list = overEntries(list, [](double a, double b) { return a + b; });
        for (double& v : list.values) v /= n;
    }
}

NumberList Probe::evaluate(Node& root, ProbeForces& forces) const
{
    NumberList list = quantity(root, forces);
    for (const std::string& o : m_operations) apply(o, list);
    return list;
}

std::vector<std::string> Probe::columns(const NumberList& result) const
{
    std::vector<std::string> out;
    const std::size_t n = result.entries(), w = result.width;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < w; ++k) {
            std::string name = m_text;
            if (n > 1) name += '[' + std::to_string(i) + ']';
            if (w == 2 || w == 3)
                name += std::string(".") + "xyz"[k];
            else if (w > 1)
                name += '[' + std::to_string(k) + ']';
            out.push_back(std::move(name));
        }
    return out;
}

ProbeTable::ProbeTable(std::string file, const std::vector<std::string>& probes) : m_file(std::move(file))
{
    for (const std::string& p : probes) m_probes.emplace_back(p);
}

void ProbeTable::write(const Simulation& s)
{
    Node& root = s.root();
    ProbeForces forces(root);
    Vector<double> row{static_cast<double>(s.stepCount()), root.time()};
    std::vector<std::string> columns{"step", "time"};
    std::vector<std::size_t> sizes;
    for (const Probe& p : m_probes) {
        const NumberList values = p.evaluate(root, forces);
        sizes.push_back(values.values.size());
        if (m_table && sizes.back() != m_sizes[sizes.size() - 1])
            throw std::runtime_error("probe '" + p.text() + "' gave " + std::to_string(m_sizes[sizes.size() - 1]) +
                                     " numbers and gives " + std::to_string(sizes.back()) +
                                     " now: a table needs an operation such as :max, or an index");
        row.insert(row.end(), values.values.begin(), values.values.end());
        if (m_table) continue;
        const std::vector<std::string> names = p.columns(values);
        columns.insert(columns.end(), names.begin(), names.end());
    }
    if (!m_table) {
        m_table.emplace(m_file, columns);
        m_sizes = sizes;
    }
    m_table->append(row);
}

void ProbeTable::finish()
{
    if (m_table) m_table->commit();
}

}  // namespace sofa::core
