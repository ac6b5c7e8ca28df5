// The book as a whole: its order, its search, its switch, and that nothing of a lesson is missing.
import { expect, test } from "@playwright/test";
import { lessons, url } from "./site.js";

test("search finds wavefront and opens the hit", async ({ page }) => {
    await page.goto(url("index.html"));
    await page.keyboard.press("/");
    await page.keyboard.type("wavefront");
    const hits = page.locator("#hits a");
    await expect(hits.first()).toContainText(/wavefront/i);
    expect(await hits.count()).toBeGreaterThan(3);
    await expect(page.locator("#hits a", { hasText: "12. Banks" }).first()).toBeVisible();
    await hits.first().click();
    await expect(page).toHaveURL(/glossary\.html#term-wavefront$/);
    await expect(page.locator("#term-wavefront")).toBeInViewport();

    await page.locator("#search").fill("zzzyx");
    await expect(page.locator("#hits")).toContainText("Nothing found");
});

test("search finds a counter and a lesson's sentence, by keys", async ({ page }) => {
    await page.goto(url(`${lessons[4].name}.html`));
    await page.locator("#search").fill("l2_read_sectors");
    await expect(page.locator("#hits a", { hasText: "Reference" }).first()).toBeVisible();
    await page.locator("#search").fill("greatest common divisor");
    await expect(page.locator("#hits a").first()).toContainText("divisor");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/12_banks\.html/);
});

test("next and previous visit every lesson in order", async ({ page }) => {
    await page.goto(url("index.html"));
    for (const lesson of lessons) {
        await page.locator("a[rel=next]").click();
        await expect(page).toHaveURL(url(`${lesson.name}.html`));
        await expect(page.locator("h1")).toHaveText(lesson.title);
    }
    for (const lesson of lessons.slice(0, -1).reverse()) {
        await page.locator("a[rel=prev]").click();
        await expect(page).toHaveURL(url(`${lesson.name}.html`));
    }
});

test("the contents name every lesson in order, and fold away on a narrow screen", async ({ page }) => {
    await page.setViewportSize({ width: 400, height: 800 });
    await page.goto(url(`${lessons[0].name}.html`));
    const contents = page.locator("#contents");
    await expect(contents).toBeHidden();
    await page.locator("#contents-button").click();
    await expect(contents).toBeVisible();
    const names = await contents.locator("ol a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(names).toEqual(lessons.map((lesson) => `${lesson.name}.html`));
    await expect(contents.locator("[aria-current]")).toContainText(lessons[0].title);
    await page.locator("h1").click({ position: { x: 390 - 20, y: 5 }, force: true });
    await expect(contents).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(contents).toBeVisible();
});

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const ground = (page) => page.locator(".picture .scroll svg rect").first().evaluate((rect) => getComputedStyle(rect).fill);
const free = (page) => page.locator(".part-place .bank.free").first().evaluate((bank) => getComputedStyle(bank).fill);

test("the switch turns light into dark, pictures included, and is remembered", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    // A picture of the program's, which stays where the parts do not come, and a part.
    const drawn = lessons.find((lesson) => Object.values(lesson.pictures ?? {}).some((picture) => picture.kind === "occupancy"));
    for (const [name, colour] of [[drawn.name, ground], ["12_banks", free]]) {
        if (colour === ground) await page.route("**/assets/parts.js", (route) => route.abort());
        else await page.unroute("**/assets/parts.js");
        await page.goto(url(`${name}.html`));
        if ((await page.evaluate(() => document.documentElement.dataset.theme)) === "dark") await page.locator("#theme-button").click();
        const light = [await paper(page), await colour(page)];
        await page.locator("#theme-button").click();
        const dark = [await paper(page), await colour(page)];
        expect(dark[0]).not.toBe(light[0]);
        expect(dark[1]).not.toBe(light[1]);
    }
    const dark = [await paper(page)];
    await page.goto(url("glossary.html"));
    expect(await paper(page)).toBe(dark[0]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("#theme-button").click();
    expect(await paper(page)).not.toBe(dark[0]);
});

test("the switch works where nothing can be stored", async ({ page }) => {
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
            get() {
                throw new DOMException("denied", "SecurityError");
            },
        });
    });
    await page.goto(url("index.html"));
    const before = await paper(page);
    await page.locator("#theme-button").click();
    expect(await paper(page)).not.toBe(before);
    expect(problems).toEqual([]);
});

