import { chromium } from "playwright-core";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium" });
const p = await b.newPage({ viewport: { width: 1280, height: 1000 } });
await p.goto(process.argv[2]+"#numbers"); await p.waitForTimeout(800);
console.log(await p.evaluate(()=>{ const m=[...document.querySelectorAll("#numbers .mark")]; return [m.length, m.filter(x=>x.tabIndex===0).length, m[3]?.outerHTML, m[3]?.closest("table, details, .part")?.outerHTML.slice(0,80)]; }));
await b.close();
