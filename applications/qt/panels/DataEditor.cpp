// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/DataEditor.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "applications/qt/Language.h"
#include "applications/qt/panels/TableEditor.h"
#include "core/objectmodel/Units.h"
#include "core/visual/Color.h"

namespace sofa::qt {

namespace {

QHBoxLayout* rowOf(QWidget* w)
{
    auto* layout = new QHBoxLayout(w);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    return layout;
}

class BoolEditor final : public DataEditor
{
public:
    explicit BoolEditor(QWidget* parent) : DataEditor(parent), m_box(new QCheckBox)
    {
        rowOf(this)->addWidget(m_box);
        setFocusProxy(m_box);
        connect(m_box, &QCheckBox::toggled, this, [this] {
            if (onEdited) onEdited();
        });
    }
    QString value() const override { return m_box->isChecked() ? "1" : "0"; }
    void setValue(const QString& t) override
    {
        const QSignalBlocker blocker(m_box);
        m_box->setChecked(t == "1" || t.compare("true", Qt::CaseInsensitive) == 0);
    }
    void setReadOnly(bool on) override { m_box->setEnabled(!on); }

private:
    QCheckBox* m_box;
};

class ChoiceEditor final : public DataEditor
{
public:
    ChoiceEditor(const std::vector<std::string>& choices, QWidget* parent) : DataEditor(parent), m_box(new QComboBox)
    {
        rowOf(this)->addWidget(m_box);
        setFocusProxy(m_box);
        for (const std::string& c : choices) m_box->addItem(QString::fromStdString(c));
        connect(m_box, &QComboBox::currentIndexChanged, this, [this] {
            if (onEdited) onEdited();
        });
    }
    QString value() const override { return m_box->currentText(); }
    void setValue(const QString& t) override
    {
        const QSignalBlocker blocker(m_box);
        m_box->setCurrentIndex(m_box->findText(t));
    }
    void setReadOnly(bool on) override { m_box->setEnabled(!on); }

private:
    QComboBox* m_box;
};

class LineEditor : public DataEditor
{
public:
    explicit LineEditor(QWidget* parent) : DataEditor(parent), m_line(new QLineEdit)
    {
        m_row = rowOf(this);
        m_row->addWidget(m_line);
        setFocusProxy(m_line);
        connect(m_line, &QLineEdit::textEdited, this, [this] { edited(); });
    }
    QString value() const override { return m_line->text(); }
    void setValue(const QString& t) override
    {
        if (m_line->text() == t) return;
        m_line->setText(t);
        m_line->setCursorPosition(0);
    }
    void setReadOnly(bool on) override { m_line->setReadOnly(on); }

protected:
    virtual void edited()
    {
        if (onEdited) onEdited();
    }
    QHBoxLayout* m_row;
    QLineEdit* m_line;
};

class ColorEditor final : public LineEditor
{
    Q_DECLARE_TR_FUNCTIONS(ColorEditor)

public:
    explicit ColorEditor(QWidget* parent) : LineEditor(parent), m_button(new QToolButton)
    {
        m_button->setToolTip(tr("Choose a colour"));
        m_button->setAccessibleName(m_button->toolTip());
        m_row->addWidget(m_button);
        connect(m_button, &QToolButton::clicked, this, [this] {
            const QColor c = QColorDialog::getColor(color(), this, tr("Colour"), QColorDialog::ShowAlphaChannel);
            if (!c.isValid()) return;
            setValue(QString("%1 %2 %3 %4").arg(c.redF()).arg(c.greenF()).arg(c.blueF()).arg(c.alphaF()));
            edited();
        });
    }
    void setValue(const QString& t) override
    {
        LineEditor::setValue(t);
        paint();
    }
    void setReadOnly(bool on) override
    {
        LineEditor::setReadOnly(on);
        m_button->setEnabled(!on);
    }

private:
    void edited() override
    {
        paint();
        LineEditor::edited();
    }
    QColor color() const
    {
        core::Color c;
        std::string error;
        if (!core::parseText(m_line->text().toStdString(), c, error)) return {};
        return QColor::fromRgbF(c[0], c[1], c[2], c[3]);
    }
    void paint()
    {
        QPixmap p(14, 14);
        const QColor c = color();
        p.fill(c.isValid() ? c : QColor(Qt::transparent));
        m_button->setIcon(QIcon(p));
    }
    QToolButton* m_button;
};

class FileEditor final : public LineEditor
{
    Q_DECLARE_TR_FUNCTIONS(FileEditor)

public:
    explicit FileEditor(QWidget* parent) : LineEditor(parent), m_button(new QPushButton(tr("Browse…")))
    {
        m_row->addWidget(m_button);
        connect(m_button, &QPushButton::clicked, this, [this] {
            const QString file = QFileDialog::getOpenFileName(this, tr("Choose a file"), m_line->text());
            if (file.isEmpty()) return;
            m_line->setText(file);
            edited();
        });
    }
    void setReadOnly(bool on) override
    {
        LineEditor::setReadOnly(on);
        m_button->setEnabled(!on);
    }

private:
    QPushButton* m_button;
};

/// Text over several lines.
class TextEditor final : public DataEditor
{
public:
    explicit TextEditor(QWidget* parent) : DataEditor(parent), m_text(new QPlainTextEdit)
    {
        rowOf(this)->addWidget(m_text);
        setFocusProxy(m_text);
        m_text->setTabChangesFocus(true);
        m_text->setMinimumHeight(60);
        m_text->setMaximumHeight(120);
        connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
            if (onEdited) onEdited();
        });
    }
    bool isTall() const override { return true; }
    QString value() const override { return m_text->toPlainText(); }
    void setValue(const QString& t) override
    {
        const QSignalBlocker blocker(m_text);
        if (m_text->toPlainText() != t) m_text->setPlainText(t);
    }
    void setReadOnly(bool on) override { m_text->setReadOnly(on); }

private:
    QPlainTextEdit* m_text;
};

