import { h } from "../base/dom";
import type { Story } from "../base/story";
import { source } from ".";

const text = ["__global__ void k(float* out, const float* in) {", "    int i = threadIdx.x;", "    out[i * 32] = in[i];  // <b>not markup</b>", "}"];
export const stories: Story[] = [
    { name: "source", draw: () => {
        const view = source({ files: { "a.cu": { lines: 4, parts: [{ first: 1, text }] } }, lines: [{ file: "a.cu", line: 2, counters: { instructions: 8 } }, { file: "a.cu", line: 3, counters: { instructions: 4, global_store_sectors: 32 } }],
            shares: [{ file: "a.cu", line: 2, share: 0, figures: {} }, { file: "a.cu", line: 3, share: 1, figures: { global_store_sectors_per_request: 32 } }], figures: { instructions: { kind: "counter", text: "executed", source: "counted", profiler: "smsp__inst_executed.sum" } },
            pictures: [{ file: "a.cu", line: 3, banks: false, kind: "store", which: "typical", requests: 1, of: 1, units: 32, ideal: 4, element_bytes: 4, array: "out", lanes: Array.from({ length: 32 }, (_, lane) => lane * 128) }],
            notes: [{ file: "a.cu", line: 3, kind: "advice", text: "let neighbours take neighbours" }] });
        return h("div", {}, view.node);
    } },
    { name: "source-missing", draw: () => source({ files: {}, lines: [{ file: "gone.cu", line: 7, text: "x = y;", counters: { instructions: 1 } }], shares: [], figures: {}, pictures: [] }).node },
];
