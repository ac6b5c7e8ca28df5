// Pages of managed memory: what faulted and what moved, launch by launch.
import "./pages.css";
import { h } from "../base/dom";
import { bytes, duration, kernelName, percent, thousands } from "../base/format";
import { mark } from "../base/marks";
import { tip, tipRows } from "../base/tip";
import type { Pages } from "../base/types";

export function pages(data: Pages, names: Map<number, string>): HTMLElement {
    const total = data.total, node = h("div", { class: "part part-pages" });
    if (data.message) node.append(h("p", { class: "trouble" }, data.trouble ? h("b", {}, `${data.trouble}: `) : "", data.message));
    const figures: [string, string][] = [["managed memory at once", bytes(data.managed_bytes)], ["touched by kernels", bytes(data.touched_bytes)], ["on the device at most", `${bytes(data.resident_bytes)} of ${bytes(data.room_bytes)}`],
        ["faults of kernels", `${thousands(total.faults)}${total.refaults > 0 ? `, ${thousands(total.refaults)} of them again` : ""}`], ["faults of the host", thousands(total.host_faults)],
        ["moved to the device", `${bytes(total.to_device_bytes)}, ${bytes(total.prefetched_in_bytes)} prefetched`], ["moved to the host", `${bytes(total.to_host_bytes)}, ${bytes(total.prefetched_back_bytes)} prefetched`],
        ["kernels stood still", duration(total.device_stall_microseconds)], ["the host stood still", duration(total.host_stall_microseconds)]];
    if (total.device_stall_microseconds > 0 && total.host_stall_microseconds > 0) figures.push(["both together, of the program's time", duration(total.device_stall_microseconds + total.host_stall_microseconds)]);
    if (total.evicted_bytes > 0) figures.push(["evicted for want of room", bytes(total.evicted_bytes)]);
    if (total.mapped_bytes > 0) figures.push(["reached across the link", bytes(total.mapped_bytes)]);
    node.append(h("dl", { class: "page-figures" }, figures.map(([name, value]) => h("div", {}, h("dt", {}, name, mark("modelled")), h("dd", {}, value)))));
    const most = Math.max(1, ...data.launches.map(({ moves }) => moves.to_device_bytes + moves.to_host_bytes));
    if (data.launches.length > 0) {
        node.append(h("table", { class: "whole stack" }, h("thead", {}, h("tr", {}, h("th", {}, "launch"), h("th", {}, "moved"), h("th", { class: "number" }, "to device"), h("th", { class: "number" }, "to host"), h("th", { class: "number" }, "faults"), h("th", { class: "number" }, "stood still"))),
            h("tbody", {}, data.launches.map(({ launch, moves }) => {
                const name = names.get(launch);
                const bar = (value: number, series: string, what: string) => tip(h("span", { class: `piece ${series}`, style: `width: ${((value / most) * 100).toFixed(2)}%` }), () => tipRows(what, [["bytes", bytes(value)], ["of the most", percent(value / most)]]));
                return h("tr", {}, h("td", { class: "name" }, `${launch}`, name ? h("span", { class: "quiet" }, ` ${kernelName(name)}`) : ""), h("td", { class: "moved" }, h("span", { class: "bars" }, bar(moves.to_device_bytes, "s2", "to the device"), bar(moves.to_host_bytes, "s3", "to the host"))),
                    h("td", { class: "number", "data-label": "to device" }, bytes(moves.to_device_bytes)), h("td", { class: "number", "data-label": "to host" }, bytes(moves.to_host_bytes)), h("td", { class: "number", "data-label": "faults" }, thousands(moves.faults), moves.refaults > 0 ? ` (${thousands(moves.refaults)} again)` : ""),
                    h("td", { class: "number", "data-label": "stood still" }, duration(moves.device_stall_microseconds)));
            }))));
    }
    if (data.left_out) node.append(h("p", { class: "quiet small" }, `${data.left_out} more launches have something to tell and are not listed.`));
    return node;
}
