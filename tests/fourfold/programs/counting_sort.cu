// Small keys with what hangs on them, put in order by counting: stable, a histogram, a scan and a scatter.
#include <algorithm>

#include "fourfold.cuh"

constexpr int keys = 16;

struct Item {
    int key, value;
};

__global__ void count_keys(const Item* in, int count, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(&counts[in[i].key], 1);
}

__global__ void starts_of(const int* counts, int* starts) {
    int sum = 0;
    for (int k = 0; k < threadIdx.x; ++k) sum += counts[k];
    starts[threadIdx.x] = sum;
}

// A thread for each key keeps the order of equal ones.
__global__ void scatter(const Item* in, int count, const int* starts, Item* out) {
    int at = starts[threadIdx.x];
    for (int i = 0; i < count; ++i)
        if (in[i].key == threadIdx.x) out[at++] = in[i];
}

int main() {
    constexpr int count = 300;
    const std::vector<int> chosen = numbers<int>(count, 0, keys - 1);
    std::vector<Item> items(count);
    for (int i = 0; i < count; ++i) items[i] = {chosen[i], i};
    const Buffer<Item> in(items), out(count);
    const Buffer<int> counts(keys), starts(keys);
    count_keys<<<3, 128>>>(in, count, counts);
    starts_of<<<1, keys>>>(counts, starts);
    scatter<<<1, keys>>>(in, count, starts, out);
    std::stable_sort(items.begin(), items.end(), [](Item a, Item b) { return a.key < b.key; });
    const std::vector<Item> found = out.host();
    tell("items", found);
    return verdict("stable", std::equal(found.begin(), found.end(), items.begin(),
                                        [](Item a, Item b) { return a.key == b.key && a.value == b.value; }));
}
