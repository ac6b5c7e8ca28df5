// Elements from data. Whatever comes from a profile becomes text or an attribute's value, never markup.

export type Child = Node | string | number | null | undefined | false | Child[];
type Handler = (event: never) => void;
export type Attributes = Record<string, string | number | boolean | null | undefined | Handler>;

const svgNamespace = "http://www.w3.org/2000/svg";

function append(node: Element, children: Child[]): void {
    for (const child of children) {
        if (child === null || child === undefined || child === false) continue;
        if (Array.isArray(child)) append(node, child);
        else node.append(child instanceof Node ? child : String(child));
    }
}

// A function is a listener for the event that its key names; null, undefined and false leave the attribute out.
function set(node: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") node.addEventListener(name, value as EventListener);
        else node.setAttribute(name, value === true ? "" : String(value));
    }
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const node = document.createElement(tag);
    set(node, attributes);
    append(node, children);
    return node;
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
    const node = document.createElementNS(svgNamespace, tag);
    set(node, attributes);
    append(node, children);
    return node;
}

// A picture that is as wide as its place and says what it shows to those who do not see it.
export function picture(width: number, height: number, label: string, ...children: Child[]): SVGSVGElement {
    return s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "picture" }, ...children);
}

let counter = 0;
export const freshId = (stem: string): string => `${stem}-${++counter}`;

// Calls `draw` with the width of `host` now and whenever that changes. What it gives replaces what it gave before.
export function drawToWidth(host: HTMLElement, draw: (width: number) => Node, fallback = 720): void {
    let last = 0;
    const again = (width: number) => {
        const whole = Math.round(width);
        if (whole <= 0 || whole === last) return;
        last = whole;
        host.replaceChildren(draw(whole));
    };
    host.replaceChildren(draw(fallback));
    new ResizeObserver((entries) => {
        for (const entry of entries) again(entry.contentRect.width);
    }).observe(host);
}
