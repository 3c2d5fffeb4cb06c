// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sofa::fuzz {

/// Random choices that are the same on every machine: the distributions of the standard library are not.
class Dice
{
public:
    explicit Dice(std::uint64_t seed) : m_engine(seed) {}
    /// In [0, n); n > 0.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(m_engine() % n); }
    bool chance(std::size_t oneIn) { return below(oneIn) == 0; }
    template <class List>
    auto& of(const List& list)
    {
        return list[below(std::size(list))];
    }

private:
    std::mt19937_64 m_engine;
};

/// Damages text as files get damaged: flipped bits, cut ends, spans that are missing, doubled or exchanged, numbers
/// that are huge, negative, not finite or none.
std::string damagedText(std::string text, Dice& dice);

/// Changes a scene as an author might get it wrong: attributes with hostile values, renamed, missing or doubled;
/// elements missing, doubled, moved, nested deeply or of another class. Now and then the text is damaged as well.
std::string hostileScene(std::string scene, Dice& dice);

/// A small scene of a deformable body with an element of this class added, some of its attributes set to hostile
/// values.
std::string hostileComponent(Dice& dice);

/// A scene that loads the mesh of this file name and uses it for everything that takes a mesh.
std::string sceneOfMesh(const std::string& file, Dice& dice);

}  // namespace sofa::fuzz
