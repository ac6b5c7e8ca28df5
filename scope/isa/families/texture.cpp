// tex, tld4 and txq: fetches of textures by handle.
#include <bit>
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/texel_lanes.h"
#include "scope/isa/families/texel_requests.h"
#include "scope/isa/families/texture_objects.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"
#include "scope/texture/unit.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::kWarpSize;
using machine::Operand;
using texture::Fetch;
using texture::Geometry;
using texture::LevelFrom;
using texture::Request;

// Everything but the instruction's own operands of op; Op::extra.
struct FetchOperands {
    Fetch how;
    Operand handle, layer, coordinates[3], level, dx[3], dy[3], offsets[3];
    unsigned dimensions = 0, offset_count = 0;
    Operand results[4];
    bool is_wanted[4] = {};
    bool has_resident = false;
    Operand resident;
};

Request request_of(const Warp& warp, const FetchOperands& from, unsigned lane) {
    Request request;
    for (unsigned i = 0; i < from.dimensions; ++i) {
        if (from.how.is_whole)
            request.whole[i] = warp.source<std::int32_t>(from.coordinates[i])[lane];
        else
            request.at[i] = warp.source<float>(from.coordinates[i])[lane];
    }
    if (texture::is_layered(from.how.geometry)) request.layer = warp.source<std::uint32_t>(from.layer)[lane];
    if (from.how.level == LevelFrom::kOperand) {
        if (from.how.is_whole)
            request.whole_level = warp.source<std::int32_t>(from.level)[lane];
        else
            request.level = warp.source<float>(from.level)[lane];
    } else if (from.how.level == LevelFrom::kGradients) {
        for (unsigned i = 0; i < from.dimensions; ++i) {
            request.dx[i] = warp.source<float>(from.dx[i])[lane];
            request.dy[i] = warp.source<float>(from.dy[i])[lane];
        }
    }
    for (unsigned i = 0; i < from.offset_count; ++i)
        request.offset[i] = warp.source<std::int32_t>(from.offsets[i])[lane];
    if (from.offset_count == 1) request.offset[1] = request.offset[0];
    return request;
}

machine::TexelAccess access_of(const texture::Texture& texture, const Fetch& how) {
    const texture::Shape shape = texture.image.shape;
    machine::TexelAccess access;
    access.bytes = static_cast<std::uint8_t>(texture.image.format.bytes());
    access.is_tiled = shape != texture::Shape::kLinear && shape != texture::Shape::kPitched;
    access.is_pitched = shape == texture::Shape::kPitched;
    access.is_of_levels = texture.image.levels.size() > 1 && how.level != LevelFrom::kNothing &&
                          texture.sampler.between_levels == texture::Filter::kLinear;
    access.is_volume = shape == texture::Shape::k3D;
    access.filters = !how.is_whole && !how.gathers && texture.sampler.filter == texture::Filter::kLinear;
    access.gathers = how.gathers;
    access.converts = texture.reading == texture::Reading::kNormalised ||
                      (texture.reading == texture::Reading::kFloat && texture.image.format.bits != 32);
    return access;
}

// All lanes at once, where they name one texture and need nothing special of it.
bool fetch_alike(Warp& warp, const Op& op, const FetchOperands& from, TexelRequests& requests,
                 std::uint32_t (*results)[kWarpSize]) {
    const auto* handles = warp.source<std::uint64_t>(from.handle);
    const auto first = static_cast<unsigned>(std::countr_zero(warp.exec));
    if ((lanes_where([&](unsigned lane) { return handles[lane] != handles[first]; }) & warp.exec) != 0) return false;
    const texture::Texture* texture = texture_if_there(warp, op, handles[first]);
    if (texture == nullptr) return false;
    LaneRequests brought;
    for (unsigned i = 0; i < from.dimensions; ++i) {
        if (from.how.is_whole)
            brought.whole[i] = warp.source<std::int32_t>(from.coordinates[i]);
        else
            brought.at[i] = warp.source<float>(from.coordinates[i]);
    }
    if (texture::is_layered(from.how.geometry)) brought.layer = warp.source<std::uint32_t>(from.layer);
    brought.has_offsets = from.offset_count != 0;
    return fetch_together(*texture, from.how, brought, warp.exec, access_of(*texture, from.how), requests, results);
}

