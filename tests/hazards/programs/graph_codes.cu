// Programs on graphs in compressed rows, each once right and once with a mistake that is often made in it.
//
// check: all
// case levels: clean
// case levels_read_plain: race global plain-against-atomic READ_LEVEL MARK_LEVEL
// case levels_in_a_queue: clean
// case levels_in_a_plain_queue: race global PLAIN_TAIL PLAIN_TAIL
// case paths: clean
// case paths_plain: race global RELAX RELAX
// case labels: race global write-after-write CHANGED mild
// case labels_unset: uninitialized global TAKE_LABEL; maybe uninitialized FETCH; maybe race global CHANGED mild
// case ranks_pushed: clean
// case ranks_pushed_plain: race global PUSH_PLAIN PUSH_PLAIN
// case ranks_pulled: clean
// case ranks_pulled_in_place: race global PULL PULL
// case degrees: clean
// case degrees_off_by_one: out-of-bounds global DEGREE
// case rows_filled: clean
// case rows_filled_plain: race global FILL_CURSOR FILL_CURSOR; race global FILL_CURSOR mild; maybe race global FILL_ROW
// case triangles: clean
// case triangles_of_freed: use-after-free global TRIANGLE
// case peeled: clean
// case rounds_on_two_streams: stream-race HALF_ROUND HALF_ROUND
// case rounds_after_events: clean
// case flag_read_early: stream-race LABEL_ROUND READ_FLAG; race global CHANGED mild
// case flag_read_in_time: race global CHANGED mild
#include <cstring>
#include <vector>

constexpr int kNodes = 300, kFar = 1 << 30;
struct Graph {
    const int *rows, *columns;
    int nodes;
};

__global__ void fill(int* values, int value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = value;
}

template <bool kAtomic>
__global__ void levels(Graph g, int* level, int now, int* changed) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes) return;
    const int own = kAtomic ? atomicAdd(&level[node], 0) : level[node];  // @READ_LEVEL
    if (own != now) return;
    for (int e = g.rows[node]; e < g.rows[node + 1]; ++e)
        if (atomicCAS(&level[g.columns[e]], kFar, now + 1) == kFar) atomicExch(changed, 1);  // @MARK_LEVEL
}

template <bool kAtomic>
__global__ void expand(Graph g, int* level, const int* from, int count, int* to, int* tail) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int node = from[i];
    for (int e = g.rows[node]; e < g.rows[node + 1]; ++e) {
        const int other = g.columns[e];
        if (atomicCAS(&level[other], kFar, 1) != kFar) continue;
        const int at = kAtomic ? atomicAdd(tail, 1) : (*tail)++;  // @PLAIN_TAIL
        to[at % kNodes] = other;                                  // @PLAIN_TAIL
    }
}

template <bool kAtomic>
__global__ void relax(Graph g, const int* weights, const int* before, int* after) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes || before[node] == kFar) return;
    for (int e = g.rows[node]; e < g.rows[node + 1]; ++e) {
        const int through = before[node] + weights[e];
        int* const to = &after[g.columns[e]];
        if (kAtomic)
            atomicMin(to, through);
        else if (through < *to)  // @RELAX
            *to = through;       // @RELAX
    }
}

__global__ void spread(Graph g, const int* before, int* after, int* changed) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes) return;
    int least = before[node];
    for (int e = g.rows[node]; e < g.rows[node + 1]; ++e) least = min(least, before[g.columns[e]]);  // @TAKE_LABEL
    if (least < before[node]) {                                                                      // @TAKE_LABEL
        *changed = 1;                                                                                // @CHANGED
    }
    after[node] = least;  // @PUT_LABEL
}

template <bool kAtomic>
__global__ void push(Graph g, const float* before, float* after) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes) return;
    const int first = g.rows[node], end = g.rows[node + 1];
    for (int e = first; e < end; ++e) {
        const float share = before[node] / (end - first);
        if (kAtomic)
            atomicAdd(&after[g.columns[e]], share);
        else
            after[g.columns[e]] += share;  // @PUSH_PLAIN
    }
}
__global__ void pull(Graph g, const float* before, float* after) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes) return;
    float sum = 0;
    for (int e = g.rows[node]; e < g.rows[node + 1]; ++e) sum += before[g.columns[e]];  // @PULL
    after[node] = 0.15f + 0.85f * sum;                                                  // @PULL
}

