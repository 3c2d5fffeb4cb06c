// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/PlotsPanel.h"

#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "applications/qt/panels/DataEditor.h"
#include "applications/qt/panels/PlotWidget.h"
#include "core/scene/SceneSnapshot.h"

namespace sofa::qt {

using core::Simulation;
using core::SimulationThread;

namespace {

constexpr std::size_t mostCurves = 4;
constexpr std::size_t waiting = 20'000;  // points that wait for the window at most

/// Least, mean and largest.
class Summary
{
public:
    void add(double v)
    {
        m_low = m_count == 0 ? v : std::min(m_low, v);
        m_high = m_count == 0 ? v : std::max(m_high, v);
        m_sum += v;
        ++m_count;
    }
    std::vector<double> values() const
    {
        if (m_count == 0) return {};
        return {m_low, m_sum / static_cast<double>(m_count), m_high};
    }

private:
    double m_low = 0., m_high = 0., m_sum = 0.;
    std::size_t m_count = 0;
};

/// The numbers of a text; empty if something else is in it.
std::vector<double> numbersIn(const std::string& text)
{
    std::vector<double> out;
    const char* at = text.c_str();
    for (;;) {
        at += std::strspn(at, " \t\n,");
        if (!*at) return out;
        char* end = nullptr;
        const double v = std::strtod(at, &end);
        if (end == at) return {};
        out.push_back(v);
        at = end;
    }
}

}  // namespace

PlottedNumbers plottedNumbers(const core::BaseData& data)
{
    if (const auto* list = dynamic_cast<const core::Data<core::Vector<core::Vec3>>*>(&data);
        list && list->value().size() > 1) {
        Summary s;
        for (const core::Vec3& v : list->value()) s.add(norm(v));
        return {s.values(), true};
    }
    std::vector<double> all = numbersIn(data.text());
    const auto columns = static_cast<std::size_t>(std::max(1, columnsOf(data.typeName())));
    if (all.size() <= mostCurves && (columns == 1 || all.size() <= columns)) return {std::move(all), false};
    Summary s;
    for (std::size_t i = 0; i + columns <= all.size(); i += columns) {
        if (columns == 1) {
            s.add(all[i]);
            continue;
        }
        // Of frames, the place.
        double sum = 0.;
        for (std::size_t k = 0; k < std::min<std::size_t>(columns, 3); ++k) sum += all[i + k] * all[i + k];
        s.add(std::sqrt(sum));
    }
    return {s.values(), true};
}

PlotsPanel::PlotsPanel(QWidget* parent) : Panel(parent)
{
    setObjectName("plotsPanel");
    setAcceptDrops(true);
    m_column = new QVBoxLayout(this);
    m_hint =
        new QLabel(tr("Drag the name of a value from the properties to here, or choose Plot in its menu or in that "
                      "of its component."));
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignCenter);
    m_column->addWidget(m_hint, 1);
    connect(&m_timer, &QTimer::timeout, this, [this] { drain(); });
    m_timer.start(100);
}

PlotsPanel::~PlotsPanel() { setSimulation(nullptr); }

QMimeData* PlotsPanel::mimeOf(const std::string& path, const std::string& dataName)
{
    auto* mime = new QMimeData;
    mime->setData(mimeType(), QByteArray::fromStdString(path + '\n' + dataName));
    mime->setText(text(path + '.' + dataName));
    return mime;
}

void PlotsPanel::dragEnterEvent(QDragEnterEvent* e)
{
    if (e->mimeData()->hasFormat(mimeType())) e->acceptProposedAction();
}

void PlotsPanel::dropEvent(QDropEvent* e)
{
    const QList<QByteArray> parts = e->mimeData()->data(mimeType()).split('\n');
    if (parts.size() != 2) return;
    e->acceptProposedAction();
    add(parts[0].toStdString(), parts[1].toStdString());
}

void PlotsPanel::add(const std::string& path, const std::string& dataName)
{
    if (plot(path, dataName)) return;
    struct Found
    {
        PlottedNumbers numbers;
        std::string unit;
        bool exists = false;
    };
    fetch(
        [path, dataName](Simulation& s) {
            Found found;
            const core::Base* object = core::findObject(s.root(), path);
            const core::BaseData* d = object ? object->findData(dataName) : nullptr;
            if (!d) return found;
            found.exists = true;
            found.numbers = plottedNumbers(*d);
            found.unit = std::string(d->unit());
            return found;
        },
        [this, path, dataName](const Found& found) {
            if (!found.numbers.values.empty())
                show(path, dataName, text(found.unit), found.numbers);
            else if (onMessage)
                onMessage((found.exists ? tr("%1 has no numbers that could be plotted") : tr("There is no %1"))
                              .arg(text(path + '.' + dataName)));
        });
}

