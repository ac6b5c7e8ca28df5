// What is wrong with JSON is told with its place.
#include "scope/base/json_input.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

using Json = nlohmann::ordered_json;

Diagnostic say(const std::string& file, const std::string& place, const std::string& what, const std::string& hint) {
    return {Severity::kError, "test", {file, 0, 0}, place + ": " + what, hint};
}

std::vector<std::string> twice_in(std::string_view text) {
    std::vector<std::string> places;
    json_object<Json>(text, &places);
    return places;
}

TEST(JsonInput, OnlyAnObjectIsOne) {
    for (const char* text : {"", "[1]", "7", "{", "{\"a\": }", "{} {}", "\xff", "{\"a\": 1e999}"}) {
        std::vector<std::string> places;
        EXPECT_FALSE(json_object<Json>(text)) << text;
        EXPECT_FALSE(json_object<Json>(text, &places)) << text;
    }
    const auto json = json_object<Json>(R"({"a": [1, {"b": null}]})");
    ASSERT_TRUE(json);
    EXPECT_EQ(json->dump(), R"({"a":[1,{"b":null}]})");
}

TEST(JsonInput, KeysThatStandTwiceAreTold) {
    using Places = std::vector<std::string>;
    EXPECT_EQ(twice_in(R"({"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 2}]})"), Places{});
    EXPECT_EQ(twice_in(R"({"a": 1, "b": 2, "a": 3})"), Places{"a"});
    EXPECT_EQ(twice_in(R"({"a": {"x": 1}, "l": [0, [], {}, {"b": {"x": {}, "x": []}}]})"), Places{"l[3].b.x"});
    EXPECT_EQ(twice_in(R"({"a": {}, "a": {"b": 1, "b": 2}})"), (Places{"a", "a.b"}));
    // Any depth: the place is told as far as somebody reads.
    std::string deep;
    for (int i = 0; i < 50'000; ++i) deep += "[{\"a\": ";
    EXPECT_EQ(twice_in(deep), Places{});
    const Places place = twice_in("{\"b\": " + deep + "0, \"a\": 1");
    ASSERT_EQ(place.size(), 1U);
    EXPECT_LT(place[0].size(), 1100U);
    std::string many = "{\"a\": 0";
    for (int i = 0; i < 1000; ++i) many += ", \"a\": 1";
    EXPECT_EQ(twice_in(many + "}").size(), JsonErrors::kEnough);
}

template <class T>
std::string wrong(const char* text) {
    T value{};
    const char* what = take_json(Json::parse(text), value);
    if (what == nullptr) return {};
    EXPECT_EQ(value, T{}) << text;
    return what;
}

TEST(JsonInput, ValuesHaveTheirTypeAndRange) {
    EXPECT_EQ(wrong<bool>("true"), "");
    EXPECT_EQ(wrong<bool>("1"), "is not true or false");
    EXPECT_EQ(wrong<std::uint8_t>("255"), "");
    EXPECT_EQ(wrong<std::int8_t>("-128"), "");
    EXPECT_EQ(wrong<std::uint64_t>("18446744073709551615"), "");
    for (const char* text : {"256", "-1", "1.0", "\"1\"", "null", "[1]"})
        EXPECT_EQ(wrong<std::uint8_t>(text), "is not an integer of its range") << text;
    for (const char* text : {"128", "-129", "18446744073709551615"})
        EXPECT_EQ(wrong<std::int8_t>(text), "is not an integer of its range") << text;
    EXPECT_EQ(wrong<double>("1"), "");
    EXPECT_EQ(wrong<double>("\"1\""), "is not a number");
    EXPECT_EQ(wrong<std::string>("\"\""), "");
    EXPECT_EQ(wrong<std::string>("1"), "is not a text");
    EXPECT_EQ(wrong<std::vector<std::string>>(R"(["a", "b"])"), "");
    for (const char* text : {"\"a\"", R"(["a", 1])", "{}"})
        EXPECT_EQ(wrong<std::vector<std::string>>(text), "is not a list of texts") << text;
}

TEST(JsonInput, AnObjectIsReadKeyByKey) {
    const auto json = json_object<Json>(R"({"name": "x", "size": 3, "on": 1, "half": 0.5, "colour": 7})");
    ASSERT_TRUE(json);
    JsonErrors errors("file.json", say);
    JsonObject<Json> object(errors, *json, "runs[0]");
    EXPECT_EQ(object.text("name", true), "x");
    EXPECT_EQ(object.count("size", 3), 3U);
    EXPECT_EQ(object.number("half"), 0.5);
    EXPECT_TRUE(errors.all().empty());
    EXPECT_FALSE(object.truth("on"));
    EXPECT_FALSE(object.count("half", 3));
    EXPECT_EQ(object.need("color"), nullptr);
    object.finish();
    std::string all;
    for (const Diagnostic& one : errors.all()) all += one.message + (one.hint.empty() ? "" : " " + one.hint) + "\n";
    EXPECT_EQ(all,
              "runs[0].on: is not true or false\nruns[0].half: is not a whole number from 0 to 3\n"
              "runs[0]: \"color\" is missing\nruns[0]: there is no \"colour\" here did you mean color?\n");
    EXPECT_EQ(errors.all()[0].location.file, "file.json");
}

TEST(JsonInput, AFileThatIsWrongThroughoutSaysSoTwentyTimes) {
    Json json = Json::object();
    for (int i = 0; i < 1000; ++i) json["key" + std::to_string(i)] = i;
    JsonErrors errors("file.json", say);
    JsonObject<Json> object(errors, json, "");
    object.finish();
    EXPECT_EQ(errors.all().size(), 20U);
}

}  // namespace
}  // namespace tilescope
