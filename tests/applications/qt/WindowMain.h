// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <string>

class QWidget;

namespace sofa::qt {

/// Test classes by name, for the program's main().
std::map<std::string, std::function<std::unique_ptr<QObject>()>>& windowTests();

/// Forgets everything that was remembered and chosen.
void clearSettings();

/// What the keyboard reaches in a window but a screen reader cannot name, one a line.
QString namelessWidgets(const QWidget& window);

/// Answers the next file dialog with a path, while `owner` lives.
void answerFileDialog(QObject* owner, const QString& path);

/// Registers a test class under its name.
template <class T>
bool registerWindowTest()
{
    windowTests()[T::staticMetaObject.className()] = [] { return std::make_unique<T>(); };
    return true;
}

}  // namespace sofa::qt