void fetch_one_by_one(Warp& warp, const Op& op, const FetchOperands& from, TexelRequests& requests,
                      std::uint32_t (*results)[kWarpSize]) {
    const auto* handles = warp.source<std::uint64_t>(from.handle);
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const texture::Texture* texture = texture_of(warp, op, lane, handles[lane]);
        if (texture == nullptr) continue;
        if (texture->sampler.is_anisotropic && from.how.level != LevelFrom::kNothing && !from.how.is_whole) {
            refuse_anisotropic(warp, op, lane);
            continue;
        }
        const texture::Image& image = texture->image;
        texture::Footprint* const footprint =
            requests.of_lane(lane, texture::threads_of_request(image.shape), image, access_of(*texture, from.how));
        const texture::Texel texel = texture::fetch(*texture, from.how, request_of(warp, from, lane), footprint);
        for (unsigned i = 0; i < 4; ++i) results[i][lane] = texel[i];
    }
}

void fetch_lanes(Warp& warp, const Op& op) {
    const auto& from = *static_cast<const FetchOperands*>(op.extra);
    alignas(64) std::uint32_t results[4][kWarpSize] = {};
    TexelRequests requests(warp, op, machine::TexelsKind::kFetch);
    if (!fetch_alike(warp, op, from, requests, results)) fetch_one_by_one(warp, op, from, requests, results);
    requests.tell();
    for (unsigned i = 0; i < 4; ++i)
        if (from.is_wanted[i])
            write_lanes(warp.exec, warp.target<std::uint32_t>(from.results[i]),
                        [&](unsigned lane) { return results[i][lane]; });
    if (from.has_resident) warp.set_predicate(from.resident, machine::kFullMask);
}

Geometry geometry_of(const Binding& binding) {
    constexpr struct {
        std::string_view word;
        Geometry geometry;
    } kWords[] = {{"1d", Geometry::k1D},
                  {"2d", Geometry::k2D},
                  {"3d", Geometry::k3D},
                  {"a1d", Geometry::k1DLayered},
                  {"a2d", Geometry::k2DLayered},
                  {"cube", Geometry::kCube},
                  {"acube", Geometry::kCubeLayered}};
    for (const auto& known : kWords)
        if (binding.has(known.word)) return known.geometry;
    return Geometry::k2D;
}

// Of a vector, or a single register, as many as there are dimensions; spare ones are padding.
bool take(Operand* to, unsigned count, const BoundOperand& from) {
    if (from.kind == BoundKind::kVector) {
        if (from.elements.size() < count) return false;
        for (unsigned i = 0; i < count; ++i) to[i] = from.elements[i].slot;
        return true;
    }
    if (count != 1) return false;
    to[0] = from.slot;
    return true;
}

bool take_results(Binding& binding, FetchOperands& operands) {
    const std::vector<BoundOperand>& results = binding.operands[0].elements;
    if (results.size() != 4 && results.size() != 5) return false;
    for (unsigned i = 0; i < 4; ++i) {
        operands.results[i] = results[i].slot;
        operands.is_wanted[i] = results[i].kind != BoundKind::kAbsent;
    }
    operands.has_resident = results.size() == 5 && results[4].kind != BoundKind::kAbsent;
    if (operands.has_resident) operands.resident = results[4].slot;
    return true;
}

OpFn bind_fetch(Binding& binding) {
    FetchOperands operands;
    operands.how.geometry = geometry_of(binding);
    operands.how.is_whole = binding.type(1) == Type::kS32;
    operands.dimensions = texture::dimensions_of(operands.how.geometry);
    const auto fail = [&](const char* why) -> OpFn {
        binding.fail(why);
        return nullptr;
    };
    if (texture::is_cube(operands.how.geometry) && operands.how.is_whole) return fail("whole coordinates on a cube");
    if (!take_results(binding, operands)) return fail("a number of results other than 4");
    BoundOperand at = binding.operands[1];
    operands.handle = at.elements[0].slot;
    at.elements.erase(at.elements.begin());
    if (texture::is_layered(operands.how.geometry)) {
        if (at.elements.empty()) return fail("too few coordinates");
        operands.layer = at.elements[0].slot;
        at.elements.erase(at.elements.begin());
    }
    if (!take(operands.coordinates, operands.dimensions, at)) return fail("too few coordinates");
    std::size_t next = 2;
    if (binding.has("level")) {
        operands.how.level = LevelFrom::kOperand;
        operands.level = binding.operands[next++].slot;
    } else if (binding.has("grad")) {
        operands.how.level = LevelFrom::kGradients;
        if (!take(operands.dx, operands.dimensions, binding.operands[next]) ||
            !take(operands.dy, operands.dimensions, binding.operands[next + 1]))
            return fail("too few gradients");
        next += 2;
    }
    if (binding.form.words().front() == "r" || binding.form.words().front() == "g" ||
        binding.form.words().front() == "b" || binding.form.words().front() == "a") {
        operands.how.gathers = true;
        operands.how.channel = static_cast<std::uint8_t>(std::string_view("rgba").find(binding.form.words().front()));
    }
    const BoundOperand& offsets = binding.operands[next];
    if (offsets.kind == BoundKind::kValue) return fail("a depth to compare with");
    if (offsets.kind == BoundKind::kVector) {
        if (texture::is_cube(operands.how.geometry)) return fail("offsets on a cube");
        operands.offset_count = operands.dimensions;
        if (!take(operands.offsets, operands.dimensions, offsets)) return fail("too few offsets");
    }
    binding.op.extra = binding.keep(operands);
    return &fetch_lanes;
}

