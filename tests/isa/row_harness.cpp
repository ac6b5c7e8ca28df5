#include "tests/isa/row_harness.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cstring>
#include <iomanip>
#include <map>
#include <sstream>

#include "scope/isa/families.h"
#include "scope/machine/simd/targets.h"
#include "scope/machine/warp.h"
#include "scope/machine/worker.h"
#include "tests/isa/row_operands.h"

namespace tilescope::isa::test {

using machine::kFullMask;
using machine::kWarpSize;

std::int64_t Thread::s(std::size_t i) const {
    const unsigned unused = 64 - 8 * operands[i][0].bytes;
    return static_cast<std::int64_t>(operands[i][0].lo << unused) >> unused;
}
float Thread::f32(std::size_t i) const { return std::bit_cast<float>(static_cast<std::uint32_t>(u(i))); }
double Thread::f64(std::size_t i) const { return std::bit_cast<double>(u(i)); }
void Thread::set(std::size_t i, std::uint64_t bits, std::size_t element) {
    Scalar& scalar = operands[i][element];
    if (!scalar.present) return;
    if (scalar.bytes == 0) bits &= 1u;
    if (scalar.bytes != 0 && scalar.bytes < 8) bits &= (std::uint64_t{1} << 8 * scalar.bytes) - 1;
    scalar.lo = bits;
    scalar.hi = 0;
}
void Thread::set_f32(std::size_t i, float value) { set(i, std::bit_cast<std::uint32_t>(value)); }
void Thread::set_f64(std::size_t i, double value) { set(i, std::bit_cast<std::uint64_t>(value)); }

namespace {

// Where a lane's value of a place lies.
std::byte* lane_of(BankBytes* banks, const Place& place, unsigned lane) {
    return banks[place.slot.bank()].bytes + place.slot.offset() + (place.bytes == 0 ? 0 : lane * place.bytes);
}

Scalar load(BankBytes* banks, const Place& place, unsigned lane) {
    Scalar scalar{place.present, place.is_immediate, place.bytes, 0, 0, place.selector, place.minus};
    if (!place.present) return scalar;
    const std::byte* from = lane_of(banks, place, lane);
    std::uint32_t mask = 0;
    if (place.bytes == 0) {
        std::memcpy(&mask, from, 4);
        scalar.lo = (mask >> lane & 1u) ^ (place.negated ? 1u : 0u);
        return scalar;
    }
    std::memcpy(&scalar.lo, from, std::min<unsigned>(place.bytes, 8));
    if (place.bytes == 16) std::memcpy(&scalar.hi, from + 8, 8);
    return scalar;
}

void store(BankBytes* banks, const Place& place, unsigned lane, const Scalar& scalar) {
    std::byte* to = lane_of(banks, place, lane);
    if (place.bytes == 0) {
        std::uint32_t mask = 0;
        std::memcpy(&mask, to, 4);
        mask = (mask & ~(1u << lane)) | static_cast<std::uint32_t>(scalar.lo & 1u) << lane;
        std::memcpy(to, &mask, 4);
        return;
    }
    std::memcpy(to, &scalar.lo, std::min<unsigned>(place.bytes, 8));
    if (place.bytes == 16) std::memcpy(to + 8, &scalar.hi, 8);
}

std::uint32_t random_mask(Random& random) {
    switch (below(random, 5)) {
        case 0: return 1u << below(random, kWarpSize);
        case 1:
        case 2: {
            const auto mask = static_cast<std::uint32_t>(random());
            return mask ? mask : kFullMask;
        }
        default: return kFullMask;
    }
}

std::string text_of(const Scalar& scalar) {
    if (!scalar.present) return "_";
    std::ostringstream out;
    out << (scalar.is_immediate ? "#" : "") << "0x" << std::hex << std::setfill('0');
    if (scalar.bytes == 16) out << std::setw(16) << scalar.hi << '.';
    out << std::setw(2 * std::min<int>(scalar.bytes, 8)) << scalar.lo;
    return out.str();
}

std::string text_of(const Thread& thread) {
    std::string text;
    for (const auto& operand : thread.operands) {
        text += text.empty() ? "" : ", ";
        if (operand.size() > 1) text += "{";
        for (std::size_t j = 0; j < operand.size(); ++j) text += (j ? " " : "") + text_of(operand[j]);
        if (operand.size() > 1) text += "}";
    }
    return text + (thread.carry ? " CF=1" : " CF=0");
}

// The rounding and flush modes; an instruction must leave them as they were.
unsigned float_mode() {
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr() & 0xffc0u;  // all but the sticky flags
#else
    return static_cast<unsigned>(std::fegetround());
#endif
}

// One spelling of one row: rounds of random operands and values.
class Trial {
public:
    Trial(const Row& row, const Form& form, const Oracle& oracle, Random& random)
        : row_(row), form_(form), oracle_(oracle), tokens_(tokens_of(row.operands)), random_(random), banks_(4) {}

