// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/ViewTab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

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
    {F::VisualModels, "filterVisualModels", "&Visual models", "The graphic representation of the objects (F2)"},
    {F::BehaviorModels, "filterBehaviorModels", "&Behavior models",
     "The mechanical degrees of freedom and what is fixed (F3)"},
    {F::ForceFields, "filterForceFields", "&Force fields", "Elements, springs and loads (F4)"},
    {F::CollisionModels, "filterCollisionModels", "&Collision models", "The models with which collisions are detected"},
    {F::BoundingCollisionModels, "filterBoundingTree", "Bounding &tree",
     "The hierarchical bounding boxes of the collision models"},
    {F::DetectionOutputs, "filterDetectionOutputs", "&Detection outputs", "Pairs of near points, with normals"},
    {F::InteractionForceFields, "filterInteractions", "&Interactions",
     "Interactions of all kinds between objects; some are created by the collision pipeline"},
    {F::Mappings, "filterMappings", "&Mappings", "Non-mechanical mappings, such as those of visual models (F5)"},
    {F::MechanicalMappings, "filterMechanicalMappings", "Mechanical ma&ppings",
     "Mappings that carry positions and forces between mechanical objects (F5)"},
};

constexpr Filter ways[] = {
    {F::Wireframe, "filterWireframe", "&Wire frame", "Visual and collision models as their edges (F6)"},
    {F::Normals, "filterNormals", "&Normals", "The normals of the visual models"},
    {F::AdvancedRendering, "filterAdvancedRendering", "Advanced &rendering", "What components call advanced rendering"},
    {F::Skins, "filterSkins", "S&kins",
     "The surfaces of bodies that have no visual model; not with force fields or collision models, unless clicked"},
    {F::ElementColors, "filterElementColors", "Colours per &element",
     "Colour by: each element has the colour of its value, instead of smooth colours"},
    {F::Surroundings, "filterSurroundings", "&Ground and sky",
     "Sky, ground and light from above, where the scene has no background and no light of its own"},
    {F::Axes, "filterAxes", "A&xes", "The axes of the scene's frame, in a corner"},
};

}  // namespace

ViewTab::ViewTab(Viewer& viewer, QWidget* parent) : QWidget(parent), m_viewer(viewer)
{
    setObjectName("viewTab");
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
    group(tr("Shown"), objects);
    group(tr("How"), ways);
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
    connect(m_field, &QComboBox::activated, this, [this] {
        DisplayFlags flags = m_viewer.displayFlags();
        flags.setField(static_cast<BodyField>(m_field->currentData().toInt()));
        m_viewer.setDisplayFlags(flags);
    });
    m_asScene = new QPushButton(tr("As the &scene says"));
    m_asScene->setObjectName("filtersAsScene");
    m_asScene->setToolTip(tr("Forgets what was chosen here"));
    column->addWidget(m_asScene, 0, Qt::AlignLeft);
    column->addStretch();

    connect(m_all, &QCheckBox::clicked, this, [this] {
        // All of "Shown": how they are drawn is another question. A partly checked box shows everything.
        bool every = true;
        for (const Filter& f : objects) every = every && m_viewer.isShown(f.flag);
        DisplayFlags flags = m_viewer.displayFlags();
        for (const Filter& f : objects) flags.set(f.flag, every ? F::State::Off : F::State::On);
        m_viewer.setDisplayFlags(flags);
    });
    connect(m_asScene, &QPushButton::clicked, this, [this] { m_viewer.setDisplayFlags({}); });
    connect(&viewer, &Viewer::displayFlagsChanged, this, &ViewTab::refresh);
    refresh();
}

void ViewTab::refresh()
{
    const BodyField field = m_viewer.field();
    m_field->setCurrentIndex(m_field->findData(static_cast<int>(field == BodyField::Unset ? BodyField::None : field)));
    std::size_t on = 0, total = 0;
    for (const auto& [flag, box] : m_boxes) box->setChecked(m_viewer.isShown(flag));
    for (const Filter& f : objects) {
        ++total;
        if (m_viewer.isShown(f.flag)) ++on;
    }
    m_all->setCheckState(on == 0 ? Qt::Unchecked : on == total ? Qt::Checked : Qt::PartiallyChecked);
    m_asScene->setEnabled(!(m_viewer.displayFlags() == DisplayFlags()));
}

}  // namespace sofa::qt
