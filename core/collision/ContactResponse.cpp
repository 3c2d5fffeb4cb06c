// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactResponse.h"

#include <algorithm>
#include <cmath>

#include "core/objectmodel/DataText.h"

namespace sofa::core {

namespace {

std::string_view trimmed(std::string_view s)
{
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = s.find_first_not_of(blank);
    return begin == std::string_view::npos ? std::string_view()
                                           : s.substr(begin, s.find_last_not_of(blank) - begin + 1);
}

}  // namespace

ResponseParameters::ResponseParameters(std::string_view text)
{
    if (trimmed(text).empty()) return;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('&', begin), text.size());
        const std::string_view part = trimmed(text.substr(begin, end - begin));
        begin = end + 1;
        if (part.empty()) continue;
        const std::size_t sign = part.find('=');
        const std::string name(trimmed(part.substr(0, sign)));
        if (sign == std::string_view::npos || name.empty())
            throw std::runtime_error("the parameters of the response are '" + std::string(text) +
                                     "', expected name=value, several of them with & in between");
        if (!m_values.emplace(name, trimmed(part.substr(sign + 1))).second)
            throw std::runtime_error("the parameter '" + name + "' of the response is given twice");
    }
}

const std::string* ResponseParameters::find(const std::string& name) const
{
    m_known.insert(name);
    const auto it = m_values.find(name);
    return it == m_values.end() ? nullptr : &it->second;
}

std::optional<double> ResponseParameters::number(const std::string& name) const
{
    const std::string* text = find(name);
    if (!text) return {};
    double value = 0.;
    std::string error;
    if (!parseText(*text, value, error) || !std::isfinite(value))
        throw std::runtime_error("the parameter '" + name + "' of the response is '" + *text + "', expected a number");
    return value;
}

std::optional<bool> ResponseParameters::flag(const std::string& name) const
{
    const std::string* text = find(name);
    if (!text) return {};
    if (*text == "1" || *text == "true") return true;
    if (*text == "0" || *text == "false") return false;
    throw std::runtime_error("the parameter '" + name + "' of the response is '" + *text + "', expected 1 or 0");
}

std::vector<std::string> ResponseParameters::unknown() const
{
    std::vector<std::string> names;
    for (const auto& [name, value] : m_values)
        if (!m_known.contains(name)) names.push_back(name);
    return names;
}

NamedTable<ContactResponseKind>& contactResponses()
{
    static NamedTable<ContactResponseKind> table("contact response");
    return table;
}

void registerContactResponse(const std::string& name, ResponseCreator creator, bool isNonPenetrating, bool sticks)
{
    contactResponses().add(name, {std::move(creator), isNonPenetrating, sticks});
}

Node& placeOf(const ModelPair& m, Node& scene)
{
    if (!m.first->d_simulated.value()) return *m.second->node();
    if (!m.second->d_simulated.value()) return *m.first->node();
    return scene;
}

void keepNearest(Vector<DetectedContact>& contacts)
{
    // By id, then in the order of detection.
    Vector<std::size_t> order(contacts.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return contacts[a].id < contacts[b].id; });
    Vector<char> kept(contacts.size(), 0);
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t nearest = order[begin], end = begin + 1;
        for (; end < order.size() && contacts[order[end]].id == contacts[nearest].id; ++end)
            if (contacts[order[end]].value < contacts[nearest].value) nearest = order[end];
        kept[nearest] = 1;
        begin = end;
    }
    std::size_t to = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k)
        if (kept[k]) contacts[to++] = contacts[k];
    contacts.resize(to);
}

}  // namespace sofa::core
