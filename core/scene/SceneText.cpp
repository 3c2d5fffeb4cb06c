// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneText.h"

#include <algorithm>

#include "core/scene/TextSplice.h"

namespace sofa::core {

namespace {

/// Whether a byte goes on with a character of UTF-8.
bool goesOn(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Makes edits, and returns those that take them back.
std::vector<TextEdit> splice(std::string& bytes, const std::vector<TextEdit>& edits)
{
    auto [out, back] = spliced(bytes, edits);
    bytes = std::move(out);
    return std::move(back);
}

}  // namespace

TextEdit difference(std::string_view from, std::string_view to)
{
    std::size_t same = static_cast<std::size_t>(
        std::mismatch(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(std::min(from.size(), to.size())),
                      to.begin())
            .first -
        from.begin());
    const auto cuts = [](std::string_view s, std::size_t at) { return at < s.size() && goesOn(s[at]); };
    while (same > 0 && (cuts(from, same) || cuts(to, same))) --same;
    std::size_t end = 0;
    while (end < std::min(from.size(), to.size()) - same && from[from.size() - 1 - end] == to[to.size() - 1 - end])
        ++end;
    while (end > 0 && (cuts(from, from.size() - end) || cuts(to, to.size() - end))) --end;
    return {same, from.size() - end - same, std::string(to.substr(same, to.size() - end - same))};
}

SceneText::SceneText(std::string bytes, std::string path)
    : m_bytes(std::move(bytes)), m_saved(m_bytes), m_path(std::move(path))
{
    try {
        m_tree = std::make_unique<XmlDocument>(m_bytes, m_path);
        if (m_tree->root() == XmlItem::none) {
            m_tree.reset();
            throw SceneError({std::make_shared<const std::string>(m_path), 1, 1}, "there is no element");
        }
    } catch (const SceneError& e) {
        m_error = e;
    }
}

const XmlDocument& SceneText::treeToEdit() const
{
    if (m_error) throw EditError(m_error->what());
    return *m_tree;
}

// --- Steps -----------------------------------------------------------------------------------------------------------

std::vector<TextEdit> SceneText::apply(const std::vector<TextEdit>& edits)
{
    std::vector<TextEdit> back = splice(m_bytes, edits);
    ++m_revision;
    m_lastPlace = back.empty() ? 0 : back.front().at;
    try {
        if (!m_tree) {
            m_tree = std::make_unique<XmlDocument>(m_bytes, m_path);
            if (m_tree->root() == XmlItem::none) {
                m_tree.reset();
                throw SceneError({std::make_shared<const std::string>(m_path), 1, 1}, "there is no element");
            }
        } else if (m_error) {
            m_tree->apply({difference(m_tree->bytes(), m_bytes)});
        } else {
            back = m_tree->apply(edits);
        }
        m_error.reset();
    } catch (const SceneError& e) {
        m_error = e;
    }
    return back;
}

void SceneText::begin(std::string label)
{
    if (m_step) throw std::logic_error("a step of editing within another");
    m_step.emplace();
    m_step->label = std::move(label);
}

void SceneText::commit()
{
    Step step = *std::exchange(m_step, std::nullopt);
    if (step.pieces.empty()) return;
    m_undone.clear();
    m_done.push_back(std::move(step));
}

void SceneText::rollBack()
{
    Step step = *std::exchange(m_step, std::nullopt);
    swap(step);
}

void SceneText::edit(std::vector<TextEdit> edits, std::string label, std::string mergeKey)
{
    if (!edits.empty()) note(apply(edits), std::move(label), std::move(mergeKey));
}

void SceneText::change(std::vector<TextEdit> edits, std::string label, std::string mergeKey)
{
    if (edits.empty()) return;
    std::vector<TextEdit> back = apply(edits);
    if (m_error) {
        const std::string why = m_error->what();
        apply(back);
        throw EditError(why);
    }
    note(std::move(back), std::move(label), std::move(mergeKey));
}

/// Keeps what takes an edit back: in the open step, in the last one, or in one of its own.
void SceneText::note(std::vector<TextEdit> back, std::string label, std::string mergeKey)
{
    if (m_step) {
        m_step->pieces.insert(m_step->pieces.begin(), std::move(back));
        return;
    }
    m_undone.clear();
    if (!m_done.empty() && !mergeKey.empty() && m_done.back().mergeKey == mergeKey) {
        m_done.back().pieces.insert(m_done.back().pieces.begin(), std::move(back));
        return;
    }
    Step step{std::move(label), std::move(mergeKey), {}};
    step.pieces.push_back(std::move(back));
    m_done.push_back(std::move(step));
}

void SceneText::endMerging()
{
    if (!m_done.empty()) m_done.back().mergeKey.clear();
}

void SceneText::swap(Step& step)
{
    std::vector<std::vector<TextEdit>> other;
    for (const std::vector<TextEdit>& edits : step.pieces) other.insert(other.begin(), apply(edits));
    step.pieces = std::move(other);
    step.mergeKey.clear();
}

void SceneText::undo()
{
    if (m_done.empty() || m_step) return;
    Step step = std::move(m_done.back());
    m_done.pop_back();
    swap(step);
    m_undone.push_back(std::move(step));
}

void SceneText::redo()
{
    if (m_undone.empty() || m_step) return;
    Step step = std::move(m_undone.back());
    m_undone.pop_back();
    swap(step);
    m_done.push_back(std::move(step));
}

std::vector<std::string> SceneText::history() const
{
    std::vector<std::string> out;
    for (const Step& s : m_done) out.push_back(s.label);
    for (auto s = m_undone.rbegin(); s != m_undone.rend(); ++s) out.push_back(s->label);
    return out;
}

void SceneText::goTo(std::size_t position)
{
    while (m_done.size() > position && canUndo()) undo();
    while (m_done.size() < position && canRedo()) redo();
}

}  // namespace sofa::core
