// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/Panel.h"

#include <QHeaderView>
#include <QIcon>
#include <QPainter>
#include <map>

namespace sofa::qt {

void fitColumnsToTexts(QTreeView* tree)
{
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tree->header()->setResizeContentsPrecision(100);  // a thousand lines, as it is else, are slow to measure
    tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

Panel::~Panel() { setSimulation(nullptr); }

void Panel::setSimulation(core::SimulationThread* thread)
{
    if (m_thread && m_listener > 0) m_thread->removeListener(m_listener);
    m_listener = 0;
    ++m_number;
    const bool had = m_thread != nullptr;
    m_thread = thread;
    if (m_thread && listens())
        m_listener = m_thread->addListener(
            [this](core::Simulation& s, core::SimulationThread::Change c) { sceneChanged(s, c); });
    if (m_thread || had) simulationChanged();
}

void Panel::later(const QPointer<Panel>& self, std::function<void()> f)
{
    QMetaObject::invokeMethod(
        qApp,
        [self, f = std::move(f)] {
            if (self) f();
        },
        Qt::QueuedConnection);
}

QIcon categoryIcon(const std::string& category)
{
    // Letters and hue [deg] of the categories that scenes are full of; others get the first letters of their words.
    struct Look
    {
        const char* letters;
        int hue;
    };
    static const std::map<std::string, Look> looks = {
        {"Node", {"", 0}},
        {"State", {"S", 210}},
        {"Mass", {"M", 0}},
        {"ForceField", {"F", 25}},
        {"Mapping", {"→", 280}},
        {"TopologicalMapping", {"T→", 280}},
        {"Topology", {"T", 50}},
        {"MeshLoader", {"L", 180}},
        {"Loader", {"L", 180}},
        {"OdeSolver", {"O", 130}},
        {"LinearSolver", {"A", 130}},
        {"ConstraintSolver", {"C", 130}},
        {"ConstraintCorrection", {"CC", 330}},
        {"LagrangianConstraint", {"λ", 330}},
        {"ProjectiveConstraint", {"P", 330}},
        {"CollisionModel", {"K", 350}},
        {"VisualModel", {"V", 85}},
        {"Visual", {"V", 85}},
        {"Engine", {"E", 240}},
        {"AnimationLoop", {"⟳", 160}},
    };
    static std::map<std::string, QIcon> icons;
    const auto known = icons.find(category);
    if (known != icons.end()) return known->second;

    QString letters;
    int hue = 0;
    if (const auto it = looks.find(category); it != looks.end()) {
        letters = QString::fromUtf8(it->second.letters);
        hue = it->second.hue;
    } else {
        for (const char c : category) {
            if (c >= 'A' && c <= 'Z' && letters.size() < 2) letters += QLatin1Char(c);
            hue = (hue * 31 + c) % 360;
        }
    }
    QIcon icon;
    for (const int size : {16, 32}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter p(&pixmap);
        p.setRenderHint(QPainter::Antialiasing);
        const double s = size / 16.;
        if (category == "Node") {
            p.setPen(QPen(QColor(90, 90, 90), s));
            p.setBrush(QColor(235, 200, 90));
            p.drawPolygon(QPolygonF(
                {{1 * s, 3 * s}, {6 * s, 3 * s}, {8 * s, 5 * s}, {15 * s, 5 * s}, {15 * s, 13 * s}, {1 * s, 13 * s}}));
        } else {
            p.setPen(Qt::NoPen);
            p.setBrush(QColor::fromHsv(hue, 150, 190));
            p.drawRoundedRect(QRectF(s, s, 14 * s, 14 * s), 3 * s, 3 * s);
            QFont f = p.font();
            f.setBold(true);
            f.setPixelSize(static_cast<int>((letters.size() > 1 ? 8 : 10) * s));
            p.setFont(f);
            p.setPen(Qt::white);
            p.drawText(QRectF(0, 0, size, size), Qt::AlignCenter, letters);
        }
        icon.addPixmap(pixmap);
    }
    return icons.emplace(category, icon).first->second;
}

}  // namespace sofa::qt
