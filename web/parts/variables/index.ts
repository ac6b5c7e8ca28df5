// The variables of a kernel: where each lives, how many of it there are, who sees it and for how long.
import { h } from "../base/dom";
import { bytes, thousands } from "../base/format";
import { mark } from "../base/marks";
import type { Variable } from "../base/types";

export function variables(all: Variable[]): HTMLElement {
    const node = h("div", { class: "part part-variables" });
    if (all.length === 0) {
        node.append(h("p", { class: "nothing" }, "No variables are known by name."));
        return node;
    }
    const text = (variable: Variable): [string, string, boolean][] => [["memory", variable.space, false], ["bytes", bytes(variable.bytes), true], ["how many", variable.versions === undefined ? "" : thousands(variable.versions), true],
        ["in all", variable.versions === undefined ? "" : bytes(variable.bytes * variable.versions), true], ["seen by a", variable.scope ?? "", false], ["lives as long as the", variable.lifetime ?? "", false]];
    const head = text(all[0] as Variable);
    node.append(h("table", { class: "whole stack" }, h("thead", {}, h("tr", {}, h("th", {}, "variable", mark("counted")), head.map(([name, , number]) => h("th", { class: number ? "number" : "" }, name)))),
        h("tbody", {}, all.map((variable) => h("tr", {}, h("td", { class: "name" }, h("code", {}, `${variable.name}${(variable.extents ?? []).map((extent) => `[${extent}]`).join("")}`)), text(variable).map(([name, value, number]) => h("td", { class: number ? "number" : "", "data-label": name }, value)))))));
    return node;
}
