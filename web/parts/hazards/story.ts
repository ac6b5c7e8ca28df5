import type { Story } from "../base/story";
import { hazards } from ".";

const sources = { "a.cu": { lines: 6, parts: [{ first: 1, text: ["one", "tile[x] = in[x];", "three", "y = tile[x + 1];", "five", "six"] }] } };
const race = { kind: "race", space: "shared", order: "read-after-write", file: "a.cu", line: 4, other_file: "a.cu", other_line: 2, count: 7, facts: { act: { deed: "read" }, other: { deed: "write" } }, message: "thread 0 reads what thread 1 writes", hint: "add __syncthreads() after line 2, before line 4" };
export const stories: Story[] = [
    { name: "hazards", draw: () => hazards([race], sources) },
    { name: "hazards-many", draw: () => hazards(Array.from({ length: 60 }, (_, at) => ({ ...race, count: 1000 + at })), sources) },
    // A warning that was found first, and more than the page has.
    { name: "hazards-mixed", draw: () => hazards([{ kind: "leak", severity: "warning", file: "a.cu", line: 1, count: 2, message: "never freed" }, race], sources, undefined, undefined, 999_998) },
    { name: "hazards-none", draw: () => hazards([], {}, undefined, ["races", "barriers"]) },
];
