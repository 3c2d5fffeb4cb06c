// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sofa::core {

/// A word to write in place of another one.
struct Suggestion
{
    std::string instead, word;
};

/// What the text of a message suggests by didYouMean: "'raduis' is no attribute (did you mean 'radius'?)".
std::optional<Suggestion> suggestionIn(std::string_view text);

}  // namespace sofa::core
