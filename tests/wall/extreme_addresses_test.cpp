// Lanes at the ends of every space and of 64 bits, in all combinations of three, against an oracle that looks at one
// lane at a time. A check that adds up a span of addresses before it bounds it lets some of these pass.
#include <gtest/gtest.h>

#include "tests/wall/wall_lab.h"

namespace tilescope::wall {
namespace {

using Kind = Access::Kind;

std::string load_text(const std::string& opcode, unsigned width, const std::string& address) {
    if (width == 16) return opcode + ".v2.u64 {%v0, %v1}, [" + address + "]";
    if (width == 32) return opcode + ".v4.u64 {%v0, %v1, %v2, %v3}, [" + address + "]";
    return opcode + ".u" + std::to_string(8 * width) + " %v0, [" + address + "]";
}

std::string store_text(const std::string& opcode, unsigned width, const std::string& address) {
    if (width == 16) return opcode + ".v2.u64 [" + address + "], {%v0, %v1}";
    if (width == 32) return opcode + ".v4.u64 [" + address + "], {%v0, %v1, %v2, %v3}";
    return opcode + ".u" + std::to_string(8 * width) + " [" + address + "], %v0";
}

std::vector<Access> accesses() {
    struct Space {
        const char* name;
        Where where;
        bool narrow, writable, atomics;
    };
    constexpr Space kSpaces[] = {
        {".global", Where::kGlobal, false, true, true},   {".shared", Where::kShared, false, true, true},
        {".shared", Where::kShared, true, true, true},    {".local", Where::kLocal, false, true, false},
        {".local", Where::kLocal, true, true, false},     {".const", Where::kConstant, false, false, false},
        {".const", Where::kConstant, true, false, false}, {"", Where::kGeneric, false, true, true}};
    std::vector<Access> list;
    for (const Space& space : kSpaces) {
        const std::string address = space.narrow ? "%n" : "%a";
        const auto add = [&](const std::string& text, unsigned width, Kind kind, bool result = true) {
            list.push_back({text, text, space.where, width, kind, space.narrow, result});
        };
        for (unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
            if (width == 32 && space.where != Where::kGlobal && space.where != Where::kGeneric) continue;
            add(load_text("ld" + std::string(space.name), width, address), width, Kind::kLoad);
            if (space.writable) add(store_text("st" + std::string(space.name), width, address), width, Kind::kStore);
        }
        for (unsigned width : {4u, 8u}) {
            if (!space.atomics) break;
            const std::string type = ".add.u" + std::to_string(8 * width);
            const std::string suffix = space.name + type;
            // 32-bit atomics take 32-bit registers.
            const std::string value = width == 4 ? "%x8" : "%v0", old = width == 4 ? "%x7" : "%v1";
            const std::string before = width == 4 ? "cvt.u32.u64 %x8, %v0;\n @%act " : "";
            const std::string after = width == 4 ? ";\n @%act cvt.u64.u32 %v1, %x7" : "";
            add(before + "atom" + suffix + " " + old + ", [" + address + "], " + value + after, width, Kind::kAdd);
            add(before + "red" + suffix + " [" + address + "], " + value, width, Kind::kAdd, false);
        }
    }
    list.push_back({"ldu", "ldu.global.u32 %v0, [%a]", Where::kGlobal, 4, Kind::kLoad, false, true});
    list.push_back({"ld.acquire", "ld.acquire.gpu.u32 %v0, [%a]", Where::kGeneric, 4, Kind::kLoad, false, true});
    for (unsigned width : {4u, 8u, 16u}) {
        const std::string size = std::to_string(width);
        list.push_back({"cp.async to " + size, "cp.async.ca.shared.global [%a], [%t4], " + size, Where::kShared, width,
                        Kind::kCopyTo, false, false});
        list.push_back({"cp.async from " + size, "cp.async.ca.shared.global [%t6], [%a], " + size, Where::kShared,
                        width, Kind::kCopyFrom, false, false});
    }
    return list;
}

// The ends of the array and of everything that an address can be.
std::vector<Address> extremes(const Access& access, const Lab& lab) {
    const std::uint64_t base = lab.base(), w = access.width;
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63, kTwo31 = std::uint64_t{1} << 31;
    std::vector<std::uint64_t> values = {
        base, base + w, base + kRoom - w, base + kRoom - 1, base + kRoom, base - w, base + kTop,
        0,    w,        kTwo31,           kTop - w,         kTop,         0 - w,    0 - std::uint64_t{1}};
    if (access.is_narrow) {
        values.push_back(kTwo31 - w);
    } else {
        values.push_back(kTwo31 << 1);
        values.push_back(std::uint64_t{1} << 47);
    }
    if (access.where == Where::kGeneric) {
        values = {0,     lab.global_base(),     lab.global_base() + kRoom - w, lab.global_base() + kRoom, kTop,
                  0 - w, std::uint64_t{1} << 47};
        for (std::uint64_t window : {kSharedWindow, kLocalWindow})
            for (std::uint64_t offset : {std::uint64_t{0}, kRoom - w, kRoom, (kTwo31 << 1) - w, kTwo31 << 1, 0 - w}) {
                values.push_back(window + offset);
                if (window == kSharedWindow) values.push_back(window + kSharedBase + offset);
            }
    }
    std::vector<Address> addresses;
    for (std::uint64_t value : values) addresses.push_back({value});
    if (access.where == Where::kGeneric)
        for (std::uint64_t offset : {std::uint64_t{0}, kRoom - w}) addresses.push_back({offset, true});
    return addresses;
}

// Lanes 0 to 2 are the triple's; the others repeat them, or stay away, or are wild themselves.
enum class Rest : std::uint8_t { kRepeat, kAway, kWild };

Lanes lanes_of(const Address& a, const Address& b, const Address& c, Rest rest) {
    const Address triple[] = {a, b, c};
    Lanes lanes;
    for (unsigned i = 0; i < kLanes; ++i) {
        lanes[i] = triple[i % 3];
        if (i < 3 || rest == Rest::kRepeat) continue;
        lanes[i] = {std::uint64_t{0x123456} << 24, false, rest == Rest::kWild};
    }
    return lanes;
}

void expect_same(const Access& access, const Outcome& expected, const Outcome& found, const std::vector<Lanes>& warps) {
    EXPECT_EQ(found.misaligned, expected.misaligned) << access.name;
    EXPECT_EQ(found.outside, expected.outside) << access.name;
    EXPECT_EQ(found.global, expected.global) << access.name;
    for (std::size_t i = 0; i < expected.values.size(); ++i)
        if (expected.values[i] != found.values[i] || expected.memory[i] != found.memory[i]) {
            const Lanes& lanes = warps[i / kLanes];
            ADD_FAILURE() << access.name << ": lane " << i % kLanes << " of a warp with lanes at " << std::hex
                          << lanes[0].value << ", " << lanes[1].value << ", " << lanes[2].value << " gives "
                          << found.values[i][0] << " instead of " << expected.values[i][0];
            return;
        }
}

// Every set of three addresses. One order of each set, another from set to set; or all orders.
enum class Orders : std::uint8_t { kOne, kAll };

std::vector<Lanes> triples(const std::vector<Address>& addresses, Orders orders, Rest rest) {
    constexpr unsigned kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}};
    std::vector<Lanes> warps;
    unsigned turn = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i)
        for (std::size_t j = i; j < addresses.size(); ++j)
            for (std::size_t k = j; k < addresses.size(); ++k, ++turn) {
                const Address set[] = {addresses[i], addresses[j], addresses[k]};
                for (unsigned order = 0; order < 6; ++order) {
                    if (orders == Orders::kOne && order != turn % 6) continue;
                    const auto& at = kOrders[order];
                    warps.push_back(lanes_of(set[at[0]], set[at[1]], set[at[2]], rest));
                }
            }
    return warps;
}

