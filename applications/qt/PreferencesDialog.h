// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "applications/qt/Preferences.h"

class QFormLayout;
class QLabel;
class QPushButton;
class QTabWidget;

namespace sofa::qt {

/// A page of preferences: a line for each, with an editor.
class PreferencesPage : public QWidget
{
    Q_OBJECT

public:
    explicit PreferencesPage(QWidget* parent = nullptr);

    using Choices = QList<std::pair<QString, QVariant>>;  ///< texts and values
    void addChoice(const Preference& p, const QString& label, const Choices& choices, const QString& help);
    /// A whole number; the least one may have a text of its own.
    void addNumber(const Preference& p, const QString& label, std::pair<int, int> range, const QString& unit,
                   const QString& help, const QString& least = {});
    void addSwitch(const Preference& p, const QString& label, const QString& help);
    /// A folder; `none` says what an empty one means.
    void addFolder(const Preference& p, const QString& label, const QString& none, const QString& help);
    /// A line of text below what was added last.
    void addNote(const QString& text);

    /// Whether an editor has another value than the preference.
    bool isEdited() const;
    /// Why the values cannot be used; empty if they can.
    QString problem() const;
    void apply() const;
    /// The editors show the usual values.
    void showUsual() const;

Q_SIGNALS:
    void edited();

private:
    struct Editor
    {
        Preference preference;
        std::function<QVariant()> value;
        std::function<void(const QVariant&)> show;
    };
    void add(const Preference& p, const QString& label, QWidget* field, const QString& help);

    QFormLayout* m_form;
    std::vector<Editor> m_editors;
    std::vector<std::function<QString()>> m_problems;
};

/// Preferences in pages. OK and Apply make the values hold at once, where a note does not say otherwise; Defaults shows
/// the usual values of the page; it is deleted when it is closed. A window adds pages of its own to those that both
/// programs have.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PreferencesDialog(QWidget* parent);

    void addPage(const QString& title, PreferencesPage* page);

private:
    PreferencesPage* page(int index) const;
    void refresh();
    void apply();

    QTabWidget* m_pages;
    QLabel* m_problem;
    QPushButton *m_ok, *m_apply;
};

}  // namespace sofa::qt
