// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/DisplayTab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleValidator>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include "applications/qt/Language.h"
#include "applications/qt/Widgets.h"

namespace sofa::qt {

namespace {

struct Filter
{
    DisplayFlags::Flag flag;
    const char* name;  ///< of the widget
    const char* text;
    const char* help;
};

using F = DisplayFlags;

constexpr Filter objects[] = {
    {F::VisualModels, "filterVisualModels", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Visual models"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "The graphic representation of the objects (F2)")},
    {F::BehaviorModels, "filterBehaviorModels", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Behavior models"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "The mechanical degrees of freedom and what is fixed (F3)")},
    {F::ForceFields, "filterForceFields", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Force fields"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Elements, springs and loads (F4)")},
    {F::CollisionModels, "filterCollisionModels", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Collision models"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "The models with which collisions are detected")},
    {F::BoundingCollisionModels, "filterBoundingTree", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Bounding &tree"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "The hierarchical bounding boxes of the collision models")},
    {F::DetectionOutputs, "filterDetectionOutputs", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Detection outputs"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Pairs of near points, with normals")},
    {F::InteractionForceFields, "filterInteractions", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Interactions"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab",
                       "Interactions of all kinds between objects; some are created by the collision pipeline")},
    {F::Mappings, "filterMappings", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Mappings"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Non-mechanical mappings, such as those of visual models (F5)")},
    {F::MechanicalMappings, "filterMechanicalMappings",
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Mechanical ma&ppings"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab",
                       "Mappings that carry positions and forces between mechanical objects (F5)")},
};

constexpr Filter ways[] = {
    {F::Wireframe, "filterWireframe", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Wire frame"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Visual and collision models as their edges (F6)")},
    {F::Normals, "filterNormals", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Normals"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "The normals of the visual models")},
    {F::AdvancedRendering, "filterAdvancedRendering", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Advanced &rendering"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "What components call advanced rendering")},
    {F::Skins, "filterSkins", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "S&kins"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab",
                       "The surfaces of bodies that have no visual model; not with force fields or collision models, "
                       "unless clicked")},
    {F::ElementColors, "filterElementColors", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "Colours per &element"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab",
                       "Colour by: each element has the colour of its value, instead of smooth colours")},
    {F::Surroundings, "filterSurroundings", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "&Ground and sky"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab",
                       "Sky, ground and light from above, where the scene has no background and no light of its own")},
    {F::Axes, "filterAxes", QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "A&xes"),
     QT_TRANSLATE_NOOP("sofa::qt::DisplayTab", "The axes of the scene's frame, in a corner")},
};

}  // namespace

