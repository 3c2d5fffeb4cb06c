// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/NamedTable.h"

#include <stdexcept>

#include "core/factory/Origin.h"
#include "core/log/Message.h"

namespace sofa::core {

std::string registeringLibrary()
{
    const std::string& library = RegistrationOrigin::current();
    return library.empty() ? "the program" : library;
}

void reportTaken(std::string_view kind, std::string_view name, const std::string& firstLibrary)
{
    const std::string& second = RegistrationOrigin::current();
    std::string text(kind);
    text.append(" '").append(name).append("' is registered twice: by ").append(firstLibrary);
    text += (second.empty() ? " and once more" : " and by " + second) + "; the first one is kept";
    MessageLog::emit(Severity::Error, text);
}

void throwUnknown(std::string_view kind, std::string_view name, const std::vector<std::string>& known)
{
    std::string text = "there is no " + std::string(kind) + " '" + std::string(name) + "'" + didYouMean(name, known) +
                       (known.empty() ? "; there are none" : "; there are ");
    for (std::size_t k = 0; k < known.size(); ++k) text += (k > 0 ? ", " : "") + known[k];
    throw std::runtime_error(text);
}

}  // namespace sofa::core
