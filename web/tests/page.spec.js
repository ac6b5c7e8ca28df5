// The report page with what the program wrote of known runs.
import fs from "node:fs";
import { expect, fixture, look, place, root, template, test } from "./site.js";

const matmul = fixture("matmul");
// What other pages take, in this process: layout and tables need no page.
const parts = new Function(`${fs.readFileSync(`${root}/web/dist/parts.js`, "utf8")}; return tilescopeParts;`)();
const launchOf = (data, name) => data.run.profile.launches.find((launch) => launch.kernel.startsWith(name));
const kernelOf = (data, name) => data.run.kernels.find((kernel) => kernel.launch === launchOf(data, name).index);
const thousands = (value) => new Intl.NumberFormat("en").format(value);
const press = (page, title) => page.getByRole("link", { name: title, exact: true }).click();

test("the template has one place for the data, and stays small", () => {
    expect(template.split(place)).toHaveLength(2);
    expect(Buffer.byteLength(template)).toBeLessThan(300_000);
    expect(template).not.toMatch(/(src|href)\s*=\s*["']https?:/);
});

test("the slowest kernel comes first: its time, what binds it, what to do", async ({ page, report }) => {
    await report(matmul);
    const naive = launchOf(matmul, "naive");
    await expect(page.locator("h1")).toHaveText("examples/matmul.cu");
    await expect(page).toHaveTitle("examples/matmul.cu · tilescope");
    await expect(page.locator(".kernel-list .kernel-name")).toHaveText(["naive", "tiled"]);
    await expect(page.locator(".top .lead")).toContainText(matmul.run.document.sections[0].rows[0].text.slice(1));
    const short = page.locator("#headline");
    await expect(short.locator(".tile-value").first()).toHaveText(`${naive.time.microseconds.toFixed(1)} µs`);
    await expect(short.locator(".tile-value").nth(1)).toHaveText("L1/shared");
    await expect(short.locator(".peaks .matters")).toContainText(`${(naive.time.of_peak.l1 * 100).toFixed(0)} %`);
    await expect(short.locator(".do-first")).toContainText(naive.advice[0].message);
});

test("bytes, roofline, occupancy and time have the profile's numbers", async ({ page, report }) => {
    const bytes = await report(matmul, "bytes");
    const naive = launchOf(matmul, "naive"), kernel = kernelOf(matmul, "naive");
    const first = kernel.flow.links.find((link) => link.from === "l1" && link.to === "threads");
    await expect(bytes.locator("tbody tr", { hasText: "SM ← L1" }).locator("td").nth(3)).toHaveAttribute("title", thousands(first.bytes));
    await expect(bytes.locator(".part-buffers tbody tr")).toHaveCount(kernel.buffers.length);
    await press(page, "Roofline");
    const roof = page.locator("#roofline");
    await expect(roof.locator(".point.chosen")).toHaveCount(naive.roofline.points.length);
    await expect(roof.locator(".verdict")).toHaveText(`${naive.roofline.verdict}◐`);
    const device = matmul.devices.find((each) => each.name === "a100"), there = device.kernels.find((each) => each.launch === naive.index);
    await roof.locator('[data-control="device"]').selectOption("a100");
    await expect(roof.locator(".verdict")).toContainText(`On the a100 it takes ${there.microseconds.toFixed(1)} µs.`);
    await roof.locator('[data-control="device"]').selectOption("orin");
    await expect(roof.locator(".verdict")).toContainText("No time");
    await press(page, "Occupancy");
    await expect(page.locator("#occupancy [data-occupancy]")).toHaveAttribute("data-occupancy", String(naive.occupancy.fraction));
    await press(page, "Time");
    await expect(page.locator('#time tr[data-name="l1"]')).toContainText(`${naive.time.breakdown.l1.toFixed(1)} µs`);
    await expect(page.locator('#time tr[data-name="memory"]')).toContainText("long scoreboard");
});

test("the tables of occupancy give what the program says of each launch and device", async ({ page, report }) => {
    for (const name of ["matmul", "transpose", "phases", "hazards", "overlap"]) {
        const data = fixture(name);
        for (const device of data.devices) {
            for (const kernel of device.kernels) {
                const launch = data.run.profile.launches.find((each) => each.index === kernel.launch);
                const found = parts.fit(data.occupancy[device.occupancy], { warps: Math.ceil(launch.block.reduce((a, b) => a * b) / 32), registers: launch.registers_per_thread,
                    shared: launch.static_shared_bytes + launch.dynamic_shared_bytes, barriers: launch.occupancy.barriers_per_block });
                expect([name, device.name, found.blocks, found.warps]).toEqual([name, device.name, kernel.blocks_per_sm, kernel.warps_per_sm]);
                expect(found.limiters.sort()).toEqual([...kernel.limiters].sort());
            }
        }
    }
    await report(matmul);
    await expect(page.locator("h1")).toBeVisible();
});

test("the rule of the banks is what cards counted", async () => {
    const patterns = JSON.parse(fs.readFileSync(`${root}/tests/truth/banks-h200.json`, "utf8"));
    expect(patterns.length).toBeGreaterThan(2000);
    for (const pattern of patterns) {
        const offsets = [...pattern.offsets]; // of the lanes that are active
        const lanes = Array.from({ length: 32 }, (_, lane) => ((pattern.mask >>> lane) & 1 ? offsets.shift() : null));
        for (const kind of ["load", "store", "atomic"]) {
            if (!pattern[kind]) continue;
            const groups = parts.banksOf(lanes, pattern.width, kind), turns = parts.wavefronts(groups);
            expect([pattern.name, kind, turns, turns - groups.length]).toEqual([pattern.name, kind, ...pattern[kind]]);
        }
    }
});

test("sectors and wavefronts of recorded requests are what the program says", () => {
    const pictures = fixture("transpose").run.kernels.flatMap((kernel) => kernel.pictures ?? []);
    expect(pictures.some((picture) => picture.banks) && pictures.some((picture) => picture.which === "worst")).toBe(true);
    for (const { banks, lanes, element_bytes: width, kind, units, ideal } of pictures) {
        const sectors = parts.sectorsOf(lanes, width);
        expect(banks ? [parts.wavefronts(parts.banksOf(lanes, width, kind))] : [sectors.sectors.length, sectors.ideal]).toEqual(banks ? [units] : [units, ideal]);
    }
});

test("a click on a kernel, in the list or the time line, shows that kernel", async ({ page, report }) => {
    await report(matmul);
    await page.locator(".kernel-list button", { hasText: "tiled" }).click();
    const tiled = launchOf(matmul, "tiled");
    await expect(page.locator("#headline .tile-value").first()).toHaveText(`${tiled.time.microseconds.toFixed(1)} µs`);
    await expect(page.locator("#headline-title .of")).toHaveText("tiled");
    await press(page, "Time line");
    await page.locator(`.span[data-launch="${launchOf(matmul, "naive").index}"]`).dispatchEvent("click");
    await expect(page.locator("#headline-title .of")).toHaveText("naive");
    await page.locator(".all-launches summary").click();
    await page.locator(".part-launches button", { hasText: "tiled" }).click();
    await expect(page.locator("#headline-title .of")).toHaveText("tiled");
});

test("source: the hot line, any counter, and what the line accesses", async ({ page, report }) => {
    const data = fixture("transpose"), plain = launchOf(data, "plain");
    const line = plain.lines.find((each) => each.counters.global_store_sectors > 0);
    const source = await report(data, "source"), row = source.locator(`.src[data-line="${line.line}"]`);
    await expect(row.locator(".heat-value")).toHaveText("100 %");
    await source.locator('[data-control="counter"]').selectOption("global_store_sectors");
    await expect(row.locator(".heat-value")).toHaveText("1.05 M");
    await row.click();
    await expect(source.locator(".line-details [data-units]")).toHaveText(["32 sectors", "4 sectors"]); // its store, and its load, which is well
    await expect(source.locator(".line-details .line-note")).toContainText("stores touch 32.0 sectors");
    await expect(source.locator(".line-details")).toContainText(thousands(line.counters.global_store_sectors));
});

test("what to do first leads to its line", async ({ page, report }) => {
    await report(matmul);
    await page.locator("#headline .do-first a").click();
    await expect(page.locator(`.src.here[data-line="${launchOf(matmul, "naive").advice[0].line}"]`)).toBeInViewport();
    await expect(page.locator(".line-details")).toContainText(launchOf(matmul, "naive").advice[0].message);
});

test("phases, pages and the time line of streams", async ({ page, report }) => {
    const trace = fixture("phases");
    await expect((await report(trace, "phases")).locator("tbody tr").first()).toContainText(trace.run.profile.trace.phases[0].rows[0].cells[0][0].text);
    const managed = fixture("managed");
    await expect(await report(managed, "pages")).toContainText(managed.run.profile.pages.message);
    const overlap = fixture("overlap"), lines = await report(overlap, "time-line");
    await expect(lines.locator(".span")).toHaveCount(overlap.run.profile.timeline.filter((span) => span.microseconds > 0).length);
    await expect(page.locator("#numbers")).toBeVisible();
});

test("hazards name both ends and the barrier, and lead into the source", async ({ page, report }) => {
    const data = fixture("hazards"), part = await report(data, "hazards");
    const race = data.run.profile.launches[0].hazards.find((hazard) => hazard.kind === "race");
    const card = part.locator(".hazard", { hasText: race.message });
    await expect(card.locator(".end")).toHaveText(race.line < race.other_line ? ["① writes", "② reads"] : ["② reads", "① writes"]);
    await expect(card.locator(".missing")).toContainText("a barrier is missing here");
    await expect(page.locator(".kernel-list .bad-note")).toContainText("hazard");
    await card.locator("figcaption a").click();
    await expect(page.locator(`.src.here[data-line="${race.line}"]`)).toBeInViewport();
});

test("every number: marked, searched, with the profiler's name", async ({ page, report }) => {
    const part = await report(matmul, "numbers"), { counters } = launchOf(matmul, "naive");
    const counted = Object.values(counters).filter((value) => value !== 0).length;
    await expect(part.locator("tbody tr")).toHaveCount(Object.keys(kernelOf(matmul, "naive").figures).length + counted);
    await part.getByLabel("search the numbers").fill("dram__bytes_read");
    await expect(part.locator("tbody tr")).toHaveCount(1);
    const row = part.locator('tr[data-name="dram_read_bytes"]');
    await expect(row).toContainText(thousands(counters.dram_read_bytes));
    await expect(row.locator(".mark")).toHaveText("◐");
    await row.locator(".mark").hover();
    await expect(page.locator(".tip")).toContainText("dram__bytes_read.sum");
    await part.getByLabel("search the numbers").fill("global load sectors");
    await expect(part.locator('tr[data-name="global_load_sectors"] .mark')).toHaveText("●");
});

test("compare: what changed by program, kernel and figure", async ({ report }) => {
    const data = fixture("compare"), part = await report(data, "compare"), launch = data.comparison.data.launches[0];
    await expect(part.locator("tr", { hasText: "naive" }).first()).toContainText("worse");
    const changed = launch.figures.filter((figure) => figure.change !== "same");
    await expect(part.locator("details", { hasText: "naive" }).first()).toContainText(`${changed.length} of ${launch.figures.length} figures changed`);
});

test("trust and what was left out", async ({ report }) => {
    const data = fixture("matmul");
    data.left_out = ["12 of 500 launches", "<b>more</b>"];
    const part = await report(data, "trust");
    for (const row of data.run.trust.rows) await expect(part.locator("dt", { hasText: row.label }).first()).toBeVisible();
    await expect(part.locator(".left-out li")).toHaveText(["12 of 500 launches", "<b>more</b>"]);
    await expect(part.locator(".legend")).toHaveText("● counted◆ machine code◐ modelled○ estimated");
});

test("a run that a signal ended, and one without launches", async ({ page, report }) => {
    await report(fixture("ends"));
    await expect(page.locator(".notice.bad")).toHaveCount(1);
    await expect(page.locator(".notice.bad")).toContainText("signal 6");
    await expect(page.locator(".kernel-name")).toHaveText("fill");
    await report(fixture("nothing"));
    await expect(page.locator(".notice")).toContainText("No kernel was launched.");
    await expect(page.locator(".section-list a")).toHaveText(["Hazards", "How far to trust this run", "Glossary"]);
    await press(page, "Hazards");
    await expect(page.locator("#hazards")).toContainText("None was looked for");
});

test("without data, with broken data and of another schema it says so", async ({ page, report }) => {
    await page.goto(new URL("../dist/report.html", import.meta.url).href);
    await expect(page.locator("main")).toContainText("This page has no data");
    await report({ ...matmul, schema: 7 });
    await expect(page.locator("main")).toContainText("schema 7");
});

test("names that look like code are text", async ({ page, report }) => {
    const evil = "<script>alert(1)</script><img src=x onerror=alert(2)>";
    // Every text of the page's data, whatever it is of, except words that select something.
    const kept = new Set(["kind", "key", "name", "source", "level", "what", "from", "to", "which", "bound", "type", "space", "lane", "outcome", "unit", "grade", "verdict", "schema", "limiters", "registers_from", "shown", "remedy", "change", "presence"]);
    const spoil = (value, key) => {
        if (typeof value === "string") return kept.has(key) ? value : value + evil;
        if (Array.isArray(value)) return value.map((each) => spoil(each, key));
        if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, each]) => [/[/.]/.test(name) ? name + evil : name, spoil(each, name)]));
        return value;
    };
    for (const name of ["hazards", "phases", "managed", "compare"]) {
        await report(spoil(fixture(name), ""));
        await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
        await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
        await expect(page.locator("h1")).toContainText(evil);
        expect(await page.evaluate(() => document.querySelectorAll("main script, main img, .side script, .side img").length)).toBe(0);
        await expect(page.locator("#page .failed")).toHaveCount(0);
    }
});

