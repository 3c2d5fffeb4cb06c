// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>

#include "core/collision/CollisionDetection.h"

namespace sofa::core {

/// What the simulation does about the contacts of one pair of models: forces, constraints. It lives as long as the pair
/// is in contact.
class ContactResponse
{
public:
    explicit ContactResponse(const ModelPair& models) : m_models(models) {}
    ContactResponse(const ContactResponse&) = delete;
    ContactResponse& operator=(const ContactResponse&) = delete;
    virtual ~ContactResponse() = default;

    const ModelPair& models() const { return m_models; }
    /// Creates the components of the response in `where`; called once.
    virtual void insert(Node& where, const std::string& name) = 0;
    /// Takes the contacts of the present step; the response acts from now on.
    virtual void update(const Vector<DetectedContact>& contacts, const IntersectionMethod& method) = 0;
    /// The response acts no more until the next update. The components stay, so that the scene keeps its structure.
    virtual void suspend() = 0;
    /// Takes the components out of the scene; called last.
    virtual void remove() = 0;

private:
    ModelPair m_models;
};

/// Kinds of responses by the names that scenes give them. Returns nullptr for models that it cannot handle.
using ResponseCreator = std::function<std::unique_ptr<ContactResponse>(const ModelPair&)>;
void registerContactResponse(const std::string& name, ResponseCreator creator);
/// The creator of a name, or nullptr; and all names.
const ResponseCreator* findContactResponse(const std::string& name);
std::vector<std::string> contactResponseNames();

/// Of contacts with one id, keeps that of the smallest value; those that are kept keep their order.
void keepNearest(Vector<DetectedContact>& contacts);

}  // namespace sofa::core
