// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/MeshWizard.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "applications/qt/Language.h"
#include "core/objectmodel/Units.h"

namespace sofa::modeler {

namespace {

using Kind = MeshSimulation::Kind;

/// A page that lets go on when a condition holds.
class Page final : public QWizardPage
{
public:
    explicit Page(std::function<bool()> complete) : m_complete(std::move(complete)) {}
    bool isComplete() const override { return m_complete(); }
    void changed() { Q_EMIT completeChanged(); }

private:
    std::function<bool()> m_complete;
};

}  // namespace

MeshWizard::MeshWizard(std::function<QString(const QString&, bool)> filename, bool canInsert, QWidget* parent)
    : QWizard(parent), m_filename(std::move(filename))
{
    setObjectName("meshWizard");
    setWindowTitle(tr("From Mesh to Simulation"));
    setWizardStyle(QWizard::ModernStyle);
    setOption(QWizard::NoBackButtonOnStartPage);
    addPage(filePage());
    addPage(objectPage(canInsert));
    addPage(previewPage());
    resize(720, 620);
    fileChanged();
}

QWizardPage* MeshWizard::filePage()
{
    auto* page =
        new Page([this] { return m_mesh && (suits(*m_mesh, Kind::Obstacle) || suits(*m_mesh, Kind::Elements)); });
    page->setTitle(tr("Mesh"));
    page->setSubTitle(tr("A surface (.obj, .stl, .off) or a volume (.msh, .vtk, .vtu)"));
    auto* layout = new QVBoxLayout(page);
    auto* row = new QHBoxLayout;
    layout->addLayout(row);
    m_file = new QLineEdit;
    m_file->setObjectName("meshFile");
    m_file->setAccessibleName(tr("Mesh file"));
    row->addWidget(m_file);
    auto* browse = new QPushButton(tr("&Browse..."));
    row->addWidget(browse);
    auto* form = new QFormLayout;
    layout->addLayout(form);
    m_unit = new QComboBox;
    m_unit->setObjectName("meshUnit");
    m_unit->addItem(tr("metres"), 1.);
    m_unit->addItem(tr("centimetres"), 0.01);
    m_unit->addItem(tr("millimetres"), 0.001);
    form->addRow(tr("&Lengths in the file are"), m_unit);
    m_facts = new QLabel;
    m_facts->setObjectName("meshFacts");
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_facts);
    layout->addStretch();
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Choose a mesh"), m_file->text(),
            tr("Meshes (*.obj *.stl *.off *.msh *.gmsh *.vtk *.vtu *.veg *.inp *.trian *.gid);;All files (*)"));
        if (!path.isEmpty()) setFile(path);
    });
    connect(m_file, &QLineEdit::editingFinished, this, &MeshWizard::fileChanged);
    connect(m_file, &QLineEdit::textChanged, this, [this](const QString& path) {
        if (QFileInfo(path).isFile()) fileChanged();
    });
    connect(m_unit, &QComboBox::currentIndexChanged, this, &MeshWizard::fileChanged);
    return page;
}

