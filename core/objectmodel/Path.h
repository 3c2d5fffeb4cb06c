// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sofa::core {

class Base;
class BaseData;

/// Resolves an object path of the scene language, seen from `from`.
///
/// Forms: "@name" (in the node of `from`, else in the nearest ancestor that has it), "@./name", "@../a/b", "@/a/b"
/// (from the root), "@[-1]" (the component before `from` in its node; "@[2]" counts from the first), "@." and "@.."
/// (nodes). Returns the object, and when it is a node also its components in order, so that a link may pick the one of
/// its type. Empty, with the reason in `error`, when there is none.
std::vector<Base*> findByPath(const Base& from, std::string_view path, std::string& error);

/// Resolves "@path.data". nullptr, with the reason in `error`, when there is none.
BaseData* findDataByPath(const Base& from, std::string_view path, std::string& error);

}  // namespace sofa::core
