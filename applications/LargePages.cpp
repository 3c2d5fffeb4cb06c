// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <mimalloc.h>

namespace {

// Has the memory of this program in pages of 2 MB where the system gives them on request (Linux with
// transparent_hugepage set to madvise or always): the first touch of each page is an exception, and there are 512
// times as many of 4 kB.
void askForLargePages()
{
    mi_option_set_enabled_default(mi_option_large_os_pages, true);  // MIMALLOC_LARGE_OS_PAGES=0 says otherwise
}

// What stands in this section runs before the initialisers of all libraries, the first to take memory.
[[gnu::section(".preinit_array"), gnu::used]] void (*const s_first)() = askForLargePages;

}  // namespace
