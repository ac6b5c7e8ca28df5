import { h } from "../base/dom";
import type { Run, Section } from "../base/types";
import type { Story } from "../base/story";
import { kernelHeadline, programHeadline } from ".";

const section: Section = { kind: "launch", title: "naive<16>(float const*, int)", launch: 0, facts: [{ name: "grid", value: "32×32", text: "grid 32×32" }], rows: [
    { kind: "words", key: "time", text: "63.5 µs, limited by L1/shared (memory-bound); next limit: latency at 43.4 µs", source: "modelled", values: [{ name: "time", value: 63.45, text: "63.5 µs" }] },
    { kind: "peaks", key: "of_peak", source: "modelled", values: [{ name: "dram", value: 0.007, text: "DRAM 0.7 %" }, { name: "l1", value: 0.76, text: "L1 76 %", matters: true }, { name: "achieved_occupancy", value: 0.96, text: "achieved occupancy 96 %" }] },
    { kind: "remedy", key: "remedy", text: "let threads load each byte once", source: "modelled", values: [{ name: "rule", value: "tile", text: "tile" }, { name: "saves_microseconds", value: 29.5, text: "saves ≈ 29.5 µs of 63.5 µs" }], places: [{ file: "a/matmul.cu", line: 17 }] }] };
const run = { document: { sections: [{ kind: "head", rows: [{ kind: "words", key: "program", text: "copies take most; start there", source: "modelled" }] }] }, program: { microseconds: 100, parts: [{ name: "kernels", microseconds: 30 }, { name: "copies", microseconds: 60 }, { name: "idle", microseconds: 10 }], hidden: 5 } } as unknown as Run;
export const stories: Story[] = [
    { name: "headline", draw: () => kernelHeadline(section, (file, line) => document.body.setAttribute("data-went", `${file}:${line}`)) },
    { name: "headline-summed", draw: () => kernelHeadline({ ...section, rows: [...(section.rows ?? []).slice(0, 1), { kind: "remedy", key: "remedy", text: "mend its hazards, below: what it computes may be wrong", source: "counted" }] }, undefined, 20) },
    { name: "headline-bare", draw: () => kernelHeadline({ kind: "launch", title: "k()", rows: [] }) },
    { name: "headline-program", draw: () => h("div", {}, programHeadline(run)) },
    { name: "headline-pages", draw: () => programHeadline({ document: { sections: [{ kind: "head", rows: [{ kind: "words", key: "program", text: "page faults take 9 µs of 10 µs", source: "modelled" }] }] } } as unknown as Run) },
];
