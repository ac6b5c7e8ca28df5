// A pattern in a text with its places in order of a list, words counted, and letters made capital.
#include <algorithm>
#include <cctype>
#include <string>

#include "fourfold.cuh"

__constant__ char pattern[8];

__global__ void search(const char* text, int length, int size, int* places, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + size > length) return;
    for (int k = 0; k < size; ++k)
        if (text[i + k] != pattern[k]) return;
    places[atomicAdd(count, 1)] = i;
}

__device__ bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

__global__ void words_and_capitals(const char* text, char* out, int length, int* words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool starts = i < length && is_letter(text[i]) && (i == 0 || !is_letter(text[i - 1]));
    const int found = __syncthreads_count(starts);
    if (threadIdx.x == 0) atomicAdd(words, found);
    if (i < length) out[i] = text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
}

int main() {
    std::string text;
    for (const int n : numbers<int>(150, 0, 4))
        text += std::vector<const char*>{"the ", "then, ", "a thesis ", "other-", "no "}[n];
    const int length = static_cast<int>(text.size());
    std::vector<int> expected;
    for (std::size_t at = text.find("the"); at != std::string::npos; at = text.find("the", at + 1))
        expected.push_back(static_cast<int>(at));
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    int words = 0;
    std::vector<char> capitals;
    for (int i = 0; i < length; ++i) {
        words += letter(text[i]) && (i == 0 || !letter(text[i - 1]));
        capitals.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(text[i]))));
    }
    CHECK(cudaMemcpyToSymbol(pattern, "the", 3));
    const Buffer<char> in(std::vector<char>(text.begin(), text.end())), out(length);
    const Buffer<int> places(length), count(1), found(1);
    search<<<(length + 127) / 128, 128>>>(in, length, 3, places, count);
    words_and_capitals<<<(length + 127) / 128, 128>>>(in, out, length, found);
    std::vector<int> all = places.host();
    all.resize(count.host()[0]);
    std::sort(all.begin(), all.end());
    return same("places", all, expected) + same("words", found.host(), {words}) +
           same("capitals", out.host(), capitals);
}
