import type { Story } from "../base/story";
import type { Device } from "../base/types";
import { roofline, rooflineOn } from ".";

const device = (name: string, peak: number, slow: number, time?: number): Device => ({
    name, roofs: { compute: [{ type: "fp32", unit: "FLOP/s", peak }], memory: [{ level: "dram", bandwidth: slow }, { level: "l2", bandwidth: 2 * slow }] }, occupancy: 0, no_time: time === undefined ? "its caches are not described" : undefined,
    kernels: [{ launch: 0, microseconds: time, blocks_per_sm: 8, warps_per_sm: 64, occupancy: 1, limiters: [], roofline: { type: "fp32", peak, ridge: peak / slow, attainable: slow / 4, achieved: time === undefined ? undefined : slow / 8,
        points: [{ level: "requested", intensity: 0.25, ceiling: slow / 4, bandwidth: slow }, { level: "dram", intensity: 100, ceiling: peak, bandwidth: slow }] } }] });

export const stories: Story[] = [
    { name: "roofline", draw: () => roofline([{ name: "small", chosen: true, roofline: { type: "fp32", peak: 2e11, ridge: 2, achieved: 1.2e11, points: [{ level: "requested", intensity: 36 / 28, ceiling: 1.28e11, bandwidth: 1e11 }] } }],
        { peaks: [{ type: "fp32", unit: "FLOP/s", peak: 2e11 }], memory: [{ level: "dram", bandwidth: 1e11 }] }) },
    { name: "roofline-devices", draw: () => rooflineOn([device("fast", 6e13, 4e12, 10), device("slow", 1e13, 1e12)], 0, new Map([[0, "k(int)"]])) },
    // Of three levels two have one intensity; another kernel stands by.
    { name: "roofline-covered", draw: () => roofline([true, false].map((chosen) => ({ name: chosen ? "saxpy" : "other", chosen, roofline: { type: "fp32", peak: 2e11, ridge: 2, achieved: chosen ? 1e10 : 2e10,
        points: [{ level: "requested", intensity: 0.17, ceiling: 1e10, bandwidth: 1e11 }, { level: "l2", intensity: 0.17, ceiling: 1e10, bandwidth: 2e11 }, { level: "dram", intensity: 0.25, ceiling: 1e10, bandwidth: 1e11 }] } })),
        { peaks: [{ type: "fp32", unit: "FLOP/s", peak: 2e11 }], memory: [{ level: "dram", bandwidth: 1e11 }] }) },
];
