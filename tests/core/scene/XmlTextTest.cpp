// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/XmlText.h"

#include <catch2/catch.hpp>

#include "tests/core/scene/SceneTestComponents.h"

using namespace sofa::core;
using sofa::test::writeFile;

TEST_CASE("Start tags and attributes are found where they stand", "[scene]")
{
    const auto tags = findTags(
        "<?xml version='1.0'?>\n"
        "<!-- <No tag=\"x\"/> -->\n"
        "<!DOCTYPE a [<!ELEMENT b (c)>]>\n"
        "<a one=\"1\"\n"
        "   two = '>' three=\"/\">\n"
        "  <![CDATA[<d>]]><b/><c  x=''/></a>\n");
    REQUIRE(tags.size() == 3);
    CHECK(tags[0].name == "a");
    CHECK(tags[0].at.line == 4);
    CHECK(tags[0].at.column == 1);
    REQUIRE(tags[0].attributes.size() == 3);
    CHECK(tags[0].attributes[0].column == 4);
    CHECK(tags[0].attributes[1].line == 5);
    CHECK(tags[0].attributes[1].column == 4);
    CHECK(tags[0].attributes[2].column == 14);
    CHECK(tags[1].name == "b");
    CHECK(tags[1].at.column == 18);
    CHECK(tags[2].name == "c");
    CHECK(tags[2].attributes.size() == 1);
}

TEST_CASE("Declarations are blanked, and nothing moves", "[scene]")
{
    const std::string text = "<?xml?>\n<!DOCTYPE a [<!ENTITY b 'c'>]><a><?p\nq?><!-- <?r?> --><![CDATA[<?s?>]]></a>";
    const std::string blank = withoutDeclarations(text);
    REQUIRE(blank.size() == text.size());
    std::string rest;
    for (std::size_t i = 0; i < text.size(); ++i) {
        CHECK((blank[i] == text[i] || blank[i] == ' '));
        if (blank[i] != ' ') rest += blank[i];
    }
    CHECK(rest == "\n<a>\n<!--<?r?>--><![CDATA[<?s?>]]></a>");
    CHECK(withoutDeclarations("<a><?never closed") == "<a><?never closed");
    CHECK(withoutDeclarations("<!DOCTYPE a") == "<!DOCTYPE a");
}

TEST_CASE("Malformed text does not lead the search for tags astray", "[scene]")
{
    for (const char* text :
         {"", "<", "<a", "<a b", "<a b=", "<a b=\"", "<!--", "<![CDATA[", "<?", "<!", "</", "<a b=\"1", "<!["}) {
        findTags(text);
        withoutDeclarations(text);
    }
    SUCCEED();
}

TEST_CASE("Encodings: UTF-8 with or without mark, Latin-1; others are refused", "[scene]")
{
    CHECK(normalizedXml("\xEF\xBB\xBF<a/>", "f") == "<a/>");
    CHECK(normalizedXml("<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xE9'/>", "f").find("\xC3\xA9") !=
          std::string::npos);
    CHECK(normalizedXml("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>", "f").size() == 42);
    CHECK_THROWS_WITH(normalizedXml(std::string("\xFF\xFE<\0a\0", 6), "f"), Catch::Contains("UTF-16"));
    CHECK_THROWS_WITH(normalizedXml(std::string("<\0a\0", 4), "f"), Catch::Contains("UTF-16"));
    CHECK_THROWS_WITH(normalizedXml("<?xml version='1.0' encoding='Shift_JIS'?><a/>", "f"),
                      Catch::Contains("f:1: the encoding 'shift_jis' is not supported"));
    CHECK_THROWS_WITH(normalizedXml(std::string("<a>\n\0</a>", 9), "f"),
                      Catch::Contains("f:2: the file contains a zero byte"));
    CHECK_THROWS_WITH(normalizedXml(" \n", "f"), Catch::Contains("is empty"));
}

TEST_CASE("Files that are none say so", "[scene]")
{
    const sofa::test::TemporaryDirectory tmp;
    CHECK_THROWS_WITH(readXmlFile(tmp.path().string()), Catch::Contains("this is a folder"));
    CHECK_THROWS_WITH(readXmlFile((tmp.path() / "none.scn").string()), Catch::Contains("cannot open the file"));
    writeFile(tmp.path() / "a.scn", "<a/>");
    CHECK(readXmlFile((tmp.path() / "a.scn").string()) == "<a/>");
}
