import type { OccupancyTable } from "../base/types";
import type { Story } from "../base/story";
import { occupancy } from ".";

// A small machine: 8 warps an SM, 4 blocks, registers for 2 blocks of 4 warps at 16, shared memory for one block past 100 bytes.
const table: OccupancyTable = { warp: 32, max_warps_per_sm: 8, by_blocks: 4, threads: [8, 4, 2, 2], registers: [{ most: 8, blocks: [8, 4, 2, 2] }, { most: 16, blocks: [4, 2, 1, 1] }], shared: [{ most: 0, blocks: null }, { most: 100, blocks: 2 }, { most: 200, blocks: 1 }], barriers: 4 };

export const stories: Story[] = [
    { name: "occupancy", draw: () => occupancy([{ name: "small", table }, { name: "free", table: { ...table, registers: [{ most: 255, blocks: [null, null, null, null] }] } }], { warps: 4, registers: 8, shared: 0, barriers: 1 }, 0.9) },
    { name: "occupancy-none", draw: () => occupancy([], { warps: 1, registers: 0, shared: 0 }) },
];
