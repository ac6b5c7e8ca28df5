// Pages under test: the built page with data in it, as the program writes it, and the page of stories.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test as base } from "@playwright/test";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
export const root = path.resolve(here, "../..");
export const template = fs.readFileSync(path.join(root, "web/dist/report.html"), "utf8");
export const place = "<!--tilescope-data-->";

const words = JSON.parse(fs.readFileSync(path.join(here, "fixtures/words.json"), "utf8"));
export const fixture = (name) => ({ ...JSON.parse(fs.readFileSync(path.join(here, `fixtures/${name}.json`), "utf8")), ...structuredClone(words) });

const escapes = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029" };
const embedded = (data) => template.replace(place, () => `<script type="application/json" id="tilescope-data">${JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (letter) => escapes[letter])}</script>`);

const stories = pathToFileURL(path.join(root, "build/web/stories.html")).href;

// A page on which nothing may fail and nothing may be fetched.
export const test = base.extend({
    page: async ({ page }, use) => {
        const problems = [];
        page.on("console", (message) => {
            if (["error", "warning"].includes(message.type())) problems.push(message.text());
        });
        page.on("pageerror", (error) => problems.push(String(error)));
        page.on("request", (request) => {
            if (!/^(file|data):/.test(request.url())) problems.push(`${request.url()} is fetched`);
        });
        page.on("dialog", (dialog) => {
            problems.push(`a dialog says ${dialog.message()}`);
            dialog.dismiss();
        });
        await use(page);
        expect(problems).toEqual([]);
    },
    // Opens the report page with data in it, at a section if one is named.
    report: async ({ page }, use, info) => {
        let pages = 0;
        await use(async (data, section = "") => {
            const file = info.outputPath(`report_${++pages}.html`);
            fs.mkdirSync(path.dirname(file), { recursive: true });
            fs.writeFileSync(file, embedded(data));
            await page.goto(pathToFileURL(file).href + (section && `#${section}`));
            return section ? page.locator(`section#${section}`) : page.locator("main");
        });
    },
    story: async ({ page }, use) => {
        await use(async (name) => {
            await page.goto(`${stories}#${name}`);
            const found = page.locator(`[data-story="${name}"]`);
            await expect(found).toHaveCount(1);
            return found;
        });
    },
});
export { expect };

// Run in the page: what sticks out of it, and texts that are hard to read.
export function look() {
    const room = document.documentElement.clientWidth;
    const parts = (color) => (color.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    const light = (color) => {
        const [r, g, b] = parts(color).map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const ground = (node) => {
        if (!node) return "rgb(255, 255, 255)";
        const color = getComputedStyle(node).backgroundColor;
        return (parts(color)[3] ?? 1) > 0.99 ? color : ground(node.parentElement);
    };
    const outside = [], faint = new Set();
    for (const node of document.querySelectorAll("body *")) {
        if (node.closest("svg, .code, .snippet-code, .skip, .tip, .heat, script, style, noscript") || node.getClientRects().length === 0 || node.closest(":disabled")) continue;
        if (!node.closest(".scroll, .side") && node.getBoundingClientRect().right > room + 1) outside.push(node.outerHTML.slice(0, 80));
        if (![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
        const found = contrast(getComputedStyle(node).color, ground(node));
        if (found < 4.5) faint.add(`${node.tagName}.${node.className}: ${found.toFixed(2)}`);
    }
    return { tooWide: document.documentElement.scrollWidth - room, outside, faint: [...faint] };
}
