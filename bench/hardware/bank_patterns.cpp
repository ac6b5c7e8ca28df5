#include "bank_patterns.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace {

using Element = std::function<unsigned(unsigned lane)>;  // which element (of the pattern's width) a lane addresses

class Patterns {
public:
    Patterns(unsigned width, unsigned seed) : width_(width), random_(seed * 977 + width) {}

    void add(const std::string& name, const Element& element, std::uint32_t mask = 0xffffffffu) {
        BankPattern pattern{name, width_, mask, {}};
        for (unsigned lane = 0; lane < 32; ++lane) pattern.offsets[lane] = element(lane) * width_ % kBankBytes;
        list_.push_back(pattern);
    }
    unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
    std::uint32_t mask() { return static_cast<std::uint32_t>(random_()); }
    std::mt19937& engine() { return random_; }
    std::vector<BankPattern> take() { return std::move(list_); }

    void shapes();
    void sharing();
    void two_lanes();
    void masks();
    void pairs_at_random(unsigned rounds);
    void random(unsigned rounds);

private:
    unsigned width_;
    std::mt19937 random_;
    std::vector<BankPattern> list_;
};

std::string with(const char* text, unsigned a) { return text + std::string(" ") + std::to_string(a); }
std::string with(const char* text, unsigned a, unsigned b) { return with(text, a) + " by " + std::to_string(b); }

void Patterns::shapes() {
    for (unsigned stride : {1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 33})
        add(with("stride", stride), [=](unsigned lane) { return lane * stride; });
    add("offset by one", [](unsigned lane) { return lane + 1; });
    add("reversed", [](unsigned lane) { return 31 - lane; });
    std::vector<unsigned> order(32);
    std::iota(order.begin(), order.end(), 0);
    for (unsigned k = 0; k < 3; ++k) {
        std::shuffle(order.begin(), order.end(), engine());
        add(with("permuted", k), [=](unsigned lane) { return order[lane]; });
    }
}

// Lanes that share an address: by blocks of neighbours, alternating, or across one bit of the lane number.
void Patterns::sharing() {
    add("broadcast", [](unsigned) { return 5u; });
    for (unsigned block : {2, 4, 8, 16})
        for (unsigned spread : {1, 2, 4, 8, 32, 33})
            add(with("blocks", block, spread), [=](unsigned lane) { return lane / block * spread; });
    for (unsigned count : {2, 4, 8, 16})
        for (unsigned spread : {1, 16, 32})
            add(with("alternating", count, spread), [=](unsigned lane) { return lane % count * spread; });
    for (unsigned bit : {1, 2, 4, 8, 16})
        for (unsigned spread : {1, 2, 4, 8, 32})
            add(with("twins across bit", bit, spread), [=](unsigned lane) { return (lane & ~bit) * spread; });
    for (unsigned flip : {3, 5, 6, 7, 31})
        add(with("twins under xor", flip), [=](unsigned lane) { return std::min(lane, lane ^ flip); });
}

// Two active lanes: do they conflict when they want two words of one bank, and do they share a pass otherwise?
void Patterns::two_lanes() {
    for (unsigned first : {0, 5})
        for (unsigned other = 0; other < 32; ++other) {
            if (other == first) continue;
            const std::uint32_t mask = 1u << first | 1u << other;
            add(
                with("two lanes, one bank:", first, other), [=](unsigned lane) { return lane == first ? 0 : 32u; },
                mask);
            add(
                with("two lanes, two banks:", first, other), [=](unsigned lane) { return lane == first ? 0 : 1u; },
                mask);
        }
}

void Patterns::masks() {
    std::vector<std::uint32_t> masks = {0x0000ffff, 0xffff0000, 0xaaaaaaaa, 0x55555555, 1,          0x80000000,
                                        0x000000ff, 0x0000ff00, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0xfffffffe};
    for (unsigned k = 0; k < 6; ++k) masks.push_back(mask());
    for (unsigned k = 0; k < 3; ++k) masks.push_back(mask() & mask() & mask());
    for (std::uint32_t active : masks) {
        if (active == 0) continue;
        for (unsigned stride : {0, 1, 2, 32})
            add(
                with("mask", active) + with(" stride", stride), [=](unsigned lane) { return lane * stride; }, active);
        std::vector<unsigned> at(32);
        for (unsigned& element : at) element = below(64);
        add(
            with("mask", active) + " random", [=](unsigned lane) { return at[lane]; }, active);
    }
}

// Pairs of lanes share an address, each pair a random one; the pairing may differ between the parts of a warp, one lane
// may break out, and lanes may be inactive.
void Patterns::pairs_at_random(unsigned rounds) {
    for (unsigned bit : {1, 2, 3, 4, 8, 16})
        for (unsigned pool : {2, 8, 32, 256})
            for (unsigned k = 0; k < rounds; ++k) {
                std::vector<unsigned> at(32);
                for (unsigned lane = 0; lane < 32; ++lane)
                    at[lane] = lane <= (lane ^ bit) ? below(pool) : at[lane ^ bit];
                const auto element = [=](unsigned lane) { return at[lane]; };
                add(with("random twins", bit, pool), element);
                add(with("random twins masked", bit, pool), element, mask() | mask());
                std::vector<unsigned> broken = at;
                broken[below(32)] = below(pool);
                add(with("random twins but one", bit, pool), [=](unsigned lane) { return broken[lane]; });
            }
    for (unsigned part : {4, 8, 16})
        for (unsigned k = 0; k < 2 * rounds; ++k) {
            std::vector<unsigned> at(32);
            for (unsigned lane = 0; lane < 32; ++lane) {
                const unsigned bit = lane / part % 2 ? 1 : 2;
                at[lane] = lane <= (lane ^ bit) ? below(32) : at[lane ^ bit];
            }
            add(with("random twins, mixed by", part), [=](unsigned lane) { return at[lane]; });
        }
}

void Patterns::random(unsigned rounds) {
    for (unsigned count = 1; count <= 32; ++count) {
        std::vector<unsigned> places(count), at(32);
        for (unsigned& place : places) place = below(1024);
        for (unsigned& element : at) element = places[below(count)];
        add(with("random among", count), [=](unsigned lane) { return at[lane]; });
    }
    for (unsigned pool : {2, 4, 16, 32, 64, 128, 1024})
        for (unsigned k = 0; k < rounds; ++k) {
            std::vector<unsigned> at(32);
            for (unsigned& element : at) element = below(pool);
            add(with("random below", pool), [=](unsigned lane) { return at[lane]; });
            add(
                with("random masked below", pool), [=](unsigned lane) { return at[lane]; }, mask() & mask());
        }
}

}  // namespace

std::vector<BankPattern> bank_patterns(unsigned width, unsigned seed) {
    Patterns patterns(width, seed);
    patterns.shapes();
    patterns.sharing();
    if (width >= 8) patterns.two_lanes();
    patterns.masks();
    patterns.pairs_at_random(width >= 8 ? 2 : 1);
    patterns.random(2);
    std::vector<BankPattern> list = patterns.take();
    std::erase_if(list, [](const BankPattern& pattern) { return pattern.mask == 0; });
    return list;
}

std::vector<BankPattern> atomic_patterns(unsigned width, unsigned seed) {
    Patterns patterns(width, seed);
    patterns.shapes();
    patterns.sharing();
    patterns.random(2);
    std::vector<BankPattern> list = patterns.take();
    std::erase_if(list, [](const BankPattern& pattern) { return pattern.mask == 0; });
    return list;
}