DisplayTab::DisplayTab(Viewer& viewer, QWidget* parent) : QWidget(parent), m_viewer(viewer)
{
    setObjectName("displayTab");
    auto* column = new QVBoxLayout(this);
    m_all = addCheckBox(column, "filterAll", tr("&All"), tr("Shows or hides everything"));
    m_all->setTristate(true);
    const auto group = [&](const QString& title, std::span<const Filter> filters) {
        auto* box = new QGroupBox(title);
        auto* list = new QVBoxLayout(box);
        for (const Filter& f : filters) {
            QCheckBox* check = addCheckBox(list, f.name, tr(f.text), tr(f.help));
            m_boxes[f.flag] = check;
            connect(check, &QCheckBox::clicked, this,
                    [this, flag = f.flag](bool on) { m_viewer.setShown({flag}, on); });
        }
        column->addWidget(box);
    };
    group(tr("Show"), objects);
    group(tr("Style"), ways);
    m_field = new QComboBox;
    m_field->setObjectName("colourBy");
    m_field->setToolTip(
        tr("What bodies are coloured by, with a legend; those that know nothing of it stay as they are"));
    m_field->addItem(tr("Nothing"), static_cast<int>(BodyField::None));
    m_field->addItem(tr("Von Mises stress"), static_cast<int>(BodyField::Stress));
    m_field->addItem(tr("Strain"), static_cast<int>(BodyField::Strain));
    m_field->addItem(tr("Displacement"), static_cast<int>(BodyField::Displacement));
    m_field->addItem(tr("Velocity"), static_cast<int>(BodyField::Velocity));
    auto* fieldRow = new QHBoxLayout;
    auto* fieldLabel = new QLabel(tr("&Colour by"));
    fieldLabel->setBuddy(m_field);
    fieldRow->addWidget(fieldLabel);
    fieldRow->addWidget(m_field, 1);
    column->addLayout(fieldRow);
    addRange(*column);
    connect(m_field, &QComboBox::activated, this, [this] {
        DisplayFlags flags = m_viewer.displayFlags();
        m_viewer.setRange({});
        m_automatic->setChecked(true);
        flags.setField(static_cast<BodyField>(m_field->currentData().toInt()));
        m_viewer.setDisplayFlags(flags);
    });
    m_useScene = new QPushButton(tr("Use scene &settings"));
    m_useScene->setObjectName("filtersUseScene");
    m_useScene->setToolTip(tr("Shows what the scene says, and forgets what was chosen here"));
    column->addWidget(m_useScene, 0, Qt::AlignLeft);
    addCut(*column);
    column->addStretch();

    connect(m_all, &QCheckBox::clicked, this, [this] {
        // All of "Show": how they are drawn is another question. A partly checked box shows everything.
        bool every = true;
        for (const Filter& f : objects) every = every && m_viewer.isShown(f.flag);
        DisplayFlags flags = m_viewer.displayFlags();
        for (const Filter& f : objects) flags.set(f.flag, every ? F::State::Off : F::State::On);
        m_viewer.setDisplayFlags(flags);
    });
    connect(m_useScene, &QPushButton::clicked, this, [this] { m_viewer.setDisplayFlags({}); });
    connect(&viewer, &Viewer::displayFlagsChanged, this, &DisplayTab::refresh);
    refresh();
}

void DisplayTab::addRange(QVBoxLayout& column)
{
    m_range = new QWidget;
    auto* row = new QHBoxLayout(m_range);
    row->setContentsMargins(0, 0, 0, 0);
    m_automatic = addCheckBox(row, "rangeAutomatic", tr("Automatic &range"),
                              tr("The colours go from the least to the largest value that is seen"));
    m_automatic->setChecked(true);
    const auto edit = [&](const char* name, const QString& help) {
        auto* e = new QLineEdit;
        e->setObjectName(name);
        auto* number = new QDoubleValidator(e);
        number->setLocale(QLocale::c());  // as the legend writes
        e->setValidator(number);
        takesNumber(*e);
        e->setToolTip(help);
        e->setAccessibleName(help);
        row->addWidget(e, 1);
        connect(e, &QLineEdit::editingFinished, this, &DisplayTab::chooseRange);
        return e;
    };
    m_low = edit("rangeLow", tr("Value of the first colour"));
    m_high = edit("rangeHigh", tr("Value of the last colour"));
    m_rangeUnit = new QLabel;
    row->addWidget(m_rangeUnit);
    column.addWidget(m_range);
    connect(m_automatic, &QCheckBox::clicked, this, &DisplayTab::chooseRange);
    connect(&m_viewer, &Viewer::frameShown, this, &DisplayTab::showRange);
}

void DisplayTab::chooseRange()
{
    const double low = QLocale::c().toDouble(m_low->text()), high = QLocale::c().toDouble(m_high->text());
    const bool own = !m_automatic->isChecked();
    m_low->setEnabled(own);
    m_high->setEnabled(own);
    const bool good = low < high;
    m_high->setStyleSheet(own && !good ? QStringLiteral("color: #c62828;") : QString());
    if (own && good)
        m_viewer.setRange(std::array<double, 2>{low, high});
    else
        m_viewer.setRange({});
}

/// The automatic range, as the legend has it.
void DisplayTab::showRange()
{
    if (!m_range->isVisible() || !m_automatic->isChecked() || !m_viewer.frame().drawList) return;
    for (const auto& legend : m_viewer.frame().drawList->legends) {
        if (legend->title != titleOf(m_viewer.field())) continue;
        m_low->setText(QString::number(legend->low, 'g', 4));
        m_high->setText(QString::number(legend->high, 'g', 4));
    }
}

