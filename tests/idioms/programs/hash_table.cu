// A table of keys and values with open addressing: slots claimed by compare-and-swap, found, erased and listed.
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "program.cuh"

struct Entry {
    uint32_t key, value;
};

constexpr uint32_t capacity = 1u << 13;
constexpr uint32_t empty = 0xffffffffu;

// The mixing steps of a common 32-bit hash.
__device__ __host__ inline uint32_t hashed(uint32_t k) {
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    k ^= k >> 16;
    return k & (capacity - 1);
}

class Table {
public:
    void create() {
        CHECK(cudaMalloc(&entries, capacity * sizeof(Entry)));
        CHECK(cudaMemset(entries, 0xff, capacity * sizeof(Entry)));
    }
    void destroy() { CHECK(cudaFree(entries)); }

    __device__ bool add(uint32_t key, uint32_t amount) {
        for (uint32_t slot = hashed(key), tries = 0; tries < capacity; ++tries, slot = (slot + 1) & (capacity - 1)) {
            const uint32_t before = atomicCAS(&entries[slot].key, empty, key);
            if (before == empty || before == key) {
                // A value begins at -1, as memset left it, so that a sum is one less than it should be.
                atomicAdd(&entries[slot].value, amount);
                return true;
            }
        }
        return false;
    }
    __device__ const Entry* find(uint32_t key) const {
        for (uint32_t slot = hashed(key);; slot = (slot + 1) & (capacity - 1)) {
            if (entries[slot].key == key) return &entries[slot];
            if (entries[slot].key == empty) return nullptr;
        }
    }

    Entry* entries = nullptr;
};

__global__ void insert_all(Table table, const uint32_t* keys, int count, int* full) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count && !table.add(keys[i], keys[i] % 7 + 1)) atomicExch(full, 1);
}
__global__ void look_up(const Table table, const uint32_t* keys, uint32_t* values, int count) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= count) return;
    const Entry* entry = table.find(keys[i]);
    values[i] = entry != nullptr ? entry->value + 1 : 0;
}
// Marks entries as erased, value 0 after the one is added; their keys stay, so that others are found past them.
__global__ void erase_odd(Table table) {
    for (uint32_t slot = threadIdx.x + blockIdx.x * blockDim.x; slot < capacity; slot += blockDim.x * gridDim.x)
        if (table.entries[slot].key != empty && table.entries[slot].key % 2 == 1) table.entries[slot].value = ~0u;
}
// What is left, in any order: a place a warp, its lanes behind one another.
__global__ void list_entries(const Table table, uint2* out, unsigned* count) {
    const uint32_t slot = threadIdx.x + blockIdx.x * blockDim.x;
    const Entry entry = table.entries[slot];
    const bool there = entry.key != empty && entry.value != ~0u;
    const unsigned mask = __ballot_sync(0xffffffffu, there), lane = threadIdx.x % 32;
    unsigned place = 0;
    if (lane == 0 && mask != 0) place = atomicAdd(count, __popc(mask));
    place = __shfl_sync(0xffffffffu, place, 0);
    if (there) out[place + __popc(mask & ((1u << lane) - 1))] = make_uint2(entry.key, entry.value + 1);
}

int main() {
    constexpr int inserts = 9000, queries = 4096;
    std::vector<uint32_t> keys(inserts), asked(queries), answers(queries);
    uint32_t random = 12345;
    for (uint32_t& key : keys) key = (random = random * 1664525u + 1013904223u) >> 8 & 0x1fff;
    std::unordered_map<uint32_t, uint32_t> reference;
    for (uint32_t key : keys) reference[key] += key % 7 + 1;
    for (int i = 0; i < queries; ++i) {
        asked[i] = i * 2654435761u >> 16 & 0x3fff;
        const auto place = reference.find(asked[i]);
        answers[i] = place == reference.end() ? 0 : place->second;
    }

    Table table;
    table.create();
    uint32_t *k = to_device(keys), *a = to_device(asked), *values = to_device(asked);
    int* full = to_device(std::vector<int>{0});
    insert_all<<<(inserts + 255) / 256, 256>>>(table, k, inserts, full);
    CHECK(cudaPeekAtLastError());
    int bad = verdict("room for every key", to_host(full, 1)[0] == 0);
    look_up<<<(queries + 255) / 256, 256>>>(table, a, values, queries);
    CHECK(cudaPeekAtLastError());
    bad += verdict("values that were looked up", to_host(values, queries) == answers);

    uint2* list;
    unsigned *count, left = 0;
    CHECK(cudaMalloc(&list, capacity * sizeof(uint2)));
    CHECK(cudaMalloc(&count, sizeof(unsigned)));
    CHECK(cudaMemset(count, 0, sizeof(unsigned)));
    erase_odd<<<8, 128>>>(table);
    list_entries<<<capacity / 256, 256>>>(table, list, count);
    CHECK(cudaMemcpy(&left, count, sizeof(left), cudaMemcpyDeviceToHost));
    std::vector<std::pair<uint32_t, uint32_t>> found, expected;
    for (const uint2& e : to_host(list, left)) found.emplace_back(e.x, e.y);
    for (const auto& e : reference)
        if (e.first % 2 == 0) expected.emplace_back(e);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    bad += verdict("entries after erasing", found == expected);
    for (uint32_t* p : {k, a, values}) CHECK(cudaFree(p));
    CHECK(cudaFree(full));
    CHECK(cudaFree(list));
    CHECK(cudaFree(count));
    table.destroy();
    return bad;
}
