// Any bytes as what cuLinkAddData and nvJitLinkAddData are handed: objects, libraries, containers, PTX; parts, or an
// error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "scope/image/device_objects.h"
#include "scope/image/link.h"
#include "scope/image/link_inputs.h"
#include "scope/image/link_words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const auto bytes = std::as_bytes(std::span(data, size));
    (void)image::device_objects(bytes, "fuzzed");
    auto parts = image::link_inputs(bytes, "fuzzed", 90);
    if (!parts) {
        if (parts.errors().empty()) std::abort();
        return 0;
    }
    // Two of the same are one part too many, or one program.
    if (parts->empty()) return 0;
    parts->push_back(parts->front());
    (void)image::link_ptx(*parts, "all");
    (void)image::undefined_symbols(*parts, {"f"});
    image::LinkNames names;
    for (const image::LoadedPtx& part : *parts) {
        (void)names.add(part);
        (void)image::unresolved_functions(part);
    }
    (void)image::lines_of_missing(*parts);
    return 0;
}