for (const lesson of lessons) {
    test(`${lesson.name} has all of its lesson`, async ({ page }) => {
        await page.goto(url(`${lesson.name}.html`));
        await expect(page.locator(".question")).toHaveText(lesson.question);
        await expect(page.locator(".claims tbody tr")).toHaveCount(lesson.claims.length);
        await expect(page.locator(".claims .verdict.holds, .claims .verdict.refuted")).toHaveCount(lesson.claims.length);
        await expect(page.locator(".claims tr.wrong")).toHaveCount(lesson.claims.filter((claim) => claim.wrong).length);
        await expect(page.locator("figure.picture")).toHaveCount(Object.keys(lesson.pictures ?? {}).length);
        await expect(page.locator("figure.picture:not(:has(.part-place > .part)):not(:has(.scroll > svg))")).toHaveCount(0);
        await expect(page.locator("details.answer")).toHaveCount(lesson.exercises.length);
        await expect(page.locator(".remember li")).toHaveText(lesson.remember.map((line) => line.replaceAll("`", "")));
        await expect(page.locator(".times tbody tr")).toHaveCount((lesson.gpu ?? []).length);
        expect(await page.locator("#program code").evaluate((node) => [...node.querySelectorAll(".line")].map((line) => line.textContent).join(""))).toBe(lesson.source);
        for (const time of lesson.gpu ?? []) if (time.date) await expect(page.locator(".times")).toContainText(time.date);
        const headings = [...lesson.page.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
        for (const heading of headings) await expect(page.locator("h2", { hasText: heading })).not.toHaveCount(0);
        expect(await page.locator("a.term").count()).toBeGreaterThan(0);
        await page.locator("details.answer summary").first().click();
        await expect(page.locator("details.answer strong").first()).toBeVisible();
    });
}

test("requests and rooflines are drawn by the page: whole at 400 pixels, with the lesson's numbers, and answer to a pointer", async ({ page }) => {
    await page.setViewportSize({ width: 400, height: 900 });
    await page.goto(url("12_banks.html"));
    await expect(page.locator("#picture-column [data-units]")).toHaveText("32 wavefronts");
    await expect(page.locator("#picture-padded [data-units]")).toHaveText("1 wavefront");
    const room = await page.evaluate(() => document.documentElement.clientWidth);
    for (const bank of [0, 31]) {
        const box = await page.locator(`#picture-padded [data-bank="${bank}"]`).boundingBox();
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(room);
    }
    await page.locator("#picture-padded [data-bank='3']").hover();
    await expect(page.locator(".tip")).toContainText("bank 3, wavefront 1");
    await page.goto(url("01_intensity.html"));
    const roofline = page.locator("#picture-machines");
    await expect(roofline.locator(".roof")).toHaveCount(2); // one of memory, one of arithmetic: no more than the lesson speaks of
    await roofline.locator(".point").hover();
    await expect(page.locator(".tip")).toContainText("intensity1.29 FLOP/B");
});

test("occupancy is drawn by the page: the lesson's curves, and sliders that start at its block", async ({ page }) => {
    await page.setViewportSize({ width: 400, height: 900 });
    await page.goto(url("10_occupancy.html"));
    const figure = page.locator("#picture-fit");
    await expect(figure.locator(".scroll > svg")).toHaveCount(0);
    await expect(figure.locator(".part-chart [data-curve]")).toHaveCount(2); // what the hardware holds, and what the textbook says
    // 256 threads, 32 registers and 32 KB: 4 blocks of 8 warps.
    await expect(figure.locator("[data-occupancy]")).toHaveAttribute("data-occupancy", "0.5");
    await expect(figure.locator(".part-said")).toContainText("4 blocks of 8 warps fit on an SM: 32 of 64 warps; limited by shared memory.");
    const shared = figure.locator('[data-knob="shared"]');
    await shared.focus();
    await page.keyboard.press("Home");
    await expect(figure.locator("[data-occupancy]")).toHaveAttribute("data-occupancy", "1");
    await figure.getByRole("button", { name: "as launched" }).click();
    await expect(figure.locator("[data-occupancy]")).toHaveAttribute("data-occupancy", "0.5");
    const room = await page.evaluate(() => document.documentElement.clientWidth);
    for (const svg of await figure.locator("svg").all()) {
        const box = await svg.boundingBox();
        expect(box.x + box.width).toBeLessThanOrEqual(room);
    }
});

test("commands that differ at their ends show them at 400 pixels", async ({ page }) => {
    await page.setViewportSize({ width: 400, height: 900 });
    await page.goto(url("09_barriers_removed.html"));
    await page.locator("#commands > summary").click();
    const hidden = await page.locator("#commands .command").evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
    expect(hidden).toBe(0);
    expect(await page.locator("#commands pre").evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBeLessThanOrEqual(1);
});

test("what a trace prints has its last column at 1280 pixels", async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const lesson of lessons) {
        await page.goto(url(`${lesson.name}.html`));
        await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
        const cut = await page.locator("pre.output").evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent.slice(0, 60)));
        expect(cut, lesson.name).toEqual([]);
    }
});

