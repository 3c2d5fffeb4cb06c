// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/PreviewPanel.h"

#include <QAction>
#include <QActionGroup>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "applications/modeler/PointPicker.h"
#include "applications/modeler/TransformTool.h"
#include "applications/qt/Icons.h"
#include "applications/qt/Viewer.h"

namespace sofa::modeler {

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent),
      m_session(qt::SceneLoad()),
      m_viewer(new qt::Viewer(m_session)),
      m_tool(new TransformTool(m_session, *m_viewer, this)),
      m_picker(new PointPicker(m_session, *m_viewer, this))
{
    setObjectName("preview");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QToolBar;
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(bar);
    makeTools(*bar);
    const auto action = [&](const char* name, qt::Icon icon, const QString& text, const QKeySequence& keys,
                            const QString& help) {
        QAction* a = bar->addAction(qt::icon(icon), text);
        a->setObjectName(name);
        a->setShortcut(keys);
        a->setToolTip(help + " (" + keys.toString(QKeySequence::NativeText) + ')');
        return a;
    };
    m_play =
        action("play", qt::Icon::Animate, tr("&Play"), Qt::Key_F5, tr("Run the scene here; the text stays as it is"));
    m_play->setCheckable(true);
    m_step = action("step", qt::Icon::Step, tr("S&tep"), Qt::Key_F6, tr("One step of the scene"));
    m_stop = action("stop", qt::Icon::ResetScene, tr("&Back"), QKeySequence("Shift+F5"),
                    tr("Back to the beginning, for editing"));
    m_time = new QLabel;
    m_time->setObjectName("previewTime");
    m_time->setMargin(4);
    m_notice = new QLabel;
    m_notice->setObjectName("previewNotice");
    m_notice->setWordWrap(true);
    m_notice->setMargin(6);
    m_notice->hide();
    layout->addWidget(m_notice);
    layout->addWidget(m_viewer, 1);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(6, 2, 2, 2);
    layout->addLayout(below);
    m_hint = new QLabel;
    m_hint->setObjectName("previewHint");
    m_hint->setWordWrap(true);
    below->addWidget(m_hint, 1);
    below->addWidget(m_time);
    m_done = new QPushButton(tr("&Done"));
    m_done->setObjectName("pickDone");
    m_done->hide();
    below->addWidget(m_done);
    connect(m_done, &QPushButton::clicked, m_picker, &PointPicker::finish);
    connect(m_tool, &TransformTool::changed, this, &PreviewPanel::showHint);
    connect(m_picker, &PointPicker::changed, this, &PreviewPanel::showHint);
    connect(m_viewer, &qt::Viewer::clicked, this, &PreviewPanel::selectAt);
    connect(m_play, &QAction::triggered, this, [this](bool on) {
        if (m_session.isOpen()) m_session.thread()->setAnimating(on);
        updateActions();
    });
    connect(m_step, &QAction::triggered, this, [this] {
        if (m_session.isOpen()) m_session.thread()->step();
    });
    connect(m_stop, &QAction::triggered, this, [this] {
        if (!m_session.isOpen()) return;
        m_session.thread()->setAnimating(false);
        m_session.thread()->reset();
        updateActions();
    });
    connect(m_viewer, &qt::Viewer::frameShown, this, [this] {
        showHint();
        m_time->setText(m_session.isOpen() ? tr("%1 s").arg(m_viewer->frame().time, 0, 'f', 3) : QString());
    });
    connect(&m_session, &qt::Session::failed, this, [this](const QString& reason) {
        say(tr("The scene has stopped: %1").arg(reason));
        updateActions();
    });
    connect(&m_session, &qt::Session::animatingChanged, this, &PreviewPanel::updateActions);
    findChild<QAction*>("toolMove")->setChecked(true);
    updateActions();
}

PreviewPanel::~PreviewPanel()
{
    delete m_viewer;  // before its session
}

void PreviewPanel::makeTools(QToolBar& bar)
{
    // Keys of the view: in texts they are letters.
    const auto action = [&](const char* name, const QString& text, const QKeySequence& key, const QString& help) {
        auto* a = new QAction(text, this);
        a->setObjectName(name);
        a->setShortcut(key);
        a->setShortcutContext(Qt::WidgetShortcut);
        a->setToolTip(help + " (" + key.toString(QKeySequence::NativeText) + ')');
        m_viewer->addAction(a);
        return a;
    };
    auto* group = new QActionGroup(this);
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    struct Choice
    {
        const char* name;
        QString text;
        Qt::Key key;
        qt::Icon icon;
        QString help;
        Tool tool;
    };
    const Choice choices[] = {
        {"toolMove", tr("Move"), Qt::Key_W, qt::Icon::Move, tr("Handles that move the selection"), Tool::Move},
        {"toolTurn", tr("Turn"), Qt::Key_E, qt::Icon::Turn, tr("Handles that turn the selection"), Tool::Turn},
        {"toolScale", tr("Scale"), Qt::Key_R, qt::Icon::Scale, tr("Handles that scale the selection"), Tool::Scale}};
    for (const Choice& c : choices) {
        QAction* a = action(c.name, c.text, c.key, c.help + tr("; Ctrl goes in round steps, Escape takes back"));
        a->setIcon(qt::icon(c.icon));
        a->setCheckable(true);
        group->addAction(a);
        bar.addAction(a);
        qobject_cast<QToolButton*>(bar.widgetForAction(a))->setToolButtonStyle(Qt::ToolButtonIconOnly);
        connect(a, &QAction::toggled, this, [this, a, tool = c.tool] {
            if (a->isChecked())
                m_tool->setTool(tool);
            else if (m_tool->tool() == tool)
                m_tool->setTool(Tool::None);
        });
    }
    bar.addSeparator();
    connect(action("focusSelection", tr("See Selection"), Qt::Key_F, tr("Go near to the selection")),
            &QAction::triggered, m_viewer, &qt::Viewer::fitSelection);
    connect(action("focusAll", tr("See All"), QKeySequence("Shift+F"), tr("See the whole scene")), &QAction::triggered,
            m_viewer, &qt::Viewer::fitView);
    m_viewer->installEventFilter(this);
    m_viewer->setOverlay([this](QPainter& p) {
        if (m_picker->isActive())
            m_picker->paint(p);
        else
            m_tool->paint(p);
    });
}

