// Wild operands of tensor instructions: descriptors of wgmma, addresses and strides of matrices, metadata and numbers
// of any bits, lanes that are not there. Whatever they are, a launch ends, touches nothing but the kernel's own memory,
// and says the same when it is done once more.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scope/session/session.h"

namespace {

using namespace tilescope;

constexpr std::size_t kOwnWords = 1024, kGuardWords = 256;
constexpr std::uint32_t kMarker = 0xc0deface;
constexpr unsigned kThreads = 128, kStatements = 24, kWords = 16, kSums = 128, kAddresses = 4, kDescriptors = 4;

class Writer {
public:
    explicit Writer(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::string write() {
        text_ = R"(.version 9.0
.target sm_90a
.address_size 64
.visible .entry wild(.param .u64 own)
{
 .reg .b32 %a<4>, %w<16>, %s<128>, %lane, %n;
 .reg .b64 %d<4>, %own, %t;
 .reg .f64 %f<4>;
 .reg .pred %p, %keep;
 .shared .align 128 .b8 tile[4096];
 ld.param.u64 %own, [own];
 mov.u32 %lane, %tid.x;
 setp.ne.u32 %keep, %lane, 200;
)";
        for (unsigned i = 0; i < kWords; ++i)
            line("mad.lo.u32 %w" + number(i) + ", %lane, " + number(2654435761u * (i + 1)) + ", " + wide());
        for (unsigned i = 0; i < kSums; ++i) line("mov.u32 %s" + number(i) + ", " + number(i * 0x3c01u));
        for (unsigned i = 0; i < 4; ++i) line("cvt.rn.f64.u32 %f" + number(i) + ", %w" + number(i));
        for (unsigned i = 0; i < kAddresses; ++i) address(i);
        for (unsigned i = 0; i < kDescriptors; ++i) descriptor(i);
        line("shl.b32 %n, %lane, 4");
        line("mov.u32 %a0, tile");
        line("add.u32 %n, %n, %a0");
        line("st.shared.v4.b32 [%n], {%w0,%w1,%w2,%w3}");
        line("bar.sync 0");
        for (unsigned i = 0; i < kStatements && at_ < bytes_.size(); ++i) statement();
        line("mul.wide.u32 %t, %lane, 16");
        line("add.u64 %own, %own, %t");
        line("xor.b32 %w0, %w0, %s0");
        line("xor.b32 %w1, %w1, %s3");
        line("st.global.v4.b32 [%own], {%w0,%w1,%w2,%s5}");
        text_ += " ret;\n}\n";
        return std::move(text_);
    }

private:
    unsigned next(unsigned below) {
        const unsigned byte = at_ < bytes_.size() ? bytes_[at_] : 0;
        ++at_;
        return byte % below;
    }
    std::uint64_t bits(unsigned count) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < count; ++i) value = value << 8 | next(256);
        return value;
    }
    static std::string number(std::uint64_t value) { return std::to_string(value); }
    std::string wide() { return number(bits(4)); }
    void line(const std::string& text) { text_ += " " + text + ";\n"; }

