import type { Story } from "../base/story";
import { buffers, flow, misses } from ".";

export const stories: Story[] = [
    { name: "flow", draw: () => flow({ links: [
        { from: "l1", to: "threads", what: "load", bytes: 8e8, asked: 16e8, wasted: 2e8, source: "counted" }, { from: "threads", to: "l1", what: "store", bytes: 1e8, asked: 1e8, source: "counted" },
        { from: "l2", to: "l1", what: "load", bytes: 2e8, source: "modelled" }, { from: "l2_far", to: "l2", what: "load", bytes: 5e7, source: "modelled" }, { from: "dram", to: "l2", what: "load", bytes: 4e7, wasted: 1e7, source: "modelled" },
        { from: "l1", to: "l2", what: "store", bytes: 1e8, source: "modelled" }, { from: "l2", to: "dram", what: "store", bytes: 9e7, source: "modelled" }], misses: [] }) },
    // What needs words beside the picture.
    { name: "flow-notes", draw: () => flow({ links: [{ from: "shared", to: "threads", what: "load", bytes: 256, asked: 128, wasted: 128, source: "counted" }, { from: "threads", to: "l1", what: "atomic", bytes: 64, source: "counted" }, { from: "dram", to: "l2", what: "load", bytes: 4096, source: "modelled" }], misses: [] }, undefined, 2800) },
    { name: "flow-none", draw: () => flow({ links: [], misses: [] }) },
    { name: "buffers", draw: () => buffers([{ name: "M", kind: "allocation", bytes: 1e6, asked: 16e6, times_each_byte: 16, l1_hit_rate: 0.9, dram_read_bytes: 1e6 }, { name: "", kind: "heap", bytes: 64 }]) },
    { name: "misses", draw: () => misses([{ level: "l1", why: "first touch", sectors: 300 }, { level: "l1", why: "capacity", sectors: 100 }, { level: "l1", why: "merged", sectors: 160 }, { level: "l2", why: "first touch", sectors: 10 }]) },
];
