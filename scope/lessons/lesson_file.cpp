// Reads lesson.json, which may hold anything, and what a file of claims became.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scope/base/names.h"
#include "scope/lessons/claims_file.h"
#include "scope/lessons/commands.h"
#include "scope/lessons/json_object.h"
#include "scope/lessons/lesson.h"

namespace tilescope::lessons {
namespace {

// A lesson of the book, or claims by themselves.
enum class LessonForm : std::uint8_t { kLesson, kClaims };

constexpr std::size_t kRemembered = 3;
constexpr unsigned kMaxLaunch = 1'000'000;

bool is_word(const std::string& text) {
    constexpr std::size_t kLongest = 60;
    if (text.empty() || text.size() > kLongest || (text[0] >= '0' && text[0] <= '9')) return false;
    return text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
           std::string::npos;
}

// Entries of an object or a list, each with its place.
template <class Read>
void each_of(Object& object, const std::string& key, bool needed, bool by_name, Read read) {
    const Json* item = needed ? object.need(key) : object.find(key);
    if (item == nullptr) return;
    if (by_name ? !item->is_object() : !item->is_array())
        return object.errors().add(object.inside(key),
                                   by_name ? "is not an object { NAME: ... }" : "is not a list [ ... ]");
    std::size_t index = 0;
    for (auto it = item->begin(); it != item->end(); ++it, ++index) {
        const std::string name = by_name ? it.key() : std::string();
        const std::string place = by_name ? object.inside(key) + "." + Object::beginning(name)
                                          : fmt::format("{}[{}]", object.inside(key), index);
        if (by_name && !is_word(name)) {
            object.errors().add(place, "is no name", "a name is a word of letters, digits and _");
            continue;
        }
        Object inner(object.errors(), *it, place);
        read(inner, name);
        inner.finish();
    }
}

// What tilescope adds by itself, or what would send the answer elsewhere.
void check_words(Object& object, const std::string& key, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const std::string option = word.substr(0, word.find('='));
        for (const char* own : {"--json", "--compiler", "--jobs", "-q", "--quiet", "--svg", "--html", "--sarif"})
            if (option == own)
                object.errors().add(object.inside(key), "\"" + word + "\" is added by `tilescope lesson` itself");
        if (word == "--" && key == "options")
            object.errors().add(object.inside(key), "\"--\" does not belong here", "put the rest into \"arguments\"");
    }
}

Run read_run(Object& object, const std::string& name, LessonForm form) {
    constexpr unsigned kMaxStatus = 255;
    Run run;
    run.name = name;
    if (form == LessonForm::kClaims) run.program = object.text("program");
    run.command = object.texts("command");
    run.arguments = object.texts("arguments");
    run.defines = object.texts("defines");
    run.options = object.texts("options");
    run.status = static_cast<int>(object.count("status", kMaxStatus).value_or(0));
    run.kernel = object.text("kernel");
    run.launch = object.count("launch", kMaxLaunch).value_or(0);
    check_words(object, "options", run.options);
    check_words(object, "command", run.command);
    if (object.find("command") == nullptr) return run;
    constexpr std::array kCommands = {"occupancy", "roofline", "devices", "trace", "launch", "run", "pattern", "tile"};
    if (run.command.empty() || std::find(kCommands.begin(), kCommands.end(), run.command.front()) == kCommands.end())
        object.fail("\"command\" does not begin with one that answers in JSON",
                    "one of occupancy, roofline, devices, trace, launch, run, pattern, tile");
    if (!run.arguments.empty() || !run.defines.empty() || !run.options.empty())
        object.fail("\"command\" holds all words: \"arguments\", \"defines\" and \"options\" go without it");
    return run;
}

std::optional<Expected> read_expected(Object& object, const std::string& key) {
    const Json* item = object.find(key);
    if (item == nullptr) return std::nullopt;
    Expected expected;
    if (item->is_number() && std::isfinite(item->get<double>())) {
        expected.value = item->get<double>();
    } else if (item->is_boolean()) {
        expected.value = item->get<bool>();
    } else if (item->is_string()) {
        expected.value = item->get<std::string>();
    } else if (item->is_object()) {
        Object inner(object.errors(), *item, object.inside(key));
        expected.expression = inner.expression("value", true);
        inner.finish();
    } else {
        object.errors().add(object.inside(key), "is no number, text, true, false or {\"value\": EXPRESSION}");
    }
    return expected;
}

void read_within(Object& object, Claim& claim) {
    const Json* item = object.find("within");
    if (item == nullptr) return;
    const std::string hint = "\"1%\" of what is expected, or a number";
    if (item->is_number()) {
        claim.within = item->get<double>();
    } else if (item->is_string() && item->get_ref<const std::string&>().ends_with('%')) {
        const std::string& text = item->get_ref<const std::string&>();
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size() - 1, claim.within);
        if (failed != std::errc() || end != text.data() + text.size() - 1) claim.within = -1;
        constexpr double kPercent = 100;
        claim.within /= kPercent;
        claim.relative = true;
    } else {
        claim.within = -1;
    }
    if (!(claim.within >= 0) || !std::isfinite(claim.within))
        object.errors().add(object.inside("within"), "is no tolerance", hint);
    if (!claim.expected) object.errors().add(object.inside("within"), "goes with \"expected\" only");
}

