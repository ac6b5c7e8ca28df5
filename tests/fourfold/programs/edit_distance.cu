// Two words compared along diagonals by one block, three diagonals kept in shared memory.
#include "fourfold.cuh"

__global__ void distances(const char* words, const char* pattern, int length, int* out) {
    __shared__ int lines[3][33];
    const char* word = words + blockIdx.x * length;
    const int t = threadIdx.x;
    for (int d = 0; d <= 2 * length; ++d) {
        const int* const old = lines[(d + 1) % 3];
        const int* const last = lines[(d + 2) % 3];
        const int i = t, j = d - t;
        if (i <= length && j >= 0 && j <= length) {
            int best;
            if (i == 0 || j == 0)
                best = i + j;
            else
                best = min(min(last[i - 1], last[i]) + 1, old[i - 1] + (word[i - 1] != pattern[j - 1]));
            lines[d % 3][i] = best;
            if (i == length && j == length) out[blockIdx.x] = best;
        }
        __syncthreads();
    }
}

int main() {
    constexpr int length = 24, words = 12;
    const std::vector<char> text = numbers<char>(words * length, 'a', 'd'),
                            pattern = numbers<char>(length, 'a', 'd', 3);
    std::vector<int> expected(words);
    for (int w = 0; w < words; ++w) {
        std::vector<int> row(length + 1);
        for (int j = 0; j <= length; ++j) row[j] = j;
        for (int i = 1; i <= length; ++i) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= length; ++j) {
                const int above = row[j];
                row[j] =
                    std::min(std::min(row[j], row[j - 1]) + 1, corner + (text[w * length + i - 1] != pattern[j - 1]));
                corner = above;
            }
        }
        expected[w] = row[length];
    }
    const Buffer<char> dtext(text), dpattern(pattern);
    const Buffer<int> out(words);
    distances<<<words, 32>>>(dtext, dpattern, length, out);
    return same("distances", out.host(), expected);
}
