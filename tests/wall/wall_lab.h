// A kernel whose every lane makes one access at an address of the test's choice, and what must come of it.
//
// Owns: Place (an address by space), Access (an instruction), Warp (32 addresses) and Lab, which runs many warps in one
// launch, each a block of its own, that goes on after faults. Guarantees: the oracle looks at one lane at a time and
// shares nothing with the machine's checks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scope/session/session.h"

namespace tilescope::wall {

inline constexpr std::uint64_t kRoom = 64;  // bytes of the arrays in every space
inline constexpr std::uint64_t kSharedWindow = 0xa000000000000000, kLocalWindow = 0xb000000000000000;
inline constexpr std::uint64_t kSharedBase = 1024;  // address of a block's first byte of shared memory
inline constexpr unsigned kLanes = 32;

enum class Where : std::uint8_t { kGlobal, kShared, kLocal, kConstant, kGeneric };

struct Access {
    std::string name;
    std::string text;  // the instruction; %a is the address, %n its low 32 bits, %v0 to %v3 the values
    Where where = Where::kGlobal;
    unsigned width = 4;
    enum class Kind : std::uint8_t { kLoad, kStore, kAdd, kCopyTo, kCopyFrom } kind = Kind::kLoad;
    bool is_narrow = false;    // 32-bit addresses
    bool gives_result = true;  // kAdd: atom, not red
};

// One lane's address. Parameters lie elsewhere in every launch: offsets from their first byte.
struct Address {
    std::uint64_t value = 0;
    bool from_parameters = false, active = true;
};
using Lanes = std::array<Address, kLanes>;

struct Outcome {
    std::vector<std::array<std::uint64_t, 4>> values;     // by lane of all warps: the registers afterwards
    std::vector<std::array<std::uint8_t, kRoom>> memory;  // likewise: shared memory, or the lane's stack, afterwards
    std::array<std::uint8_t, kRoom> global{};
    std::uint64_t misaligned = 0, outside = 0;  // accesses
    std::uint64_t unnoticed = 0;                // of those outside, that end no launch, as on a card: expected() alone
    bool operator==(const Outcome&) const = default;
};

// Of one warp in a launch that ends at its first fault.
struct AloneOutcome {
    LaunchStatus status = LaunchStatus::kOk;
    bool told = false;  // something was found
    bool operator==(const AloneOutcome&) const = default;
};

class Lab {
public:
    Lab(const Access& access, bool on_after_faults);

    // Where the array lies that the access may touch; 0 for shared and local memory.
    std::uint64_t base() const;
    std::uint64_t global_base() const { return reinterpret_cast<std::uint64_t>(target_); }
    // Runs one warp for each entry.
    Outcome run(const std::vector<Lanes>& warps);
    Outcome expected(const std::vector<Lanes>& warps) const;
    // For labs that stop at faults.
    AloneOutcome run_alone(const Lanes& lanes);

private:
    LaunchStatus launch(const std::vector<Lanes>& warps);

    Access access_;
    std::unique_ptr<Session> session_;
    KernelId kernel_ = 0;
    std::uint8_t* target_ = nullptr;
    std::uint64_t constant_ = 0;
    std::vector<std::uint64_t> values_;
    std::vector<std::uint8_t> memory_;
};

// What the arrays hold before each launch; shared memory and stacks before each warp.
std::uint8_t pattern(Where where, std::uint64_t offset);
// What registers hold before the access.
std::uint64_t register_pattern(unsigned lane, unsigned index);

}  // namespace tilescope::wall
