// The page's sections, in the order in which experts read.
import { h, type Child } from "../parts/base/dom";
import { figureText, unitText } from "../parts/base/format";
import { mark } from "../parts/base/marks";
import { compare } from "../parts/compare";
import { buffers, misses } from "../parts/flow";
import { glossaryList, termed } from "../parts/glossary";
import { hazards } from "../parts/hazards";
import { kernelHeadline } from "../parts/headline";
import { occupancy } from "../parts/occupancy";
import { pages } from "../parts/pages";
import { phases } from "../parts/phases";
import { rowsOf } from "../parts/rows";
import { source } from "../parts/source";
import { timeLine } from "../parts/time_line";
import { trust } from "../parts/trust";
import { variables } from "../parts/variables";
import { flows, rooflines, times } from "./beside";
import type { Context, Entry } from "./context";

export interface SectionKind {
    id: string;
    title: string;
    about?: string; // one sentence for who never saw such a thing
    folded?: boolean; // the reader opens it
    kernel: boolean; // it is of one launch, not of the program
    wanted: (context: Context) => boolean;
    draw: (context: Context) => Node;
}

const all = (...children: Child[]): HTMLElement => h("div", { class: "stacked" }, children);
const entryOf = (context: Context): Entry => context.entry as Entry;

function adviceOf(context: Context, entry: Entry): Child {
    const rows = (entry.section?.rows ?? []).filter((row) => row.kind === "advice");
    return rows.length > 1 && entry.section ? h("details", {}, h("summary", {}, `All ${rows.length} pieces of advice`), rowsOf(entry.section, context.go, (row) => row.kind !== "advice")) : null;
}

function drawOccupancy(context: Context): Node {
    const { data } = context, { launch } = entryOf(context);
    const threads = launch.block.reduce((product, extent) => product * extent, 1);
    const choices = data.devices.flatMap((device) => {
        const table = data.occupancy[device.occupancy];
        return table ? [{ name: device.name, product: device.product, table }] : [];
    });
    const warp = choices[0]?.table.warp ?? 32;
    return occupancy(choices, { warps: Math.ceil(threads / warp), registers: launch.registers_per_thread, shared: (launch.static_shared_bytes ?? 0) + (launch.dynamic_shared_bytes ?? 0), barriers: launch.occupancy?.barriers_per_block }, launch.occupancy?.achieved, launch.occupancy && { device: data.run.profile.device, occupancy: launch.occupancy.fraction }, context.device);
}

function drawSource(context: Context): Node {
    const { data } = context, { launch, kernel } = entryOf(context);
    const notes = [...(launch.advice ?? []).map((advice) => ({ file: advice.file, line: advice.line, text: advice.message, kind: "advice" })),
        ...(launch.hazards ?? []).flatMap((hazard) => [{ file: hazard.file, line: hazard.line, text: hazard.message, kind: "hazard" }, { file: hazard.other_file, line: hazard.other_line, text: hazard.message, kind: "hazard" }])];
    context.source = source({ files: data.run.sources, lines: launch.lines ?? [], shares: kernel?.lines ?? [], figures: data.figures, pictures: kernel?.pictures ?? [], notes, code: (data.run.profile.ptx ?? []).find((code) => code.entry === launch.entry) });
    return context.source.node;
}

// Ratios and facts, and the counters that counted something.
const numbersOf = ({ launch, kernel }: Entry): Record<string, number> => ({ ...kernel?.figures, ...Object.fromEntries(Object.entries(launch.counters).filter(([, value]) => value !== 0)) });

function numbers(context: Context): Node {
    const { data } = context, all = numbersOf(entryOf(context));
    const input = h("input", { type: "search", placeholder: "a counter, or the profiler's metric", "aria-label": "search the numbers", autocomplete: "off", spellcheck: "false" });
    const body = h("tbody", {});
    const show = () => {
        const wanted = input.value.trim().toLowerCase().replaceAll(" ", "_");
        body.replaceChildren(...Object.entries(all).filter(([name]) => wanted === "" || name.includes(wanted) || (data.figures[name]?.profiler ?? "").includes(wanted) || (data.figures[name]?.text ?? "").toLowerCase().includes(input.value.trim().toLowerCase())).map(([name, value]) => {
            const figure = data.figures[name];
            return h("tr", { "data-name": name }, h("td", { class: "name" }, name.replaceAll("_", " "), mark(figure?.source ?? "counted", figure?.profiler), figure?.text && h("div", { class: "quiet small" }, figure.text)),
                h("td", { class: "number", "data-label": "value" }, figureText(value, figure?.unit), unitText(figure?.unit) && h("span", { class: "quiet small" }, ` ${unitText(figure?.unit)}`)), h("td", { "data-label": "Nsight Compute" }, figure?.profiler && h("code", { class: "metric" }, figure.profiler)));
        }));
    };
    input.addEventListener("input", show);
    show();
    return h("div", { class: "part part-numbers" }, h("div", { class: "controls" }, input), h("table", { class: "whole stack" }, h("thead", {}, h("tr", {}, h("th", {}, "what"), h("th", { class: "number" }, "value"), h("th", {}, "Nsight Compute"))), body));
}