// A claim that names no run is about the only one there is.
void settle_run(Object& object, const Lesson& lesson, std::string& run) {
    if (run.empty() && lesson.runs.size() == 1) run = lesson.runs.front().name;
    if (run.empty()) {
        object.fail("\"run\" is missing", "there are several: say whose values this is about");
        return;
    }
    if (lesson.run(run) != nullptr) return;
    std::vector<std::string> names;
    names.reserve(lesson.runs.size());
    for (const Run& each : lesson.runs) names.push_back(each.name);
    const std::string near = nearest(run, names);
    object.errors().add(object.inside("run"), "there is no run \"" + Object::beginning(run) + "\"",
                        near.empty() ? "" : "did you mean " + near + "?");
}

void read_bounds(Object& object, Claim& claim) {
    claim.expected = read_expected(object, "expected");
    claim.at_least = read_expected(object, "at_least");
    claim.at_most = read_expected(object, "at_most");
    if (claim.expected && (claim.at_least || claim.at_most))
        object.fail("\"expected\" goes without \"at_least\" and \"at_most\"");
    if (!claim.expected && !claim.at_least && !claim.at_most)
        object.fail("nothing says what is expected", "\"expected\", \"at_least\" or \"at_most\"");
    for (const auto* bound : {&claim.at_least, &claim.at_most})
        if (*bound && !(*bound)->expression && !std::holds_alternative<double>((*bound)->value))
            object.fail("\"at_least\" and \"at_most\" are numbers");
    read_within(object, claim);
}

Claim read_claim(Object& object, const Lesson& lesson, LessonForm form, bool exercise) {
    Claim claim;
    claim.exercise = exercise;
    claim.place = object.place();
    claim.says = object.text(exercise ? "ask" : "says", true);
    if (!exercise) {
        claim.rows = object.texts("rows", form == LessonForm::kLesson);
        if (claim.rows.empty() && form == LessonForm::kLesson)
            object.fail("\"rows\" names no row", "ids of lessons/concepts.json, such as [\"R1\"]");
        claim.wrong = object.truth("wrong");
        claim.truth = object.text("truth");
        claim.claimed = read_expected(object, "claimed");
        if (claim.wrong == claim.truth.empty())
            object.fail(claim.wrong ? "a wrong claim needs \"truth\": what is true"
                                    : "\"truth\" goes with \"wrong\": true only");
        if (claim.claimed && !claim.wrong) object.fail("\"claimed\" goes with \"wrong\": true only");
    }
    claim.source = object.text("source");
    claim.unit = object.text("unit");
    claim.run = object.text("run");
    claim.kernel = object.text("kernel");
    claim.launch = object.count("launch", kMaxLaunch);
    settle_run(object, lesson, claim.run);
    if (auto value = object.expression("value", true)) claim.value = std::move(*value);
    read_bounds(object, claim);
    return claim;
}

constexpr std::array<std::pair<const char*, PictureKind>, 6> kPictures = {{{"roofline", PictureKind::kRoofline},
                                                                           {"occupancy", PictureKind::kOccupancy},
                                                                           {"phases", PictureKind::kPhases},
                                                                           {"request", PictureKind::kRequest},
                                                                           {"banks", PictureKind::kBanks},
                                                                           {"curve", PictureKind::kCurve}}};

void read_points(Object& object, const Lesson& lesson, Picture& picture) {
    picture.x = object.text("x", true);
    picture.y = object.text("y", true);
    each_of(object, "points", true, false, [&](Object& inner, const std::string&) {
        CurvePoint point;
        point.run = inner.text("run");
        settle_run(inner, lesson, point.run);
        inner.need("x");
        point.x = inner.number("x").value_or(0);
        if (auto value = inner.expression("value", true)) point.value = std::move(*value);
        picture.points.push_back(std::move(point));
    });
    if (picture.points.size() < 2) object.fail("a curve takes two points or more");
}

Picture read_picture(Object& object, const Lesson& lesson, const std::string& name) {
    Picture picture;
    picture.name = name;
    const std::string kind = object.text("kind", true);
    const auto* found =
        std::find_if(kPictures.begin(), kPictures.end(), [&](const auto& row) { return row.first == kind; });
    if (found == kPictures.end()) {
        if (!kind.empty())
            object.fail("there is no picture of the kind \"" + Object::beginning(kind) + "\"",
                        "one of roofline, occupancy, phases, request, banks, curve");
        return picture;
    }
    picture.kind = found->second;
    picture.title = object.text("title");
    if (picture.kind == PictureKind::kCurve) {
        read_points(object, lesson, picture);
        return picture;
    }
    picture.runs = object.texts("runs");
    if (picture.runs.empty()) picture.runs.push_back(object.text("run"));
    for (std::string& run : picture.runs) settle_run(object, lesson, run);
    if (picture.kind == PictureKind::kRoofline) picture.device = object.text("device");
    if (picture.kind != PictureKind::kRoofline && picture.runs.size() > 1) object.fail("one run is drawn, not several");
    if (picture.kind == PictureKind::kRequest || picture.kind == PictureKind::kBanks) {
        picture.line = object.text("line", true);
        picture.array = object.text("array");
    }
    return picture;
}

