#include "tests/wall/wall_lab.h"

#include <cstring>
#include <stdexcept>

namespace tilescope::wall {
namespace {

std::string bytes_of(Where where) {
    std::string text;
    for (std::uint64_t i = 0; i < kRoom; ++i) text += (i ? "," : "") + std::to_string(pattern(where, i));
    return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// The arrays are named so that the lowering places them; each lane fills its stack, half a warp fills shared memory.
std::string module_text(const Access& access) {
    std::string text = R"(.version 8.8
.target sm_100
.address_size 64
.const .align 32 .b8 constant_data[64] = {CONSTANTS};
.visible .entry k(.param .u64 list, .param .u64 flags, .param .u64 values, .param .u64 memory, .param .u64 target,
                  .param .align 32 .b8 blob[64])
{
 .reg .b64 %a, %v0, %v1, %v2, %v3, %t<9>;
 .reg .b32 %n, %x<9>;
 .reg .pred %act, %par;
 .shared .align 32 .b8 shared_data[64];
 .local .align 32 .b8 local_data[64];
 mov.u32 %x1, %tid.x;
 mov.u32 %x2, %ctaid.x;
 mad.lo.u32 %x3, %x2, 32, %x1;
)";
    // Fill: byte i of shared memory is pattern(i), of a stack likewise.
    for (std::uint64_t word = 0; word < kRoom / 8; ++word) {
        std::uint64_t shared = 0, local = 0;
        for (unsigned byte = 0; byte < 8; ++byte) {
            shared |= std::uint64_t{pattern(Where::kShared, 8 * word + byte)} << 8 * byte;
            local |= std::uint64_t{pattern(Where::kLocal, 8 * word + byte)} << 8 * byte;
        }
        const std::string offset = std::to_string(8 * word);
        text += " st.shared.u64 [shared_data+" + offset + "], " + std::to_string(shared) + ";\n";
        text += " st.local.u64 [local_data+" + offset + "], " + std::to_string(local) + ";\n";
    }
    text += R"( bar.sync 0;
 ld.param.u64 %t1, [list];
 mul.wide.u32 %t2, %x3, 8;
 add.u64 %t1, %t1, %t2;
 ld.global.u64 %a, [%t1];
 ld.param.u64 %t1, [flags];
 mul.wide.u32 %t2, %x3, 4;
 add.u64 %t1, %t1, %t2;
 ld.global.u32 %x4, [%t1];
 and.b32 %x5, %x4, 1;
 setp.ne.u32 %act, %x5, 0;
 and.b32 %x5, %x4, 2;
 setp.ne.u32 %par, %x5, 0;
 mov.b64 %t3, blob;
 cvta.param.u64 %t3, %t3;
 @%par add.u64 %a, %a, %t3;
 cvt.u32.u64 %n, %a;
 ld.param.u64 %t4, [target];
 add.u32 %x6, %x1, 1;
 cvt.u64.u32 %t5, %x6;
 mul.lo.u64 %v0, %t5, 0x0101010101010101;
 add.u64 %v1, %v0, 1;
 add.u64 %v2, %v0, 2;
 add.u64 %v3, %v0, 3;
 and.b32 %x7, %x1, 3;
 shl.b32 %x7, %x7, 4;
 cvt.u64.u32 %t6, %x7;
 mov.u64 %t5, shared_data;
 add.u64 %t6, %t6, %t5;
 @%act INSTRUCTION;
 bar.sync 0;
 ld.param.u64 %t1, [values];
 mul.wide.u32 %t2, %x3, 32;
 add.u64 %t1, %t1, %t2;
 st.global.u64 [%t1], %v0;
 st.global.u64 [%t1+8], %v1;
 st.global.u64 [%t1+16], %v2;
 st.global.u64 [%t1+24], %v3;
 ld.param.u64 %t1, [memory];
 mul.wide.u32 %t2, %x3, 64;
 add.u64 %t1, %t1, %t2;
)";
    const char* space = access.where == Where::kLocal ? "local" : "shared";
    for (std::uint64_t word = 0; word < kRoom / 8; ++word) {
        const std::string offset = std::to_string(8 * word);
        text += std::string(" ld.") + space + ".u64 %t2, [" + space + "_data+" + offset + "];\n st.global.u64 [%t1+" +
                offset + "], %t2;\n";
    }
    text += " ret;\n}\n";
    text = replaced(text, "CONSTANTS", bytes_of(Where::kConstant));
    return replaced(text, "INSTRUCTION", access.text);
}

}  // namespace

std::uint8_t pattern(Where where, std::uint64_t offset) {
    return static_cast<std::uint8_t>(17 * (static_cast<unsigned>(where) + 1) + 3 * offset);
}

std::uint64_t register_pattern(unsigned lane, unsigned index) { return (lane + 1) * 0x0101010101010101u + index; }

Lab::Lab(const Access& access, bool on_after_faults) : access_(access) {
    SessionOptions options;
    options.device = "b200";  // accesses of 32 bytes begin with 10.0
    options.jobs = 1;
    options.on_after_faults = on_after_faults;
    auto session = Session::create(options);
    if (!session) throw std::runtime_error(render(session.errors()));
    session_ = std::move(*session);
    const auto module = session_->load_module(module_text(access), access.name);
    if (!module) throw std::runtime_error(render(module.errors()));
    kernel_ = *session_->find_kernel(*module, "k");
    constant_ = session_->find_variable(*module, "constant_data")->address;
    target_ = static_cast<std::uint8_t*>(session_->memory().allocate(kRoom, machine::AllocationKind::kDevice));
}

std::uint64_t Lab::base() const {
    if (access_.kind == Access::Kind::kCopyFrom || access_.where == Where::kGlobal) return global_base();
    if (access_.where == Where::kConstant) return access_.is_narrow ? constant_ & 0xffffffffu : constant_;
    return access_.where == Where::kShared ? kSharedBase : 0;
}

LaunchStatus Lab::launch(const std::vector<Lanes>& warps) {
    machine::Memory& memory = session_->memory();
    const std::size_t lanes = warps.size() * kLanes;
    const auto room = [&](std::size_t bytes) { return memory.allocate(bytes, machine::AllocationKind::kDevice); };
    auto* list = static_cast<std::uint64_t*>(room(8 * lanes));
    auto* flags = static_cast<std::uint32_t*>(room(4 * lanes));
    void* values = room(32 * lanes);
    void* after = room(kRoom * lanes);
    auto* const list_bytes = reinterpret_cast<std::uint64_t*>(memory.bytes(list));
    auto* const flag_bytes = reinterpret_cast<std::uint32_t*>(memory.bytes(flags));
    for (std::size_t i = 0; i < lanes; ++i) {
        const Address& address = warps[i / kLanes][i % kLanes];
        list_bytes[i] = address.value;
        flag_bytes[i] = (address.active ? 1u : 0u) | (address.from_parameters ? 2u : 0u);
    }
    for (std::uint64_t i = 0; i < kRoom; ++i) memory.bytes(target_)[i] = std::byte{pattern(Where::kGlobal, i)};
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = {static_cast<std::uint32_t>(warps.size()), 1, 1};
    request.block = {kLanes, 1, 1};
    const KernelInfo& info = session_->kernel_info(kernel_);
    std::vector<std::byte> parameters(info.parameter_bytes);
    const void* pointers[] = {list, flags, values, after, target_};
    for (std::size_t i = 0; i < 5; ++i) std::memcpy(parameters.data() + info.parameters[i].offset, &pointers[i], 8);
    // Parameters hold the pattern of generic memory.
    for (std::uint64_t i = 0; i < kRoom; ++i)
        parameters[info.parameters[5].offset + i] = static_cast<std::byte>(pattern(Where::kGeneric, i));
    request.parameters = parameters;
    const LaunchStatus status = session_->launch(request).status;
    values_.resize(4 * lanes);
    memory_.resize(kRoom * lanes);
    std::memcpy(values_.data(), memory.bytes(values), 32 * lanes);
    std::memcpy(memory_.data(), memory.bytes(after), kRoom * lanes);
    for (void* storage : {static_cast<void*>(list), static_cast<void*>(flags), values, after}) memory.release(storage);
    return status;
}

AloneOutcome Lab::run_alone(const Lanes& lanes) {
    const LaunchStatus status = launch({lanes});
    return {status, !session_->profile().launches.back().hazards.empty()};
}

Outcome Lab::run(const std::vector<Lanes>& warps) {
    if (launch(warps) != LaunchStatus::kOk) throw std::runtime_error(access_.name + ": the launch ended early");
    Outcome outcome;
    outcome.values.resize(warps.size() * kLanes);
    outcome.memory.resize(warps.size() * kLanes);
    std::memcpy(outcome.values.data(), values_.data(), 8 * values_.size());
    std::memcpy(outcome.memory.data(), memory_.data(), memory_.size());
    std::memcpy(outcome.global.data(), session_->memory().bytes(target_), kRoom);
    for (const Hazard& hazard : session_->profile().launches.back().hazards)
        (hazard.kind == HazardKind::kMisaligned ? outcome.misaligned : outcome.outside) += hazard.count;
    return outcome;
}

}  // namespace tilescope::wall
