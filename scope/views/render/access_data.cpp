// One request of a warp as data: what the book's pages draw.
#include <nlohmann/json.hpp>

#include "scope/views/render/picture_view.h"

namespace tilescope::views {

std::string access_data(const AccessPicture& picture) {
    nlohmann::ordered_json json = {{"kind", picture.banks ? "banks" : "sectors"},
                                   {"title", picture.title},
                                   {"array", picture.array},
                                   {"element_bytes", picture.element_bytes},
                                   {"lanes", nlohmann::ordered_json::array()}};
    for (const auto& lane : picture.lanes) {
        if (lane)
            json["lanes"].push_back(*lane);
        else
            json["lanes"].push_back(nullptr);
    }
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
