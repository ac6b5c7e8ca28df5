// One object of a lesson.json, read key by key (scope/base/json_input.h), and the expressions in it.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "scope/base/json_input.h"
#include "scope/base/result.h"
#include "scope/report/expression.h"

namespace tilescope::lessons {

using Json = nlohmann::ordered_json;

class Object : public JsonObject<Json> {
public:
    using JsonObject::JsonObject;

    std::optional<report::Expression> expression(const std::string& key, bool needed) {
        const Json* item = needed ? need(key) : find(key);
        if (item == nullptr) return std::nullopt;
        if (!item->is_string()) {
            errors().add(inside(key), "is not an expression", "an expression is a text: \"global_load_sectors / 2\"");
            return std::nullopt;
        }
        return expression_of(item->get_ref<const std::string&>(), key);
    }
    static std::string beginning(const std::string& text) {
        constexpr std::size_t kShown = 60;
        return beginning_of(text, kShown);
    }

private:
    std::optional<report::Expression> expression_of(const std::string& text, const std::string& key) {
        report::ExpressionRules rules;
        rules.place = {errors().file(), 0, 1};
        auto parsed = report::parse_expression(text, rules);
        if (parsed) return std::move(*parsed);
        const Diagnostic& why = parsed.errors().front();
        errors().add(inside(key),
                     fmt::format("\"{}\" at character {}: {}", beginning(text), why.location.column, why.message),
                     why.hint);
        return std::nullopt;
    }
};

}  // namespace tilescope::lessons
