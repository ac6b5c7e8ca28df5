// Light or dark: what the system says, until the reader says otherwise. Where nothing can be stored, it holds for now.
import { h } from "../parts/base/dom";

const key = "tilescope-theme";
const root = document.documentElement;

export function applyStored(): void {
    try {
        const stored = window.localStorage.getItem(key);
        if (stored === "light" || stored === "dark") root.dataset.theme = stored;
    } catch {
        // files may have no storage
    }
}

export function themeButton(): HTMLElement {
    return h("button", { type: "button", class: "theme", "aria-label": "light or dark", title: "light or dark", click: () => {
        const now = root.dataset.theme ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
        root.dataset.theme = now === "dark" ? "light" : "dark";
        try {
            window.localStorage.setItem(key, root.dataset.theme);
        } catch {
            // it holds for this page
        }
    } }, "☾");
}
