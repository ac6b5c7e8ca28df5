#include "scope/image/container_object.h"

#include <elf.h>

#include <array>
#include <cstring>

namespace tilescope::image {
namespace {

constexpr std::string_view kSectionOfContainers = ", section \".nv_fatbin\"";

void append(std::vector<std::byte>& out, const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    out.insert(out.end(), bytes, bytes + size);
}

void align(std::vector<std::byte>& out, std::size_t to) { out.resize((out.size() + to - 1) / to * to); }

// What a host half says of its stand-in: "@1 = private constant [35 x i8] c"...", section ".nv_fatbin", align 8".
struct StandIn {
    std::string_view name;    // "@1"
    std::string_view type;    // "[35 x i8]"
    std::size_t text, after;  // from the string to what follows its section
};

std::optional<StandIn> stand_in_of(std::string_view ir, std::size_t at) {
    const std::size_t start = ir.rfind('\n', at) + 1;  // 0 where there is none before
    const std::string_view line = ir.substr(start, ir.find('\n', at) - start);
    constexpr std::string_view kDefines = " = private constant ";
    const std::size_t defines = line.find(kDefines), string = line.find(" c\""),
                      section = line.find(kSectionOfContainers);
    if (!line.starts_with('@') || defines == line.npos || string == line.npos || section == line.npos)
        return std::nullopt;
    const std::size_t type = defines + kDefines.size();
    return StandIn{line.substr(0, defines), line.substr(type, string - type), start + string + 1,
                   start + section + kSectionOfContainers.size()};
}

}  // namespace

std::optional<std::string> with_container_outside(std::string_view host_ir, const std::string& symbol) {
    const std::size_t at = host_ir.find(kContainerStandIn);
    if (at == host_ir.npos) return std::string(host_ir);
    const auto found = stand_in_of(host_ir, at);
    if (!found) return std::nullopt;
    // The wrapper that registration hands over: "@__cuda_fatbin_wrapper = internal constant { ... } { ..., ptr @1,
    // ...".
    const std::size_t wrapper = host_ir.find("\n@__cuda_fatbin_wrapper = ");
    if (wrapper == host_ir.npos || wrapper < at) return std::nullopt;
    const std::size_t end = host_ir.find('\n', wrapper + 1);
    const std::size_t use = host_ir.find(std::string(found->name) + ",", wrapper);
    if (use == host_ir.npos || use > end) return std::nullopt;
    std::string out;
    out.reserve(host_ir.size() + symbol.size());
    out += host_ir.substr(0, found->text);
    out += "zeroinitializer";  // and in no section: the optimizer drops what nobody points to
    out += host_ir.substr(found->after, wrapper + 1 - found->after);
    out += "@" + symbol + " = external hidden constant " + std::string(found->type) + "\n";
    out += host_ir.substr(wrapper + 1, use - wrapper - 1);
    out += "@" + symbol;
    out += host_ir.substr(use + found->name.size());
    return out;
}

std::vector<std::byte> container_object(std::span<const std::byte> container, const std::string& symbol) {
    enum Section : std::uint16_t { kNone, kContainer, kStack, kSymbols, kNames, kSections };
    constexpr std::size_t kAlignment = 16;
    std::string names(1, '\0');
    const auto name = [&](const std::string& text) {
        const auto place = static_cast<Elf64_Word>(names.size());
        names += text + '\0';
        return place;
    };
    std::array<Elf64_Shdr, kSections> sections{};
    sections[kContainer].sh_name = name(".nv_fatbin");
    sections[kStack].sh_name = name(".note.GNU-stack");  // without it the program's stack would be executable
    sections[kSymbols].sh_name = name(".symtab");
    sections[kNames].sh_name = name(".strtab");
    std::array<Elf64_Sym, 2> symbols{};
    symbols[1] = {name(symbol), ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), STV_HIDDEN, kContainer, 0, container.size()};

    std::vector<std::byte> out(sizeof(Elf64_Ehdr));
    const auto put = [&](Section section, Elf64_Word type, std::size_t alignment, const void* from, std::size_t size) {
        align(out, alignment);
        sections[section].sh_type = type;
        sections[section].sh_addralign = alignment;
        sections[section].sh_offset = out.size();
        sections[section].sh_size = size;
        append(out, from, size);
    };
    put(kContainer, SHT_PROGBITS, kAlignment, container.data(), container.size());
    sections[kContainer].sh_flags = SHF_ALLOC;
    put(kStack, SHT_PROGBITS, 1, "", 0);
    put(kSymbols, SHT_SYMTAB, alignof(Elf64_Sym), symbols.data(), sizeof symbols);
    sections[kSymbols].sh_entsize = sizeof(Elf64_Sym);
    sections[kSymbols].sh_link = kNames;
    sections[kSymbols].sh_info = 1;  // the first that is not local
    put(kNames, SHT_STRTAB, 1, names.data(), names.size());
    align(out, alignof(Elf64_Shdr));

    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_type = ET_REL;
    head.e_machine = EM_X86_64;
    head.e_version = EV_CURRENT;
    head.e_ehsize = sizeof(Elf64_Ehdr);
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = kSections;
    head.e_shstrndx = kNames;
    head.e_shoff = out.size();
    std::memcpy(out.data(), &head, sizeof head);
    append(out, sections.data(), sizeof sections);
    return out;
}

}  // namespace tilescope::image
