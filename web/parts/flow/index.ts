// Where the bytes go: from DRAM over L2 and L1 to the threads and back, by how many bytes each step moves; what of them
// nobody asked for is hatched. Below, the same as numbers, by buffer, and why the caches missed.
import "./flow.css";
import { sankey, sankeyLinkHorizontal, type SankeyLink, type SankeyNode } from "d3-sankey";
import { drawToWidth, freshId, h, picture, s, type Child } from "../base/dom";
import { bytes, percent, thousands } from "../base/format";
import { mark } from "../base/marks";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import type { Buffer, Flow, FlowLink, Miss } from "../base/types";

const labels: Record<string, string> = { threads: "SM", l1: "L1", shared: "shared", local: "local", l2: "L2", l2_far: "L2 far", dram: "DRAM" };
export const levelLabel = (name: string): string => labels[name] ?? name;
// Columns from the threads outwards; far L2 stands between L2 and DRAM, for what comes from there has gone through both.
const column: Record<string, number> = { threads: 0, l1: 1, shared: 1, local: 1, l2: 2, l2_far: 3, dram: 4 };

interface Level { id: string }
interface Step { moved: FlowLink; wasted: boolean }
type Node = SankeyNode<Level, Step>;
type Link = SankeyLink<Level, Step>;

const reads = (link: FlowLink): boolean => (column[link.from] ?? 0) > (column[link.to] ?? 0);
const step = (link: FlowLink): string => (reads(link) ? `${levelLabel(link.to)} ← ${levelLabel(link.from)}` : `${levelLabel(link.from)} → ${levelLabel(link.to)}`);
const wastedOf = (link: FlowLink): number => Math.min(link.bytes, Math.max(0, link.wasted ?? 0));

function linkTip(link: FlowLink): Child {
    const rows: [string, string][] = [["moved", bytes(link.bytes)]];
    if (link.asked !== undefined) rows.unshift(["asked for", bytes(link.asked)]);
    if (wastedOf(link) > 0) rows.push(["nobody asked for", `${bytes(wastedOf(link))} (${percent(wastedOf(link) / link.bytes)})`]);
    return [tipRows(`${step(link)}, ${link.what}`, rows), h("p", { class: "quiet" }, link.source)];
}

const sum = (links: FlowLink[]): number => links.reduce((total, link) => total + link.bytes, 0);
const throughput = (links: FlowLink[], id: string): number => Math.max(sum(links.filter((link) => link.to === id)), sum(links.filter((link) => link.from === id)));

function side(links: FlowLink[], title: string, width: number, far: boolean, pixels: number): Child {
    if (links.length === 0) return null;
    const inward = links.map((link) => (reads(link) ? { ...link } : { ...link, from: link.to, to: link.from }));
    // Drawn from the threads outwards, whichever way bytes go, so that both sides have the same columns.
    const ids = [...new Set(inward.flatMap((link) => [link.to, link.from]))];
    const nodes: Level[] = ids.map((id) => ({ id }));
    const size = (id: string) => throughput(links, id);
    const parts = links.flatMap((link, at) => {
        const drawn = inward[at];
        if (!drawn) return [];
        const wasted = wastedOf(link), base = { source: drawn.to, target: drawn.from };
        const pieces: { source: string; target: string; value: number; moved: FlowLink; wasted: boolean }[] = [];
        if (link.bytes - wasted > 0) pieces.push({ ...base, value: link.bytes - wasted, moved: link, wasted: false });
        if (wasted > 0) pieces.push({ ...base, value: wasted, moved: link, wasted: true });
        return pieces;
    });
    const columns = far ? 5 : 4;
    const place = (id: string) => Math.min(columns - 1, (column[id] ?? 0) - (!far && column[id] === 4 ? 1 : 0));
    // A column in which there is nothing is none to the layout.
    const used = [...new Set(ids.map(place))].sort((a, b) => a - b);
    const top = 56, bottom = 8, nodeWidth = 12, padding = 36;
    // As tall as the fullest column needs at so many pixels a byte.
    const height = top + bottom + Math.max(...Array.from({ length: columns }, (_, at) => {
        const here = ids.filter((id) => place(id) === at);
        return here.reduce((sum, id) => sum + Math.max(1 / pixels, size(id)) * pixels, 0) + Math.max(0, here.length - 1) * padding;
    }));
    const layout = sankey<Level, Step>().nodeId((node) => node.id).nodeWidth(nodeWidth).nodePadding(padding).nodeSort(null)
        .nodeAlign((node) => used.indexOf(place(node.id))).extent([[1, top], [width - 1, height - bottom]]);
    const graph = layout({ nodes, links: parts as unknown as Link[] });
    const path = sankeyLinkHorizontal<Level, Step>();
    const hatch = freshId("hatch");
    // A column that no node is in does not move the others: x is ours.
    const x = (id: string) => 1 + ((width - 2 - nodeWidth) * place(id)) / (columns - 1);
    for (const node of graph.nodes as Node[]) {
        node.x0 = x(node.id);
        node.x1 = node.x0 + nodeWidth;
    }
    return oneStop(picture(width, height, `${title}: ${links.map((link) => `${step(link)} ${bytes(link.bytes)}`).join(", ")}`,
        s("defs", {}, s("pattern", { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { width: 6, height: 6, class: "hatch-ground" }), s("rect", { width: 2.5, height: 6, class: "hatch-line" }))),
        s("text", { x: 0, y: 14, class: "strong" }, title),
        graph.links.map((link) => tip(s("path", { d: path(link) ?? "", class: `flow-link ${link.wasted ? "wasted" : ""}`, style: link.wasted ? `stroke: url(#${hatch})` : null,
            "stroke-width": Math.max(1.5, link.width ?? 0), tabindex: -1, role: "note", "data-step": step(link.moved), "aria-label": `${step(link.moved)}: ${bytes(link.moved.bytes)}` }), () => linkTip(link.moved))),
        (graph.nodes as Node[]).map((node) => {
            const at = node.x0 ?? 0, last = place(node.id) === columns - 1, first = place(node.id) === 0;
            const anchor = first ? "" : last ? "end" : "middle";
            const label = first ? at : last ? at + nodeWidth : at + nodeWidth / 2;
            return [s("rect", { x: at, y: node.y0, width: nodeWidth, height: Math.max(2, (node.y1 ?? 0) - (node.y0 ?? 0)), class: "flow-node", rx: 1.5 }),
                s("text", { x: label, y: (node.y0 ?? 0) - 17, class: `strong ${anchor}` }, levelLabel(node.id)),
                s("text", { x: label, y: (node.y0 ?? 0) - 4, class: `quiet ${anchor}` }, bytes(size(node.id)))];
        })));
}

