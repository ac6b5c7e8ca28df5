// Every launch of the program in the order in which it was made, a click away from what is known of it.
import "./launches.css";
import { h } from "../base/dom";
import { duration, kernelName, thousands } from "../base/format";
import { mark } from "../base/marks";
import type { Run, TimePart } from "../base/types";

const extents = (all: number[]): string => {
    const [x = 1, y = 1, z = 1] = all;
    return z > 1 ? `${x}×${y}×${z}` : y > 1 ? `${x}×${y}` : `${x}`;
};

export function launches({ total, kernels, rows }: Run["launches"], parts: TimePart[], open: (launch: number) => void): HTMLElement {
    const longest = Math.max(0, ...rows.map((row) => row.microseconds ?? 0));
    const streams = rows.some((row) => (row.stream ?? 0) !== 0);
    const body = h("tbody", {}, rows.map((row) => {
        const name = kernels[row.kernel] ?? "", known = row.entry !== undefined;
        return h("tr", { "data-launch": row.index }, h("td", { class: "number quiet" }, thousands(row.index)),
            h("td", { class: "name", title: name }, known ? h("button", { type: "button", class: "plain", click: () => open(row.index) }, kernelName(name)) : kernelName(name)),
            h("td", { class: "number", "data-label": "grid" }, extents(row.grid)), h("td", { class: "number", "data-label": "block" }, extents(row.block)), streams && h("td", { class: "number", "data-label": "stream" }, row.stream ?? 0),
            h("td", { class: "number time", "data-label": "time", style: row.microseconds && longest > 0 ? `--part: ${((row.microseconds / longest) * 100).toFixed(1)}%` : null }, row.microseconds === undefined ? "" : duration(row.microseconds)),
            h("td", { "data-label": "bound by" }, row.bound ? (parts.find((part) => part.name === row.bound)?.label ?? row.bound) : ""));
    }));
    return h("div", { class: "part part-launches" }, h("table", { class: "whole stack" }, h("thead", {}, h("tr", {}, h("th", { class: "number" }, "launch"), h("th", {}, "kernel"), h("th", { class: "number" }, "grid"), h("th", { class: "number" }, "block"), streams && h("th", { class: "number" }, "stream"), h("th", { class: "number" }, "time", mark("modelled")), h("th", {}, "bound by"))), body),
        rows.length < total && h("p", { class: "quiet small" }, `${thousands(total - rows.length)} more launches are not listed.`));
}
