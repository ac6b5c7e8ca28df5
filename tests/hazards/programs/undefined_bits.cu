// Undefined bits that are moved, masked, shifted and chosen: only those that decide something are a hazard.
//
// check: init
// case chars_of_a_word: clean
// case wrong_char_of_a_word: uninitialized global CHAR_READ CHAR_USE
// case vector_half_used: clean
// case vector_other_half_used: uninitialized global VECTOR_READ VECTOR_USE
// case masked_out: clean
// case mask_too_wide: uninitialized shared MASK_READ
// case bit_field_written: clean
// case bit_field_left: uninitialized global FIELD_USE
// case chosen_by_a_defined_predicate: clean
// case chosen_the_undefined: uninitialized global CHOICE_READ CHOICE_USE
// case condition_not_reached: clean
// case shuffled_and_dropped: clean
// case shuffled_and_used: uninitialized global SHUFFLE_READ SHUFFLE_USE
// case ballot_of_defined: clean
// case ballot_of_undefined: uninitialized global BALLOT_READ BALLOT_USE
// case high_bits_cancel: clean
// case sum_of_padding: uninitialized global SUM_READ SUM_USE
// case index_undefined: uninitialized global INDEX_READ
// case zero_times_undefined: uninitialized global PRODUCT_READ PRODUCT_USE
// case members_moved: clean
// case known_bits_decide: clean
#include <cstdio>
#include <cstring>

__device__ int out[64];

// Bytes 0 and 2 of each word are written.
__global__ void even_bytes(unsigned char* bytes) { bytes[threadIdx.x * 2] = 7; }
template <int kWhich>
__global__ void use_byte(const unsigned* words) {
    const unsigned word = words[threadIdx.x];                           // @CHAR_READ
    if ((word >> (8 * kWhich) & 0xff) == 9) out[threadIdx.x] = kWhich;  // @CHAR_USE
}

__global__ void fill_x(float4* points) { points[threadIdx.x].x = 1; }
template <bool kX>
__global__ void use_point(const float4* points) {
    const float4 point = points[threadIdx.x];                // @VECTOR_READ
    if ((kX ? point.x : point.w) > 2) out[threadIdx.x] = 1;  // @VECTOR_USE
}

template <unsigned kMask>
__global__ void masked() {
    __shared__ unsigned words[32];
    reinterpret_cast<unsigned short*>(words)[threadIdx.x * 2] = 5;
    __syncthreads();
    if ((words[31 - threadIdx.x] & kMask) == 5) out[threadIdx.x] = 1;  // @MASK_READ
}

struct Flags {
    unsigned kind : 5, level : 7, rest : 20;
};
__global__ void set_level(Flags* flags) { flags[threadIdx.x].level = 3; }
template <bool kLevel>
__global__ void use_flags(Flags* flags) {
    const Flags mine = flags[threadIdx.x];
    if ((kLevel ? mine.level : mine.kind) == 9) out[threadIdx.x] = 1;  // @FIELD_USE
}

template <bool kTakes>
__global__ void choose(const int* some, const int* none) {
    const int one = some[threadIdx.x], other = none[threadIdx.x];  // @CHOICE_READ
    const int taken = (static_cast<int>(threadIdx.x) < (kTakes ? 16 : 64)) ? one : other;
    if (taken == 12345) out[threadIdx.x] = 1;  // @CHOICE_USE
}

// The first half is known, and only its condition is asked further.
__global__ void both_conditions(const int* values) {
    const int t = threadIdx.x;
    if (t < 32 && values[t] == 3) out[t] = 1;
}

template <bool kUses>
__global__ void shuffled(const int* half) {
    const int t = threadIdx.x;
    const int mine = half[t];  // @SHUFFLE_READ
    const int theirs = __shfl_xor_sync(~0u, mine, 16);
    const int wanted = kUses ? 16 : 0;
    if ((t & 16) == wanted ? mine == 99 || (kUses && theirs == 98) : theirs == 99) out[t] = 1;  // @SHUFFLE_USE
}

template <int kLanes>
__global__ void ballot(const int* half) {
    const int mine = half[threadIdx.x];  // @BALLOT_READ
    const unsigned votes = __ballot_sync(~0u, mine == 5);
    if ((votes & ((1u << kLanes) - 1)) == 0) out[0] = 1;  // @BALLOT_USE
}

// What is shifted out or cancelled is gone.
__global__ void shifted(const unsigned short* halves) {
    const unsigned word = reinterpret_cast<const unsigned*>(halves)[threadIdx.x];
    if ((word << 16) + 0x30000u == 0x90000u) out[threadIdx.x] = 1;
}
__global__ void even_halves(unsigned short* halves) { halves[threadIdx.x * 2] = 4; }
__global__ void whole_words(const unsigned* words) {
    unsigned sum = 0;
    for (int i = 0; i < 4; ++i) sum += words[threadIdx.x ^ i];  // @SUM_READ
    if (sum == 16) out[threadIdx.x] = 1;                        // @SUM_USE
}

