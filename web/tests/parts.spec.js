// Each part by itself: the right numbers, and what hover, click, sliders and keys do.
import { expect, look, test } from "./site.js";

const tip = (page) => page.locator(".tip");

test("sectors: what moves, what would do, and which lanes ask", async ({ page, story }) => {
    await expect((await story("sectors-side-by-side")).locator(".part-said")).toHaveText("32 lanes ask for 128 B of in: 4 sectors move (128 B), 4 would do. Nothing moves that nobody asked for.");
    const strided = await story("sectors-strided");
    await expect(strided.locator(".part-said")).toHaveText("32 lanes ask for 128 B of out: 32 sectors move (1.02 kB), 4 would do. 88 % of what moves nobody asked for.");
    await expect(strided.locator("figure").nth(0).locator(".sector.moved")).toHaveCount(32);
    await expect(strided.locator("figure").nth(1).locator(".sector.moved")).toHaveCount(4);
    await strided.locator('[data-lanes="5"]').first().hover();
    await expect(tip(page)).toContainText("byte 20,480");
    await expect(tip(page)).toContainText("lanes5");
    await expect((await story("sectors-half")).locator(".part-said")).toContainText("16 lanes ask for 64 B: 3 sectors move (96 B), 2 would do. 33 %");
});

test("texels: which of them requests ask for, and the sectors that these lie in", async ({ story }) => {
    const turned = await story("texels-turned");
    await expect(turned.locator(".part-said")).toHaveText("8 requests of 4 neighbouring lanes each ask for 32 texels of an array: 16 sectors, 8 would do.");
    expect(await turned.locator("[data-requests]").count()).toBe(32);
    const column = await story("texels-column");
    expect(await column.locator("[data-sector]").count()).toBe(32);
    await expect(column.locator(".part-said")).toContainText("of memory in rows: 32 sectors, 8 would do.");
});

test("banks: wavefronts, the lanes that collide, and the ideal", async ({ page, story }) => {
    const column = await story("banks-column");
    await expect(column.locator(".part-said")).toHaveText("32 lanes at the banks of tile: 32 wavefronts, 1 would do. Lanes 0 to 31 meet at bank 0 and want 32 different words: they take turns.");
    await expect(column.locator(".bank.late")).toHaveCount(31);
    await column.locator('[data-lanes="7"][data-bank="0"]').hover();
    await expect(tip(page)).toContainText("bank 0, wavefront 8");
    await expect((await story("banks-padded")).locator(".part-said")).toContainText("1 wavefront, 1 would do. No two lanes");
    await expect((await story("banks-wide")).locator(".part-said")).toContainText("4 wavefronts, 4 would do");
});

test("banks: padding, a swizzle and the other way to try", async ({ story }) => {
    const trial = await story("banks-trial"), units = trial.locator("[data-units]");
    await expect(units).toHaveText("32 wavefronts");
    await trial.locator('[data-control="padding"]').fill("1");
    await expect(units).toHaveText("1 wavefront");
    await trial.locator('[data-control="padding"]').fill("2");
    await expect(units).toHaveText("2 wavefronts");
    await trial.locator('[data-control="padding"]').fill("0");
    await trial.locator('[data-control="swizzle"]').check();
    await expect(units).toHaveText("1 wavefront");
    await trial.locator('[data-control="swizzle"]').uncheck();
    await trial.locator('[data-control="columns"]').fill("16");
    await expect(units).toHaveText("16 wavefronts");
    await trial.locator('[data-control="along"]').selectOption("row");
    await expect(units).toHaveText("1 wavefront");
});

test("requests of a line: best, typical and worst", async ({ story }) => {
    const part = await story("accesses");
    await expect(part).toContainText("A best request of this line: 10 of 100 (10 %) take 4 sectors.");
    await part.locator('[data-which="worst"]').click();
    await expect(part).toContainText("90 of 100 (90 %) take 8 sectors.");
    await expect(part.locator("[data-units]")).toHaveText("8 sectors");
});

