// Makes a fixture of what the program writes into a page: paths as in the checkout, few devices and launches, words apart.
//
// usage: node tests/trim_fixture.js IN.json OUT.json [LAUNCH,LAUNCH...]
// The words (figures, glossary, ...) are added to words.json beside OUT.
import fs from "node:fs";
import path from "node:path";

const [, , from, to, chosen] = process.argv;
const devices = ["h200", "a100", "orin"]; // the usual one, another, one without a time

// Paths of whoever made it are nobody's business.
const text = fs.readFileSync(from, "utf8").replace(/"(?:[^"\\]|\\.)*\/((?:examples|lessons)\/[^"]*|\w+\.json)"/g, '"$1"');
const { figures, glossary, time_parts, stalls, ...data } = JSON.parse(text);
if (data.baseline) data.baseline.sources = {}; // which the page does not draw
const launches = chosen ? new Set(chosen.split(",").map(Number)) : undefined;
for (const run of [data.run, data.baseline]) {
    if (!run) continue;
    delete run.profile.seconds;
    if (!launches) continue;
    const kept = run.profile.launches.map((launch) => launches.has(launch.index));
    const entries = kept.flatMap((keep, at) => (keep ? [at] : []));
    run.profile.launches = run.profile.launches.filter((_, at) => kept[at]);
    run.kernels = run.kernels.filter((_, at) => kept[at]);
    run.document.sections = run.document.sections.filter((section) => section.launch === undefined || launches.has(section.launch));
    run.launches.rows = run.launches.rows.filter((row) => entries.includes(row.entry)).map((row) => ({ ...row, entry: entries.indexOf(row.entry) }));
    run.launches.total = run.launches.rows.length;
}
if (data.comparison && launches) data.comparison.data.launches = data.comparison.data.launches.filter((launch) => launches.has(launch.before));

data.devices = data.devices.filter((device) => devices.includes(device.name));
const tables = [...new Set(data.devices.map((device) => device.occupancy))];
data.occupancy = tables.map((at) => data.occupancy[at]);
for (const device of data.devices) {
    device.occupancy = tables.indexOf(device.occupancy);
    if (launches) device.kernels = device.kernels.filter((kernel) => launches.has(kernel.launch));
}

// A page has the words that it needs; the fixtures share those of all.
const shared = path.join(path.dirname(to), "words.json");
const known = fs.existsSync(shared) ? JSON.parse(fs.readFileSync(shared, "utf8")) : { figures: {}, glossary: [], time_parts: [], stalls: [] };
const union = (before, now) => [...before, ...now.filter((each) => !before.some((one) => one.name === each.name))];
const words = { figures: { ...known.figures, ...figures }, glossary: union(known.glossary, glossary), time_parts: union(known.time_parts, time_parts), stalls: union(known.stalls, stalls) };
fs.writeFileSync(shared, JSON.stringify(words) + "\n");
fs.writeFileSync(to, JSON.stringify(data) + "\n");
