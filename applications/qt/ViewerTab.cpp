// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/ViewerTab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

namespace sofa::qt {

namespace {

struct Operation
{
    const char* performer;
    const char* text;
};

constexpr Operation operations[] = {
    {"", "nothing"},
    {"AttachBody", "attach with a spring"},
    {"InertialAttachBody", "attach gently (follows slowly)"},
    {"ConstraintAttachBody", "attach by a constraint"},
    {"FixParticle", "fix the point"},
};

QString textOf(const std::string& performer)
{
    for (const Operation& o : operations)
        if (performer == o.performer) return ViewerTab::tr(o.text);
    return QString::fromStdString(performer);
}

constexpr const char* shortcuts[][2] = {
    {"Left drag", "turn"},
    {"Right drag", "move"},
    {"Middle drag, wheel", "nearer, farther"},
    {"Arrows, +, −", "turn, nearer, farther"},
    {"F", "see the whole scene"},
    {"Home", "reset view"},
    {"Shift + button", "operation chosen above"},
    {"U", "release fixed points"},
    {"Space", "animate, stop"},
    {"N", "one step"},
    {"Ctrl+Backspace", "reset scene"},
    {"Ctrl+R", "reload, same view"},
    {"F1", "information"},
    {"F2", "visual models"},
    {"F3", "points, fixed ones"},
    {"F4", "tetrahedra, springs"},
    {"F5", "mappings"},
    {"F6", "wire frame"},
    {"F11", "full screen"},
};

}  // namespace

ViewerTab::ViewerTab(Viewer& viewer, QWidget* parent) : QWidget(parent), m_viewer(viewer)
{
    setObjectName("viewerTab");
    auto* inner = new QWidget;
    auto* column = new QVBoxLayout(inner);

    auto* mouse = new QGroupBox(tr("Shift + mouse button"));
    auto* form = new QFormLayout(mouse);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const char* names[] = {"Left", "Middle", "Right"};
    for (std::size_t i = 0; i < 3; ++i) {
        m_operations[i] = new QComboBox;
        m_operations[i]->setObjectName(QString("operation%1").arg(names[i]));
        m_operations[i]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_operations[i]->setMinimumContentsLength(14);
        m_operations[i]->addItem(textOf(""), QString());
        for (const std::string& p : performerNames()) m_operations[i]->addItem(textOf(p), QString::fromStdString(p));
        m_stiffnesses[i] = new QDoubleSpinBox;
        m_stiffnesses[i]->setObjectName(QString("stiffness%1").arg(names[i]));
        m_stiffnesses[i]->setRange(1e-3, 1e9);
        m_stiffnesses[i]->setDecimals(3);
        m_stiffnesses[i]->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        m_stiffnesses[i]->setSuffix(tr(" N/m"));
        m_stiffnesses[i]->setKeyboardTracking(false);
        m_stiffnesses[i]->setToolTip(tr("Stiffness of the spring"));
        form->addRow(tr(names[i]), m_operations[i]);
        form->addRow(QString(), m_stiffnesses[i]);
        const auto send = [this, i] {
            m_viewer.setOperation(static_cast<MouseButton>(i), m_operations[i]->currentData().toString(),
                                  m_stiffnesses[i]->value());
        };
        connect(m_operations[i], &QComboBox::activated, this, send);
        connect(m_stiffnesses[i], &QDoubleSpinBox::valueChanged, this, send);
    }
    auto* releaseAll = new QPushButton(tr("Release &fixed points"));
    releaseAll->setObjectName("releaseFixed");
    form->addRow(releaseAll);
    connect(releaseAll, &QPushButton::clicked, &viewer, &Viewer::releaseFixed);
    column->addWidget(mouse);

    m_micro = new QCheckBox(tr("&microSofa mode: left pulls, right fixes"));
    m_micro->setObjectName("microSofaMode");
    m_micro->setToolTip(tr("Left click pulls a point and right click fixes it, without Shift"));
    column->addWidget(m_micro);
    m_information = new QCheckBox(tr("&Information over the view (F1)"));
    m_information->setObjectName("information");
    column->addWidget(m_information);

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
    apply->setToolTip(tr("Gives the view this size, for pictures and videos of a given resolution"));
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

    auto* scroll = new QScrollArea;
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    connect(m_micro, &QCheckBox::clicked, &viewer, &Viewer::setMicroSofaMode);
    connect(m_information, &QCheckBox::clicked, &viewer, &Viewer::setInformation);
    connect(&viewer, &Viewer::microSofaModeChanged, m_micro, &QCheckBox::setChecked);
    connect(&viewer, &Viewer::informationChanged, m_information, &QCheckBox::setChecked);
    connect(&viewer, &Viewer::operationsChanged, this, &ViewerTab::refresh);
    connect(&viewer, &Viewer::cameraChanged, this, &ViewerTab::refreshSize);
    refresh();
}

void ViewerTab::refresh()
{
    for (std::size_t i = 0; i < 3; ++i) {
        const auto button = static_cast<MouseButton>(i);
        const QSignalBlocker blocked(m_stiffnesses[i]);
        m_operations[i]->setCurrentIndex(std::max(0, m_operations[i]->findData(m_viewer.operation(button))));
        m_stiffnesses[i]->setValue(m_viewer.stiffness(button));
        m_stiffnesses[i]->setEnabled(!m_viewer.operation(button).isEmpty());
    }
}

void ViewerTab::refreshSize()
{
    if (m_width->hasFocus() || m_height->hasFocus()) return;
    m_width->setValue(m_viewer.width());
    m_height->setValue(m_viewer.height());
}

}  // namespace sofa::qt
