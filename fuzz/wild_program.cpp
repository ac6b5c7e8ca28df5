#include "fuzz/wild_program.h"

#include <array>
#include <string_view>

namespace tilescope::fuzz {
namespace {

constexpr unsigned kAddresses = 6;    // registers that hold addresses
constexpr unsigned kStatements = 48;  // at most

// What wraps, what just fits, and the windows of generic addresses.
constexpr std::uint64_t kExtremes[] = {0,
                                       1,
                                       4,
                                       16,
                                       63,
                                       64,
                                       128,
                                       4096,
                                       1ULL << 15,
                                       1ULL << 31,
                                       (1ULL << 31) - 4,
                                       1ULL << 32,
                                       (1ULL << 32) - 8,
                                       1ULL << 33,
                                       1ULL << 47,
                                       1ULL << 61,
                                       1ULL << 63,
                                       (1ULL << 63) - 1,
                                       0 - 1ULL,
                                       0 - 4ULL,
                                       0 - 16ULL,
                                       0 - (1ULL << 31),
                                       0xa000000000000000,
                                       0xb000000000000000,
                                       0xa0000000fffffff0,
                                       0xaffffffffffffff0};

class Writer {
public:
    explicit Writer(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::string write() {
        head();
        for (unsigned i = 0; i < kStatements && at_ < bytes_.size(); ++i) statement();
        text_ += R"( add.u32 %i, %i, 1;
 setp.lt.u32 %p1, %i, 3;
 @%p1 bra LOOP;
 ret;
}
)";
        return std::move(text_);
    }

private:
    unsigned next(unsigned below) {
        const unsigned byte = at_ < bytes_.size() ? bytes_[at_] : 0;
        ++at_;
        return byte % below;
    }
    std::string address() { return "%a" + std::to_string(next(kAddresses)); }
    std::string extreme() { return std::to_string(kExtremes[next(std::size(kExtremes))]); }
    void line(const std::string& text) { text_ += " " + text + ";\n"; }

    void head() {
        text_ = R"(.version 8.8
.target sm_100
.address_size 64
.const .align 16 .b8 constants[64];
.visible .entry wild(.param .u64 found, .param .u64 own)";
        for (unsigned i = 0; i < kForeignAddresses; ++i) text_ += ", .param .u64 foreign" + std::to_string(i);
        text_ += R"()
{
 .reg .b64 %a<6>, %d<4>, %t<4>, %found;
 .reg .b32 %i, %lane, %n, %h, %w<2>;
 .reg .pred %p<4>, %guard;
 .shared .align 32 .b8 tile[256];
 .local .align 32 .b8 stack[128];
 ld.param.u64 %found, [found];
 mov.u32 %lane, %tid.x;
 mov.u32 %i, 0;
 setp.eq.u32 %guard, %i, 0;
)";
        for (unsigned i = 0; i < kAddresses; ++i) start(i, next(4 + kForeignAddresses));
        for (unsigned i = 0; i < 4; ++i) line("mov.u64 %d" + std::to_string(i) + ", 77");
        text_ += "LOOP:\n";
    }

    // An address to begin with.
    void start(unsigned reg, unsigned which) {
        const std::string to = "%a" + std::to_string(reg);
        switch (which) {
            case 0: return line("ld.param.u64 " + to + ", [own]");
            case 1: line("mov.u64 %t0, tile"); return line("cvta.shared.u64 " + to + ", %t0");
            case 2: line("mov.u64 %t0, stack"); return line("cvta.local.u64 " + to + ", %t0");
            case 3: return line("mov.u64 " + to + ", constants");
            default: return line("ld.param.u64 " + to + ", [foreign" + std::to_string(which - 4) + "]");
        }
    }

    void statement() {
        switch (next(12)) {
            case 0: return start(next(kAddresses), next(4 + kForeignAddresses));
            case 1: return line("add.u64 " + address() + ", " + address() + ", " + extreme());
            case 2:
                line("mul.wide.u32 %t0, %lane, " + std::to_string(1u << next(31)));
                return line("add.u64 " + address() + ", " + address() + ", %t0");
            case 3:
                line("setp.eq.u32 %p2, %lane, " + std::to_string(next(32)));
                return line("selp.b64 " + address() + ", " + address() + ", " + address() + ", %p2");
            case 4:
                line("setp.eq.u32 %p2, %i, " + std::to_string(next(3)));
                return line("selp.b64 " + address() + ", " + address() + ", " + address() + ", %p2");
            case 5: return line("mov.u64 " + address() + ", " + extreme());
            case 6: return line("sub.u64 " + address() + ", " + address() + ", " + address());
            case 7:
                line("and.b32 %n, %lane, " + std::to_string(1 + next(31)));
                return line("setp.le.u32 %guard, %n, " + std::to_string(next(32)));
            case 8: return load();
            case 9: return store();
            case 10: return atomic();
            default: return copy();
        }
    }

