// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Probe.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/objectmodel/Path.h"

namespace sofa::core {

namespace {

const std::vector<std::string> operationNames = {"min", "max", "mean", "sum", "norm", "x", "y", "z"};

NumberList single(double v) { return {{v}, 1}; }

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

Probe::Probe(std::string text) : m_text(std::move(text))
{
    if (m_text.starts_with('@')) m_text.erase(0, 1);
    std::string rest = m_text;
    const auto wrong = [&](const std::string& why) { throw std::runtime_error("probe '" + m_text + "': " + why); };
    const auto dot = rest.rfind('.', rest.find(':'));
    const auto slash = rest.rfind('/', rest.find(':'));
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash))
        wrong("expected @PATH.NAME or @PATH.NAME:OPERATION, such as @/body/dofs.position:max");
    rest.erase(0, dot + 1);
    for (std::size_t colon = 0; colon != std::string::npos; rest.erase(0, colon + 1)) {
        colon = rest.find(':');
        m_operations.push_back(rest.substr(0, colon));
    }
    const std::string name = m_operations.front();
    m_operations.erase(m_operations.begin());
    m_path = '@' + m_text.substr(0, dot + 1) + name;
    if (name.empty()) wrong("there is no name of a Data behind the '.'");
    for (const std::string& o : m_operations) {
        const bool index = !o.empty() && o.size() < 10 && o.find_first_not_of("0123456789") == std::string::npos;
        if (!index && std::ranges::find(operationNames, o) == operationNames.end())
            wrong("'" + o + "' is no operation: expected min, max, mean, sum, norm, x, y, z or the index of an entry");
    }
}

NumberList Probe::value(const Base& from) const
{
    std::string error;
    NumberList out;
    try {
        const BaseData* d = findDataByPath(from, m_path, error);
        if (d && numbersOf(*d, out)) return out;
        if (d) error = d->ddgName() + " (" + d->typeName() + ") does not hold numbers";
    } catch (const DataError& e) {
        error = e.what();
    }
    throw std::runtime_error("probe '" + m_text + "': " + error);
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

NumberList Probe::evaluate(const Base& from) const
{
    NumberList list = value(from);
    for (const std::string& o : m_operations) apply(o, list);
    return list;
}

std::string Probe::objectOf(const Base& from) const
{
    std::string error;
    const BaseData* d = findDataByPath(from, m_path, error);
    const Base* owner = d ? d->owner() : nullptr;
    if (!owner) return "";
    const std::string at = owner->location.str();
    return (at.empty() ? "" : at + ": ") + owner->pathName() + " (" + owner->className() + "): ";
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
    const SceneForces shared(root);
    Vector<double> row{static_cast<double>(s.stepCount()), root.time()};
    std::vector<std::string> columns{"step", "time"};
    std::vector<std::size_t> sizes;
    for (const Probe& p : m_probes) {
        const NumberList values = p.evaluate(root);
        if (values.values.empty())
            throw std::runtime_error(p.objectOf(root) + "probe '" + p.text() +
                                     "': the list is empty, so that the table has no column for it; of nothing ':sum' "
                                     "is 0 and ':max' nan");
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