    // The first disagreement; "" when there is none.
    std::string run(unsigned rounds) {
        OperandMaker maker(form_, tokens_, random_);
        std::string reason;
        for (unsigned round = 0; round < rounds; ++round) {
            machine::Op op;
            OperandSet set;
            machine::OpFn fn = nullptr;
            // Some shapes are refused (a register where only an immediate will do, vectors of the wrong length).
            for (unsigned attempt = 0; attempt < 400; ++attempt) {
                if (!maker.make(set, reason)) return reason;
                op = {};
                place_in_op(tokens_, set, op);
                TestBinding binding(form_, op, set.operands);
                fn = row_.bind(binding);
                if (fn == nullptr && binding.failure().empty()) return "bind returned nothing and gave no reason";
                if (fn == nullptr) {
                    reason = binding.failure();
                    continue;
                }
                op.fn = fn;
                if (std::string difference = compare(set, op); !difference.empty()) return difference;
                break;
            }
            if (fn == nullptr) return "no operands were accepted: " + reason;
        }
        return {};
    }

private:
    std::string compare(const OperandSet& set, const machine::Op& op) {
        fill(set);
        machine::Warp warp;
        warp.worker = &worker_;
        warp.live = kFullMask;
        warp.exec = random_mask(random_);
        warp.active = warp.exec | static_cast<std::uint32_t>(random_());
        warp.carry = static_cast<std::uint32_t>(random_());
        for (unsigned bank = 0; bank < 4; ++bank) warp.banks[bank] = banks_[bank].bytes;
        const std::vector<BankBytes> before = banks_;
        std::vector<BankBytes> expected = banks_;
        const std::uint32_t carry_before = warp.carry, exec = warp.exec;
        const unsigned mode = float_mode();
        op.fn(warp, op);
        if (float_mode() != mode) return "the floating-point mode was left changed";
        if (warp.exec != exec) return "exec was changed";

        std::uint32_t carry = carry_before;
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            if ((exec >> lane & 1u) == 0) continue;
            std::vector<BankBytes>& old = const_cast<std::vector<BankBytes>&>(before);
            Thread inputs = thread_of(old, set, lane);
            inputs.carry = carry_before >> lane & 1u;
            Thread wanted = inputs;
            oracle_.compute(form_, wanted);
            carry = (carry & ~(1u << lane)) | (wanted.carry ? 1u << lane : 0u);
            if (std::string wrong = settle(set, lane, inputs, wanted, expected); !wrong.empty()) return wrong;
        }
        if (warp.carry != carry) return "the carry flags are wrong";
        for (unsigned bank = 0; bank < 4; ++bank)
            if (std::memcmp(expected[bank].bytes, banks_[bank].bytes, kBankBytes) != 0)
                return "bytes were written that are no active lane's destination (bank " + std::to_string(bank) +
                       ", exec " + std::to_string(exec) + ")";
        return {};
    }

