// Where a number comes from, as a sign that differs in shape: the fuller the surer.
import { h } from "./dom";
import { tip, tipRows } from "./tip";

export type Source = "counted" | "machine code" | "modelled" | "estimated";

export const sources: Record<Source, { sign: string; means: string }> = {
    counted: { sign: "●", means: "tilescope ran and counted every access: exact" },
    "machine code": { sign: "◆", means: "read from the compiler's SASS" },
    modelled: { sign: "◐", means: "from a model of the GPU's caches and time, compared with real GPUs" },
    estimated: { sign: "○", means: "estimated from other figures, because nothing better is known" },
};

export const isSource = (name: string): name is Source => name in sources;

// Signs that stand together are one tab stop: arrows go from one to the next. They come there when all is drawn.
const together = "table, details, .part";
const groupOf = (node: Element): Element | null => node.closest(together);
const signsOf = (group: Element): HTMLElement[] => [...group.querySelectorAll<HTMLElement>(".mark[tabindex]")].filter((each) => groupOf(each) === group);

let fresh: HTMLElement[] = [];
function settle(): void {
    const signs = fresh;
    fresh = [];
    for (const sign of signs) {
        const group = groupOf(sign);
        if (!group || !signsOf(group).some((each) => each.tabIndex === 0)) sign.tabIndex = 0;
    }
}

function moveAmongSigns(sign: HTMLElement, event: KeyboardEvent): void {
    const by: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const group = groupOf(sign), step = by[event.key];
    if (!group || step === undefined) return;
    const signs = signsOf(group).filter((each) => each.getClientRects().length > 0), to = signs[signs.indexOf(sign) + step];
    event.preventDefault();
    to?.focus();
}

export function mark(source: string, metric?: string): HTMLElement {
    const known: Source = isSource(source) ? source : "estimated";
    const node = h("span", { class: `mark mark-${known.replace(" ", "-")}`, tabindex: -1, role: "note", "aria-label": metric ? `${known}; the profiler's ${metric}` : known },
        sources[known].sign);
    node.addEventListener("keydown", (event) => moveAmongSigns(node, event));
    node.addEventListener("focus", () => {
        for (const each of signsOf(groupOf(node) ?? node)) each.tabIndex = each === node ? 0 : -1;
    });
    if (fresh.push(node) === 1) requestAnimationFrame(settle);
    return tip(node, () => [tipRows(known, []), h("p", {}, sources[known].means), metric && h("p", {}, "Nsight Compute: ", h("code", {}, metric))]);
}

export function legend(): HTMLElement {
    return h("p", { class: "legend" }, Object.entries(sources).map(([name, { sign, means }]) => h("span", { class: "legend-item", title: means },
        h("span", { class: `mark mark-${name.replace(" ", "-")}`, "aria-hidden": "true" }, sign), ` ${name}`)));
}
