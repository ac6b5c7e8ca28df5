// The arguments of a kernel as `launch --arg` spells them.
//
//   i32=5  u64=0x10  float=1.5  buffer:f16[64]=ones  buffer:f32[1024x1024]=random  buffer:i32[8]=iota
//   buffer:f64=@input.npy
//
// Owns: LaunchArgument, its parser, its initial contents and the match against a kernel's parameters. Guarantees: sizes
// are checked before anything is allocated; random contents depend only on the argument's position and type. Does not
// model: structures by value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/session/session.h"

namespace tilescope::cli {

enum class ElementType : std::uint8_t {
    kI8,
    kU8,
    kI16,
    kU16,
    kI32,
    kU32,
    kI64,
    kU64,
    kF16,
    kBf16,
    kF8e4m3,
    kF8e5m2,
    kF32,
    kF64
};

struct ElementInfo {
    const char* name;
    char npy_kind;  // NumPy has no bfloat16 and no 8-bit floating point: files hold their bits as unsigned integers
    unsigned bytes;
    bool is_float;
};
const ElementInfo& element_info(ElementType type);

enum class Fill : std::uint8_t { kZeros, kOnes, kIota, kRandom, kFile };

struct LaunchArgument {
    std::string text;  // as given
    ElementType type = ElementType::kI32;
    bool is_buffer = false;
    std::array<std::byte, 8> value{};  // a scalar's, little-endian
    std::vector<std::uint64_t> shape;  // a buffer's
    std::uint64_t bytes = 0;           // of all elements
    Fill fill = Fill::kZeros;
    std::vector<std::byte> contents;  // kFile
};

// Reads the file of a buffer that names one.
Result<LaunchArgument> parse_argument(const std::string& text);

// Writes the buffer's initial contents; `into` has argument.bytes bytes of zeros. `position` seeds random contents:
// floating point uniform in [0, 1), integers 0 to 99.
void fill(const LaunchArgument& argument, std::size_t position, std::span<std::byte> into);

// The parameter buffer of a launch. addresses[i] is where buffer argument i lies. Fails with the kernel's parameters
// listed when the arguments are not as many, or not of the sizes, that it takes.
Result<std::vector<std::byte>> bind_parameters(const KernelInfo& kernel, std::span<const LaunchArgument> arguments,
                                               std::span<const std::uint64_t> addresses);

// "INDEX=FILE.npy": which argument to save where.
struct SaveRequest {
    std::size_t index = 0;
    std::string file;
};
Result<SaveRequest> parse_save(const std::string& text, std::span<const LaunchArgument> arguments);

}  // namespace tilescope::cli
