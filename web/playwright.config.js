// The tests of page and parts: files, in the Chromium of this machine. Nothing is downloaded.
import fs from "node:fs";
import { defineConfig } from "@playwright/test";

const chromium = process.env.PLAYWRIGHT_CHROMIUM ?? "/usr/bin/chromium";
if (!fs.existsSync(chromium)) throw new Error(`no Chromium at ${chromium}: install it, or name one in PLAYWRIGHT_CHROMIUM`);

const report = process.env.TILESCOPE_PAGE_RESULTS; // JUnit, for scripts/test

export default defineConfig({
    testDir: "tests",
    outputDir: "../build/web_tests",
    timeout: 120_000, // of one test; busy machines are slow
    fullyParallel: true,
    workers: "100%",
    forbidOnly: true,
    reporter: report ? [["dot"], ["junit", { outputFile: report }]] : [[process.stdout.isTTY ? "line" : "dot"]],
    use: { browserName: "chromium", launchOptions: { executablePath: chromium } },
});
