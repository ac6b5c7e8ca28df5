// Small tools for the JSON of a page.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "scope/views/page/page_limits.h"

namespace tilescope::views::page {

using Json = nlohmann::ordered_json;

// To six digits, whole numbers exactly; null for what is no number.
Json rounded(double value);

// Every text of more than `most` bytes ends with an ellipsis; keys, too, so that what is looked up is found.
void cut_texts(Json& json, std::size_t most, LeftOut& left);

// On one line, without a character that could end a script element: "<" as \u003c.
std::string script_text(const Json& json);

}  // namespace tilescope::views::page
