// Which tile a persistent cluster computes next, and where its results go.
//
// Owns: Schedule (work number -> tile, matrix, part of k) and Output. Guarantees: the work numbers below works() name
// every block of k of every tile once; parts of a tail may be empty. No memory is touched here.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace tiles::hopper {

struct Place {
    int m, n;  // tile row and column
    int batch, part;
    int first, last;  // blocks of k
};

struct Schedule {
    int m_tiles, n_tiles;  // a cluster's tiles count as one
    int raster;            // tile rows walked together
    int parts, batch;
    int k_blocks;
    // The tail: tiles that would fill the last wave only partly. Work numbers from `whole` on are parts of cut_tiles
    // tiles, one for each cluster of the grid, then, if one tile is left over, a part of that for each. Needs parts
    // == 1.
    int whole;      // tiles, or parts of them, that come before
    int sharers;    // clusters of the grid; 0: there is no tail
    int cut_tiles;  // tiles in tail_parts parts each
    int tail_parts;
    int shared_tiles;  // 1: all clusters share one more

    __host__ __device__ int64_t count() const { return int64_t{1} * m_tiles * n_tiles * parts * batch; }
    __host__ __device__ int works() const { return whole + sharers * (1 + shared_tiles); }

    __device__ __forceinline__ Place place(int work) const {
        if (work < whole) return whole_place(work);
        const int index = work - whole;
        const bool shared = index >= sharers;
        const int tile = shared ? cut_tiles : index % cut_tiles, part = shared ? index - sharers : index / cut_tiles;
        const int of = shared ? sharers : tail_parts;
        Place p = whole_place(whole + tile);
        p.first = k_blocks * part / of;
        p.last = part < of ? k_blocks * (part + 1) / of : p.first;
        return p;
    }

    __device__ __forceinline__ Place whole_place(int work) const {
        const int tiles = m_tiles * n_tiles;
        const int plane = work / tiles, tile = work % tiles;
        const int band = tile / (raster * n_tiles), first_row = band * raster;
        const int rows = min(raster, m_tiles - first_row);
        const int within = tile - first_row * n_tiles;
        Place p;
        p.m = first_row + within % rows;
        p.n = band % 2 == 0 ? within / rows : n_tiles - 1 - within / rows;  // back and forth: the edge is still in L2
        p.batch = plane / parts, p.part = plane % parts;
        p.first = 0, p.last = k_blocks;
        return parts > 1 ? part_of(p, p.part, parts) : p;
    }

    // Part `part` of `of` of a place's blocks of k; the first ones get one more where they do not come out even.
    __device__ static __forceinline__ Place part_of(Place p, int part, int of) {
        const int blocks = p.last - p.first, each = blocks / of, more = blocks % of;
        p.first += each * part + min(part, more);
        p.last = p.first + each + (part < more ? 1 : 0);
        return p;
    }
};

// Where the results go. `maps` false: by ordinary stores from c, for pitches that the copy engine cannot write.
template <class Out>
struct Output {
    CUtensorMap map;
    Out* c;
    int64_t ldc, stride_c;
    int m, n;
    int parts;  // more than 1: plane batch * parts + part gets the bare sums
    bool maps;
    float alpha, beta;
};

}  // namespace tiles::hopper
