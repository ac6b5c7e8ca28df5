#include "scope/image/device_link_errors.h"

#include <algorithm>
#include <span>
#include <vector>

#include "scope/image/device_objects.h"
#include "scope/image/link.h"
#include "scope/image/link_inputs.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

// Every NAME in "Undefined reference to 'NAME' in".
std::vector<std::string> names_behind(const std::string& said, const std::string& mark) {
    std::vector<std::string> names;
    for (std::size_t at = said.find(mark); at != std::string::npos; at = said.find(mark, at)) {
        at += mark.size();
        const std::size_t end = said.find('\'', at);
        if (end == std::string::npos) break;
        names.push_back(said.substr(at, end - at));
    }
    return names;
}

// The PTX of all objects that were to be linked, as far as they have some.
std::vector<LoadedPtx> parts_of(const CompileJob& job) {
    std::vector<LoadedPtx> parts;
    for (const CompiledUnit& unit : job.units) {
        const auto bytes = read_file(unit.object);
        if (!bytes) continue;
        const auto objects = device_objects(std::as_bytes(std::span(*bytes)), unit.source.string());
        if (!objects) continue;
        for (const DeviceObject& object : *objects)
            for (const ObjectCode& code : object.code)
                if (auto part = link_input(code.entries, object.name, job.sm)) parts.push_back(std::move(part).value());
    }
    return parts;
}

}  // namespace

Diagnostics explain_device_link(const CompileJob& job, const std::string& said) {
    if (said.find("nvlink error") == std::string::npos) return {};
    const std::vector<std::string> missing = names_behind(said, "Undefined reference to '");
    const std::vector<std::string> twice = names_behind(said, "Multiple definition of '");
    const std::vector<LoadedPtx> parts = parts_of(job);
    if (parts.empty()) return {};
    if (twice.empty()) return undefined_symbols(parts, missing);
    const auto linked = link_ptx(parts, "linked");
    if (linked) return {};
    Diagnostics errors = linked.errors();
    std::erase_if(errors, [](const Diagnostic& each) { return each.code != "image-device-link"; });
    return errors;
}

}  // namespace tilescope::image