QWizardPage* MeshWizard::objectPage(bool canInsert)
{
    auto* page = new Page([this] { return m_mesh && problem().isEmpty(); });
    page->setTitle(tr("Object"));
    page->setSubTitle(tr("Numbers may have units: 3 kPa, 1.1 g/cm^3, 2 mm"));
    auto* columns = new QHBoxLayout(page);
    auto* left = new QVBoxLayout;
    auto* right = new QFormLayout;
    columns->addLayout(left);
    columns->addLayout(right, 1);
    m_kinds = new QButtonGroup(page);
    auto* kinds = new QGroupBox(tr("What it becomes"));
    auto* list = new QVBoxLayout(kinds);
    const auto add = [&](Kind k, const char* name, const QString& text, const QString& help) {
        auto* b = new QRadioButton(text);
        b->setObjectName(name);
        b->setToolTip(help);
        m_kinds->addButton(b, static_cast<int>(k));
        list->addWidget(b);
    };
    add(Kind::Grid, "kindGrid", tr("&Soft body on a grid"), tr("Cubes around the surface deform it: no volume needed"));
    add(Kind::Elements, "kindElements", tr("Soft &body of the file's elements"), tr("Its tetrahedra or hexahedra"));
    add(Kind::Rigid, "kindRigid", tr("&Rigid body"), tr("Mass and inertia are those of the volume"));
    add(Kind::Obstacle, "kindObstacle", tr("&Obstacle"), tr("Does not move"));
    add(Kind::Cloth, "kindCloth", tr("&Cloth"), tr("A thin sheet"));
    left->addWidget(kinds);
    left->addStretch();
    const auto field = [&](const char* name, const QString& label, const QString& value) {
        auto* line = new QLineEdit(value);
        line->setObjectName(name);
        qt::takesNumber(*line);
        right->addRow(label, line);
        connect(line, &QLineEdit::textChanged, this, &MeshWizard::kindChanged);
        return line;
    };
    m_young = field("young", tr("&Young's modulus [Pa]"), "10000");
    m_poisson = field("poisson", tr("&Poisson's ratio"), "0.3");
    m_density = field("density", tr("&Density [kg/m^3]"), "1000");
    m_thickness = field("thickness", tr("&Thickness [m]"), "0.001");
    m_cells = new QSpinBox;
    m_cells->setObjectName("cells");
    m_cells->setRange(2, 60);
    m_cells->setValue(8);
    right->addRow(tr("Cells along the &longest side"), m_cells);
    m_fixed = new QCheckBox(tr("&Hold the points in a box"));
    m_fixed->setObjectName("fixed");
    m_fixed->setChecked(true);
    right->addRow(m_fixed);
    m_boxMin = field("boxMin", tr("From x y z [m]"), {});
    m_boxMax = field("boxMax", tr("to"), {});
    m_collision = new QCheckBox(tr("It &touches others"));
    m_collision->setObjectName("collision");
    m_collision->setChecked(true);
    right->addRow(m_collision);
    m_solver = new QComboBox;
    m_solver->setObjectName("solver");
    m_solver->addItems({tr("conjugate gradients"), tr("direct")});
    m_solver->setToolTip(tr("Direct: stiff and small bodies; conjugate gradients: soft and large ones"));
    right->addRow(tr("&Equations are solved by"), m_solver);
    if (canInsert) {
        auto* fresh = new QRadioButton(tr("A &new document"));
        m_insert = new QRadioButton(tr("Into the document that is sho&wn"));
        m_insert->setObjectName("intoDocument");
        fresh->setChecked(true);
        auto* where = new QButtonGroup(page);
        where->addButton(fresh);
        where->addButton(m_insert);
        right->addRow(tr("Goes to"), fresh);
        right->addRow(QString(), m_insert);
    }
    m_problem = new QLabel;
    m_problem->setObjectName("wizardProblem");
    m_problem->setWordWrap(true);
    right->addRow(m_problem);
    connect(m_kinds, &QButtonGroup::idToggled, this, &MeshWizard::kindChanged);
    connect(m_fixed, &QCheckBox::toggled, this, &MeshWizard::kindChanged);
    return page;
}

QWizardPage* MeshWizard::previewPage()
{
    auto* page = new QWizardPage;
    page->setTitle(tr("Scene"));
    page->setSubTitle(tr("This text is made; all of it can be changed afterwards"));
    auto* layout = new QVBoxLayout(page);
    m_preview = new QPlainTextEdit;
    m_preview->setObjectName("wizardPreview");
    m_preview->setReadOnly(true);
    m_preview->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_preview->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    layout->addWidget(m_preview);
    connect(this, &QWizard::currentIdChanged, this, &MeshWizard::preview);
    return page;
}

void MeshWizard::setFile(const QString& path)
{
    m_file->setText(path);
    fileChanged();
}

