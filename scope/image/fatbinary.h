// Fat binary containers: what nvcc and clang embed in a program, one entry for each form and architecture of its code.
//
// Owns: the layout of the container, reading it out of untrusted bytes and writing one.
// Guarantees: never reads outside the bytes given; payloads come back decompressed (lz4 of CUDA up to 12, zstd of 12.8
//   and later); at most kMaxPayload bytes each and kMaxTotal together.
// Does not model: LTO intermediate code, relocatable device code and index entries: they are listed with their kind and
//   raw payload, for the caller to name.
// The layout is that of the files which nvcc 11 to 13 write; NVIDIA publishes no description of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::image {

inline constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
inline constexpr std::uint32_t kFatbinWrapperMagic = 0x466243B1;
inline constexpr std::size_t kFatbinHeaderBytes = 16;
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 30;
inline constexpr std::size_t kMaxTotal = std::size_t{2} << 30;

// What .nvFatBinSegment holds and __cudaRegisterFatBinary is handed.
struct FatbinWrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const void* container;
    void* prelinked;
};

enum class FatKind : std::uint16_t { kPtx = 1, kCubin = 2, kOther = 0 };

struct FatEntry {
    FatKind kind = FatKind::kOther;
    std::uint16_t raw_kind = 0;    // as stored
    unsigned sm = 0;               // 90 for sm_90 and compute_90
    bool arch_specific = false;    // compute_90a: for that very device only
    bool family_specific = false;  // compute_100f: for that family only
    std::string name;              // the source file's name, where stored
    std::string options;           // ptxas options stored beside PTX
    std::vector<std::byte> payload;

    // The payload as text, up to the first NUL.
    std::string_view text() const;
};

// Bytes of the container whose header is at `header`, header included; 0 if the magic or the version is not a
// container's. Reads kFatbinHeaderBytes bytes. A registered container has no other length: a caller that trusts the
// process's own image parses {header, container_size(header)}.
std::size_t container_size(const void* header);

// All entries of the container, or of several that follow one another (padded to 8 bytes), as in section .nv_fatbin.
// Diagnostics: "image-fatbin" for bytes that are not a container, or are truncated or damaged.
Result<std::vector<FatEntry>> parse_fatbinary(std::span<const std::byte> bytes, const std::string& file = {});

// A container with one uncompressed PTX entry for compute_`sm`; CUDA's driver accepts it too. `ptx_version` is 10 times
// the .version of the text, 78 for 7.8.
std::vector<std::byte> write_fatbinary(std::string_view ptx, unsigned sm, unsigned ptx_version,
                                       std::string_view name = {}, std::string_view options = {});

}  // namespace tilescope::image
