// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QAbstractTableModel>

#include "applications/qt/panels/DataEditor.h"

class QLabel;
class QPushButton;
class QTableView;

namespace sofa::qt {

/// The words of a list as rows. Long lists are no slower to show than short ones.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit TableModel(QStringList headers, QObject* parent = nullptr);

    /// The words, separated by spaces; a cell without text is written as '?'.
    QString text() const;
    void setText(const QString& text);
    void setReadOnly(bool on) { m_readOnly = on; }
    /// Puts rows of text, with tabs, semicolons or spaces between the columns, over those from `row` on; the table
    /// grows as it needs. Nothing is changed, and the result says why, if a row has more cells than fit, or a cell no
    /// number.
    QString paste(const QString& rows, int row, int column);
    /// Rows of cells, as spreadsheets take them.
    QString copied(const QModelIndexList& cells) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool insertRows(int row, int count, const QModelIndex& parent = {}) override;
    bool removeRows(int row, int count, const QModelIndex& parent = {}) override;

Q_SIGNALS:
    /// The user has changed something.
    void edited();

private:
    std::size_t at(int row, int column) const
    {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_headers.size()) +
               static_cast<std::size_t>(column);
    }

    QStringList m_headers;
    std::vector<QString> m_cells;
    bool m_readOnly = false;
};

/// Edits a list as a table: cells, rows that are added, removed, copied, and pasted from spreadsheets.
class TableEditor : public DataEditor
{
    Q_OBJECT

public:
    /// For a type that columnsOf() knows.
    explicit TableEditor(const std::string& typeName, QWidget* parent = nullptr);
    QString value() const override;
    void setValue(const QString& text) override;
    bool isTall() const override { return true; }
    void setReadOnly(bool on) override;
    QTableView& table() const { return *m_table; }

protected:
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    void addRow();
    void removeRows();
    void paste();
    void copy();
    void fitHeight();

    TableModel* m_model;
    QTableView* m_table;
    QPushButton *m_add, *m_remove, *m_paste;
    QLabel* m_problem;
};

/// Names of the columns of a list's table: "x", "y", "z"; none for types that a table does not suit.
QStringList columnNames(const std::string& typeName);

}  // namespace sofa::qt
