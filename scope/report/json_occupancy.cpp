#include "scope/report/json_occupancy.h"

namespace tilescope::report {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

struct LimitKey {
    const char* key;
    std::optional<std::uint32_t> OccupancyLimits::*limit;
};

constexpr LimitKey kLimits[] = {{"threads", &OccupancyLimits::threads},
                                {"blocks", &OccupancyLimits::blocks},
                                {"registers", &OccupancyLimits::registers},
                                {"shared", &OccupancyLimits::shared},
                                {"barriers", &OccupancyLimits::barriers}};

OrderedJson limits_json(const OccupancyLimits& limits) {
    OrderedJson json = OrderedJson::object();
    for (const LimitKey& row : kLimits)
        if (limits.*row.limit) json[row.key] = *(limits.*row.limit);
    return json;
}

OrderedJson change_json(const OccupancyChange& change) {
    return {{"resource", change.resource}, {"change", change.change}};
}

OrderedJson step_json(const OccupancyStep& step) {
    OrderedJson json = step.changes.empty() ? OrderedJson::object() : change_json(step.changes.front());
    for (std::size_t i = 1; i < step.changes.size(); ++i) json["also"].push_back(change_json(step.changes[i]));
    json["blocks"] = step.blocks_per_sm;
    json["fraction"] = step.fraction;
    return json;
}

OrderedJson textbook_json(const OccupancyTextbook& textbook) {
    return {{"blocks_per_sm", textbook.blocks_per_sm},
            {"threads_per_sm", textbook.threads_per_sm},
            {"fraction", textbook.fraction},
            {"limiters", textbook.limiters},
            {"by", limits_json(textbook.by)},
            {"division", {{"threads_per_sm", textbook.division_threads}, {"fraction", textbook.division_fraction}}}};
}

OrderedJson waves_json(const OccupancyWaves& waves) {
    return {{"blocks_at_once", waves.blocks_at_once},
            {"full", waves.full},
            {"tail_blocks", waves.tail_blocks},
            {"tail_fraction", waves.tail_fraction()},
            {"idle_sms", waves.idle_sms}};
}

void read_waves(Reader& reader, const Json& parent, const std::string& path, std::optional<OccupancyWaves>& into) {
    const Json* json = reader.object(parent, path, "waves");
    if (json == nullptr) return;
    OccupancyWaves& waves = into.emplace();
    reader.integer(*json, path + "waves.", "blocks_at_once", waves.blocks_at_once);
    reader.integer(*json, path + "waves.", "full", waves.full);
    reader.integer(*json, path + "waves.", "tail_blocks", waves.tail_blocks);
    reader.integer(*json, path + "waves.", "idle_sms", waves.idle_sms);
}

void read_names(Reader& reader, const Json& object, const std::string& path, const char* key,
                std::vector<std::string>& into) {
    const Json* names = reader.find(object, key);
    if (names == nullptr) return;
    if (!names->is_array()) return reader.fail(path + key, "is not a list");
    for (const Json& item : *names) {
        if (!item.is_string()) return reader.fail(path + key, "is not a list of texts");
        into.push_back(item.get<std::string>());
    }
}

void read_limits(Reader& reader, const Json& parent, const std::string& path, OccupancyLimits& limits) {
    const Json* json = reader.object(parent, path, "by");
    if (json == nullptr) return;
    for (const LimitKey& row : kLimits)
        if (reader.find(*json, row.key) != nullptr)
            reader.integer(*json, path + "by.", row.key, (limits.*row.limit).emplace());
}

OccupancyChange read_change(Reader& reader, const Json& json, const std::string& path) {
    OccupancyChange change;
    reader.text(json, path, "resource", change.resource);
    const Json* by = reader.find(json, "change");
    if (by == nullptr) return change;
    const bool fits =
        by->is_number_integer() && !(by->is_number_unsigned() && by->get<std::uint64_t>() > std::uint64_t{1} << 62);
    if (fits)
        change.change = by->get<std::int64_t>();
    else
        reader.fail(path + "change", "is not an integer of its range");
    return change;
}

OccupancyStep read_step(Reader& reader, const Json& json, const std::string& path) {
    OccupancyStep step;
    step.changes.push_back(read_change(reader, json, path));
    reader.list(json, path, "also", [&](const Json& item, const std::string& where) {
        step.changes.push_back(read_change(reader, item, where));
    });
    reader.integer(json, path, "blocks", step.blocks_per_sm);
    reader.number(json, path, "fraction", step.fraction);
    return step;
}

void read_textbook(Reader& reader, const Json& parent, const std::string& path, OccupancyTextbook& textbook) {
    const Json* json = reader.object(parent, path, "textbook");
    if (json == nullptr) return;
    const std::string where = path + "textbook.";
    reader.integer(*json, where, "blocks_per_sm", textbook.blocks_per_sm);
    reader.integer(*json, where, "threads_per_sm", textbook.threads_per_sm);
    reader.number(*json, where, "fraction", textbook.fraction);
    read_names(reader, *json, where, "limiters", textbook.limiters);
    read_limits(reader, *json, where, textbook.by);
    const Json* division = reader.object(*json, where, "division");
    if (division == nullptr) return;
    reader.number(*division, where + "division.", "threads_per_sm", textbook.division_threads);
    reader.number(*division, where + "division.", "fraction", textbook.division_fraction);
}

OccupancyProfile read_profile(Reader& reader, const Json& json, const std::string& path) {
    OccupancyProfile profile;
    read_limits(reader, json, path, profile.by);
    reader.integer(json, path, "registers_per_block", profile.registers_per_block);
    reader.integer(json, path, "shared_bytes_per_block", profile.shared_bytes_per_block);
    reader.integer(json, path, "shared_bytes_per_sm", profile.shared_bytes_per_sm);
    reader.integer(json, path, "barriers_per_block", profile.barriers);
    reader.integer(json, path, "threads_per_sm", profile.threads_per_sm);
    read_waves(reader, json, path, profile.waves);
    if (json.contains("carveout_percent"))
        reader.integer(json, path, "carveout_percent", profile.carveout_percent.emplace());
    read_textbook(reader, json, path, profile.textbook);
    reader.text(json, path, "difference", profile.difference);
    if (const Json* bytes = reader.object(json, path, "bytes_per_thread")) {
        const std::string where = path + "bytes_per_thread.";
        reader.number(*bytes, where, "shared", profile.shared_bytes_per_thread);
        reader.number(*bytes, where, "full", profile.full_bytes_per_thread);
        reader.number(*bytes, where, "full_as_allocated", profile.full_bytes_per_thread_allocated);
    }
    reader.list(json, path, "next", [&](const Json& item, const std::string& where) {
        profile.next.push_back(read_step(reader, item, where));
    });
    reader.list(json, path, "headroom", [&](const Json& item, const std::string& where) {
        profile.headroom.push_back(read_change(reader, item, where));
    });
    return profile;
}

}  // namespace

