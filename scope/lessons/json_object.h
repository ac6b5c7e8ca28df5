// One object of a lesson.json, read key by key.
//
// Owns: Errors, those of one file, and Object. Guarantees: no exception and no crash on any JSON; every error names the
// place in the file and what to do; what nobody asked for is an error, so that a slip of the pen is found. Does not
// model: which keys there are (lesson_file.cpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/base/names.h"
#include "scope/base/result.h"
#include "scope/report/expression.h"

namespace tilescope::lessons {

using Json = nlohmann::ordered_json;

// The errors found in one file.
class Errors {
public:
    explicit Errors(std::string file) : file_(std::move(file)) {}

    void add(const std::string& place, const std::string& what, const std::string& hint = {}) {
        constexpr std::size_t kEnough = 20;  // a file that is wrong throughout says so 20 times, not a million
        if (all_.size() < kEnough)
            all_.push_back(error("lessons-value", {file_}, (place.empty() ? "" : place + ": ") + what,
                                 hint.empty() ? "lessons/README.md has the format" : hint));
    }
    const std::string& file() const { return file_; }
    const Diagnostics& all() const { return all_; }

private:
    std::string file_;
    Diagnostics all_;
};

// One object: its keys are asked for by name, and what nobody asked for is an error.
class Object {
public:
    Object(Errors& errors, const Json& json, std::string place)
        : errors_(errors), json_(json), place_(std::move(place)) {
        if (!json.is_object()) fail("is not an object { ... }");
    }
    ~Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    const std::string& place() const { return place_; }
    Errors& errors() const { return errors_; }
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
    std::string text(const std::string& key, bool needed = false) {
        const Json* item = needed ? need(key) : find(key);
        if (item == nullptr) return {};
        if (!item->is_string() || item->get_ref<const std::string&>().empty()) {
            errors_.add(inside(key), "is not a text");
            return {};
        }
        return item->get<std::string>();
    }
    std::vector<std::string> texts(const std::string& key, bool needed = false) {
        const Json* item = needed ? need(key) : find(key);
        std::vector<std::string> all;
        if (item == nullptr) return all;
        bool right = item->is_array();
        for (const Json& each : *item) {
            if (!right || !each.is_string()) {
                right = false;
                break;
            }
            all.push_back(each.get<std::string>());
        }
        if (!right) errors_.add(inside(key), "is not a list of texts");
        return all;
    }
    bool truth(const std::string& key) {
        const Json* item = find(key);
        if (item == nullptr) return false;
        if (!item->is_boolean()) errors_.add(inside(key), "is not true or false");
        return item->is_boolean() && item->get<bool>();
    }
    std::optional<double> number(const std::string& key) {
        const Json* item = find(key);
        if (item == nullptr) return std::nullopt;
        if (!item->is_number() || !std::isfinite(item->get<double>())) {
            errors_.add(inside(key), "is not a number");
            return std::nullopt;
        }
        return item->get<double>();
    }
    std::optional<unsigned> count(const std::string& key, unsigned most) {
        const auto value = number(key);
        if (!value) return std::nullopt;
        if (*value < 0 || *value > most || *value != std::floor(*value)) {
            errors_.add(inside(key), fmt::format("is not a whole number from 0 to {}", most));
            return std::nullopt;
        }
        return static_cast<unsigned>(*value);
    }
    std::optional<report::Expression> expression(const std::string& key, bool needed) {
        const Json* item = needed ? need(key) : find(key);
        if (item == nullptr) return std::nullopt;
        if (!item->is_string()) {
            errors_.add(inside(key), "is not an expression", "an expression is a text: \"global_load_sectors / 2\"");
            return std::nullopt;
        }
        return expression_of(item->get_ref<const std::string&>(), key);
    }
    std::optional<report::Expression> expression_of(const std::string& text, const std::string& key) {
        report::ExpressionRules rules;
        rules.place = {errors_.file(), 0, 1};
        auto parsed = report::parse_expression(text, rules);
        if (parsed) return std::move(*parsed);
        const Diagnostic& why = parsed.errors().front();
        errors_.add(inside(key),
                    fmt::format("\"{}\" at character {}: {}", beginning(text), why.location.column, why.message),
                    why.hint);
        return std::nullopt;
    }
    // To be called when all keys were asked for.
    void finish() {
        if (!json_.is_object()) return;
        for (auto it = json_.begin(); it != json_.end(); ++it) {
            if (std::find(known_.begin(), known_.end(), it.key()) != known_.end()) continue;
            const std::string near = nearest(it.key(), known_);
            fail("there is no \"" + beginning(it.key()) + "\" here", near.empty() ? "" : "did you mean " + near + "?");
        }
    }
    static std::string beginning(const std::string& text) {
        constexpr std::size_t kShown = 60;
        return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
    }

private:
    Errors& errors_;
    const Json& json_;
    std::string place_;
    std::vector<std::string> known_;
};

}  // namespace tilescope::lessons
