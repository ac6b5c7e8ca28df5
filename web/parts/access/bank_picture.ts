// A request of shared memory at its 32 banks: a column for each bank, a row for each wavefront; lanes that want different
// words of one bank come one behind the other.
import { drawToWidth, h, picture, s, type Child } from "../base/dom";
import { plural } from "../base/format";
import { oneStop } from "../base/one_stop";
import { tip, tipRows } from "../base/tip";
import { banks, banksOf, collisions, tileLanes, wavefronts, type BankUse, type Group, type Lanes, type Tile } from "./layout";
import { laneList } from "./sectors";

function grid(width: number, groups: Group[], label: string): SVGSVGElement {
    const gutter = width < 480 ? 22 : 84, cell = (width - gutter) / banks, row = Math.min(20, Math.max(12, cell));
    const heights = groups.map((group) => Math.max(...group.map((turns) => turns.length)));
    const rows = heights.reduce((sum, value) => sum + value, 0);
    const every = cell < 15 ? 4 : 1;
    let y = 18, number = 0;
    const drawn: Child[] = groups.map((group, groupAt) => {
        const top = y, tall = heights[groupAt] ?? 0;
        y += tall * row + (groupAt + 1 < groups.length ? 6 : 0);
        return [Array.from({ length: tall }, (_, turnAt) => s("text", { x: gutter - 6, y: top + turnAt * row + row / 2 + 4, class: "quiet end" }, width < 480 ? `${++number}` : `wavefront ${++number}`)),
            group.map((turns, bank) => Array.from({ length: tall }, (_, turnAt) => {
                const turn = turns[turnAt], x = gutter + bank * cell, at = top + turnAt * row;
                const box = { x: x + 0.5, y: at + 0.5, width: Math.max(1, cell - 1), height: row - 1, rx: 1.5 };
                if (!turn) return s("rect", { ...box, class: "bank free" });
                const node = tip(s("rect", { ...box, class: `bank busy ${turnAt > 0 ? "late" : ""}`, tabindex: -1, role: "note", "aria-label": `bank ${bank}, wavefront ${turnAt + 1}`, "data-bank": bank, "data-lanes": turn.lanes.join(" ") }),
                    () => tipRows(`bank ${bank}, wavefront ${turnAt + 1}`, [["lanes", laneList(turn.lanes)], ["word", String(turn.word)]]));
                return [node, cell >= 15 && s("text", { x: x + cell / 2, y: at + row / 2 + 4, class: "on middle tiny" }, turn.lanes.length > 1 ? `${turn.lanes[0]}…` : String(turn.lanes[0]))];
            }))];
    });
    return oneStop(picture(width, 18 + rows * row + Math.max(0, groups.length - 1) * 6 + 2, label, s("text", { x: 0, y: 12, class: "quiet" }, width < 480 ? "" : "bank"),
        Array.from({ length: banks }, (_, bank) => (bank % every === 0 || (bank === banks - 1 && every === 1) ? s("text", { x: gutter + bank * cell + cell / 2, y: 12, class: "quiet middle tiny" }, String(bank)) : null)), drawn));
}

function namedCollisions(groups: Group[]): Child {
    const found = collisions(groups), worst = found[0];
    if (!worst) return "No two lanes want different words of one bank.";
    const who = worst.turns.flatMap((turn) => turn.lanes).sort((a, b) => a - b);
    const others = found.length > 1 ? ` So do lanes at ${plural(found.length - 1, "other bank")}.` : "";
    return `Lanes ${laneList(who)} meet at bank ${worst.bank} and want ${worst.turns.length} different words: they take turns.${others}`;
}

export interface BankData {
    lanes: Lanes;
    element: number;
    array?: string;
    use?: BankUse;
    units?: number; // wavefronts, where who knows more than addresses says so
}

export function bankPicture({ lanes, element, array, use = "load", units }: BankData): HTMLElement {
    const groups = banksOf(lanes, element, use), turns = units ?? wavefronts(groups);
    const active = lanes.filter((lane) => lane !== null).length;
    const asked = new Set(groups.flatMap((group) => group.flatMap((bank) => bank.map((turn) => turn.word)))).size;
    const ideal = Math.max(1, Math.ceil(asked / banks));
    const best = banksOf(Array.from({ length: Math.max(1, Math.ceil((asked * 4) / Math.max(4, element))) }, (_, at) => at * Math.max(4, element)), Math.max(4, element), use);
    const actual = h("div", {}), better = h("div", {});
    drawToWidth(actual, (width) => grid(width, groups, `banks of a request: ${plural(turns, "wavefront")}`), 560);
    drawToWidth(better, (width) => grid(width, best, `the ideal: ${plural(ideal, "wavefront")}`), 560);
    return h("div", { class: "part part-access banks" },
        h("p", { class: "part-said" }, `${plural(active, "lane")} at the banks${array ? ` of ${array}` : ""}: `, h("b", { "data-units": turns }, plural(turns, "wavefront")), `, ${ideal} would do. `, namedCollisions(groups)),
        h("div", { class: "beside wide" }, h("figure", {}, h("figcaption", {}, "as it is"), actual), turns > ideal && h("figure", {}, h("figcaption", {}, "the same words in different banks"), better)),
        h("p", { class: "quiet small" }, "A column is a bank of 4 bytes a turn, a row a wavefront; the number is the lane that is served (… where several share a word)."));
}

// Other layouts to try: what padding or a swizzle does to the columns of a tile.
export function bankTrial(start: Partial<Tile> = {}): HTMLElement {
    const tile: Tile = { rows: 32, columns: 32, elementBytes: 4, padding: 0, swizzle: false, along: "column", ...start };
    const view = h("div", {});
    const number = (label: string, key: "rows" | "columns" | "padding", least: number, most: number) => {
        const input = h("input", { type: "number", min: least, max: most, value: tile[key], "aria-label": label, "data-control": key, size: 4 });
        input.addEventListener("input", () => {
            const value = Math.round(Number(input.value));
            if (input.value === "" || !Number.isFinite(value)) return;
            tile[key] = Math.min(most, Math.max(least, value));
            again();
        });
        return h("label", {}, `${label} `, input);
    };
    const choice = <T extends string>(label: string, control: string, options: [T, string][], now: T, set: (value: T) => void) => {
        const select = h("select", { "aria-label": label, "data-control": control }, options.map(([value, text]) => h("option", { value, selected: value === now }, text)));
        select.addEventListener("change", () => {
            set(select.value as T);
            again();
        });
        return h("label", {}, `${label} `, select);
    };
    const swizzle = h("input", { type: "checkbox", checked: tile.swizzle, "data-control": "swizzle" });
    swizzle.addEventListener("change", () => {
        tile.swizzle = swizzle.checked;
        again();
    });
    const again = () => view.replaceChildren(bankPicture({ lanes: tileLanes(tile), element: tile.elementBytes, array: `tile[${tile.rows}][${tile.columns + tile.padding}]` }));
    again();
    return h("div", { class: "part part-trial" }, h("div", { class: "controls" }, number("rows", "rows", 1, 128), number("columns", "columns", 1, 128), number("padding", "padding", 0, 32),
        choice("element", "element", [["4", "4 bytes"], ["8", "8 bytes"], ["16", "16 bytes"]], String(tile.elementBytes) as "4", (value) => (tile.elementBytes = Number(value))),
        choice("lanes walk along", "along", [["column", "a column"], ["row", "a row"]], tile.along, (value) => (tile.along = value)), h("label", { title: "element (row, column) is stored at column XOR row" }, swizzle, " swizzle")), view);
}
