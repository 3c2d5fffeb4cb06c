// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Functions.h"

#include <string>

namespace sofa::gl {

Functions::Functions(const GetProcAddress& load)
{
#define SOFA_GL_LOAD(type, name)                     \
    name = reinterpret_cast<type>(load("gl" #name)); \
    if (!name) throw GlError("OpenGL has no function gl" #name "; version 3.3 is needed");
    SOFA_GL_FUNCTIONS(SOFA_GL_LOAD)
#undef SOFA_GL_LOAD
    PatchParameteri = reinterpret_cast<PFNGLPATCHPARAMETERIPROC>(load("glPatchParameteri"));
    PatchParameterfv = reinterpret_cast<PFNGLPATCHPARAMETERFVPROC>(load("glPatchParameterfv"));
    ProgramParameteri = reinterpret_cast<PFNGLPROGRAMPARAMETERIPROC>(load("glProgramParameteri"));
    GLint major = 0, minor = 0;
    GetIntegerv(GL_MAJOR_VERSION, &major);
    GetIntegerv(GL_MINOR_VERSION, &minor);
    if (10 * major + minor < 33)
        throw GlError("OpenGL 3.3 is needed; this context has " + std::to_string(major) + '.' + std::to_string(minor));
}

}  // namespace sofa::gl