export const sections: SectionKind[] = [
    { id: "compare", title: "What changed", kernel: false, wanted: ({ data }) => data.comparison !== undefined, draw: ({ data }) => (data.comparison ? compare(data.comparison, data.figures, data.time_parts) : h("p")) },
    { id: "headline", title: "In short", kernel: true, wanted: ({ entry }) => entry !== undefined,
        draw: (context) => all(kernelHeadline(entryOf(context).section ?? { kind: "launch", title: entryOf(context).launch.kernel }, context.go, entryOf(context).launch.folded), adviceOf(context, entryOf(context))) },
    { id: "bytes", title: "Where the bytes go", about: "From DRAM over the caches to the threads, and back. What is wide near the SM and thin further out was caught by a cache.", kernel: true, wanted: ({ entry }) => entry?.kernel?.flow !== undefined,
        draw: (context) => {
            const kernel = entryOf(context).kernel;
            return all(flows(context), (kernel?.buffers ?? []).length > 0 && [h("h3", {}, "By buffer"), buffers(kernel?.buffers ?? [])], (kernel?.flow?.misses ?? []).length > 0 && [h("h3", {}, "Why the caches missed"), misses(kernel?.flow?.misses ?? [])]);
        } },
    { id: "roofline", title: "Roofline", about: "The further right, the more arithmetic a byte pays for; under a slanted roof memory is the limit, under the flat one arithmetic.", kernel: true, wanted: ({ entry, data }) => entry !== undefined && data.devices.some((device) => device.kernels.some((kernel) => kernel.launch === entry.launch.index && kernel.roofline)),
        draw: (context) => rooflines(context) },
    { id: "occupancy", title: "Occupancy", about: "How many warps an SM can hold at once to hide waiting. Move a slider to try another block, fewer registers, less shared memory.", kernel: true, wanted: ({ entry, data }) => entry !== undefined && data.occupancy.length > 0, draw: drawOccupancy },
    { id: "time", title: "Time", kernel: true, wanted: ({ entry }) => entry?.launch.time !== undefined || entry?.launch.replay !== undefined,
        draw: times },
    { id: "source", title: "Source", kernel: true, wanted: ({ entry, data }) => entry !== undefined && ((entry.launch.lines ?? []).length > 0 || Object.keys(data.run.sources).length > 0), draw: drawSource },
    { id: "phases", title: "Phases", about: "One block, barrier by barrier.", kernel: false, wanted: ({ data }) => data.run.profile.trace !== undefined, draw: ({ data }) => (data.run.profile.trace ? phases(data.run.profile.trace) : h("p")) },
    { id: "hazards", title: "Hazards", about: "What may make a result wrong, whatever order threads ran in here.", kernel: false, wanted: () => true,
        draw: ({ data, go }) => hazards([...(data.run.profile.hazards ?? []), ...data.run.profile.launches.flatMap((launch) => (launch.hazards ?? []).map((hazard) => ({ ...hazard, kernel: hazard.kernel ?? launch.kernel })))], data.run.sources, go, data.run.profile.checks, data.run.more_hazards) },
    { id: "time-line", title: "Time line", kernel: false, wanted: ({ data }) => (data.run.profile.timeline ?? []).length > 0,
        draw: ({ data, open }) => timeLine(data.run.profile.timeline ?? [], open, data.run.profile.overlap?.left_out, data.run.profile.pages?.total.device_stall_microseconds) },
    { id: "pages", title: "Pages of managed memory", kernel: false, wanted: ({ data }) => data.run.profile.pages !== undefined, draw: ({ data, names }) => (data.run.profile.pages ? pages(data.run.profile.pages, names) : h("p")) },
    { id: "variables", title: "Variables", kernel: true, wanted: ({ entry }) => (entry?.launch.variables ?? []).length > 0, draw: (context) => variables(entryOf(context).launch.variables ?? []) },
    { id: "words", title: "The report in words", folded: true, kernel: true, wanted: ({ entry }) => (entry?.section?.rows ?? []).length > 0,
        draw: (context) => {
            const section = entryOf(context).section;
            return section ? rowsOf(section, context.go, (row) => row.kind === "hazard") : h("p");
        } },
    { id: "numbers", title: "Every number", folded: true, kernel: true, wanted: ({ entry }) => entry !== undefined && Object.keys(numbersOf(entry)).length > 0, draw: numbers },
    { id: "trust", title: "How far to trust this run", kernel: false, wanted: () => true, draw: ({ data }) => trust(data.run.trust.rows, data.left_out) },
    { id: "glossary", title: "Glossary", folded: true, kernel: false, wanted: ({ data }) => data.glossary.length > 0, draw: ({ glossary }) => glossaryList(glossary) },
];

export const explained = (kind: SectionKind, context: Context): Child => (kind.about ? h("p", { class: "about quiet" }, termed(kind.about, context.glossary)) : null);