test("many kernels: found by search and keys; many hazards in pages", async ({ page, report }) => {
    const data = many(500, 2000);
    const begin = Date.now();
    await report(data);
    await expect(page.locator("#headline .tile-value").first()).toBeVisible();
    test.info().annotations.push({ type: "opened", description: `${Date.now() - begin} ms` });
    await expect(page.locator(".kernel-list button")).toHaveCount(500);
    await page.keyboard.press("/");
    await page.keyboard.type("kernel_437");
    await expect(page.locator(".kernel-list li:visible")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(page.locator("#headline-title .of")).toHaveText("kernel_437");
    await page.locator("#kernel-search").fill("no such");
    await expect(page.locator(".side .none")).toBeVisible();
    await press(page, "Source");
    await expect(page.locator("#source .src")).toHaveCount(2000);
    await press(page, "Hazards");
    await expect(page.locator("#hazards .hazard")).toHaveCount(20);
    await expect(page.locator("#hazards")).toContainText("1,000 places, 1,000,000 times in all");
});

// As many launches of kernels of their own, a source of so many lines, a million hazards.
function many(launches, lines) {
    const data = fixture("matmul"), { run } = data;
    const [launch] = run.profile.launches, [kernel] = run.kernels, section = run.document.sections.find((each) => each.launch === launch.index);
    const numbers = Array.from({ length: launches }, (_, at) => at);
    run.profile.launches = numbers.map((index) => ({ ...launch, index, kernel: `kernel_${index}(int)`, hazards: [] }));
    run.kernels = numbers.map((index) => ({ ...kernel, launch: index }));
    run.document.sections = [...run.document.sections.filter((each) => each.launch === undefined), ...numbers.map((index) => ({ ...section, launch: index, title: `kernel_${index}(int)` }))];
    run.launches = { total: launches, kernels: numbers.map((index) => `kernel_${index}(int)`), rows: numbers.map((index) => ({ index, kernel: index, entry: index, grid: [1, 1, 1], block: [32, 1, 1] })) };
    for (const [file, source] of Object.entries(run.sources)) run.sources[file] = { lines, parts: [{ first: 1, text: Array.from({ length: lines }, (_, at) => source.parts[0].text[at % source.lines] ?? "") }] };
    const file = Object.keys(run.sources)[0];
    for (const name of Object.keys(run.sources).slice(1)) delete run.sources[name];
    run.profile.hazards = Array.from({ length: 1000 }, (_, at) => ({ kind: "race", file, line: at + 1, count: 1000, message: `race ${at}` }));
    return data;
}

test("light and dark: the switch, what is remembered, and the system", async ({ page, report }) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    await report(matmul);
    const light = await paper();
    await page.getByRole("button", { name: "light or dark" }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await paper()).toBe(dark);
    await page.getByRole("button", { name: "light or dark" }).click();
    expect(await paper()).toBe(light);
});

