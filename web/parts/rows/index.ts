// Rows of the document as the report has them: label, words, values, verdict, source and place.
import "./rows.css";
import { h, type Child } from "../base/dom";
import { fileName } from "../base/format";
import { mark } from "../base/marks";
import type { Place, Row, Section } from "../base/types";

// Opens a line of the source.
export interface GoTo {
    (file: string, line: number): void;
    knows?: (file: string) => boolean;
}

export const isPlace = (place: Place): place is Place & { file: string; line: number } => place.file !== undefined && place.line !== undefined;

export function placeLink(place: Place & { file: string; line: number }, go?: GoTo): Child {
    const text = `${fileName(place.file)}:${place.line}`;
    if (!go || go.knows?.(place.file) === false) return h("span", { title: place.file }, text);
    return h("a", { href: "#source", class: "place", title: place.file, click: (event: Event) => {
        event.preventDefault();
        go(place.file, place.line);
    } }, text);
}

export function rowText(row: Row): Child {
    if (row.kind === "list" && row.text !== undefined && (row.values ?? []).length > 0) return [row.text, h("ul", {}, (row.values ?? []).map((value) => h("li", {}, value.text)))];
    if (row.text) return row.text;
    return (row.values ?? []).map((value) => value.text).join(", ");
}

const verdictSign: Record<string, string> = { good: "✓", poor: "▲" };
export function verdict(row: Row): Child {
    return row.verdict && verdictSign[row.verdict] ? h("span", { class: `verdict-${row.verdict}`, title: row.verdict }, `${verdictSign[row.verdict]} ${row.verdict}`) : null;
}

function table(row: Row): Child {
    if (!row.rows?.length) return null;
    if (!row.columns) return h("ul", {}, row.rows.map((each) => h("li", {}, each.label && h("b", {}, `${each.label} `), rowText(each))));
    return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, row.columns.map((name, at) => h("th", { class: at > 0 ? "number" : "" }, name)))),
        h("tbody", {}, row.rows.map((each) => h("tr", {}, h("td", {}, each.label ?? each.text ?? ""), (each.values ?? []).map((value) => h("td", { class: "number" }, value.text)))))));
}

export function rowsOf(section: Section, go?: GoTo, skip: (row: Row) => boolean = () => false): HTMLElement {
    const rows = (section.rows ?? []).filter((row) => !skip(row));
    return h("dl", { class: "part part-rows" }, rows.map((row) => {
        const places = (row.places ?? []).filter(isPlace);
        return [h("dt", {}, row.label ?? ""), h("dd", {}, rowText(row), mark(row.source), " ", verdict(row),
            places.length > 0 && h("span", { class: "quiet" }, "  ", places.map((place, at) => [at > 0 && ", ", placeLink(place, go)])), table(row))];
    }));
}
