// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/TableEditor.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

namespace sofa::qt {

QStringList columnNames(const std::string& typeName)
{
    const int columns = columnsOf(typeName);
    static const QStringList frame{"x", "y", "z", "qx", "qy", "qz", "qw"};
    if (columns == 1) return {TableEditor::tr("value")};
    if (columns == 7) return frame;
    if (typeName == "list of RigidCoord2") return {"x", "y", TableEditor::tr("angle")};
    const QString type = QString::fromStdString(typeName);
    const bool isVector = type.contains("Vec") || type.contains("Quat");
    if (isVector && columns <= 4) return QStringList{"x", "y", "z", "w"}.mid(0, columns);
    QStringList out;
    for (int c = 0; c < columns; ++c) out << QString::number(c);
    return out;
}

// --- Model -----------------------------------------------------------------------------------------------------------

TableModel::TableModel(QStringList headers, QObject* parent)
    : QAbstractTableModel(parent), m_headers(std::move(headers))
{
}

QString TableModel::text() const
{
    QString out;
    for (const QString& cell : m_cells) {
        if (!out.isEmpty()) out += ' ';
        out += cell.isEmpty() ? QStringLiteral("?") : cell;
    }
    return out;
}

void TableModel::setText(const QString& text)
{
    std::vector<QString> cells;
    for (qsizetype i = 0; i < text.size();) {
        if (text[i].isSpace()) {
            ++i;
            continue;
        }
        qsizetype end = i;
        while (end < text.size() && !text[end].isSpace()) ++end;
        cells.push_back(text.mid(i, end - i));
        i = end;
    }
    const auto columns = static_cast<std::size_t>(m_headers.size());
    cells.resize((cells.size() + columns - 1) / columns * columns);
    if (cells == m_cells) return;
    if (cells.size() == m_cells.size()) {
        m_cells = std::move(cells);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_cells = std::move(cells);
    endResetModel();
}

QString TableModel::paste(const QString& rows, int row, int column)
{
    static const QRegularExpression lineEnds("\r\n|\r|\n"), spaces("\\s+"), commaNumber("^[-+]?\\d*,\\d+([eE]\\S+)?$");
    std::vector<QStringList> all;
    for (const QString& line : rows.split(lineEnds)) {
        if (line.trimmed().isEmpty()) continue;
        QStringList cells = line.contains('\t')  ? line.split('\t')
                            : line.contains(';') ? line.split(';')
                                                 : line.split(spaces, Qt::SkipEmptyParts);
        for (QString& cell : cells) {
            cell = cell.trimmed();
            if (commaNumber.match(cell).hasMatch()) cell.replace(',', '.');
            bool isNumber = false;
            cell.toDouble(&isNumber);
            if (!isNumber) return tr("'%1' is no number: nothing was pasted.").arg(cell.left(40));
        }
        if (column + cells.size() > m_headers.size())
            return tr("A row of %1 numbers does not fit into %2 columns: nothing was pasted.")
                .arg(cells.size())
                .arg(m_headers.size() - column);
        all.push_back(std::move(cells));
    }
    if (all.empty()) return tr("There are no rows to paste.");
    const int end = row + static_cast<int>(all.size());
    if (const int more = end - rowCount(); more > 0) {
        beginInsertRows({}, rowCount(), end - 1);
        m_cells.resize(at(end, 0), QStringLiteral("0"));
        endInsertRows();
    }
    for (std::size_t r = 0; r < all.size(); ++r)
        for (qsizetype c = 0; c < all[r].size(); ++c)
            m_cells[at(row + static_cast<int>(r), column + static_cast<int>(c))] = all[r][c];
    Q_EMIT dataChanged(index(row, 0), index(end - 1, columnCount() - 1));
    Q_EMIT edited();
    return {};
}

QString TableModel::copied(const QModelIndexList& cells) const
{
    QModelIndexList sorted = cells;
    std::sort(sorted.begin(), sorted.end());
    QString out;
    for (qsizetype i = 0; i < sorted.size(); ++i) {
        if (i > 0) out += sorted[i].row() == sorted[i - 1].row() ? '\t' : '\n';
        out += m_cells[at(sorted[i].row(), sorted[i].column())];
    }
    return out;
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cells.size() / static_cast<std::size_t>(m_headers.size()));
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
    return m_cells[at(index.row(), index.column())];
}

bool TableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole) return false;
    const QString now = value.toString().simplified().remove(' ');
    QString& cell = m_cells[at(index.row(), index.column())];
    if (now == cell) return false;
    cell = now;
    Q_EMIT dataChanged(index, index);
    Q_EMIT edited();
    return true;
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole) return {};
    return orientation == Qt::Horizontal ? QVariant(m_headers.value(section)) : QVariant(section);
}

Qt::ItemFlags TableModel::flags(const QModelIndex& index) const
{
    return QAbstractTableModel::flags(index) | (m_readOnly ? Qt::NoItemFlags : Qt::ItemIsEditable);
}

bool TableModel::insertRows(int row, int count, const QModelIndex&)
{
    beginInsertRows({}, row, row + count - 1);
    m_cells.insert(m_cells.begin() + static_cast<std::ptrdiff_t>(at(row, 0)), at(count, 0), QStringLiteral("0"));
    endInsertRows();
    Q_EMIT edited();
    return true;
}

