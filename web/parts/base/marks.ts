// Where a number comes from, as a sign that differs in shape: the fuller the surer.
import { h } from "./dom";
import { tip, tipRows } from "./tip";

export type Source = "counted" | "machine code" | "modelled" | "estimated";

export const sources: Record<Source, { sign: string; means: string }> = {
    counted: { sign: "●", means: "every access was run and counted: exact" },
    "machine code": { sign: "◆", means: "read from the machine code that the compiler made" },
    modelled: { sign: "◐", means: "of a model of the device's caches and time, checked against cards" },
    estimated: { sign: "○", means: "reckoned from other numbers, because nothing better is known" },
};

export const isSource = (name: string): name is Source => name in sources;

export function mark(source: string, metric?: string): HTMLElement {
    const known: Source = isSource(source) ? source : "estimated";
    const node = h("span", { class: `mark mark-${known.replace(" ", "-")}`, tabindex: 0, role: "note", "aria-label": metric ? `${known}; the profiler's ${metric}` : known },
        sources[known].sign);
    return tip(node, () => [tipRows(known, []), h("p", {}, sources[known].means), metric && h("p", {}, "Nsight Compute: ", h("code", {}, metric))]);
}

export function legend(): HTMLElement {
    return h("p", { class: "legend" }, Object.entries(sources).map(([name, { sign, means }]) => h("span", { class: "legend-item", title: means },
        h("span", { class: `mark mark-${name.replace(" ", "-")}`, "aria-hidden": "true" }, sign), ` ${name}`)));
}