void DisplayTab::addCut(QVBoxLayout& column)
{
    m_cut = new QGroupBox(tr("Cut &open"));
    m_cut->setObjectName("cut");
    m_cut->setCheckable(true);
    m_cut->setChecked(false);
    m_cut->setToolTip(tr("What lies on one side of a plane is not drawn, and not picked"));
    auto* rows = new QVBoxLayout(m_cut);
    auto* row = new QHBoxLayout;
    rows->addLayout(row);
    m_cutAxis = new QComboBox;
    m_cutAxis->setObjectName("cutAxis");
    m_cutAxis->addItems({tr("across x"), tr("across y"), tr("across z")});
    m_cutAxis->setAccessibleName(tr("Direction of the cut"));
    row->addWidget(m_cutAxis);
    m_cutLower = addCheckBox(row, "cutLower", tr("Other s&ide"), tr("Takes the other half away"));
    row->addStretch();
    auto* place = new QHBoxLayout;
    rows->addLayout(place);
    m_cutPlace = new QSlider(Qt::Horizontal);
    m_cutPlace->setObjectName("cutPlace");
    m_cutPlace->setRange(0, 1000);
    m_cutPlace->setValue(500);
    m_cutPlace->setAccessibleName(tr("Place of the cut"));
    place->addWidget(m_cutPlace, 1);
    m_cutText = new QLabel;
    m_cutText->setMinimumWidth(fontMetrics().horizontalAdvance("-0.00000 mm"));
    m_cutText->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    place->addWidget(m_cutText);
    column.addWidget(m_cut);
    connect(m_cut, &QGroupBox::toggled, this, &DisplayTab::showCut);
    connect(m_cutAxis, &QComboBox::activated, this, &DisplayTab::showCut);
    connect(m_cutLower, &QCheckBox::clicked, this, &DisplayTab::showCut);
    connect(m_cutPlace, &QSlider::valueChanged, this, &DisplayTab::showCut);
    connect(&m_viewer, &Viewer::cutChanged, this, [this] {
        if (m_viewer.cut()) return;
        const QSignalBlocker blocked(m_cut);
        m_cut->setChecked(false);
        m_cutText->clear();
        m_cutBox = {};
    });
}

void DisplayTab::showCut()
{
    if (!m_cut->isChecked()) {
        m_viewer.setCut({});
        return;
    }
    const auto& list = m_viewer.frame().drawList;
    if (!m_cutBox.valid() && list) m_cutBox = list->box;
    if (!m_cutBox.valid()) return;
    const auto axis = static_cast<std::size_t>(m_cutAxis->currentIndex());
    const double part = m_cutPlace->value() / static_cast<double>(m_cutPlace->maximum());
    const double at = m_cutBox.low[axis] + part * (m_cutBox.high[axis] - m_cutBox.low[axis]);
    m_cutText->setText(tr("%1 m").arg(at, 0, 'g', 4));
    m_viewer.setCut(Viewer::Cut{axis, at, m_cutLower->isChecked()});
}

void DisplayTab::refresh()
{
    const BodyField field = m_viewer.field();
    m_field->setCurrentIndex(m_field->findData(static_cast<int>(field == BodyField::Unset ? BodyField::None : field)));
    const bool colored = field != BodyField::Unset && field != BodyField::None;
    m_range->setVisible(colored);
    if (colored) {
        const QString title = QString::fromStdString(std::string(titleOf(field))).section('[', 1).section(']', 0, 0);
        m_rangeUnit->setText(title == "1" ? QString() : title);
        m_low->setEnabled(!m_automatic->isChecked());
        m_high->setEnabled(!m_automatic->isChecked());
        if (!m_automatic->isChecked()) chooseRange();  // of another scene, too
    }
    std::size_t on = 0, total = 0;
    for (const auto& [flag, box] : m_boxes) box->setChecked(m_viewer.isShown(flag));
    for (const Filter& f : objects) {
        ++total;
        if (m_viewer.isShown(f.flag)) ++on;
    }
    m_all->setCheckState(on == 0 ? Qt::Unchecked : on == total ? Qt::Checked : Qt::PartiallyChecked);
    m_useScene->setEnabled(!(m_viewer.displayFlags() == DisplayFlags()));
}

}  // namespace sofa::qt