__global__ void degrees(Graph g, int* degree) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node <= g.nodes) degree[node] = g.rows[node + 1] - g.rows[node];  // @DEGREE
}

template <bool kAtomic>
__global__ void fill_rows(const int* sources, const int* targets, int edges, int* cursors, int* columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= edges) return;
    int* const cursor = &cursors[sources[i]];
    const int at = kAtomic ? atomicAdd(cursor, 1) : (*cursor)++;  // @FILL_CURSOR
    columns[at] = targets[i];                                     // @FILL_ROW
}

__global__ void triangles(Graph g, unsigned long long* count) {
    const int node = blockIdx.x;
    unsigned own = 0;
    for (int e = g.rows[node] + threadIdx.x; e < g.rows[node + 1]; e += blockDim.x) {
        const int other = g.columns[e];  // @TRIANGLE
        for (int k = g.rows[other]; k < g.rows[other + 1]; ++k)
            for (int j = g.rows[node]; j < g.rows[node + 1]; ++j) own += g.columns[k] == g.columns[j];
    }
    for (int reach = 16; reach > 0; reach /= 2) own += __shfl_xor_sync(0xffffffff, own, reach);
    if (threadIdx.x == 0) atomicAdd(count, own);
}

__global__ void peel(Graph g, int* degree, int* gone, int k) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes || atomicAdd(&degree[node], 0) >= k || atomicExch(&gone[node], 1) == 1) return;
    for (int e = g.rows[node]; e < g.rows[node + 1]; ++e) atomicSub(&degree[g.columns[e]], 1);
}

