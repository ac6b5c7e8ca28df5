#include "scope/report/json_tiling.h"

#include <utility>

namespace tilescope::report {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

OrderedJson buffer_json(const BufferReuse& buffer) {
    OrderedJson json = OrderedJson::object();
    if (buffer.parameter) json["parameter"] = *buffer.parameter;
    if (!buffer.name.empty()) json["name"] = buffer.name;
    json["bytes"] = buffer.bytes;
    json.update(tiling_json(buffer.tiling));
    if (const auto times = buffer.requests_per_element()) json["requests_per_element"] = *times;
    return json;
}

OrderedJson shared_json(const SharedReuse& shared) {
    return {{"name", shared.name},
            {"offset", shared.offset},
            {"bytes", shared.bytes},
            {"written_bytes", shared.written_bytes},
            {"read_by_others_bytes", shared.read_by_others_bytes},
            {"indexed_at_run_time", shared.indexed_at_run_time}};
}

void read_figures(Reader& reader, const Json& json, const std::string& path, Tiling& into) {
    reader.integer(json, path, "requests", into.requests);
    reader.integer(json, path, "requested_bytes", into.requested_bytes);
    reader.integer(json, path, "unique_bytes_per_block", into.unique_bytes_per_block);
    if (reader.find(json, "unique_bytes") != nullptr)
        reader.integer(json, path, "unique_bytes", into.unique_bytes.emplace());
    if (reader.find(json, "own_share") != nullptr) reader.number(json, path, "own_share", into.own_share.emplace());
    reader.number(json, path, "register_share", into.register_share);
}

BufferReuse read_buffer(Reader& reader, const Json& json, const std::string& path) {
    BufferReuse buffer;
    if (reader.find(json, "parameter") != nullptr) reader.integer(json, path, "parameter", buffer.parameter.emplace());
    reader.text(json, path, "name", buffer.name);
    reader.integer(json, path, "bytes", buffer.bytes);
    read_figures(reader, json, path, buffer.tiling);
    return buffer;
}

SharedReuse read_shared(Reader& reader, const Json& json, const std::string& path) {
    SharedReuse shared;
    reader.text(json, path, "name", shared.name);
    reader.integer(json, path, "offset", shared.offset);
    reader.integer(json, path, "bytes", shared.bytes);
    reader.integer(json, path, "written_bytes", shared.written_bytes);
    reader.integer(json, path, "read_by_others_bytes", shared.read_by_others_bytes);
    reader.boolean(json, path, "indexed_at_run_time", shared.indexed_at_run_time);
    return shared;
}

}  // namespace

OrderedJson tiling_json(const Tiling& tiling) {
    OrderedJson json = {{"potential", tiling.potential()},
                        {"requests", tiling.requests},
                        {"requested_bytes", tiling.requested_bytes},
                        {"unique_bytes_per_block", tiling.unique_bytes_per_block}};
    if (tiling.unique_bytes) json["unique_bytes"] = *tiling.unique_bytes;
    if (tiling.own_share) {
        json["own_share"] = *tiling.own_share;
        json["register_share"] = tiling.register_share;
    }
    return json;
}

OrderedJson launch_tiling_json(const LaunchProfile& launch) {
    OrderedJson json = tiling_json(*launch.tiling);
    json["buffers"] = OrderedJson::array();
    for (const BufferReuse& buffer : launch.buffers) json["buffers"].push_back(buffer_json(buffer));
    json["shared"] = OrderedJson::array();
    for (const SharedReuse& shared : launch.shared_reuse) json["shared"].push_back(shared_json(shared));
    return json;
}

void read_tiling(Reader& reader, const Json& parent, const std::string& path, std::optional<Tiling>& into) {
    const Json* json = reader.object(parent, path, "tiling");
    if (json != nullptr) read_figures(reader, *json, path + "tiling.", into.emplace());
}

void read_launch_tiling(Reader& reader, const Json& parent, const std::string& path, LaunchProfile& launch) {
    read_tiling(reader, parent, path, launch.tiling);
    if (!launch.tiling) return;
    const Json& json = *reader.find(parent, "tiling");
    reader.list(json, path + "tiling.", "buffers", [&](const Json& item, const std::string& where) {
        launch.buffers.push_back(read_buffer(reader, item, where));
    });
    reader.list(json, path + "tiling.", "shared", [&](const Json& item, const std::string& where) {
        launch.shared_reuse.push_back(read_shared(reader, item, where));
    });
}

}  // namespace tilescope::report
