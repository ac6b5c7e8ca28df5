// suld, sust, sured and suq: texels of surfaces by handle.
#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/texel_requests.h"
#include "scope/isa/families/texture_objects.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"
#include "scope/texture/surface.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::kWarpSize;
using machine::Operand;
using texture::Outside;
using texture::SurfacePlace;
using texture::SurfaceRequest;

struct SurfaceOperands {
    Operand handle, layer, at[3];
    unsigned dimensions = 2;
    bool is_layered = false, in_texels = false;
    Outside outside = Outside::kTrap;
    unsigned count = 1, bytes = 4;  // elements, and of each
    Operand values[4];
    std::uint8_t value_bytes[4] = {};
    bool is_there[4] = {};
};

enum class Touch : std::uint8_t { kRead, kWrite, kUpdate };

// Where each lane's access lies; act(lane, place) for those that lie anywhere.
template <class Act>
void for_each_texel(Warp& warp, const Op& op, Touch touch, const Act& act) {
    const bool writes = touch != Touch::kRead;
    unsigned width = 0;
    const auto& from = *static_cast<const SurfaceOperands*>(op.extra);
    const auto* handles = warp.source<std::uint64_t>(from.handle);
    TexelRequests requests(warp, op, writes ? machine::TexelsKind::kSurfaceWrite : machine::TexelsKind::kSurfaceRead);
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const texture::Surface* surface = surface_of(warp, op, lane, handles[lane]);
        if (surface == nullptr) continue;
        SurfaceRequest request;
        std::int32_t* const parts[] = {&request.x, &request.y, &request.z};
        for (unsigned i = 0; i < from.dimensions; ++i) *parts[i] = warp.source<std::int32_t>(from.at[i])[lane];
        if (from.is_layered) request.layer = warp.source<std::uint32_t>(from.layer)[lane];
        const unsigned bytes = from.in_texels ? surface->image.format.bytes() : from.count * from.bytes;
        const SurfacePlace place =
            texture::place_on(*surface, from.dimensions, from.is_layered, from.in_texels, bytes, from.outside, request);
        if (place.is_misaligned)
            refuse_misaligned(warp, op, lane, bytes, writes, request.x);
        else if (place.is_outside)
            refuse_outside(warp, op, lane, bytes, writes, *surface, request.x, request.y,
                           from.is_layered ? std::int64_t{request.layer} : request.z);
        else if (place.bytes != nullptr) {
            const machine::TexelAccess access{.bytes = static_cast<std::uint8_t>(bytes)};
            if (texture::Footprint* const footprint =
                    requests.of_lane(lane, texture::kTwoQuads, surface->image, access))
                footprint->add(place.address, bytes);
            // Lanes that touch fewer bytes than others do are as wide as these.
            width = std::max(width, bytes);
            requests.touch(lane,
                           surface->image.address + static_cast<std::uint64_t>(place.bytes - surface->image.bytes));
            act(lane, place, *surface);
        }
    }
    requests.tell(width, touch == Touch::kUpdate);
}

void load(Warp& warp, const Op& op) {
    const auto& to = *static_cast<const SurfaceOperands*>(op.extra);
    alignas(64) std::uint64_t values[4][kWarpSize] = {};
    for_each_texel(warp, op, Touch::kRead, [&](unsigned lane, const SurfacePlace& place, const texture::Surface&) {
        for (unsigned i = 0; i < to.count; ++i) std::memcpy(&values[i][lane], place.bytes + i * to.bytes, to.bytes);
    });
    for (unsigned i = 0; i < to.count; ++i) {
        if (!to.is_there[i]) continue;
        const auto write = [&](auto zero) {
            using Register = decltype(zero);
            write_lanes(warp.exec, warp.target<Register>(to.values[i]),
                        [&](unsigned lane) { return static_cast<Register>(values[i][lane]); });
        };
        if (to.value_bytes[i] == 2) write(std::uint16_t{});
        if (to.value_bytes[i] == 4) write(std::uint32_t{});
        if (to.value_bytes[i] == 8) write(std::uint64_t{});
    }
}

std::uint64_t value_of(const Warp& warp, const SurfaceOperands& from, unsigned i, unsigned lane) {
    if (from.value_bytes[i] == 2) return warp.source<std::uint16_t>(from.values[i])[lane];
    if (from.value_bytes[i] == 4) return warp.source<std::uint32_t>(from.values[i])[lane];
    return warp.source<std::uint64_t>(from.values[i])[lane];
}

