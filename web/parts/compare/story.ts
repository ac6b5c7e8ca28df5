import type { Story } from "../base/story";
import { compare } from ".";

const figure = (name: string, before: number, after: number) => ({ name, before, after, change: before === after ? "same" : after > before ? "more" : "less", origin: "counted" });
const launch = { kernel: "k(int)", before: 0, after: 0, figures: [figure("global_load_sectors", 100, 50), figure("dram_read_bytes", 100, 140), figure("l1_hit_rate", 0.5, 0.75), figure("blocks", 3, 4), figure("instructions", 7, 7)], lines: [{ file: "a.cu", presence: "both", line_before: 3, line_after: 4, bytes_before: 10, bytes_after: 20 }] };
const kernels = [{ kernel: "k(int)", presence: "both", launches_before: 1, launches_after: 1, hazards_before: 0, hazards_after: 0, time: { before: 20, after: 10, bound_before: "l1", bound_after: "dram" } }];
export const stories: Story[] = [
    { name: "compare", draw: () => compare({ before: "a.json", after: "b.json", data: { device_before: "h200", device_after: "h200", program: { kernels: { before: 20, after: 10 } }, kernels, launches: [launch], only_before: ["old(int) (1st launch)"], only_after: [] }, document: { sections: [] } }, {}) },
    { name: "compare-card", draw: () => compare({ before: "a.json", after: "ncu.csv", data: { device_before: "h200", kernels: [], launches: [launch] }, document: { sections: [] } }, {}) },
];
