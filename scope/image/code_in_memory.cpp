#include "scope/image/code_in_memory.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace tilescope::image {
namespace {

// As far as they are there.
template <class T>
bool read_first(const void* code, std::optional<std::size_t> bytes, T& out) {
    if (bytes && *bytes < sizeof out) return false;
    std::memcpy(&out, code, sizeof out);
    return true;
}

bool begins(const void* code, std::optional<std::size_t> bytes, std::string_view with) {
    const auto* const text = static_cast<const char*>(code);
    if (bytes && *bytes < with.size()) return false;
    for (std::size_t i = 0; i < with.size(); ++i)
        if (text[i] != with[i]) return false;  // one by one: a text may be shorter
    return true;
}

constexpr std::string_view kElfMagic = "\177ELF";

// A container's, or a wrapper's around one.
bool has_magic(const void* code, std::optional<std::size_t> bytes) {
    return begins(code, bytes, "\x50\xed\x55\xba") || begins(code, bytes, "\xb1\x43\x62\x46");
}

std::string_view text_of(const void* code, std::optional<std::size_t> bytes) {
    const auto* const text = static_cast<const char*>(code);
    return {text, bytes ? strnlen(text, *bytes) : std::strlen(text)};
}

Result<LoadedImage> from_container(const void* container, std::optional<std::size_t> bytes, const std::string& name,
                                   unsigned device_sm, bool ask_ptxas) {
    const SourceLocation at{name, 0, 0};
    if (bytes && *bytes < kFatbinHeaderBytes) return error("image-fatbin", at, "this fat binary is cut off");
    const std::size_t whole = container_size(container);
    if (whole == 0 || (bytes && whole > *bytes))
        return error("image-fatbin", at, "this fat binary is cut off, or has a form that is not known");
    const auto entries = parse_fatbinary({static_cast<const std::byte*>(container), whole}, name);
    if (!entries) return entries.errors();
    return load_entries(*entries, name, device_sm, ask_ptxas);
}

}  // namespace

Result<LoadedImage> load_code(const void* code, std::optional<std::size_t> bytes, const std::string& name,
                              unsigned device_sm, bool ask_ptxas) {
    const SourceLocation at{name, 0, 0};
    std::uint32_t magic = 0;
    if (has_magic(code, bytes) && read_first(code, bytes, magic)) {
        if (magic == kFatbinMagic) return from_container(code, bytes, name, device_sm, ask_ptxas);
        FatbinWrapper wrapper{};
        if (!bytes && read_first(code, bytes, wrapper) && wrapper.container != nullptr)
            return from_container(wrapper.container, std::nullopt, name, device_sm, ask_ptxas);
    }
    if (begins(code, bytes, kElfMagic))
        return error("image-no-ptx", at, "this is a cubin: machine code for GPUs, with no PTX beside it",
                     "load PTX (nvcc -ptx), or a fat binary that holds it (nvcc -fatbin -gencode "
                     "arch=compute_90,code=compute_90)");
    const std::string_view text = text_of(code, bytes);
    if (text.find(".version") == std::string_view::npos)
        return error("image-unknown", at, "this is neither PTX nor a fat binary nor a cubin");
    FatEntry entry;
    entry.kind = FatKind::kPtx;
    entry.sm = ptx_target_of(text);
    entry.arch_specific = ptx_target_suffix_of(text) == 'a';
    entry.family_specific = ptx_target_suffix_of(text) == 'f';
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    entry.payload.assign(first, first + text.size());
    return load_entries({entry}, name, device_sm, ask_ptxas);
}

bool is_text(const void* code, std::optional<std::size_t> bytes) {
    return !has_magic(code, bytes) && !begins(code, bytes, kElfMagic);
}

std::vector<std::byte> container_of_ptx(const std::string& ptx, unsigned device_sm, const std::string& options) {
    constexpr unsigned kAnyVersion = 78;
    const unsigned target = ptx_target_of(ptx);
    return write_fatbinary(ptx, target != 0 ? target : device_sm, kAnyVersion, {}, options);
}

}  // namespace tilescope::image
