#include <cstring>

#include "scope/library/state.h"

namespace tilescope::library {
namespace {

Error out_of_range(std::uint64_t bytes, std::uint64_t offset, std::uint64_t all) {
    return {"library-range",
            std::to_string(bytes) + " bytes from byte " + std::to_string(offset) + " leave a memory of " +
                std::to_string(all) + " bytes",
            "", "", 0};
}

}  // namespace

Memory::Memory(std::shared_ptr<State> state, std::uint64_t address, std::uint64_t bytes, bool is_owned)
    : state_(std::move(state)), address_(address), bytes_(bytes), is_owned_(is_owned) {}

Memory::Memory(Memory&& other) noexcept
    : state_(std::move(other.state_)),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)),
      is_owned_(std::exchange(other.is_owned_, false)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    std::swap(is_owned_, other.is_owned_);
    return *this;
}

Memory::~Memory() {
    if (is_owned_ && state_) state_->session->memory().release(reinterpret_cast<void*>(address_));
}

Status Memory::write(const void* from, std::uint64_t bytes, std::uint64_t offset) {
    return guarded([&]() -> Status {
        if (offset > bytes_ || bytes > bytes_ - offset) return out_of_range(bytes, offset, bytes_);
        if (bytes == 0) return Success{};
        std::memcpy(state_->session->memory().bytes(address_ + offset), from, bytes);
        // So that --check init knows what is in it.
        machine::SetEvent event;
        event.target.address = address_ + offset;
        event.extent.width = bytes;
        state_->session->observers().on_set(event);
        return Success{};
    });
}

Status Memory::read(void* to, std::uint64_t bytes, std::uint64_t offset) const {
    return guarded([&]() -> Status {
        if (offset > bytes_ || bytes > bytes_ - offset) return out_of_range(bytes, offset, bytes_);
        if (bytes != 0) std::memcpy(to, state_->session->memory().bytes(address_ + offset), bytes);
        return Success{};
    });
}

}  // namespace tilescope::library
