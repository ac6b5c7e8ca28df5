// Arrays, textures and surfaces of any descriptors, extents and pitches, copied into, freed and destroyed in any order;
// and kernels that fetch through any of their handles, forged and forgotten ones too. Nothing may crash, what a fetch
// gives must be a texel or a fault, and lanes together must get what each gets alone.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "scope/runtime/service/arrays/arrays.h"
#include "scope/runtime/service/arrays/objects.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/runtime.h"
#include "scope/session/session.h"
#include "scope/texture/objects.h"

namespace {

using namespace tilescope;
using namespace tilescope::runtime;

constexpr std::size_t kOwnBytes = 1 << 16;

// The bytes of the input, and zeros behind its end.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    bool is_over() const { return at_ >= size_; }
    unsigned byte() { return at_ < size_ ? data_[at_++] : 0u; }
    std::uint32_t word() { return byte() | byte() << 8 | byte() << 16 | byte() << 24; }
    unsigned below(unsigned count) { return byte() % count; }
    bool flip() { return byte() % 2 != 0; }
    float number() { return flip() ? std::bit_cast<float>(word()) : static_cast<float>(byte()) / 8 - 8; }
    // Small sizes mostly, and those at which arithmetic goes wrong.
    std::size_t size() {
        constexpr std::size_t kOdd[] = {0,
                                        1,
                                        2047,
                                        32768,
                                        65536,
                                        131072,
                                        131073,
                                        1u << 30,
                                        ~std::size_t{0},
                                        ~std::size_t{0} / 2,
                                        std::size_t{1} << 62,
                                        0xffffffff};
        return below(4) == 0 ? kOdd[below(std::size(kOdd))] : below(33);
    }
    template <class T>
    T one_of(const std::vector<T>& list, T forged) {
        return list.empty() || below(8) == 0 ? forged : list[below(static_cast<unsigned>(list.size()))];
    }

private:
    const std::uint8_t* data_;
    std::size_t size_, at_ = 0;
};

// Fetches that lanes do together where they can, and once more with offsets of 0, which each lane does alone. What
// differs is told where a kernel's last parameter points.
std::string both_ways(const std::string& form, const std::string& at, const std::string& offsets) {
    const bool is_float = form.find(".v4.f32.") != std::string::npos;
    const auto registers = [&](unsigned first) {
        std::string text = "{";
        for (unsigned i = first; i < first + 4; ++i)
            text += std::string(i == first ? "" : ",") + (is_float ? "%f" : "%r") + std::to_string(i);
        return text + "}";
    };
    std::string text = form + " " + registers(8) + ", [%rd1, " + at + "];\nmov.u32 %r20, 0;\n" + form + " " +
                       registers(12) + ", [%rd1, " + at + "], " + offsets + ";\nmov.u32 %r21, 0;\n";
    for (unsigned i = 8; i < 12; ++i) {
        const std::string one = std::to_string(i), other = std::to_string(i + 4);
        if (is_float) text += "mov.b32 %r" + one + ", %f" + one + ";\nmov.b32 %r" + other + ", %f" + other + ";\n";
        text += "xor.b32 %r" + one + ", %r" + one + ", %r" + other + ";\nor.b32 %r21, %r21, %r" + one + ";\n";
    }
    return text + "setp.ne.u32 %p1, %r21, 0;\n@%p1 st.global.u32 [%rd3], %r21;";
}