void MeshWizard::fileChanged()
{
    const std::string path = m_file->text().trimmed().toStdString();
    const double unit = unitOfFile();
    if (!m_mesh || m_mesh->file != path) m_mesh.reset();
    if (path.empty()) {
        m_facts->clear();
    } else {
        QStringList lines;
        try {
            if (!m_mesh) m_mesh = meshFacts(path);
            lines = description(*m_mesh);
            if (!suits(*m_mesh, Kind::Obstacle) && !suits(*m_mesh, Kind::Elements))
                lines << tr("It has neither faces nor tetrahedra nor hexahedra: nothing can be made of it.");
        } catch (const std::runtime_error& e) {
            lines << QString::fromUtf8(e.what());
        }
        m_facts->setText(lines.join('\n'));
    }
    if (m_mesh) {
        for (QAbstractButton* b : m_kinds->buttons()) b->setEnabled(suits(*m_mesh, static_cast<Kind>(m_kinds->id(b))));
        if (!m_kinds->checkedButton() || !m_kinds->checkedButton()->isEnabled())
            for (const Kind k : {Kind::Cloth, Kind::Elements, Kind::Grid})  // the last that suits
                if (suits(*m_mesh, k)) m_kinds->button(static_cast<int>(k))->setChecked(true);
        // The end with the least x is held.
        const Vec3 size = m_mesh->max - m_mesh->min;
        const double margin = 0.01 * m_mesh->longest();
        const auto text = [unit](double x, double y, double z) {
            return QString("%1 %2 %3").arg(x * unit, 0, 'g', 4).arg(y * unit, 0, 'g', 4).arg(z * unit, 0, 'g', 4);
        };
        m_boxMin->setText(text(m_mesh->min[0] - margin, m_mesh->min[1] - margin, m_mesh->min[2] - margin));
        m_boxMax->setText(
            text(m_mesh->min[0] + 0.1 * size[0] + margin, m_mesh->max[1] + margin, m_mesh->max[2] + margin));
        m_thickness->setText(QString::number(0.001 * m_mesh->longest() * unit, 'g', 3));
    }
    kindChanged();
}

/// What a mesh holds, in words.
QStringList MeshWizard::description(const MeshFacts& mesh)
{
    QStringList parts{tr("%1 points").arg(mesh.points)};
    const auto add = [&](std::size_t n, const QString& text) {
        if (n > 0) parts << text.arg(n);
    };
    add(mesh.edges, tr("%1 edges"));
    add(mesh.triangles, tr("%1 triangles"));
    add(mesh.quads, tr("%1 quads"));
    add(mesh.tetrahedra, tr("%1 tetrahedra"));
    add(mesh.hexahedra, tr("%1 hexahedra"));
    add(mesh.others, tr("%1 other elements"));
    const auto number = [](double x) { return QString::number(x, 'g', 4); };
    const auto point = [&](const Vec3& p) { return number(p[0]) + ' ' + number(p[1]) + ' ' + number(p[2]); };
    const Vec3 size = mesh.max - mesh.min;
    QStringList out{parts.join(", "),
                    tr("Its size is %1 x %2 x %3, from %4 to %5")
                        .arg(number(size[0]), number(size[1]), number(size[2]), point(mesh.min), point(mesh.max))};
    if (mesh.hasFaces() || mesh.tetrahedra + mesh.hexahedra > 0)
        out << (mesh.isClosed ? tr("The surface is closed; volume %1").arg(number(mesh.volume))
                              : tr("The surface is open: volumes and masses are those of the box around it"));
    return out;
}

double MeshWizard::unitOfFile() const { return m_unit->currentData().toDouble(); }

Kind MeshWizard::kind() const { return static_cast<Kind>(std::max(0, m_kinds->checkedId())); }

std::optional<std::vector<double>> MeshWizard::numbers(const QLineEdit* field, const char* unit,
                                                       std::size_t count) const
{
    std::string plain, error;
    if (!convertUnits(field->text().toStdString(), unit, plain, error)) return std::nullopt;
    static const QRegularExpression spaces("\\s+");
    const QStringList words = QString::fromStdString(plain).split(spaces, Qt::SkipEmptyParts);
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(words.size()));
    for (const QString& word : words) {
        bool good = false;
        out.push_back(word.toDouble(&good));
        if (!good || !std::isfinite(out.back())) return std::nullopt;
    }
    if (out.size() != count) return std::nullopt;
    return out;
}

