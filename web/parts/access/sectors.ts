// A request of global memory: the lines and sectors that it moves, and which bytes of them somebody asked for.
import { drawToWidth, h, picture, s } from "../base/dom";
import { bytes, percent, plural, thousands } from "../base/format";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import { lineBytes, sectorBytes, sectorsOf, type Lanes } from "./layout";

const mostLines = 33; // a warp of wide elements can touch more; the rest is said

// Lanes 0, 1, 2, 5 as "0 to 2, 5".
export function laneList(lanes: number[]): string {
    const parts: string[] = [];
    for (let at = 0; at < lanes.length; ) {
        let end = at;
        while (end + 1 < lanes.length && lanes[end + 1] === (lanes[end] ?? 0) + 1) ++end;
        parts.push(end > at ? `${lanes[at]} to ${lanes[end]}` : `${lanes[at]}`);
        at = end + 1;
    }
    return parts.join(", ");
}

function strip(width: number, lanes: Lanes, element: number, label: string): SVGSVGElement {
    const { sectors, asked } = sectorsOf(lanes, element);
    const moved = new Set(sectors), lines = [...new Set(sectors.map((sector) => Math.floor((sector * sectorBytes) / lineBytes)))];
    const first = lines[0] ?? 0;
    const shown = lines.slice(0, mostLines), gutter = 62, row = 17, gap = 3, byte = (width - gutter - 3 * gap) / lineBytes;
    const lanesAt = new Map<number, number[]>();
    lanes.forEach((address, lane) => {
        if (address === null) return;
        for (let at = 0; at < element; ++at) lanesAt.set(address + at, [...(lanesAt.get(address + at) ?? []), lane]);
    });
    const step = Math.min(Math.max(element, 1), sectorBytes);
    return oneStop(picture(width, shown.length * row + 18, label,
        [0, 32, 64, 96].map((at) => s("text", { x: gutter + at * byte + (at / 32) * gap, y: 11, class: "quiet" }, `+${at}`)),
        shown.map((line, rowAt) => {
            const y = 16 + rowAt * row;
            return [s("text", { x: 0, y: y + 12, class: "quiet" }, `${thousands((line - first) * lineBytes)}`),
                [0, 1, 2, 3].map((quarter) => {
                    const start = line * lineBytes + quarter * sectorBytes, sector = start / sectorBytes, x = gutter + quarter * (sectorBytes * byte + gap);
                    const used = Array.from({ length: sectorBytes }, (_, at) => asked.has(start + at));
                    const pieces = [];
                    for (let at = 0; at < sectorBytes; at += step) {
                        if (!used[at]) continue;
                        const who = lanesAt.get(start + at) ?? [];
                        pieces.push(tip(s("rect", { x: x + at * byte + 0.5, y: y + 2, width: Math.max(1, step * byte - 1), height: row - 6, rx: 1, class: `asked turn-${(who[0] ?? 0) % 2}`, tabindex: -1, role: "note", "aria-label": `byte ${thousands(start + at - first * lineBytes)}`, "data-lanes": who.join(" ") }),
                            () => tipRows(`byte ${thousands(start + at - first * lineBytes)}`, [["lanes", laneList(who)]])));
                        const room = step * byte;
                        if (room > 13) pieces.push(s("text", { x: x + at * byte + room / 2, y: y + 11, class: "on middle tiny" }, who.length > 1 ? `${who[0]}…` : String(who[0] ?? "")));
                    }
                    return [s("rect", { x, y, width: sectorBytes * byte, height: row - 2, rx: 2, class: moved.has(sector) ? "sector moved" : "sector", "data-sector": moved.has(sector) ? sector : null }), pieces];
                })];
        })));
}

export interface SectorData {
    lanes: Lanes;
    element: number;
    array?: string;
}

export function sectorPicture({ lanes, element, array }: SectorData): HTMLElement {
    const { sectors, asked, ideal } = sectorsOf(lanes, element);
    const active = lanes.filter((lane) => lane !== null).length, moved = sectors.length * sectorBytes;
    const best: Lanes = Array.from({ length: Math.ceil(asked.size / Math.max(1, element)) }, (_, at) => at * element);
    const actual = h("div", {}), better = h("div", {});
    drawToWidth(actual, (width) => strip(width, lanes, element, `sectors of a request: ${sectors.length}`), 520);
    drawToWidth(better, (width) => strip(width, best, element, `the ideal: ${ideal}`), 520);
    const lines = new Set(sectors.map((sector) => Math.floor((sector * sectorBytes) / lineBytes))).size;
    return h("div", { class: "part part-access sectors" },
        h("p", { class: "part-said" }, `${plural(active, "lane")} ask${active === 1 ? "s" : ""} for ${bytes(asked.size)}${array ? ` of ${array}` : ""}: `, h("b", { "data-units": sectors.length }, plural(sectors.length, "sector")), ` move${sectors.length === 1 ? "s" : ""} (${bytes(moved)}), ${ideal} would do. `,
            moved > asked.size ? `${percent(1 - asked.size / moved)} of what moves nobody asked for.` : "Nothing moves that nobody asked for."),
        h("div", { class: "beside" }, h("figure", {}, h("figcaption", {}, "as it is"), actual, lines > mostLines && h("p", { class: "quiet small" }, `${lines - mostLines} more lines are not drawn.`)),
            sectors.length > ideal && h("figure", {}, h("figcaption", {}, "the same bytes side by side"), better)),
        h("p", { class: "quiet small" }, "A row is a line of 128 bytes, an outlined box a sector of 32 that moves, filled what a lane asks for. Bytes count from the first line."));
}
