import { chromium } from "playwright-core";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium" });
for (const [w,scheme,n] of [[1280,"light","f1"],[400,"dark","f2"]]) {
const p = await b.newPage({ viewport: { width: w, height: 800 }, colorScheme: scheme });
await p.goto("file:///tmp/v2/m2.html#bytes"); await p.waitForTimeout(700);
await p.locator("#bytes svg [tabindex='0']").first().focus(); await p.keyboard.press("ArrowRight"); await p.waitForTimeout(200);
await p.screenshot({ path: `/tmp/v2/${n}.png` });
await p.goto("file:///tmp/v2/m2.html#roofline"); await p.waitForTimeout(700);
await p.locator("#roofline svg [tabindex='0']").first().focus(); await p.keyboard.press("ArrowRight"); await p.waitForTimeout(200);
await p.screenshot({ path: `/tmp/v2/${n}r.png` });
await p.close(); }
await b.close();
