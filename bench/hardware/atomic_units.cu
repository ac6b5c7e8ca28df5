// What updates of few places of global memory take, by number of places, distance between them, type and order of
// lanes; and which lines share a unit of L2.
//
// Prints one JSON line a launch: {"type", "order", "places", "apart": bytes between two of them, "us"}: the median of
// nine, by events, of 262,144 updates by 264 blocks of 256 threads, each behind a kernel that spins. What an empty
// launch takes is told as "nothing". Then {"lines"}: the class of each of the first 128 lines of an allocation, and
// {"page", "lines"}: that of every other line of 64 pages of 4 KiB. Two lines are of one class if updates of both, half
// of them each, take as long as all of them of one: both wait for the same unit.
#include <cstdio>
#include <vector>

#include "updates.h"

template <class T, Order order>
__global__ void add(T* cells, unsigned n, unsigned places, unsigned apart) {
    const unsigned threads = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&cells[(place_of<order>(i) & (places - 1)) * apart], T(1));
    }
}

__global__ void add_to_two(unsigned* cells, std::size_t one, std::size_t other, unsigned n) {
    const unsigned threads = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        atomicAdd(&cells[(i & 1 ? one : other) / sizeof(unsigned)], 1u);
}

template <class T, Order order>
void add_in_order(const char* type, T* cells) {
    for (const unsigned places : {1, 4, 8, 32, 256, 1024, 16384})
        for (const unsigned apart : {1, 8, 32}) {
            if (places == 1 && apart > 1) continue;
            const double us =
                microseconds(9, true, [&] { add<T, order><<<264, 256>>>(cells, 1 << 18, places, apart); });
            std::printf("{\"type\": \"%s\", \"order\": %d, \"places\": %u, \"apart\": %u, \"us\": %.2f}\n", type, order,
                        places, apart * 4, us);
        }
}

template <class T>
void add_everywhere(const char* type, T* cells) {
    add_in_order<T, kRandom>(type, cells);
    add_in_order<T, kInTurn>(type, cells);
    add_in_order<T, kWarpsAlike>(type, cells);
}

class Classes {
public:
    explicit Classes(unsigned* cells) : cells_(cells), alone_(time_of(0, 32)) {}

    std::size_t of(std::size_t byte) {
        constexpr double kShared = 0.8;  // of one place's time: no two units take as long
        for (std::size_t i = 0; i < first_.size(); ++i)
            if (time_of(first_[i], byte) > kShared * alone_) return i;
        first_.push_back(byte);
        return first_.size() - 1;
    }

private:
    double time_of(std::size_t one, std::size_t other) {
        return microseconds(3, false, [&] { add_to_two<<<132, 256>>>(cells_, one, other, 1 << 16); });
    }

    unsigned* cells_;
    double alone_;
    std::vector<std::size_t> first_;  // by class, a line of it
};

int main() {
    constexpr std::size_t kBytes = 64 << 20, kLine = 128, kPage = 4096;
    void* cells = nullptr;
    CHECK(cudaMalloc(&cells, kBytes));
    CHECK(cudaMemset(cells, 0, kBytes));
    std::printf("{\"nothing\": %.2f}\n", microseconds(9, true, [] { spin<<<1, 1>>>(1); }));
    add_everywhere("int", static_cast<unsigned*>(cells));
    CHECK(cudaMemset(cells, 0, kBytes));
    add_everywhere("float", static_cast<float*>(cells));

    Classes classes(static_cast<unsigned*>(cells));
    std::printf("{\"lines\": [");
    for (std::size_t line = 0; line < 128; ++line) std::printf("%s%zu", line ? ", " : "", classes.of(line * kLine));
    std::printf("]}\n");
    for (std::size_t page = 0; page < 64; ++page) {
        std::printf("{\"page\": %zu, \"lines\": [", page);
        for (std::size_t at = 0; at < kPage; at += 2 * kLine)
            std::printf("%s%zu", at ? ", " : "", classes.of(page * kPage + at));
        std::printf("]}\n");
    }
    CHECK(cudaFree(cells));
    return 0;
}
