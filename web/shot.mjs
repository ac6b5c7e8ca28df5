import { chromium } from "playwright-core";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium" });
const [,, ...jobs] = process.argv;
for (const job of jobs) {
  const [name, url, width, scheme, h, full] = job.split("|");
  const p = await b.newPage({ viewport: { width: +width, height: +(h||1000) }, colorScheme: scheme });
  await p.goto(url); await p.waitForTimeout(600);
  if (full === "tab") { }
  await p.screenshot({ path: `/tmp/v2/${name}.png`, fullPage: full === "full" });
  await p.close();
}
await b.close();