OrderedJson occupancy_json(const LaunchProfile& launch) {
    OrderedJson json = {{"blocks_per_sm", launch.blocks_per_sm},
                        {"warps_per_sm", launch.warps_per_sm},
                        {"fraction", launch.occupancy},
                        {"limiters", launch.limiters}};
    if (!launch.occupancy_profile) return json;
    const OccupancyProfile& profile = *launch.occupancy_profile;
    json["by"] = limits_json(profile.by);
    json["registers_per_block"] = profile.registers_per_block;
    json["shared_bytes_per_block"] = profile.shared_bytes_per_block;
    json["shared_bytes_per_sm"] = profile.shared_bytes_per_sm;
    json["barriers_per_block"] = profile.barriers;
    json["threads_per_sm"] = profile.threads_per_sm;
    if (profile.waves) json["waves"] = waves_json(*profile.waves);
    if (profile.carveout_percent) json["carveout_percent"] = *profile.carveout_percent;
    json["textbook"] = textbook_json(profile.textbook);
    if (!profile.difference.empty()) json["difference"] = profile.difference;
    json["bytes_per_thread"] = {{"shared", profile.shared_bytes_per_thread},
                                {"full", profile.full_bytes_per_thread},
                                {"full_as_allocated", profile.full_bytes_per_thread_allocated}};
    json["next"] = OrderedJson::array();
    for (const OccupancyStep& step : profile.next) json["next"].push_back(step_json(step));
    json["headroom"] = OrderedJson::array();
    for (const OccupancyChange& more : profile.headroom) json["headroom"].push_back(change_json(more));
    return json;
}

void read_occupancy(Reader& reader, const Json& parent, const std::string& path, LaunchProfile& launch) {
    const Json* json = reader.object(parent, path, "occupancy");
    if (json == nullptr) return;
    const std::string where = path + "occupancy.";
    reader.integer(*json, where, "blocks_per_sm", launch.blocks_per_sm);
    reader.integer(*json, where, "warps_per_sm", launch.warps_per_sm);
    reader.number(*json, where, "fraction", launch.occupancy);
    read_names(reader, *json, where, "limiters", launch.limiters);
    if (json->contains("textbook")) launch.occupancy_profile = read_profile(reader, *json, where);
}

}  // namespace tilescope::report
