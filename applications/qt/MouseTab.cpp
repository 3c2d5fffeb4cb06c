// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/MouseTab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "applications/qt/Widgets.h"

namespace sofa::qt {

namespace {

constexpr const char* shortcuts[][2] = {
    {"Left drag", "turn"},
    {"Right drag", "move"},
    {"Middle drag, wheel", "nearer, farther"},
    {"Arrows, +, −", "turn, nearer, farther"},
    {"Click", "select what is there; Escape: nothing"},
    {"Double click, C", "turn around this place from now on"},
    {"F, Shift+F", "see the selection, the whole scene"},
    {"1 to 7", "front, back, left, right, top, bottom, slanting"},
    {"H, Shift+H", "hide the selection, show what is hidden"},
    {"O", "orthographic, perspective"},
    {"Home", "reset view"},
    {"Shift + button", "operation chosen above"},
    {"Ctrl + key, button, wheel", "to components of the scene"},
    {"U", "release all fixed points"},
    {"Space", "animate, stop"},
    {"N", "one step"},
    {"Ctrl+Backspace", "reset scene"},
    {"Ctrl+R", "reload, same view"},
    {"Ctrl+K", "keep this moment"},
    {"Alt+Left, Alt+Right", "back and forward to kept moments"},
    {"F1", "information"},
    {"F2", "visual models"},
    {"F3", "points, fixed ones"},
    {"F4", "tetrahedra, springs"},
    {"F5", "mappings"},
    {"F6", "wire frame"},
    {"Alt+1 ... 9", "panels"},
    {"F9", "all panels"},
    {"F11", "full screen"},
};

}  // namespace

MouseTab::MouseTab(Viewer& viewer, QWidget* parent) : QWidget(parent), m_viewer(viewer)
{
    setObjectName("mouseTab");
    auto* column = new QVBoxLayout(this);
    auto* mouse = new QGroupBox(tr("Shift + mouse button"));
    auto* form = m_form = new QFormLayout(mouse);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const char* names[] = {"Left", "Middle", "Right"};
    for (std::size_t i = 0; i < 3; ++i) {
        m_operations[i] = new QComboBox;
        m_operations[i]->setObjectName(QString("operation%1").arg(names[i]));
        m_operations[i]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_operations[i]->setMinimumContentsLength(14);
        m_operations[i]->setToolTip(tr("What Shift and this button do in the view"));
        m_strengths[i] = new QDoubleSpinBox;
        m_strengths[i]->setObjectName(QString("strength%1").arg(names[i]));
        m_strengths[i]->setRange(1e-3, 1e9);
        m_strengths[i]->setDecimals(3);
        m_strengths[i]->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        m_strengths[i]->setKeyboardTracking(false);
        form->addRow(tr(names[i]), m_operations[i]);
        form->addRow(QString(), m_strengths[i]);
        const auto button = static_cast<MouseButton>(i);
        connect(m_operations[i], &QComboBox::activated, this,
                [this, i, button] { m_viewer.setOperation(button, m_operations[i]->currentData().toString()); });
        connect(m_strengths[i], &QDoubleSpinBox::valueChanged, this,
                [this, button](double value) { m_viewer.setStrength(button, value); });
    }
    auto* releaseAll = new QPushButton(tr("Release all &fixed points"));
    releaseAll->setObjectName("releaseFixed");
    form->addRow(releaseAll);
    connect(releaseAll, &QPushButton::clicked, &viewer, &Viewer::releaseFixed);
    column->addWidget(mouse);

    m_micro = addCheckBox(column, "microSofaMode", tr("&microSofa mode: left pulls, right fixes"),
                          tr("Left click pulls a point and right click fixes it, without Shift"));
    m_information = addCheckBox(column, "information", tr("&Information over the view (F1)"),
                                tr("Time, rates and iterations of solvers, over the image"));

    auto* size = new QGroupBox(tr("Size of the view"));
    auto* sizes = new QFormLayout(size);
    m_width = new QSpinBox;
    m_width->setObjectName("viewWidth");
    m_height = new QSpinBox;
    m_height->setObjectName("viewHeight");
    for (QSpinBox* s : {m_width, m_height}) {
        s->setRange(160, 16384);
        s->setSuffix(tr(" px"));
    }
    m_height->setMinimum(120);
    sizes->addRow(tr("Wi&dth"), m_width);
    sizes->addRow(tr("&Height"), m_height);
    auto* apply = new QPushButton(tr("&Resize"));
    apply->setObjectName("viewResize");
    apply->setToolTip(tr("Gives the view this size, for images and videos of a given resolution"));
    sizes->addRow(apply);
    connect(apply, &QPushButton::clicked, this, [this] { Q_EMIT sizeWanted(m_width->value(), m_height->value()); });
    column->addWidget(size);

    auto* keys = new QGroupBox(tr("Mouse and keys"));
    auto* list = new QFormLayout(keys);
    list->setVerticalSpacing(3);
    list->setRowWrapPolicy(QFormLayout::WrapLongRows);
    for (const auto& [key, what] : shortcuts) {
        auto* label = new QLabel(tr(what));
        label->setWordWrap(true);
        list->addRow(tr("<b>%1</b>").arg(tr(key)), label);
    }
    column->addWidget(keys);
    column->addStretch();

    connect(m_micro, &QCheckBox::clicked, &viewer, &Viewer::setMicroSofaMode);
    connect(m_information, &QCheckBox::clicked, &viewer, &Viewer::setInformation);
    connect(&viewer, &Viewer::microSofaModeChanged, m_micro, &QCheckBox::setChecked);
    connect(&viewer, &Viewer::informationChanged, m_information, &QCheckBox::setChecked);
    connect(&viewer, &Viewer::operationsChanged, this, &MouseTab::refresh);
    connect(&viewer, &Viewer::cameraChanged, this, &MouseTab::refreshSize);
    refresh();
}

void MouseTab::fillOperations()
{
    // Whatever registered is offered; plugins of scenes may have brought more.
    const std::vector<std::string> names = performers().names();
    if (m_operations[0]->count() == static_cast<int>(names.size()) + 1) return;
    std::vector<std::pair<QString, QString>> list;
    list.reserve(names.size());
    for (const std::string& n : names)
        list.emplace_back(tr(performers().get(n)->text.c_str()), QString::fromStdString(n));
    std::sort(list.begin(), list.end());
    for (QComboBox* box : m_operations) {
        box->clear();
        box->addItem(tr("nothing"), QString());
        for (const auto& [text, name] : list) box->addItem(text, name);
    }
}

void MouseTab::refresh()
{
    fillOperations();
    for (std::size_t i = 0; i < 3; ++i) {
        const auto button = static_cast<MouseButton>(i);
        const QString operation = m_viewer.operation(button);
        m_operations[i]->setCurrentIndex(std::max(0, m_operations[i]->findData(operation)));
        const auto info = performers().find(operation.toStdString());
        const bool any = info && info->strength;
        m_form->setRowVisible(m_strengths[i], any);
        if (!any) continue;
        const QSignalBlocker blocked(m_strengths[i]);
        m_strengths[i]->setSuffix(' ' + QString::fromStdString(info->strength->unit));
        m_strengths[i]->setToolTip(tr(info->strength->help.c_str()));
        m_strengths[i]->setAccessibleName(m_strengths[i]->toolTip());
        m_strengths[i]->setValue(m_viewer.strength(button));
    }
}

void MouseTab::refreshSize()
{
    if (m_width->hasFocus() || m_height->hasFocus()) return;
    m_width->setValue(m_viewer.width());
    m_height->setValue(m_viewer.height());
}

}  // namespace sofa::qt