bool PreviewPanel::eventFilter(QObject* object, QEvent* e)
{
    if (object == m_viewer && (m_picker->isActive() ? m_picker->handle(e) : m_tool->handle(e))) return true;
    return QWidget::eventFilter(object, e);
}

void PreviewPanel::showHint()
{
    m_hint->setText(m_picker->isActive() ? m_picker->hint() : m_tool->hint());
    m_done->setVisible(m_picker->isActive());
}

void PreviewPanel::pickPoints(const QString& attribute)
{
    if (m_document) m_picker->start(*m_document, attribute.toStdString());
}

/// A click on a component selects its element; what comes from another file the element that brings it.
void PreviewPanel::selectAt(const QString& path)
{
    const XmlDocument* x = m_document ? m_document->text().tree() : nullptr;
    if (!x || !m_session.isOpen() || m_session.thread()->isAnimating()) return;
    if (path.isEmpty()) return m_document->select({});
    const TextLinks& names = *m_document->links();
    for (std::string wanted = path.toStdString(); !wanted.empty(); wanted.resize(wanted.rfind('/'))) {
        for (std::uint32_t i = 0; i < x->items().size(); ++i) {
            if (names.nameOf(i).empty() || names.pathOf(i) != wanted) continue;
            std::uint32_t found = i;
            int brought = 0;
            if (wanted != path.toStdString())
                for (std::uint32_t k = x->firstIn(i); k < x->endIn(i); k = x->items()[k].next)
                    if (x->items()[k].isElement() && names.isOpaque(k) && ++brought == 1) found = k;
            return m_document->select({x->items()[brought == 1 ? found : i].id});
        }
    }
}

QString PreviewPanel::hint() const { return m_hint->text(); }
QString PreviewPanel::notice() const { return m_notice->isHidden() ? QString() : m_notice->text(); }

void PreviewPanel::say(const QString& text)
{
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
}

void PreviewPanel::setDocument(Document* document, Analyser* analyser)
{
    if (m_document == document) return;
    if (m_document) m_document->disconnect(this);
    if (m_analyser) m_analyser->disconnect(this);
    m_picker->finish();
    m_document = document;
    m_analyser = analyser;
    m_keepView = false;
    m_session.close();
    m_simulation.reset();
    say({});
    m_viewer->update();
    updateActions();
    m_tool->setDocument(document);
    if (!document) return;
    connect(analyser, &Analyser::built, this, &PreviewPanel::display);
    connect(analyser, &Analyser::notBuilt, this, [this] {
        if (m_session.isOpen()) m_session.thread()->setAnimating(false);
        say(m_session.isOpen() ? tr("The scene is as it was before the text had errors; the messages say which.")
                               : tr("The scene cannot be shown: the messages say why."));
        updateActions();
    });
    connect(document, &Document::selectionChanged, this, &PreviewPanel::followSelection);
    analyser->build();
}

void PreviewPanel::display(const std::shared_ptr<Simulation>& simulation)
{
    if (m_keepView) m_viewer->keepView(true);
    m_keepView = true;
    m_session.adopt(*simulation, m_document->path());
    m_simulation = simulation;  // once the thread of the one before has ended
    say({});
    followSelection();
    updateActions();
    m_tool->sceneBuilt();
    m_picker->sceneBuilt();
}

void PreviewPanel::followSelection()
{
    const XmlDocument* x = m_document ? m_document->text().tree() : nullptr;
    const std::uint32_t i = x && m_document->current() != 0 ? x->find(m_document->current()) : XmlItem::none;
    const bool isRoot = i != XmlItem::none && x->items()[i].parent == XmlItem::none;
    m_viewer->setSelection(i == XmlItem::none || isRoot ? QString()
                                                        : QString::fromStdString(m_document->links()->pathOf(i)));
}

void PreviewPanel::updateActions()
{
    const bool open = m_session.isOpen();
    for (QAction* a : {m_play, m_step, m_stop}) a->setEnabled(open);
    m_play->setChecked(open && m_session.thread()->isAnimating());
    m_play->setText(m_play->isChecked() ? tr("&Pause") : tr("&Play"));
}

}  // namespace sofa::modeler
