#include "scope/image/host_code.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "scope/base/source_paths.h"

namespace tilescope::image {
namespace {

struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
};

// Nothing beside the file itself: neither separate debug files nor a server that has them.
int no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
    return -1;
}

std::string file_of(Dwfl_Module* module) {
    const char* name = dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return name == nullptr ? std::string() : name;
}

std::string readable(const char* name) {
    if (name == nullptr) return {};
    int failed = 0;
    const std::unique_ptr<char, FreeDeleter> text(abi::__cxa_demangle(name, nullptr, nullptr, &failed));
    return failed == 0 ? text.get() : name;
}

// The compilation unit at an address. Not every compiler writes an index, so all are asked.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
        if (dwarf_haspc(unit, address - bias) == 1) return unit;
    return nullptr;
}

// The scopes around an address as the code lies, innermost first: inlined calls, then the function.
std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, Dwarf_Addr address) {
    std::vector<Dwarf_Die> result;
    Dwarf_Die* innermost = nullptr;
    if (dwarf_getscopes(unit, address, &innermost) <= 0) return result;
    const std::unique_ptr<Dwarf_Die, FreeDeleter> kept(innermost);
    Dwarf_Die* around = nullptr;
    const int count = dwarf_getscopes_die(innermost, &around);
    const std::unique_ptr<Dwarf_Die, FreeDeleter> kept_too(around);
    for (int i = 0; i < count; ++i) {
        const int tag = dwarf_tag(&around[i]);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) result.push_back(around[i]);
    }
    return result;
}

std::string name_of(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute) != nullptr)
        return readable(dwarf_formstring(&attribute));
    return readable(dwarf_diename(&function));
}

Dwarf_Word number_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
    return value;
}

// Compilers write files below the folder they ran in without that folder.
std::string whole_path(Dwarf_Die* unit, const char* file) {
    if (file == nullptr || *file == '/') return file == nullptr ? std::string() : file;
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    return folder == nullptr ? file : std::string(folder) + "/" + file;
}

// From the line at an address of the unit outwards through inlined calls, to the first that is the program's own.
std::optional<HostLine> line_at(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Line* const line = dwarf_getsrc_die(unit, address);
    if (line == nullptr) return std::nullopt;
    int number = 0;
    dwarf_lineno(line, &number);
    std::string file = whole_path(unit, dwarf_linesrc(line, nullptr, nullptr));
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    dwarf_getsrcfiles(unit, &files, &file_count);
    for (Dwarf_Die& scope : scopes_at(unit, address)) {
        if (!file.empty() && number > 0 && !is_library_source(file))
            return HostLine{name_of(scope), file, static_cast<std::uint32_t>(number), 0};
        if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) return std::nullopt;
        number = static_cast<int>(number_of(scope, DW_AT_call_line));
        const Dwarf_Word caller = number_of(scope, DW_AT_call_file);
        file = whole_path(unit, caller < file_count ? dwarf_filesrc(files, caller, nullptr, nullptr) : nullptr);
    }
    if (file.empty() || number <= 0 || is_library_source(file)) return std::nullopt;
    return HostLine{{}, file, static_cast<std::uint32_t>(number), 0};
}

// Where there are only names to go by: what a compiler made of a standard header, and what calls main().
bool is_library_function(std::string_view name) {
    return name == "_start" || name.substr(0, name.find_first_of("(<")).find("std::") != std::string_view::npos;
}

HostLine symbol_at(Dwfl_Module* module, Dwarf_Addr address) {
    HostLine line;
    line.file = file_of(module);
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    if (const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr)) {
        line.function = readable(name);
        line.offset = offset;
        return line;
    }
    Dwarf_Addr start = 0;
    dwfl_module_info(module, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
    line.offset = address - start;
    return line;
}

}  // namespace

void HostCode::End::operator()(Dwfl* code) const { dwfl_end(code); }

template <class Report>
HostCode::HostCode(Dwfl* all, Report report) : code_(all) {
    if (all == nullptr) return;
    dwfl_report_begin(all);
    report(all);
    dwfl_report_end(all, nullptr, nullptr);
}

HostCode HostCode::of_this_process(const void* not_in) {
    static constexpr Dwfl_Callbacks kCallbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = no_separate_file,
        .section_address = nullptr,
        .debuginfo_path = nullptr,
    };
    HostCode code(dwfl_begin(&kCallbacks), [](Dwfl* all) { dwfl_linux_proc_report(all, getpid()); });
    code.not_in_ = reinterpret_cast<std::uint64_t>(not_in);
    return code;
}

HostCode HostCode::of_file(const std::filesystem::path& file) {
    static constexpr Dwfl_Callbacks kCallbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = no_separate_file,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = nullptr,
    };
    return {dwfl_begin(&kCallbacks), [&](Dwfl* all) {
                constexpr bool kAtLinkedAddresses = true;
                dwfl_report_elf(all, file.c_str(), file.c_str(), -1, 0, kAtLinkedAddresses);
            }};
}

// The system's libraries, and the one that asks.
bool HostCode::is_library(Dwfl_Module* module) const {
    static constexpr std::array<std::string_view, 4> kFolders = {"/lib", "/usr/lib", "/usr/local/cuda", "[vdso"};
    Dwarf_Addr start = 0, end = 0;
    dwfl_module_info(module, nullptr, &start, &end, nullptr, nullptr, nullptr, nullptr);
    if (not_in_ != 0 && not_in_ >= start && not_in_ < end) return true;
    const std::string file = file_of(module);
    return std::any_of(kFolders.begin(), kFolders.end(),
                       [&](std::string_view folder) { return file.starts_with(folder); });
}

std::optional<HostLine> HostCode::own_line(std::span<const std::uint64_t> instructions) const {
    std::optional<HostLine> unlined;
    for (const Dwarf_Addr address : instructions) {
        Dwfl_Module* const module = code_ ? dwfl_addrmodule(code_.get(), address) : nullptr;
        if (module == nullptr || is_library(module)) continue;
        Dwarf_Addr bias = 0;
        Dwarf_Die* const unit = unit_at(module, address, bias);
        if (unit == nullptr) {
            HostLine symbol = symbol_at(module, address);
            if (!unlined && !is_library_function(symbol.function)) unlined = std::move(symbol);
            continue;
        }
        if (auto line = line_at(unit, address - bias)) {
            // Tables of lines alone do not name functions.
            if (line->function.empty()) line->function = symbol_at(module, address).function;
            return line;
        }
    }
    return unlined;
}

}  // namespace tilescope::image
