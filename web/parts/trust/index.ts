// How far to trust this run: what was exact, checked on a card, modelled, sampled, refused, and what was left out.
import { h } from "../base/dom";
import { legend, mark } from "../base/marks";
import { rowText } from "../rows";
import type { Row } from "../base/types";

export function trust(rows: Row[], leftOut: string[]): HTMLElement {
    return h("div", { class: "part part-trust" }, legend(),
        h("dl", { class: "part-rows" }, rows.map((row) => [h("dt", {}, row.label ?? row.key.replaceAll("_", " ")), h("dd", {}, row.kind === "list" && row.text ? [row.text, mark(row.source), rowText({ ...row, text: "" })] : [rowText(row), mark(row.source)], (row.rows ?? []).map((each) => h("div", { class: "quiet small" }, each.label ? `${each.label}: ` : "", rowText(each))))])),
        leftOut.length > 0 && [h("h4", {}, "Left out of this page"), h("ul", { class: "left-out" }, leftOut.map((text) => h("li", {}, text)))]);
}
