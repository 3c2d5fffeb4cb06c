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

#include "applications/qt/CoreTexts.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/Widgets.h"

namespace sofa::qt {

namespace {

constexpr const char* shortcuts[][2] = {
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Arrows, +, −"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "turn, nearer, farther")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Click"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "select what is there; Escape: nothing")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Double click, C"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "turn around this place from now on")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F, Shift+F"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "see the selection, the whole scene")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "1 to 7"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "front, back, left, right, top, bottom, slanting")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "H, Shift+H"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "hide the selection, show what is hidden")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "O"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "orthographic, perspective")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Home"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "reset view")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Shift + button"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "operation chosen above")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Ctrl + key, button, wheel"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "to components of the scene")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "U"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "release all fixed points")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Space"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "animate, stop")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "N"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "one step")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Ctrl+Backspace"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "reset scene")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Ctrl+R"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "reload, same view")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Ctrl+K"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "keep this moment")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Alt+Left, Alt+Right"),
     QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "back and forward to kept moments")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F1"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "information")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F2"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "visual models")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F3"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "points, fixed ones")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F4"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "tetrahedra, springs")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F5"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "mappings")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F6"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "wire frame")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "Alt+1 ... 9"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "panels")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F9"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "all panels")},
    {QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "F11"), QT_TRANSLATE_NOOP("sofa::qt::MouseTab", "full screen")},
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
    const char* names[] = {QT_TR_NOOP("Left"), QT_TR_NOOP("Middle"), QT_TR_NOOP("Right")};
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
    const auto addKey = [&](const QString& key, const QString& what) {
        auto* title = new QLabel("<b>" + key + "</b>");
        auto* label = new QLabel(what);
        label->setWordWrap(true);
        list->addRow(title, label);
        return title;
    };
    m_drags = {addKey({}, tr("turn")), addKey({}, tr("move")), addKey({}, tr("nearer, farther"))};
    for (const auto& [key, what] : shortcuts) addKey(tr(key), tr(what));
    connect(&Preferences::instance(), &Preferences::changed, this, &MouseTab::refreshButtons);
    refreshButtons();
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
        list.emplace_back(coreText(performers().get(n)->text), QString::fromStdString(n));
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
        m_strengths[i]->setToolTip(coreText(info->strength->help));
        m_strengths[i]->setAccessibleName(m_strengths[i]->toolTip());
        m_strengths[i]->setValue(m_viewer.strength(button));
    }
}

void MouseTab::refreshButtons()
{
    for (int i = 0; i < 3; ++i) {
        const Qt::MouseButton b = Preferences::button(i);
        const QString drag = b == Qt::LeftButton     ? tr("Left drag")
                             : b == Qt::MiddleButton ? tr("Middle drag")
                                                     : tr("Right drag");
        m_drags[static_cast<std::size_t>(i)]->setText("<b>" + (i == 2 ? tr("%1, wheel").arg(drag) : drag) + "</b>");
    }
}

void MouseTab::refreshSize()
{
    if (m_width->hasFocus() || m_height->hasFocus()) return;
    m_width->setValue(m_viewer.width());
    m_height->setValue(m_viewer.height());
}

}  // namespace sofa::qt
