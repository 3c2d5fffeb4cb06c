// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/PreviewPanel.h"

#include <QAction>
#include <QLabel>
#include <QToolBar>
#include <QVBoxLayout>

#include "applications/qt/Icons.h"
#include "applications/qt/Viewer.h"

namespace sofa::modeler {

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent), m_session(qt::SceneLoad()), m_viewer(new qt::Viewer(m_session))
{
    setObjectName("preview");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QToolBar;
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(bar);
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
    bar->addWidget(m_time);
    m_notice = new QLabel;
    m_notice->setObjectName("previewNotice");
    m_notice->setWordWrap(true);
    m_notice->setMargin(6);
    m_notice->hide();
    layout->addWidget(m_notice);
    layout->addWidget(m_viewer, 1);
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
        m_time->setText(m_session.isOpen() ? tr("%1 s").arg(m_viewer->frame().time, 0, 'f', 3) : QString());
    });
    connect(&m_session, &qt::Session::failed, this, [this](const QString& reason) {
        say(tr("The scene has stopped: %1").arg(reason));
        updateActions();
    });
    connect(&m_session, &qt::Session::animatingChanged, this, &PreviewPanel::updateActions);
    updateActions();
}

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
    m_document = document;
    m_analyser = analyser;
    m_keepView = false;
    m_session.close();
    m_simulation.reset();
    say({});
    m_viewer->update();
    updateActions();
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
