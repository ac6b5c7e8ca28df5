// Pairs of a head turned by an angle of their place; sines from a table in constant memory.
#include "fourfold.cuh"

__constant__ float2 turns[32 * 8];

__global__ void rotate(float2* x, int heads, int pairs) {
    const int pair = threadIdx.x, head = threadIdx.y, place = blockIdx.x;
    float2& at = x[(place * heads + head) * pairs + pair];
    const float2 turn = turns[place * pairs + pair], old = at;
    at = make_float2(old.x * turn.x - old.y * turn.y, old.x * turn.y + old.y * turn.x);
}

int main() {
    constexpr int length = 32, heads = 4, pairs = 8, count = length * heads * pairs;
    const std::vector<float> x = numbers<float>(count * 2, -1, 1);
    std::vector<float2> table(length * pairs);
    std::vector<float> expected(x.size());
    for (int i = 0; i < length * pairs; ++i) {
        const double angle = i / pairs * std::pow(10000.0, -double(i % pairs) / pairs);
        table[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
    for (int i = 0; i < count; ++i) {
        const float2 turn = table[i / (heads * pairs) * pairs + i % pairs];
        expected[2 * i] = x[2 * i] * turn.x - x[2 * i + 1] * turn.y;
        expected[2 * i + 1] = x[2 * i] * turn.y + x[2 * i + 1] * turn.x;
    }
    CHECK(cudaMemcpyToSymbol(turns, table.data(), table.size() * sizeof(float2)));
    const Buffer<float> out(x);
    rotate<<<length, dim3(pairs, heads)>>>((float2*)out.at, heads, pairs);
    return near("turned", out.host(), expected);
}
