// The table is a DWARF 2 line program in .nv_debug_line_sass whose "lines" are those of .nv_debug_ptx_txt; where a
// sequence begins is told by a relocation against the function's symbol.
#include "scope/image/sass_lines.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "scope/image/bytes.h"

namespace tilescope::image {
namespace {

// Reads on from where it stands; what lies behind the end is zero, and at_end() tells.
class Reader {
public:
    explicit Reader(Bytes bytes, std::uint64_t at = 0)
        : bytes_(bytes), at_(std::min<std::uint64_t>(at, bytes.size())) {}

    bool at_end() const { return at_ >= bytes_.size(); }
    std::uint64_t at() const { return at_; }
    void skip(std::uint64_t count) { at_ += std::min<std::uint64_t>(count, bytes_.size() - at_); }
    template <class T>
    T read() {
        T value{};
        if (bytes_.size() - at_ < sizeof(T)) {
            at_ = bytes_.size();
            return value;
        }
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::uint64_t uleb() { return leb(false); }
    std::int64_t sleb() { return static_cast<std::int64_t>(leb(true)); }

private:
    std::uint64_t leb(bool is_signed) {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0x80;
        while ((byte & 0x80) != 0 && !at_end()) {
            byte = read<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            shift += 7;
        }
        if (is_signed && shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
        return value;
    }

    Bytes bytes_;
    std::uint64_t at_;
};

struct Start {
    std::uint16_t section = 0;
    std::uint64_t address = 0;
};
using Starts = std::map<std::uint64_t, Start>;  // by place in the table

Starts relocations(const ElfView& elf) {
    Starts starts;
    // Up to sm_89 without addends.
    const ElfSection* table = elf.find(".rela.nv_debug_line_sass");
    const bool has_addends = table != nullptr;
    if (!has_addends) table = elf.find(".rel.nv_debug_line_sass");
    if (table == nullptr) return starts;
    const std::vector<ElfSymbol> symbols = elf.symbols();
    for (Reader reader(table->contents); !reader.at_end();) {
        Elf64_Rela row{};
        row.r_offset = reader.read<std::uint64_t>();
        row.r_info = reader.read<std::uint64_t>();
        if (has_addends) row.r_addend = reader.read<std::int64_t>();
        const std::uint64_t symbol = ELF64_R_SYM(row.r_info);
        if (symbol >= symbols.size()) continue;
        starts[row.r_offset] = {symbols[symbol].section,
                                symbols[symbol].value + static_cast<std::uint64_t>(row.r_addend)};
    }
    return starts;
}

constexpr unsigned kNewestVersion = 3;

enum Opcode : std::uint8_t { kExtended, kCopy, kAdvanceAddress, kAdvanceLine, kConstAdd = 8, kFixedAdvance = 9 };
enum ExtendedOpcode : std::uint8_t { kEndSequence = 1, kSetAddress = 2 };

class LineProgram {
public:
    LineProgram(Bytes table, const Starts& starts, std::map<std::uint16_t, std::vector<SassLine>>& lines)
        : table_(table), starts_(starts), lines_(lines) {}

    void run() {
        for (Reader reader(table_); !reader.at_end();) {
            const std::uint64_t length = reader.read<std::uint32_t>();
            const std::uint64_t end = std::min<std::uint64_t>(table_.size(), reader.at() + length);
            unit(reader, end);
            reader = Reader(table_, end);
        }
    }

private:
    void unit(Reader reader, std::uint64_t end) {
        if (reader.read<std::uint16_t>() > kNewestVersion) return;
        const std::uint64_t header = reader.read<std::uint32_t>();
        const std::uint64_t first = reader.at() + header;
        unit_bytes_ = reader.read<std::uint8_t>();
        reader.skip(1);
        const int base = reader.read<std::uint8_t>();  // of a signed byte
        line_base_ = base < 128 ? base : base - 256;
        line_range_ = std::max<unsigned>(1, reader.read<std::uint8_t>());
        opcode_base_ = std::max<unsigned>(1, reader.read<std::uint8_t>());
        operands_.assign(opcode_base_, 0);
        for (unsigned i = 1; i < opcode_base_; ++i) operands_[i] = reader.read<std::uint8_t>();
        restart();
        unit_ = table_.first(end);
        for (Reader code(unit_, first); !code.at_end();) step(code);
    }

    void restart() {
        section_.reset();
        address_ = 0;
        line_ = 1;
    }

    void step(Reader& code) {
        const unsigned opcode = code.read<std::uint8_t>();
        if (opcode >= opcode_base_) {
            address_ += std::uint64_t{(opcode - opcode_base_) / line_range_} * unit_bytes_;
            line_ += static_cast<std::uint64_t>(line_base_ + static_cast<int>((opcode - opcode_base_) % line_range_));
            return keep();
        }
        switch (opcode) {
            case kExtended: return extended(code);
            case kCopy: return keep();
            case kAdvanceAddress: address_ += code.uleb() * unit_bytes_; return;
            case kAdvanceLine: line_ += static_cast<std::uint64_t>(code.sleb()); return;
            case kConstAdd: address_ += std::uint64_t{(255 - opcode_base_) / line_range_} * unit_bytes_; return;
            case kFixedAdvance: address_ += code.read<std::uint16_t>(); return;
            default:
                for (unsigned i = 0; i < operands_[opcode]; ++i) (void)code.uleb();
        }
    }

    void extended(Reader& code) {
        const std::uint64_t size = code.uleb(), begin = code.at();
        const unsigned opcode = size == 0 ? 0 : code.read<std::uint8_t>();
        if (opcode == kEndSequence) {
            line_ = 0;
            keep();
            restart();
        }
        if (opcode == kSetAddress) {
            const std::uint64_t place = code.at();
            address_ = code.read<std::uint64_t>();
            if (const auto start = starts_.find(place); start != starts_.end()) {
                section_ = start->second.section;
                address_ += start->second.address;
            }
        }
        code = Reader(unit_, begin);
        code.skip(size);
    }

    void keep() {
        const bool is_line = line_ <= 0xffffffffu;
        if (section_) lines_[*section_].push_back({address_, is_line ? static_cast<std::uint32_t>(line_) : 0});
    }

    Bytes table_, unit_;
    const Starts& starts_;
    std::map<std::uint16_t, std::vector<SassLine>>& lines_;
    std::vector<std::uint8_t> operands_;
    unsigned unit_bytes_ = 1, line_range_ = 1, opcode_base_ = 1;
    int line_base_ = 0;
    std::optional<std::uint16_t> section_;
    std::uint64_t address_ = 0, line_ = 1;
};

}  // namespace

std::map<std::uint16_t, std::vector<SassLine>> sass_lines(const ElfView& elf) {
    std::map<std::uint16_t, std::vector<SassLine>> lines;
    const ElfSection* table = elf.find(".nv_debug_line_sass");
    if (table == nullptr) return lines;
    LineProgram(table->contents, relocations(elf), lines).run();
    for (auto& [section, entries] : lines)
        std::stable_sort(entries.begin(), entries.end(),
                         [](const SassLine& a, const SassLine& b) { return a.address < b.address; });
    return lines;
}

std::vector<std::string_view> assembled_lines(const ElfView& elf) {
    std::vector<std::string_view> lines;
    const ElfSection* text = elf.find(".nv_debug_ptx_txt");
    if (text == nullptr) return lines;
    std::string_view left(reinterpret_cast<const char*>(text->contents.data()), text->contents.size());
    while (!left.empty()) {
        const std::size_t end = std::min(left.find('\0'), left.size());
        lines.push_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return lines;
}

}  // namespace tilescope::image
