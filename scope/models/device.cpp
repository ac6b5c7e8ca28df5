#include "scope/models/device.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/models/embedded_devices.h"

namespace tilescope::models {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<double>;

enum class Need : std::uint8_t { kRequired, kOptional };

// One figure that a device file may hold: what it is called, in which unit, and where it goes. store() gets values that
// are already checked to be finite, not negative and `count` in number (0: any number but none), and returns false when
// they do not fit the field.
struct Row {
    const char* key;
    const char* unit;
    Need need;
    std::size_t count;
    std::function<bool(Device&, const Values&)> store;
};

template <class T>
bool put(T& field, double value) {
    if constexpr (std::is_integral_v<T>) {
        // 2^53: integers beyond it have lost digits on their way through JSON's doubles.
        constexpr double kExact = 9007199254740992.0;
        if (value != std::floor(value) || value > kExact) return false;
        if (value > static_cast<double>(std::numeric_limits<T>::max())) return false;
    }
    field = static_cast<T>(value);
    return true;
}

template <class T>
Row one(const char* key, const char* unit, T Device::*field, Need need = Need::kRequired) {
    return {key, unit, need, 1, [field](Device& device, const Values& v) { return put(device.*field, v[0]); }};
}

Row rate(const char* key, double PeakRates::*field, const char* unit = "FLOP/s", Need need = Need::kOptional) {
    return {key, unit, need, 1, [field](Device& device, const Values& v) { return put(device.peak.*field, v[0]); }};
}

Row cycles(const char* key, std::uint32_t Latencies::*field) {
    return {key, "cycles", Need::kOptional, 1,
            [field](Device& device, const Values& v) { return put(device.latency.*field, v[0]); }};
}

Row three(const char* key, const char* unit, std::array<std::uint32_t, 3> Device::*field) {
    return {key, unit, Need::kRequired, 3, [field](Device& device, const Values& v) {
                for (std::size_t i = 0; i < 3; ++i)
                    if (!put((device.*field)[i], v[i])) return false;
                return true;
            }};
}

bool store_carveouts(Device& device, const Values& values) {
    for (double value : values)
        if (!put(device.shared_carveouts.emplace_back(), value)) return false;
    return std::is_sorted(device.shared_carveouts.begin(), device.shared_carveouts.end());
}

const std::vector<Row>& rows() {
    constexpr Need kOptional = Need::kOptional;
    static const std::vector<Row> kRows = {
        one("compute_major", "", &Device::compute_major),
        one("compute_minor", "", &Device::compute_minor),
        one("sm_count", "SMs", &Device::sm_count),
        one("clock", "kHz", &Device::clock_khz),
        one("memory_clock", "kHz", &Device::memory_clock_khz, kOptional),
        one("memory_bus", "bits", &Device::memory_bus_bits, kOptional),
        one("dram_size", "bytes", &Device::dram_bytes),
        one("dram_bandwidth", "bytes/s", &Device::dram_bandwidth),
        one("l2_size", "bytes", &Device::l2_bytes, kOptional),
        one("l2_bandwidth", "bytes/s", &Device::l2_bandwidth, kOptional),
        one("l2_persisting_max", "bytes", &Device::l2_persisting_bytes, kOptional),
        one("access_policy_window_max", "bytes", &Device::access_policy_window_bytes, kOptional),
        one("l1_and_shared", "bytes", &Device::l1_and_shared_bytes, kOptional),
        one("l1_width", "bytes/cycle", &Device::l1_bytes_per_cycle, kOptional),
        one("constant_size", "bytes", &Device::constant_bytes),
        one("shared_per_sm", "bytes", &Device::shared_bytes_per_sm),
        one("shared_per_block", "bytes", &Device::shared_bytes_per_block),
        one("shared_per_block_optin", "bytes", &Device::shared_bytes_per_block_optin),
        one("shared_reserved_per_block", "bytes", &Device::shared_bytes_reserved),
        one("shared_allocation_unit", "bytes", &Device::shared_allocation_unit),
        {"shared_carveouts", "bytes", Need::kRequired, 0, store_carveouts},
        one("warp_size", "threads", &Device::warp_size),
        one("max_threads_per_sm", "threads", &Device::max_threads_per_sm),
        one("max_threads_per_block", "threads", &Device::max_threads_per_block),
        one("max_blocks_per_sm", "blocks", &Device::max_blocks_per_sm),
        one("max_barriers_per_sm", "barriers", &Device::max_barriers_per_sm, kOptional),
        one("registers_per_sm", "registers", &Device::registers_per_sm),
        one("registers_per_block", "registers", &Device::registers_per_block),
        one("max_registers_per_thread", "registers", &Device::max_registers_per_thread),
        one("register_allocation_unit", "registers", &Device::register_allocation_unit),
        one("sub_partitions", "", &Device::sub_partitions),
        three("max_block", "threads", &Device::max_block),
        three("max_grid", "blocks", &Device::max_grid),
        one("max_pitch", "bytes", &Device::max_pitch_bytes, kOptional),
        one("texture_alignment", "bytes", &Device::texture_alignment, kOptional),
        one("texture_pitch_alignment", "bytes", &Device::texture_pitch_alignment, kOptional),
        one("surface_alignment", "bytes", &Device::surface_alignment, kOptional),
        one("async_engines", "engines", &Device::async_engines, kOptional),
        rate("peak_fp64", &PeakRates::fp64, "FLOP/s", Need::kRequired),
        rate("peak_fp32", &PeakRates::fp32, "FLOP/s", Need::kRequired),
        rate("peak_fp16", &PeakRates::fp16),
        rate("peak_bf16", &PeakRates::bf16),
        rate("peak_fp64_tensor", &PeakRates::fp64_tensor),
        rate("peak_tf32_tensor", &PeakRates::tf32_tensor),
        rate("peak_fp16_tensor", &PeakRates::fp16_tensor),
        rate("peak_bf16_tensor", &PeakRates::bf16_tensor),
        rate("peak_fp8_tensor", &PeakRates::fp8_tensor),
        rate("peak_int8_tensor", &PeakRates::int8_tensor, "OP/s"),
        cycles("latency_l1", &Latencies::l1),
        cycles("latency_shared", &Latencies::shared),
        cycles("latency_l2_near", &Latencies::l2_near),
        cycles("latency_l2_far", &Latencies::l2_far),
        cycles("latency_dram", &Latencies::dram),
    };
    return kRows;
}

// Gathers errors about one file, so that a user sees all of them at once.
struct Reader {
    const std::string& file;
    Device device;
    Diagnostics errors;

