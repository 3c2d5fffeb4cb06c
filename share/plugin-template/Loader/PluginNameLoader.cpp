// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameLoader.h"

#include <fstream>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameLoader::doUpdate()
{
    Vector<Vec3> points;
    setValid(true);
    try {
        const std::string path = requireFile(d_filename);
        std::ifstream in(path);
        int number = 0;
        for (std::string line; std::getline(in, line);) {
            ++number;
            line.erase(std::min(line.find('#'), line.size()));
            if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
            Vec3 point;
            std::string error;
            if (!parseText(line, point, error))
                throw std::runtime_error(path + ':' + std::to_string(number) + ": " + error);
            points.push_back(point * *d_scale);
        }
        if (!in.eof()) throw std::runtime_error(path + ": cannot be read");
    } catch (const std::exception& e) {
        points.clear();
        fail(e.what());
    }
    d_position.setValue(std::move(points));
}

static const RegisterComponent registered = RegisterComponent("PluginNameLoader", "Loader", "PluginName")
                                                .help("Reads points from a text file, three numbers a line")
                                                .example("PluginName.scn")
                                                .add<PluginNameLoader>();

}  // namespace sofa::component