// A kernel for each way to fetch: its handle, four numbers and two more as floats, and where to tell what is wrong.
std::string kernels() {
    const std::string kBodies[] = {
        both_ways("tex.1d.v4.f32.f32", "{%f1}", "{%r20}"),
        both_ways("tex.a1d.v4.f32.f32", "{%r1,%f2}", "{%r20}"),
        both_ways("tex.2d.v4.f32.f32", "{%f1,%f2}", "{%r20,%r20}"),
        both_ways("tex.2d.v4.u32.f32", "{%f1,%f2}", "{%r20,%r20}"),
        both_ways("tex.2d.v4.f32.s32", "{%r1,%r2}", "{%r20,%r20}"),
        both_ways("tex.a2d.v4.f32.f32", "{%r1,%f1,%f2,%f3}", "{%r20,%r20}"),
        both_ways("tex.a2d.v4.s32.s32", "{%r1,%r1,%r2,%r3}", "{%r20,%r20}"),
        both_ways("tex.3d.v4.f32.f32", "{%f1,%f2,%f3,%f3}", "{%r20,%r20,%r20,%r20}"),
        both_ways("tex.3d.v4.u32.s32", "{%r1,%r2,%r3,%r3}", "{%r20,%r20,%r20,%r20}"),
        "tex.1d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1}];",
        "tex.1d.v4.f32.s32 {%f8,%f9,%f10,%f11}, [%rd1, {%r1}];",
        "tex.2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1,%f2}];",
        "tex.level.2d.v4.u32.s32 {%r8,%r9,%r10,%r11}, [%rd1, {%r1,%r2}], %r3;",
        "tex.level.3d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1,%f2,%f3,%f3}], %f4;",
        "tex.cube.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1,%f2,%f3,%f3}];",
        ("tex.grad.cube.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1,%f2,%f3,%f3}], {%f4,%f5,%f6,%f6}, "
         "{%f2,%f3,%f1,%f1};"),
        "tex.grad.2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1,%f2}], {%f3,%f4}, {%f5,%f6};",
        "tex.a2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%r1,%f2,%f3,%f3}];",
        "tex.acube.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%r1,%f1,%f2,%f3}];",
        "tex.a2d.v4.u32.s32 {%r8,%r9,%r10,%r11}, [%rd1, {%r1,%r2,%r3,%r3}];",
        "tld4.g.2d.v4.f32.f32 {%f8,%f9,%f10,%f11}, [%rd1, {%f1,%f2}];",
        "suld.b.2d.v2.b32.zero {%r8,%r9}, [%rd1, {%r1,%r2}];",
        "suld.b.3d.b8.clamp {%rs1}, [%rd1, {%r1,%r2,%r3,%r3}];",
        "suld.b.a1d.b64.trap {%rd2}, [%rd1, {%r1,%r2}];",
        "sust.b.2d.v4.b32.clamp [%rd1, {%r1,%r2}], {%r1,%r2,%r3,%r4};",
        "sust.p.3d.v4.b32.zero [%rd1, {%r1,%r2,%r3,%r3}], {%r1,%r2,%r3,%r4};",
        "sured.b.add.2d.u32.trap [%rd1, {%r1,%r2}], %r3;",
        "txq.width.b32 %r8, [%rd1];",
    };
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    unsigned number = 0;
    for (const std::string& body : kBodies) {
        text +=
            ".visible .entry k" + std::to_string(number++) +
            "(.param .u64 handle, .param .f32 a, .param .f32 b, .param .f32 c, .param .f32 d, .param .f32 e, .param "
            ".f32 f, .param .u64 differs)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<24>; .reg .f32 %f<16>; .reg .b16 "
            "%rs<4>; .reg .pred %p<2>;\nld.param.u64 %rd1, [handle];\nld.param.u64 %rd3, [differs];\n";
        const char* const kNames[] = {"a", "b", "c", "d", "e", "f"};
        for (unsigned i = 0; i < 6; ++i) {
            const std::string digit = std::to_string(i + 1);
            text += "ld.param.f32 %f" + digit + ", [" + kNames[i] + "];\ncvt.rzi.s32.f32 %r" + digit + ", %f" + digit +
                    ";\n";
        }
        // Lanes go different ways.
        text +=
            "mov.u32 %r7, %tid.x;\ncvt.rn.f32.u32 %f7, %r7;\nfma.rn.f32 %f1, %f7, %f6, %f1;\ncvt.rzi.s32.f32 %r1, "
            "%f1;\n";
        text += body + "\nret;\n}\n";
    }
    return text;
}

Channels channels_of(Bytes& in) {
    Channels channels;
    const int bits = 8 << in.below(3);
    const unsigned count = in.below(5);
    for (unsigned i = 0; i < std::min(count, 4u); ++i) channels.bits[i] = in.below(16) == 0 ? 5 : bits;
    channels.kind = in.below(16) == 0 ? static_cast<int>(in.byte()) : static_cast<int>(in.below(3));
    return channels;
}

struct World {
    std::vector<void*> arrays, mipmapped;
    std::vector<std::uint64_t> handles;
    void* memory = nullptr;
    std::uint32_t* differs = nullptr;  // where kernels tell that two ways to fetch gave different texels
    std::vector<std::byte> host = std::vector<std::byte>(kOwnBytes);
};