void PlotsPanel::show(const std::string& path, const std::string& dataName, const QString& unit,
                      const PlottedNumbers& numbers)
{
    if (plot(path, dataName)) return;
    static const QColor colors[mostCurves] = {{200, 60, 40}, {60, 140, 60}, {40, 100, 200}, {150, 80, 170}};
    const std::size_t curves = numbers.values.size();
    const QStringList names = numbers.summary ? QStringList{tr("least"), tr("mean"), tr("largest")}
                              : curves == 3   ? QStringList{"x", "y", "z"}
                                              : QStringList{"1", "2", "3", "4"};
    std::vector<PlotWidget::Curve> lines;
    for (std::size_t i = 0; i < curves; ++i) lines.push_back({names[static_cast<qsizetype>(i)], colors[i]});
    Source source;
    source.path = path;
    source.data = dataName;
    source.curves = curves;
    source.row = new QWidget;
    auto* row = new QVBoxLayout(source.row);
    row->setContentsMargins(0, 0, 0, 0);
    auto* head = new QHBoxLayout;
    row->addLayout(head);
    auto* name = new QLabel(text(path + '.' + dataName));
    name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    head->addWidget(name, 1);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Remove this plot"));
    close->setAccessibleName(tr("Remove the plot of %1").arg(name->text()));
    close->setObjectName("removePlot");
    head->addWidget(close);
    connect(close, &QToolButton::clicked, this, [this, path, dataName] { remove(path, dataName); });
    source.plot = new PlotWidget(text(dataName), unit == "1" ? QString() : unit, lines);
    row->addWidget(source.plot, 1);
    m_column->addWidget(source.row, 1);
    m_hint->hide();
    const std::lock_guard lock(m_mutex);
    m_sources.push_back(std::move(source));
}

void PlotsPanel::remove(const std::string& path, const std::string& dataName)
{
    const std::lock_guard lock(m_mutex);
    const auto it =
        std::ranges::find_if(m_sources, [&](const Source& s) { return s.path == path && s.data == dataName; });
    if (it == m_sources.end()) return;
    it->row->hide();
    it->row->deleteLater();
    m_sources.erase(it);
    m_hint->setVisible(m_sources.empty());
}

PlotWidget* PlotsPanel::plot(const std::string& path, const std::string& dataName) const
{
    const std::lock_guard lock(m_mutex);
    for (const Source& s : m_sources)
        if (s.path == path && s.data == dataName) return s.plot;
    return nullptr;
}

QStringList PlotsPanel::plotted() const
{
    const std::lock_guard lock(m_mutex);
    QStringList out;
    for (const Source& s : m_sources) out << text(s.path + '.' + s.data);
    return out;
}

void PlotsPanel::simulationChanged()
{
    const std::lock_guard lock(m_mutex);
    for (Source& s : m_sources) {
        s.plot->clear();
        s.arrived.clear();
    }
    // A scene that was opened again has the same values; of another one, plots of what is not there stay empty.
}

void PlotsPanel::sceneChanged(Simulation& s, SimulationThread::Change change)
{
    if (change != SimulationThread::Change::Stepped && change != SimulationThread::Change::Reset) return;
    const std::lock_guard lock(m_mutex);
    for (Source& source : m_sources) {
        const core::Base* object = core::findObject(s.root(), source.path);
        const core::BaseData* d = object ? object->findData(source.data) : nullptr;
        if (!d || source.arrived.size() >= waiting) continue;
        std::vector<double> values = plottedNumbers(*d).values;
        values.resize(source.curves, std::numeric_limits<double>::quiet_NaN());
        source.arrived.emplace_back(s.root().time(), std::move(values));
    }
}

void PlotsPanel::drain()
{
    const std::lock_guard lock(m_mutex);
    for (Source& s : m_sources) {
        for (const auto& [time, values] : s.arrived) s.plot->append(time, values);
        s.arrived.clear();
    }
}

}  // namespace sofa::qt