Time read_time(Object& object, const Lesson& lesson) {
    Time time;
    time.says = object.text("says", true);
    time.run = object.text("run");
    settle_run(object, lesson, time.run);
    if (auto value = object.expression("measured", true)) time.measured = std::move(*value);
    if (auto value = object.expression("modelled", true)) time.modelled = std::move(*value);
    time.h200 = object.number("h200");
    time.date = object.text("date");
    if (time.h200.has_value() == time.date.empty()) object.fail("\"h200\" and \"date\" go together");
    return time;
}

// Only what ran by itself has a profile for others to look into.
void check_profiles(Object& object, const Lesson& lesson) {
    for (const Run& run : lesson.runs)
        for (const std::string& name : profiles_needed(run)) {
            const Run* other = lesson.run(name);
            if (other != nullptr && makes_profile(*other) && profiles_needed(*other).empty()) continue;
            object.errors().add("runs." + run.name, "there is no profile of a run \"" + Object::beginning(name) + "\"",
                                "{profile:NAME} is that of a run of the program, a trace or a launch");
        }
}

// What a lesson and a file of claims have alike.
void read_claims_and_runs(Object& object, Lesson& lesson, LessonForm form) {
    lesson.title = object.text("title", form == LessonForm::kLesson);
    lesson.question = object.text("question", form == LessonForm::kLesson);
    each_of(object, "runs", true, true,
            [&](Object& inner, const std::string& name) { lesson.runs.push_back(read_run(inner, name, form)); });
    check_profiles(object, lesson);
    each_of(object, "claims", true, false, [&](Object& inner, const std::string&) {
        lesson.claims.push_back(read_claim(inner, lesson, form, false));
    });
    if (lesson.claims.empty()) object.fail("there is no claim");
    each_of(object, "exercises", false, false,
            [&](Object& inner, const std::string&) { lesson.claims.push_back(read_claim(inner, lesson, form, true)); });
}

void read_all(Object& object, Lesson& lesson) {
    read_claims_and_runs(object, lesson, LessonForm::kLesson);
    lesson.remember = object.texts("remember", true);
    if (lesson.remember.size() != kRemembered) object.errors().add("remember", "holds three lines");
    each_of(object, "pictures", false, true, [&](Object& inner, const std::string& name) {
        lesson.pictures.push_back(read_picture(inner, lesson, name));
    });
    each_of(object, "gpu", false, false,
            [&](Object& inner, const std::string&) { lesson.times.push_back(read_time(inner, lesson)); });
    object.finish();
}

Diagnostic value_error(const std::string& file, const std::string& place, const std::string& what,
                       const std::string& hint) {
    return error("lessons-value", {file}, (place.empty() ? "" : place + ": ") + what,
                 hint.empty() ? "lessons/README.md has the format" : hint);
}

Diagnostic claim_error(const std::string& file, const std::string& place, const std::string& what,
                       const std::string& hint) {
    return error("claims-value", {file}, (place.empty() ? "" : place + ": ") + what,
                 hint.empty() ? "`tilescope claims --help` has an example" : hint);
}

// A run without a command is one of a program.
void check_programs(Object& object, const Lesson& lesson) {
    for (const Run& run : lesson.runs)
        if (run.command.empty() && run.program.empty() && lesson.program_name.empty())
            object.errors().add("runs." + run.name, "there is no program to run",
                                "\"program\" here or above all runs, or \"command\"");
}

}  // namespace

Result<Lesson> parse_lesson(std::string_view text, const std::string& file, const std::string& name) {
    std::vector<std::string> twice;
    const auto json = json_object<Json>(text, &twice);
    if (!json)
        return error("lessons-json", {file}, "this is not a lesson: not a JSON object",
                     "lessons/README.md has the format");
    JsonErrors errors(file, value_error);
    for (const std::string& place : twice) errors.add(place, "stands there twice");
    Lesson lesson;
    lesson.name = name;
    Object object(errors, *json, "");
    read_all(object, lesson);
    if (!errors.all().empty()) return errors.all();
    return lesson;
}

Result<Lesson> lesson_of_claims(const Json& json, const std::string& file) {
    JsonErrors errors(file, claim_error);
    Lesson lesson;
    Object object(errors, json, "");
    lesson.program_name = object.text("program");
    read_claims_and_runs(object, lesson, LessonForm::kClaims);
    lesson.remember = object.texts("remember");
    check_programs(object, lesson);
    object.finish();
    if (!errors.all().empty()) return errors.all();
    return lesson;
}

}  // namespace tilescope::lessons
