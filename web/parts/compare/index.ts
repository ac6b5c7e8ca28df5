// Two profiles side by side: program, kernels, counters and lines. Better and worse differ in sign and word, not only in
// colour; where more is neither, the change stands alone.
import "./compare.css";
import { h, type Child } from "../base/dom";
import { duration, figureText, fileName, kernelName, percent, plural, short, thousands } from "../base/format";
import { mark } from "../base/marks";
import { rowsOf } from "../rows";
import type { Comparison, Figure, TimePart } from "../base/types";

interface Pair {
    before: number | null;
    after: number | null;
    ratio?: number;
}
interface CompareFigure {
    name: string;
    unit?: string;
    before: number | null;
    after: number | null;
    equal?: boolean;
    change: string;
    origin?: string;
}
interface CompareData {
    device_after?: string;
    program?: Record<string, Pair>;
    kernels?: { kernel: string; presence: string; launches_before: number; launches_after: number; hazards_before: number; hazards_after: number; time?: Pair & { bound_before?: string | null; bound_after?: string | null } }[];
    launches?: { kernel: string; before: number; after: number; time?: Pair; figures?: CompareFigure[]; lines?: { file: string; presence: string; line_before?: number; line_after?: number; bytes_before?: number; bytes_after?: number }[] }[];
    only_before?: string[];
    only_after?: string[];
}

export type Sense = "better" | "worse" | "same" | "changed";

// Counts of hits and of what came along hang on how much was asked for: more of them is neither.
const isNeither = /(_hit_sectors|_hits$|merged_sectors)/;
const fewerIsBetter = /(microseconds|bytes|sectors|conflicts|wavefronts|requests|instructions|misses|lines|passes|waits|spill)/;
const moreIsBetter = /(hit_rate|efficiency|occupancy|intensity|warps_per_sm|blocks_per_sm)/;

export function sense(name: string, before: number | null, after: number | null): Sense {
    if (before === null || after === null) return "changed";
    if (before === after) return "same";
    const up = after > before;
    if (isNeither.test(name)) return "changed";
    if (moreIsBetter.test(name)) return up ? "better" : "worse";
    if (fewerIsBetter.test(name)) return up ? "worse" : "better";
    return "changed";
}

// Better and worse have a shape each, beside a word and a colour.
const sign: Record<Sense, string> = { better: "✓", worse: "✗", same: "=", changed: "◆" };
const num = (value: number | null | undefined): string => (value === null || value === undefined ? "–" : Number.isInteger(value) ? thousands(value) : short(value));

function by(before: number | null, after: number | null): string {
    if (before === null && after !== null) return "only after";
    if (after === null && before !== null) return "only before";
    if (before === null || after === null || before === after) return "";
    if (before === 0) return "from none";
    const ratio = after / before;
    if (ratio >= 2) return `${short(ratio)}× more`;
    if (ratio > 0 && ratio <= 0.5) return `${short(1 / ratio)}× less`;
    return `${ratio > 1 ? "+" : "−"}${percent(Math.abs(ratio - 1))}`;
}

// The sign and the word say whether it is good, ▲ and ▼ where the number went.
export function changeOf(name: string, before: number | null, after: number | null, measured = false): Child {
    const found = measured && before !== after ? "changed" : sense(name, before, after);
    const arrow = before !== null && after !== null && before !== after ? (after > before ? "▲" : "▼") : "";
    const words = by(before, after);
    return h("span", { class: `change ${found}`, "data-sense": found }, h("span", { class: "arrow", "aria-hidden": "true" }, sign[found]), found === "changed" ? "" : ` ${found}`, words && [found === "changed" ? " " : ", ", arrow && h("span", { "aria-hidden": "true" }, `${arrow} `), words]);
}

function table(head: string[], rows: Child[][]): HTMLElement {
    return h("table", { class: "whole stack" }, h("thead", {}, h("tr", {}, head.map((name, at) => h("th", { class: at > 0 && at < 3 ? "number" : "" }, name)))),
        h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, at) => h("td", { class: at === 0 ? "name" : at < 3 ? "number" : "", "data-label": at > 0 ? head[at] : null }, cell))))));
}