bool TableModel::removeRows(int row, int count, const QModelIndex&)
{
    beginRemoveRows({}, row, row + count - 1);
    m_cells.erase(m_cells.begin() + static_cast<std::ptrdiff_t>(at(row, 0)),
                  m_cells.begin() + static_cast<std::ptrdiff_t>(at(row + count, 0)));
    endRemoveRows();
    Q_EMIT edited();
    return true;
}

// --- Editor ----------------------------------------------------------------------------------------------------------

TableEditor::TableEditor(const std::string& typeName, QWidget* parent)
    : DataEditor(parent), m_model(new TableModel(columnNames(typeName), this)), m_table(new QTableView)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_table->setModel(m_model);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->setToolTip(tr("Ctrl+C and Ctrl+V copy and paste rows, also from and to spreadsheets"));
    m_table->installEventFilter(this);
    layout->addWidget(m_table);
    setFocusProxy(m_table);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    m_add = new QPushButton(tr("Add row"));
    m_remove = new QPushButton(tr("Remove rows"));
    m_paste = new QPushButton(tr("Paste"));
    m_paste->setToolTip(
        tr("Rows of numbers, over those from the marked cell on; behind the last one if none is marked"));
    m_problem = new QLabel;
    m_problem->setObjectName("tableProblem");
    m_problem->setWordWrap(true);
    m_problem->hide();
    for (QPushButton* b : {m_add, m_remove, m_paste}) bar->addWidget(b);
    bar->addStretch();
    layout->addWidget(m_problem);
    connect(m_add, &QPushButton::clicked, this, &TableEditor::addRow);
    connect(m_remove, &QPushButton::clicked, this, &TableEditor::removeRows);
    connect(m_paste, &QPushButton::clicked, this, &TableEditor::paste);
    connect(m_model, &TableModel::edited, this, [this] {
        m_problem->hide();
        fitHeight();
        if (onEdited) onEdited();
    });
    fitHeight();
}

QString TableEditor::value() const { return m_model->text(); }

void TableEditor::setValue(const QString& text)
{
    m_model->setText(text);
    fitHeight();
}

void TableEditor::setReadOnly(bool on)
{
    m_model->setReadOnly(on);
    m_table->setEditTriggers(on ? QAbstractItemView::NoEditTriggers : QAbstractItemView::AllEditTriggers);
    for (QPushButton* b : {m_add, m_remove, m_paste}) b->setVisible(!on);
}

/// As high as its rows, up to a dozen.
void TableEditor::fitHeight()
{
    const int rows = std::clamp(m_model->rowCount(), 3, 12);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth());
}

void TableEditor::addRow()
{
    const QModelIndexList marked = m_table->selectionModel()->selectedIndexes();
    int row = marked.isEmpty() ? m_model->rowCount() : 0;
    for (const QModelIndex& i : marked) row = std::max(row, i.row() + 1);
    m_model->insertRows(row, 1);
    m_table->setCurrentIndex(m_model->index(row, 0));
}

void TableEditor::removeRows()
{
    std::set<int> rows;
    for (const QModelIndex& i : m_table->selectionModel()->selectedIndexes()) rows.insert(i.row());
    if (rows.empty() && m_model->rowCount() > 0) rows.insert(m_model->rowCount() - 1);
    if (rows.empty()) return;
    // Rows that follow each other go at once; the edit is told once.
    {
        const auto tell = std::exchange(onEdited, nullptr);
        for (auto last = rows.rbegin(); last != rows.rend();) {
            auto first = last;
            while (std::next(first) != rows.rend() && *std::next(first) == *first - 1) ++first;
            m_model->removeRows(*first, *last - *first + 1);
            last = std::next(first);
        }
        onEdited = tell;
    }
    if (onEdited) onEdited();
}

void TableEditor::paste()
{
    // A cell that has the focus without being marked does not count.
    const QModelIndexList marked = m_table->selectionModel()->selectedIndexes();
    const QModelIndex first = marked.isEmpty() ? QModelIndex() : *std::min_element(marked.begin(), marked.end());
    const QString problem =
        m_model->paste(QApplication::clipboard()->text(), first.isValid() ? first.row() : m_model->rowCount(),
                       first.isValid() ? first.column() : 0);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void TableEditor::copy()
{
    QApplication::clipboard()->setText(m_model->copied(m_table->selectionModel()->selectedIndexes()));
}

bool TableEditor::eventFilter(QObject* object, QEvent* e)
{
    const bool isKey = e->type() == QEvent::KeyPress || e->type() == QEvent::ShortcutOverride;
    if (object == m_table && isKey) {
        auto* key = static_cast<QKeyEvent*>(e);
        const bool copies = key->matches(QKeySequence::Copy);
        const bool pastes = key->matches(QKeySequence::Paste) && m_add->isVisibleTo(this);
        if (copies || pastes) {
            // The keys are those of the table, not of the window's menu.
            e->accept();
            if (e->type() == QEvent::KeyPress) copies ? copy() : paste();
            return true;
        }
    }
    return DataEditor::eventFilter(object, e);
}

}  // namespace sofa::qt
