// Three bytes to four letters and back, with tables in constant memory.
#include "fourfold.cuh"

__constant__ char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void encode(const unsigned char* in, char4* out, int triples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= triples) return;
    const unsigned bits = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    out[i] = make_char4(letters[bits >> 18], letters[bits >> 12 & 63], letters[bits >> 6 & 63], letters[bits & 63]);
}

__device__ unsigned value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
}

__global__ void decode(const char4* in, unsigned char* out, int triples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= triples) return;
    const char4 c = in[i];
    const unsigned bits = value(c.x) << 18 | value(c.y) << 12 | value(c.z) << 6 | value(c.w);
    out[3 * i] = bits >> 16, out[3 * i + 1] = bits >> 8, out[3 * i + 2] = bits;
}

int main() {
    constexpr int triples = 300;
    const std::vector<unsigned char> data = numbers<unsigned char>(triples * 3, 0, 255);
    const char* const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<char> text;
    for (int i = 0; i < triples; ++i) {
        const unsigned bits = data[3 * i] << 16 | data[3 * i + 1] << 8 | data[3 * i + 2];
        for (int s = 18; s >= 0; s -= 6) text.push_back(all[bits >> s & 63]);
    }
    const Buffer<unsigned char> in(data), out(data.size());
    const Buffer<char> middle(text.size());
    encode<<<3, 128>>>(in, (char4*)middle.at, triples);
    decode<<<3, 128>>>((const char4*)middle.at, out, triples);
    return same("letters", middle.host(), text) + same("bytes", out.host(), data);
}
