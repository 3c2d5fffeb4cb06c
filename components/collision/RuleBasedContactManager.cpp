// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <deque>

#include "components/collision/CollisionResponse.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Responses by rules on the names and groups of models. What a model wants comes first, then the first rule that fits,
/// then the response of the manager.
class RuleBasedContactManager final : public CollisionResponse
{
public:
    Data<std::string> d_variables{
        this,
        {.name = "variables",
         .help = "Names of variables, each an attribute of this component; $name$ in a response stands for its value"}};
    Data<Vector<std::string>> d_rules{
        this,
        {.name = "rules",
         .help = "Rules, the first that fits holds: for each three words, two models (their name, a group by its "
                 "number, or * for any) in any order, and the response, with its parameters after a '?'"}};

    void parse(ComponentDescription& desc) override
    {
        if (const Attribute* a = desc.find("variables"))
            for (TextCursor c(a->value); !c.atEnd();) addVariable(std::string(c.token()));
        CollisionResponse::parse(desc);
    }
    void init() override
    {
        m_rules.clear();
        CollisionResponse::init();
        const Vector<std::string>& words = d_rules.value();
        for (std::size_t k = 0; k + 2 < words.size(); k += 3) {
            const std::string what = "rule " + std::to_string(k / 3 + 1) + ": ";
            const Rule rule{words[k], words[k + 1], replaced(words[k + 2], what)};
            if (!isValid() || !checkName(rule.response, what)) return;
            m_rules.push_back(rule);
        }
        if (const std::size_t left = words.size() % 3; left != 0)
            msgWarning() << "a rule is three words, two models and a response; the last " << left << " of "
                         << words.size() << " ('" << words[words.size() - left] << "') make none and are ignored";
    }

protected:
    std::string responseFor(const ModelPair& m) const override
    {
        for (const CollisionModel* model : {m.first, m.second})
            if (!model->d_contactResponse.value().empty()) return model->d_contactResponse.value();
        for (const Rule& r : m_rules)
            if ((fits(r.first, *m.first) && fits(r.second, *m.second)) ||
                (fits(r.first, *m.second) && fits(r.second, *m.first)))
                return r.response;
        return ownResponse();
    }
    std::string ownResponse() const override
    {
        // Mistakes were reported by init.
        return const_cast<RuleBasedContactManager*>(this)->replaced(CollisionResponse::ownResponse(), "");
    }

private:
    struct Rule
    {
        std::string first, second, response;
    };

    static bool fits(const std::string& word, const CollisionModel& m)
    {
        if (word == "*") return true;
        int group = 0;
        std::string error;
        if (word.find_first_not_of("-0123456789") != std::string::npos || !parseText(word, group, error))
            return word == m.name();
        return std::ranges::find(m.d_group.value(), group) != m.d_group.value().end();
    }
    void addVariable(std::string name)
    {
        if (m_variables.contains(name)) return;
        if (findData(name) || findLink(name))
            return fail("variables: '" + name + "' is an attribute of its own already");
        m_names.push_back(std::move(name));
        const std::string& kept = m_names.back();
        m_variables[kept] = std::make_unique<Data<std::string>>(
            this, DataInfo{.name = kept, .help = "Variable of the rules", .group = "Variables"});
    }
    /// The text with the values of its variables.
    std::string replaced(const std::string& text, const std::string& what)
    {
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t begin = text.find('$', at),
                              end = begin == std::string::npos ? begin : text.find('$', begin + 1);
            out += text.substr(at, begin == std::string::npos ? begin : begin - at);
            if (begin == std::string::npos) break;
            if (end == std::string::npos) {
                fail(what + "the variable that begins with '" + text.substr(begin) + "' has no '$' at its end");
                return out;
            }
            const std::string name = text.substr(begin + 1, end - begin - 1);
            const auto it = m_variables.find(name);
            if (it == m_variables.end()) {
                fail(what + "there is no variable '" + name + "'; declare it in 'variables'");
                return out;
            }
            out += it->second->value();
            at = end + 1;
        }
        return out;
    }

    std::deque<std::string> m_names;  ///< where the names of the variables stay
    std::map<std::string, std::unique_ptr<Data<std::string>>> m_variables;
    std::vector<Rule> m_rules;
};

const RegisterComponent registeredRuleBasedContactManager =
    RegisterComponent("RuleBasedContactManager", "ContactManager", "Sofa.Component.Collision.Response.Contact")
        .help("Responds to detected contacts in the way that rules on names and groups of models tell")
        .example("component/collision/RuleBasedContactManager.scn")
        .add<RuleBasedContactManager>();

}  // namespace

}  // namespace sofa::component
