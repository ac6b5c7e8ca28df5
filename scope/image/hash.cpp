#include "scope/image/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace tilescope::image {

ContentHash::ContentHash() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
}

ContentHash& ContentHash::add(std::string_view field) {
    const std::string length = std::to_string(field.size()) + ":";
    XXH3_128bits_update(state_.get(), length.data(), length.size());
    XXH3_128bits_update(state_.get(), field.data(), field.size());
    return *this;
}

std::string ContentHash::finish() const {
    const XXH128_hash_t digest = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

void ContentHash::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

}  // namespace tilescope::image