SaidTexture texture_of(Bytes& in, const World& world) {
    SaidTexture said;
    said.resource.kind = static_cast<ResourceKind>(in.below(4));
    const bool is_mipmapped = said.resource.kind == ResourceKind::kMipmappedArray;
    void* const forged = in.flip() ? nullptr : world.memory;
    said.resource.array = in.one_of(is_mipmapped ? world.mipmapped : world.arrays, forged);
    said.resource.memory = in.below(8) == 0 ? forged : static_cast<std::byte*>(world.memory) + in.below(4) * 256;
    said.resource.channels = channels_of(in);
    said.resource.bytes = in.flip() ? in.size() : kOwnBytes / 2;
    said.resource.width = in.size();
    said.resource.height = in.size();
    said.resource.pitch = in.flip() ? in.size() : in.below(9) * 32;
    Sampling& sampling = said.sampling;
    for (int& mode : sampling.modes) mode = static_cast<int>(in.below(5)) - (in.below(16) == 0 ? 1 : 0);
    sampling.filter = static_cast<int>(in.below(3));
    sampling.between_levels = static_cast<int>(in.below(2));
    sampling.reads_numbers = in.flip();
    sampling.is_srgb = in.flip();
    sampling.is_normalised = in.flip();
    sampling.is_seamless = in.flip();
    sampling.anisotropy = in.below(8) == 0 ? 8 : 0;
    sampling.border[0] = in.number();
    sampling.bias = in.number();
    sampling.min_level = in.number();
    sampling.max_level = in.number();
    if (in.below(4) == 0) {
        View view;
        view.format = static_cast<int>(in.below(40)) - 1;
        view.first_level = in.below(4);
        view.last_level = in.flip() ? in.word() : in.below(4);
        view.first_layer = in.below(4);
        view.last_layer = in.flip() ? in.word() : in.below(8);
        said.view = view;
    }
    return said;
}

// A texture that is there, as most are: of an array or of memory, with texels that the input has.
void make_plain_texture(Runtime& runtime, Bytes& in, World& world) {
    SaidTexture said;
    Channels& channels = said.resource.channels;
    const int bits = 8 << in.below(3);
    const unsigned count = 1u << in.below(3);
    for (unsigned i = 0; i < count; ++i) channels.bits[i] = bits;
    channels.kind = bits == 8 ? static_cast<int>(in.below(2)) : static_cast<int>(in.below(3));
    said.resource.kind = static_cast<ResourceKind>(in.below(4));
    const Extent extent{1 + in.below(40), 1 + in.below(20), 0};
    const std::size_t texel = count * static_cast<unsigned>(bits) / 8;
    std::array<std::byte, 64 * 37> bytes{};
    for (unsigned i = 0; i < 64; ++i) bytes[i * 37] = static_cast<std::byte>(in.byte());
    (void)copy_bytes(runtime, world.memory, bytes.data(), bytes.size(), machine::CopyKind::kByAddress);
    if (said.resource.kind == ResourceKind::kArray || said.resource.kind == ResourceKind::kMipmappedArray) {
        said.resource.kind = ResourceKind::kArray;
        Array* made = nullptr;
        const bool is_layered = in.below(3) == 0;
        const Extent whole{extent.width, extent.height, is_layered || in.flip() ? 1 + in.below(4) : 0};
        if (make_array(runtime, channels, whole, is_layered ? kLayered : 0, made) != tilescope::runtime::Status::kOk)
            return;
        world.arrays.push_back(made);
        said.resource.array = made;
        Copy copy;
        copy.target.array = made;
        copy.source.base = world.memory;
        copy.source.pitch = 1024;
        copy.source.height = 20;
        copy.extent = {extent.width, extent.height, 1};
        copy.direction = machine::CopyKind::kByAddress;
        (void)copy_volume(runtime, copy);
    } else {
        said.resource.memory = world.memory;
        said.resource.width = extent.width;
        said.resource.height = extent.height;
        said.resource.pitch = 1024;
        said.resource.bytes = extent.width * texel;
    }
    Sampling& sampling = said.sampling;
    sampling.is_normalised = in.flip();
    for (int& mode : sampling.modes)
        mode = static_cast<int>(sampling.is_normalised ? in.below(4) : in.below(2) * 2 + 1);
    sampling.reads_numbers = channels.kind != 2 && bits != 32 && in.flip();
    const bool is_float = channels.kind == 2 || sampling.reads_numbers;
    sampling.filter = is_float && said.resource.kind != ResourceKind::kLinear ? static_cast<int>(in.below(2)) : 0;
    sampling.is_srgb = in.below(4) == 0;
    sampling.border[0] = in.number();
    std::uint64_t handle = 0;
    if (make_texture(runtime, said, handle) == tilescope::runtime::Status::kOk) world.handles.push_back(handle);
}

void copy(Runtime& runtime, Bytes& in, World& world) {
    Copy copy;
    CopySide array, memory;
    array.array = in.one_of(world.arrays, static_cast<void*>(nullptr));
    array.at = {in.size(), in.size(), in.size()};
    if (in.flip()) array.at = {};
    const bool is_from_host = in.flip();
    memory.base = is_from_host ? world.host.data() : world.memory;
    memory.pitch = in.flip() ? in.size() : 256;
    memory.width = in.size();
    memory.height = in.size();
    copy.extent = {std::min<std::size_t>(in.size(), 256), std::min<std::size_t>(in.size(), 32), in.below(3)};
    // What a host's memory holds is the program's to know: only what fits it.
    if (is_from_host)
        memory.pitch = 256, memory.height = 32, copy.extent.depth = std::min<std::size_t>(copy.extent.depth, 2);
    const bool is_to_array = in.flip();
    copy.target = is_to_array ? array : memory;
    copy.source = is_to_array ? memory : array;
    copy.direction = machine::CopyKind::kByAddress;
    (void)copy_volume(runtime, copy);
}

