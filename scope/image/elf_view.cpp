#include "scope/image/elf_view.h"

#include <elf.h>

#include <cstring>

#include "scope/image/bytes.h"

namespace tilescope::image {
namespace {

Bytes part(Bytes bytes, std::uint64_t at, std::uint64_t size) {
    if (at > bytes.size() || size > bytes.size() - at) return {};
    return bytes.subspan(at, size);
}

// The NUL-terminated string at an offset; empty where there is none.
std::string_view c_string_at(Bytes table, std::uint64_t at) {
    if (at >= table.size()) return {};
    const char* start = reinterpret_cast<const char*>(table.data()) + at;
    const void* end = std::memchr(start, '\0', table.size() - at);
    if (end == nullptr) return {};
    return {start, static_cast<std::size_t>(static_cast<const char*>(end) - start)};
}

}  // namespace

std::optional<ElfView> ElfView::open(Bytes bytes) {
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return std::nullopt;
    ElfView view;
    view.type_ = header->e_type;
    view.machine_ = header->e_machine;
    view.flags_ = header->e_flags;
    view.abi_version_ = header->e_ident[EI_ABIVERSION];
    const auto section_header = [&](std::uint64_t index) {
        return read_at<Elf64_Shdr>(bytes, header->e_shoff + index * sizeof(Elf64_Shdr));
    };
    if (header->e_shoff == 0 || header->e_shoff > bytes.size()) return view;
    if (header->e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
    // Many sections: the first header holds the counts.
    const auto first = section_header(0);
    if (!first) return std::nullopt;
    const std::uint64_t count = header->e_shnum != 0 ? header->e_shnum : first->sh_size;
    if (count > bytes.size() / sizeof(Elf64_Shdr)) return std::nullopt;
    const auto names = section_header(header->e_shstrndx == SHN_XINDEX ? first->sh_link : header->e_shstrndx);
    const Bytes name_table = names ? part(bytes, names->sh_offset, names->sh_size) : Bytes();
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto section = section_header(i);
        if (!section) return std::nullopt;
        const Bytes contents =
            section->sh_type == SHT_NOBITS ? Bytes() : part(bytes, section->sh_offset, section->sh_size);
        view.sections_.push_back({c_string_at(name_table, section->sh_name), section->sh_type, section->sh_link,
                                  section->sh_info, section->sh_size, contents});
        view.by_name_.emplace(view.sections_.back().name, view.sections_.size() - 1);
    }
    return view;
}

const ElfSection* ElfView::find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &sections_[found->second];
}

std::vector<ElfSymbol> ElfView::symbols() const {
    std::vector<ElfSymbol> symbols;
    for (const ElfSection& section : sections_) {
        if (section.type != SHT_SYMTAB || section.link >= sections_.size()) continue;
        const Bytes names = sections_[section.link].contents;
        for (std::uint64_t at = 0; at < section.contents.size(); at += sizeof(Elf64_Sym)) {
            const auto symbol = read_at<Elf64_Sym>(section.contents, at);
            if (!symbol) break;
            symbols.push_back({c_string_at(names, symbol->st_name), static_cast<unsigned char>(symbol->st_info & 15),
                               symbol->st_other, symbol->st_shndx, symbol->st_value, symbol->st_size,
                               symbol->st_info >> 4 == STB_LOCAL});
        }
        break;
    }
    return symbols;
}

std::vector<std::string> ElfView::needed() const {
    std::vector<std::string> names;
    for (const ElfSection& section : sections_) {
        if (section.type != SHT_DYNAMIC || section.link >= sections_.size()) continue;
        const Bytes strings = sections_[section.link].contents;
        for (std::uint64_t at = 0; at < section.contents.size(); at += sizeof(Elf64_Dyn)) {
            const auto entry = read_at<Elf64_Dyn>(section.contents, at);
            if (!entry || entry->d_tag == DT_NULL) break;
            if (entry->d_tag == DT_NEEDED) names.emplace_back(c_string_at(strings, entry->d_un.d_val));
        }
    }
    return names;
}

}  // namespace tilescope::image
