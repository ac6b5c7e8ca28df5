// Tensor maps, which are made here as the device's driver makes them; what uses them is refused where it is launched.
#include <algorithm>
#include <cstring>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cuda/tensor_map.h"

namespace tilescope::runtime::driver {
namespace {

constexpr std::uintptr_t kMapAlignment = 64;

bool is_place(const void* map) { return map != nullptr && reinterpret_cast<std::uintptr_t>(map) % kMapAlignment == 0; }

template <class Number, std::size_t kCount>
void take(const Number* from, unsigned count, std::array<Number, kCount>& into) {
    std::copy_n(from, std::min<std::size_t>(count, kCount), into.begin());
}

struct Said {
    int type;
    unsigned rank;
    const void* address;
    const std::uint64_t* sizes;
    const std::uint64_t* strides;
    const std::uint32_t* steps;
    int interleave, swizzle, promotion, fill;
};

// tile(unsigned rank) says what a copy takes.
template <class MakeTile>
Code make_map(void* out, const Said& said, MakeTile&& make_tile, const char* name = __builtin_FUNCTION(),
              const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            constexpr unsigned kFirstWithMaps = 9;
            const models::Device& device = runtime.session().device();
            if (device.compute_major < kFirstWithMaps)
                return because(Status::kNotSupported, "the " + device.name + " has no tensor maps");
            if (!is_place(out)) return because(Status::kInvalidValue, "a map lies at a multiple of 64 bytes");
            if (said.rank < 1 || said.rank > kMostDimensions)
                return because(Status::kInvalidValue, "a tensor has 1 to 5 dimensions");
            if (said.sizes == nullptr || said.steps == nullptr || (said.strides == nullptr && said.rank > 1))
                return because(Status::kInvalidValue, "sizes, strides or steps are a null pointer");
            Tensor tensor{.type = said.type,
                          .rank = said.rank,
                          .address = address_of(said.address),
                          .interleave = said.interleave,
                          .swizzle = said.swizzle,
                          .promotion = said.promotion,
                          .fill = said.fill};
            take(said.sizes, said.rank, tensor.sizes);
            take(said.strides, said.rank - 1, tensor.strides);
            take(said.steps, said.rank, tensor.steps);
            const auto tile = make_tile(said.rank);
            if (!tile) return because(Status::kInvalidValue, "a box or a corner is a null pointer");
            const char* why = nullptr;
            const auto map = encode(tensor, *tile, device.shared_bytes_per_block_optin, why);
            if (!map) return because(Status::kInvalidValue, why);
            std::memcpy(out, map->words.data(), sizeof map->words);
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuTensorMapEncodeTiled(void* map, int type, std::uint32_t rank, void* address,
                                             const std::uint64_t* sizes, const std::uint64_t* strides,
                                             const std::uint32_t* box, const std::uint32_t* steps, int interleave,
                                             int swizzle, int promotion, int fill) {
    return make_map(map, {type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill},
                    [&](unsigned count) -> std::optional<Tile> {
                        Tile tile;
                        if (box == nullptr) return std::nullopt;
                        take(box, count, tile.box);
                        return tile;
                    });
}

TILESCOPE_DRIVER Code cuTensorMapEncodeIm2col(void* map, int type, std::uint32_t rank, void* address,
                                              const std::uint64_t* sizes, const std::uint64_t* strides,
                                              const int* lower, const int* upper, std::uint32_t channels,
                                              std::uint32_t pixels, const std::uint32_t* steps, int interleave,
                                              int swizzle, int promotion, int fill) {
    return make_map(map, {type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill},
                    [&](unsigned count) -> std::optional<Pixels> {
                        Pixels taken{.channels = channels, .count = pixels};
                        if (lower == nullptr || upper == nullptr) return std::nullopt;
                        take(lower, count > 2 ? count - 2 : 0, taken.lower);
                        take(upper, count > 2 ? count - 2 : 0, taken.upper);
                        return taken;
                    });
}

TILESCOPE_DRIVER Code cuTensorMapReplaceAddress(void* map, void* address) {
    return on_context([&](Runtime&) -> Status {
        TensorMap words;
        if (!is_place(map)) return because(Status::kInvalidValue, "a map lies at a multiple of 64 bytes");
        std::memcpy(words.words.data(), map, sizeof words.words);
        if (!replace_address(words, address_of(address)))
            return because(Status::kInvalidValue, "the address is not aligned as the map asks");
        std::memcpy(map, words.words.data(), sizeof words.words);
        return Status::kOk;
    });
}

std::span<const Entry> tensor_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuTensorMapEncodeTiled),
        TILESCOPE_THERE(cuTensorMapEncodeIm2col),
        TILESCOPE_THERE(cuTensorMapReplaceAddress),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
