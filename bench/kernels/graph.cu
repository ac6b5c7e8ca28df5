// Two steps of graph programs. graph.ptx is made from this file; see ../README.md.

// Connected components: both ends of each edge take the smaller of their labels. Hubs are wanted by many lanes at once.
extern "C" __global__ void graph_components(const unsigned* from, const unsigned* to, unsigned* label, unsigned edges) {
    for (unsigned e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
        unsigned u = from[e], v = to[e], a = label[u], b = label[v];
        if (a < b)
            atomicMin(&label[v], a);
        else if (b < a)
            atomicMin(&label[u], b);
    }
}

// Distances from a source: each vertex looks over the neighbours of its own and takes the nearest of them.
extern "C" __global__ void graph_distances(const unsigned* starts, const unsigned* neighbours, const unsigned* before,
                                           unsigned* after, unsigned vertices) {
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    unsigned nearest = before[v];
    for (unsigned i = starts[v]; i < starts[v + 1]; ++i) {
        unsigned way = before[neighbours[i]];
        if (way != ~0u) nearest = min(nearest, way + 1);
    }
    after[v] = nearest;
}
