// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/scene/SceneAnalysis.h"

namespace sofa::test {

/// A text of a scene in which '|' is the cursor, and the analysis of it.
struct AnalysedText
{
    explicit AnalysedText(std::string withCursor, const std::string& path = "/nowhere/test.scn")
        : at(withCursor.find('|')), analysis(path)
    {
        withCursor.erase(at, 1);
        analysis.setText(std::move(withCursor));
    }

    std::string in(const core::TextRange& r) const { return analysis.text().substr(r.begin, r.end - r.begin); }

    std::size_t at;
    core::SceneAnalysis analysis;
};

/// A text after edits that are sorted and apart from each other.
inline std::string applied(std::string text, const std::vector<core::TextEdit>& edits)
{
    for (auto e = edits.rbegin(); e != edits.rend(); ++e) text.replace(e->at, e->length, e->text);
    return text;
}

}  // namespace sofa::test