test("flow: one scale, waste hatched, asked and moved on hover", async ({ page, story }) => {
    const part = await story("flow");
    const width = (step) => part.locator(`path[data-step="${step}"]`).evaluateAll((paths) => paths.reduce((sum, path) => sum + Number(path.getAttribute("stroke-width")), 0));
    const load = await width("SM ← L1"), store = await width("SM → L1");
    expect(load / store).toBeCloseTo(8, 1);
    await expect(part.locator("path.wasted")).toHaveCount(2);
    await part.locator("svg").first().locator('[tabindex="0"]').focus();
    await page.keyboard.press("End");
    await expect(part.locator("path:focus")).toHaveAttribute("data-step", "L2 ← DRAM");
    await expect(tip(page)).toContainText("nobody asked for10.0 MB (25 %)");
    await expect(part.locator("tbody tr").first()).toHaveText("SM ← L1load1.60 GB800 MB●25 %");
    await expect(await story("flow-none")).toContainText("moves no bytes");
});

// Tab comes to a picture once, whatever it holds; arrows go on from there.
const stops = (whole) => whole.locator('svg [tabindex="0"], .whole-bar [tabindex="0"]');
test("keys: a picture is one tab stop, arrows go from mark to mark", async ({ page, story }) => {
    const column = await story("banks-column"), grid = column.locator("svg").first();
    await expect(grid.locator('[tabindex="0"]')).toHaveCount(1);
    await expect(grid.locator("[tabindex]")).toHaveCount(32);
    await grid.locator('[tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await expect(tip(page)).toContainText("bank 0, wavefront 2");
    await page.keyboard.press("End");
    await expect(tip(page)).toContainText("bank 0, wavefront 32");
    await expect(grid.locator(":focus")).toHaveCSS("outline-style", "solid");
    await page.keyboard.press("ArrowRight"); // the last stays where it is
    await page.keyboard.press("ArrowUp");
    await expect(tip(page)).toContainText("bank 0, wavefront 31");
    // Tab leaves it, and comes back to where the reader was.
    await page.keyboard.press("Tab");
    await expect(grid.locator(":focus")).toHaveCount(0);
    await page.keyboard.press("Shift+Tab");
    await expect(tip(page)).toContainText("bank 0, wavefront 31");
    await page.keyboard.press("Home");
    await expect(tip(page)).toContainText("bank 0, wavefront 1");
    for (const [name, pictures] of [["sectors-strided", 2], ["texels-turned", 1], ["flow", 2], ["roofline", 1], ["time", 2], ["misses", 2], ["headline-program", 1]])
        await expect(stops(await story(name)), name).toHaveCount(pictures);
});

test("keys: signs of where numbers come from are one stop of a table", async ({ page, story }) => {
    const table = (await story("flow")).locator("table"), signs = table.locator(".mark");
    expect(await signs.count()).toBeGreaterThan(3);
    await expect(table.locator('.mark[tabindex="0"]')).toHaveCount(1);
    await signs.first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await expect(signs.nth(2)).toBeFocused();
    await expect(table.locator('.mark[tabindex="0"]')).toHaveCount(1);
});

test("buffers and misses", async ({ page, story }) => {
    await expect((await story("buffers")).locator("tbody tr").first()).toHaveText("M1.00 MB16.0 MB16×90 %1.00 MB");
    const part = await story("misses");
    // Those that came along with another read are among the misses, and no reason of their own.
    await expect(part).toContainText("400 sectors missed◐; 160 of them came along with another SM's read of L2");
    await expect(part.locator(".key").first().locator("b")).toHaveText(["75 %", "25 %"]);
    await expect(part.locator(".key").first()).toContainText("capacity 25 % had been there and had to give way");
    await part.locator(".piece").first().hover();
    await expect(tip(page)).toContainText("sectors300");
    await expect(tip(page)).toContainText("no cache can help");
});

test("roofline: points with hover, and another device", async ({ page, story }) => {
    const one = await story("roofline");
    await one.locator(".point").hover();
    await expect(tip(page)).toContainText("does120 GFLOP/s");
    await expect(tip(page)).toContainText("roof here128 GFLOP/s");
    const part = await story("roofline-devices");
    await expect(part.locator(".verdict")).toContainText("On the fast it takes 10.0 µs");
    await part.locator('[data-control="device"]').selectOption("slow");
    await expect(part.locator(".verdict")).toContainText("No time: its caches are not described");
    await expect(part.locator(".point.chosen")).toHaveCount(2);
    await expect(part).toContainText("fp32 10.0 TFLOP/s");
});

test("chart: curves, axes and marks", async ({ page, story }) => {
    const part = await story("chart");
    await expect(part.locator("path.line")).toHaveCount(2);
    await expect(part.locator(".key li")).toHaveText(["sectors", "least"]);
    await part.locator(".mark-point").hover();
    await expect(tip(page)).toHaveText("fourstride4sectors a request16");
    const path = await part.locator('[data-curve="sectors"]').getAttribute("d");
    const points = path.slice(1).split("L").map((point) => point.split(",").map(Number));
    expect(points).toHaveLength(5);
    // Twice as much at twice the stride is a straight line.
    const slope = (a, b) => (b[1] - a[1]) / (b[0] - a[0]);
    expect(slope(points[0], points[1])).toBeCloseTo(slope(points[2], points[3]), 2);
});

test("occupancy: sliders look up the tables", async ({ page, story }) => {
    const part = await story("occupancy"), now = part.locator("[data-occupancy]"), said = part.locator(".part-said");
    await expect(now).toHaveText("100 %");
    await expect(said).toContainText("2 blocks of 4 warps fit on an SM: 8 of 8 warps; limited by warps and registers. Achieved: 90 %");
    const slide = (knob, value) => part.locator(`[data-knob="${knob}"]`).fill(String(value));
    await slide("registers", 9);
    await expect(now).toHaveText("50 %");
    await expect(said).toContainText("limited by registers");
    await expect(said).not.toContainText("Achieved");
    await slide("shared", 101);
    await expect(said).toContainText("1 block of 4 warps fits on an SM");
    await expect(said).toContainText("limited by registers and shared memory");
    await part.locator('[data-knob="warps"]').focus();
    await page.keyboard.press("ArrowLeft");
    await expect(part.locator("output").first()).toHaveText("96");
    await part.getByRole("button", { name: "as launched" }).click();
    await expect(now).toHaveText("100 %");
    await part.locator('[data-control="device"]').selectOption("free");
    await slide("registers", 200);
    await expect(said).toContainText("limited by warps.");
    await expect(await story("occupancy-none")).toContainText("No device's limits");
});

test("time: shares, and the profiler's names beside ours", async ({ page, story }) => {
    const part = await story("time");
    await expect(part.locator('tr[data-name="l1"]')).toHaveText("L1/shared60 %6.0 µsthe pipe of L1");
    await expect(part.locator('tr[data-name="pipe"]')).toHaveText("pipe25 %LG throttle, MIO throttle");
    await expect(part.locator('tr[data-name="dram"]')).toHaveCount(0);
    await part.locator('.piece[data-name="memory"]').hover();
    await expect(tip(page)).toContainText("75 %");
});

test("source: heat by any counter, a line opens and closes by click and key", async ({ page, story }) => {
    const part = await story("source"), hot = part.locator('.src[data-line="3"]');
    await expect(hot.locator(".heat-value")).toHaveText("100 %");
    await expect(hot.locator("code")).toHaveText("    out[i * 32] = in[i];  // <b>not markup</b>");
    await part.locator('[data-control="counter"]').selectOption("instructions");
    await expect(part.locator('.src[data-line="2"] .heat-value')).toHaveText("8");
    await expect(part.locator('.src[data-line="2"] .heat-bar')).toHaveAttribute("style", "width: 100.0%");
    await expect(part.locator(".about")).toContainText("executed");
    await hot.click();
    await expect(part.locator(".line-details [data-units]")).toHaveText("32 sectors");
    await expect(part.locator(".line-details")).toContainText("let neighbours take neighbours");
    await hot.click();
    await expect(part.locator(".line-details")).toHaveCount(0);
    await hot.focus();
    await page.keyboard.press("Enter");
    await expect(part.locator(".line-details")).toBeVisible();
    await page.keyboard.press(" ");
    await expect(part.locator(".line-details")).toHaveCount(0);
    await expect(part.locator('.code [tabindex="0"]')).toHaveCount(1);
    await expect(part.locator('.src[data-line="1"]')).not.toHaveAttribute("role", "button");
    await expect(await story("source-missing")).toContainText("gone.cu was not found");
});

test("phases: what each thread did, and where the barrier is", async ({ page, story }) => {
    const part = await story("phases");
    await expect(part.locator("h4")).toHaveText(["phase 1 of 1", "after the last phase"]);
    await expect(part.locator("tbody tr").nth(1)).toHaveText("1, 0M[1] → Mds[1]P += Mds[1]·2");
    await expect(part.locator("th.behind-barrier")).toHaveText("barriercomputes :27");
    await expect(part).toContainText("3 more threads do the like.");
    await page.setViewportSize({ width: 400, height: 800 });
    await expect(part.locator("thead").first()).toBeHidden();
    await expect(part.locator("tbody tr").first().locator("td").last()).toBeInViewport();
});

test("hazards: both ends and the missing barrier; many come in pages", async ({ story }) => {
    const part = await story("hazards");
    await expect(part.locator(".snippet-code > div")).toHaveText(["1one", "2tile[x] = in[x];② writes", "+a barrier is missing here", "3three", "4y = tile[x + 1];① reads", "5five", "6six"]);
    const many = await story("hazards-many");
    await expect(many.locator(".hazard")).toHaveCount(20);
    await expect(many).toContainText("60 places, 61,770 times in all");
    await many.getByRole("button", { name: "show 20 more of 40" }).click();
    await expect(many.locator(".hazard")).toHaveCount(40);
    await many.getByRole("button", { name: "show 20 more of 20" }).click();
    await expect(many.getByRole("button", { name: /more/ })).toBeHidden();
    await expect(await story("hazards-none")).toContainText("None was found; looked for: races, barriers.");
});

test("time line: lanes, zoom by button and key, a kernel opens", async ({ page, story }) => {
    const part = await story("time-line");
    await expect(part.locator(".lane-names > div")).toHaveText(["host waits", "copies to device", "kernels, stream 1", "kernels, stream 2"]);
    const width = () => part.locator('.span[data-launch="0"]').evaluate((box) => Number(box.getAttribute("width")));
    const before = await width();
    await part.getByRole("button", { name: "zoom in" }).click();
    expect((await width()) / before).toBeCloseTo(2, 1);
    await part.locator("svg.lanes").focus();
    await page.keyboard.press("-");
    expect((await width()) / before).toBeCloseTo(1, 1);
    await page.keyboard.press("+");
    expect((await width()) / before).toBeCloseTo(2, 1);
    await page.keyboard.press("0");
    expect((await width()) / before).toBeCloseTo(1, 1);
    // One stop; arrows go from span to span and from lane to lane, and Enter opens.
    await expect(part.locator('.lanes [tabindex="0"]')).toHaveCount(0);
    await page.keyboard.press("ArrowRight");
    await expect(part.locator(".span:focus")).toHaveCount(1);
    for (let down = 0; down < 2; ++down) await page.keyboard.press("ArrowDown");
    await expect(part.locator(".span:focus")).toHaveAttribute("data-launch", "0");
    await page.keyboard.press("Enter");
    await expect(page.locator("body")).toHaveAttribute("data-opened", "0");
    await page.keyboard.press("+"); // zoom keeps it
    await expect(part.locator(".span:focus")).toHaveAttribute("data-launch", "0");
    await page.keyboard.press("0");
    await part.locator(".span.kernel").first().hover();
    await expect(tip(page)).toContainText("takes20.0 µs");
    await part.locator('.span[data-launch="1"]').click();
    await expect(page.locator("body")).toHaveAttribute("data-opened", "1");
    await expect(part).toContainText("2 more spans are not in the profile");
});

test("pages, variables, trust, launches, rows", async ({ page, story }) => {
    const moved = await story("pages");
    await expect(moved.locator("tbody tr")).toHaveText("0 add4.00 MB2.00 MB12 (4 again)800.0 µs");
    await expect(moved).toContainText("ping-pong: pages go back and forth");
    await expect((await story("variables")).locator("tbody tr").first()).toHaveText("tile[32][32]shared4.10 kB1,0244.19 MBblockgrid");
    const trust = await story("trust");
    await expect(trust).toContainText("3 measured");
    await expect(trust.locator(".left-out li")).toHaveText("12 of 500 launches");
    const launches = await story("launches");
    await expect(launches.locator("tbody tr").first()).toHaveText("0a2×23205.0 µsL1/shared");
    await launches.getByRole("button", { name: "a" }).click();
    await expect(page.locator("body")).toHaveAttribute("data-opened", "0");
    await expect(launches).toContainText("3 more launches are not listed");
    await expect(await story("rows")).toContainText("32.0 sectors a request● ▲ poor");
});

test("compare: better and worse in sign and word; a card is neither", async ({ story }) => {
    const part = await story("compare");
    const row = (name) => part.locator("tr", { hasText: name }).last();
    await expect(row("global load sectors").locator(".change")).toHaveText("✓ better, ▼ 2.00× less");
    await expect(row("dram read bytes").locator(".change")).toHaveText("✗ worse, ▲ +40 %");
    await expect(row("l1 hit rate").locator(".change")).toHaveText("✓ better, ▲ +50 %");
    await expect(row("blocks").locator(".change")).toHaveText("◆ ▲ +33 %");
    await expect(row("a.cu:3 → 4").locator(".change")).toHaveText("✗ worse, ▲ 2.00× more");
    await expect(part.locator("tr", { hasText: "instructions" })).toHaveCount(0);
    await part.getByLabel("equal ones, too").check();
    await expect(row("instructions").locator(".change")).toHaveText("= same");
    await expect(part).toContainText("bound by l1, now dram");
    const card = await story("compare-card");
    await expect(card).toContainText("on the card");
    await expect(card.locator(".change.better, .change.worse")).toHaveCount(0);
});

test("headline: time, what binds it, what to do first and where", async ({ page, story }) => {
    const part = await story("headline");
    await expect(part.locator(".tile-value")).toHaveText(["63.5 µs", "L1/shared", "96 %", "≈ 29.5 µs"]);
    await expect(part.locator(".peaks li")).toHaveText(["DRAM0.7 %", "L176 %"]);
    await expect(part.locator(".matters")).toHaveCount(1);
    await part.locator(".do-first a").click();
    await expect(page.locator("body")).toHaveAttribute("data-went", "a/matmul.cu:17");
    await part.locator(".mark").first().hover();
    await expect(tip(page)).toContainText("gpu__time_duration.sum");
    await expect(await story("headline-bare")).toContainText("No time is modeled");
    const program = await story("headline-program");
    await expect(program.locator(".key li")).toHaveText(["kernels 30.0 µs 30 %", "copies 60.0 µs 60 %", "idle device 10.0 µs 10 %"]);
});

test("glossary: words explained where they stand, each once, and searched", async ({ page, story }) => {
    const part = await story("glossary");
    await expect(part.locator(".term")).toHaveText(["warp", "bank conflicts"]);
    await part.locator(".term").first().hover();
    await expect(tip(page)).toContainText("32 threads that run together");
    await page.keyboard.press("Escape");
    await expect(tip(page)).toBeHidden();
    await part.getByLabel("search the glossary").fill("conflict");
    await expect(part.locator("dt")).toHaveText(["bank conflict conflict"]);
    await part.getByLabel("search the glossary").fill("zzz");
    await expect(part).toContainText("Nothing is called so");
});

for (const width of [400, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`all stories at ${width} px, ${colorScheme}: nothing sticks out, all is legible`, async ({ page }) => {
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme });
            await page.goto(new URL("../../build/web/stories.html", import.meta.url).href);
            await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
            expect(await page.evaluate(look)).toEqual({ tooWide: 0, outside: [], faint: [] });
        });
    }
}

