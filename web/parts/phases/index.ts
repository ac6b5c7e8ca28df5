// What each thread of one block did between barriers, phase by phase.
import "./phases.css";
import { h, type Child } from "../base/dom";
import { fileName, kernelName, plural, thousands } from "../base/format";
import type { Trace } from "../base/types";

const verb: Record<string, string> = { store: "to", compute: "computes", load: "loads", copy: "to" };

function threadName(thread: number, block: number[]): string {
    const [x = 1, y = 1, z = 1] = block;
    const at = [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))];
    return at.slice(0, z > 1 ? 3 : y > 1 ? 2 : 1).join(", ");
}

// Steps outside the numbered phases stand before the first of them or behind the last.
function phaseTitle(trace: Trace, at: number): string {
    const phase = trace.phases[at], count = trace.phase_count;
    if (!phase) return "";
    if (phase.first === 0 || phase.first > count) return count === 0 ? "the whole kernel" : trace.phases.slice(0, at).some((before) => before.first > 0) ? "after the last phase" : "before the first phase";
    return phase.first === phase.last ? `phase ${phase.first} of ${count}` : `phases ${phase.first} to ${phase.last} of ${count}, alike`;
}

export function phases(trace: Trace): HTMLElement {
    const extents = (block: number[]) => block.filter((each, at) => each > 1 || at === 0).join("×");
    const arrays = (space: string) => trace.arrays.filter((array) => array.space === space).map((array) => `${array.name}${array.shape.length > 0 ? array.shape.map((each) => `[${each}]`).join("") : `[${array.bytes / Math.max(1, array.element_bytes)}]`}`);
    const spaces = [...new Set(trace.arrays.map((array) => array.space))];
    const node = h("div", { class: "part part-phases" }, h("p", { class: "quiet" }, `Block (${trace.block_index.slice(0, trace.grid[2] && trace.grid[2] > 1 ? 3 : 2).join(", ")}) of ${kernelName(trace.kernel)}, ${extents(trace.block)} threads; lines of ${fileName(trace.file)}. `,
        spaces.map((space) => [h("span", { class: "space" }, `${space} `), h("code", {}, arrays(space).join("  ")), " "])));
    for (const [index, phase] of trace.phases.entries()) {
        const barrier = (at: number) => at > 0 && phase.columns[at]?.interval !== phase.columns[at - 1]?.interval;
        const head = (at: number): string => {
            const column = phase.columns[at];
            return column ? `${verb[column.kind] ?? column.kind} ${column.array}`.trim() : "";
        };
        node.append(h("h4", {}, phaseTitle(trace, index)), h("table", { class: "whole phase" },
            h("thead", {}, h("tr", {}, h("th", {}, "thread"), phase.columns.map((column, at) => h("th", { class: barrier(at) ? "behind-barrier" : "" }, barrier(at) && h("span", { class: "barrier", title: "nobody passes before all threads of the block are there" }, "barrier"),
                head(at), " ", h("span", { class: "quiet lines" }, `:${column.lines.join(", ")}`))))),
            h("tbody", {}, phase.rows.map((row) => h("tr", {}, h("td", { class: "thread" }, threadName(row.thread, trace.block)), row.cells.map((cell, at): Child => h("td", { "data-label": `${head(at)} :${phase.columns[at]?.lines.join(", ") ?? ""}`, class: barrier(at) ? "behind-barrier" : "" },
                cell.map((each) => h("code", {}, each.text)))))))));
        if (phase.other_threads) node.append(h("p", { class: "quiet small" }, `${plural(phase.other_threads, "more thread")} do${phase.other_threads === 1 ? "es" : ""} the like.`));
    }
    const total = Object.entries(trace.total).filter(([, value]) => value > 0);
    node.append(h("p", { class: "quiet small" }, "The block in all: ", total.map(([name, value]) => `${thousands(value)} ${name.replaceAll("_", " ")}`).join(", "), "."), ...trace.notes.map((note) => h("p", { class: "quiet small" }, note)));
    return node;
}
