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
    { name: "source-ptx", draw: () => source({ files: { "a.cu": { lines: 4, parts: [{ first: 1, text }] } }, lines: [2, 3, 4].map((line) => ({ file: "a.cu", line, counters: { instructions: line } })), shares: [], figures: {}, pictures: [], notes: [{ file: "a.cu", line: 3, kind: "hazard", text: "a race" }],
        code: { entry: "k", lines: [{ file: "a.cu", line: 2, instructions: ["mov.u32 %r1, %tid.x;"] }, { file: "a.cu", line: 3, instructions: ["ld.global.f32 %f1, [%rd1];", "st.global.f32 [%rd2], %f1; // <b>"] }, { file: "a.cu", line: 4, instructions: [] }], one_of_several: true } }).node },
    { name: "source-missing", draw: () => source({ files: {}, lines: [{ file: "gone.cu", line: 7, text: "x = y;", counters: { instructions: 1 } }], shares: [], figures: {}, pictures: [] }).node },
];
