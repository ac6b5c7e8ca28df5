import type { Story } from "../base/story";
import { hazards } from ".";

const sources = { "a.cu": { lines: 6, parts: [{ first: 1, text: ["one", "tile[x] = in[x];", "three", "y = tile[x + 1];", "five", "six"] }] } };
const race = { kind: "race", space: "shared", order: "read-after-write", file: "a.cu", line: 4, other_file: "a.cu", other_line: 2, count: 7, facts: { act: { deed: "read" }, other: { deed: "write" } }, message: "thread 0 reads what thread 1 writes", hint: "add __syncthreads() after line 2, before line 4" };
export const stories: Story[] = [
    { name: "hazards", draw: () => hazards([race], sources) },
    { name: "hazards-many", draw: () => hazards(Array.from({ length: 60 }, (_, at) => ({ ...race, count: 1000 + at })), sources) },
    { name: "hazards-none", draw: () => hazards([], {}, undefined, ["races", "barriers"]) },
];
