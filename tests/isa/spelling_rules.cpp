#include "tests/isa/spelling_rules.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tilescope::isa::spelling {
namespace {

using Words = std::vector<std::string>;

struct TypeInfo {
    const char* name;
    unsigned bytes;
    const char* registers;
};
constexpr TypeInfo kTypes[] = {
    {"b8", 1, "%h"},   {"b16", 2, "%h"}, {"b32", 4, "%r"},    {"b64", 8, "%rd"}, {"b128", 16, "%q"},
    {"u8", 1, "%h"},   {"u16", 2, "%h"}, {"u32", 4, "%r"},    {"u64", 8, "%rd"}, {"s8", 1, "%h"},
    {"s16", 2, "%h"},  {"s32", 4, "%r"}, {"s64", 8, "%rd"},   {"f16", 2, "%h"},  {"f16x2", 4, "%r"},
    {"bf16", 2, "%h"}, {"f32", 4, "%f"}, {"bf16x2", 4, "%r"}, {"f64", 8, "%d"},
};

const TypeInfo& type_of(std::string_view name) {
    return *std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeInfo& type) { return type.name == name; });
}

bool in(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

unsigned count_of(const std::string& vector) { return vector.empty() ? 1 : static_cast<unsigned>(vector[1] - '0'); }

// One register, or as many in braces, counted from `first`.
std::string value(const TypeInfo& type, unsigned count, unsigned first) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) text += (i ? ", " : "") + (type.registers + std::to_string(first + i));
    return count == 1 ? text : "{" + text + "}";
}

std::string dotted(const Words& words) {
    std::string text;
    for (const std::string& word : words)
        if (!word.empty()) text += "." + word;
    return text;
}

const Words kScopes = {"", "cta", "cluster", "gpu", "sys", "gl"};
const Words kSpaces = {"", "global", "shared", "shared::cta", "shared::cluster", "local", "const"};

bool is_shared(std::string_view space) { return space.starts_with("shared"); }
bool may_be_global(std::string_view space) { return in(space, {"", "global"}); }

// ---- atom and red ---------------------------------------------------------------------------------------------------

struct Atomic {
    std::string opcode, order, scope, space, operation, type, vector;
    bool noftz = false, policy = false;

    std::string line() const {
        const TypeInfo& info = type_of(type);
        const unsigned count = count_of(vector);
        std::string text = opcode +
                           dotted({order, scope, space, operation, noftz ? "noftz" : "", policy ? "L2::cache_hint" : "",
                                   vector, type}) +
                           " ";
        if (opcode == "atom") text += value(info, count, 1) + ", ";
        text += "[%rd20], " + value(info, count, 9);
        if (operation == "cas") text += ", " + value(info, count, 1);
        if (policy) text += ", %rd21";
        return text + ";";
    }

    bool has_operation() const {
        const bool half = in(type, {"f16", "f16x2", "bf16", "bf16x2"});
        if (half != noftz) return false;
        if (!vector.empty()) {
            if (type == "f32") return operation == "add" && vector != "v8";
            return half && in(operation, {"add", "min", "max"}) && type_of(type).bytes * count_of(vector) <= 16;
        }
        if (operation == "add") return half || in(type, {"u32", "s32", "u64", "f32", "f64"});
        if (in(operation, {"min", "max"})) return in(type, {"u32", "s32", "u64", "s64"});
        if (in(operation, {"inc", "dec"})) return type == "u32";
        if (in(operation, {"and", "or", "xor"})) return in(type, {"b32", "b64"});
        if (opcode == "red") return false;
        return in(type, {"b32", "b64", "b128"}) || (operation == "cas" && type == "b16");
    }
    bool has_place() const {
        if (policy && operation == "cas") return false;
        if (scope == "gl" || in(space, {"local", "const"})) return false;
        if (in(order, {"weak", "volatile", "sc"}) || (opcode == "red" && in(order, {"acquire", "acq_rel"})))
            return false;
        return may_be_global(space) || (vector.empty() && !policy);
    }
    Spelling spelling() const { return {line(), has_operation() && has_place()}; }
};

}  // namespace

