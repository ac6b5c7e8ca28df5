// A fetch of a texture or an access of a surface: the texels that a warp's requests ask for, and the sectors these lie in.
import { drawToWidth, h, picture, s } from "../base/dom";
import { plural, thousands } from "../base/format";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import { laneList } from "./sectors";

const sectorBytes = 32, tileWidth = 16, tileRows = 2; // of an array; in rows a sector is 32 bytes of one
const mostColumns = 64, mostRows = 48; // what is drawn of a picture that is larger; the rest is said

export interface TexelData {
    memory: string;
    lanesOfRequest: number;
    element: number;
    texels: number[][]; // request, column, row, slice
    units: number;
    ideal: number;
}

interface Texel {
    column: number;
    row: number;
    requests: number[];
}

function shape(memory: string, element: number): { columns: number; rows: number } {
    const bytes = Math.max(1, element);
    return memory === "rows" ? { columns: Math.max(1, Math.floor(sectorBytes / bytes)), rows: 1 } : { columns: Math.max(1, Math.floor(tileWidth / bytes)), rows: tileRows };
}

const lanesOf = (requests: number[], each: number): number[] => requests.flatMap((request) => Array.from({ length: each }, (_, at) => request * each + at));

function grid(width: number, data: TexelData, texels: Texel[], slice: number): SVGSVGElement {
    const { columns, rows } = shape(data.memory, data.element);
    const left = Math.floor(Math.min(...texels.map((texel) => texel.column)) / columns) * columns, top = Math.floor(Math.min(...texels.map((texel) => texel.row)) / rows) * rows;
    const inside = texels.filter((texel) => texel.column < left + mostColumns && texel.row < top + mostRows);
    const wide = Math.ceil((Math.max(...inside.map((texel) => texel.column)) + 1 - left) / columns) * columns, high = Math.ceil((Math.max(...inside.map((texel) => texel.row)) + 1 - top) / rows) * rows;
    const gutter = 46, cell = Math.min(22, (width - gutter) / wide), x = (column: number) => gutter + (column - left) * cell, y = (row: number) => 18 + (row - top) * cell;
    const sectors = new Map(inside.map((texel) => [`${Math.floor(texel.column / columns)} ${Math.floor(texel.row / rows)}`, texel]));
    return oneStop(picture(width, high * cell + 22, `texels of ${plural(data.units, "sector")}, slice ${slice}`,
        s("text", { x: gutter, y: 12, class: "quiet" }, `column ${thousands(left)}`),
        s("text", { x: 0, y: y(top) + Math.min(cell, 12), class: "quiet" }, `row ${thousands(top)}`),
        [...sectors.values()].map((texel) => {
            const column = Math.floor(texel.column / columns) * columns, row = Math.floor(texel.row / rows) * rows;
            return s("rect", { x: x(column) + 0.5, y: y(row) + 0.5, width: columns * cell - 1, height: rows * cell - 1, rx: 2, class: "sector moved", "data-sector": `${column} ${row}` });
        }),
        inside.map((texel) => [
            tip(s("rect", { x: x(texel.column) + 1.5, y: y(texel.row) + 1.5, width: Math.max(1, cell - 3), height: Math.max(1, cell - 3), rx: 1, class: `asked turn-${(texel.requests[0] ?? 0) % 2}`, tabindex: -1, role: "note", "aria-label": `column ${thousands(texel.column)}, row ${thousands(texel.row)}`, "data-requests": texel.requests.join(" ") }),
                () => tipRows(`column ${thousands(texel.column)}, row ${thousands(texel.row)}`, [["lanes", laneList(lanesOf(texel.requests, data.lanesOfRequest))]])),
            cell > 13 && s("text", { x: x(texel.column) + cell / 2, y: y(texel.row) + cell / 2 + 4, class: "on middle tiny" }, texel.requests.length > 1 ? `${texel.requests[0]}…` : String(texel.requests[0] ?? ""))])));
}

export function texelPicture(data: TexelData): HTMLElement {
    const slices = [...new Set(data.texels.map((texel) => texel[3] ?? 0))];
    const figures = slices.slice(0, 2).map((slice) => {
        const places = new Map<string, Texel>();
        for (const [request = 0, column = 0, row = 0, its = 0] of data.texels) {
            if (its !== slice) continue;
            const known = places.get(`${column} ${row}`);
            if (known) known.requests.push(request);
            else places.set(`${column} ${row}`, { column, row, requests: [request] });
        }
        const texels = [...places.values()], canvas = h("div", {});
        drawToWidth(canvas, (width) => grid(width, data, texels, slice), 520);
        return h("figure", {}, slices.length > 1 && h("figcaption", {}, `slice ${slice}`), canvas);
    });
    const requests = new Set(data.texels.map((texel) => texel[0])).size, what = data.memory === "surface" ? "a surface" : data.memory === "rows" ? "memory in rows" : "an array";
    return h("div", { class: "part part-access texels" },
        h("p", { class: "part-said" }, `${plural(requests, "request")} of ${data.lanesOfRequest} neighbouring lanes each ask${requests === 1 ? "s" : ""} for ${plural(data.texels.length, "texel")} of ${what}: `, h("b", { "data-units": data.units }, plural(data.units, "sector")), `, ${data.ideal} would do.`),
        h("div", { class: "beside" }, figures, slices.length > 2 && h("p", { class: "quiet small" }, `${slices.length - 2} more slices are not drawn.`)),
        h("p", { class: "quiet small" }, data.memory === "rows" ? "An outlined box is a sector, 32 bytes of a row; a filled cell a texel with the number of the request that asks for it." : "An outlined box is a sector, 16 bytes wide and two rows high; a filled cell a texel with the number of the request that asks for it. Each request asks for its sectors by itself."));
}