void store(Warp& warp, const Op& op) {
    const auto& from = *static_cast<const SurfaceOperands*>(op.extra);
    ++warp.worker->writes;
    for_each_texel(warp, op, Touch::kWrite, [&](unsigned lane, const SurfacePlace& place, const texture::Surface&) {
        for (unsigned i = 0; i < from.count; ++i) {
            const std::uint64_t value = value_of(warp, from, i, lane);
            std::memcpy(place.bytes + i * from.bytes, &value, from.bytes);
        }
    });
}

// By the surface's own format: what does not fit its channels becomes the nearest that does.
void store_formatted(Warp& warp, const Op& op) {
    const auto& from = *static_cast<const SurfaceOperands*>(op.extra);
    ++warp.worker->writes;
    for_each_texel(warp, op, Touch::kWrite,
                   [&](unsigned lane, const SurfacePlace& place, const texture::Surface& surface) {
                       for (unsigned i = 0; i < from.count && i < surface.image.format.channels; ++i)
                           texture::write_channel(surface.image.format, place.bytes, i,
                                                  static_cast<std::uint32_t>(value_of(warp, from, i, lane)));
                   });
}

enum class Update : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr };

template <class T, Update kUpdate>
T updated(T old, T value) {
    switch (kUpdate) {
        case Update::kAdd: return static_cast<T>(old + value);
        case Update::kMin: return value < old ? value : old;
        case Update::kMax: return old < value ? value : old;
        case Update::kAnd: return static_cast<T>(old & value);
        case Update::kOr: return static_cast<T>(old | value);
    }
    return old;
}

template <class T, Update kUpdate>
void reduce(Warp& warp, const Op& op) {
    const auto& from = *static_cast<const SurfaceOperands*>(op.extra);
    ++warp.worker->writes;
    for_each_texel(warp, op, Touch::kUpdate, [&](unsigned lane, const SurfacePlace& place, const texture::Surface&) {
        const T value = static_cast<T>(value_of(warp, from, 0, lane));
        T* cell = reinterpret_cast<T*>(place.bytes);
        T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(cell, &old, updated<T, kUpdate>(old, value), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED)) {
        }
    });
}

template <class T>
OpFn pick_update(const Binding& binding) {
    if (binding.has("add")) return &reduce<T, Update::kAdd>;
    if (binding.has("and")) return &reduce<T, Update::kAnd>;
    if (binding.has("or")) return &reduce<T, Update::kOr>;
    return binding.has("min") ? &reduce<T, Update::kMin> : &reduce<T, Update::kMax>;
}

bool bind_texel(Binding& binding, std::size_t place, std::size_t values) {
    SurfaceOperands operands;
    const std::vector<BoundOperand>& at = binding.operands[place].elements;
    operands.is_layered = binding.form.one_of({"a1d", "a2d"}) != "";
    operands.dimensions = binding.form.one_of({"1d", "a1d"}) != "" ? 1 : binding.has("3d") ? 3 : 2;
    operands.in_texels = binding.has("p");
    operands.outside = binding.has("clamp") ? Outside::kClamp : binding.has("zero") ? Outside::kZero : Outside::kTrap;
    const std::size_t before = operands.is_layered ? 2 : 1;
    if (at.size() < before + operands.dimensions) {
        binding.fail("too few coordinates");
        return false;
    }
    operands.handle = at[0].slot;
    if (operands.is_layered) operands.layer = at[1].slot;
    for (unsigned i = 0; i < operands.dimensions; ++i) operands.at[i] = at[before + i].slot;
    const BoundOperand& given = binding.operands[values];
    const std::vector<BoundOperand> single{given};
    const std::vector<BoundOperand>& elements = given.kind == BoundKind::kVector ? given.elements : single;
    operands.count = static_cast<unsigned>(elements.size());
    operands.bytes = bytes_of(binding.type());
    const unsigned asked = binding.has("v2") ? 2 : binding.has("v4") ? 4 : 1;
    if (operands.count != asked || asked * operands.bytes > 16) {
        binding.fail("a number of registers that does not fit the vector");
        return false;
    }
    for (unsigned i = 0; i < operands.count; ++i) {
        operands.is_there[i] = elements[i].kind != BoundKind::kAbsent;
        operands.values[i] = elements[i].slot;
        operands.value_bytes[i] = elements[i].bytes;
    }
    binding.op.extra = binding.keep(operands);
    return true;
}

