#include "scope/session/options.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scope/base/json_input.h"

namespace tilescope {
namespace {

using Json = nlohmann::json;

// Takes fields out of the object and remembers the first that is wrong.
class Fields {
public:
    explicit Fields(const Json& json) : json_(json) {}

    template <class T>
    void integer(const char* key, T& into) {
        const Json* item = find(key);
        if (item == nullptr) return;
        if (!item->is_number_unsigned() || take_json(*item, into) != nullptr) fail(key);  // none is negative
    }
    void text(const char* key, std::string& into) { take(key, into); }
    void boolean(const char* key, bool& into) { take(key, into); }
    void fraction(const char* key, double& into) {
        take(key, into);
        if (!(into > 0) || into > 1) fail(key);
    }
    void seconds(const char* key, double& into) {
        take(key, into);
        if (!(into >= 0)) fail(key);
    }
    void texts(const char* key, std::vector<std::string>& into) { take(key, into); }
    void checks(const char* key, std::uint32_t& into) {
        std::vector<std::string> names;
        texts(key, names);
        for (const std::string& name : names) {
            const auto check = report::by_name<Check>(name);
            if (!check) return fail(key);
            into |= bit_of(*check);
        }
    }
    void range(const char* key, std::optional<std::pair<std::uint64_t, std::uint64_t>>& into) {
        const Json* item = find(key);
        if (item == nullptr) return;
        const bool fits =
            item->is_array() && item->size() == 2 && (*item)[0].is_number_unsigned() && (*item)[1].is_number_unsigned();
        if (!fits) return fail(key);
        into.emplace((*item)[0].get<std::uint64_t>(), (*item)[1].get<std::uint64_t>());
    }
    void verbosity(const char* key, int& into) {
        const Json* item = find(key);
        if (item == nullptr) return;
        if (!item->is_number_integer() || *item < -1 || *item > 1) return fail(key);
        into = item->get<int>();
    }
    void shapes(const char* key, std::vector<TraceShape>& into) {
        std::vector<std::string> list;
        texts(key, list);
        for (const std::string& text : list) {
            auto shape = parse_shape(text);
            if (!shape) return fail(key);
            into.push_back(std::move(*shape));
        }
    }
    void trace(const char* key, std::optional<TraceOptions>& into) {
        const Json* item = find(key);
        if (item == nullptr) return;
        if (!item->is_object()) return fail(key);
        Fields fields(*item);
        TraceOptions trace;
        for (std::size_t i = 0; i < trace.block.size(); ++i)
            fields.integer(std::array{"block_x", "block_y", "block_z"}[i], trace.block[i]);
        fields.integer("first_thread", trace.first_thread);
        fields.integer("last_thread", trace.last_thread);
        fields.integer("first_phase", trace.first_phase);
        fields.integer("last_phase", trace.last_phase);
        fields.shapes("shapes", trace.shapes);
        fields.texts("source_directories", trace.source_directories);
        if (!fields.wrong().empty()) return fail(key);
        into = std::move(trace);
    }
    const std::string& wrong() const { return wrong_; }

private:
    const Json* find(const char* key) const {
        const auto it = json_.find(key);
        return it == json_.end() ? nullptr : &*it;
    }
    template <class T>
    void take(const char* key, T& into) {
        const Json* item = find(key);
        if (item != nullptr && take_json(*item, into) != nullptr) fail(key);
    }
    void fail(const char* key) {
        if (wrong_.empty()) wrong_ = key;
    }

    const Json& json_;
    std::string wrong_;
};

Json check_names(std::uint32_t checks) {
    Json names = Json::array();
    for (const auto& row : report::kNames<Check>)
        if (checks & bit_of(row.value)) names.push_back(row.name);
    return names;
}

Json shapes_json(const std::vector<TraceShape>& shapes) {
    Json list = Json::array();
    for (const TraceShape& shape : shapes) list.push_back(to_text(shape));
    return list;
}

Json trace_json(const TraceOptions& trace) {
    return {{"block_x", trace.block[0]},
            {"block_y", trace.block[1]},
            {"block_z", trace.block[2]},
            {"first_thread", trace.first_thread},
            {"last_thread", trace.last_thread},
            {"first_phase", trace.first_phase},
            {"last_phase", trace.last_phase},
            {"shapes", shapes_json(trace.shapes)},
            {"source_directories", trace.source_directories}};
}

}  // namespace

std::optional<CheckPlace> parse_check_place(std::string_view text) {
    CheckPlace place;
    if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
        if (colon == 0) return std::nullopt;
        place.file = text.substr(0, colon);
        text.remove_prefix(colon + 1);
    }
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), place.line);
    if (failed != std::errc() || end != text.data() + text.size() || place.line == 0) return std::nullopt;
    return place;
}