enum class Query : std::uint8_t { kWidth, kHeight, kDepth, kLevels, kLayers, kIsNormalised };

std::uint32_t answer(const texture::Image& image, Query query, std::uint32_t level) {
    if (level >= image.levels.size()) return 0;
    const texture::Level& at = image.levels[level];
    const bool has_layers = texture::is_layered(image.shape);
    switch (query) {
        case Query::kWidth: return at.width;
        case Query::kHeight: return at.height;
        case Query::kDepth: return image.shape == texture::Shape::k3D ? at.depth : 0;
        case Query::kLevels: return static_cast<std::uint32_t>(image.levels.size());
        case Query::kLayers: return has_layers ? at.depth : 0;
        case Query::kIsNormalised: break;
    }
    return 0;
}

template <Query kQuery, bool kHasLevel>
void query_lanes(Warp& warp, const Op& op) {
    const auto* handles = warp.source<std::uint64_t>(op.a);
    alignas(64) std::uint32_t answers[kWarpSize] = {};
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const texture::Texture* texture =
            texture_of(warp, op, lane, handles[lane] + static_cast<std::uint64_t>(op.immediate));
        if (texture == nullptr) continue;
        if constexpr (kQuery == Query::kIsNormalised)
            answers[lane] = texture->sampler.is_normalised ? 1 : 0;
        else
            answers[lane] = answer(texture->image, kQuery, kHasLevel ? warp.source<std::uint32_t>(op.b)[lane] : 0);
    }
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned lane) { return answers[lane]; });
}

OpFn bind_query(Binding& binding) {
    binding.op.immediate = binding.operands[1].value;
    const bool has_level = binding.has("level");
    if (binding.operands[1].bytes != 8) {
        binding.fail("a handle of 32 bits");
        return nullptr;
    }
    if (binding.has("width")) return has_level ? &query_lanes<Query::kWidth, true> : &query_lanes<Query::kWidth, false>;
    if (binding.has("height"))
        return has_level ? &query_lanes<Query::kHeight, true> : &query_lanes<Query::kHeight, false>;
    if (binding.has("depth")) return has_level ? &query_lanes<Query::kDepth, true> : &query_lanes<Query::kDepth, false>;
    if (binding.has("num_mipmap_levels")) return &query_lanes<Query::kLevels, false>;
    if (binding.has("array_size")) return &query_lanes<Query::kLayers, false>;
    return &query_lanes<Query::kIsNormalised, false>;
}

#define GEOMETRIES ".[1d 2d 3d a1d a2d cube acube]"
#define FETCH .kind = Class::kMemory, .effect = effect::kTexture, .bind = &bind_fetch, .needs = {20, 50}

constexpr Row kTextureRows[] = {
    {.syntax = "tex" GEOMETRIES ".v4.[s32 u32 f32].[s32 f32]", .operands = "=V0|pred []+c Vs32?", FETCH},
    {.syntax = "tex.base~" GEOMETRIES ".v4.[s32 u32 f32].[s32 f32]", .operands = "=V0|pred []+c Vs32?", FETCH},
    {.syntax = "tex.level~" GEOMETRIES ".v4.[s32 u32 f32].[s32 f32]", .operands = "=V0|pred []+c T1 Vs32?", FETCH},
    {.syntax = "tex.grad~" GEOMETRIES ".v4.[s32 u32 f32].f32", .operands = "=V0|pred []+c V1 V1 Vs32?", FETCH},
    {.syntax = "tld4.[r g b a].[2d a2d cube acube].v4.[s32 u32 f32].f32", .operands = "=V0|pred []+c Vs32?", FETCH},
    {.syntax = "txq.[width height depth normalized_coords array_size num_mipmap_levels].b32",
     .operands = "=b32 []",
     .kind = Class::kMemory,
     .effect = effect::kTextureQuery,
     .bind = &bind_query,
     .needs = {20, 50}},
    {.syntax = "txq.level~.[width height depth].b32",
     .operands = "=b32 [] b32",
     .kind = Class::kMemory,
     .effect = effect::kTextureQuery,
     .bind = &bind_query,
     .needs = {40, 50}},
};

}  // namespace

const Family& texture_family() {
    static constexpr Family kFamily{"texture", "fetches of textures", kTextureRows, std::size(kTextureRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