// What the fullest column of a picture moves: the scale of a picture, and of two that are to be compared.
export function fullestOf(data: Flow): number {
    const links = data.links.filter((link) => link.bytes > 0);
    return Math.max(0, ...[links.filter(reads), links.filter((link) => !reads(link))].flatMap((each) => each.flatMap((link) => column[link.from] ?? 0).map((at) => [...new Set(each.flatMap((link) => [link.from, link.to]))].filter((id) => column[id] === at).reduce((total, id) => total + throughput(each, id), 0))));
}

// What a reader of the picture would stumble over.
function notesOf(links: FlowLink[], launchBytes: number): string[] {
    const has = (level: string) => links.some((link) => link.from === level || link.to === level), found: string[] = [];
    if (has("l2_far")) found.push("L2 far: what the other half of L2 hands over. It passes L2 as well, so that L2 shows more than it gives to L1.");
    if (has("shared")) found.push("Shared memory moves 128 bytes a turn, whatever lanes ask for; hatched there are the turns that bank conflicts cost.");
    if (links.some((link) => link.what === "atomic")) found.push("Atomics go on to L2, which does them; what they move there is not counted in bytes.");
    if (launchBytes > 0 && has("dram")) found.push(`Of what DRAM reads, ${bytes(launchBytes)} are the launch itself: code and parameters.`);
    return found;
}

export function flow(data: Flow, scale = fullestOf(data), launchBytes = 0): HTMLElement {
    const node = h("div", { class: "part part-flow" });
    const links = data.links.filter((link) => link.bytes > 0);
    if (links.length === 0) {
        node.append(h("p", { class: "nothing" }, "This launch moves no bytes through the memory that is counted."));
        return node;
    }
    const loads = links.filter(reads), stores = links.filter((link) => !reads(link));
    const drawn = h("div", { class: "flow-picture" });
    // Both sides have one scale, and the fullest column of all is as tall as this.
    const far = links.some((link) => link.from === "l2_far" || link.to === "l2_far");
    drawToWidth(drawn, (width) => h("div", {}, side(loads, "read", width, far, (width < 500 ? 130 : 170) / scale), side(stores, "written", width, far, (width < 500 ? 130 : 170) / scale)));
    node.append(drawn, h("ul", { class: "key" }, h("li", { class: "s1" }, h("span", { class: "swatch asked" }), "asked for"), h("li", {}, h("span", { class: "swatch hatched" }), "moved, though nobody asked for it"), h("li", { class: "quiet" }, "one scale for all; the widest is as tall as it can be")));
    node.append(h("div", { class: "scroll" }, h("table", { class: "flow-table" },
        h("thead", {}, h("tr", {}, h("th", {}, "step"), h("th", {}, "what"), h("th", { class: "number" }, "asked for"), h("th", { class: "number" }, "moved"), h("th", { class: "number" }, "wasted"))),
        h("tbody", {}, links.map((link) => h("tr", {}, h("td", {}, step(link)), h("td", {}, link.what), h("td", { class: "number" }, link.asked === undefined ? "" : bytes(link.asked)),
            h("td", { class: "number", title: thousands(link.bytes) }, bytes(link.bytes), mark(link.source)), h("td", { class: "number" }, link.wasted === undefined ? "" : percent(wastedOf(link) / link.bytes))))))));
    const notes = notesOf(links, launchBytes);
    if (notes.length > 0) node.append(h("ul", { class: "quiet small flow-notes" }, notes.map((note) => h("li", {}, note))));
    return node;
}