__global__ void indexed(const int* indices, int* values) {
    values[indices[threadIdx.x] & 15] = 1;  // @INDEX_READ
}

__global__ void product(const float* values, float* results) {
    results[threadIdx.x] = values[threadIdx.x] * 0.0f;       // @PRODUCT_READ
    if (results[threadIdx.x] != 0.0f) out[threadIdx.x] = 1;  // @PRODUCT_USE
}

struct Mixed {
    char small;
    double large;
    short end;
};
__global__ void fill_mixed(Mixed* mixed) {
    mixed[threadIdx.x].small = 1;
    mixed[threadIdx.x].large = 2;
    mixed[threadIdx.x].end = 3;
}
__global__ void move_mixed(const Mixed* from, Mixed* to) {
    __shared__ Mixed tile[32];
    tile[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    Mixed mine = tile[31 - threadIdx.x];
    mine.end += 1;
    to[threadIdx.x] = mine;
    if (mine.small + mine.large + mine.end < 0) out[threadIdx.x] = 1;
}

// The top byte is written, and is enough to say that the whole is larger.
__global__ void top_byte(unsigned char* bytes) { bytes[threadIdx.x * 4 + 3] = 0x40; }
__global__ void compare_whole(const unsigned* words) {
    const volatile unsigned* const those = words;
    if (those[threadIdx.x] < 0x10000000u) out[threadIdx.x] = 1;
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    void *memory = nullptr, *more = nullptr;
    cudaMalloc(&memory, 2048);
    cudaMalloc(&more, 2048);
    int* const set = static_cast<int*>(more);
    cudaMemset(set, 0, 2048);
    int* const half = static_cast<int*>(memory);
    auto* const bytes = static_cast<unsigned char*>(memory);
    auto* const words = static_cast<unsigned*>(memory);
    if (is("chars_of_a_word") || is("wrong_char_of_a_word")) even_bytes<<<1, 64>>>(bytes);
    if (is("chars_of_a_word")) use_byte<2><<<1, 32>>>(words);
    if (is("wrong_char_of_a_word")) use_byte<3><<<1, 32>>>(words);
    if (is("vector_half_used") || is("vector_other_half_used")) fill_x<<<1, 32>>>(static_cast<float4*>(memory));
    if (is("vector_half_used")) use_point<true><<<1, 32>>>(static_cast<float4*>(memory));
    if (is("vector_other_half_used")) use_point<false><<<1, 32>>>(static_cast<float4*>(memory));
    if (is("masked_out")) masked<0xfff><<<1, 32>>>();
    if (is("mask_too_wide")) masked<0x1ffff><<<1, 32>>>();
    if (is("bit_field_written") || is("bit_field_left")) set_level<<<1, 32>>>(static_cast<Flags*>(memory));
    if (is("bit_field_written")) use_flags<true><<<1, 32>>>(static_cast<Flags*>(memory));
    if (is("bit_field_left")) use_flags<false><<<1, 32>>>(static_cast<Flags*>(memory));
    if (is("chosen_by_a_defined_predicate")) choose<false><<<1, 32>>>(set, half);
    if (is("chosen_the_undefined")) choose<true><<<1, 32>>>(set, half);
    if (is("condition_not_reached") || is("shuffled_and_dropped") || is("shuffled_and_used") ||
        is("ballot_of_defined") || is("ballot_of_undefined"))
        cudaMemset(half, 0, is("condition_not_reached") ? 128 : 64);
    if (is("condition_not_reached")) both_conditions<<<1, 64>>>(half);
    if (is("shuffled_and_dropped")) shuffled<false><<<1, 32>>>(half);
    if (is("shuffled_and_used")) shuffled<true><<<1, 32>>>(half);
    if (is("ballot_of_defined")) ballot<16><<<1, 32>>>(half);
    if (is("ballot_of_undefined")) ballot<17><<<1, 32>>>(half);
    if (is("high_bits_cancel") || is("sum_of_padding")) even_halves<<<1, 32>>>(static_cast<unsigned short*>(memory));
    if (is("high_bits_cancel")) shifted<<<1, 32>>>(static_cast<unsigned short*>(memory));
    if (is("sum_of_padding")) whole_words<<<1, 32>>>(words);
    if (is("index_undefined")) indexed<<<1, 32>>>(half, set);
    if (is("zero_times_undefined")) product<<<1, 32>>>(static_cast<float*>(memory), reinterpret_cast<float*>(set));
    if (is("members_moved")) {
        fill_mixed<<<1, 32>>>(static_cast<Mixed*>(memory));
        move_mixed<<<1, 32>>>(static_cast<Mixed*>(memory), static_cast<Mixed*>(more));
    }
    if (is("known_bits_decide")) {
        top_byte<<<1, 32>>>(bytes);
        compare_whole<<<1, 32>>>(words);
    }
    if (is("zero_times_undefined")) return 0;
    int host[16];
    cudaMemcpy(host, set, 64, cudaMemcpyDeviceToHost);  // @COPY_OUT
    printf("%d\n", host[0]);
}