    // Compares one lane's destinations and carries what is accepted over into `expected`.
    std::string settle(const OperandSet& set, unsigned lane, const Thread& inputs, const Thread& wanted,
                       std::vector<BankBytes>& expected) {
        for (std::size_t i = 0; i < set.places.size(); ++i) {
            for (std::size_t j = 0; j < set.places[i].size(); ++j) {
                const Place& place = set.places[i][j];
                if (!place.written || !place.present) continue;
                const Scalar& want = wanted.operands[i][j];
                const Scalar got = load(banks_.data(), place, lane);
                const bool same = want.lo == got.lo && want.hi == got.hi;
                if (!same && !(oracle_.accepts && oracle_.accepts(form_, inputs, want, got)))
                    return "lane " + std::to_string(lane) + ": expected " + text_of(want) + ", got " + text_of(got) +
                           " in operand " + std::to_string(i) + "." + std::to_string(j) + " of " + text_of(inputs);
                store(expected.data(), place, lane, got);
            }
        }
        return {};
    }

    static Thread thread_of(std::vector<BankBytes>& banks, const OperandSet& set, unsigned lane) {
        Thread thread;
        thread.lane = lane;
        for (const auto& operand : set.places) {
            auto& scalars = thread.operands.emplace_back();
            for (const Place& place : operand) scalars.push_back(load(banks.data(), place, lane));
        }
        return thread;
    }

    void fill(const OperandSet& set) {
        for (BankBytes& bank : banks_)
            for (std::size_t i = 0; i < kBankBytes; i += 8) {
                const std::uint64_t noise = random_();
                std::memcpy(bank.bytes + i, &noise, 8);
            }
        for (const auto& operand : set.places) {
            for (const Place& place : operand) {
                if (!place.present) continue;
                const Bits common = place.is_immediate ? place.value : random_value(place.type, random_);
                const bool uniform = place.is_immediate || below(random_, 8) == 0;
                for (unsigned lane = 0; lane < kWarpSize; ++lane) {
                    Bits value = uniform ? common : random_value(place.type, random_);
                    // A register wider than its type holds anything above the type's bits.
                    if (const unsigned bits = 8 * bytes_of(place.type); bits != 0 && bits < 8u * place.bytes)
                        value.lo |= place.is_immediate ? 0 : random_() << bits;
                    store(banks_.data(), place, lane, Scalar{true, false, place.bytes, value.lo, value.hi});
                }
            }
        }
    }

    const Row& row_;
    const Form& form_;
    const Oracle& oracle_;
    std::vector<Token> tokens_;
    Random& random_;
    std::vector<BankBytes> banks_;
    machine::Worker worker_;  // to whom nobody listens
};

}  // namespace

std::vector<std::string> check_family(const Family& family, std::span<const Oracle> oracles,
                                      const HarnessOptions& options) {
    std::vector<std::string> failures;
    Random random(options.seed);
    for (std::size_t r = 0; r < family.count; ++r) {
        const Row& row = family.rows[r];
        const Oracle* oracle = nullptr;
        for (const Oracle& candidate : oracles)
            if (candidate.opcode == opcode_of(row.syntax)) oracle = &candidate;
        if (oracle == nullptr) {
            failures.push_back("no oracle for " + std::string(row.syntax));
            continue;
        }
        for_each_spelling(row.syntax, options.spellings, [&](std::string_view opcode, const auto& modifiers) {
            std::string spelling(opcode);
            for (const std::string& word : modifiers) spelling += "." + word;
            const std::optional<Form> form = Form::match(row.syntax, opcode, modifiers);
            std::string failure =
                form ? Trial(row, *form, *oracle, random).run(options.rounds) : "the row's syntax does not accept it";
            if (!failure.empty()) failures.push_back(spelling + " (" + std::string(row.operands) + "): " + failure);
        });
    }
    return failures;
}

void expect_family_agrees(std::string_view name, std::span<const Oracle> oracles, const HarnessOptions& options) {
    for (std::string_view target : machine::runnable_targets()) {
        const Family* found = nullptr;
        for (const Family* family : families(target))
            if (family->name == name) found = family;
        ASSERT_NE(found, nullptr) << "no family " << name;
        EXPECT_GT(found->count, 0u) << "family " << name << " has no rows";
        for (const std::string& failure : check_family(*found, oracles, options))
            ADD_FAILURE() << target << ": " << failure;
    }
}

}  // namespace tilescope::isa::test
