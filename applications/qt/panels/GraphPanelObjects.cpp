// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// What the menu of the graph does with one object: in the view, in plots, in its file.
#include <QMenu>

#include "applications/qt/SourceView.h"
#include "applications/qt/panels/DataEditor.h"
#include "applications/qt/panels/GraphPanel.h"
#include "core/scene/SceneEditor.h"

namespace sofa::qt {

using core::Simulation;

void GraphPanel::addViewEntries(QMenu& menu, const std::string& path)
{
    if (onHidden && isHidden) {
        const bool hidden = isHidden(path);
        menu.addAction(hidden ? tr("S&how") : tr("&Hide"), this, [this, path, hidden] { onHidden(path, !hidden); });
        if (isHidden({})) menu.addAction(tr("Show all that is &hidden"), this, [this] { onHidden({}, false); });
    }
    if (onLookAt) menu.addAction(tr("&Look at it"), this, [this, path] { onLookAt(path); });
    if (onHidden || onLookAt) menu.addSeparator();
}

void GraphPanel::addPlots(QMenu& menu, const std::string& path)
{
    // Its values are known a moment later, when the thread of the simulation has answered.
    menu.setEnabled(false);
    fetch(
        [path](Simulation& s) {
            std::vector<std::string> names;
            const core::Base* object = core::findObject(s.root(), path);
            if (!object) return names;
            for (const core::DataEntry& d : core::takeObject(*object, 100).data) {
                const bool number = d.typeName == "double" || d.typeName == "float" || d.typeName == "int" ||
                                    d.typeName == "unsigned int" || d.typeName.starts_with("Vec");
                if (number || columnsOf(d.typeName) > 0) names.push_back(d.name);
            }
            return names;
        },
        [this, path, shown = QPointer<QMenu>(&menu)](const std::vector<std::string>& names) {
            if (!shown) return;
            for (const std::string& name : names)
                shown->addAction(text(name), this, [this, path, name] {
                    if (onPlot) onPlot(path, name);
                });
            shown->setEnabled(!names.empty());
        });
}

void GraphPanel::removeComponent(const std::string& path)
{
    edit(
        [path](Simulation& s) -> std::string {
            core::Base* object = core::findObject(s.root(), path);
            if (!object) return "there is no '" + path + "' any more";
            try {
                core::SceneEditor(s.root()).remove(*object);
            } catch (const std::exception& e) {
                return e.what();
            }
            return {};
        },
        [this, path](const std::string& error) {
            report(error, tr("%1 was removed").arg(text(path)));
            if (error.empty() && onRemoved) onRemoved(path);
        });
}

void GraphPanel::undo()
{
    edit(
        [](Simulation& s) -> std::string {
            try {
                return core::SceneEditor(s.root()).undo() ? "" : "there is nothing to take back";
            } catch (const std::exception& e) {
                return e.what();
            }
        },
        [this](const std::string& error) { report(error, tr("The last edit was taken back")); });
}

void GraphPanel::showSource(const std::string& path)
{
    struct Where
    {
        std::string file;
        int line = 0;
    };
    fetch(
        [path](Simulation& s) {
            const core::Base* object = core::findObject(s.root(), path);
            return object && object->location.known() ? Where{*object->location.file, object->location.line} : Where();
        },
        [this, path](const Where& where) {
            const QString problem = where.file.empty() ? tr("%1 is in no file of the scene").arg(text(path))
                                                       : qt::showSource(this, text(where.file), where.line);
            if (!problem.isEmpty() && onMessage) onMessage(problem);
        });
}

}  // namespace sofa::qt
