import type { Story } from "../base/story";
import { phases } from ".";

const columns = [{ kind: "store", array: "Mds", interval: 0, lines: [24] }, { kind: "compute", array: "", interval: 1, lines: [27] }];
const row = (thread: number) => ({ thread, cells: [[{ kind: "copy", text: `M[${thread}] → Mds[${thread}]` }], [{ kind: "compute", text: `P += Mds[${thread}]·2` }]] });
export const stories: Story[] = [
    { name: "phases", draw: () => phases({ launch: 0, kernel: "tiled(float*)", file: "phases.cu", grid: [2, 2, 1], block: [2, 2, 1], block_index: [0, 0, 0], arrays: [{ name: "M", space: "global", bytes: 64, element_bytes: 4, shape: [] }, { name: "Mds", space: "shared", bytes: 16, element_bytes: 4, shape: [2, 2] }],
        phase_count: 1, phases: [{ first: 1, last: 1, first_interval: 0, columns, rows: [row(0), row(1), row(2), row(3)] }, { first: 0, last: 0, first_interval: 2, columns: columns.slice(0, 1), rows: [{ thread: 0, cells: [[{ kind: "copy", text: "P → P[0]" }]] }], other_threads: 3 }], total: { global_loads: 4, flop: 8 }, notes: ["a note"] }) },
];