void set_deadline(SessionOptions& options) {
    if (options.time_limit == 0) return;
    const auto limit = std::chrono::duration<double>(options.time_limit);
    const auto at = std::chrono::steady_clock::now().time_since_epoch() + limit;
    options.deadline = std::chrono::duration_cast<std::chrono::nanoseconds>(at).count();
}

std::string encode(const SessionOptions& options) {
    Json json = {{"device", options.device},
                 {"jobs", options.jobs},
                 {"sample", options.sample},
                 {"max_instructions", options.max_instructions},
                 {"memory_limit", options.memory_limit},
                 {"time_limit", options.time_limit},
                 {"deadline", static_cast<std::uint64_t>(options.deadline)},
                 {"device_memory", options.device_memory},
                 {"on_after_faults", options.on_after_faults},
                 {"checks", check_names(options.checks)},
                 {"auto_checks", options.checks_are_auto},
                 {"mild_leaks", options.mild_leaks},
                 {"shapes", shapes_json(options.shapes)},
                 {"without_checks", options.without_checks},
                 {"tells_checks", options.tells_checks},
                 {"fill", options.fill},
                 {"caches", options.caches},
                 {"caches_in_full", options.caches_in_full},
                 {"warm", options.warm},
                 {"recalls_launches", options.recalls_launches},
                 {"kernel_globs", options.kernel_globs},
                 {"progress", options.progress},
                 {"color", options.color},
                 {"ask_ptxas", options.ask_ptxas},
                 {"verbosity", options.verbosity},
                 {"memory_file", options.memory_file},
                 {"program", options.program},
                 {"compiler", options.compiler}};
    if (options.launches) json["launches"] = {options.launches->first, options.launches->second};
    if (options.trace) json["trace"] = trace_json(*options.trace);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<SessionOptions> decode(std::string_view text) {
    const std::string hint = "this variable is set by `tilescope run`; unset it to run with the defaults";
    const auto json = json_object<Json>(text);
    if (!json) return error("session-options", {kOptionsVariable}, "not a JSON object", hint);
    SessionOptions options;
    Fields fields(*json);
    fields.text("device", options.device);
    fields.integer("jobs", options.jobs);
    fields.fraction("sample", options.sample);
    fields.integer("max_instructions", options.max_instructions);
    fields.integer("memory_limit", options.memory_limit);
    fields.seconds("time_limit", options.time_limit);
    fields.integer("deadline", options.deadline);
    fields.integer("device_memory", options.device_memory);
    fields.boolean("on_after_faults", options.on_after_faults);
    fields.checks("checks", options.checks);
    fields.boolean("auto_checks", options.checks_are_auto);
    fields.boolean("mild_leaks", options.mild_leaks);
    fields.shapes("shapes", options.shapes);
    fields.texts("without_checks", options.without_checks);
    fields.boolean("tells_checks", options.tells_checks);
    fields.integer("fill", options.fill);
    fields.boolean("caches", options.caches);
    fields.boolean("caches_in_full", options.caches_in_full);
    fields.boolean("warm", options.warm);
    fields.boolean("recalls_launches", options.recalls_launches);
    fields.texts("kernel_globs", options.kernel_globs);
    fields.range("launches", options.launches);
    fields.boolean("progress", options.progress);
    fields.boolean("color", options.color);
    fields.boolean("ask_ptxas", options.ask_ptxas);
    fields.verbosity("verbosity", options.verbosity);
    fields.text("memory_file", options.memory_file);
    fields.text("program", options.program);
    fields.text("compiler", options.compiler);
    fields.trace("trace", options.trace);
    if (!fields.wrong().empty())
        return error("session-options", {kOptionsVariable}, "\"" + fields.wrong() + "\" has the wrong type or range",
                     hint);
    return options;
}

}  // namespace tilescope
