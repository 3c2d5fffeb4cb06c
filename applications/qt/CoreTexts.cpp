// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/CoreTexts.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>
#include <algorithm>
#include <cctype>
#include <vector>

namespace sofa::qt {

namespace {

/// Texts of core and of components: they know nothing of languages, so the texts are here once more, for lupdate and
/// for the search. %1 to %3, in this order, stand for what changes, and the first text that fits is taken. Tests tell
/// what is missing here: LanguageTest of both windows, and tests/scripts/core_texts.py.
constexpr const char* table[] = {
    // Operations of the mouse, and their strengths.
    QT_TRANSLATE_NOOP("core", "attach with a spring"),
    QT_TRANSLATE_NOOP("core", "attach gently (follows slowly)"),
    QT_TRANSLATE_NOOP("core", "attach by a constraint"),
    QT_TRANSLATE_NOOP("core", "fix the point"),
    QT_TRANSLATE_NOOP("core", "release the fixed point"),
    QT_TRANSLATE_NOOP("core", "add a force"),
    QT_TRANSLATE_NOOP("core", "remove the element"),
    QT_TRANSLATE_NOOP("core", "carve: remove what is near"),
    QT_TRANSLATE_NOOP("core", "refine: divide the element"),
    QT_TRANSLATE_NOOP("core", "cut along a path"),
    QT_TRANSLATE_NOOP("core", "add a frame"),
    QT_TRANSLATE_NOOP("core", "sew: two presses join two places"),
    QT_TRANSLATE_NOOP("core", "add the view to the recorded camera"),
    QT_TRANSLATE_NOOP("core", "start or end the recorded flight"),
    QT_TRANSLATE_NOOP("core", "Stiffness of the spring"),
    QT_TRANSLATE_NOOP("core", "Strength of the force"),
    QT_TRANSLATE_NOOP("core", "Radius in which elements are removed"),
    QT_TRANSLATE_NOOP("core", "Edges that are longer are divided"),
    QT_TRANSLATE_NOOP("core", "Depth of the cut below what is drawn"),
    QT_TRANSLATE_NOOP("core", "Stiffness of the stitch"),

    // What is under the cursor.
    QT_TRANSLATE_NOOP("core", "point"),
    QT_TRANSLATE_NOOP("core", "line"),
    QT_TRANSLATE_NOOP("core", "triangle"),
    QT_TRANSLATE_NOOP("core", "sphere"),
    QT_TRANSLATE_NOOP("core", "tetrahedron"),
    QT_TRANSLATE_NOOP("core", "solid"),
    QT_TRANSLATE_NOOP("core", "capsule"),
    QT_TRANSLATE_NOOP("core", "cylinder"),
    QT_TRANSLATE_NOOP("core", "oriented box"),
    QT_TRANSLATE_NOOP("core", "box"),
    QT_TRANSLATE_NOOP("core", "ray"),
    QT_TRANSLATE_NOOP("core", "von Mises stress"),
    QT_TRANSLATE_NOOP("core", "principal strain"),
    QT_TRANSLATE_NOOP("core", "displacement"),
    QT_TRANSLATE_NOOP("core", "velocity"),

    // Groups of attributes.
    QT_TRANSLATE_NOOP("core", "Analysis"),
    QT_TRANSLATE_NOOP("core", "BaryCoords"),
    QT_TRANSLATE_NOOP("core", "Camera"),
    QT_TRANSLATE_NOOP("core", "Controls"),
    QT_TRANSLATE_NOOP("core", "Default_Group"),
    QT_TRANSLATE_NOOP("core", "Fields"),
    QT_TRANSLATE_NOOP("core", "Force"),
    QT_TRANSLATE_NOOP("core", "Force info"),
    QT_TRANSLATE_NOOP("core", "Free Motion"),
    QT_TRANSLATE_NOOP("core", "Graph"),
    QT_TRANSLATE_NOOP("core", "Groups"),
    QT_TRANSLATE_NOOP("core", "Inputs"),
    QT_TRANSLATE_NOOP("core", "Jacobian"),
    QT_TRANSLATE_NOOP("core", "Line search"),
    QT_TRANSLATE_NOOP("core", "Material"),
    QT_TRANSLATE_NOOP("core", "Materials"),
    QT_TRANSLATE_NOOP("core", "Multithreading"),
    QT_TRANSLATE_NOOP("core", "Newton"),
    QT_TRANSLATE_NOOP("core", "Orthotropic"),
    QT_TRANSLATE_NOOP("core", "Outputs"),
    QT_TRANSLATE_NOOP("core", "Regions"),
    QT_TRANSLATE_NOOP("core", "Rest States"),
    QT_TRANSLATE_NOOP("core", "Results"),
    QT_TRANSLATE_NOOP("core", "Selection"),
    QT_TRANSLATE_NOOP("core", "States"),
    QT_TRANSLATE_NOOP("core", "Stats"),
    QT_TRANSLATE_NOOP("core", "Stopping criteria"),
    QT_TRANSLATE_NOOP("core", "Texturing"),
    QT_TRANSLATE_NOOP("core", "Thin elements"),
    QT_TRANSLATE_NOOP("core", "Transformation"),
    QT_TRANSLATE_NOOP("core", "Variables"),
    QT_TRANSLATE_NOOP("core", "Vector"),
    QT_TRANSLATE_NOOP("core", "Vectors"),
    QT_TRANSLATE_NOOP("core", "Viewport"),
    QT_TRANSLATE_NOOP("core", "Visualization"),

    // Steps of an edited text.
    QT_TRANSLATE_NOOP("core", "insert %1 elements"),
    QT_TRANSLATE_NOOP("core", "insert %1"),
    QT_TRANSLATE_NOOP("core", "remove %1 elements"),
    QT_TRANSLATE_NOOP("core", "remove comment"),
    QT_TRANSLATE_NOOP("core", "remove %1"),
    QT_TRANSLATE_NOOP("core", "move %1 elements"),
    QT_TRANSLATE_NOOP("core", "move comment"),
    QT_TRANSLATE_NOOP("core", "move %1"),
    QT_TRANSLATE_NOOP("core", "duplicate %1 elements"),
    QT_TRANSLATE_NOOP("core", "duplicate comment"),
    QT_TRANSLATE_NOOP("core", "duplicate %1"),
    QT_TRANSLATE_NOOP("core", "comment out %1 elements"),
    QT_TRANSLATE_NOOP("core", "comment out %1"),
    QT_TRANSLATE_NOOP("core", "comment in"),
    QT_TRANSLATE_NOOP("core", "rename to '%1'"),
    QT_TRANSLATE_NOOP("core", "set %1"),
    QT_TRANSLATE_NOOP("core", "reset %1"),
    QT_TRANSLATE_NOOP("core", "inline %1"),
    QT_TRANSLATE_NOOP("core", "make prefab %1"),

    // Changes that mend something.
    QT_TRANSLATE_NOOP("core", "Change '%1' to '%2'"),
    QT_TRANSLATE_NOOP("core", "Remove '%1'"),
    QT_TRANSLATE_NOOP("core", "Add %1"),

    // Why an edit is refused.
    QT_TRANSLATE_NOOP("core", "there is no node '%1' any more"),
    QT_TRANSLATE_NOOP("core", "there is no '%1' any more"),
    QT_TRANSLATE_NOOP("core", "there is nothing to take back"),
    QT_TRANSLATE_NOOP("core", "'%1' is in no file of the scene"),
    QT_TRANSLATE_NOOP("core", "an include gives '%1' of '%2' another value, in %3: edit it there"),
    QT_TRANSLATE_NOOP("core", "an override cannot set '%1' of '%2': %3; edit it in the included file"),
    QT_TRANSLATE_NOOP("core", "an override cannot take '%1' from '%2': edit it in the included file"),
    QT_TRANSLATE_NOOP("core", "an include gives '%1' of '%2', in %3: edit it there"),
    QT_TRANSLATE_NOOP("core",
                      "'%1' comes from '%2', of which an include can change attributes only: edit it in that file"),
    QT_TRANSLATE_NOOP("core", "a name is changed by renaming the object"),
    QT_TRANSLATE_NOOP("core", "'%1' of '%2' cannot be taken back"),
    QT_TRANSLATE_NOOP("core", "'%1' is not given '%2' by a file"),
    QT_TRANSLATE_NOOP("core", "an include cannot switch an attribute off: edit it in the included file"),
    QT_TRANSLATE_NOOP("core", "'%1' is given elsewhere: clear it there"),
    QT_TRANSLATE_NOOP("core", "'%1' has no attribute '_%2'"),
    QT_TRANSLATE_NOOP("core", "there is no element to add"),
    QT_TRANSLATE_NOOP("core", "the root of a scene cannot be removed"),
    QT_TRANSLATE_NOOP("core", "'%1' cannot be a name: paths could not lead to it"),
    QT_TRANSLATE_NOOP("core", "the name '%1' is taken in '%2'"),
    QT_TRANSLATE_NOOP("core", "the root of a scene cannot be moved"),
    QT_TRANSLATE_NOOP("core", "an element cannot be moved into another file"),
    QT_TRANSLATE_NOOP("core", "a node cannot be moved into itself"),
    QT_TRANSLATE_NOOP("core", "a node with several parents cannot be moved"),
    QT_TRANSLATE_NOOP("core", "'%1' holds \"--\", which cannot stand in a comment"),
    QT_TRANSLATE_NOOP("core", "there is no element in the comment"),
    QT_TRANSLATE_NOOP("core", "this file is merged with the node around it: its text cannot stand there"),
    QT_TRANSLATE_NOOP("core", "only includes and prefabs can be inlined"),
    QT_TRANSLATE_NOOP("core", "the file cannot be read"),
    QT_TRANSLATE_NOOP("core", "the scene would not be the same with the text of this file in it"),
    QT_TRANSLATE_NOOP("core", "nothing is selected"),
    QT_TRANSLATE_NOOP("core", "the root of a scene cannot be a prefab of it"),
    QT_TRANSLATE_NOOP("core", "only nodes and components can be a prefab"),
    QT_TRANSLATE_NOOP("core", "what becomes a prefab must stand behind each other in one node"),
    QT_TRANSLATE_NOOP("core", "'%1' is part of the scene"),
    QT_TRANSLATE_NOOP("core", "the scene would not be the same with this part in another file"),
    QT_TRANSLATE_NOOP("core", "a name cannot be empty"),
    QT_TRANSLATE_NOOP("core", "'%1' cannot be a name: paths need '/', '@', '[', ']' and spaces for themselves"),
    QT_TRANSLATE_NOOP("core", "the element is not in the text any more"),
    QT_TRANSLATE_NOOP("core", "only elements have names and attributes"),
    QT_TRANSLATE_NOOP("core", "there is no element to insert"),
    QT_TRANSLATE_NOOP("core", "only elements hold others"),
    QT_TRANSLATE_NOOP("core", "the root cannot be there twice"),
    QT_TRANSLATE_NOOP("core", "this cannot be duplicated"),
    QT_TRANSLATE_NOOP("core", "there is a '%1' in this node already"),
    QT_TRANSLATE_NOOP("core", "the root cannot be a comment"),
    QT_TRANSLATE_NOOP("core", "only elements are commented out"),
    QT_TRANSLATE_NOOP("core", "<%1> holds a comment or \"--\", which cannot stand in a comment"),
};

/// Categories of components.
constexpr const char* kinds[] = {
    QT_TRANSLATE_NOOP("core kinds", "Animation Loop"),
    QT_TRANSLATE_NOOP("core kinds", "Articulation"),
    QT_TRANSLATE_NOOP("core kinds", "Broad Phase"),
    QT_TRANSLATE_NOOP("core kinds", "Camera"),
    QT_TRANSLATE_NOOP("core kinds", "Collision Group Manager"),
    QT_TRANSLATE_NOOP("core kinds", "Collision Model"),
    QT_TRANSLATE_NOOP("core kinds", "Collision Pipeline"),
    QT_TRANSLATE_NOOP("core kinds", "Constraint Correction"),
    QT_TRANSLATE_NOOP("core kinds", "Constraint Solver"),
    QT_TRANSLATE_NOOP("core kinds", "Contact Manager"),
    QT_TRANSLATE_NOOP("core kinds", "Context Object"),
    QT_TRANSLATE_NOOP("core kinds", "Controller"),
    QT_TRANSLATE_NOOP("core kinds", "Engine"),
    QT_TRANSLATE_NOOP("core kinds", "Exporter"),
    QT_TRANSLATE_NOOP("core kinds", "Force Field"),
    QT_TRANSLATE_NOOP("core kinds", "Geometry Algorithms"),
    QT_TRANSLATE_NOOP("core kinds", "Haptic Device"),
    QT_TRANSLATE_NOOP("core kinds", "Haptic Rendering"),
    QT_TRANSLATE_NOOP("core kinds", "Intersection Method"),
    QT_TRANSLATE_NOOP("core kinds", "Lagrangian Constraint"),
    QT_TRANSLATE_NOOP("core kinds", "Light"),
    QT_TRANSLATE_NOOP("core kinds", "Linear Solver"),
    QT_TRANSLATE_NOOP("core kinds", "Linear System"),
    QT_TRANSLATE_NOOP("core kinds", "Loader"),
    QT_TRANSLATE_NOOP("core kinds", "Mapping"),
    QT_TRANSLATE_NOOP("core kinds", "Mass"),
    QT_TRANSLATE_NOOP("core kinds", "Mesh Loader"),
    QT_TRANSLATE_NOOP("core kinds", "Miscellaneous"),
    QT_TRANSLATE_NOOP("core kinds", "Narrow Phase"),
    QT_TRANSLATE_NOOP("core kinds", "Nodal Property"),
    QT_TRANSLATE_NOOP("core kinds", "Nonlinear Solver"),
    QT_TRANSLATE_NOOP("core kinds", "Ode Solver"),
    QT_TRANSLATE_NOOP("core kinds", "Ordering Method"),
    QT_TRANSLATE_NOOP("core kinds", "Other"),
    QT_TRANSLATE_NOOP("core kinds", "Projective Constraint"),
    QT_TRANSLATE_NOOP("core kinds", "Scene Utility"),
    QT_TRANSLATE_NOOP("core kinds", "Setting"),
    QT_TRANSLATE_NOOP("core kinds", "Shader"),
    QT_TRANSLATE_NOOP("core kinds", "State"),
    QT_TRANSLATE_NOOP("core kinds", "Topological Mapping"),
    QT_TRANSLATE_NOOP("core kinds", "Topology"),
    QT_TRANSLATE_NOOP("core kinds", "Topology Modifier"),
    QT_TRANSLATE_NOOP("core kinds", "Topology Utility"),
    QT_TRANSLATE_NOOP("core kinds", "Visual"),
    QT_TRANSLATE_NOOP("core kinds", "Visual Loop"),
    QT_TRANSLATE_NOOP("core kinds", "Visual Model"),
};

/// A text of the table with what stands between its fixed parts.
struct Pattern
{
    const char* text;
    QStringList fixed;