test("a line that accesses an array twice has both, each with its own best", async ({ story }) => {
    const part = await story("accesses-twice");
    await expect(part.locator("h5")).toHaveText(["sectors: load of in, access 2 of 2 in this line", "sectors: load of in, access 1 of 2 in this line"]); // the worse one first
    await expect(part.locator(".controls").first().locator("button")).toHaveText(["best", "typical"]);
    await expect(part.locator("[data-units]")).toHaveText(["16 sectors", "8 sectors"]);
});

test("flow: what the picture cannot say stands below it", async ({ story }) => {
    await expect((await story("flow-notes")).locator(".flow-notes li")).toHaveText([/128 bytes a turn/, /Atomics go on to L2/, "Of what DRAM reads, 2.80 kB are the launch itself: code and parameters."]);
    await expect((await story("flow")).locator(".flow-notes li")).toHaveText([/L2 far: what the other half of L2 hands over/]);
});

test("hazards: errors before warnings, told apart by shape; the page says what it does not have", async ({ story }) => {
    const part = await story("hazards-mixed");
    await expect(part.locator(".hazard-kind")).toHaveText(["✖ race", "⚠ leak"]);
    await expect(part).toContainText("1,000,000 places; this page has 2 of them. The profile has the others.");
    await expect(part).not.toContainText("times in all");
});

