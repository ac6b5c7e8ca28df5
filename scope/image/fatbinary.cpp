#include "scope/image/fatbinary.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "scope/image/bytes.h"

namespace tilescope::image {
namespace {

struct ContainerHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t header_bytes;
    std::uint64_t content_bytes;  // all entries, this header not included
};
static_assert(sizeof(ContainerHeader) == kFatbinHeaderBytes);

struct EntryHeader {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t header_bytes;
    std::uint64_t payload_bytes;     // as stored, padding included
    std::uint32_t compressed_bytes;  // 0 unless compressed
    std::uint32_t options_at;        // a StringHeader, from the entry's start; 0 for none
    std::uint16_t code_minor;
    std::uint16_t code_major;
    std::uint32_t sm;
    std::uint32_t name_at;
    std::uint32_t name_bytes;
    std::uint64_t flags;
    std::uint64_t reserved;
    std::uint64_t plain_bytes;  // after decompression; 0 unless compressed
};
static_assert(sizeof(EntryHeader) == 64);

struct StringHeader {
    std::uint32_t at;  // from the entry's start
    std::uint32_t bytes;
};

constexpr std::uint64_t kFlag64Bit = 0x1;
constexpr std::uint64_t kFlagLinux = 0x10;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagArchSpecific = 0x100000;
constexpr std::uint64_t kFlagFamilySpecific = 0x200000;

// A string inside an entry's header; empty if it does not lie there.
std::string header_string_at(Bytes header, std::uint64_t at, std::uint64_t size) {
    if (at > header.size() || size > header.size() - at) return {};
    std::string text(reinterpret_cast<const char*>(header.data() + at), size);
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
}

Diagnostic damaged(const std::string& file, const std::string& what) {
    return error("image-fatbin", {file, 0, 0}, "damaged fat binary: " + what);
}

// nullopt: the compressed bytes are not what the header promises.
std::optional<std::vector<std::byte>> decompress(Bytes compressed, std::size_t plain_bytes, bool zstd) {
    std::vector<std::byte> plain(plain_bytes);
    if (zstd) {
        const std::size_t got = ZSTD_decompress(plain.data(), plain.size(), compressed.data(), compressed.size());
        if (ZSTD_isError(got) || got != plain.size()) return std::nullopt;
        return plain;
    }
    const int got =
        LZ4_decompress_safe(reinterpret_cast<const char*>(compressed.data()), reinterpret_cast<char*>(plain.data()),
                            static_cast<int>(compressed.size()), static_cast<int>(plain.size()));
    if (got < 0 || static_cast<std::size_t>(got) != plain.size()) return std::nullopt;
    return plain;
}

// The most that a compressed payload can grow: lz4 255 times, zstd by runs of one block far more, but PTX and cubins
// stay far below this; a header that claims more is damaged and must not make us allocate.
constexpr std::uint64_t kMaxGrowth = 4096;

Result<FatEntry> parse_entry(const EntryHeader& header, Bytes header_bytes, Bytes stored, std::size_t& total,
                             const std::string& file) {
    FatEntry entry;
    entry.raw_kind = header.kind;
    if (header.kind == 1) entry.kind = FatKind::kPtx;
    if (header.kind == 2) entry.kind = FatKind::kCubin;
    entry.sm = header.sm;
    entry.arch_specific = (header.flags & kFlagArchSpecific) != 0;
    entry.family_specific = (header.flags & kFlagFamilySpecific) != 0;
    entry.name = header_string_at(header_bytes, header.name_at, header.name_bytes);
    if (header.options_at != 0) {
        if (const auto options = read_at<StringHeader>(header_bytes, header.options_at))
            entry.options = header_string_at(header_bytes, options->at, options->bytes);
    }
    if ((header.flags & (kFlagLz4 | kFlagZstd)) == 0) {
        total += stored.size();
        if (total > kMaxTotal) return damaged(file, "its entries are too large");
        entry.payload.assign(stored.begin(), stored.end());
        return entry;
    }
    if (header.compressed_bytes > stored.size()) return damaged(file, "compressed code runs past its entry");
    const Bytes compressed = stored.first(header.compressed_bytes);
    if (header.plain_bytes > kMaxPayload || header.plain_bytes > (compressed.size() + 64) * kMaxGrowth)
        return damaged(file, "an entry claims " + std::to_string(header.plain_bytes) + " bytes of code");
    total += header.plain_bytes;
    if (total > kMaxTotal) return damaged(file, "its entries are too large");
    auto plain = decompress(compressed, header.plain_bytes, (header.flags & kFlagZstd) != 0);
    if (!plain) return damaged(file, "compressed code does not decompress");
    entry.payload = *std::move(plain);
    return entry;
}

// The entries of one container; `content` is what follows its header.
Status parse_container(Bytes content, std::vector<FatEntry>& entries, std::size_t& total, const std::string& file) {
    std::size_t at = 0;
    while (at < content.size()) {
        const auto header = read_at<EntryHeader>(content, at);
        if (!header) {
            // Padding at the end of a container.
            if (std::all_of(content.begin() + at, content.end(), [](std::byte b) { return b == std::byte{0}; })) break;
            return damaged(file, "an entry's header is cut off");
        }
        const Bytes rest = content.subspan(at);
        if (header->header_bytes < sizeof(EntryHeader) || header->header_bytes > rest.size())
            return damaged(file, "an entry's header has an impossible size");
        if (header->payload_bytes > rest.size() - header->header_bytes)
            return damaged(file, "an entry runs past the end of the container");
        auto entry = parse_entry(*header, rest.first(header->header_bytes),
                                 rest.subspan(header->header_bytes, header->payload_bytes), total, file);
        if (!entry) return entry.errors();
        entries.push_back(std::move(entry).value());
        at += header->header_bytes + header->payload_bytes;
    }
    return Success{};
}

void append(std::vector<std::byte>& out, const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

std::size_t rounded_up_to_8(std::size_t n) { return (n + 7) / 8 * 8; }

}  // namespace

std::string_view FatEntry::text() const {
    const std::string_view all(reinterpret_cast<const char*>(payload.data()), payload.size());
    return all.substr(0, all.find('\0'));
}

std::size_t container_size(const void* header) {
    ContainerHeader container;
    std::memcpy(&container, header, sizeof container);
    if (container.magic != kFatbinMagic || container.version != 1 || container.header_bytes < sizeof container ||
        container.content_bytes > kMaxTotal)
        return 0;
    return container.header_bytes + container.content_bytes;
}

Result<std::vector<FatEntry>> parse_fatbinary(std::span<const std::byte> bytes, const std::string& file) {
    std::vector<FatEntry> entries;
    std::size_t at = 0, total = 0;
    bool any = false;
    while (at < bytes.size()) {
        const auto container = read_at<ContainerHeader>(bytes, at);
        if (!container || container->magic != kFatbinMagic) {
            const Bytes rest = bytes.subspan(at);
            if (any && std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; })) break;
            return error("image-fatbin", {file, 0, 0},
                         any ? "damaged fat binary: bytes between its containers"
                             : "this is not a fat binary: its magic number is missing");
        }
        if (container->version != 1)
            return damaged(file, "container version " + std::to_string(container->version) + " is unknown");
        const Bytes rest = bytes.subspan(at);
        if (container->header_bytes < sizeof(ContainerHeader) || container->header_bytes > rest.size() ||
            container->content_bytes > rest.size() - container->header_bytes)
            return damaged(file, "the container is cut off");
        auto status =
            parse_container(rest.subspan(container->header_bytes, container->content_bytes), entries, total, file);
        if (!status) return status.errors();
        any = true;
        at += rounded_up_to_8(container->header_bytes + container->content_bytes);
    }
    if (!any) return error("image-fatbin", {file, 0, 0}, "this is not a fat binary: it is empty");
    return entries;
}