export function compare(comparison: Comparison, figures: Record<string, Figure>, parts: TimePart[] = []): HTMLElement {
    const data = comparison.data as CompareData, node = h("div", { class: "part part-compare" });
    // What a card counted has no device that was modelled: then the two are not before and after, but ours and its.
    const measured = data.device_after === undefined;
    const head = measured ? ["", "here", "on the card", "difference"] : ["", "before", "after", "change"];
    const change = (name: string, before: number | null, after: number | null) => changeOf(name, before, after, measured);
    node.append(h("p", { class: "quiet" }, measured ? "here: " : "before: ", h("b", {}, comparison.before), measured ? " · on the card: " : " · after: ", h("b", {}, comparison.after)));
    const program = Object.entries(data.program ?? {});
    if (program.length > 0) node.append(h("h4", {}, "Program", mark("modelled")), table(head, program.map(([name, pair]) => [name.replaceAll("_", " "), pair.before === null ? "–" : duration(pair.before), pair.after === null ? "–" : duration(pair.after), change("microseconds", pair.before, pair.after)])));
    const kernels = data.kernels ?? [];
    if (kernels.length > 0) {
        node.append(h("h4", {}, "Kernels", mark("modelled")), table(["kernel", ...head.slice(1)], kernels.map((kernel) => {
            const time = kernel.time, name = h("span", { title: kernel.kernel }, kernelName(kernel.kernel), kernel.launches_before !== kernel.launches_after ? h("span", { class: "quiet" }, ` ${kernel.launches_before} → ${kernel.launches_after} launches`) : "");
            const label = (bound: string) => parts.find((part) => part.name === bound)?.label ?? bound;
            const bounds = time?.bound_before && time.bound_after ? (time.bound_before === time.bound_after ? ` bound by ${label(time.bound_after)}` : ` bound by ${label(time.bound_before)}, now ${label(time.bound_after)}`) : "";
            return [name, time && time.before !== null ? duration(time.before) : "–", time && time.after !== null ? duration(time.after) : "–", kernel.presence !== "both" ? h("span", { class: "change changed" }, `◆ ${kernel.presence}`) : [change("microseconds", time?.before ?? null, time?.after ?? null), h("span", { class: "quiet small" }, bounds)]];
        })));
    }
    const say = (figure: CompareFigure, value: number | null): string => (value === null || value === undefined ? "–" : figureText(value, figures[figure.name]?.unit ?? figure.unit ?? "count"));
    for (const launch of data.launches ?? []) {
        const all = launch.figures ?? [], changed = all.filter((figure) => figure.change !== "same");
        const lines = (launch.lines ?? []).filter((line) => (line.bytes_before ?? 0) !== (line.bytes_after ?? 0));
        const shown = h("div", {});
        const draw = (every: boolean) => shown.replaceChildren((every ? all : changed).length > 0 ? table(["figure", ...head.slice(1)], (every ? all : changed).map((figure) => [[h("span", { title: figures[figure.name]?.text ?? "" }, figure.name.replaceAll("_", " ")), mark(figure.origin ?? figures[figure.name]?.source ?? "counted", figures[figure.name]?.profiler)], say(figure, figure.before), say(figure, figure.after), change(figure.name, figure.before, figure.after)])) : h("p", { class: "nothing" }, "All figures are equal."));
        const every = h("input", { type: "checkbox" });
        every.addEventListener("change", () => draw(every.checked));
        draw(false);
        node.append(h("details", { open: (data.launches ?? []).length < 4 }, h("summary", {}, h("b", {}, kernelName(launch.kernel)), h("span", { class: "quiet" }, ` launch ${launch.before}${launch.after !== launch.before ? ` → ${launch.after}` : ""}: ${changed.length} of ${all.length} figures changed`)),
            h("div", { class: "controls" }, h("label", {}, every, " equal ones, too")), shown,
            lines.length > 0 && [h("h5", {}, "Lines, by bytes moved"), table(["line", ...head.slice(1)], lines.map((line) => [`${fileName(line.file)}:${line.line_before ?? "–"}${line.line_after !== line.line_before ? ` → ${line.line_after ?? "–"}` : ""}`, num(line.bytes_before), num(line.bytes_after), change("bytes", line.bytes_before ?? null, line.bytes_after ?? null)]))]));
    }
    const only = [[measured ? "only here" : "only before", data.only_before ?? []], [measured ? "only on the card" : "only after", data.only_after ?? []]] as [string, string[]][];
    for (const [title, names] of only) if (names.length > 0) node.append(h("details", {}, h("summary", {}, `${plural(names.length, "launch", "launches")} ${title}`), h("ul", {}, names.slice(0, 50).map((name) => h("li", {}, name)), names.length > 50 && h("li", { class: "quiet" }, `and ${names.length - 50} more`))));
    node.append(h("details", {}, h("summary", {}, "The same in the report's words"), comparison.document.sections.map((section) => [section.title && h("h4", {}, section.title), rowsOf(section)])));
    return node;
}
