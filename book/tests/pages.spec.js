// Every page by itself: nothing fails while it opens, everything shows, nothing sticks out, all links hold.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { folder, pages, url } from "./site.js";

// What goes wrong while a page is open.
function watch(page) {
    const problems = [];
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfailed", (request) => problems.push(`${request.url()} failed`));
    page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) problems.push(`${request.url()} is not a file of the book`);
    });
    return problems;
}

// Run in the page. Boxes that stick out of it, pictures that do not show, texts that are hard to read.
function look() {
    const room = document.documentElement.clientWidth;
    const parts = (color) => (color.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    // How light a colour is, and the contrast of two, as WCAG reckons it.
    const light = (color) => {
        const [r, g, b] = parts(color).map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const grounds = new Map();
    const ground = (node) => {
        if (!node) return "rgb(255, 255, 255)";
        if (!grounds.has(node)) {
            const color = getComputedStyle(node).backgroundColor;
            grounds.set(node, (parts(color)[3] ?? 1) > 0 ? color : ground(node.parentElement));
        }
        return grounds.get(node);
    };
    const outside = [], faint = new Set();
    for (const node of document.querySelectorAll("main *, .bar *, #contents *")) {
        if (node.closest("svg") || node.getClientRects().length === 0) continue;
        if (!node.closest("pre, .scroll") && node.getBoundingClientRect().right > room + 1) outside.push(node.outerHTML.slice(0, 80));
        const text = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
        if (!text || node.closest(".anchor")) continue;
        const found = contrast(getComputedStyle(node).color, ground(node));
        if (found < 4.5) faint.add(`${node.tagName}.${node.className}: ${found.toFixed(2)}`);
    }
    const pictures = [...document.querySelectorAll("img, svg:not([aria-hidden])")].filter((picture) => {
        const box = picture.getBoundingClientRect();
        return box.width < 50 || box.height < (picture.closest(".part") ? 20 : 50) || /* a request of one turn is one row */ picture.complete === false || !picture.getAttribute("aria-label");
    });
    return {
        tooWide: document.documentElement.scrollWidth - room,
        outside,
        faint: [...faint],
        hidden: pictures.map((picture) => picture.outerHTML.slice(0, 80)),
        paper: light(getComputedStyle(document.body).backgroundColor) > 0.5 ? "light" : "dark",
    };
}

for (const name of pages) {
    test(`${name} shows all, wide and narrow, light and dark`, async ({ page }) => {
        const problems = watch(page);
        for (const width of [400, 1280]) {
            await page.setViewportSize({ width, height: 900 });
            await page.goto(url(name));
            await page.locator("#search").focus(); // which brings the index
            await page.waitForFunction(() => window.bookIndex && window.MiniSearch);
            // All folds open: what is in them counts, too.
            await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
            for (const colorScheme of ["light", "dark"]) {
                await page.emulateMedia({ colorScheme });
                const found = await page.evaluate(look);
                expect(found, `${width} px, ${colorScheme}`).toEqual({ tooWide: 0, outside: [], faint: [], hidden: [], paper: colorScheme });
            }
        }
        expect(problems).toEqual([]);
    });
}

test("all links and anchors lead somewhere", async ({ page }) => {
    test.setTimeout(120_000);
    const anchors = new Map(), links = [];
    for (const name of pages) {
        await page.goto(url(name));
        const found = await page.evaluate(() => ({
            ids: [...document.querySelectorAll("[id]")].map((node) => node.id),
            links: [...document.querySelectorAll("[href], [src]")].map((node) => node.getAttribute("href") ?? node.getAttribute("src")),
        }));
        expect(new Set(found.ids).size, `${name} has an id twice: ${found.ids.filter((id, i) => found.ids.indexOf(id) !== i)}`).toBe(found.ids.length);
        anchors.set(name, new Set(found.ids));
        for (const link of found.links) links.push({ name, link });
    }
    const broken = links.filter(({ name, link }) => {
        if (/^[a-z]+:|^\//.test(link)) return true; // only files of the book, by relative links
        const [file, anchor] = link.split("#");
        const target = file || name;
        if (anchor !== undefined && !anchors.get(target)?.has(decodeURIComponent(anchor))) return true;
        return !fs.existsSync(path.join(folder, target));
    });
    expect(links.length).toBeGreaterThan(1000);
    expect(broken).toEqual([]);
});
