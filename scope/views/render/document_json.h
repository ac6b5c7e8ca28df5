// A document as data: what a page, a comment on a change or another program shows without asking anybody again.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "scope/views/document/document.h"

namespace tilescope::views {

// {"sections": [...]}, docs/reference/page-data.md has the keys.
nlohmann::ordered_json document_json(const Document& document);
nlohmann::ordered_json rows_json(const std::vector<Row>& rows);

}  // namespace tilescope::views