    std::string list(const char* name, unsigned first, unsigned count) {
        std::string text = "{";
        for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "%" : ",%") + (name + number(first + i));
        return text + "}";
    }
    std::string words(unsigned count) { return list("w", next(kWords - count + 1), count); }
    std::string sums(unsigned count) { return list("s", 0, count); }
    std::string one_word() { return "%w" + number(next(kWords)); }

    // Addresses of shared memory: in the tile, at its ends, of any bits, different from lane to lane.
    void address(unsigned i) {
        const std::string to = "%a" + number(i);
        line("mov.u32 " + to + ", tile");
        switch (next(5)) {
            case 0: break;
            case 1: line("mad.lo.u32 " + to + ", %lane, " + number(next(256)) + ", " + to); break;
            case 2: line("add.u32 " + to + ", " + to + ", " + number(4096 - next(64))); break;
            case 3: line("mov.u32 " + to + ", " + wide()); break;
            default: line("sub.u32 " + to + ", " + to + ", " + number(next(256)));
        }
    }
    // Descriptors: of the tile with any strides and swizzle, or of any bits.
    void descriptor(unsigned i) {
        const std::string to = "%d" + number(i);
        if (next(4) == 0) return line("mov.b64 " + to + ", " + number(bits(8)));
        line("mov.u32 %n, tile");
        line("shr.u32 %n, %n, 4");
        line("cvt.u64.u32 " + to + ", %n");
        const std::uint64_t leading = next(64), stride = next(64), base = next(8), swizzle = next(4);
        line("or.b64 " + to + ", " + to + ", " + number(leading << 16 | stride << 32 | base << 49 | swizzle << 62));
    }

    void statement() {
        switch (next(12)) {
            case 0: return address(next(kAddresses));
            case 1: return descriptor(next(kDescriptors));
            case 2: return move_matrices(true);
            case 3: return move_matrices(false);
            case 4: return line("movmatrix.sync.aligned.m8n8.trans.b16 " + one_word() + ", " + one_word());
            case 5: return multiply();
            case 6:
            case 7: return multiply_sparse();
            case 8:
            case 9: return multiply_groups();
            case 10: return tile_moves();
            default:
                line("setp.eq.u32 %p, %lane, " + number(next(kThreads)));
                if (next(4) == 0) return line("@%p exit");
                return line("@%p xor.b32 " + one_word() + ", %w0, " + wide());
        }
    }

    void move_matrices(bool loads) {
        constexpr const char* kCounts[] = {"x1", "x2", "x4"};
        const unsigned n = next(3);
        const std::string form =
            std::string(".sync.aligned.m8n8.") + kCounts[n] + (next(2) == 0 ? ".trans" : "") + ".shared.b16 ";
        const std::string at = "[%a" + number(next(kAddresses)) + "+" + number(next(64) * 4) + "]";
        const std::string registers = words(1u << n);
        line(loads ? "ldmatrix" + form + registers + ", " + at : "stmatrix" + form + at + ", " + registers);
    }
    void tile_moves() {
        const std::string at = "[%a" + number(next(kAddresses)) + "], ", stride = one_word();
        switch (next(4)) {
            case 0: return line("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + words(8) + ", " + at + stride);
            case 1: return line("wmma.load.b.sync.aligned.col.m8n32k16.shared.s8 " + words(4) + ", " + at + stride);
            case 2: return line("wmma.load.c.sync.aligned.row.m32n8k16.shared.f32 " + words(8) + ", " + at + stride);
            default: return line("wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 " + at + words(8) + ", " + stride);
        }
    }

    struct Form {
        const char* text;
        unsigned a, b, c, d, selectors;
    };
    void multiply() {
        static constexpr Form kForms[] = {{"m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 4, 0},
                                          {"m16n8k8.row.col.f16.f16.f16.f16", 2, 1, 2, 2, 0},
                                          {"m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, 4, 0},
                                          {"m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, 4, 0},
                                          {"m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 2, 4, 4, 0},
                                          {"m16n8k32.row.col.satfinite.s32.s8.u8.s32", 4, 2, 4, 4, 0},
                                          {"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 4, 2, 4, 4, 0},
                                          {"m8n8k4.row.col.f32.f16.f16.f32", 2, 2, 8, 8, 0},
                                          {"m8n8k4.col.row.f16.f16.f16.f16", 2, 2, 4, 4, 0}};
        const Form& form = kForms[next(std::size(kForms))];
        const std::string results = words(form.d), a = words(form.a), b = words(form.b), c = words(form.c);
        line("mma.sync.aligned." + std::string(form.text) + " " + results + ", " + a + ", " + b + ", " + c);
    }
    void multiply_sparse() {
        static constexpr Form kForms[] = {{"m16n8k16.row.col.f32.f16.f16.f32", 2, 2, 4, 4, 4},
                                          {"m16n8k32.row.col.f16.f16.f16.f16", 4, 4, 2, 2, 2},
                                          {"m16n8k32.row.col.f32.bf16.bf16.f32", 4, 4, 4, 4, 2},
                                          {"m16n8k8.row.col.f32.tf32.tf32.f32", 2, 2, 4, 4, 4},
                                          {"m16n8k16.row.col.f32.tf32.tf32.f32", 4, 4, 4, 4, 2},
                                          {"m16n8k64.row.col.f32.e5m2.e4m3.f32", 4, 4, 4, 4, 1},
                                          {"m16n8k32.row.col.s32.u8.s8.s32", 2, 2, 4, 4, 2},
                                          {"m16n8k64.row.col.satfinite.s32.s8.s8.s32", 4, 4, 4, 4, 1},
                                          {"m16n8k64.row.col.s32.u4.s4.s32", 2, 2, 4, 4, 2},
                                          {"m16n8k128.row.col.s32.s4.s4.s32", 4, 4, 4, 4, 1}};
        const Form& form = kForms[next(std::size(kForms))];
        const std::string kind = next(2) == 0 ? "sp" : "sp::ordered_metadata";
        const std::string results = words(form.d), a = words(form.a), b = words(form.b), c = words(form.c);
        line("mma." + kind + ".sync.aligned." + form.text + " " + results + ", " + a + ", " + b + ", " + c + ", " +
             one_word() + ", " + number(next(form.selectors)));
    }
    void multiply_groups() {
        struct Group {
            const char *depth, *sparse_depth, *types;
            unsigned halves, selectors;
            const char *numbers, *of_a, *of_b;
        };
        static constexpr Group kForms[] = {{"k16", "k32", "f32.f16.f16", 1, 2, ", 1, -1", ", 1", ", 1"},
                                           {"k16", "k32", "f16.f16.f16", 2, 2, ", 1, 1", ", 0", ", 1"},
                                           {"k16", "k32", "f32.bf16.bf16", 1, 2, ", -1, 1", ", 1", ", 0"},
                                           {"k8", "k16", "f32.tf32.tf32", 1, 2, ", 1, 1", "", ""},
                                           {"k32", "k64", "f32.e4m3.e5m2", 1, 1, ", 1, 1", "", ""},
                                           {"k32", "k64", "s32.s8.u8.satfinite", 1, 1, "", "", ""}};
        static constexpr unsigned kColumns[] = {8, 16, 32, 64, 128, 256};
        const Group& form = kForms[next(std::size(kForms))];
        const unsigned columns = kColumns[next(std::size(kColumns))];
        const bool sparse = next(2) == 0, registers = next(2) == 0;
        line("wgmma.fence.sync.aligned");
        std::string text = std::string("wgmma.mma_async.") + (sparse ? "sp." : "") + "sync.aligned.m64n" +
                           number(columns) + (sparse ? form.sparse_depth : form.depth) + "." + form.types + " " +
                           sums(columns / 2 / form.halves) + ", ";
        text += (registers ? words(4) : "%d" + number(next(kDescriptors))) + ", %d" + number(next(kDescriptors));
        if (sparse) text += ", " + one_word() + ", " + number(next(form.selectors));
        line(text + ", %keep" + form.numbers + (registers ? "" : form.of_a) + form.of_b);
        line("wgmma.commit_group.sync.aligned");
        line("wgmma.wait_group.sync.aligned 0");
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    std::string text_;
};

[[noreturn]] void escaped(const char* how, const std::string& text) {
    std::fprintf(stderr, "%s\n%s", how, text.c_str());
    std::abort();
}

// What the kernel's memory holds behind the launch.
std::vector<std::uint32_t> run_once(const std::string& text, bool on_after_faults) {
    SessionOptions options;
    options.jobs = 1;
    options.on_after_faults = on_after_faults;
    options.max_instructions = 50000;
    auto session = Session::create(options);
    if (!session) return {};
    Session& run = **session;
    const auto module = run.load_module(text, "wild.ptx");
    if (!module) escaped(render(module.errors()).c_str(), text);
    void* own = run.memory().allocate((kOwnWords + kGuardWords) * 4, machine::AllocationKind::kDevice);
    std::vector<std::uint32_t> words(kOwnWords + kGuardWords, kMarker);
    std::memcpy(run.memory().bytes(own), words.data(), words.size() * 4);
    const std::uint64_t parameter = reinterpret_cast<std::uint64_t>(own);
    LaunchRequest request;
    request.kernel = run.kernels(*module).front();
    request.grid = {1, 1, 1};
    request.block = {kThreads, 1, 1};
    request.parameters = std::as_bytes(std::span(&parameter, 1));
    const LaunchResult result = run.launch(request);
    if (result.status == LaunchStatus::kUnsupported) escaped(render(result.diagnostics).c_str(), text);
    std::memcpy(words.data(), run.memory().bytes(own), words.size() * 4);
    for (std::size_t i = kOwnWords; i < words.size(); ++i)
        if (words[i] != kMarker) escaped("a kernel wrote beyond its memory", text);
    return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text = Writer({data + 1, size - 1}).write();
    const bool on = data[0] % 4 != 0;
    if (run_once(text, on) != run_once(text, on)) escaped("the same kernel gave two results", text);
    return 0;
}
