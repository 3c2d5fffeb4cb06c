// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::application {

/// Speaks the Language Server Protocol over standard input and output until the editor ends it: messages about scenes
/// as they are written, completion, hover, links, names, symbols and fixes (docs/editors.md). What the program prints
/// meanwhile goes to standard error. Returns the exit code: 0 after a shutdown, else 1.
int runLanguageServer();

}  // namespace sofa::application
