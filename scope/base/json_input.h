// JSON from a file that may hold anything: profiles, device files, lessons, options.
//
// Owns: how a text becomes an object, what is wrong with a value, the errors of one file, and JsonObject, which is read
// key by key. Guarantees: no exception and no crash on any text; every error names the place in the file; of errors no
// more than somebody reads. Does not model: which keys there are, and the words around a place (JsonErrors::Say).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/base/names.h"

namespace tilescope {

// The beginning of a text, enough to know it again.
inline std::string beginning_of(const std::string& text, std::size_t shown) {
    return text.size() <= shown ? text : text.substr(0, shown) + "...";
}

// Takes down the keys that stand twice in one object, of which the parser keeps one and says nothing.
class JsonKeysTwice {
public:
    explicit JsonKeysTwice(std::vector<std::string>& places) : places_(places) {}

    // What the parser tells of; true: keep it.
    template <class Json>
    bool operator()(int, nlohmann::detail::parse_event_t event, Json& value) {
        using Event = nlohmann::detail::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            open_.push_back({event == Event::array_start, {}, {}, 0});
        } else if (event == Event::object_end || event == Event::array_end) {
            if (!open_.empty()) open_.pop_back();
            next();
        } else if (event == Event::key && !open_.empty()) {
            open_.back().key = value.template get<std::string>();
            if (!open_.back().keys.insert(open_.back().key).second && places_.size() < kMost)
                places_.push_back(place());
        } else {
            next();
        }
        return true;
    }

private:
    static constexpr std::size_t kMost = 20, kShown = 60;
    struct Open {
        bool is_list;
        std::string key;
        std::set<std::string> keys;
        std::size_t index;
    };

    void next() {
        if (!open_.empty()) ++open_.back().index;
    }
    // Put together when it is wanted only: a hostile file may open any number of lists in each other.
    std::string place() const {
        constexpr std::size_t kLongest = 1000;
        std::string all;
        for (const Open& in : open_) {
            if (in.is_list)
                all += "[" + std::to_string(in.index) + "]";
            else
                all += (all.empty() ? "" : ".") + beginning_of(in.key, kShown);
            if (all.size() > kLongest) break;
        }
        return beginning_of(all, kLongest);
    }

    std::vector<std::string>& places_;
    std::vector<Open> open_;
};

// The object that a text is, or nothing. `twice`, for files that people write: the places of keys that stand twice.
template <class Json>
std::optional<Json> json_object(std::string_view text, std::vector<std::string>* twice = nullptr) {
    nlohmann::detail::parser_callback_t<Json> told;
    if (twice != nullptr)
        told = [keys = JsonKeysTwice(*twice)](int depth, auto event, Json& value) mutable {
            return keys(depth, event, value);
        };
    Json json = Json::parse(text, told, /*allow_exceptions=*/false);
    if (json.is_discarded() || !json.is_object()) return std::nullopt;
    return json;
}

// Puts a value where it belongs. What is wrong with it, or nullptr; then nothing was put there.
template <class Json, class T>
const char* take_json(const Json& item, T& into) {
    if constexpr (std::is_same_v<T, bool>) {
        if (!item.is_boolean()) return "is not true or false";
        into = item.template get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
        const bool whole = std::is_signed_v<T> ? item.is_number_integer() : item.is_number_unsigned();
        const bool fits = whole && (!item.is_number_unsigned() ||
                                    item.template get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<T>::max()});
        if (!fits ||
            (std::is_signed_v<T> && item.template get<std::int64_t>() < std::int64_t{std::numeric_limits<T>::min()}))
            return "is not an integer of its range";
        into = item.template get<T>();
    } else if constexpr (std::is_floating_point_v<T>) {
        if (!item.is_number() || !std::isfinite(item.template get<double>())) return "is not a number";
        into = item.template get<double>();
    } else {
        static_assert(std::is_same_v<T, std::string>);
        if (!item.is_string()) return "is not a text";
        into = item.template get_ref<const std::string&>();
    }
    return nullptr;
}

template <class Json>
const char* take_json(const Json& item, std::vector<std::string>& into) {
    constexpr const char* kWrong = "is not a list of texts";
    if (!item.is_array()) return kWrong;
    std::vector<std::string> all;
    for (const Json& each : item)
        if (take_json(each, all.emplace_back()) != nullptr) return kWrong;
    into = std::move(all);
    return nullptr;
}