test("printed it is white, whole and without controls", async ({ page, report }) => {
    await report(matmul);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    for (const hidden of [".side", ".bar", ".controls"]) await expect(page.locator(hidden).first()).toBeHidden();
    await expect(page.locator(".section-body.waiting")).toHaveCount(0);
    await expect(page.locator("#numbers table")).toBeVisible();
});

test("at 400 px kernels and sections open from the bar", async ({ page, report }) => {
    await page.setViewportSize({ width: 400, height: 800 });
    await report(matmul);
    await expect(page.locator(".side")).toBeHidden();
    await page.getByRole("button", { name: "kernels and sections" }).click();
    await page.locator(".kernel-list button", { hasText: "tiled" }).click();
    await expect(page.locator(".side")).toBeHidden();
    await expect(page.locator("#headline-title")).toBeInViewport();
    await expect(page.locator("#headline-title .of")).toHaveText("tiled");
});

for (const name of ["matmul", "transpose", "hazards", "phases", "managed", "overlap", "compare", "ends"]) {
    test(`${name}: nothing sticks out and all is legible, wide and narrow, light and dark`, async ({ page, report }) => {
        await report(fixture(name));
        await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
        await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
        await page.locator("#source .src.known").first().dispatchEvent("click");
        for (const width of [400, 1280]) {
            await page.setViewportSize({ width, height: 900 });
            for (const colorScheme of ["light", "dark"]) {
                await page.emulateMedia({ colorScheme });
                expect(await page.evaluate(look), `${width} px, ${colorScheme}`).toEqual({ tooWide: 0, outside: [], faint: [] });
            }
        }
    });
}
