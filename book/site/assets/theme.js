// Light or dark, before anything is painted. Where nothing can be stored, the choice holds for this page.
"use strict";
document.documentElement.classList.remove("no-script");
(() => {
    const root = document.documentElement, key = "tilescope-theme";
    let stored = null;
    try {
        stored = window.localStorage.getItem(key);
    } catch {
        stored = null;
    }
    if (stored === "light" || stored === "dark") root.dataset.theme = stored;
    window.bookTheme = {
        now: () => root.dataset.theme ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
        set: (theme) => {
            root.dataset.theme = theme;
            try {
                window.localStorage.setItem(key, theme);
            } catch {
                // it holds for this page
            }
        },
    };
})();
