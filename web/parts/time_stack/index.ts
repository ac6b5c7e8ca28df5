// What a launch spends its time on, and what its warps wait for, with the profiler's names beside ours.
import "./time_stack.css";
import { h, type Child } from "../base/dom";
import { duration, percent } from "../base/format";
import { mark } from "../base/marks";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import type { Launch, Stall, TimePart } from "../base/types";

export interface TimeData {
    time?: Launch["time"];
    replay?: Record<string, number>;
}

const series = ["s1", "s2", "s3", "s4", "s5", "s6"];

interface Piece {
    name: string;
    label: string;
    share: number;
    value: string;
    note: Child;
    text?: string;
}

function stack(title: Child, pieces: Piece[], column: string, width = 1): HTMLElement {
    const shown = pieces.filter((piece) => piece.share > 0.0005).sort((a, b) => b.share - a.share);
    return h("div", { class: "time-stack" }, h("h4", {}, title),
        oneStop(h("div", { class: "whole-bar", style: width < 1 ? `width: ${Math.max(1, width * 100).toFixed(1)}%` : null, role: "img", "aria-label": shown.map((piece) => `${piece.label} ${percent(piece.share)}`).join(", ") },
            shown.map((piece, at) => tip(h("span", { class: `piece ${series[Math.min(at, series.length - 1)]}`, style: `flex-grow: ${piece.share}`, tabindex: -1, role: "note", "aria-label": piece.label, "data-name": piece.name }, piece.share * width > 0.14 ? h("span", {}, piece.label) : ""),
                () => [tipRows(piece.label, [["share", percent(piece.share)], ...(piece.value ? [[column, piece.value] as [string, string]] : [])]), piece.text && h("p", {}, piece.text)])))),
        h("table", { class: "whole" }, h("tbody", {}, shown.map((piece, at) => h("tr", { "data-name": piece.name, class: series[Math.min(at, series.length - 1)] ?? "s6" }, h("td", {}, h("span", { class: "swatch" }), piece.label),
            h("td", { class: "number" }, percent(piece.share)), piece.value && h("td", { class: "number" }, piece.value), h("td", { class: "note quiet" }, piece.note))))));
}

export function timeStack({ time, replay }: TimeData, parts: TimePart[], stalls: Stall[], longest = time?.microseconds ?? 0): HTMLElement {
    const node = h("div", { class: "part part-time" });
    if (time && time.microseconds > 0) {
        const total = Object.values(time.breakdown).reduce((sum, value) => sum + value, 0) || 1;
        const pieces = Object.entries(time.breakdown).map(([name, value]): Piece => {
            const part = parts.find((each) => each.name === name);
            return { name, label: part?.label ?? name, share: value / total, value: duration(value), note: part?.text ?? "", text: part?.text };
        });
        node.append(stack(["What the time is spent on", mark("modelled")], pieces, "time", longest > 0 ? Math.min(1, time.microseconds / longest) : 1));
    }
    if (replay) {
        const known = stalls.filter((stall) => (replay[stall.name] ?? 0) > 0);
        const total = known.reduce((sum, stall) => sum + (replay[stall.name] ?? 0), 0);
        if (total > 0) {
            const pieces = known.map((stall): Piece => ({ name: stall.name, label: stall.name, share: (replay[stall.name] ?? 0) / total, value: "", text: stall.text,
                note: [h("span", { class: "reasons" }, stall.reasons.map((reason) => reason.name).join(", ")), stall.text ? h("span", {}, stall.text) : null] }));
            node.append(stack(["What warps wait for", mark("modelled"), h("span", { class: "quiet" }, " and what Nsight Compute calls it")], pieces, "cycles"));
        }
    }
    if (!node.firstChild) node.append(h("p", { class: "nothing" }, "No time is modelled for this launch."));
    return node;
}