// The errors found in one file.
class JsonErrors {
public:
    static constexpr std::size_t kEnough = 20;  // a file that is wrong throughout says so 20 times, not a million
    // The diagnostic for what is wrong at a place, such as "runs.naive"; "" is the whole file.
    using Say = Diagnostic (*)(const std::string& file, const std::string& place, const std::string& what,
                               const std::string& hint);

    JsonErrors(std::string file, Say say) : file_(std::move(file)), say_(say) {}

    void add(const std::string& place, const std::string& what, const std::string& hint = {}) {
        if (all_.size() < kEnough) all_.push_back(say_(file_, place, what, hint));
    }
    // As add(), if a value's taker found something.
    void add_if(const std::string& place, const char* wrong) {
        if (wrong != nullptr) add(place, wrong);
    }
    const std::string& file() const { return file_; }
    const Diagnostics& all() const { return all_; }

private:
    std::string file_;
    Say say_;
    Diagnostics all_;
};

// One object: its keys are asked for by name, and what nobody asked for is an error, so that a slip of the pen is
// found.
template <class Json>
class JsonObject {
public:
    JsonObject(JsonErrors& errors, const Json& json, std::string place)
        : errors_(errors), json_(json), place_(std::move(place)) {
        if (!json.is_object()) fail("is not an object { ... }");
    }
    ~JsonObject() = default;
    JsonObject(const JsonObject&) = delete;
    JsonObject& operator=(const JsonObject&) = delete;

    const std::string& place() const { return place_; }
    JsonErrors& errors() const { return errors_; }
    void fail(const std::string& what, const std::string& hint = {}) { errors_.add(place_, what, hint); }
    std::string inside(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

    const Json* find(const std::string& key) {
        known_.push_back(key);
        if (!json_.is_object()) return nullptr;
        const auto it = json_.find(key);
        return it == json_.end() ? nullptr : &*it;
    }
    // Whether it is there is for the caller to say.
    const Json* need(const std::string& key) {
        const Json* item = find(key);
        if (item == nullptr && json_.is_object()) fail("\"" + key + "\" is missing");
        return item;
    }
    // A text with something in it, or "".
    std::string text(const std::string& key, bool needed = false) {
        const Json* item = needed ? need(key) : find(key);
        std::string found;
        if (item != nullptr && (take_json(*item, found) != nullptr || found.empty()))
            errors_.add(inside(key), "is not a text");
        return found;
    }
    std::vector<std::string> texts(const std::string& key, bool needed = false) {
        const Json* item = needed ? need(key) : find(key);
        std::vector<std::string> all;
        if (item != nullptr) errors_.add_if(inside(key), take_json(*item, all));
        return all;
    }
    bool truth(const std::string& key) { return taken<bool>(key).value_or(false); }
    std::optional<double> number(const std::string& key) { return taken<double>(key); }
    std::optional<unsigned> count(const std::string& key, unsigned most) {
        const auto value = number(key);
        if (!value) return std::nullopt;
        if (*value < 0 || *value > most || *value != std::floor(*value)) {
            errors_.add(inside(key), "is not a whole number from 0 to " + std::to_string(most));
            return std::nullopt;
        }
        return static_cast<unsigned>(*value);
    }
    // To be called when all keys were asked for.
    void finish() {
        constexpr std::size_t kShown = 60;
        if (!json_.is_object()) return;
        for (auto it = json_.begin(); it != json_.end(); ++it) {
            if (std::find(known_.begin(), known_.end(), it.key()) != known_.end()) continue;
            const std::string near = nearest(it.key(), known_);
            fail("there is no \"" + beginning_of(it.key(), kShown) + "\" here",
                 near.empty() ? "" : "did you mean " + near + "?");
        }
    }

private:
    template <class T>
    std::optional<T> taken(const std::string& key) {
        const Json* item = find(key);
        if (item == nullptr) return std::nullopt;
        T value{};
        const char* wrong = take_json(*item, value);
        errors_.add_if(inside(key), wrong);
        if (wrong != nullptr) return std::nullopt;
        return value;
    }

    JsonErrors& errors_;
    const Json& json_;
    std::string place_;
    std::vector<std::string> known_;
};

}  // namespace tilescope