/// A short list in a line, with a button that opens it as a table.
class ListEditor final : public LineEditor
{
    Q_DECLARE_TR_FUNCTIONS(ListEditor)

public:
    ListEditor(std::string typeName, QWidget* parent)
        : LineEditor(parent), m_type(std::move(typeName)), m_button(new QToolButton)
    {
        m_button->setText("▦");
        m_button->setToolTip(tr("Edit as a table"));
        m_button->setAccessibleName(m_button->toolTip());
        m_button->setObjectName("asTable");
        m_row->addWidget(m_button);
        connect(m_button, &QToolButton::clicked, this, &ListEditor::openTable);
        connect(m_line, &QLineEdit::textChanged, this,
                [this](const QString& t) { m_button->setEnabled(!m_readOnly && isListOfNumbers(t)); });
    }
    void setReadOnly(bool on) override
    {
        LineEditor::setReadOnly(on);
        m_readOnly = on;
        m_button->setEnabled(!on && isListOfNumbers(m_line->text()));
    }
    static bool isListOfNumbers(const QString& text) { return !core::mayContainUnits(text.toStdString()); }

private:
    void openTable()
    {
        auto* dialog = new QDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setObjectName("tableDialog");
        dialog->setWindowTitle(accessibleName());
        auto* layout = new QVBoxLayout(dialog);
        auto* table = new TableEditor(m_type);
        table->setValue(m_line->text());
        layout->addWidget(table);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
        layout->addWidget(buttons);
        connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
        connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
        connect(dialog, &QDialog::accepted, this, [this, table] {
            if (table->value() == m_line->text().simplified()) return;
            m_line->setText(table->value());
            edited();
        });
        dialog->open();
    }

    std::string m_type;
    QToolButton* m_button;
    bool m_readOnly = false;
};

}  // namespace

int columnsOf(const std::string& typeName)
{
    constexpr std::string_view list = "list of ";
    if (typeName.compare(0, list.size(), list) != 0) return 0;
    const std::string item = typeName.substr(list.size());
    if (item == "double" || item == "float" || item == "int" || item == "unsigned int") return 1;
    if (item == "RigidCoord3") return 7;
    if (item == "RigidCoord2") return 3;
    if (item == "Quat") return 4;
    static const QRegularExpression vec("^Vec(\\d+)i?$"), array("^(\\d+) x (?:unsigned int|int|double|float)$");
    for (const auto& pattern : {vec, array})
        if (const auto m = pattern.match(QString::fromStdString(item)); m.hasMatch()) return m.captured(1).toInt();
    return 0;
}

namespace {

DataEditor* makeEditorOf(const core::DataEntry& data, QWidget* parent)
{
    if (!data.choices.empty()) return new ChoiceEditor(data.choices, parent);
    if (data.typeName == "bool") return new BoolEditor(parent);
    if (data.typeName == "colour") return new ColorEditor(parent);
    if (data.typeName == "file name") return new FileEditor(parent);
    if (const int columns = columnsOf(data.typeName); columns > 0 && !core::mayContainUnits(data.text)) {
        // One row is edited in a line, too.
        const auto spaces = std::ranges::count_if(data.text, [](char c) { return c == ' ' || c == '\n'; });
        if (spaces >= columns) return new TableEditor(data.typeName, parent);
        return new ListEditor(data.typeName, parent);
    }
    if (data.length > 60 || data.text.find('\n') != std::string::npos) return new TextEditor(parent);
    return new LineEditor(parent);
}

}  // namespace

void DataEditor::setSpokenName(const QString& name)
{
    setAccessibleName(name);
    if (focusProxy()) focusProxy()->setAccessibleName(name);
}

DataEditor* makeEditor(const core::DataEntry& data, QWidget* parent)
{
    DataEditor* editor = makeEditorOf(data, parent);
    static const QRegularExpression reals("^(list of )?(\\d+ x )?(double|float|Vec\\d+|RigidCoord\\d|Quat)$");
    if (reals.match(QString::fromStdString(data.typeName)).hasMatch())
        for (auto* line : editor->findChildren<QLineEdit*>()) takesNumber(*line);
    return editor;
}

}  // namespace sofa::qt
