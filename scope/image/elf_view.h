// A 64-bit little-endian ELF file in memory, as far as cubins and executables need it.
//
// Guarantees: never reads outside the bytes; a section that lies outside them is not listed with contents.
// Does not model: 32-bit or big-endian files, compressed sections, relocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilescope::image {

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    std::uint64_t size = 0;               // as stated; of NOBITS sections too
    std::span<const std::byte> contents;  // empty for NOBITS
};

struct ElfSymbol {
    std::string_view name;
    unsigned char type = 0;  // STT_FUNC...
    unsigned char other = 0;
    std::uint16_t section = 0;
    std::uint64_t value = 0, size = 0;
    bool is_local = false;  // known to its file alone
};

class ElfView {
public:
    // nullopt: not such a file. The bytes must outlive the view.
    static std::optional<ElfView> open(std::span<const std::byte> bytes);

    std::uint16_t type() const { return type_; }
    std::uint16_t machine() const { return machine_; }
    std::uint32_t flags() const { return flags_; }
    unsigned abi_version() const { return abi_version_; }
    const std::vector<ElfSection>& sections() const { return sections_; }
    const ElfSection* find(std::string_view name) const;

    std::vector<ElfSymbol> symbols() const;
    // DT_NEEDED of the dynamic section.
    std::vector<std::string> needed() const;

private:
    std::uint16_t type_ = 0, machine_ = 0;
    std::uint32_t flags_ = 0;
    unsigned abi_version_ = 0;
    std::vector<ElfSection> sections_;
    std::unordered_map<std::string_view, std::size_t> by_name_;  // the first of that name
};

}  // namespace tilescope::image