    /// What stands for %1 and so on; empty if the text is another one.
    QStringList matched(const QString& all) const
    {
        const QString &first = fixed.front(), &last = fixed.back();
        if (!all.startsWith(first) || !all.endsWith(last)) return {};
        QStringList out;
        qsizetype at = first.size();
        for (qsizetype i = 1; i + 1 < fixed.size(); ++i) {
            const qsizetype next = all.indexOf(fixed[i], at);
            if (next < 0) return {};
            out << all.mid(at, next - at);
            at = next + fixed[i].size();
        }
        const qsizetype end = all.size() - last.size();
        if (end <= at) return {};
        return out << all.mid(at, end - at);
    }
};

struct Table
{
    QHash<QString, const char*> whole;
    std::vector<Pattern> patterns;

    Table()
    {
        for (const char* text : table) {
            QStringList fixed{QString::fromUtf8(text)};
            for (int i = 1; fixed.back().contains('%' + QString::number(i)); ++i)
                fixed = fixed.mid(0, fixed.size() - 1) + fixed.back().split('%' + QString::number(i));
            if (fixed.size() == 1)
                whole[fixed.front()] = text;
            else
                patterns.push_back({text, fixed});
        }
    }
};

const Table& texts()
{
    static const Table made;
    return made;
}

QString translated(const char* text) { return QCoreApplication::translate("core", text); }

/// "ForceField" -> "Force Field".
QString words(std::string_view category)
{
    QString out;
    for (std::size_t i = 0; i < category.size(); ++i) {
        const bool begins = i > 0 && std::isupper(static_cast<unsigned char>(category[i])) &&
                            std::islower(static_cast<unsigned char>(category[i - 1]));
        if (begins) out += ' ';
        out += QLatin1Char(category[i]);
    }
    return out;
}

/// The text in the language of the windows; null if the table does not have it.
QString found(const QString& all)
{
    if (const auto whole = texts().whole.find(all); whole != texts().whole.end()) return translated(*whole);
    for (const Pattern& p : texts().patterns) {
        const QStringList parts = p.matched(all);
        if (parts.isEmpty()) continue;
        const QString to = translated(p.text);
        return parts.size() == 1   ? to.arg(parts[0])
               : parts.size() == 2 ? to.arg(parts[0], parts[1])
                                   : to.arg(parts[0], parts[1], parts[2]);
    }
    return {};
}

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

}  // namespace

QString coreText(std::string_view text)
{
    const QString all = fromUtf8(text), known = found(all);
    return known.isNull() ? all : known;
}

QString kindText(std::string_view category)
{
    return QCoreApplication::translate("core kinds", words(category).toUtf8().constData());
}

bool hasCoreText(std::string_view text) { return !found(fromUtf8(text)).isNull(); }

bool hasKindText(std::string_view category)
{
    return std::ranges::any_of(kinds, [all = words(category)](const char* kind) { return all == kind; });
}

}  // namespace sofa::qt
