// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/DataEditor.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

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

/// A list of rows of numbers.
class TableEditor final : public DataEditor
{
public:
    TableEditor(int columns, QWidget* parent) : DataEditor(parent), m_columns(columns), m_table(new QTableWidget)
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        m_table->setColumnCount(columns);
        QStringList names;
        for (int c = 0; c < columns; ++c) names += columns <= 3 ? QString(QChar('x' + c)) : QString::number(c);
        m_table->setHorizontalHeaderLabels(columns == 1 ? QStringList{tr("value")} : names);
        m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
        m_table->setMinimumHeight(110);
        layout->addWidget(m_table);
        setFocusProxy(m_table);
        auto* bar = new QHBoxLayout;
        layout->addLayout(bar);
        m_add = new QPushButton(tr("Add row"));
        m_remove = new QPushButton(tr("Remove row"));
        bar->addWidget(m_add);
        bar->addWidget(m_remove);
        bar->addStretch();
        connect(m_add, &QPushButton::clicked, this, [this] {
            const int at = m_table->currentRow() < 0 ? m_table->rowCount() : m_table->currentRow() + 1;
            {
                const QSignalBlocker blocker(m_table);
                m_table->insertRow(at);
                for (int c = 0; c < m_columns; ++c) m_table->setItem(at, c, new QTableWidgetItem("0"));
            }
            m_table->setVerticalHeaderLabels(numbers());
            edited();
        });
        connect(m_remove, &QPushButton::clicked, this, [this] {
            const int at = m_table->currentRow() < 0 ? m_table->rowCount() - 1 : m_table->currentRow();
            if (at < 0) return;
            m_table->removeRow(at);
            m_table->setVerticalHeaderLabels(numbers());
            edited();
        });
        connect(m_table, &QTableWidget::cellChanged, this, [this] { edited(); });
    }
    bool isTall() const override { return true; }
    QString value() const override
    {
        QStringList all;
        for (int r = 0; r < m_table->rowCount(); ++r)
            for (int c = 0; c < m_columns; ++c) {
                const QTableWidgetItem* item = m_table->item(r, c);
                all += item && !item->text().trimmed().isEmpty() ? item->text().trimmed() : QString("?");
            }
        return all.join(' ');
    }
    void setValue(const QString& t) override
    {
        const QSignalBlocker blocker(m_table);
        static const QRegularExpression spaces("\\s+");
        const QStringList all = t.split(spaces, Qt::SkipEmptyParts);
        const int rows = (static_cast<int>(all.size()) + m_columns - 1) / m_columns;
        m_table->setRowCount(rows);
        for (int i = 0; i < rows * m_columns; ++i) {
            const QString cell = i < all.size() ? all[i] : QString();
            QTableWidgetItem* item = m_table->item(i / m_columns, i % m_columns);
            if (!item)
                m_table->setItem(i / m_columns, i % m_columns, new QTableWidgetItem(cell));
            else if (item->text() != cell)
                item->setText(cell);
        }
        m_table->setVerticalHeaderLabels(numbers());
    }
    void setReadOnly(bool on) override
    {
        m_table->setEditTriggers(on ? QAbstractItemView::NoEditTriggers : QAbstractItemView::AllEditTriggers);
        m_add->setVisible(!on);
        m_remove->setVisible(!on);
    }

private:
    QStringList numbers() const
    {
        QStringList out;
        for (int r = 0; r < m_table->rowCount(); ++r) out += QString::number(r);
        return out;
    }
    void edited()
    {
        if (onEdited) onEdited();
    }
    int m_columns;
    QTableWidget* m_table;
    QPushButton *m_add, *m_remove;
};

/// Longest text that a table shows: about two thousand rows of three numbers.
constexpr std::size_t longestTable = 40'000;

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

DataEditor* makeEditor(const core::DataEntry& data, QWidget* parent)
{
    if (!data.choices.empty()) return new ChoiceEditor(data.choices, parent);
    if (data.typeName == "bool") return new BoolEditor(parent);
    if (data.typeName == "colour") return new ColorEditor(parent);
    if (data.typeName == "file name") return new FileEditor(parent);
    // One row is edited in a line, too.
    const auto spaces = std::count(data.text.begin(), data.text.end(), ' ');
    if (const int columns = columnsOf(data.typeName);
        columns > 0 && spaces >= columns && data.complete() && data.length < longestTable)
        return new TableEditor(columns, parent);
    if (data.length > 60 || data.text.find('\n') != std::string::npos) return new TextEditor(parent);
    return new LineEditor(parent);
}

}  // namespace sofa::qt
