// How many warps an SM can hold, by the size of a block, registers and shared memory: a curve and a slider for each.
import "./occupancy.css";
import { scaleLinear } from "d3-scale";
import { curveStepBefore, line } from "d3-shape";
import { drawToWidth, h, picture, s } from "../base/dom";
import { bytes, percent, plural, thousands } from "../base/format";
import { mark } from "../base/marks";
import type { OccupancyTable } from "../base/types";
import { fit, type Use } from "./table";

export interface OccupancyChoice {
    name: string;
    product?: string;
    table: OccupancyTable;
}

const limiterName: Record<string, string> = { threads: "warps", blocks: "blocks", registers: "registers", shared: "shared memory", barriers: "barriers" };
const list = (names: string[]): string => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

// So that a key moves the slider and no range needs more than some thousand of them.
const stepOf = (last: number): number => (last > 4096 ? 128 : 1);

interface Knob {
    key: "warps" | "registers" | "shared";
    label: string;
    values: (table: OccupancyTable) => number[];
    text: (value: number, table: OccupancyTable) => string;
}
const knobs: Knob[] = [
    { key: "warps", label: "threads of a block", values: (table) => table.threads.map((_, at) => at + 1), text: (value, table) => thousands(value * table.warp) },
    { key: "registers", label: "registers of a thread", values: (table) => Array.from({ length: table.registers[table.registers.length - 1]?.most ?? 0 }, (_, at) => at + 1), text: (value) => thousands(value) },
    { key: "shared", label: "shared memory of a block", values: (table) => table.shared.map((entry) => entry.most), text: (value) => bytes(value) },
];

function curve(width: number, knob: Knob, table: OccupancyTable, use: Use): SVGSVGElement {
    const tall = 120, left = 42, right = 10, top = 8, bottom = 22;
    const values = knob.values(table), last = values[values.length - 1] ?? 1, first = values[0] ?? 0;
    const x = scaleLinear().domain([first, last]).range([left, width - right]), y = scaleLinear().domain([0, 1]).range([tall - bottom, top]);
    // A table's entry holds up to its value, so a step falls behind it.
    const points = values.map((value) => [value, fit(table, { ...use, [knob.key]: value }).occupancy] as [number, number]);
    const path = line<[number, number]>((point) => x(point[0]), (point) => y(point[1])).curve(curveStepBefore)(points) ?? "";
    const here = fit(table, use).occupancy, at = Math.min(last, Math.max(first, use[knob.key]));
    return picture(width, tall, `occupancy by ${knob.label}`,
        [0, 0.5, 1].map((value) => [s("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }), s("text", { x: left - 5, y: y(value) + 4, class: "quiet end" }, `${value * 100} %`)]),
        s("text", { x: left, y: tall - 6, class: "quiet" }, knob.text(first, table)), s("text", { x: width - right, y: tall - 6, class: "quiet end" }, knob.text(last, table)),
        s("path", { d: path, class: "line s1" }), s("line", { x1: x(at), x2: x(at), y1: y(0), y2: y(1), class: "here" }), s("circle", { cx: x(at), cy: y(here), r: 4.5, class: "fill s1 dot" }));
}

export function occupancy(choices: OccupancyChoice[], launched: Use, achieved?: number, given?: { device: string; occupancy: number }, chosen = choices[0]?.name): HTMLElement {
    const node = h("div", { class: "part part-occupancy" });
    if (choices.length === 0) {
        node.append(h("p", { class: "nothing" }, "No device's limits are known here."));
        return node;
    }
    let use: Use = { ...launched };
    const select = h("select", { "aria-label": "device", "data-control": "device" }, choices.map((choice) => h("option", { value: choice.name, selected: choice.name === chosen }, choice.product ?? choice.name)));
    const table = () => (choices.find((choice) => choice.name === select.value) ?? choices[0])?.table as OccupancyTable;
    const said = h("p", { class: "part-said", "aria-live": "polite" });
    const reset = h("button", { type: "button", click: () => {
        use = { ...launched };
        again();
    } }, "as launched");
    const rows = knobs.map((knob) => {
        const input = h("input", { type: "range", "aria-label": knob.label, "data-knob": knob.key });
        const text = h("output", {});
        const place = h("div", { class: "curve" });
        let redraw: () => void = () => undefined;
        drawToWidth(place, (width) => {
            redraw = () => place.replaceChildren(curve(width, knob, table(), use));
            return curve(width, knob, table(), use);
        }, 320);
        input.addEventListener("input", () => {
            use = { ...use, [knob.key]: Number(input.value) };
            again();
        });
        // The slider goes as the curve above it does; a table holds for all amounts up to an entry's.
        const show = () => {
            const values = knob.values(table()), last = values[values.length - 1] ?? 0;
            input.min = String(values[0] ?? 0);
            input.max = String(last);
            input.step = String(stepOf(last));
            input.value = String(Math.min(last, use[knob.key]));
            text.textContent = knob.text(use[knob.key], table());
            input.setAttribute("aria-valuetext", text.textContent);
            redraw();
        };
        return { show, node: h("div", { class: "knob" }, h("div", { class: "knob-head" }, h("span", {}, knob.label), text), place, input) };
    });
    function again(): void {
        const found = fit(table(), use);
        const same = use.warps === launched.warps && use.registers === launched.registers && use.shared === launched.shared;
        reset.disabled = same;
        const blocks = found.blocks === 0 ? "Not even one block fits" : `${plural(found.blocks, "block")} of ${plural(use.warps, "warp")} fit${found.blocks === 1 ? "s" : ""} on an SM: ${thousands(found.warps)} of ${table().max_warps_per_sm} warps`;
        const words: (Node | string)[] = [h("b", { class: "big", "data-occupancy": String(found.occupancy) }, percent(found.occupancy)), mark("counted", "sm__maximum_warps_per_active_cycle_pct"),
            ` ${blocks}; limited by ${list(found.limiters.map((name) => limiterName[name] ?? name))}.`];
        // What a launch asked of its SMs beside this (a carve-out) is not in the tables.
        if (same && given && select.value === given.device && Math.abs(given.occupancy - found.occupancy) > 1e-9) words.push(` With its own carve-out of shared memory it has ${percent(given.occupancy)}.`);
        if (same && achieved !== undefined) words.push(` Achieved: ${percent(achieved)}`, mark("modelled", "sm__warps_active.avg.pct_of_peak_sustained_active"));
        said.replaceChildren(...words);
        for (const row of rows) row.show();
    }
    select.addEventListener("change", again);
    node.append(h("div", { class: "controls" }, choices.length > 1 ? h("label", {}, "device ", select) : "", reset), said, h("div", { class: "knobs" }, rows.map((row) => row.node)));
    again();
    return node;
}
