import type { Story } from "../base/story";
import { rowsOf } from ".";

export const stories: Story[] = [{ name: "rows", draw: () => rowsOf({ kind: "launch", rows: [{ kind: "figures", key: "global_loads", label: "global loads", source: "counted", verdict: "poor", values: [{ name: "sectors", value: 32, text: "32.0 sectors a request" }], places: [{ file: "a.cu", line: 3 }] },
    { kind: "table", key: "buffers", label: "buffers", source: "modelled", columns: ["buffer", "bytes"], rows: [{ kind: "table", key: "M", label: "M", source: "modelled", values: [{ name: "bytes", value: 8, text: "8 B" }] }] }] }) }];