    // An address operand; 32-bit ones where the space knows them.
    std::string place(bool may_be_narrow) {
        const std::string base = address();
        const std::string offset = next(2) == 0 ? "" : "+" + std::to_string(4 * next(64));
        const std::string negative = next(8) == 0 ? "+-16" : offset;
        if (!may_be_narrow || next(2) == 0) return "[" + base + negative + "]";
        line("cvt.u32.u64 %n, " + base);
        return "[%n" + negative + "]";
    }
    std::string guard() { return next(2) == 0 ? "@%guard " : ""; }

    // The loaded words against the marker.
    void look(unsigned registers) {
        for (unsigned i = 0; i < registers; ++i) {
            line("mov.b64 {%w0, %w1}, %d" + std::to_string(i));
            for (const char* half : {"%w0", "%w1"}) {
                line("setp.eq.u32 %p3, " + std::string(half) + ", " + std::to_string(kMarker));
                line("@%p3 st.global.u32 [%found], " + std::to_string(kFound));
            }
        }
    }

    // Only global memory takes vectors of 32 bytes.
    static unsigned narrowed(unsigned type, std::string_view space) {
        return type == kWidest && !space.empty() && space != ".global" ? type - 1 : type;
    }
    static constexpr unsigned kWidest = 5;  // of the types below

    void load() {
        constexpr std::string_view kSpaces[] = {"", ".global", ".shared", ".local", ".const"};
        constexpr std::string_view kTypes[] = {".u8 %d0",
                                               ".u16 %d0",
                                               ".u32 %d0",
                                               ".u64 %d0",
                                               ".v2.u64 {%d0, %d1}",
                                               ".v4.u64 {%d0, %d1, %d2, %d3}",
                                               ".v4.u32 {%d0, %d1, %d2, %d3}",
                                               ".v2.u8 {%d0, %d1}"};
        const unsigned space = next(std::size(kSpaces));
        const std::string where = place(space >= 2);
        text_ += " " + guard();
        const unsigned type = narrowed(next(std::size(kTypes)), kSpaces[space]);
        line(std::string("ld").append(kSpaces[space]).append(kTypes[type]) + ", " + where);
        look(4);
    }

    void store() {
        constexpr std::string_view kSpaces[] = {"", ".global", ".shared", ".local"};
        constexpr std::string_view kTypes[] = {".u8", ".u16", ".u32", ".u64", ".v2.u64", ".v4.u64"};
        constexpr std::string_view kValues[] = {"%a0", "%a0", "%a0", "%a1", "{%a0, %a1}", "{%a0, %a1, %a2, %a3}"};
        const unsigned space = next(std::size(kSpaces));
        const unsigned type = narrowed(next(std::size(kTypes)), kSpaces[space]);
        const std::string where = place(space >= 2);
        text_ += " " + guard();
        line(std::string("st").append(kSpaces[space]).append(kTypes[type]) + " " + where + ", " +
             std::string(kValues[type]));
    }

    void atomic() {
        constexpr std::string_view kSpaces[] = {"", ".global", ".shared"};
        const unsigned space = next(std::size(kSpaces));
        const std::string where = place(space >= 2), prefix(kSpaces[space]);
        text_ += " " + guard();
        switch (next(4)) {
            case 0: line("atom" + prefix + ".add.u64 %d0, " + where + ", 1"); break;
            case 1: line("red" + prefix + ".add.u32 " + where + ", 3"); break;
            case 2: line("atom" + prefix + ".exch.b32 %h, " + where + ", 9"); break;
            default: line("atom" + prefix + ".cas.b64 %d0, " + where + ", %a0, %a1"); break;
        }
        look(1);
    }

    void copy() {
        const std::string bytes = std::to_string(4u << next(3));
        const std::string to = address(), from = address();
        text_ += " " + guard();
        if (next(2) == 0)
            line("cp.async.ca.shared.global [" + to + "], [" + from + "], " + bytes);
        else
            line("cp.async.ca.shared.global [" + to + "], [" + from + "], " + bytes + ", %i");
        line("ld.shared.u64 %d0, [tile]");
        look(1);
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    std::string text_;
};

}  // namespace

std::string wild_program(std::span<const std::uint8_t> bytes) { return Writer(bytes).write(); }

}  // namespace tilescope::fuzz