OpFn bind_load(Binding& binding) {
    if (!bind_texel(binding, 1, 0)) return nullptr;
    return &load;
}
OpFn bind_store(Binding& binding) {
    if (!bind_texel(binding, 0, 1)) return nullptr;
    return binding.has("p") ? &store_formatted : &store;
}
OpFn bind_reduce(Binding& binding) {
    if (!bind_texel(binding, 0, 1)) return nullptr;
    switch (binding.type()) {
        case Type::kS32: return pick_update<std::int32_t>(binding);
        case Type::kU64: return pick_update<std::uint64_t>(binding);
        case Type::kS64: return pick_update<std::int64_t>(binding);
        case Type::kB64: return pick_update<std::uint64_t>(binding);
        default: return pick_update<std::uint32_t>(binding);
    }
}

enum class SurfaceQuery : std::uint8_t { kWidth, kHeight, kDepth, kLayers };

template <SurfaceQuery kQuery>
void query(Warp& warp, const Op& op) {
    const auto* handles = warp.source<std::uint64_t>(op.a);
    alignas(64) std::uint32_t answers[kWarpSize] = {};
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const texture::Surface* surface =
            surface_of(warp, op, lane, handles[lane] + static_cast<std::uint64_t>(op.immediate));
        if (surface == nullptr) continue;
        const texture::Level& level = surface->image.levels.front();
        const bool is_volume = surface->image.shape == texture::Shape::k3D;
        answers[lane] = kQuery == SurfaceQuery::kWidth    ? level.width
                        : kQuery == SurfaceQuery::kHeight ? level.height
                        : kQuery == SurfaceQuery::kDepth  ? (is_volume ? level.depth : 0)
                                                          : (is_volume ? 0 : level.depth);
    }
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned lane) { return answers[lane]; });
}

OpFn bind_query(Binding& binding) {
    binding.op.immediate = binding.operands[1].value;
    if (binding.operands[1].bytes != 8) {
        binding.fail("a handle of 32 bits");
        return nullptr;
    }
    if (binding.has("width")) return &query<SurfaceQuery::kWidth>;
    if (binding.has("height")) return &query<SurfaceQuery::kHeight>;
    return binding.has("depth") ? &query<SurfaceQuery::kDepth> : &query<SurfaceQuery::kLayers>;
}

#define GEOMETRIES ".[1d 2d 3d a1d a2d]"
#define OUTSIDE ".[trap clamp zero]"
#define SURFACE .kind = Class::kMemory, .effect = effect::kSurface

constexpr Row kSurfaceRows[] = {
    {.syntax = "suld.b~" GEOMETRIES "{.[ca cg cs cv]}{.[v2 v4]}.[b8 b16 b32 b64]" OUTSIDE,
     .operands = "=V0 []+c",
     SURFACE,
     .bind = &bind_load,
     .needs = {20, 50}},
    {.syntax = "sust.b~" GEOMETRIES "{.[wb cg cs wt]}{.[v2 v4]}.[b8 b16 b32 b64]" OUTSIDE,
     .operands = "[]+c V0",
     SURFACE,
     .bind = &bind_store,
     .needs = {20, 50}},
    {.syntax = "sust.p~" GEOMETRIES "{.[v2 v4]}.b32" OUTSIDE,
     .operands = "[]+c V0",
     SURFACE,
     .bind = &bind_store,
     .needs = {20, 50}},
    {.syntax = "sured.b~.[add min max and or]" GEOMETRIES ".[u32 s32 b32 u64 s64 b64]" OUTSIDE,
     .operands = "[]+c V0",
     SURFACE,
     .bind = &bind_reduce,
     .needs = {20, 50}},
    {.syntax = "suq.[width height depth array_size].b32",
     .operands = "=b32 []",
     .kind = Class::kMemory,
     .effect = effect::kSurfaceQuery,
     .bind = &bind_query,
     .needs = {20, 50}},
};

}  // namespace

const Family& surface_family() {
    static constexpr Family kFamily{"surface", "texels of surfaces", kSurfaceRows, std::size(kSurfaceRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