    void fail(const std::string& code, std::string message, std::string hint = {}) {
        errors.push_back(error("device-" + code, {file}, std::move(message), std::move(hint)));
    }
    void read_text(const Json& json, const char* key, std::string& into) {
        if (auto it = json.find(key); it != json.end() && it->is_string() && !it->get_ref<const std::string&>().empty())
            into = it->get<std::string>();
        else
            fail("missing-text", std::string("the device needs \"") + key + "\", a text");
    }
    void read_figure(const Row& row, const Json& json);
    void check_together();
};

bool read_values(const Json& json, Values& values) {
    auto usable = [](const Json& item) {
        return item.is_number() && std::isfinite(item.get<double>()) && item.get<double>() >= 0;
    };
    if (usable(json)) {
        values.push_back(json.get<double>());
        return true;
    }
    if (!json.is_array() || json.empty() || json.size() > 64) return false;
    for (const Json& item : json) {
        if (!usable(item)) return false;
        values.push_back(item.get<double>());
    }
    return true;
}

void Reader::read_figure(const Row& row, const Json& json) {
    const std::string key = std::string("figure \"") + row.key + "\"";
    if (!json.is_object())
        return fail("figure-form", key + " is not an object", "write { \"value\": , \"unit\": , \"source\": }");
    auto text = [&](const char* name) {
        auto it = json.find(name);
        return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    Figure figure{row.key, {}, text("unit"), text("source")};
    if (figure.source.find_first_not_of(" \t\r\n") == std::string::npos)
        return fail("no-source", key + " has no source", "name the document and its date, or \"measured\"");
    if (figure.unit != row.unit)
        return fail("unit", key + " is in \"" + figure.unit + "\" rather than \"" + row.unit + "\"");
    auto value = json.find("value");
    if (value == json.end() || !read_values(*value, figure.values))
        return fail("value", key + " has no value that is a number, or a list of numbers, of zero or more");
    if (row.count != 0 && figure.values.size() != row.count)
        return fail("value", key + " needs " + std::to_string(row.count) + " number(s)");
    if (!row.store(device, figure.values)) return fail("value", key + " has a value out of range");
    device.figures.push_back(std::move(figure));
}

// What later arithmetic divides by or relies on.
void Reader::check_together() {
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
    if (device.shared_bytes_per_block_optin > device.shared_bytes_per_sm)
        fail("value", "figure \"shared_per_block_optin\" is above \"shared_per_sm\"");
}

}  // namespace

Result<Device> parse_device(std::string_view text, const std::string& file) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded() || !json.is_object())
        return error("device-json", {file}, "not a JSON object", "see `tilescope devices h200 --json` for the form");
    Reader reader{file, {}, {}};
    reader.read_text(json, "name", reader.device.name);
    reader.read_text(json, "product", reader.device.product);
    reader.read_text(json, "description", reader.device.description);
    auto figures = json.find("figures");
    if (figures == json.end() || !figures->is_object()) {
        reader.fail("no-figures", "the device has no \"figures\"");
        return reader.errors;
    }
    for (const Row& row : rows()) {
        auto it = figures->find(row.key);
        if (it != figures->end())
            reader.read_figure(row, *it);
        else if (row.need == Need::kRequired)
            reader.fail("missing-figure", std::string("figure \"") + row.key + "\" is missing");
    }
    for (auto it = figures->begin(); it != figures->end(); ++it)
        if (std::none_of(rows().begin(), rows().end(), [&](const Row& row) { return it.key() == row.key; }))
            reader.fail("unknown-figure", "figure \"" + it.key() + "\" is not known");
    if (reader.errors.empty()) reader.check_together();
    if (!reader.errors.empty()) return reader.errors;
    return std::move(reader.device);
}

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    for (const EmbeddedDevice& device : embedded_devices()) names.emplace_back(device.name);
    return names;
}

Result<Device> load_device(const std::string& name_or_path) {
    for (const EmbeddedDevice& device : embedded_devices())
        if (device.name == name_or_path) return parse_device(device.json, name_or_path);
    const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
    if (!is_path) {
        std::string known;
        for (const std::string& name : device_names()) known += (known.empty() ? "" : ", ") + name;
        return error("device-unknown", {}, "there is no device \"" + name_or_path + "\"",
                     "known devices: " + known + "; or give a path to a .json file");
    }
    std::ifstream file(name_or_path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) return error("device-unreadable", {name_or_path}, "cannot read this file");
    return parse_device(text.view(), name_or_path);
}

}  // namespace tilescope::models
