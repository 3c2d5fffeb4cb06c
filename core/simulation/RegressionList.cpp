// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/RegressionList.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>

#include "core/io/MeshError.h"
#include "core/io/TextScanner.h"

namespace sofa::core {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t mostSteps = 1'000'000'000;

class ListReader
{
public:
    ListReader(std::string file, std::vector<std::string>& errors)
        : m_file(std::move(file)), m_folder(fs::absolute(m_file).parent_path()), m_errors(errors)
    {
    }

    std::vector<RegressionCase> read()
    {
        io::SourceText source;
        try {
            source = io::loadBytes(m_file);
        } catch (const io::MeshError& e) {
            m_errors.push_back(e.what());
            return {};
        }
        std::istringstream lines(source.text);
        for (std::string line; std::getline(lines, line);) {
            ++m_line;
            std::istringstream words(line);
            std::vector<std::string> fields;
            for (std::string word; words >> word;) fields.push_back(std::move(word));
            if (fields.empty() || fields[0].starts_with('#')) continue;
            if (!m_references)
                readFolder(fields);
            else
                readCase(fields);
        }
        if (!m_references)
            fail("the folder of the references was expected, found the end of the file");
        else if (m_cases.empty() && m_errors.empty())
            fail("a scene was expected, found the end of the file");
        return std::move(m_cases);
    }

private:
    void fail(const std::string& text)
    {
        m_errors.push_back(m_file + ':' + std::to_string(std::max<std::size_t>(m_line, 1)) + ": " + text);
    }

    void readFolder(const std::vector<std::string>& fields)
    {
        constexpr std::string_view variable = "$REGRESSION_DIR";
        std::string folder = fields[0];
        if (const auto at = folder.find(variable); at != std::string::npos) {
            const char* value = std::getenv("REGRESSION_DIR");
            folder.replace(at, variable.size(), value ? value : m_folder.string());
        }
        m_references = m_folder / folder;
        if (fields.size() > 1)
            fail("the first line names the folder of the references and nothing else, found '" + fields[1] +
                 "' after it");
    }

    void readCase(const std::vector<std::string>& fields)
    {
        if (fields.size() != 5)
            return fail("SCENE STEPS EPSILON MAPPED DUMPS was expected, 5 words, found " +
                        std::to_string(fields.size()));
        RegressionCase c;
        c.name = fields[0];
        c.scene = (m_folder / fields[0]).lexically_normal().string();
        std::int64_t steps = 0, mapped = 0, dumps = 0;
        if (!io::parseInteger(fields[1], steps) || steps < 1 || steps > mostSteps)
            return fail("a number of steps was expected, found '" + fields[1] + "'");
        if (!io::parseReal(fields[2], c.epsilon) || !(c.epsilon >= 0.) || !std::isfinite(c.epsilon))
            return fail("the error that is allowed was expected, a number of 0 or more, found '" + fields[2] + "'");
        if (!io::parseInteger(fields[3], mapped) || mapped < 0 || mapped > 1)
            return fail("0 or 1 (states that mappings move are tested) was expected, found '" + fields[3] + "'");
        if (!io::parseInteger(fields[4], dumps) || dumps < 0 || dumps > steps)
            return fail(
                "a number of frames was expected: 0 for each step, 1 for the last one, at most the steps; found '" +
                fields[4] + "'");
        if (fs::path(fields[0]).is_absolute())
            return fail(
                "a scene is named from the folder of the list, since its references have the same name; found '" +
                fields[0] + "'");
        if (!fs::is_regular_file(c.scene)) return fail("there is no scene '" + c.scene + "'");
        c.references = (*m_references / fields[0]).lexically_normal().string() + ".reference_";
        if (!m_seen.insert(c.references).second) return fail("'" + c.name + "' is in the list already");
        c.steps = static_cast<std::size_t>(steps);
        c.mapped = mapped == 1;
        c.dumps = static_cast<std::size_t>(dumps);
        m_cases.push_back(std::move(c));
    }

    std::string m_file;
    fs::path m_folder;
    std::vector<std::string>& m_errors;
    std::size_t m_line = 0;
    std::optional<fs::path> m_references;
    std::set<std::string> m_seen;
    std::vector<RegressionCase> m_cases;
};

}  // namespace

std::vector<RegressionCase> readRegressionList(const std::string& file, std::vector<std::string>& errors)
{
    return ListReader(file, errors).read();
}

}  // namespace sofa::core