std::vector<std::byte> write_fatbinary(std::string_view ptx, unsigned sm, unsigned ptx_version, std::string_view name,
                                       std::string_view options) {
    const std::size_t name_room = rounded_up_to_8(name.size() + 1);
    const std::size_t options_room = options.empty() ? 0 : sizeof(StringHeader) + rounded_up_to_8(options.size() + 1);
    const std::size_t payload = rounded_up_to_8(ptx.size() + 1);  // PTX ends in a NUL
    EntryHeader entry = {};
    entry.kind = static_cast<std::uint16_t>(FatKind::kPtx);
    entry.version = 0x101;
    entry.header_bytes = static_cast<std::uint32_t>(sizeof entry + name_room + options_room);
    entry.payload_bytes = payload;
    entry.code_major = static_cast<std::uint16_t>(ptx_version / 10);
    entry.code_minor = static_cast<std::uint16_t>(ptx_version % 10);
    entry.sm = sm;
    entry.name_at = sizeof entry;
    entry.name_bytes = static_cast<std::uint32_t>(name.size());
    entry.flags = kFlag64Bit | kFlagLinux;
    if (!options.empty()) entry.options_at = static_cast<std::uint32_t>(sizeof entry + name_room);
    const ContainerHeader container = {kFatbinMagic, 1, sizeof container, entry.header_bytes + payload};

    std::vector<std::byte> out;
    out.reserve(sizeof container + container.content_bytes);
    append(out, &container, sizeof container);
    append(out, &entry, sizeof entry);
    append(out, name.data(), name.size());
    out.resize(out.size() + name_room - name.size());
    if (!options.empty()) {
        const StringHeader place = {entry.options_at + static_cast<std::uint32_t>(sizeof(StringHeader)),
                                    static_cast<std::uint32_t>(options.size())};
        append(out, &place, sizeof place);
        append(out, options.data(), options.size());
        out.resize(out.size() + options_room - sizeof place - options.size());
    }
    append(out, ptx.data(), ptx.size());
    out.resize(out.size() + payload - ptx.size());
    return out;
}

}  // namespace tilescope::image
