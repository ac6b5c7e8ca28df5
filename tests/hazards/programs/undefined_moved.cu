// Values that nobody wrote, moved by kernels as they are until the host copies them.
//
// check: init
// case copied_whole: clean
// case copied_before_it_was_set: uninitialized global MOVE COPY_OUT
// case copied_with_a_tail: uninitialized global MOVE COPY_OUT mild
// case copied_with_a_hole: uninitialized global MOVE COPY_OUT mild
// case reversed: clean
// case reversed_short: uninitialized global REVERSE COPY_OUT mild
// case doubled_by_a_shift: uninitialized global SHIFT COPY_OUT
// case moved_twice: uninitialized global MOVE COPY_OUT mild
// case tail_not_looked_at: clean
// case records_with_padding: clean
// case wide_records_with_padding: clean
// case bit_fields: clean
// case bytes_turned_round: clean
// case bytes_turned_round_short: uninitialized global TURN COPY_OUT mild
#include <cstdio>
#include <cstring>

constexpr int kCount = 64;

struct Record {
    char kind;
    double weight;
    int number;
};
struct alignas(16) Wide {
    float x, y;
    int number;
};
struct Fields {
    unsigned low : 3, middle : 12, high : 9;
};

__global__ void move(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }        // @MOVE
__global__ void shift(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x] << 1; }  // @SHIFT

__global__ void reverse(const int* from, int* to, int count) {
    __shared__ int held[kCount];
    const int t = threadIdx.x;
    if (t < count) held[t] = from[t];
    __syncthreads();
    to[t] = held[kCount - 1 - t];  // @REVERSE
}

template <class T>
__global__ void copy(const T* from, T* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void make_records(Record* records) {
    Record& mine = records[threadIdx.x];
    mine.kind = 'a';
    mine.weight = threadIdx.x;
    mine.number = threadIdx.x;
}

__global__ void make_wide(Wide* records) {
    Wide& mine = records[threadIdx.x];
    mine.x = mine.y = 1;
    mine.number = threadIdx.x;
}

__global__ void set_fields(Fields* fields) {
    fields[threadIdx.x].middle = threadIdx.x;
    fields[threadIdx.x].low = 5;
}

__global__ void turn(const unsigned* from, unsigned* to) {
    to[threadIdx.x] = __byte_perm(from[threadIdx.x], 0, 0x0123);  // @TURN
}

int main(int, char** arguments) {
    const auto is = [&](const char* name) { return strcmp(arguments[1], name) == 0; };
    constexpr size_t kBytes = 4096;
    static char host[kBytes];
    char *from = nullptr, *to = nullptr;
    cudaMalloc(&from, kBytes);
    cudaMalloc(&to, kBytes);
    int *const numbers = reinterpret_cast<int*>(from), *const moved = reinterpret_cast<int*>(to);
    size_t read = kCount * sizeof(int);
    const auto give = [&](size_t count) { cudaMemcpy(from, host, count * sizeof(int), cudaMemcpyHostToDevice); };

    if (is("copied_whole")) give(kCount);
    if (is("copied_with_a_tail")) give(50);
    if (is("copied_with_a_hole")) {
        give(20);
        cudaMemcpy(numbers + 21, host, (kCount - 21) * sizeof(int), cudaMemcpyHostToDevice);
    }
    if (is("copied_whole") || is("copied_before_it_was_set") || is("copied_with_a_tail") || is("copied_with_a_hole"))
        move<<<1, kCount>>>(numbers, moved);
    if (is("reversed") || is("reversed_short")) {
        give(kCount);
        reverse<<<1, kCount>>>(numbers, moved, is("reversed") ? kCount : kCount - 1);
    }
    if (is("doubled_by_a_shift")) {
        give(kCount - 1);
        shift<<<1, kCount>>>(numbers, moved);
    }
    if (is("moved_twice")) {
        give(kCount - 3);
        copy<<<1, kCount>>>(numbers, moved);
        move<<<1, kCount>>>(moved, numbers);
        cudaMemcpy(moved, numbers, read, cudaMemcpyDeviceToDevice);
    }
    if (is("tail_not_looked_at")) {
        give(kCount - 3);
        move<<<1, kCount>>>(numbers, moved);
        read -= 3 * sizeof(int);
    }
    if (is("records_with_padding")) {
        make_records<<<1, kCount>>>(reinterpret_cast<Record*>(from));
        copy<<<1, kCount>>>(reinterpret_cast<Record*>(from), reinterpret_cast<Record*>(to));
        read = kCount * sizeof(Record);
    }
    if (is("wide_records_with_padding")) {
        make_wide<<<1, kCount>>>(reinterpret_cast<Wide*>(from));
        copy<<<1, kCount>>>(reinterpret_cast<Wide*>(from), reinterpret_cast<Wide*>(to));
        read = kCount * sizeof(Wide);
    }
    if (is("bit_fields")) {
        set_fields<<<1, kCount>>>(reinterpret_cast<Fields*>(from));
        copy<<<1, kCount>>>(reinterpret_cast<Fields*>(from), reinterpret_cast<Fields*>(to));
    }
    if (is("bytes_turned_round") || is("bytes_turned_round_short")) {
        give(is("bytes_turned_round") ? kCount : kCount - 1);
        turn<<<1, kCount>>>(reinterpret_cast<unsigned*>(from), reinterpret_cast<unsigned*>(to));
    }
    cudaMemcpy(host, to, read, cudaMemcpyDeviceToHost);  // @COPY_OUT
    printf("%d\n", host[0]);
}