export function buffers(all: Buffer[]): HTMLElement {
    const shown = all;
    if (shown.length === 0) return h("div", { class: "part part-buffers" });
    const columns: [string, (buffer: Buffer) => number | undefined, (value: number) => string][] = [
        ["size", (b) => b.bytes, bytes], ["asked for", (b) => b.asked, bytes], ["each byte", (b) => b.times_each_byte, (v) => `${thousands(v)}×`], ["L1 hits", (b) => b.l1_hit_rate, percent],
        ["read of L2", (b) => b.l2_read_bytes, bytes], ["L2 hits", (b) => b.l2_hit_rate, percent], ["written to L2", (b) => b.l2_write_bytes, bytes],
        ["read of DRAM", (b) => b.dram_read_bytes, bytes], ["written to DRAM", (b) => b.dram_write_bytes, bytes]];
    const used = columns.filter(([, of]) => shown.some((buffer) => of(buffer) !== undefined && of(buffer) !== 0));
    return h("div", { class: "part part-buffers" }, h("table", { class: "whole stack" }, h("thead", {}, h("tr", {}, h("th", {}, "buffer"), used.map(([name]) => h("th", { class: "number" }, name)))),
        h("tbody", {}, shown.map((buffer) => h("tr", {}, h("td", { class: "name" }, h("code", {}, buffer.name || buffer.kind)), used.map(([name, of, text]) => {
            const value = of(buffer);
            return h("td", { class: "number", "data-label": name }, value === undefined ? "–" : text(value));
        }))))), h("p", { class: "quiet small" }, "size, what is asked for and how often", mark("counted"), "; what caches and DRAM have of it", mark("modelled")));
}

// What a reason means, for who has not met the word.
const whyText: Record<string, string> = {
    "first touch": "had not been there in this launch: no cache can help",
    capacity: "had been there and had to give way: a smaller working set, or tiles, would keep it",
    "part written": "a store had left only some of its bytes there",
    fence: "a fence had emptied L1",
    atomic: "an atomic had changed its line",
    bypass: "the load goes past L1",
    "other part": "the other half of L2 has it, and hands it over",
    outdated: "the other half of L2 has a newer one",
};
const missSeries = ["s1", "s2", "s3", "s4", "s5", "s6"];
export function misses(all: Miss[]): HTMLElement {
    const node = h("div", { class: "part part-misses" });
    for (const level of ["l1", "l2"]) {
        // Those that came along with another SM's read are among the others, whatever the reason.
        const merged = all.find((miss) => miss.level === level && miss.why === "merged")?.sectors ?? 0;
        const found = all.filter((miss) => miss.level === level && miss.sectors > 0 && miss.why !== "merged").sort((a, b) => b.sectors - a.sectors);
        const total = found.reduce((sum, miss) => sum + miss.sectors, 0);
        if (total === 0) continue;
        node.append(h("div", { class: "misses-level" }, h("div", { class: "small" }, h("b", {}, levelLabel(level)), h("span", { class: "quiet" }, ` ${thousands(total)} sectors missed`, mark("modelled"), merged > 0 && `; ${thousands(merged)} of them came along with another SM's read of L2`)),
            oneStop(h("div", { class: "whole-bar thin", role: "group", "aria-label": `why ${levelLabel(level)} missed` }, found.map((miss, at) => tip(h("span", { class: `piece ${missSeries[at % 6]}`, style: `flex-grow: ${miss.sectors}`, tabindex: -1, role: "note", "aria-label": miss.why }),
                () => [tipRows(miss.why, [["sectors", thousands(miss.sectors)], ["share", percent(miss.sectors / total)]]), whyText[miss.why] && h("p", {}, whyText[miss.why])])))),
            h("ul", { class: "key" }, found.map((miss, at) => h("li", { class: missSeries[at % 6] ?? "s6" }, h("span", { class: "swatch" }), `${miss.why} `, h("b", {}, percent(miss.sectors / total)), whyText[miss.why] && h("span", { class: "quiet" }, ` ${whyText[miss.why]}`))))));
    }
    if (!node.firstChild) node.append(h("p", { class: "nothing" }, "No misses were modelled."));
    return node;
}
