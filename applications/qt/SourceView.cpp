// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/SourceView.h"

#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QUrl>
#include <QVBoxLayout>

namespace sofa::qt {

QString showSource(QWidget* parent, const QString& file, int line)
{
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly)) return QDialog::tr("cannot read '%1': %2").arg(file, in.errorString());
    auto* dialog = new QDialog(parent, Qt::Window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("sourceView");
    dialog->setWindowTitle(QDialog::tr("%1, line %2").arg(QFileInfo(file).fileName()).arg(line));
    auto* column = new QVBoxLayout(dialog);
    auto* page = new QPlainTextEdit(QString::fromUtf8(in.readAll()));
    page->setObjectName("source");
    page->setReadOnly(true);
    page->setLineWrapMode(QPlainTextEdit::NoWrap);
    page->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    page->setAccessibleName(file);
    column->addWidget(page);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* open = buttons->addButton(QDialog::tr("Open in the &Editor"), QDialogButtonBox::ActionRole);
    open->setToolTip(QDialog::tr("With the program that the desktop has for such files"));
    QObject::connect(open, &QPushButton::clicked, dialog,
                     [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath())); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    const int letter = page->fontMetrics().averageCharWidth();
    dialog->resize(letter * 110, letter * 75);

    QTextCursor cursor(page->document()->findBlockByNumber(line - 1));
    QTextEdit::ExtraSelection mark;
    mark.cursor = cursor;
    mark.format.setBackground(QColor(255, 213, 79, 110));
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    page->setExtraSelections({mark});
    page->setTextCursor(cursor);
    dialog->show();
    page->centerCursor();
    return {};
}

}  // namespace sofa::qt
