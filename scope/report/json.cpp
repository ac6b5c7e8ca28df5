#include "scope/report/json.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "scope/report/clean.h"
#include "scope/report/json_parts.h"
#include "scope/report/json_reader.h"
#include "scope/report/json_writer.h"
#include "scope/report/part_of_json.h"

namespace tilescope::report {

using OrderedJson = nlohmann::ordered_json;

OrderedJson launch_json(const LaunchProfile& launch) { return JsonWriter::object(launch, /*with_times=*/true); }
OrderedJson hazard_json(const Hazard& hazard) { return JsonWriter::object(hazard, true); }
OrderedJson diagnostic_json(const Diagnostic& diagnostic) { return JsonWriter::object(diagnostic, true); }
OrderedJson failed_call_json(const FailedCall& failed) { return JsonWriter::object(failed, true); }
OrderedJson process_json(const ProcessOfRun& process) { return JsonWriter::object(process, true); }
OrderedJson unfinished_json(const UnfinishedLaunch& launch) { return JsonWriter::object(launch, true); }
OrderedJson transfer_json(const Transfer& transfer) { return JsonWriter::object(transfer, true); }
OrderedJson span_json(const TimelineSpan& span) { return JsonWriter::object(span, true); }
OrderedJson event_times_json(const EventTimes& times) { return JsonWriter::object(times, true); }

OrderedJson totals_json(const TimelineTotals& totals) { return JsonWriter::object(totals, true); }
OrderedJson pages_json(const PageReport& pages) { return JsonWriter::object(pages, true); }
OrderedJson code_json(const KernelCode& code) { return JsonWriter::object(code, true); }
OrderedJson code_place_json(const CodePlace& place) { return JsonWriter::object(place, true); }
OrderedJson roofline_json(const RooflineProfile& roofline) { return JsonWriter::object(roofline, true); }
OrderedJson phases_json(const PhaseTable& table) { return JsonWriter::object(table, true); }
OrderedJson occupancy_json(const LaunchProfile& launch) {
    JsonWriter writer(true);
    describe_occupancy(writer, launch);
    return writer.take();
}

namespace {

// Names of files may be any bytes; what is not UTF-8 becomes U+FFFD rather than an exception.
std::string text_of(const OrderedJson& json) { return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace); }

// What stands within two others, each of which moves it by a space.
std::string moved_in(const std::string& text) {
    std::string moved = "  ";
    for (const char c : text) {
        moved += c;
        if (c == '\n') moved += "  ";
    }
    return moved;
}

// The texts of launches; of one that is repeated only its index differs, unless it tells more of itself.
class LaunchTexts {
public:
    LaunchTexts(const LaunchList& launches, bool with_times) : launches_(launches), with_times_(with_times) {}

    void write(std::size_t i, const TextSink& sink) {
        const LaunchMarks marks = launches_.marks(i);
        const LaunchProfile* const launch = &launches_[i];
        const bool is_plain = !with_times_ && marks.graph == launch->graph;
        Parts& parts = recent_[reinterpret_cast<std::uintptr_t>(launch) / sizeof(LaunchProfile) % recent_.size()];
        if (!is_plain || parts.launch != launch) {
            LaunchProfile own = *launch;
            own.index = marks.index;
            own.graph = marks.graph;
            own.seconds = marks.seconds;
            const std::string text = moved_in(text_of(JsonWriter::object(own, with_times_)));
            if (!is_plain) return sink(text);
            // The index comes first.
            const std::size_t begin = text.find(": ") + 2, end = text.find(',', begin);
            parts = {launch, text.substr(0, begin), text.substr(end)};
        }
        sink(parts.before);
        sink(std::to_string(marks.index));
        sink(parts.behind);
    }

private:
    struct Parts {
        const LaunchProfile* launch = nullptr;
        std::string before, behind;
    };

    const LaunchList& launches_;
    const bool with_times_;
    std::array<Parts, 16> recent_;
};

}  // namespace

void write_json(const Profile& profile, bool with_times, const TextSink& sink) {
    const std::string text = text_of(JsonWriter::object(profile, with_times));
    // Within the profile's own braces, and nowhere deeper, a line begins with one space.
    constexpr std::string_view kNone = "\n \"launches\": [";
    const std::size_t at = text.find(kNone) + kNone.size();
    if (profile.launches.empty()) {
        sink(text);
        return sink("\n");
    }
    sink(std::string_view(text).substr(0, at));
    LaunchTexts texts(profile.launches, with_times);
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        sink(i == 0 ? "\n" : ",\n");
        texts.write(i, sink);
    }
    sink("\n ");
    sink(std::string_view(text).substr(at));
    sink("\n");
}

std::string to_json(const Profile& profile, bool with_times) {
    std::string text;
    write_json(profile, with_times, [&](std::string_view part) { text += part; });
    return text;
}

namespace {

Result<Profile> profile_of(const nlohmann::json& json, const std::string& name) {
    if (!json.is_object())
        return error("profile-json", {name}, "this is not a profile: not a JSON object",
                     "write one with `tilescope run --json FILE PROGRAM`");
    const auto schema = json.find("schema");
    if (schema == json.end() || !schema->is_number_integer() || *schema != 1)
        return error("profile-schema", {name}, "\"schema\" is not 1", "this tilescope reads profiles of schema 1 only");
    JsonErrors errors(name, profile_error);
    Profile profile;
    if (!json.contains("launches")) errors.add("launches", "is missing");
    JsonReader reader(errors, json, "");
    describe(reader, profile);
    if (!errors.all().empty()) return errors.all();
    clean(profile);
    return profile;
}

}  // namespace

Result<Profile> from_json(std::string_view text, const std::string& name) {
    return profile_of(json_object<nlohmann::json>(text).value_or(nlohmann::json()), name);
}

Result<Profile> from_json(std::istream& text, const std::string& name, const ReadLimits& limits) {
    PassedOver passed_over;
    const nlohmann::json json = part_of_json(text, limits, passed_over);
    auto profile = profile_of(json, name);
    if (!profile) return profile;
    profile->hazards_passed_over = passed_over.of_run;
    for (const auto& [launch, hazards] : passed_over.of_launches)
        profile->launches.distinct()[launch].hazards_passed_over = hazards;
    return profile;
}

}  // namespace tilescope::report