void expect_triples_reach_nothing_else(Orders orders) {
    for (const Access& access : accesses()) {
        Lab lab(access, true);
        const std::vector<Address> addresses = extremes(access, lab);
        for (Rest rest : {Rest::kRepeat, Rest::kAway, Rest::kWild}) {
            if (rest != Rest::kRepeat && access.width != 4) continue;  // one width tells what the others do
            const std::vector<Lanes> warps = triples(addresses, orders, rest);
            expect_same(access, lab.expected(warps), lab.run(warps), warps);
        }
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Wall, ExtremeTriplesReachNothingElse) { expect_triples_reach_nothing_else(Orders::kOne); }

TEST(WallInEveryOrder, ExtremeTriplesReachNothingElse) { expect_triples_reach_nothing_else(Orders::kAll); }

// The same where a launch ends at its first fault: fewer triples, as each is a launch of its own.
TEST(Wall, ExtremeTriplesEndTheLaunch) {
    for (const Access& access : accesses()) {
        Lab lab(access, false);
        const std::uint64_t w = access.width, top = std::uint64_t{1} << 63;
        const Address kinds[] = {{lab.base()}, {lab.base() + kRoom - w}, {lab.base() + top}, {top},
                                 {0 - w},      {0 - std::uint64_t{1}}};
        for (const Address& a : kinds)
            for (const Address& b : kinds)
                for (const Address& c : kinds) {
                    const Lanes lanes = lanes_of(a, b, c, Rest::kAway);
                    const Outcome expected = lab.expected({lanes});
                    const std::uint64_t bad = expected.misaligned + expected.outside;
                    const AloneOutcome found = lab.run_alone(lanes);
                    ASSERT_EQ(found.status, bad == expected.unnoticed ? LaunchStatus::kOk : LaunchStatus::kFault)
                        << access.name << " " << std::hex << a.value << " " << b.value << " " << c.value;
                    ASSERT_EQ(found.told, bad != 0)
                        << access.name << " " << std::hex << a.value << " " << b.value << " " << c.value;
                }
    }
}

}  // namespace
}  // namespace tilescope::wall
