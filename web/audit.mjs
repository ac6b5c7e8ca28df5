import { chromium } from "playwright-core";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium" });
const p = await b.newPage({ viewport: { width: 1280, height: 1000 } });
const t0 = Date.now(); await p.goto(process.argv[2]); await p.waitForSelector("h1"); console.log("open ms", Date.now()-t0);
const ids = await p.evaluate(async () => { for (const s of document.querySelectorAll("section")) { s.scrollIntoView(); await new Promise(r=>setTimeout(r,150)); } return [...document.querySelectorAll("section")].map(s=>s.id); });
const out = await p.evaluate(() => [...document.querySelectorAll("section")].map((s) => {
  const tables=[...s.querySelectorAll("table")].map(t=>({rows:t.rows.length, numbers:t.querySelectorAll("td.number").length, marks:t.querySelectorAll(".mark").length, head:(t.querySelector("thead")?.innerText||"").slice(0,60)}));
  return { id:s.id, marks:s.querySelectorAll(".mark").length, terms:s.querySelectorAll(".term").length, stops:[...s.querySelectorAll('[tabindex="0"],a[href],button,input,select,summary')].filter(e=>e.getClientRects().length).length, tables };
}));
for (const s of out) { console.log(s.id, "marks", s.marks, "terms", s.terms, "stops", s.stops); for (const t of s.tables) console.log("   table", JSON.stringify(t)); }
console.log("all tab stops", await p.evaluate(()=>[...document.querySelectorAll('[tabindex="0"],a[href],button,input,select,summary')].filter(e=>e.getClientRects().length).length), "marks", await p.evaluate(()=>document.querySelectorAll(".mark[tabindex]").length));
const metric = await p.evaluate(()=>{ const all=[...document.querySelectorAll("#numbers .mark, #every .mark")]; return [all.length, all.filter(m=>/profiler/.test(m.getAttribute("aria-label")||"")).length];}); console.log(metric);
await b.close();
