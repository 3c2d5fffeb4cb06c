// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/MeasurePanel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <cmath>
#include <numbers>

namespace sofa::qt {

MeasurePanel::MeasurePanel(Viewer& viewer, QWidget* parent) : Panel(parent), m_viewer(&viewer)
{
    setObjectName("measurePanel");
    auto* column = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    const QString texts[] = {tr("&Position"), tr("&Distance"), tr("&Angle")};
    const char* names[] = {"measurePosition", "measureDistance", "measureAngle"};
    const QString helps[] = {tr("Where the place is on which you click"), tr("Between two places"),
                             tr("At the second of three places")};
    for (std::size_t i = 0; i < 3; ++i) {
        auto* b = m_buttons[i] = new QToolButton;
        b->setObjectName(names[i]);
        b->setText(texts[i]);
        b->setToolTip(helps[i]);
        b->setCheckable(true);
        row->addWidget(b);
        connect(b, &QToolButton::clicked, this, [this, i](bool on) {
            if (on)
                start(static_cast<Kind>(i));
            else
                stop();
        });
    }
    row->addStretch();
    m_hint = new QLabel;
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    m_list = new QTreeWidget;
    m_list->setObjectName("measures");
    m_list->setRootIsDecorated(false);
    m_list->setHeaderLabels({tr("What"), tr("Value")});
    m_list->setAccessibleName(tr("What was measured"));
    fitColumnsToTexts(m_list);
    column->addWidget(m_list, 1);
    auto* bottom = new QHBoxLayout;
    column->addLayout(bottom);
    const auto button = [&](const char* name, const QString& text, auto&& act) {
        auto* b = new QPushButton(text);
        b->setObjectName(name);
        bottom->addWidget(b);
        connect(b, &QPushButton::clicked, this, act);
    };
    button("measureCopy", tr("Cop&y"), [this] { QApplication::clipboard()->setText(results().join('\n')); });
    button("measureRemove", tr("Re&move"), [this] { removeSelected(); });
    button("measureClear", tr("Clea&r"), [this] { clear(); });
    bottom->addStretch();
    auto* gone = new QShortcut(QKeySequence::Delete, m_list, nullptr, nullptr, Qt::WidgetShortcut);
    connect(gone, &QShortcut::activated, this, &MeasurePanel::removeSelected);
    connect(&viewer, &Viewer::frameShown, this, &MeasurePanel::refresh);
    // Escape in the view.
    connect(&viewer, &Viewer::clicked, this, [this](const QString& path) {
        if (path.isEmpty()) stop();
    });
    stop();
}

MeasurePanel::~MeasurePanel() { setSimulation(nullptr); }

void MeasurePanel::start(Kind kind)
{
    stop();
    m_kind = kind;
    for (std::size_t i = 0; i < 3; ++i) m_buttons[i]->setChecked(i == static_cast<std::size_t>(kind));
    m_hint->setText(kind == Kind::Position ? tr("Click on places in the view. Escape ends it.")
                    : kind == Kind::Distance
                        ? tr("Click on two places in the view. Escape ends it.")
                        : tr("Click on three places; the angle is at the second. Escape ends it."));
    m_viewer->setPlaceTaker([this](const Viewer::Place& place, const Vec3& now) { add(place, now); });
}

void MeasurePanel::stop()
{
    m_kind.reset();
    for (QToolButton* b : m_buttons) b->setChecked(false);
    m_hint->setText(tr("Choose what to measure, then click on places in the view."));
    if (m_begun) {
        const std::lock_guard lock(m_mutex);
        std::erase(m_measures, m_begun);
    }
    m_begun.reset();
    if (m_viewer) m_viewer->setPlaceTaker({});
    refresh();
}

void MeasurePanel::clear()
{
    {
        const std::lock_guard lock(m_mutex);
        m_measures.clear();
    }
    m_begun.reset();
    refresh();
}

void MeasurePanel::removeSelected()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    {
        const std::lock_guard lock(m_mutex);
        if (row < 0 || row >= static_cast<int>(m_measures.size())) return;
        if (m_measures[static_cast<std::size_t>(row)] == m_begun) m_begun.reset();
        m_measures.erase(m_measures.begin() + row);
    }
    refresh();
}

void MeasurePanel::add(const Viewer::Place& place, const Vec3& now)
{
    if (!m_kind) return;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_begun) {
            m_begun = std::make_shared<Measure>();
            m_begun->kind = *m_kind;
            m_measures.push_back(m_begun);
        }
        m_begun->places.push_back(place);
        m_begun->now.emplace_back(now);
    }
    if (m_begun->places.size() == placesOf(m_begun->kind)) m_begun.reset();
    refresh();
}

QString MeasurePanel::textOf(const Measure& m, bool unit)
{
    for (const auto& x : m.now)
        if (!x) return tr("gone");
    const auto number = [](double v) { return QString::number(std::abs(v) < 1e-12 ? 0. : v, 'g', 6); };
    if (m.now.size() < placesOf(m.kind)) return tr("…");
    if (m.kind == Kind::Position)
        return QStringLiteral("(%1, %2, %3)")
                   .arg(number((*m.now[0])[0]), number((*m.now[0])[1]), number((*m.now[0])[2])) +
               (unit ? tr(" m") : QString());
    if (m.kind == Kind::Distance) return number(norm(*m.now[1] - *m.now[0])) + (unit ? tr(" m") : QString());
    const Vec3 a = *m.now[0] - *m.now[1], b = *m.now[2] - *m.now[1];
    return number(std::atan2(norm(cross(a, b)), dot(a, b)) * 180. / std::numbers::pi) + QStringLiteral("°");
}

QStringList MeasurePanel::results() const
{
    const QString kinds[] = {tr("position"), tr("distance"), tr("angle")};
    const std::lock_guard lock(m_mutex);
    QStringList lines;
    for (const auto& m : m_measures) lines << kinds[static_cast<std::size_t>(m->kind)] + ": " + textOf(*m);
    return lines;
}

void MeasurePanel::refresh()
{
    std::vector<Viewer::Mark> marks;
    QStringList lines = results();
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& m : m_measures) {
            Viewer::Mark mark;
            for (const auto& x : m->now)
                if (x) mark.points.push_back(*x);
            mark.text = textOf(*m);
            if (mark.points.size() == m->now.size()) marks.push_back(std::move(mark));
        }
    }
    while (m_list->topLevelItemCount() > lines.size()) delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    for (int i = 0; i < lines.size(); ++i) {
        QTreeWidgetItem* item = m_list->topLevelItem(i);
        if (!item) item = new QTreeWidgetItem(m_list);
        item->setText(0, lines[i].section(": ", 0, 0));
        item->setText(1, lines[i].section(": ", 1));
    }
    // Each frame asks for this; only what changed is drawn once more.
    const auto same = [](const Viewer::Mark& a, const Viewer::Mark& b) {
        return a.text == b.text && a.points == b.points;
    };
    if (m_viewer && !std::equal(marks.begin(), marks.end(), m_viewer->marks().begin(), m_viewer->marks().end(), same))
        m_viewer->setMarks(std::move(marks));
}

void MeasurePanel::simulationChanged()
{
    stop();
    clear();
}

void MeasurePanel::sceneChanged(core::Simulation&, core::SimulationThread::Change)
{
    const std::lock_guard lock(m_mutex);
    for (const auto& m : m_measures)
        for (std::size_t i = 0; i < m->places.size(); ++i) m->now[i] = m->places[i]();
}

}  // namespace sofa::qt
