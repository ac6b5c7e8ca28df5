// The contents on narrow screens, the switch for light and dark, search, and folds that a link leads into.
"use strict";
(() => {
    const byId = (id) => document.getElementById(id);

    // ---- light and dark
    const themeButton = byId("theme-button");
    const sayTheme = () => themeButton.setAttribute("aria-label", window.bookTheme.now() === "dark" ? "Switch to light" : "Switch to dark");
    themeButton.addEventListener("click", () => {
        window.bookTheme.set(window.bookTheme.now() === "dark" ? "light" : "dark");
        sayTheme();
    });
    sayTheme();

    // ---- contents
    const contents = byId("contents"), contentsButton = byId("contents-button");
    const showContents = (shown) => {
        document.body.classList.toggle("contents-open", shown);
        contentsButton.setAttribute("aria-expanded", String(shown));
    };
    contentsButton.addEventListener("click", () => showContents(!document.body.classList.contains("contents-open")));
    const current = contents.querySelector("[aria-current]");
    if (current) contents.scrollTop = Math.max(0, current.offsetTop - contents.clientHeight / 2);

    // ---- a link to a place inside a fold opens it
    const openTarget = () => {
        let target = null;
        try {
            target = location.hash ? byId(decodeURIComponent(location.hash.slice(1))) : null;
        } catch {
            target = null; // no anchor of ours
        }
        if (!target) return;
        for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        target.scrollIntoView();
    };
    window.addEventListener("hashchange", openTarget);
    openTarget();

    // ---- search
    const field = byId("search"), hits = byId("hits");
    let search = null, chosen = -1;

    const load = (file) =>
        new Promise((resolve, reject) => {
            const script = document.createElement("script");
            script.src = file;
            script.onload = resolve;
            script.onerror = () => reject(new Error(file + " is missing"));
            document.head.append(script);
        });
    let loading = null;
    const ready = () => {
        loading ??= Promise.all([load("assets/minisearch.js"), load("assets/search_index.js")]).then(() => {
            search = window.MiniSearch.loadJSON(window.bookIndex.index, window.bookIndex.options);
        });
        return loading;
    };

    // The words around the first place where one of them is found, those marked.
    const excerpt = (text, words) => {
        const lower = text.toLowerCase();
        const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
        let begin = first === text.length ? 0 : Math.max(0, first - 60);
        if (begin > 0) begin = text.indexOf(" ", begin) + 1;
        const part = text.slice(begin, begin + 180), node = document.createElement("p");
        node.append(begin > 0 ? "… " : "");
        mark(node, part, words);
        if (begin + 180 < text.length) node.append(" …");
        return node;
    };
    const mark = (node, text, words) => {
        const pattern = new RegExp("(" + words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
        for (const [i, part] of text.split(pattern).entries()) {
            if (i % 2 === 0) node.append(part);
            else node.append(Object.assign(document.createElement("mark"), { textContent: part }));
        }
    };

    const show = () => {
        const query = field.value.trim();
        chosen = -1;
        hits.replaceChildren();
        hits.hidden = query === "";
        if (query === "" || !search) return;
        const found = search.search(query, { prefix: true, fuzzy: (word) => (word.length > 5 ? 0.15 : false), combineWith: "AND", boost: { heading: 4, title: 2 } });
        for (const hit of found.slice(0, 20)) {
            const link = document.createElement("a");
            link.href = hit.url;
            const title = document.createElement("b"), place = document.createElement("span");
            title.textContent = hit.heading || hit.title;
            place.textContent = hit.heading ? hit.title : "";
            link.append(title, place, excerpt(hit.text, hit.terms));
            hits.append(link);
        }
        if (found.length === 0) hits.append(Object.assign(document.createElement("p"), { className: "none", textContent: "Nothing found." }));
    };
    const update = () => ready().then(show, (problem) => hits.replaceChildren(String(problem)));
    field.addEventListener("focus", () => ready().catch(() => {}));
    field.addEventListener("input", update);
    field.addEventListener("keydown", (event) => {
        const links = [...hits.querySelectorAll("a")];
        if (event.key === "Escape") field.blur(), (hits.hidden = true);
        else if (event.key === "Enter" && links.length > 0) links[Math.max(chosen, 0)].click();
        else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && links.length > 0) {
            event.preventDefault();
            chosen = (chosen + (event.key === "ArrowDown" ? 1 : links.length - 1 + (chosen < 0 ? 1 : 0))) % links.length;
            links.forEach((link, i) => link.classList.toggle("chosen", i === chosen));
            links[chosen].scrollIntoView({ block: "nearest" });
        }
    });
    document.addEventListener("keydown", (event) => {
        const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey;
        if (typing) return;
        if (event.key === "/" || event.key === "s") event.preventDefault(), field.focus();
        const turn = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
        const inside = event.target.closest?.("[tabindex]"); // there arrows scroll
        if (turn && !inside) document.querySelector(`a[rel=${turn}]`)?.click();
    });
    document.addEventListener("click", (event) => {
        if (!event.target.closest(".search")) hits.hidden = true;
        if (event.target.closest("#hits a")) (hits.hidden = true), (field.value = "");
        if (!event.target.closest("#contents, #contents-button")) showContents(false);
    });
})();
