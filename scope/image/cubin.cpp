// The layout is that of the cubins which ptxas of CUDA 11 to 13 writes, read off them beside `ptxas -v`.
#include "scope/image/cubin.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "scope/image/elf_view.h"

namespace tilescope::image {
namespace {

constexpr std::uint16_t kCudaMachine = 190;
constexpr unsigned char kEntrySymbol = 0x10;  // st_other of a kernel
constexpr std::size_t kDriverSharedBytes = 1024;

// The attributes in .nv.info sections that we know.
enum Attribute : std::uint8_t {
    kMaxThreads = 0x05,
    kFrameSize = 0x11,
    kMinStackSize = 0x12,
    kParameterBytes = 0x19,
    kRegisterCount = 0x2f,
    kBarrierCount = 0x4c,
    kAnnotations = 0x55,
};

constexpr std::uint32_t kSpillOrRefill = 1;  // what an annotation says

struct AttributeHeader {
    std::uint8_t format;  // 4: `value` is the size of the data that follows; else it is the value
    std::uint8_t attribute;
    std::uint16_t value;
};

std::uint32_t word(std::span<const std::byte> data, std::size_t index) {
    std::uint32_t value = 0;
    if (data.size() >= (index + 1) * 4) std::memcpy(&value, data.data() + index * 4, 4);
    return value;
}

// Calls f(attribute, value, data) for each attribute; false if the section is cut off.
template <class F>
bool each_attribute(std::span<const std::byte> section, F f) {
    while (!section.empty()) {
        AttributeHeader header;
        if (section.size() < sizeof header) return false;
        std::memcpy(&header, section.data(), sizeof header);
        section = section.subspan(sizeof header);
        const std::size_t size = header.format == 4 ? header.value : 0;
        if (size > section.size()) return false;
        f(header.attribute, header.value, section.first(size));
        section = section.subspan(size);
    }
    return true;
}

// From the symbol's index, in the module's own .nv.info.
struct BySymbol {
    std::map<std::uint32_t, std::uint32_t> registers, frame, stack;
};

bool read_module_info(const ElfView& elf, BySymbol& facts) {
    const ElfSection* info = elf.find(".nv.info");
    if (info == nullptr) return true;
    return each_attribute(info->contents, [&](std::uint8_t attribute, std::uint16_t, std::span<const std::byte> data) {
        if (attribute == kRegisterCount) facts.registers[word(data, 0)] = word(data, 1);
        if (attribute == kFrameSize) facts.frame[word(data, 0)] = word(data, 1);
        if (attribute == kMinStackSize) facts.stack[word(data, 0)] = word(data, 1);
    });
}

// `spills` are the places of instructions that spill or bring back.
bool read_kernel_info(const ElfView& elf, KernelResources& kernel, std::vector<std::uint32_t>& spills) {
    const ElfSection* info = elf.find(".nv.info." + kernel.name);
    if (info == nullptr) return true;
    return each_attribute(
        info->contents, [&](std::uint8_t attribute, std::uint16_t value, std::span<const std::byte> data) {
            if (attribute == kMaxThreads) {
                const std::uint64_t threads = std::uint64_t{word(data, 0)} * word(data, 1) * word(data, 2);
                kernel.max_threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, 1024));
            }
            if (attribute == kParameterBytes) kernel.parameter_bytes = value;
            if (attribute == kBarrierCount) kernel.barriers = value & 0xff;
            if (attribute != kAnnotations) return;
            // Pairs of what an annotation says and the instruction it is about.
            for (std::size_t i = 0; (i + 2) * 4 <= data.size(); i += 2)
                if (word(data, i) == kSpillOrRefill) spills.push_back(word(data, i + 1));
            kernel.spills = kernel.spills || !spills.empty();
        });
}

std::size_t static_shared_bytes(const ElfView& elf, const std::string& kernel) {
    const ElfSection* shared = elf.find(".nv.shared." + kernel);
    if (shared == nullptr) return 0;
    // Where the driver keeps a part for itself, every kernel's section starts with it.
    const bool reserved = elf.find(".nv.shared.reserved.0") != nullptr && shared->size >= kDriverSharedBytes;
    return shared->size - (reserved ? kDriverSharedBytes : 0);
}