std::vector<Spelling> atomics() {
    std::vector<Spelling> all;
    Atomic atomic;
    for (const char* opcode : {"atom", "red"})
        for (const char* operation : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"})
            for (const TypeInfo& type : kTypes)
                for (const char* vector : {"", "v2", "v4", "v8"})
                    for (bool noftz : {false, true}) {
                        atomic = {opcode, "", "", "global", operation, type.name, vector, noftz, false};
                        all.push_back(atomic.spelling());
                        if (!atomic.has_operation()) continue;
                        for (const char* order :
                             {"", "relaxed", "acquire", "release", "acq_rel", "weak", "volatile", "sc"})
                            for (const std::string& scope : kScopes)
                                for (const std::string& space : kSpaces) {
                                    atomic.order = order, atomic.scope = scope, atomic.space = space;
                                    all.push_back(atomic.spelling());
                                }
                        for (const std::string& space : kSpaces) {
                            atomic.order = "relaxed", atomic.scope = "gpu", atomic.space = space, atomic.policy = true;
                            all.push_back(atomic.spelling());
                        }
                    }
    for (const char* line :
         {"atom.global.add.u32 %r1, [%rd20], %r2, %rd21;", "red.global.add.u32 [%rd20], %r2, %rd21;",
          "atom.global.add.L2::cache_hint.u32 %r1, [%rd20], %r2;", "atom.global.add.u32 %r1, [%rd20];",
          "atom.global.foo.u32 %r1, [%rd20], %r2;", "atom.global.add.u32.u32 %r1, [%rd20], %r2;"})
        all.push_back({line, false});
    for (const char* line : {"atom.global.add.u32 _, [%rd20], %r2;", "atom.add.noftz.v2.f16x2 _, [%rd20], {%r1, %r2};",
                             "atom.global.v2.f32.add {%f1, _}, [%rd20], {%f3, %f4};"})
        all.push_back({line, true});
    return all;
}

// ---- ld and st ------------------------------------------------------------------------------------------------------

namespace {

struct Access {
    bool store = false;
    std::string order = {}, scope = {}, space = {}, cache = {};
    bool nc = false;
    std::string eviction = {};
    bool policy = false;
    std::string prefetch = {}, vector = {}, type = "b32";

    std::string line() const {
        const TypeInfo& info = type_of(type);
        const std::string registers = value(info, count_of(vector), 1), place = "[%rd20]";
        return (store ? "st" : "ld") +
               dotted({order, scope, space, cache, nc ? "nc" : "", eviction, policy ? "L2::cache_hint" : "", prefetch,
                       vector, type}) +
               " " + (store ? place + ", " + registers : registers + ", " + place) + (policy ? ", %rd21" : "") + ";";
    }

    bool has_value() const {
        if (in(type, {"f16", "f16x2", "bf16", "bf16x2"})) return false;
        return vector.empty() || type_of(type).bytes * count_of(vector) <= 16;
    }
    bool has_hints() const {
        const bool weak = in(order, {"", "weak"});
        if (store && (nc || !prefetch.empty())) return false;
        if (!cache.empty()) {
            const bool known = store ? in(cache, {"cg", "cs", "wb", "wt"}) : in(cache, {"ca", "cg", "cs", "lu", "cv"});
            if (!known || !weak || !eviction.empty()) return false;
            if (nc && in(cache, {"lu", "cv"})) return false;
        }
        if (nc && (space != "global" || !order.empty())) return false;
        if ((!eviction.empty() || policy) && order == "volatile") return false;
        return (eviction.empty() && !policy && prefetch.empty()) || may_be_global(space);
    }
    bool has_order() const {
        if (order == "mmio.relaxed")
            return scope == "sys" && may_be_global(space) && vector.empty() && eviction.empty() && !policy &&
                   prefetch.empty();
        if (order == "volatile") return scope.empty() && (may_be_global(space) || is_shared(space));
        if (in(order, {"", "weak"})) return scope.empty() && !(store && space == "const");
        if (order != "relaxed" && order != (store ? "release" : "acquire")) return false;
        return !scope.empty() && scope != "gl" && (may_be_global(space) || is_shared(space));
    }
    Spelling spelling() const { return {line(), has_value() && has_hints() && has_order()}; }
};

const Words kAccessOrders = {"",        "weak",     "relaxed", "acquire",     "release",
                             "acq_rel", "volatile", "mmio",    "mmio.relaxed"};

}  // namespace

std::vector<Spelling> loads_and_stores() {
    std::vector<Spelling> all;
    for (bool store : {false, true}) {
        Access access;
        access.store = store;
        for (const std::string& order : kAccessOrders)
            for (const std::string& scope : kScopes)
                for (const std::string& space : kSpaces) {
                    access.order = order, access.scope = scope, access.space = space;
                    all.push_back(access.spelling());
                }
        for (const std::string& order : kAccessOrders)
            for (const char* space : {"", "global", "shared", "local"})
                for (const char* cache : {"", "ca", "cg", "cs", "lu", "cv", "wb", "wt"})
                    for (unsigned hints = 0; hints < 16; ++hints) {
                        const bool scoped = in(order, {"relaxed", "acquire", "release"});
                        access = {store, order, scoped ? "gpu" : order == "mmio.relaxed" ? "sys" : "", space, cache};
                        access.nc = (hints & 1) != 0;
                        access.eviction = hints & 2 ? "L1::no_allocate" : "";
                        access.policy = (hints & 4) != 0;
                        access.prefetch = hints & 8 ? "L2::128B" : "";
                        all.push_back(access.spelling());
                    }
        for (const char* order : {"", "relaxed", "volatile", "mmio.relaxed"})
            for (const char* space : {"", "global", "shared", "local", "const"})
                for (const char* vector : {"", "v2", "v4", "v8"})
                    for (const TypeInfo& type : kTypes) {
                        const char* scope = in(order, {"relaxed"}) ? "cta" : in(order, {"mmio.relaxed"}) ? "sys" : "";
                        access = {store, order, scope, space};
                        access.vector = vector, access.type = type.name;
                        if (type.bytes * count_of(vector) == 32) continue;  // legal since sm_100, in part
                        all.push_back(access.spelling());
                    }
        for (const char* eviction :
             {"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::keep"}) {
            access = {store, "", "", "global"};
            access.eviction = eviction;
            all.push_back({access.line(), !in(eviction, {"L1::keep"})});
        }
    }
    for (const char* line : {"ld.global.L2::64B.b32 %r1, [%rd20];",
                             "ld.global.L2::256B.b32 %r1, [%rd20];",
                             "ld.param.b32 %r1, [pp];",
                             "ld.param::entry.b32 %r1, [pp];",
                             "ldu.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd20];",
                             "ldu.b128 %q1, [%rd20];",
                             "prefetch.global.L1 [%rd20];",
                             "prefetch.local.L2 [%rd20];",
                             "prefetch.L1 [%rd20];",
                             "prefetch.global.L2::evict_last [%rd20];",
                             "prefetchu.L1 [%rd20];",
                             "createpolicy.fractional.L2::evict_last.b64 %rd1;",
                             "createpolicy.fractional.L2::evict_first.b64 %rd1, 0.5;",
                             "createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64 %rd1, %f1;",
                             "createpolicy.range.L2::evict_last.L2::evict_first.b64 %rd1, [%rd20], %r1, %r2;",
                             "createpolicy.range.global.L2::evict_unchanged.b64 %rd1, [%rd20], 4096, 8192;",
                             "createpolicy.cvt.L2.b64 %rd1, %rd2;",
                             "cp.async.ca.shared.global [%r1], [%rd20], 4;",
                             "cp.async.cg.shared::cta.global.L2::128B [%r1], [%rd20], 16, %r2;",
                             "cp.async.ca.shared.global [%r1], [%rd20], 8, %p1;",
                             "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd20], 4, %rd21;",
                             "cp.async.cg.shared.global.L2::cache_hint.L2::64B [%r1], [%rd20], 16, %r2, %rd21;"})
        all.push_back({line, true});
    for (const char* line :
         {"ld.global.b32 %r1, [%rd20], %rd21;", "ld.global.L2::cache_hint.b32 %r1, [%rd20];",
          "st.global.b32 [%rd20], %r1, %rd21;", "ldu.shared.b32 %r1, [%rd20];", "ldu.volatile.b32 %r1, [%rd20];",
          "ld.global.v3.b32 {%r1, %r2, %r3}, [%rd20];", "cp.async.cg.shared.global [%r1], [%rd20], 8;",
          "cp.async.ca.shared.global [%r1], [%rd20], 4, %rd21;",
          "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd20], 4;",
          "createpolicy.range.shared.L2::evict_last.b64 %rd1, [%rd20], 1, 2;",
          "createpolicy.fractional.L2::evict_last.L2::evict_last.b64 %rd1;", "prefetch.shared.L1 [%rd20];",
          "prefetch.global.L3 [%rd20];"})
        all.push_back({line, false});
    return all;
}

// ---- fences ---------------------------------------------------------------------------------------------------------

std::vector<Spelling> fences() {
    std::vector<Spelling> all;
    for (const char* order : {"", "sc", "acq_rel", "acquire", "release", "relaxed", "weak", "volatile"})
        for (const std::string& scope : kScopes) {
            const bool ordered = in(order, {"", "sc", "acq_rel", "acquire", "release"});
            all.push_back({"fence" + dotted({order, scope}) + ";", ordered && !in(scope, {"", "gl"})});
        }
    for (const std::string& scope : kScopes)
        all.push_back({"membar" + dotted({scope}) + ";", in(scope, {"cta", "gl", "sys"})});
    for (const char* order : {"acquire", "release", "acq_rel"})
        for (const char* scope : {"cta", "cluster", "gpu", "sys"}) {
            const std::string words = dotted({"proxy", "tensormap::generic", order, scope});
            all.push_back({"fence" + words + ";", in(order, {"release"})});
            all.push_back({"fence" + words + " [%rd20], 128;", in(order, {"acquire"})});
            all.push_back({"fence" + words + " [%rd20], 64;", false});
        }
    for (const char* line :
         {"fence.proxy.alias;", "fence.proxy.async;", "fence.proxy.async.global;", "fence.proxy.async.shared::cta;",
          "fence.proxy.async.shared::cluster;", "fence.mbarrier_init.release.cluster;",
          "fence.acquire.sync_restrict::shared::cluster.cluster;", "fence.release.sync_restrict::shared::cta.cluster;",
          "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;",
          "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;"})
        all.push_back({line, true});
    for (const char* line :
         {"fence.proxy.async.shared;", "fence.proxy.generic;", "fence.proxy.tensormap;", "fence.mbarrier_init.cluster;",
          "fence.mbarrier_init.release.cta;", "fence.mbarrier_init.acquire.cluster;",
          "fence.acquire.sync_restrict::shared::cluster.gpu;", "fence.acq_rel.sync_restrict::shared::cta.cluster;"})
        all.push_back({line, false});
    return all;
}

// ---- barrier objects ------------------------------------------------------------------------------------------------

std::vector<Spelling> barrier_objects() {
    std::vector<Spelling> all;
    const Words spaces = {"", "shared", "shared::cta", "shared::cluster", "global"};
    const Words orders = {"", "release", "relaxed", "acquire", "acq_rel"};
    const Words scopes = {"", "cta", "cluster", "gpu"};
    const auto in_block = [](const std::string& space) { return in(space, {"", "shared", "shared::cta"}); };
    const auto add = [&](const Words& words, const std::string& operands, bool is_legal) {
        all.push_back({"mbarrier" + dotted(words) + ".b64 " + operands + ";", is_legal});
    };
    for (const std::string& space : spaces) {
        add({"init", space}, "[%rd20], %r1", in_block(space));
        add({"inval", space}, "[%rd20]", in_block(space));
        for (const std::string& order : orders)
            for (const std::string& scope : scopes) {
                // Order and scope come together.
                const bool scoped = order.empty() ? scope.empty() : in(scope, {"cta", "cluster"});
                const bool arrives = scoped && in(order, {"", "release", "relaxed"}) && space != "global";
                const bool own = in_block(space);
                for (const char* what : {"arrive", "arrive_drop"}) {
                    add({what, order, scope, space}, "%rd1, [%rd20]", arrives && own);
                    add({what, order, scope, space}, "_, [%rd20]", arrives);
                    add({what, order, scope, space}, "%rd1, [%rd20], %r1", arrives && own);
                    add({what, order, scope, space}, "_, [%rd20], 5", arrives);
                    add({what, order, scope, space}, "_, [%rd20], 0", false);
                    add({what, "expect_tx", order, scope, space}, "%rd1, [%rd20], %r1", arrives && own);
                    add({what, "expect_tx", order, scope, space}, "_, [%rd20], %r1", arrives);
                    add({what, "expect_tx", order, scope, space}, "_, [%rd20]", false);
                    const bool goes_on = own && (order.empty() ? scope.empty() : order == "release" && scope == "cta");
                    add({what, "noComplete", order, scope, space}, "%rd1, [%rd20], %r1", goes_on);
                    add({what, "noComplete", order, scope, space}, "%rd1, [%rd20]", false);
                }
                const bool counts = scoped && in(order, {"", "relaxed"}) && space != "global";
                add({"expect_tx", order, scope, space}, "[%rd20], %r1", counts);
                add({"complete_tx", order, scope, space}, "[%rd20], %r1", counts);
                const bool waits = scoped && in(order, {"", "acquire", "relaxed"}) && own;
                add({"test_wait", order, scope, space}, "%p1, [%rd20], %rd1", waits);
                add({"test_wait", order, scope, space}, "%p1, [%rd20], %r1", false);
                add({"test_wait", order, scope, space}, "%p1, [%rd20], %rd1, %r2", false);
                add({"try_wait", order, scope, space}, "%p1, [%rd20], %rd1", waits);
                add({"try_wait", order, scope, space}, "%p1, [%rd20], %rd1, %r2", waits);
                add({"test_wait", "parity", order, scope, space}, "%p1, [%rd20], %r1", waits);
                add({"test_wait", "parity", order, scope, space}, "%p1, [%rd20], %rd1", false);
                add({"try_wait", "parity", order, scope, space}, "%p1, [%rd20], %r1", waits);
                add({"try_wait", "parity", order, scope, space}, "%p1, [%rd20], %r1, %r2", waits);
            }
    }
    for (const char* line :
         {"mbarrier.pending_count.b64 %r1, %rd1;", "cp.async.mbarrier.arrive.b64 [%rd20];",
          "cp.async.mbarrier.arrive.shared.b64 [%r1];", "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];"})
        all.push_back({line, true});
    for (const char* line : {"mbarrier.shared.try_wait.b64 %p1, [%rd20], %rd1;",
                             "mbarrier.pending_count.b64 %rd1, %rd2;", "mbarrier.wait.shared.b64 %p1, [%rd20], %rd1;"})
        all.push_back({line, false});
    return all;
}

std::vector<Spelling> permutations() {
    std::vector<Spelling> all;
    const auto add = [&](const std::string& opcode, Words words, const std::string& operands) {
        std::sort(words.begin(), words.end());
        do all.push_back({opcode + dotted(words) + " " + operands + ";", true});
        while (std::next_permutation(words.begin(), words.end()));
    };
    add("atom", {"acquire", "gpu", "global", "add", "u32"}, "%r1, [%rd20], %r2");
    add("atom", {"sys", "cas", "b64", "shared::cta"}, "%rd1, [%rd20], %rd2, %rd3");
    add("red", {"global", "v2", "add", "noftz", "bf16x2"}, "[%rd20], {%r1, %r2}");
    add("ld", {"relaxed", "gpu", "global", "L1::no_allocate", "v2", "u32"}, "{%r1, %r2}, [%rd20]");
    add("ld", {"nc", "global", "ca", "f32"}, "%f1, [%rd20]");
    add("st", {"volatile", "shared", "u16"}, "[%rd20], %h1");
    add("fence", {"sc", "cta"}, "");
    add("mbarrier.arrive", {"release", "cta", "shared::cta", "b64"}, "%rd1, [%rd20]");
    for (const char* opcode : {"ex2", "lg2", "rsqrt", "rcp", "sin", "cos", "sqrt"})
        add(opcode, {"approx", "ftz", "f32"}, "%f1, %f2");
    add("div", {"approx", "ftz", "f32"}, "%f1, %f2, %f3");
    add("fma", {"rn", "ftz", "sat", "f32"}, "%f1, %f2, %f3, %f4");
    add("add", {"rz", "f64"}, "%d1, %d2, %d3");
    add("add", {"cc", "u32"}, "%r1, %r2, %r3");
    add("add", {"sat", "s32"}, "%r1, %r2, %r3");
    add("cvt.f16", {"rn", "ftz", "f32"}, "%h1, %f2");
    add("cvt.s32", {"rzi", "ftz", "f32"}, "%r1, %f2");
    return all;
}

std::string module_of(const std::vector<Spelling>& spellings, unsigned& first_line) {
    std::string text =
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .align 16 .b8 pp[64])\n{\n"
        ".reg .pred %p<32>; .reg .b16 %h<32>; .reg .b32 %r<32>; .reg .f32 %f<32>; .reg .b64 %rd<32>; "
        ".reg .f64 %d<32>; .reg .b128 %q<32>;\n";
    first_line = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const Spelling& spelling : spellings) text += spelling.line + "\n";
    // Loads that nobody reads are dropped before they are bound.
    for (const char* reader : {"b16 [%rd20], %h1", "b32 [%rd20], %r1", "f32 [%rd20], %f1", "b64 [%rd20], %rd1",
                               "f64 [%rd20], %d1", "b128 [%rd20], %q1"})
        text += std::string("st.global.") + reader + ";\n";
    return text + "ret;\n}\n";
}

}  // namespace tilescope::isa::spelling
