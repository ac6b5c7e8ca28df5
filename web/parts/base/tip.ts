// A tool tip for pointer, keyboard and touch: one box, beside what it is of.
import { h, type Child } from "./dom";

let box: HTMLElement | undefined;
let owner: Element | undefined;

function theBox(): HTMLElement {
    if (!box) {
        box = h("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
        document.body.append(box);
        document.addEventListener("keydown", (event) => {
            if (event.key === "Escape") hide();
        });
        document.addEventListener("scroll", hide, { passive: true, capture: true });
    }
    return box;
}

export function hide(): void {
    if (box) box.hidden = true;
    owner?.removeAttribute("aria-describedby");
    owner = undefined;
}

export function show(node: Element, content: Child): void {
    const tip = theBox();
    owner?.removeAttribute("aria-describedby");
    owner = node;
    tip.replaceChildren(h("div", {}, content));
    tip.hidden = false;
    node.setAttribute("aria-describedby", "tip");
    const of = node.getBoundingClientRect(), own = tip.getBoundingClientRect(), gap = 8;
    const room = document.documentElement.clientWidth;
    const left = Math.min(Math.max(gap, of.left + of.width / 2 - own.width / 2), room - own.width - gap);
    const below = of.bottom + gap + own.height <= window.innerHeight || of.top < own.height + gap;
    tip.style.left = `${Math.max(gap, left)}px`;
    tip.style.top = `${below ? Math.min(of.bottom + gap, window.innerHeight - own.height - gap) : of.top - own.height - gap}px`;
}

// Shows what `content` gives while the pointer or the keyboard is on the node.
export function tip<N extends Element>(node: N, content: () => Child): N {
    const open = () => show(node, content());
    node.addEventListener("pointerenter", open);
    node.addEventListener("pointerleave", hide);
    node.addEventListener("focus", () => {
        if (node.matches(":focus-visible")) open();
    });
    node.addEventListener("blur", hide);
    return node;
}

// Rows of a tool tip: what, how much.
export function tipRows(title: string, rows: [string, string][]): Child {
    return [h("b", {}, title), rows.length > 0 && h("dl", {}, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))];
}
