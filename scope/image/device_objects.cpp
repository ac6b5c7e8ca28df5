#include "scope/image/device_objects.h"

#include <ar.h>
#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "scope/image/bytes.h"
#include "scope/image/elf_view.h"

namespace tilescope::image {
namespace {

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string_view without_spaces(std::string_view field) {
    const std::size_t end = field.find_last_not_of(' ');
    return field.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

std::optional<std::size_t> number(std::string_view field) {
    field = without_spaces(field);
    std::size_t value = 0;
    const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (failure != std::errc() || end != field.data() + field.size()) return std::nullopt;
    return value;
}

// "main.o" of "main.o/", or of "/12", which is a place in the table of long names.
std::string member_name(std::string_view field, std::string_view long_names) {
    field = without_spaces(field);
    if (field.size() > 1 && field[0] == '/')
        if (const auto at = number(field.substr(1)); at && *at < long_names.size())
            field = long_names.substr(*at, long_names.find('\n', *at) - *at);
    return std::string(field.substr(0, field.find('/')));
}

// The containers of one section, each by itself.
Status add_code(const ElfSection& section, const std::string& name, std::vector<ObjectCode>& code) {
    Bytes rest = section.contents;
    while (!rest.empty()) {
        const std::size_t stated = rest.size() < kFatbinHeaderBytes ? 0 : container_size(rest.data());
        // Whatever is wrong with it is the reader's to say; so is what stands between containers.
        const std::size_t size = stated == 0 ? rest.size() : std::min(stated, rest.size());
        auto entries = parse_fatbinary(rest.first(size), name);
        if (!entries) return entries.errors();
        code.push_back({section.name == "__nv_relfatbin", std::move(entries).value()});
        rest = rest.subspan(std::min((size + 7) / 8 * 8, rest.size()));
        // Sections are padded to what they are aligned to.
        while (!rest.empty() && rest.front() == std::byte{0}) rest = rest.subspan(1);
    }
    return Success{};
}

void add_names(const ElfView& elf, DeviceObject& object) {
    for (const ElfSymbol& symbol : elf.symbols()) {
        if (symbol.name.empty()) continue;
        (symbol.section == SHN_UNDEF ? object.undefined : object.defined).emplace_back(symbol.name);
    }
}

Status add_object(Bytes bytes, const std::string& name, std::vector<DeviceObject>& objects) {
    const auto elf = ElfView::open(bytes);
    if (!elf) return Success{};
    DeviceObject object{name, {}, {}, {}};
    for (const ElfSection& section : elf->sections()) {
        if (section.name != "__nv_relfatbin" && section.name != ".nv_fatbin") continue;
        if (const Status added = add_code(section, name, object.code); !added) return added;
    }
    if (object.code.empty()) return Success{};
    add_names(*elf, object);
    objects.push_back(std::move(object));
    return Success{};
}

Status add_archive(Bytes bytes, const std::string& name, std::vector<DeviceObject>& objects) {
    const auto damaged = [&] { return error("image-object", {name, 0, 0}, "damaged library: a member is cut off"); };
    std::string_view long_names;
    for (std::size_t at = SARMAG; at < bytes.size();) {
        const auto header = read_at<ar_hdr>(bytes, at);
        if (!header || std::memcmp(header->ar_fmag, ARFMAG, sizeof header->ar_fmag) != 0) return damaged();
        const auto size = number({header->ar_size, sizeof header->ar_size});
        at += sizeof *header;
        if (!size || *size > bytes.size() - at) return damaged();
        const Bytes content = bytes.subspan(at, *size);
        const std::string_view field = without_spaces({header->ar_name, sizeof header->ar_name});
        if (field == "//")
            long_names = text_of(content);
        else if (field != "/" && field != "/SYM64/")
            if (Status added = add_object(content, name + "(" + member_name(field, long_names) + ")", objects); !added)
                return added;
        at += *size + *size % 2;
    }
    return Success{};
}

}  // namespace

bool is_library(std::span<const std::byte> bytes) { return text_of(bytes).starts_with(ARMAG); }

Result<std::vector<DeviceObject>> device_objects(std::span<const std::byte> bytes, const std::string& name) {
    std::vector<DeviceObject> objects;
    const bool is_archive = is_library(bytes);
    if (!is_archive && !ElfView::open(bytes))
        return error("image-object", {name, 0, 0}, "this is neither an object file nor a static library");
    const Status added = is_archive ? add_archive(bytes, name, objects) : add_object(bytes, name, objects);
    if (!added) return added.errors();
    return objects;
}

}  // namespace tilescope::image
