// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/PreferencesDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "applications/qt/Language.h"
#include "applications/qt/Theme.h"

namespace sofa::qt {

PreferencesPage::PreferencesPage(QWidget* parent) : QWidget(parent), m_form(new QFormLayout(this))
{
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void PreferencesPage::add(const Preference& p, const QString& label, QWidget* field, const QString& help)
{
    field->setObjectName("preference_" + QString(p.key).replace('/', '_'));
    field->setToolTip(help);
    field->setAccessibleName(QString(label).remove('&'));
    field->setAccessibleDescription(help);
    m_editors.back().show(Preferences::value(p));
}

void PreferencesPage::addChoice(const Preference& p, const QString& label, const Choices& choices, const QString& help)
{
    auto* box = new QComboBox;
    for (const auto& [text, value] : choices) box->addItem(text, value);
    m_editors.push_back({p, [box] { return box->currentData(); },
                         [box](const QVariant& v) {
                             // One that was written by hand stays possible.
                             if (box->findData(v) < 0) box->addItem(v.toString(), v);
                             box->setCurrentIndex(box->findData(v));
                         }});
    add(p, label, box, help);
    m_form->addRow(label, box);
    connect(box, &QComboBox::currentIndexChanged, this, &PreferencesPage::edited);
}

void PreferencesPage::addNumber(const Preference& p, const QString& label, std::pair<int, int> range,
                                const QString& unit, const QString& help, const QString& least)
{
    auto* box = new QSpinBox;
    box->setRange(range.first, range.second);
    box->setSuffix(' ' + unit);
    box->setSpecialValueText(least);
    if (range.second - range.first > 100) box->setSingleStep(10);
    m_editors.push_back(
        {p, [box] { return QVariant(box->value()); }, [box](const QVariant& v) { box->setValue(v.toInt()); }});
    add(p, label, box, help);
    m_form->addRow(label, box);
    connect(box, &QSpinBox::valueChanged, this, &PreferencesPage::edited);
}

void PreferencesPage::addSwitch(const Preference& p, const QString& label, const QString& help)
{
    auto* box = new QCheckBox(label);
    m_editors.push_back(
        {p, [box] { return QVariant(box->isChecked()); }, [box](const QVariant& v) { box->setChecked(v.toBool()); }});
    add(p, label, box, help);
    m_form->addRow(box);
    connect(box, &QCheckBox::toggled, this, &PreferencesPage::edited);
}

void PreferencesPage::addFolder(const Preference& p, const QString& label, const QString& none, const QString& help)
{
    auto* line = new QLineEdit;
    line->setPlaceholderText(none);
    line->setMinimumWidth(line->fontMetrics().horizontalAdvance(none + "mmmm"));
    line->setClearButtonEnabled(true);
    auto* choose = new QPushButton(tr("Choose..."));
    choose->setAccessibleName(tr("Choose: %1").arg(QString(label).remove('&')));
    choose->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(line);
    row->addWidget(choose);
    m_editors.push_back(
        {p, [line] { return QVariant(line->text()); }, [line](const QVariant& v) { line->setText(v.toString()); }});
    add(p, label, line, help);
    auto* title = new QLabel(label);
    title->setBuddy(line);
    m_form->addRow(title, row);
    m_problems.emplace_back([line] {
        const QFileInfo folder(line->text());
        return line->text().isEmpty() || (folder.isDir() && folder.isWritable())
                   ? QString()
                   : tr("Nothing can be written to '%1'.").arg(line->text());
    });
    connect(line, &QLineEdit::textChanged, this, &PreferencesPage::edited);
    connect(choose, &QPushButton::clicked, this, [this, line, label] {
        const QString chosen = QFileDialog::getExistingDirectory(this, QString(label).remove('&'), line->text());
        if (!chosen.isEmpty()) line->setText(chosen);
    });
}

void PreferencesPage::addNote(const QString& text)
{
    auto* note = new QLabel(text);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    m_form->addRow(QString(), note);
}

bool PreferencesPage::isEdited() const
{
    return std::ranges::any_of(m_editors,
                               [](const Editor& e) { return e.value() != Preferences::value(e.preference); });
}

QString PreferencesPage::problem() const
{
    for (const auto& one : m_problems)
        if (const QString text = one(); !text.isEmpty()) return text;
    return {};
}

void PreferencesPage::apply() const
{
    for (const Editor& e : m_editors)
        if (e.value() != Preferences::value(e.preference)) Preferences::set(e.preference, e.value());
}

void PreferencesPage::showUsual() const
{
    for (const Editor& e : m_editors) e.show(e.preference.usual);
}

// --- The dialog -----------------------------------------------------------------------------------------------------

namespace {

PreferencesPage* generalPage()
{
    auto* page = new PreferencesPage;
    const auto number = [](Theme t) { return static_cast<int>(t); };
    page->addChoice(Preferences::theme, PreferencesPage::tr("&Colours"),
                    {{PreferencesPage::tr("As the desktop"), number(Theme::System)},
                     {PreferencesPage::tr("Light"), number(Theme::Light)},
                     {PreferencesPage::tr("Dark"), number(Theme::Dark)}},
                    PreferencesPage::tr("Colours of the windows"));
    page->addNumber(Preferences::letters, PreferencesPage::tr("&Size of letters"), {50, 300},
                    PreferencesPage::tr("% of the desktop's"), PreferencesPage::tr("Letters of all windows"));
    PreferencesPage::Choices languages{{PreferencesPage::tr("As the desktop"), QString()}};
    for (const QString& one : availableLanguages()) languages << std::pair(nameOfLanguage(one), QVariant(one));
    page->addChoice(Preferences::language, PreferencesPage::tr("&Language"), languages,
                    PreferencesPage::tr("Language of the windows; numbers always have a decimal point"));
    page->addNote(PreferencesPage::tr("The language changes when the program is started again."));
    page->addNote(PreferencesPage::tr("This page and the next hold for runSofa and the Modeler."));
    return page;
}

PreferencesPage* viewPage()
{
    auto* page = new PreferencesPage;
    page->addChoice(Preferences::background, PreferencesPage::tr("&Background"),
                    {{PreferencesPage::tr("Sky and ground"), QString()},
                     {PreferencesPage::tr("White"), QStringLiteral("#ffffff")},
                     {PreferencesPage::tr("Light grey"), QStringLiteral("#dcdcdc")},
                     {PreferencesPage::tr("Dark grey"), QStringLiteral("#303338")},
                     {PreferencesPage::tr("Black"), QStringLiteral("#000000")}},
                    PreferencesPage::tr("Of scenes that have none of their own; in the view, in images and videos"));
    page->addSwitch(Preferences::smooth, PreferencesPage::tr("Smooth &edges"),
                    PreferencesPage::tr("Edges without steps; without them, slow machines draw faster"));
    PreferencesPage::Choices buttons;
    QString order = QStringLiteral("LMR");
    const auto name = [](QChar c) {
        return c == 'L'   ? PreferencesPage::tr("left")
               : c == 'M' ? PreferencesPage::tr("middle")
                          : PreferencesPage::tr("right");
    };
    do
        buttons << std::pair(
            PreferencesPage::tr("turn: %1, move: %2, nearer: %3").arg(name(order[0]), name(order[1]), name(order[2])),
            QVariant(order));
    while (std::next_permutation(order.begin(), order.end()));
    page->addChoice(Preferences::buttons, PreferencesPage::tr("&Mouse buttons"), buttons,
                    PreferencesPage::tr("What dragging with each button does to the camera. A click with the left one "
                                        "selects, always"));
    page->addNumber(Preferences::wheel, PreferencesPage::tr("Speed of the &wheel"), {10, 500}, QStringLiteral("%"),
                    PreferencesPage::tr("How far a turn of the wheel goes nearer or farther"));
    return page;
}

}  // namespace

PreferencesDialog::PreferencesDialog(QWidget* parent) : QDialog(parent), m_pages(new QTabWidget), m_problem(new QLabel)
{
    setObjectName("preferencesDialog");
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_pages->setObjectName("preferencePages");
    m_problem->setObjectName("preferenceProblem");
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_pages);
    column->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Apply |
                                         QDialogButtonBox::RestoreDefaults);
    column->addWidget(buttons);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_apply = buttons->button(QDialogButtonBox::Apply);
    QPushButton* usual = buttons->button(QDialogButtonBox::RestoreDefaults);
    usual->setToolTip(tr("Shows the usual values of this page; OK or Apply takes them"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_ok, &QPushButton::clicked, this, [this] {
        apply();
        accept();
    });
    connect(m_apply, &QPushButton::clicked, this, &PreferencesDialog::apply);
    connect(usual, &QPushButton::clicked, this, [this] { page(m_pages->currentIndex())->showUsual(); });
    addPage(tr("&General"), generalPage());
    addPage(tr("&View"), viewPage());
}

PreferencesPage* PreferencesDialog::page(int index) const
{
    return qobject_cast<PreferencesPage*>(m_pages->widget(index));
}

void PreferencesDialog::addPage(const QString& title, PreferencesPage* added)
{
    m_pages->addTab(added, title);
    connect(added, &PreferencesPage::edited, this, &PreferencesDialog::refresh);
    refresh();
}

void PreferencesDialog::refresh()
{
    bool edited = false;
    QString problem;
    for (int i = 0; i < m_pages->count(); ++i) {
        edited = edited || page(i)->isEdited();
        if (problem.isEmpty()) problem = page(i)->problem();
    }
    m_ok->setEnabled(problem.isEmpty());
    m_apply->setEnabled(edited && problem.isEmpty());
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void PreferencesDialog::apply()
{
    for (int i = 0; i < m_pages->count(); ++i) page(i)->apply();
    refresh();
}

}  // namespace sofa::qt