test("source: PTX of a line for who asks, and of the next one, too", async ({ page, story }) => {
    const part = await story("source-ptx"), line = (number) => part.locator(`.src[data-line="${number}"]`), fold = part.locator("details.ptx");
    await expect(fold).toHaveCount(0);
    await line(3).click();
    await expect(fold.locator("summary")).toHaveText("PTX of line 3: 2 instructions");
    await expect(fold.locator("pre")).toBeHidden();
    await fold.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(fold.locator("pre")).toHaveText("ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1; // <b>");
    await expect(fold).toContainText("several kernels of this name");
    await line(2).click();
    await expect(fold.locator("pre")).toHaveText("mov.u32 %r1, %tid.x;");
    await expect(fold.locator("pre")).toBeVisible();
    await line(4).click();
    await expect(part.locator(".line-details")).toContainText("The PTX of this line is not in the page: it was too long.");
    // The flag of a hazard is no card of one.
    expect(await part.locator(".flag.hazard").evaluate((flag) => getComputedStyle(flag).borderLeftWidth)).toBe("0px");
});

test("headline: sums say of how many launches, and hazards and pages are one click away", async ({ story }) => {
    const summed = await story("headline-summed");
    await expect(summed.locator(".tile-note").first()).toHaveText("of 20 launches together");
    await expect(summed.locator(".do-first a")).toHaveAttribute("href", "#hazards");
    await expect((await story("headline-pages")).locator(".lead a")).toHaveAttribute("href", "#pages");
    await expect((await story("headline-program")).locator(".lead a")).toHaveCount(0);
});

test("pages and time line agree on how long kernels stand still", async ({ story }) => {
    await expect((await story("pages")).locator(".page-figures")).toContainText("both together, of the program's time◐820.0 µs");
    await expect(await story("time-line")).toContainText("Bars of kernels include the 1,653 µs for which kernels stand still until pages of managed memory are there.");
});

test("roofline: a level that another one covers is named in the key", async ({ story }) => {
    const part = await story("roofline-covered");
    await expect(part.locator('.key li[data-level="requested"]')).toHaveText("asked for by threads, where L2 is");
    await expect(part.locator('.key li[data-level="dram"]')).toHaveText("DRAM");
    await expect(part).toContainText("small and pale: other kernels of the program");
});