template <class T>
T* on_device(const std::vector<T>& from) {
    T* to;
    cudaMalloc(&to, from.size() * sizeof(T));
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    std::vector<int> rows{0}, columns, weights, sources;
    for (int i = 0; i < kNodes; ++i) {
        for (int step : {1, 7, 60, i % 5 + 2}) {
            columns.push_back((i + step) % kNodes), weights.push_back(step + i % 3), sources.push_back(i);
            columns.push_back((i + kNodes - step) % kNodes), weights.push_back(step), sources.push_back(i);
        }
        rows.push_back(static_cast<int>(columns.size()));
    }
    const int edges = static_cast<int>(columns.size());
    int* const device_rows = on_device(rows);
    int* const device_columns = on_device(columns);
    int* const device_weights = on_device(weights);
    int* const device_sources = on_device(sources);
    const Graph g{device_rows, device_columns, kNodes};
    std::vector<int> start(kNodes, kFar), named(kNodes);
    start[0] = 0;
    for (int i = 0; i < kNodes; ++i) named[i] = (i * 71 + 3) % kNodes;
    int* const a = on_device(start);
    int* const b = on_device(start);
    int *queue, *tail;
    cudaMalloc(&queue, kNodes * sizeof(int));
    cudaMalloc(&tail, 2 * sizeof(int));
    cudaMemset(tail, 0, 2 * sizeof(int));
    const auto blocks = (kNodes + 63) / 64;
    if (is("levels") || is("levels_read_plain"))
        for (int now = 0, more = 1; more != 0; ++now) {
            cudaMemset(tail, 0, sizeof(int));
            if (is("levels")) levels<true><<<blocks, 64>>>(g, a, now, tail);
            if (is("levels_read_plain")) levels<false><<<blocks, 64>>>(g, a, now, tail);
            cudaMemcpy(&more, tail, sizeof more, cudaMemcpyDeviceToHost);
        }
    if (is("levels_in_a_queue") || is("levels_in_a_plain_queue")) {
        cudaMemcpy(b, named.data(), kNodes * sizeof(int), cudaMemcpyHostToDevice);
        if (is("levels_in_a_queue")) expand<true><<<2, 64>>>(g, a, b, 100, queue, tail);
        if (is("levels_in_a_plain_queue")) expand<false><<<2, 64>>>(g, a, b, 100, queue, tail);
    }
    if (is("paths") || is("paths_plain"))
        for (int round = 0; round < 6; ++round) {
            cudaMemcpy(b, a, kNodes * sizeof(int), cudaMemcpyDeviceToDevice);
            if (is("paths")) relax<true><<<blocks, 64>>>(g, device_weights, b, a);
            if (is("paths_plain")) relax<false><<<blocks, 64>>>(g, device_weights, b, a);
        }
    if (is("labels")) {
        cudaMemcpy(a, named.data(), kNodes * sizeof(int), cudaMemcpyHostToDevice);
        spread<<<blocks, 64>>>(g, a, b, tail), spread<<<blocks, 64>>>(g, b, a, tail);
    }
    if (is("labels_unset")) spread<<<blocks, 64>>>(g, queue, b, tail);
    if (is("ranks_pushed") || is("ranks_pushed_plain") || is("ranks_pulled") || is("ranks_pulled_in_place")) {
        float* const ranks = on_device(std::vector<float>(kNodes, 0.25f));
        float* const next = on_device(std::vector<float>(kNodes, 0.0f));
        if (is("ranks_pushed")) push<true><<<blocks, 64>>>(g, ranks, next);
        if (is("ranks_pushed_plain")) push<false><<<blocks, 64>>>(g, ranks, next);
        if (is("ranks_pulled")) pull<<<blocks, 64>>>(g, ranks, next), pull<<<blocks, 64>>>(g, next, ranks);
        if (is("ranks_pulled_in_place")) pull<<<blocks, 64>>>(g, ranks, ranks);
        cudaFree(ranks);
        cudaFree(next);
    }
    if (is("degrees")) degrees<<<blocks, 64>>>({g.rows, g.columns, kNodes - 1}, a);
    if (is("degrees_off_by_one")) degrees<<<blocks, 64>>>(g, a);
    if (is("rows_filled") || is("rows_filled_plain")) {
        int* const cursors = on_device(std::vector<int>(rows.begin(), rows.end() - 1));
        int* filled;
        cudaMalloc(&filled, edges * sizeof(int));
        if (is("rows_filled")) fill_rows<true><<<40, 64>>>(device_sources, device_columns, edges, cursors, filled);
        if (is("rows_filled_plain"))
            fill_rows<false><<<40, 64>>>(device_sources, device_columns, edges, cursors, filled);
        cudaFree(cursors);
        cudaFree(filled);
    }
    if (is("triangles_of_freed")) cudaFree(device_columns);
    if (is("triangles") || is("triangles_of_freed"))
        triangles<<<kNodes, 32>>>(g, reinterpret_cast<unsigned long long*>(tail));
    if (is("peeled")) {
        degrees<<<blocks, 64>>>({g.rows, g.columns, kNodes - 1}, a);
        fill<<<blocks, 64>>>(a, 8, kNodes), fill<<<blocks, 64>>>(b, 0, kNodes);
        for (int round = 0; round < 3; ++round) peel<<<blocks, 64>>>(g, a, b, 9);
    }
    if (is("rounds_on_two_streams") || is("rounds_after_events")) {
        cudaStream_t streams[2];
        cudaEvent_t done;
        for (cudaStream_t& each : streams) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking);
        cudaEventCreate(&done);
        cudaDeviceSynchronize();
        for (int round = 0; round < 2; ++round) {
            if (round == 1 && is("rounds_after_events")) {
                cudaEventRecord(done, streams[0]);
                cudaStreamWaitEvent(streams[1], done, 0);
            }
            int* const from = round == 0 ? a : b;
            int* const to = round == 0 ? b : a;
            relax<true><<<blocks, 64, 0, streams[round]>>>(g, device_weights, from, to);  // @HALF_ROUND
        }
        cudaDeviceSynchronize();
        for (cudaStream_t each : streams) cudaStreamDestroy(each);
        cudaEventDestroy(done);
    }
    if (is("flag_read_early") || is("flag_read_in_time")) {
        int* changed;
        cudaMallocManaged(&changed, sizeof(int));
        *changed = 0;
        cudaMemcpy(a, named.data(), kNodes * sizeof(int), cudaMemcpyHostToDevice);
        spread<<<blocks, 64>>>(g, a, b, changed);  // @LABEL_ROUND
        if (is("flag_read_in_time")) cudaDeviceSynchronize();
        const bool again = *changed != 0;  // @READ_FLAG
        if (again) {                       // @READ_FLAG
            spread<<<blocks, 64>>>(g, b, a, changed);
        }
        cudaDeviceSynchronize();
        cudaFree(changed);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(named.data(), is("labels_unset") ? b : a, kNodes * sizeof(int), cudaMemcpyDeviceToHost);  // @FETCH
    for (int* each : {device_rows, device_weights, device_sources, a, b, queue, tail}) cudaFree(each);
    if (!is("triangles_of_freed")) cudaFree(device_columns);
}