/// What is wrong with the fields; empty if nothing is.
QString MeshWizard::problem() const
{
    const Kind k = kind();
    const bool isSoft = k != Kind::Rigid && k != Kind::Obstacle;
    const auto one = [&](const QLineEdit* field, const char* unit, double least, double most, const QString& text) {
        const auto n = numbers(field, unit, 1);
        return n && n->front() > least && n->front() < most ? QString() : text;
    };
    const double any = 1e30;
    QStringList all;
    if (isSoft) {
        all << one(m_young, "Pa", 0., any, tr("Young's modulus must be a pressure above 0."))
            << one(m_poisson, "1", -1., 0.5, tr("Poisson's ratio must be between -1 and 0.5."));
        if (m_fixed->isChecked() && (!numbers(m_boxMin, "m", 3) || !numbers(m_boxMax, "m", 3)))
            all << tr("The box needs two corners of three lengths each.");
    }
    if (k != Kind::Obstacle) all << one(m_density, "kg/m^3", 0., any, tr("The density must be above 0."));
    if (k == Kind::Cloth) all << one(m_thickness, "m", 0., any, tr("The thickness must be a length above 0."));
    all.removeAll(QString());
    return all.join('\n');
}

void MeshWizard::kindChanged()
{
    const Kind k = kind();
    const bool isSoft = k != Kind::Rigid && k != Kind::Obstacle;
    m_young->setEnabled(isSoft);
    m_poisson->setEnabled(isSoft);
    m_density->setEnabled(k != Kind::Obstacle);
    m_thickness->setEnabled(k == Kind::Cloth);
    m_cells->setEnabled(k == Kind::Grid);
    m_fixed->setEnabled(isSoft);
    m_boxMin->setEnabled(isSoft && m_fixed->isChecked());
    m_boxMax->setEnabled(isSoft && m_fixed->isChecked());
    m_solver->setEnabled(isSoft);
    m_problem->setText(m_mesh ? problem() : QString());
    for (const int id : pageIds())
        if (auto* p = dynamic_cast<Page*>(page(id))) p->changed();
}

MeshSimulation MeshWizard::simulation() const
{
    MeshSimulation s;
    const auto first = [&](const QLineEdit* field, const char* unit, double otherwise) {
        const auto n = numbers(field, unit, 1);
        return n ? n->front() : otherwise;
    };
    const auto corner = [&](const QLineEdit* field) {
        const auto n = numbers(field, "m", 3);
        return n ? Vec3((*n)[0], (*n)[1], (*n)[2]) : Vec3();
    };
    s.kind = kind();
    s.unit = unitOfFile();
    s.youngModulus = first(m_young, "Pa", s.youngModulus);
    s.poissonRatio = first(m_poisson, "1", s.poissonRatio);
    s.density = first(m_density, "kg/m^3", s.density);
    s.thickness = first(m_thickness, "m", s.thickness);
    s.cells = m_cells->value();
    s.fixed = m_fixed->isChecked();
    s.boxMin = corner(m_boxMin);
    s.boxMax = corner(m_boxMax);
    s.collision = m_collision->isChecked();
    s.direct = m_solver->currentIndex() == 1;
    return s;
}

bool MeshWizard::intoDocument() const { return m_insert && m_insert->isChecked(); }

QString MeshWizard::filename() const { return m_filename(m_file->text().trimmed(), intoDocument()); }

void MeshWizard::preview()
{
    if (!m_mesh) return;
    const std::string name = filename().toStdString();
    m_preview->setPlainText(QString::fromStdString(intoDocument() ? meshNode(*m_mesh, simulation(), name)
                                                                  : meshScene(*m_mesh, simulation(), name)));
}

}  // namespace sofa::modeler
