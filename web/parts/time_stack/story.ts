import type { Story } from "../base/story";
import { timeStack } from ".";

export const stories: Story[] = [
    { name: "time", draw: () => timeStack({ time: { microseconds: 10, bound: "l1", kind: "memory", breakdown: { l1: 6, latency: 3, launch: 1, dram: 0 }, of_peak: {} }, replay: { memory: 75, pipe: 25, cycles: 100 } },
        [{ name: "l1", label: "L1/shared", kind: "memory", text: "the pipe of L1" }, { name: "latency", label: "latency", kind: "latency" }, { name: "launch", label: "launching", kind: "launch" }],
        [{ name: "memory", text: "for what memory brings", reasons: [{ name: "long scoreboard" }] }, { name: "pipe", reasons: [{ name: "LG throttle" }, { name: "MIO throttle" }] }]) },
];
