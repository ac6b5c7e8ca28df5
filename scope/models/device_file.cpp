// Reading and writing of device files.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scope/base/json_input.h"
#include "scope/base/safe_text.h"
#include "scope/models/device.h"
#include "scope/models/device_figures.h"
#include "scope/models/embedded_devices.h"

namespace tilescope::models {
namespace {

using Json = nlohmann::ordered_json;

// Gathers errors about one file, so that a user sees all of them at once.
struct Reader {
    const std::string& file;
    Device device;
    Diagnostics errors;

    void fail(const std::string& code, std::string message, std::string hint = {}) {
        errors.push_back(error("device-" + code, {file}, std::move(message), std::move(hint)));
    }
    void read_text(const Json& json, const char* key, std::string& into) {
        const auto it = json.find(key);
        if (it != json.end() && take_json(*it, into) == nullptr && !into.empty())
            into = safe_text(into);
        else
            fail("missing-text", std::string("the device needs \"") + key + "\", a text");
    }
    void read_aliases(const Json& json);
    void read_figure(const FigureRow& row, const Json& json);
    bool read_kind(const std::string& key, const Json& json, FigureKind& kind);
    void read_figures(const Json& figures);
    void check_together();
};

Json number(double value) {
    constexpr double kExact = 9007199254740992.0;
    if (value == std::floor(value) && value < kExact) return static_cast<std::uint64_t>(value);
    return value;
}

bool read_values(const Json& json, FigureValues& values) {
    const auto take = [&](const Json& item) {
        double& value = values.emplace_back();
        return take_json(item, value) == nullptr && value >= 0;
    };
    if (!json.is_array()) return take(json);
    return !json.empty() && json.size() <= 64 && std::all_of(json.begin(), json.end(), take);
}

void Reader::read_aliases(const Json& json) {
    const auto it = json.find("aliases");
    if (it == json.end()) return;
    std::vector<std::string> names;
    if (take_json(*it, names) != nullptr) return fail("aliases", "\"aliases\" is not a list of names");
    for (const std::string& name : names) device.aliases.push_back(safe_text(name));
}

// A file of somebody's own may leave it out.
bool Reader::read_kind(const std::string& key, const Json& json, FigureKind& kind) {
    const auto it = json.find("kind");
    if (it == json.end()) return true;
    std::string name;
    const bool is_text = take_json(*it, name) == nullptr;
    if (const auto found = figure_kind(name); is_text && found) {
        kind = *found;
        return true;
    }
    std::string known;
    for (const FigureKindName& each : figure_kind_names())
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    fail("figure-kind", key + " has no kind that is known" + (is_text ? ": \"" + safe_text(name) + "\"" : ""),
         "kinds are " + known + "; without one it is stated");
    return false;
}

void Reader::read_figure(const FigureRow& row, const Json& json) {
    const std::string key = std::string("figure \"") + row.spec.key + "\"";
    if (!json.is_object())
        return fail("figure-form", key + " is not an object", R"(write { "value": , "unit": , "source": })");
    auto text = [&](const char* name) {
        std::string found;
        if (const auto it = json.find(name); it != json.end()) take_json(*it, found);
        return safe_text(found);
    };
    Figure figure{.key = row.spec.key, .values = {}, .unit = text("unit"), .source = text("source")};
    if (!read_kind(key, json, figure.kind)) return;
    if (figure.source.find_first_not_of(" \t\r\n") == std::string::npos)
        return fail("no-source", key + " has no source", "name the document and its date, or \"measured\"");
    if (figure.unit != row.spec.unit)
        return fail("unit", key + " is in \"" + figure.unit + "\" rather than \"" + row.spec.unit + "\"");
    auto value = json.find("value");
    if (value == json.end() || !read_values(*value, figure.values))
        return fail("value", key + " has no value that is a number, or a list of numbers, of zero or more");
    if (row.count != 0 && figure.values.size() != row.count)
        return fail("value", key + " needs " + std::to_string(row.count) + " number(s)");
    if (std::any_of(figure.values.begin(), figure.values.end(), [&](double one) { return one > row.max; }))
        return fail("value", key + " is above " + number(row.max).dump() + ", beyond any device");
    if (std::any_of(figure.values.begin(), figure.values.end(), [&](double one) { return one < row.min; }))
        return fail("value", key + " is below " + number(row.min).dump() + ", of which no device is");
    if (!row.store(device, figure.values)) return fail("value", key + " has a value out of range");
    device.figures.push_back(std::move(figure));
}

void Reader::read_figures(const Json& figures) {
    for (const FigureRow& row : figure_rows()) {
        auto it = figures.find(row.spec.key);
        if (it != figures.end())
            read_figure(row, *it);
        else if (row.spec.required)
            fail("missing-figure", std::string("figure \"") + row.spec.key + "\" is missing");
    }
    for (auto it = figures.begin(); it != figures.end(); ++it)
        if (std::none_of(figure_rows().begin(), figure_rows().end(),
                         [&](const FigureRow& row) { return it.key() == row.spec.key; }))
            fail("unknown-figure", "figure \"" + it.key() + "\" is not known",
                 "docs/reference/devices.md lists those that are");
}

// What later arithmetic divides by or relies on.
void Reader::check_together() {
    constexpr std::uint32_t kLeastConstantLine = 32;
    if (device.warp_size != 32) fail("warp-size", "warp_size is not 32", "tilescope knows warps of 32 threads only");
    const std::pair<const char*, std::uint64_t> positive[] = {
        {"compute_major", device.compute_major},
        {"sm_count", device.sm_count},
        {"clock", device.clock_khz},
        {"dram_size", device.dram_bytes},
        {"max_threads_per_sm", device.max_threads_per_sm},
        {"max_threads_per_block", device.max_threads_per_block},
        {"max_blocks_per_sm", device.max_blocks_per_sm},
        {"registers_per_sm", device.registers_per_sm},
        {"register_allocation_unit", device.register_allocation_unit},
        {"shared_allocation_unit", device.shared_allocation_unit},
        {"sub_partitions", device.sub_partitions},
    };
    for (const auto& [key, value] : positive)
        if (value == 0) fail("value", std::string("figure \"") + key + "\" is zero");
    if (device.max_threads_per_sm < device.warp_size) fail("value", "figure \"max_threads_per_sm\" is below one warp");
    if (device.max_threads_per_block > device.max_threads_per_sm)
        fail("value", "figure \"max_threads_per_block\" is above \"max_threads_per_sm\"");
    if (device.shared_bytes_per_block_optin > device.shared_bytes_per_sm)
        fail("value", "figure \"shared_per_block_optin\" is above \"shared_per_sm\"");
    if (device.shared_base % kBankRow != 0)
        fail("value", "figure \"shared_base\" is no multiple of " + std::to_string(kBankRow));
    if (device.shared_reserved_used > device.shared_base)
        fail("value", "figure \"shared_reserved_used\" is above \"shared_base\"");
    for (const auto& [key, value] : {std::pair("cache_constant_line", device.caches.constant_line),
                                     std::pair("cache_constant_second_line", device.caches.constant_second_line)})
        if (value != 0 && (value < kLeastConstantLine || !std::has_single_bit(value)))
            fail("value", std::string("figure \"") + key + "\" is no power of two of 32 or more");
    // A transfer's cycles are what the model of the caches has to walk through.
    if (device.dram_bandwidth > 0 && device.dram_bandwidth < device.cycles_per_second())
        fail("value", "figure \"dram_bandwidth\" is below one byte for each cycle of \"clock\"");
}

// What a capability says holds for all of its cards; what is known of another card is only taken over.
bool is_other_card(const EmbeddedDevice& base) { return !base.name.starts_with("cc/"); }

void note_other_card(Json& figures) {
    for (auto& [key, figure] : figures.items()) {
        const auto kind = figure.find("kind");
        if (kind != figure.end() && (*kind == name_of(FigureKind::kMeasured) || *kind == name_of(FigureKind::kFitted)))
            *kind = name_of(FigureKind::kInferred);
    }
}

// `json`'s figures over those of its base, its base's base and so on. A figure that is null is taken out again.
std::optional<Json> figures_with_bases(const Json& json, Reader& reader, unsigned depth) {
    constexpr unsigned kDeepest = 8;  // a chain of bases that long goes round in a circle
    Json figures = Json::object();
    if (const auto base = json.find("base"); base != json.end()) {
        const EmbeddedDevice* found = nullptr;
        if (base->is_string()) found = find_embedded_device(base->get<std::string>());
        if (found == nullptr || depth == kDeepest) {
            reader.fail("base", "there is no base " + base->dump(-1, ' ', false, Json::error_handler_t::replace),
                        "a base is a known device, or a compute capability such as \"cc/9.0\"");
            return std::nullopt;
        }
        auto inherited = figures_with_bases(Json::parse(found->json), reader, depth + 1);
        if (!inherited) return std::nullopt;
        figures = std::move(*inherited);
        if (is_other_card(*found)) note_other_card(figures);
    }
    const auto own = json.find("figures");
    if (own == json.end() || !own->is_object()) {
        reader.fail("no-figures", "the device has no \"figures\"");
        return std::nullopt;
    }
    for (auto it = own->begin(); it != own->end(); ++it) {
        if (it->is_null())
            figures.erase(it.key());
        else
            figures[it.key()] = *it;
    }
    return figures;
}

using Capability = std::pair<double, double>;

// "cc/8.9"; nothing for what is no capability, "cc/all" among it: it says what does not depend on one.
std::optional<Capability> capability_named(std::string_view name) {
    constexpr std::string_view kFolder = "cc/";
    if (!name.starts_with(kFolder)) return std::nullopt;
    name.remove_prefix(kFolder.size());
    const std::size_t point = name.find('.');
    if (point == std::string_view::npos) return std::nullopt;
    unsigned major = 0, minor = 0;
    std::from_chars(name.data(), name.data() + point, major);
    std::from_chars(name.data() + point + 1, name.data() + name.size(), minor);
    return Capability(major, minor);
}

// The newest capability that is known and not beyond that of these figures; before all of them the oldest.
const EmbeddedDevice* capability_file(const Json& figures) {
    const auto value = [&](const char* key) {
        double number = 0;
        if (const auto it = figures.find(key); it != figures.end() && it->is_object())
            if (const auto found = it->find("value"); found != it->end()) take_json(*found, number);
        return number;
    };
    const Capability own(value("compute_major"), value("compute_minor"));
    const EmbeddedDevice* found = nullptr;
    Capability best;
    for (const EmbeddedDevice& file : embedded_devices()) {
        const auto here = capability_named(file.name);
        if (!here) continue;
        const bool is_better = *here > own ? best > own && *here < best : best > own || *here > best;
        if (found != nullptr && !is_better) continue;
        best = *here;
        found = &file;
    }
    return found;
}

// The models of time cannot do without these, and files from before they were figures do not have them.
void add_rules(Json& figures, Reader& reader) {
    const auto lacks = [&](const FigureRow& row) { return row.is_rule && !figures.contains(row.spec.key); };
    if (std::none_of(figure_rows().begin(), figure_rows().end(), lacks)) return;
    const EmbeddedDevice* file = capability_file(figures);
    if (file == nullptr) return;
    const auto known = figures_with_bases(Json::parse(file->json), reader, 1);
    if (!known) return;
    for (const FigureRow& row : figure_rows())
        if (const auto found = known->find(row.spec.key); found != known->end() && lacks(row))
            figures[row.spec.key] = *found;
}

}  // namespace

Result<Device> parse_device(std::string_view text, const std::string& file) {
    std::vector<std::string> twice;
    const auto json = json_object<Json>(text, &twice);
    if (!json)
        return error("device-json", {file}, "not a JSON object", "see `tilescope devices h200 --json` for the form");
    Reader reader{file, {}, {}};
    for (const std::string& place : twice) reader.fail("json", "\"" + place + "\" stands there twice");
    reader.read_text(*json, "name", reader.device.name);
    reader.read_text(*json, "product", reader.device.product);
    reader.read_text(*json, "description", reader.device.description);
    reader.read_aliases(*json);
    if (auto figures = figures_with_bases(*json, reader, 0)) {
        add_rules(*figures, reader);
        reader.read_figures(*figures);
    }
    if (reader.errors.empty()) reader.check_together();
    if (!reader.errors.empty()) return reader.errors;
    return std::move(reader.device);
}

std::string device_file(const Device& device) {
    Json json = {{"name", device.name}, {"product", device.product}, {"description", device.description}};
    if (!device.aliases.empty()) json["aliases"] = device.aliases;
    for (const Figure& figure : device.figures) {
        Json value = Json::array();
        for (double item : figure.values) value.push_back(number(item));
        if (figure.values.size() == 1) value = value[0];
        json["figures"][figure.key] = {
            {"value", value}, {"unit", figure.unit}, {"kind", name_of(figure.kind)}, {"source", figure.source}};
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::models