test("a link to a line of the program opens its fold", async ({ page }) => {
    await page.goto(url(`${lessons[0].name}.html`));
    await expect(page.locator("#program pre")).toBeHidden();
    await page.locator("figure.listing figcaption a").first().click();
    await expect(page.locator(".line:target")).toBeInViewport();
});

test("the page to print has all lessons, with every fold open", async ({ page }) => {
    await page.goto(url("print.html"));
    const titles = await page.locator("article.lesson > h1").allTextContents();
    expect(titles).toEqual(lessons.map((lesson) => lesson.title));
    const claims = lessons.reduce((sum, lesson) => sum + lesson.claims.length, 0);
    await expect(page.locator(".claims tbody tr")).toHaveCount(claims);
    const pictures = lessons.reduce((sum, lesson) => sum + Object.keys(lesson.pictures ?? {}).length, 0);
    await expect(page.locator("figure.picture")).toHaveCount(pictures);
    expect(await page.locator("details:not([open])").count()).toBe(0);

    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await paper(page)).toBe("rgb(255, 255, 255)");
    await expect(page.locator("#contents")).toBeHidden();
});

test("the glossary and the reference have no hole", async ({ page }) => {
    await page.goto(url("glossary.html"));
    for (const word of ["warp", "lane", "block", "grid", "sector", "request", "wavefront", "bank", "tile", "coalescing", "occupancy", "intensity", "ridge",
        "roofline", "l1", "l2", "device memory", "carve-out", "barrier", "race", "phase", "spill", "register", "stream"]) {
        await expect(page.locator(`dt[id="term-${word.replace(/ /g, "-")}"]`), word).toHaveCount(1);
    }
    const empty = await page.locator("dd").evaluateAll((all) => all.filter((each) => each.textContent.trim().length < 15).length);
    expect(empty).toBe(0);
    await page.goto(url("reference.html"));
    for (const section of ["counters", "ratios", "facts", "advice", "hazards"]) {
        const table = page.locator(`h2#${section} ~ table`).first();
        expect(await table.locator("tbody tr").count(), section).toBeGreaterThan(8);
    }
});
