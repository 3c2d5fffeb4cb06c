// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/XmlDocument.h"

#include <catch2/catch.hpp>

#include "tests/core/scene/SceneTestComponents.h"

namespace xml_document_test {

using namespace sofa::core;
using sofa::test::writeFile;

namespace {

std::string valueOf(const XmlDocument& x, std::string_view attribute)
{
    const XmlAttribute* a = x.attribute(x.items()[x.root()], attribute);
    return a ? x.value(*a) : "(none)";
}

}  // namespace

TEST_CASE("The parts of a document stand where they stand", "[scene]")
{
    const XmlDocument x(
        "<?xml version='1.0'?>\n"
        "<!-- <No tag=\"x\"/> -->\n"
        "<!DOCTYPE a [<!ELEMENT b (c)>]>\n"
        "<a one=\"1\"\n"
        "   two = '>' three=\"/\">\n"
        "  <![CDATA[<d>]]><b/> word <c  x=''></c><?do it?></a>\n",
        "f");
    using Kind = XmlItem::Kind;
    std::vector<Kind> kinds;
    for (const XmlItem& i : x.items()) kinds.push_back(i.kind);
    CHECK(kinds == std::vector{Kind::Instruction, Kind::Comment, Kind::DocumentType, Kind::Element, Kind::CData,
                               Kind::Element, Kind::Text, Kind::Element, Kind::Instruction});
    const XmlItem& a = x.items()[x.root()];
    CHECK(x.name(a) == "a");
    CHECK(x.where(a.begin).str() == "f:4:1");
    REQUIRE(x.attributes(a).size() == 3);
    CHECK(x.where(x.attributes(a)[0].begin).str() == "f:4:4");
    CHECK(x.where(x.attributes(a)[1].begin).str() == "f:5:4");
    CHECK(x.where(x.attributes(a)[2].begin).str() == "f:5:14");
    CHECK(x.value(x.attributes(a)[1]) == ">");
    CHECK(a.next == x.items().size());
    CHECK(x.text(x.items()[5]) == "<b/>");
    CHECK(x.items()[5].isEmptyTag());
    CHECK_FALSE(x.items()[7].isEmptyTag());
    CHECK(x.items()[7].parent == x.root());
}

TEST_CASE("Values: entities, references, line ends", "[scene]")
{
    const XmlDocument x(
        "<a e=\"&lt;&gt;&amp;&quot;&apos;\" r='&#65;&#x42;&#x20AC;' wrong='&no; &#xD800; &#0; & &#x;' "
        "lines='1\r\n2\r3\n4'/>",
        "f");
    CHECK(valueOf(x, "e") == "<>&\"'");
    CHECK(valueOf(x, "r") == "AB\xE2\x82\xAC");
    CHECK(valueOf(x, "wrong") == "&no; &#xD800; &#0; & &#x;");
    CHECK(valueOf(x, "lines") == "1\n2\n3\n4");
    const std::string hard = "<a> & \"b\" 'c'\n\t\r";
    for (const char quote : {'"', '\''}) {
        const XmlDocument y(std::string("<a v=") + quote + x.encoded(hard, quote) + quote + "/>", "f");
        CHECK(valueOf(y, "v") == hard);
    }
}

TEST_CASE("What scenes of SOFA do and XML forbids is read: attributes without space, '<' in values", "[scene]")
{
    const XmlDocument x("<a b=\"1\"c='Data<int>'/>", "f");
    CHECK(valueOf(x, "c") == "Data<int>");
}

TEST_CASE("Malformed text is refused with its place", "[scene][input]")
{
    const auto fails = [](const std::string& text, const std::string& message) {
        INFO(text);
        CHECK_THROWS_WITH(XmlDocument(text, "f"), Catch::StartsWith("f:") && Catch::Contains(message));
    };
    fails("<", "f:1:1: this is no well-formed XML: a tag is malformed");
    fails("<1/>", "name of an element");
    fails("<a", "the file ends before its '>'");
    fails("<a /x>", "f:1:4: this is no well-formed XML: a tag is malformed; expected '>' behind '/'");
    fails("<a b", "expected name=\"value\"");
    fails("<a b=", "expected name=\"value\"");
    fails("<a\n b=\"", "f:2:2: this is no well-formed XML: an attribute is malformed: its value does not end");
    fails("<a b=c/>", "an attribute is malformed");
    fails("<a b='1' b='2'/>", "f:1:10: this is no well-formed XML: an attribute is given twice: 'b'");
    fails("<a><!--", "f:1:4: this is no well-formed XML: a comment is not closed");
    fails("<!-->", "comment is not closed");
    fails("<a><![CDATA[", "a CDATA section is not closed");
    fails("<?", "a processing instruction is not closed");
    fails("<!DOCTYPE a", "a document type is not closed");
    fails("<a/></", "an end tag is malformed");
    fails("</a>", "nothing is open");
    fails("<a>\n<b>\n</a>",
          "f:2:1: this is no well-formed XML: an element is not closed, or closed by the tag of "
          "another: <b> by </a> in line 3");
    fails("<a>", "before </a>");
    std::string many = "<a";
    for (int i = 0; i < 100; ++i) many += " b" + std::to_string(i) + "=''";
    CHECK_NOTHROW(XmlDocument(many + "/>", "f"));
    fails(many + " b50=''/>", "given twice: 'b50'");
}

TEST_CASE("Encodings: UTF-8 with or without mark, Latin-1; others are refused", "[scene]")
{
    const std::string marked = "\xEF\xBB\xBF<a b='\xC3\xA9'/>";
    const XmlDocument mark(marked, "f");
    CHECK(mark.bytes() == marked);
    CHECK(mark.where(3).str() == "f:1:1");
    CHECK(valueOf(mark, "b") == "\xC3\xA9");
    const XmlDocument latin("<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xE9&#233;'/>", "f");
    CHECK(valueOf(latin, "b") == "\xC3\xA9\xC3\xA9");
    CHECK(latin.encoded("\xC3\xA9\xE2\x82\xAC", '"') == "\xE9&#8364;");
    CHECK(latin.utf8("\xE9&#233;") == "\xC3\xA9&#233;");
    const XmlDocument ascii("<?xml version='1.0' encoding='us-ascii'?><a/>", "f");
    CHECK(ascii.encoded("\xC3\xA9", '"') == "&#233;");
    CHECK_NOTHROW(XmlDocument("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>", "f"));
    CHECK_THROWS_WITH(XmlDocument(std::string("\xFF\xFE<\0a\0", 6), "f"), Catch::Contains("UTF-16"));
    CHECK_THROWS_WITH(XmlDocument(std::string("<\0a\0", 4), "f"), Catch::Contains("UTF-16"));
    CHECK_THROWS_WITH(XmlDocument("<?xml version='1.0' encoding='Shift_JIS'?><a/>", "f"),
                      Catch::Contains("f:1: the encoding 'shift_jis' is not supported"));
    CHECK_THROWS_WITH(XmlDocument(std::string("<a>\n\0</a>", 9), "f"),
                      Catch::Contains("f:2: the file contains a zero byte"));
    CHECK_THROWS_WITH(XmlDocument(" \n", "f"), Catch::Contains("is empty"));
}

TEST_CASE("Edits replace bytes; all else keeps its bytes and its number; they are taken back exactly", "[scene]")
{
    const std::string text = "<a>\n  <b x='1'/>\n  <c><d/></c>\n  <e/>\n</a>";
    XmlDocument x(text, "f");
    const auto id = [&x](std::string_view name) {
        for (const XmlItem& i : x.items())
            if (i.isElement() && x.name(i) == name) return i.id;
        return XmlId{0};
    };
    const XmlId a = id("a"), b = id("b"), c = id("c"), d = id("d"), e = id("e");
    const std::size_t atC = text.find("<c>"), atE = text.find("<e/>");
    auto back =
        x.apply({{text.find("1"), 1, "22"}, {atC, text.find("</c>") + 4 - atC, "<new/><new/>"}, {atE, 0, "<f/>"}});
    CHECK(x.bytes() == "<a>\n  <b x='22'/>\n  <new/><new/>\n  <f/><e/>\n</a>");
    CHECK(id("a") == a);
    CHECK(id("b") == b);
    CHECK(id("e") == e);
    CHECK(x.find(c) == XmlItem::none);
    CHECK(id("new") > e);
    const XmlId f = id("f"), made = id("new");
    auto again = x.apply(back);
    CHECK(x.bytes() == text);
    CHECK(id("c") == c);
    CHECK(id("d") == d);
    CHECK(x.find(f) == XmlItem::none);
    x.apply(again);
    CHECK(id("f") == f);
    CHECK(id("new") == made);
    // What would not be well-formed changes nothing.
    const std::string now = x.bytes();
    CHECK_THROWS_AS(x.apply({{now.find("/>"), 1, ""}}), SceneError);
    CHECK_THROWS_AS(x.apply({{0, now.size(), "<!-- -->"}}), SceneError);
    CHECK(x.bytes() == now);
    CHECK(id("f") == f);
}

TEST_CASE("Files that are none say so", "[scene]")
{
    const sofa::test::TemporaryDirectory tmp;
    CHECK_THROWS_WITH(readBytes(tmp.path().string()), Catch::Contains("this is a folder"));
    CHECK_THROWS_WITH(readBytes((tmp.path() / "none.scn").string()), Catch::Contains("cannot open the file"));
    writeFile(tmp.path() / "a.scn", "<a/>\r\n");
    CHECK(readBytes((tmp.path() / "a.scn").string()) == "<a/>\r\n");
}

}  // namespace xml_document_test
