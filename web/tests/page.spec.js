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

test("the program's bar, its launches, variables and words are the profile's", async ({ page, report }) => {
    await report(matmul);
    const { program, launches } = matmul.run, us = (value) => `${value.toFixed(1)} µs`, share = (value) => `${((value / program.microseconds) * 100).toFixed(0)} %`;
    const named = program.parts.filter((part) => part.microseconds > 0);
    await expect(page.locator(".top .key li")).toHaveText(named.map((part) => new RegExp(`${us(part.microseconds)} ${share(part.microseconds)}$`)));
    // 107.7 µs, though its two kernels take 104.8.
    await expect(page.locator(".top .key li").first()).toContainText("kernels and cudaMemset");
    await page.locator(`.top .piece[data-part="copies"]`).hover();
    await expect(page.locator(".tip")).toContainText(share(named.find((part) => part.name === "copies").microseconds));
    await page.locator(".all-launches summary").click();
    await expect(page.locator(".part-launches tbody tr")).toHaveCount(launches.total);
    await expect(page.locator(".part-launches tbody tr").first()).toContainText(us(launches.rows[0].microseconds));
    await page.locator(".kernel-list button", { hasText: "tiled" }).click();
    await press(page, "Variables");
    const tiled = launchOf(matmul, "tiled");
    await expect(page.locator("#variables tbody tr")).toHaveCount(tiled.variables.length);
    const tile = tiled.variables.find((variable) => variable.space === "shared");
    await expect(page.locator("#variables tr", { hasText: tile.name })).toContainText(`${tile.name}[${tile.extents.join("][")}]`);
    await expect(page.locator("#variables tr", { hasText: tile.name })).toContainText(thousands(tile.versions));
    await press(page, "The report in words");
    const rows = matmul.run.document.sections.find((section) => section.launch === tiled.index).rows.filter((row) => row.kind !== "hazard");
    await expect(page.locator("#words dt")).toHaveCount(rows.length);
    await expect(page.locator("#words dd").first()).toContainText(rows[0].text);
});

test("words are explained where they stand, and found in the glossary", async ({ page, report }) => {
    await report(matmul, "glossary");
    const term = matmul.glossary.find((each) => each.name === "warp");
    await page.locator("#glossary").getByLabel("search the glossary").fill("warp");
    await expect(page.locator("#glossary dd", { hasText: term.text })).toBeVisible();
    await page.locator("#glossary").getByLabel("search the glossary").fill("no such word");
    await expect(page.locator("#glossary")).toContainText("Nothing is called so here.");
    await press(page, "Occupancy");
    await page.locator("#occupancy .term").first().hover();
    await expect(page.locator(".tip")).toContainText(term.text);
});