void launch(Runtime& runtime, Bytes& in, const World& world, const std::vector<KernelId>& kernels) {
    struct {
        std::uint64_t handle;
        float numbers[6];
        std::uint32_t* differs;
    } parameters;
    static_assert(sizeof parameters == 40);
    const std::uint64_t forged = in.flip() ? in.word() : std::uint64_t{in.below(4)} << 32 | in.below(64);
    parameters.handle = in.one_of(world.handles, forged);
    for (float& number : parameters.numbers) number = in.number();
    parameters.differs = world.differs;
    LaunchRequest request;
    request.kernel = kernels[in.below(static_cast<unsigned>(kernels.size()))];
    request.grid = {1, 1, 1};
    request.block = {1 + in.below(33), 1, 1};
    request.parameters = std::as_bytes(std::span(&parameters, 1));
    // A form that is not there would test nothing.
    if (runtime.session().launch(request).status == LaunchStatus::kUnsupported) std::abort();
    if (*world.differs != 0) std::abort();
}

void forget_all(Runtime& runtime, World& world) {
    for (const std::uint64_t handle : world.handles) {
        (void)destroy_texture(runtime, handle);
        (void)destroy_surface(runtime, handle);
    }
    for (void* array : world.arrays) (void)free_array(runtime, array);
    for (void* array : world.mipmapped) (void)free_mipmapped_array(runtime, array);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Runtime& device = Runtime::get();
    if (device.enter() != tilescope::runtime::Status::kOk) return 0;
    static const std::vector<KernelId> all = [&] {
        const auto module = device.session().load_module(kernels(), "fetches.ptx");
        return module ? device.session().kernels(*module) : std::vector<KernelId>();
    }();
    if (all.empty()) std::abort();
    static void* const memory = device.session().memory().allocate(kOwnBytes, machine::AllocationKind::kDevice);
    Bytes in(data, size);
    World world;
    world.memory = memory;
    // The host reads what kernels tell.
    alignas(256) static std::array<std::uint32_t, 64> differs;
    static const bool is_seen =
        device.session().memory().adopt(differs.data(), sizeof differs, machine::AllocationKind::kPinned);
    if (!is_seen) std::abort();
    world.differs = differs.data();
    *world.differs = 0;
    for (unsigned step = 0; step < 64 && !in.is_over(); ++step) {
        switch (in.below(13)) {
            case 0:
            case 1: {
                Array* made = nullptr;
                const Extent extent{in.size(), in.size(), in.size()};
                if (make_array(device, channels_of(in), extent, in.below(16), made) == tilescope::runtime::Status::kOk)
                    world.arrays.push_back(made);
                break;
            }
            case 2: {
                MipmappedArray* made = nullptr;
                const Extent extent{in.size(), in.size(), in.size()};
                const unsigned levels = in.flip() ? in.below(8) : in.word();
                if (make_mipmapped_array(device, channels_of(in), extent, levels, in.below(16), made) ==
                    tilescope::runtime::Status::kOk)
                    world.mipmapped.push_back(made);
                Array* level = nullptr;
                if (made != nullptr &&
                    level_of_array(device, made, in.below(9), level) == tilescope::runtime::Status::kOk)
                    world.arrays.push_back(level);
                break;
            }
            case 3: (void)free_array(device, in.one_of(world.arrays, world.memory)); break;
            case 4: (void)free_mipmapped_array(device, in.one_of(world.mipmapped, world.memory)); break;
            case 5: {
                std::uint64_t handle = 0;
                if (make_texture(device, texture_of(in, world), handle) == tilescope::runtime::Status::kOk)
                    world.handles.push_back(handle);
                break;
            }
            case 6: {
                std::uint64_t handle = 0;
                if (make_surface(device, texture_of(in, world).resource, handle) == tilescope::runtime::Status::kOk)
                    world.handles.push_back(handle);
                break;
            }
            case 7: copy(device, in, world); break;
            case 10:
            case 11: make_plain_texture(device, in, world); break;
            case 8: (void)destroy_texture(device, in.one_of(world.handles, std::uint64_t{in.word()})); break;
            default: launch(device, in, world, all); break;
        }
    }
    forget_all(device, world);
    return 0;
}
