// What must come of an access, lane by lane.
#include <cstring>
#include <optional>

#include "tests/wall/wall_lab.h"

namespace tilescope::wall {
namespace {

using Bytes = std::array<std::uint8_t, kRoom>;

Bytes filled(Where where) {
    Bytes bytes;
    for (std::uint64_t i = 0; i < kRoom; ++i) bytes[i] = pattern(where, i);
    return bytes;
}

// Everything that one warp may touch.
struct Memory {
    Bytes shared = filled(Where::kShared), constant = filled(Where::kConstant), parameters = filled(Where::kGeneric);
    std::array<Bytes, kLanes> local;
    Bytes* global = nullptr;
    std::uint64_t global_base = 0, constant_base = 0;
};

// The bytes that an address means; nothing when there are none, or not enough of them.
std::uint8_t* bytes_at(Memory& memory, Where where, const Address& address, unsigned lane, unsigned width, bool writes,
                       bool is_atomic, bool narrow) {
    Bytes* array = nullptr;
    std::uint64_t offset = narrow ? address.value & 0xffffffffu : address.value;
    if (where == Where::kGeneric) {
        if (address.from_parameters) {
            if (writes) return nullptr;
            return offset <= kRoom - width ? memory.parameters.data() + offset : nullptr;
        }
        where = Where::kGlobal;
        if (offset >= kSharedWindow && offset - kSharedWindow < (std::uint64_t{1} << 32)) {
            where = Where::kShared;
            offset -= kSharedWindow;
        } else if (offset >= kLocalWindow && offset - kLocalWindow < (std::uint64_t{1} << 32)) {
            where = Where::kLocal;
            offset -= kLocalWindow;
        }
    }
    if (where == Where::kLocal && is_atomic) return nullptr;  // atomics know global and shared memory only
    switch (where) {
        case Where::kShared:
            array = &memory.shared;
            offset -= kSharedBase;
            break;
        case Where::kLocal: array = &memory.local[lane]; break;
        case Where::kConstant:
            array = &memory.constant;
            offset -= narrow ? memory.constant_base & 0xffffffffu : memory.constant_base;
            break;
        default:
            array = memory.global;
            offset -= memory.global_base;
            break;
    }
    if (offset > kRoom - width) return nullptr;
    return array->data() + offset;
}

// The driver's part of shared memory lies below a block's: H100 and H200 take accesses there in silence.
bool is_drivers(Where where, const Address& address, bool narrow) {
    constexpr std::uint64_t kDrivers = 1024;
    std::uint64_t offset = narrow ? address.value & 0xffffffffu : address.value;
    if (where == Where::kGeneric && !address.from_parameters) offset -= kSharedWindow;
    return (where == Where::kShared || where == Where::kGeneric) && offset < kDrivers;
}

struct Lane {
    unsigned number = 0;
    std::array<std::uint64_t, 4>& values;
};

void move(const Access& access, std::uint8_t* at, Lane lane, Memory& memory) {
    const unsigned element = access.width > 8 ? 8 : access.width, count = access.width / element;
    switch (access.kind) {
        case Access::Kind::kLoad:
            for (unsigned k = 0; k < count; ++k) {
                lane.values[k] = 0;
                if (at) std::memcpy(&lane.values[k], at + k * element, element);
            }
            break;
        case Access::Kind::kStore:
            for (unsigned k = 0; at && k < count; ++k) std::memcpy(at + k * element, &lane.values[k], element);
            break;
        case Access::Kind::kAdd: {
            std::uint64_t old = 0;
            if (at) {
                std::memcpy(&old, at, access.width);
                const std::uint64_t sum = old + lane.values[0];
                std::memcpy(at, &sum, access.width);
            }
            if (access.gives_result) lane.values[1] = old;
            break;
        }
        case Access::Kind::kCopyTo:  // from the start of the global array
            if (at) std::memcpy(at, memory.global->data(), access.width);
            break;
        case Access::Kind::kCopyFrom:  // to shared memory, each lane of four in a row of its own
            std::memset(memory.shared.data() + 16 * (lane.number % 4), 0, access.width);
            if (at) std::memcpy(memory.shared.data() + 16 * (lane.number % 4), at, access.width);
            break;
    }
}

}  // namespace

Outcome Lab::expected(const std::vector<Lanes>& warps) const {
    Outcome outcome;
    outcome.global = filled(Where::kGlobal);
    for (const Lanes& lanes : warps) {
        Memory memory;
        memory.local.fill(filled(Where::kLocal));
        memory.global = &outcome.global;
        memory.global_base = global_base();
        memory.constant_base = constant_;
        const bool writes = access_.kind == Access::Kind::kStore || access_.kind == Access::Kind::kAdd;
        const Where where = access_.kind == Access::Kind::kCopyFrom ? Where::kGlobal : access_.where;
        for (unsigned i = 0; i < kLanes; ++i) {
            std::array<std::uint64_t, 4> values{};
            for (unsigned k = 0; k < 4; ++k) values[k] = register_pattern(i, k);
            if (lanes[i].active) {
                std::uint8_t* at = nullptr;
                // The parameters' array is aligned, so an offset tells.
                if (lanes[i].value % access_.width != 0)
                    ++outcome.misaligned;
                else if (at = bytes_at(memory, where, lanes[i], i, access_.width, writes,
                                       access_.kind == Access::Kind::kAdd, access_.is_narrow);
                         !at) {
                    ++outcome.outside;
                    if (is_drivers(where, lanes[i], access_.is_narrow)) ++outcome.unnoticed;
                }
                move(access_, at, {i, values}, memory);
            }
            outcome.values.push_back(values);
        }
        for (unsigned i = 0; i < kLanes; ++i)
            outcome.memory.push_back(access_.where == Where::kLocal ? memory.local[i] : memory.shared);
    }
    return outcome;
}

}  // namespace tilescope::wall