test("pages of managed memory: what moved, and the time that the program's bar has, too", async ({ report }) => {
    const data = fixture("managed"), { total } = data.run.profile.pages, part = await report(data, "pages");
    await expect(part.locator(".page-figures")).toContainText(`${thousands(total.faults)}, ${thousands(total.refaults)} of them again`);
    await expect(part.locator(".page-figures")).toContainText(`${(total.to_device_bytes / 1e6).toFixed(1)} MB`);
    const together = total.device_stall_microseconds + total.host_stall_microseconds;
    expect(together).toBeCloseTo(data.run.program.parts.find((each) => each.name === "pages").microseconds, 0);
    await expect(part.locator(".page-figures")).toContainText(`${thousands(Math.round(together))} µs`);
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

test("numbers are rounded as the report's words are", () => {
    // What lies exactly between two goes to the even one; what only looks so in decimals does not.
    for (const [value, digits, text] of [[12.5, 0, "12"], [13.5, 0, "14"], [-12.5, 0, "-12"], [0.25, 1, "0.2"], [0.35, 1, "0.3"], [0.45, 1, "0.5"], [1.125, 2, "1.12"], [1.375, 2, "1.38"], [2.675, 2, "2.67"], [7, 1, "7.0"]])
        expect([value, parts.fixed(value, digits)]).toEqual([value, text]);
    expect(parts.percent(0.125)).toBe("12 %");
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

test("source: the PTX of the line, when it is asked for", async ({ page, report }) => {
    const naive = launchOf(matmul, "naive"), code = matmul.run.profile.ptx.find((each) => each.entry === naive.entry);
    const hot = code.lines.find((each) => each.instructions.some((text) => text.startsWith("fma.rn.f32")));
    const source = await report(matmul, "source");
    await source.locator(`.src[data-line="${hot.line}"]`).click();
    await expect(source.locator(".ptx pre")).toBeHidden();
    await source.locator(".ptx summary").click();
    await expect(source.locator(".ptx summary")).toHaveText(`PTX of line ${hot.line}: ${hot.instructions.length} instructions`);
    await expect(source.locator(".ptx pre")).toHaveText(hot.instructions.join("\n"));
    // Another kernel has its own.
    const tiled = launchOf(matmul, "tiled"), other = matmul.run.profile.ptx.find((each) => each.entry === tiled.entry).lines[0];
    await page.locator(".kernel-list button", { hasText: "tiled" }).click();
    await press(page, "Source");
    await source.locator(`.src[data-line="${other.line}"]`).click();
    await source.locator(".ptx summary").click();
    await expect(source.locator(".ptx pre")).toHaveText(other.instructions.join("\n"));
    // Profiles of earlier versions have none.
    await report(fixture("transpose"), "source");
    await page.locator("#source .src.known").first().click();
    await expect(page.locator("#source .line-details")).toBeVisible();
    await expect(page.locator("#source .ptx")).toHaveCount(0);
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

test("compare: the first run's pictures beside the second's, at one scale", async ({ page, report }) => {
    const data = fixture("compare"), is = launchOf(data, "naive"), was = data.baseline.profile.launches[0];
    const sides = (await report(data, "bytes")).locator(".side-picture");
    await expect(sides.locator("h3")).toContainText([`before ${data.comparison.before} · ${was.time.microseconds.toFixed(1)} µs`, `after ${data.comparison.after} · ${is.time.microseconds.toFixed(1)} µs`]);
    await expect(sides.last().locator("h3 .change")).toHaveText(/^✗ worse, ▲/);
    const moved = (run) => run.kernels[0].flow.links.find((link) => link.from === "dram").bytes;
    for (const [at, run] of [data.baseline, data.run].entries()) await expect(sides.nth(at).locator("tbody tr", { hasText: "L2 ← DRAM" }).locator("td").nth(3)).toHaveAttribute("title", thousands(moved(run)));
    // What is alike is as tall, what is half as much half as tall.
    const node = (at) => sides.nth(at).locator(".flow-node").first().evaluate((rect) => rect.getBBox().height);
    expect(Math.abs((await node(0)) - (await node(1)))).toBeLessThan(1);
    const halved = fixture("compare");
    for (const link of halved.baseline.kernels[0].flow.links) for (const key of ["bytes", "wasted"]) if (link[key]) link[key] /= 2;
    await report(halved, "bytes");
    expect((await node(0)) / (await node(1))).toBeCloseTo(0.5, 1);
    await report(data, "bytes");
    await press(page, "Roofline");
    const roofs = page.locator("#roofline .side-picture");
    await expect(roofs.nth(0).locator(".point.chosen")).toHaveCount(was.roofline.points.length);
    await expect(roofs.nth(1).locator(".point.chosen")).toHaveCount(is.roofline.points.length);
    await expect(roofs.nth(0).locator(".roof[data-type]")).toHaveAttribute("data-type", was.roofline.type);
    await roofs.nth(0).locator('.point[data-level="dram"]').hover();
    const dram = was.roofline.points.find((point) => point.level === "dram");
    await expect(page.locator(".tip")).toContainText(`intensity${Math.round(dram.intensity)} FLOP/B`);
    await press(page, "Time");
    const bars = page.locator("#time .side-picture .time-stack:first-child .whole-bar");
    const width = async (at) => (await bars.nth(at).boundingBox()).width;
    expect((await width(0)) / (await width(1))).toBeCloseTo(was.time.microseconds / is.time.microseconds, 1);
    await expect(page.locator("#time .side-picture").first().locator('tr[data-name="l1"]')).toContainText(`${was.time.breakdown.l1.toFixed(1)} µs`);
    await expect(page.locator(".top")).toContainText(`What follows is of ${data.comparison.after}`);
    // A launch that the first run does not have stands alone.
    data.baseline.profile.launches = [];
    await report(data, "bytes");
    await expect(page.locator("#bytes .part-flow")).toHaveCount(1);
    await expect(page.locator(".side-picture")).toHaveCount(0);
});

test("compare: two kernels of one profile stand side by side, the second looked at", async ({ page, report }) => {
    const data = fixture("matmul"), naive = launchOf(data, "naive"), tiled = launchOf(data, "tiled");
    data.kind = "compare";
    data.comparison = { before: "naive", after: "tiled", data: { device_before: "h200", device_after: "h200", launches: [{ kernel: naive.kernel, before: naive.index, after: tiled.index }] }, document: { sections: [] } };
    await report(data, "time");
    await expect(page.locator("#headline-title .of")).toHaveText("tiled");
    await expect(page.locator("#time .side-picture h3")).toContainText([`before naive · ${naive.time.microseconds.toFixed(1)} µs`, `after tiled · ${tiled.time.microseconds.toFixed(1)} µs ✓ better`]);
    // The first has nothing before it, and what a card counted has no pictures.
    await page.locator(".kernel-list button", { hasText: "naive" }).click();
    await press(page, "Time");
    await expect(page.locator("#time .part-time")).toHaveCount(1);
    delete data.comparison.data.device_after;
    await report(data, "time");
    await expect(page.locator("#time .part-time")).toHaveCount(1);
});

test("why the caches missed adds up to what they missed", async ({ report }) => {
    const part = await report(matmul, "bytes"), { misses } = kernelOf(matmul, "naive").flow, { counters } = launchOf(matmul, "naive");
    const all = misses.filter((miss) => miss.level === "l1" && miss.why !== "merged").reduce((sum, miss) => sum + miss.sectors, 0);
    expect(all).toBe(counters.global_load_sectors - counters.global_load_l1_hit_sectors);
    await expect(part.locator(".misses-level").first()).toContainText(`L1 ${thousands(all)} sectors missed`);
});

test("a kernel's fault is told as one, and that the program went on", async ({ page, report }) => {
    const data = fixture("hazards");
    data.run.profile.outcome = "fault";
    data.run.profile.ended = "exit 0";
    await report(data);
    await expect(page.locator(".notice.bad").first()).toHaveText("A kernel did what a GPU would not go on from (a fault): see its hazard. The program itself ran on to its end, exit 0.");
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
    await expect(page.locator(".more-kernels")).toHaveCount(0);
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

test("kernels without a section are counted, and hazards that are not here", async ({ page, report }) => {
    const data = many(3, 20);
    data.run.launches.kernels.push("small_1(int)", "small_2(int)");
    data.run.launches.rows.push({ index: 3, kernel: 3, grid: [1, 1, 1], block: [32, 1, 1] }, { index: 4, kernel: 4, grid: [1, 1, 1], block: [32, 1, 1] });
    data.run.profile.launches[0].hazards = data.run.profile.hazards.slice(0, 20);
    data.run.more_hazards = 980;
    await report(data);
    await expect(page.locator(".more-kernels")).toContainText("2 more kernels take less time");
    await expect(page.locator(".bad-note")).toHaveText(" ✖ 20 hazards or more");
    await press(page, "Hazards");
    await expect(page.locator("#hazards")).toContainText("2,000 places; this page has 1,020 of them.");
});

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
    const menu = page.getByRole("button", { name: "kernels and sections" });
    await expect(page.locator(".side")).toBeHidden();
    await expect(menu).toHaveAttribute("aria-expanded", "false");
    await menu.click();
    await expect(menu).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Escape");
    await expect(page.locator(".side")).toBeHidden();
    await expect(menu).toBeFocused();
    await menu.click();
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