// What the assembler calls for operands that are subnormal or huge. 64-bit integer divisions are called too, and are
// nothing out of the ordinary.
bool is_rare_routine(std::string_view name) {
    return name.starts_with("$__internal_") &&
           (name.find("slowpath") != name.npos || name.find("mediumpath") != name.npos ||
            name.find("_f64_full") != name.npos);
}

// The spills of a cubin's kernels. The work that goes into one file is limited, however many kernels it says it has.
class Spills {
public:
    explicit Spills(const ElfView& elf) : elf_(elf) {}

    void read(const ElfSymbol& symbol, const std::vector<ElfSymbol>& symbols, std::vector<std::uint32_t> spills,
              KernelResources& kernel) {
        if (symbol.section >= elf_.sections().size()) return;
        SassFunction function{
            elf_.sections()[symbol.section].contents, symbol.value, kernel.sm, std::move(spills), {}, {}};
        const auto bytes = spill_bytes(function);
        if (!bytes) return;
        kernel.spill_store_bytes = bytes->stores;
        kernel.spill_load_bytes = bytes->loads;
        if (function.code.size() > code_left_) return;
        code_left_ -= function.code.size();
        for (const ElfSymbol& each : symbols)
            if (each.section == symbol.section && each.type == STT_FUNC) {
                function.routines.push_back(each.value);
                if (is_rare_routine(each.name)) function.rare_routines.push_back(each.value);
            }
        if (!lines_) {
            lines_ = sass_lines(elf_);
            text_ = assembled_lines(elf_);
        }
        auto code = read_machine_code(function, (*lines_)[symbol.section], text_);
        if (code) kernel.machine_code = std::make_shared<const MachineCode>(std::move(*code));
    }

private:
    const ElfView& elf_;
    std::size_t code_left_ = std::size_t{64} << 20;
    std::optional<std::map<std::uint16_t, std::vector<SassLine>>> lines_;
    std::vector<std::string_view> text_;
};

unsigned architecture(const ElfView& elf) {
    return elf.abi_version() >= 8 ? (elf.flags() >> 8) & 0xffff : elf.flags() & 0xff;
}

}  // namespace

bool is_cubin(std::span<const std::byte> bytes) {
    const auto elf = ElfView::open(bytes);
    return elf && elf->machine() == kCudaMachine;
}

Result<std::vector<KernelResources>> parse_cubin(std::span<const std::byte> bytes, const std::string& file) {
    const auto elf = ElfView::open(bytes);
    if (!elf || elf->machine() != kCudaMachine) return error("image-cubin", {file, 0, 0}, "this is not a cubin");
    BySymbol facts;
    if (!read_module_info(*elf, facts)) return error("image-cubin", {file, 0, 0}, "damaged cubin: .nv.info is cut off");
    const ElfSection* constants = elf->find(".nv.constant3");
    std::vector<KernelResources> kernels;
    const auto symbols = elf->symbols();
    Spills spills(*elf);
    for (std::uint32_t i = 0; i < symbols.size(); ++i) {
        const ElfSymbol& symbol = symbols[i];
        if (symbol.type != STT_FUNC || (symbol.other & kEntrySymbol) == 0) continue;
        KernelResources kernel;
        kernel.name = symbol.name;
        kernel.sm = architecture(*elf);
        if (const auto found = facts.registers.find(i); found != facts.registers.end())
            kernel.registers = found->second;
        else if (symbol.section < elf->sections().size())
            kernel.registers = elf->sections()[symbol.section].info >> 24;  // where older assemblers put it
        if (const auto found = facts.frame.find(i); found != facts.frame.end()) kernel.stack_bytes = found->second;
        // All ones where recursion leaves the depth unknown.
        if (const auto found = facts.stack.find(i); found != facts.stack.end() && found->second != 0xffffffffu)
            kernel.stack_bytes = std::max<std::size_t>(kernel.stack_bytes, found->second);
        kernel.static_shared_bytes = static_shared_bytes(*elf, kernel.name);
        kernel.constant_bytes = constants == nullptr ? 0 : constants->size;
        std::vector<std::uint32_t> spilling;
        if (!read_kernel_info(*elf, kernel, spilling))
            return error("image-cubin", {file, 0, 0}, "damaged cubin: .nv.info." + kernel.name + " is cut off");
        spills.read(symbol, symbols, std::move(spilling), kernel);
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

}  // namespace tilescope::image
