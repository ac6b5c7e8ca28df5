#include "scope/report/json.h"

#include <nlohmann/json.hpp>

#include "scope/report/clean.h"
#include "scope/report/json_parts.h"
#include "scope/report/json_reader.h"
#include "scope/report/json_writer.h"

namespace tilescope::report {

using OrderedJson = nlohmann::ordered_json;

OrderedJson launch_json(const LaunchProfile& launch) { return JsonWriter::object(launch, /*with_times=*/true); }
OrderedJson hazard_json(const Hazard& hazard) { return JsonWriter::object(hazard, true); }
OrderedJson diagnostic_json(const Diagnostic& diagnostic) { return JsonWriter::object(diagnostic, true); }
OrderedJson failed_call_json(const FailedCall& failed) { return JsonWriter::object(failed, true); }
OrderedJson unfinished_json(const UnfinishedLaunch& launch) { return JsonWriter::object(launch, true); }
OrderedJson transfer_json(const Transfer& transfer) { return JsonWriter::object(transfer, true); }
OrderedJson span_json(const TimelineSpan& span) { return JsonWriter::object(span, true); }
OrderedJson event_times_json(const EventTimes& times) { return JsonWriter::object(times, true); }

OrderedJson totals_json(const TimelineTotals& totals) { return JsonWriter::object(totals, true); }
OrderedJson pages_json(const PageReport& pages) { return JsonWriter::object(pages, true); }
OrderedJson code_place_json(const CodePlace& place) { return JsonWriter::object(place, true); }
OrderedJson roofline_json(const RooflineProfile& roofline) { return JsonWriter::object(roofline, true); }
OrderedJson phases_json(const PhaseTable& table) { return JsonWriter::object(table, true); }
OrderedJson occupancy_json(const LaunchProfile& launch) {
    JsonWriter writer(true);
    describe_occupancy(writer, launch);
    return writer.take();
}

std::string to_json(const Profile& profile, bool with_times) {
    // Names of files may be any bytes; what is not UTF-8 becomes U+FFFD rather than an exception.
    return JsonWriter::object(profile, with_times).dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<Profile> from_json(std::string_view text, const std::string& name) {
    const auto json = json_object<nlohmann::json>(text);
    if (!json)
        return error("profile-json", {name}, "this is not a profile: not a JSON object",
                     "write one with `tilescope run --json FILE PROGRAM`");
    const auto schema = json->find("schema");
    if (schema == json->end() || !schema->is_number_integer() || *schema != 1)
        return error("profile-schema", {name}, "\"schema\" is not 1", "this tilescope reads profiles of schema 1 only");
    JsonErrors errors(name, profile_error);
    Profile profile;
    if (!json->contains("launches")) errors.add("launches", "is missing");
    JsonReader reader(errors, *json, "");
    describe(reader, profile);
    if (!errors.all().empty()) return errors.all();
    clean(profile);
    return profile;
}

}  // namespace tilescope::report
