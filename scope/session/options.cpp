#include "scope/session/options.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

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
        const bool fits = item->is_number_unsigned() && item->get<std::uint64_t>() <= std::numeric_limits<T>::max();
        if (fits)
            into = static_cast<T>(item->get<std::uint64_t>());
        else
            fail(key);
    }
    void text(const char* key, std::string& into) { take(key, into, &Json::is_string); }
    void boolean(const char* key, bool& into) { take(key, into, &Json::is_boolean); }
    void fraction(const char* key, double& into) {
        const Json* item = find(key);
        if (item == nullptr) return;
        if (!item->is_number() || !(item->get<double>() > 0) || item->get<double>() > 1) return fail(key);
        into = item->get<double>();
    }
    void texts(const char* key, std::vector<std::string>& into) {
        const Json* items = find(key);
        if (items == nullptr) return;
        if (!items->is_array()) return fail(key);
        for (const Json& item : *items) {
            if (!item.is_string()) return fail(key);
            into.push_back(item.get<std::string>());
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
    const std::string& wrong() const { return wrong_; }

private:
    const Json* find(const char* key) const {
        const auto it = json_.find(key);
        return it == json_.end() ? nullptr : &*it;
    }
    template <class T>
    void take(const char* key, T& into, bool (Json::*is)() const noexcept) {
        const Json* item = find(key);
        if (item == nullptr) return;
        if (((*item).*is)())
            into = item->get<T>();
        else
            fail(key);
    }
    void fail(const char* key) {
        if (wrong_.empty()) wrong_ = key;
    }

    const Json& json_;
    std::string wrong_;
};

}  // namespace

std::string encode(const SessionOptions& options) {
    Json json = {{"device", options.device},
                 {"jobs", options.jobs},
                 {"sample", options.sample},
                 {"max_instructions", options.max_instructions},
                 {"memory_limit", options.memory_limit},
                 {"kernel_globs", options.kernel_globs},
                 {"progress", options.progress},
                 {"color", options.color},
                 {"verbosity", options.verbosity},
                 {"program", options.program},
                 {"compiler", options.compiler}};
    if (options.launches) json["launches"] = {options.launches->first, options.launches->second};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<SessionOptions> decode(std::string_view text) {
    const std::string hint = "this variable is set by `tilescope run`; unset it to run with the defaults";
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded() || !json.is_object())
        return error("session-options", {kOptionsVariable}, "not a JSON object", hint);
    SessionOptions options;
    Fields fields(json);
    fields.text("device", options.device);
    fields.integer("jobs", options.jobs);
    fields.fraction("sample", options.sample);
    fields.integer("max_instructions", options.max_instructions);
    fields.integer("memory_limit", options.memory_limit);
    fields.texts("kernel_globs", options.kernel_globs);
    fields.range("launches", options.launches);
    fields.boolean("progress", options.progress);
    fields.boolean("color", options.color);
    fields.verbosity("verbosity", options.verbosity);
    fields.text("program", options.program);
    fields.text("compiler", options.compiler);
    if (!fields.wrong().empty())
        return error("session-options", {kOptionsVariable}, "\"" + fields.wrong() + "\" has the wrong type or range",
                     hint);
    return options;
}

}  // namespace tilescope
