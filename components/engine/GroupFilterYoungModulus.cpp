// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/topology/MeshLoader.h"

namespace sofa::component {

namespace {

/// Young's modulus of each element from that of its group. There are two kinds of groups:
///   groups         as mesh loaders give them: ranges of elements with a name. Their moduli are `groupModulus`, in the
///                  order of the groups; or by name in `mapGroupModulus`, "soft 3e3; hard 1e6".
///   elementsGroup  the number of the group of each element; `mapGroupModulus` has these numbers for names.
/// What is in no group, or in one without a modulus, has the default. There are as many values as groups or
/// `primitives` reach.
///
/// Otherwise than in SOFA, all groups of a name count, the last entry of `mapGroupModulus` needs no semicolon, and
/// `groupModulus` heeds where groups begin.
class GroupFilterYoungModulus final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<PrimitiveGroup>> d_groups{this, input("groups", "Groups of a mesh loader")};
    Input<Vector<Index>> d_primitives{this, input("primitives", "Elements; their number counts")};
    Input<Vector<int>> d_elementsGroup{this, input("elementsGroup", "Number of the group of each element")};
    Output<Vector<double>> d_youngModulus{this, output("youngModulus", "Young's modulus of each element", "Pa")};
    Input<std::string> d_mapGroupModulus{this, input("mapGroupModulus", "Group and its modulus; the next ...")};
    Input<double> d_defaultYoungModulus{
        this, input("defaultYoungModulus", "Modulus of the other elements", "Pa", Range::positive()), 10000.};
    Input<Vector<double>> d_groupModulus{
        this,
        input("groupModulus", "Modulus of each of `groups`, instead of `mapGroupModulus`", "Pa", Range::positive())};

protected:
    void doUpdate() override
    {
        const Vector<PrimitiveGroup>& groups = d_groups.value();
        Vector<double> moduli(d_primitives.value().size(), d_defaultYoungModulus.value());
        if (!groups.empty()) {
            for (std::size_t g = 0; g < groups.size(); ++g) requireRange(g);
            for (const PrimitiveGroup& g : groups) setRange(moduli, g, d_defaultYoungModulus.value(), false);
            const Vector<double>& values = d_groupModulus.value();
            for (std::size_t g = 0; g < std::min(groups.size(), values.size()); ++g)
                setRange(moduli, groups[g], values[g], true);
            if (values.empty())
                for (const auto& [name, value] : namedModuli()) {
                    bool found = false;
                    for (const PrimitiveGroup& g : groups) {
                        if (g.group != name) continue;
                        setRange(moduli, g, value, true);
                        found = true;
                    }
                    if (!found) throw std::runtime_error("mapGroupModulus: there is no group '" + name + "'");
                }
        } else if (!d_elementsGroup.value().empty()) {
            const auto named = namedModuli();
            moduli.resize(std::max(moduli.size(), d_elementsGroup.value().size()), d_defaultYoungModulus.value());
            for (const auto& [name, value] : named)
                for (std::size_t e = 0; e < d_elementsGroup.value().size(); ++e)
                    if (toText(d_elementsGroup.value()[e]) == name) moduli[e] = value;
        }
        d_youngModulus.setValue(std::move(moduli));
    }

private:
    void requireRange(std::size_t g) const
    {
        const PrimitiveGroup& group = d_groups.value()[g];
        if (group.first < 0 || group.count < 0)
            throw std::runtime_error("groups: number " + std::to_string(g) + " has a negative first element or number");
        requireMeshSize("groups", double(group.first) + group.count);
    }
    void setRange(Vector<double>& moduli, const PrimitiveGroup& g, double value, bool overwrite) const
    {
        const std::size_t end = static_cast<std::size_t>(g.first) + static_cast<std::size_t>(g.count);
        if (moduli.size() < end) moduli.resize(end, d_defaultYoungModulus.value());
        for (std::size_t e = static_cast<std::size_t>(g.first); overwrite && e < end; ++e) moduli[e] = value;
    }
    Vector<std::pair<std::string, double>> namedModuli() const
    {
        Vector<std::pair<std::string, double>> out;
        TextCursor c(d_mapGroupModulus.value());
        while (!c.atEnd()) {
            const std::string name(c.token(";"));
            double value = 0.;
            if (name.empty() || !readValue(c, value))
                throw std::runtime_error("mapGroupModulus: entry " + std::to_string(out.size()) +
                                         " is not the name of a group and a number");
            if (!(value > 0.))
                throw std::runtime_error("mapGroupModulus: the modulus of '" + name + "' is not positive");
            out.emplace_back(name, value);
            c.skipSpace();
            if (!c.accept(';') && !c.atEnd())
                throw std::runtime_error("mapGroupModulus: ';' expected after the modulus of '" + name + "'");
        }
        return out;
    }
};

const RegisterComponent registeredGroupFilterYoungModulus =
    RegisterComponent("GroupFilterYoungModulus", "Engine", "Sofa.Component.Engine.Generate")
        .help("Young's modulus of each element from that of its group")
        .example("component/engine/GroupFilterYoungModulus.scn")
        .add<GroupFilterYoungModulus>();

}  // namespace

}  // namespace sofa::component
