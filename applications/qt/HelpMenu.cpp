// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/HelpMenu.h"

#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "core/Installation.h"

namespace sofa::qt {

namespace {

QString sharePath(const QString& below)
{
    return QDir(QString::fromStdString(core::shareDirectory().string())).filePath(below);
}

/// What a scene shows, by its first comment, up to the first full stop.
QString aboutScene(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    static const QRegularExpression comment("<!--(.*?)-->", QRegularExpression::DotMatchesEverythingOption);
    const auto found = comment.match(QString::fromUtf8(file.read(4000)));
    const QString all = found.captured(1).simplified();
    const qsizetype end = all.indexOf(". ");
    return end > 0 ? all.left(end) : all.left(200);
}

}  // namespace

ExamplesMenu::ExamplesMenu(const QString& title, QWidget* parent) : QMenu(title, parent)
{
    setToolTipsVisible(true);
    const QDir folder(sharePath("scenes/demos"));
    for (const QString& name : folder.entryList({"*.scn"}, QDir::Files, QDir::Name)) {
        const QString path = folder.filePath(name);
        QString text = QFileInfo(name).completeBaseName().replace('_', ' ');
        text[0] = text[0].toUpper();
        QAction* a = addAction(text, this, [this, path] { Q_EMIT chosen(path); });
        const QString about = aboutScene(path);
        a->setToolTip(about);
        a->setStatusTip(about);
    }
    setEnabled(!isEmpty());
}

bool showDocumentation(QWidget* parent, const QString& page)
{
    const QString path = sharePath("docs/" + page);
    if (!QFileInfo::exists(path)) return false;
    auto* window = parent->findChild<QDialog*>("documentation");
    if (!window) {
        window = new QDialog(parent, Qt::Window);
        window->setObjectName("documentation");
        window->setAttribute(Qt::WA_DeleteOnClose);
        window->setWindowTitle(QDialog::tr("Documentation"));
        auto* column = new QVBoxLayout(window);
        auto* row = new QHBoxLayout;
        column->addLayout(row);
        auto* browser = new QTextBrowser;
        browser->setObjectName("documentationPage");
        browser->setOpenExternalLinks(true);
        const auto button = [&](const QString& text, const QKeySequence& key, auto&& act) {
            auto* b = new QPushButton(text);
            b->setShortcut(key);
            b->setAutoDefault(false);
            row->addWidget(b);
            QObject::connect(b, &QPushButton::clicked, browser, act);
            return b;
        };
        auto* back = button(QDialog::tr("&Back"), QKeySequence::Back, &QTextBrowser::backward);
        auto* forward = button(QDialog::tr("&Forward"), QKeySequence::Forward, &QTextBrowser::forward);
        back->setEnabled(false);
        forward->setEnabled(false);
        QObject::connect(browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
        QObject::connect(browser, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
        row->addStretch();
        column->addWidget(browser);
        const int letter = window->fontMetrics().averageCharWidth();
        window->resize(letter * 120, letter * 105);
    }
    window->findChild<QTextBrowser*>("documentationPage")->setSource(QUrl::fromLocalFile(path));
    window->show();
    window->raise();
    window->activateWindow();
    return true;
}

}  // namespace sofa::qt
