const zr = "http://www.w3.org/2000/svg";
function Yn(t, e) {
  for (const n of e)
    n == null || n === !1 || (Array.isArray(n) ? Yn(t, n) : t.append(n instanceof Node ? n : String(n)));
}
function ks(t, e) {
  for (const [n, i] of Object.entries(e))
    i == null || i === !1 || (typeof i == "function" ? t.addEventListener(n, i) : t.setAttribute(n, i === !0 ? "" : String(i)));
}
function l(t, e = {}, ...n) {
  const i = document.createElement(t);
  return ks(i, e), Yn(i, n), i;
}
function I(t, e = {}, ...n) {
  const i = document.createElementNS(zr, t);
  return ks(i, e), Yn(i, n), i;
}
function fe(t, e, n, ...i) {
  return I("svg", { viewBox: `0 0 ${t} ${e}`, role: "img", "aria-label": n, class: "picture" }, ...i);
}
let Pr = 0;
const Rr = (t) => `${t}-${++Pr}`;
function St(t, e, n = 720) {
  let i = 0;
  const s = (r) => {
    const o = Math.round(r);
    o <= 0 || o === i || (i = o, t.replaceChildren(e(o)));
  };
  t.replaceChildren(e(n)), new ResizeObserver((r) => {
    for (const o of r) s(o.contentRect.width);
  }).observe(t);
}
const Ir = new Intl.NumberFormat("en", { maximumFractionDigits: 0 }), D = (t) => Ir.format(Math.round(t));
function et(t) {
  if (!Number.isFinite(t)) return "–";
  const e = Math.abs(t);
  return e === 0 ? "0" : e >= 100 ? D(t) : e >= 10 ? t.toFixed(1) : e >= 1 ? t.toFixed(2) : Number(t.toPrecision(2)).toString();
}
const Or = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
function de(t) {
  for (const [e, n] of Or) if (Math.abs(t) >= e * 0.9995) return `${et(t / e)} ${n}`;
  return Number.isInteger(t) ? String(t) : et(t);
}
const F = (t) => {
  const e = de(t);
  return /[a-zA-Z]$/.test(e) ? `${e}B` : `${e} B`;
};
function j(t) {
  return Number.isFinite(t) ? t >= 1e6 ? `${et(t / 1e6)} s` : t >= 1e4 ? `${et(t / 1e3)} ms` : `${t >= 1e3 ? D(t) : t.toFixed(1)} µs` : "–";
}
function Y(t) {
  if (!Number.isFinite(t)) return "–";
  const e = t * 100;
  return e === 0 || e === 100 ? `${e} %` : e < 0.05 ? "< 0.1 %" : `${e < 1 || e > 99 && e < 100 ? e.toFixed(1) : e.toFixed(0)} %`;
}
const ct = (t, e, n = `${e}s`) => `${D(t)} ${t === 1 ? e : n}`, Tt = (t) => t.slice(t.lastIndexOf("/") + 1);
function tt(t) {
  let e = 0;
  for (let n = 0; n < t.length; ++n) {
    const i = t[n];
    if (i === "<") ++e;
    else if (i === ">") e = Math.max(0, e - 1);
    else if (i === "(" && e === 0 && n > 0 && !t.startsWith("(anonymous", n)) return t.slice(0, n).replace(/^void /, "");
  }
  return t;
}
let Pt, qe;
function Br() {
  return Pt || (Pt = l("div", { class: "tip", role: "tooltip", id: "tip", hidden: !0 }), document.body.append(Pt), document.addEventListener("keydown", (t) => {
    t.key === "Escape" && ze();
  }), document.addEventListener("scroll", ze, { passive: !0, capture: !0 })), Pt;
}
function ze() {
  Pt && (Pt.hidden = !0), qe?.removeAttribute("aria-describedby"), qe = void 0;
}
function Fr(t, e) {
  const n = Br();
  qe?.removeAttribute("aria-describedby"), qe = t, n.replaceChildren(l("div", {}, e)), n.hidden = !1, t.setAttribute("aria-describedby", "tip");
  const i = t.getBoundingClientRect(), s = n.getBoundingClientRect(), r = 8, o = document.documentElement.clientWidth, a = Math.min(Math.max(r, i.left + i.width / 2 - s.width / 2), o - s.width - r), c = i.bottom + r + s.height <= window.innerHeight || i.top < s.height + r;
  n.style.left = `${Math.max(r, a)}px`, n.style.top = `${c ? Math.min(i.bottom + r, window.innerHeight - s.height - r) : i.top - s.height - r}px`;
}
function st(t, e) {
  const n = () => Fr(t, e());
  return t.addEventListener("pointerenter", n), t.addEventListener("pointerleave", ze), t.addEventListener("focus", () => {
    t.matches(":focus-visible") && n();
  }), t.addEventListener("blur", ze), t;
}
function ut(t, e) {
  return [l("b", {}, t), e.length > 0 && l("dl", {}, e.map(([n, i]) => [l("dt", {}, n), l("dd", {}, i)]))];
}
const zt = 128, J = 32, xn = 4, Ot = 32, ee = 32;
function Dr(t, e) {
  const n = /* @__PURE__ */ new Set();
  for (const i of t)
    for (let s = 0; i !== null && s < e; ++s) n.add(i + s);
  return n;
}
function Ns(t, e) {
  const n = Dr(t, Math.max(1, e));
  return { sectors: [...new Set([...n].map((s) => Math.floor(s / J)))].sort((s, r) => s - r), asked: n, ideal: Math.ceil(n.size / J) };
}
const mi = (t, e) => t.every((n, i) => {
  const s = t[i ^ e];
  return n === null || s === null || s === void 0 || s === n;
});
function Hr(t, e, n) {
  if (e <= xn) return ee;
  const i = e <= 8 ? ee / 2 : ee / 4;
  return n && (mi(t, 1) || mi(t, 2)) ? 2 * i : i;
}
function _i(t, e, n = !0) {
  const i = Hr(t, e, n), s = [];
  for (let r = 0; r < ee; r += i) {
    const o = Array.from({ length: Ot }, () => []);
    for (let a = r; a < Math.min(r + i, t.length); ++a) {
      const c = t[a];
      if (c != null)
        for (let u = 0; u < Math.max(1, e); u += xn) {
          const h = Math.floor((c + u) / xn), d = o[h % Ot], f = d?.find((p) => p.word === h);
          f ? f.lanes.push(a) : d?.push({ word: h, lanes: [a] });
        }
    }
    o.some((a) => a.length > 0) && s.push(o);
  }
  return s;
}
const Xr = (t) => Math.max(...t.map((e) => e.length)), Vr = (t) => t.reduce((e, n) => e + Xr(n), 0);
function Yr(t) {
  return t.flatMap((e) => e.flatMap((n, i) => n.length > 1 ? [{ bank: i, turns: n }] : [])).sort((e, n) => n.turns.length - e.turns.length);
}
function jr(t) {
  const e = t.columns + t.padding;
  return Array.from({ length: ee }, (n, i) => {
    const s = t.along === "row" ? Math.floor(i / t.columns) % t.rows : i % t.rows, r = t.along === "row" ? i % t.columns : Math.floor(i / t.rows) % t.columns, o = t.swizzle ? (r ^ s) % t.columns : r;
    return (s * e + o) * t.elementBytes;
  });
}
const wn = 33;
function jn(t) {
  const e = [];
  for (let n = 0; n < t.length; ) {
    let i = n;
    for (; i + 1 < t.length && t[i + 1] === (t[i] ?? 0) + 1; ) ++i;
    e.push(i > n ? `${t[n]} to ${t[i]}` : `${t[n]}`), n = i + 1;
  }
  return e.join(", ");
}
function gi(t, e, n, i) {
  const { sectors: s, asked: r } = Ns(e, n), o = new Set(s), a = [...new Set(s.map((E) => Math.floor(E * J / zt)))], c = a[0] ?? 0, u = a.slice(0, wn), h = 62, d = 17, f = 3, p = (t - h - 3 * f) / zt, b = /* @__PURE__ */ new Map();
  e.forEach((E, w) => {
    if (E !== null)
      for (let T = 0; T < n; ++T) b.set(E + T, [...b.get(E + T) ?? [], w]);
  });
  const N = Math.min(Math.max(n, 1), J);
  return fe(
    t,
    u.length * d + 18,
    i,
    [0, 32, 64, 96].map((E) => I("text", { x: h + E * p + E / 32 * f, y: 11, class: "quiet" }, `+${E}`)),
    u.map((E, w) => {
      const T = 16 + w * d;
      return [
        I("text", { x: 0, y: T + 12, class: "quiet" }, `${D((E - c) * zt)}`),
        [0, 1, 2, 3].map((R) => {
          const k = E * zt + R * J, L = k / J, g = h + R * (J * p + f), q = Array.from({ length: J }, (x, A) => r.has(k + A)), B = [];
          for (let x = 0; x < J; x += N) {
            if (!q[x]) continue;
            const A = b.get(k + x) ?? [];
            B.push(st(
              I("rect", { x: g + x * p + 0.5, y: T + 2, width: Math.max(1, N * p - 1), height: d - 6, rx: 1, class: `asked turn-${(A[0] ?? 0) % 2}`, "data-lanes": A.join(" ") }),
              () => ut(`byte ${D(k + x - c * zt)}`, [["lanes", jn(A)]])
            ));
            const O = N * p;
            O > 13 && B.push(I("text", { x: g + x * p + O / 2, y: T + 11, class: "on middle tiny" }, A.length > 1 ? `${A[0]}…` : String(A[0] ?? "")));
          }
          return [I("rect", { x: g, y: T, width: J * p, height: d - 2, rx: 2, class: o.has(L) ? "sector moved" : "sector", "data-sector": o.has(L) ? L : null }), B];
        })
      ];
    })
  );
}
function Wr({ lanes: t, element: e, array: n }) {
  const { sectors: i, asked: s, ideal: r } = Ns(t, e), o = t.filter((f) => f !== null).length, a = i.length * J, c = Array.from({ length: Math.ceil(s.size / Math.max(1, e)) }, (f, p) => p * e), u = l("div", {}), h = l("div", {});
  St(u, (f) => gi(f, t, e, `sectors of a request: ${i.length}`), 520), St(h, (f) => gi(f, c, e, `the ideal: ${r}`), 520);
  const d = new Set(i.map((f) => Math.floor(f * J / zt))).size;
  return l(
    "div",
    { class: "part part-access sectors" },
    l(
      "p",
      { class: "said" },
      `${ct(o, "lane")} ask${o === 1 ? "s" : ""} for ${F(s.size)}${n ? ` of ${n}` : ""}: `,
      l("b", { "data-units": i.length }, ct(i.length, "sector")),
      ` move${i.length === 1 ? "s" : ""} (${F(a)}), ${r} would do. `,
      a > s.size ? `${Y(1 - s.size / a)} of what moves nobody asked for.` : "Nothing moves that nobody asked for."
    ),
    l(
      "div",
      { class: "beside" },
      l("figure", {}, l("figcaption", {}, "as it is"), u, d > wn && l("p", { class: "quiet small" }, `${d - wn} more lines are not drawn.`)),
      l("figure", {}, l("figcaption", {}, i.length > r ? "the same bytes side by side" : "the ideal, which it is"), h)
    ),
    l("p", { class: "quiet small" }, "A row is a line of 128 bytes, an outlined box a sector of 32 that moves, filled what a lane asks for. Bytes count from the first line.")
  );
}
function yi(t, e, n) {
  const i = t < 480 ? 22 : 84, s = (t - i) / Ot, r = Math.min(20, Math.max(12, s)), o = e.map((f) => Math.max(...f.map((p) => p.length))), a = o.reduce((f, p) => f + p, 0), c = s < 15 ? 4 : 1;
  let u = 18, h = 0;
  const d = e.map((f, p) => {
    const b = u, N = o[p] ?? 0;
    return u += N * r + (p + 1 < e.length ? 6 : 0), [
      Array.from({ length: N }, (E, w) => I("text", { x: i - 6, y: b + w * r + r / 2 + 4, class: "quiet end" }, t < 480 ? `${++h}` : `wavefront ${++h}`)),
      f.map((E, w) => Array.from({ length: N }, (T, R) => {
        const k = E[R], L = i + w * s, g = b + R * r, q = { x: L + 0.5, y: g + 0.5, width: Math.max(1, s - 1), height: r - 1, rx: 1.5 };
        return k ? [st(
          I("rect", { ...q, class: `bank busy ${R > 0 ? "late" : ""}`, "data-bank": w, "data-lanes": k.lanes.join(" ") }),
          () => ut(`bank ${w}, wavefront ${R + 1}`, [["lanes", jn(k.lanes)], ["word", String(k.word)]])
        ), s >= 15 && I("text", { x: L + s / 2, y: g + r / 2 + 4, class: "on middle tiny" }, k.lanes.length > 1 ? `${k.lanes[0]}…` : String(k.lanes[0]))] : I("rect", { ...q, class: "bank free" });
      }))
    ];
  });
  return fe(
    t,
    18 + a * r + Math.max(0, e.length - 1) * 6 + 2,
    n,
    I("text", { x: 0, y: 12, class: "quiet" }, t < 480 ? "" : "bank"),
    Array.from({ length: Ot }, (f, p) => p % c === 0 || p === Ot - 1 && c === 1 ? I("text", { x: i + p * s + s / 2, y: 12, class: "quiet middle tiny" }, String(p)) : null),
    d
  );
}
function Gr(t) {
  const e = Yr(t), n = e[0];
  if (!n) return "No two lanes want different words of one bank.";
  const i = n.turns.flatMap((r) => r.lanes).sort((r, o) => r - o), s = e.length > 1 ? ` So do lanes at ${ct(e.length - 1, "other bank")}.` : "";
  return `Lanes ${jn(i)} meet at bank ${n.bank} and want ${n.turns.length} different words: they take turns.${s}`;
}
function Ss({ lanes: t, element: e, array: n, load: i = !0 }) {
  const s = _i(t, e, i), r = Vr(s), o = t.filter((f) => f !== null).length, a = new Set(s.flatMap((f) => f.flatMap((p) => p.map((b) => b.word)))).size, c = Math.max(1, Math.ceil(a / Ot)), u = _i(Array.from({ length: Math.max(1, Math.ceil(a * 4 / Math.max(4, e))) }, (f, p) => p * Math.max(4, e)), Math.max(4, e), i), h = l("div", {}), d = l("div", {});
  return St(h, (f) => yi(f, s, `banks of a request: ${r} wavefronts`), 560), St(d, (f) => yi(f, u, `the ideal: ${c} wavefronts`), 560), l(
    "div",
    { class: "part part-access banks" },
    l("p", { class: "said" }, `${ct(o, "lane")} at the banks${n ? ` of ${n}` : ""}: `, l("b", { "data-units": r }, ct(r, "wavefront")), `, ${c} would do. `, Gr(s)),
    l("div", { class: "beside wide" }, l("figure", {}, l("figcaption", {}, "as it is"), h), r > c && l("figure", {}, l("figcaption", {}, "the same words in different banks"), d)),
    l("p", { class: "quiet small" }, "A column is a bank of 4 bytes a turn, a row a wavefront; the number is the lane that is served (… where several share a word).")
  );
}
function Ur(t = {}) {
  const e = { rows: 32, columns: 32, elementBytes: 4, padding: 0, swizzle: !1, along: "column", ...t }, n = l("div", {}), i = (a, c, u, h) => {
    const d = l("input", { type: "number", min: u, max: h, value: e[c], "aria-label": a, "data-control": c, size: 4 });
    return d.addEventListener("input", () => {
      const f = Math.round(Number(d.value));
      d.value === "" || !Number.isFinite(f) || (e[c] = Math.min(h, Math.max(u, f)), o());
    }), l("label", {}, `${a} `, d);
  }, s = (a, c, u, h, d) => {
    const f = l("select", { "aria-label": a, "data-control": c }, u.map(([p, b]) => l("option", { value: p, selected: p === h }, b)));
    return f.addEventListener("change", () => {
      d(f.value), o();
    }), l("label", {}, `${a} `, f);
  }, r = l("input", { type: "checkbox", checked: e.swizzle, "data-control": "swizzle" });
  r.addEventListener("change", () => {
    e.swizzle = r.checked, o();
  });
  const o = () => n.replaceChildren(Ss({ lanes: jr(e), element: e.elementBytes, array: `tile[${e.rows}][${e.columns + e.padding}]` }));
  return o(), l("div", { class: "part part-trial" }, l(
    "div",
    { class: "controls" },
    i("rows", "rows", 1, 128),
    i("columns", "columns", 1, 128),
    i("padding", "padding", 0, 32),
    s("element", "element", [["4", "4 bytes"], ["8", "8 bytes"], ["16", "16 bytes"]], String(e.elementBytes), (a) => e.elementBytes = Number(a)),
    s("lanes walk along", "along", [["column", "a column"], ["row", "a row"]], e.along, (a) => e.along = a),
    l("label", { title: "element (row, column) is stored at column XOR row" }, r, " swizzle")
  ), n);
}
const bi = (t) => `${t.banks ? "banks" : "sectors"}: ${t.kind}${t.array ? ` of ${t.array}` : ""}`;
function Kr(t) {
  const e = t.banks ? Ss({ lanes: t.lanes, element: t.element_bytes, array: t.array, load: t.kind === "load" }) : Wr({ lanes: t.lanes, element: t.element_bytes, array: t.array });
  return l("div", {}, l("p", { class: "quiet small" }, `A ${t.which} request of this line: ${D(t.requests)} of ${D(t.of)}${t.of > 0 ? ` (${Y(t.requests / t.of)})` : ""} take ${t.units} ${t.banks ? t.units === 1 ? "wavefront" : "wavefronts" : t.units === 1 ? "sector" : "sectors"}.`), e);
}
function Zr(t) {
  const e = l("div", { class: "part part-accesses" }), n = [...new Set(t.map(bi))];
  for (const i of n) {
    const s = t.filter((d) => bi(d) === i), r = ["best", "typical", "worst"];
    s.sort((d, f) => r.indexOf(d.which) - r.indexOf(f.which));
    const o = l("div", {}), a = s.map((d) => l("button", { type: "button", "aria-pressed": "false", "data-which": d.which, click: () => c(d) }, d.which)), c = (d) => {
      s.forEach((f, p) => a[p]?.setAttribute("aria-pressed", String(f === d))), o.replaceChildren(Kr(d));
    }, u = s.find((d) => d.which === "typical") ?? s[0];
    u && c(u), e.append(l("h5", {}, i), s.length > 1 ? l("div", { class: "controls" }, a) : "", o);
    const h = s.find((d) => d.banks);
    h && e.append(l("details", {}, l("summary", {}, "Try another layout: padding or a swizzle"), Ur({ elementBytes: [4, 8, 16].includes(h.element_bytes) ? h.element_bytes : 4 })));
  }
  return e;
}
const Pe = {
  counted: { sign: "●", means: "every access was run and counted: exact" },
  "machine code": { sign: "◆", means: "read from the machine code that the compiler made" },
  modelled: { sign: "◐", means: "of a model of the device's caches and time, checked against cards" },
  estimated: { sign: "○", means: "reckoned from other numbers, because nothing better is known" }
}, Qr = (t) => t in Pe;
function V(t, e) {
  const n = Qr(t) ? t : "estimated", i = l(
    "span",
    { class: `mark mark-${n.replace(" ", "-")}`, tabindex: 0, role: "note", "aria-label": e ? `${n}; the profiler's ${e}` : n },
    Pe[n].sign
  );
  return st(i, () => [ut(n, []), l("p", {}, Pe[n].means), e && l("p", {}, "Nsight Compute: ", l("code", {}, e))]);
}
function Jr() {
  return l("p", { class: "legend" }, Object.entries(Pe).map(([t, { sign: e, means: n }]) => l(
    "span",
    { class: "legend-item", title: n },
    l("span", { class: `mark mark-${t.replace(" ", "-")}`, "aria-hidden": "true" }, e),
    ` ${t}`
  )));
}
const Ts = (t) => t.file !== void 0 && t.line !== void 0;
function Es(t, e) {
  const n = `${Tt(t.file)}:${t.line}`;
  return !e || e.knows?.(t.file) === !1 ? l("span", { title: t.file }, n) : l("a", { href: "#source", class: "place", title: t.file, click: (i) => {
    i.preventDefault(), e(t.file, t.line);
  } }, n);
}
function ae(t) {
  return t.kind === "list" && t.text && (t.values ?? []).length > 0 ? [t.text, l("ul", {}, (t.values ?? []).map((e) => l("li", {}, e.text)))] : t.text ? t.text : (t.values ?? []).map((e) => e.text).join(", ");
}
const xi = { good: "✓", poor: "▲" };
function to(t) {
  return t.verdict && xi[t.verdict] ? l("span", { class: `verdict-${t.verdict}`, title: t.verdict }, `${xi[t.verdict]} ${t.verdict}`) : null;
}
function eo(t) {
  return t.rows?.length ? t.columns ? l("div", { class: "scroll" }, l(
    "table",
    {},
    l("thead", {}, l("tr", {}, t.columns.map((e, n) => l("th", { class: n > 0 ? "number" : "" }, e)))),
    l("tbody", {}, t.rows.map((e) => l("tr", {}, l("td", {}, e.label ?? e.text ?? ""), (e.values ?? []).map((n) => l("td", { class: "number" }, n.text)))))
  )) : l("ul", {}, t.rows.map((e) => l("li", {}, e.label && l("b", {}, `${e.label} `), ae(e)))) : null;
}
function no(t, e, n = () => !1) {
  const i = (t.rows ?? []).filter((s) => !n(s));
  return l("dl", { class: "part part-rows" }, i.map((s) => {
    const r = (s.places ?? []).filter(Ts);
    return [l("dt", {}, s.label ?? ""), l(
      "dd",
      {},
      ae(s),
      V(s.source),
      " ",
      to(s),
      r.length > 0 && l("span", { class: "quiet" }, "  ", r.map((o, a) => [a > 0 && ", ", Es(o, e)])),
      eo(s)
    )];
  }));
}
const io = /(microseconds|bytes|sectors|conflicts|wavefronts|requests|instructions|misses|lines|passes|waits|spill)/, so = /(hit|occupancy|intensity|warps_per_sm|blocks_per_sm)/;
function ro(t, e, n) {
  if (e === null || n === null) return "changed";
  if (e === n) return "same";
  const i = n > e;
  return so.test(t) ? i ? "better" : "worse" : io.test(t) ? i ? "worse" : "better" : "changed";
}
const wi = { same: "=", changed: "◆" }, _e = (t) => t == null ? "–" : Number.isInteger(t) ? D(t) : et(t);
function oo(t, e) {
  if (t === null || e === null || t === e) return "";
  if (t === 0) return "from none";
  const n = e / t;
  return n >= 2 ? `${et(n)}× more` : n > 0 && n <= 0.5 ? `${et(1 / n)}× less` : `${n > 1 ? "+" : "−"}${Y(Math.abs(n - 1))}`;
}
function ao(t, e, n, i = !1) {
  const s = i && e !== n ? "changed" : ro(t, e, n), r = s === "same" ? wi.same : e !== null && n !== null ? n > e ? "▲" : "▼" : wi.changed;
  return l("span", { class: `change ${s}`, "data-sense": s }, l("span", { class: "arrow", "aria-hidden": "true" }, r), ` ${[s === "changed" ? "" : s, oo(e, n)].filter(Boolean).join(", ")}`);
}
function ge(t, e) {
  return l(
    "table",
    { class: "whole stack" },
    l("thead", {}, l("tr", {}, t.map((n, i) => l("th", { class: i > 0 && i < 3 ? "number" : "" }, n)))),
    l("tbody", {}, e.map((n) => l("tr", {}, n.map((i, s) => l("td", { class: s === 0 ? "name" : s < 3 ? "number" : "", "data-label": s > 0 ? t[s] : null }, i)))))
  );
}
function Sh(t, e) {
  const n = t.data, i = l("div", { class: "part part-compare" }), s = n.device_after === void 0, r = s ? ["", "here", "on the card", "difference"] : ["", "before", "after", "change"], o = (h, d, f) => ao(h, d, f, s);
  i.append(l("p", { class: "quiet" }, s ? "here: " : "before: ", l("b", {}, t.before), s ? " · on the card: " : " · after: ", l("b", {}, t.after)));
  const a = Object.entries(n.program ?? {});
  a.length > 0 && i.append(l("h4", {}, "Program", V("modelled")), ge(r, a.map(([h, d]) => [h.replaceAll("_", " "), d.before === null ? "–" : j(d.before), d.after === null ? "–" : j(d.after), o("microseconds", d.before, d.after)])));
  const c = n.kernels ?? [];
  c.length > 0 && i.append(l("h4", {}, "Kernels", V("modelled")), ge(["kernel", ...r.slice(1)], c.map((h) => {
    const d = h.time, f = l("span", { title: h.kernel }, tt(h.kernel), h.launches_before !== h.launches_after ? l("span", { class: "quiet" }, ` ${h.launches_before} → ${h.launches_after} launches`) : ""), p = d?.bound_before && d.bound_after ? d.bound_before === d.bound_after ? ` bound by ${d.bound_after}` : ` bound by ${d.bound_before}, now ${d.bound_after}` : "";
    return [f, d && d.before !== null ? j(d.before) : "–", d && d.after !== null ? j(d.after) : "–", h.presence !== "both" ? l("span", { class: "change changed" }, `◆ ${h.presence}`) : [o("microseconds", d?.before ?? null, d?.after ?? null), l("span", { class: "quiet small" }, p)]];
  })));
  for (const h of n.launches ?? []) {
    const d = h.figures ?? [], f = d.filter((w) => w.change !== "same"), p = (h.lines ?? []).filter((w) => (w.bytes_before ?? 0) !== (w.bytes_after ?? 0)), b = l("div", {}), N = (w) => b.replaceChildren((w ? d : f).length > 0 ? ge(["figure", ...r.slice(1)], (w ? d : f).map((T) => [[l("span", { title: e[T.name]?.text ?? "" }, T.name.replaceAll("_", " ")), V(T.origin ?? e[T.name]?.source ?? "counted", e[T.name]?.profiler)], _e(T.before), _e(T.after), o(T.name, T.before, T.after)])) : l("p", { class: "nothing" }, "All figures are equal.")), E = l("input", { type: "checkbox" });
    E.addEventListener("change", () => N(E.checked)), N(!1), i.append(l(
      "details",
      { open: (n.launches ?? []).length < 4 },
      l("summary", {}, l("b", {}, tt(h.kernel)), l("span", { class: "quiet" }, ` launch ${h.before}${h.after !== h.before ? ` → ${h.after}` : ""}: ${f.length} of ${d.length} figures changed`)),
      l("div", { class: "controls" }, l("label", {}, E, " equal ones, too")),
      b,
      p.length > 0 && [l("h5", {}, "Lines, by bytes moved"), ge(["line", ...r.slice(1)], p.map((w) => [`${Tt(w.file)}:${w.line_before ?? "–"}${w.line_after !== w.line_before ? ` → ${w.line_after ?? "–"}` : ""}`, _e(w.bytes_before), _e(w.bytes_after), o("bytes", w.bytes_before ?? null, w.bytes_after ?? null)]))]
    ));
  }
  const u = [[s ? "only here" : "only before", n.only_before ?? []], [s ? "only on the card" : "only after", n.only_after ?? []]];
  for (const [h, d] of u) d.length > 0 && i.append(l("details", {}, l("summary", {}, `${ct(d.length, "launch", "launches")} ${h}`), l("ul", {}, d.slice(0, 50).map((f) => l("li", {}, f)), d.length > 50 && l("li", { class: "quiet" }, `and ${d.length - 50} more`))));
  return i.append(l("details", {}, l("summary", {}, "The same in the report's words"), t.document.sections.map((h) => [h.title && l("h4", {}, h.title), no(h)]))), i;
}
function As(t, e) {
  return t < e ? -1 : t > e ? 1 : t >= e ? 0 : NaN;
}
function Ls(t) {
  let e = t, n = t;
  t.length === 1 && (e = (o, a) => t(o) - a, n = lo(t));
  function i(o, a, c, u) {
    for (c == null && (c = 0), u == null && (u = o.length); c < u; ) {
      const h = c + u >>> 1;
      n(o[h], a) < 0 ? c = h + 1 : u = h;
    }
    return c;
  }
  function s(o, a, c, u) {
    for (c == null && (c = 0), u == null && (u = o.length); c < u; ) {
      const h = c + u >>> 1;
      n(o[h], a) > 0 ? u = h : c = h + 1;
    }
    return c;
  }
  function r(o, a, c, u) {
    c == null && (c = 0), u == null && (u = o.length);
    const h = i(o, a, c, u - 1);
    return h > c && e(o[h - 1], a) > -e(o[h], a) ? h - 1 : h;
  }
  return { left: i, center: r, right: s };
}
function lo(t) {
  return (e, n) => As(t(e), n);
}
function co(t) {
  return t === null ? NaN : +t;
}
const uo = Ls(As), ho = uo.right;
Ls(co).center;
var vn = Math.sqrt(50), $n = Math.sqrt(10), Mn = Math.sqrt(2);
function kn(t, e, n) {
  var i, s = -1, r, o, a;
  if (e = +e, t = +t, n = +n, t === e && n > 0) return [t];
  if ((i = e < t) && (r = t, t = e, e = r), (a = Cs(t, e, n)) === 0 || !isFinite(a)) return [];
  if (a > 0) {
    let c = Math.round(t / a), u = Math.round(e / a);
    for (c * a < t && ++c, u * a > e && --u, o = new Array(r = u - c + 1); ++s < r; ) o[s] = (c + s) * a;
  } else {
    a = -a;
    let c = Math.round(t * a), u = Math.round(e * a);
    for (c / a < t && ++c, u / a > e && --u, o = new Array(r = u - c + 1); ++s < r; ) o[s] = (c + s) / a;
  }
  return i && o.reverse(), o;
}
function Cs(t, e, n) {
  var i = (e - t) / Math.max(0, n), s = Math.floor(Math.log(i) / Math.LN10), r = i / Math.pow(10, s);
  return s >= 0 ? (r >= vn ? 10 : r >= $n ? 5 : r >= Mn ? 2 : 1) * Math.pow(10, s) : -Math.pow(10, -s) / (r >= vn ? 10 : r >= $n ? 5 : r >= Mn ? 2 : 1);
}
function fo(t, e, n) {
  var i = Math.abs(e - t) / Math.max(0, n), s = Math.pow(10, Math.floor(Math.log(i) / Math.LN10)), r = i / s;
  return r >= vn ? s *= 10 : r >= $n ? s *= 5 : r >= Mn && (s *= 2), e < t ? -s : s;
}
function vi(t, e) {
  let n;
  if (e === void 0)
    for (const i of t)
      i != null && (n < i || n === void 0 && i >= i) && (n = i);
  else {
    let i = -1;
    for (let s of t)
      (s = e(s, ++i, t)) != null && (n < s || n === void 0 && s >= s) && (n = s);
  }
  return n;
}
function po(t, e) {
  let n;
  if (e === void 0)
    for (const i of t)
      i != null && (n > i || n === void 0 && i >= i) && (n = i);
  else {
    let i = -1;
    for (let s of t)
      (s = e(s, ++i, t)) != null && (n > s || n === void 0 && s >= s) && (n = s);
  }
  return n;
}
function an(t, e) {
  let n = 0;
  if (e === void 0)
    for (let i of t)
      (i = +i) && (n += i);
  else {
    let i = -1;
    for (let s of t)
      (s = +e(s, ++i, t)) && (n += s);
  }
  return n;
}
function mo(t, e) {
  return t.sourceLinks.length ? t.depth : e - 1;
}
function ye(t) {
  return function() {
    return t;
  };
}
function $i(t, e) {
  return Re(t.source, e.source) || t.index - e.index;
}
function Mi(t, e) {
  return Re(t.target, e.target) || t.index - e.index;
}
function Re(t, e) {
  return t.y0 - e.y0;
}
function ln(t) {
  return t.value;
}
function _o(t) {
  return t.index;
}
function go(t) {
  return t.nodes;
}
function yo(t) {
  return t.links;
}
function ki(t, e) {
  const n = t.get(e);
  if (!n) throw new Error("missing: " + e);
  return n;
}
function Ni({ nodes: t }) {
  for (const e of t) {
    let n = e.y0, i = n;
    for (const s of e.sourceLinks)
      s.y0 = n + s.width / 2, n += s.width;
    for (const s of e.targetLinks)
      s.y1 = i + s.width / 2, i += s.width;
  }
}
function bo() {
  let t = 0, e = 0, n = 1, i = 1, s = 24, r = 8, o, a = _o, c = mo, u, h, d = go, f = yo, p = 6;
  function b() {
    const _ = { nodes: d.apply(null, arguments), links: f.apply(null, arguments) };
    return N(_), E(_), w(_), T(_), L(_), Ni(_), _;
  }
  b.update = function(_) {
    return Ni(_), _;
  }, b.nodeId = function(_) {
    return arguments.length ? (a = typeof _ == "function" ? _ : ye(_), b) : a;
  }, b.nodeAlign = function(_) {
    return arguments.length ? (c = typeof _ == "function" ? _ : ye(_), b) : c;
  }, b.nodeSort = function(_) {
    return arguments.length ? (u = _, b) : u;
  }, b.nodeWidth = function(_) {
    return arguments.length ? (s = +_, b) : s;
  }, b.nodePadding = function(_) {
    return arguments.length ? (r = o = +_, b) : r;
  }, b.nodes = function(_) {
    return arguments.length ? (d = typeof _ == "function" ? _ : ye(_), b) : d;
  }, b.links = function(_) {
    return arguments.length ? (f = typeof _ == "function" ? _ : ye(_), b) : f;
  }, b.linkSort = function(_) {
    return arguments.length ? (h = _, b) : h;
  }, b.size = function(_) {
    return arguments.length ? (t = e = 0, n = +_[0], i = +_[1], b) : [n - t, i - e];
  }, b.extent = function(_) {
    return arguments.length ? (t = +_[0][0], n = +_[1][0], e = +_[0][1], i = +_[1][1], b) : [[t, e], [n, i]];
  }, b.iterations = function(_) {
    return arguments.length ? (p = +_, b) : p;
  };
  function N({ nodes: _, links: y }) {
    for (const [M, $] of _.entries())
      $.index = M, $.sourceLinks = [], $.targetLinks = [];
    const v = new Map(_.map((M, $) => [a(M, $, _), M]));
    for (const [M, $] of y.entries()) {
      $.index = M;
      let { source: S, target: P } = $;
      typeof S != "object" && (S = $.source = ki(v, S)), typeof P != "object" && (P = $.target = ki(v, P)), S.sourceLinks.push($), P.targetLinks.push($);
    }
    if (h != null)
      for (const { sourceLinks: M, targetLinks: $ } of _)
        M.sort(h), $.sort(h);
  }
  function E({ nodes: _ }) {
    for (const y of _)
      y.value = y.fixedValue === void 0 ? Math.max(an(y.sourceLinks, ln), an(y.targetLinks, ln)) : y.fixedValue;
  }
  function w({ nodes: _ }) {
    const y = _.length;
    let v = new Set(_), M = /* @__PURE__ */ new Set(), $ = 0;
    for (; v.size; ) {
      for (const S of v) {
        S.depth = $;
        for (const { target: P } of S.sourceLinks)
          M.add(P);
      }
      if (++$ > y) throw new Error("circular link");
      v = M, M = /* @__PURE__ */ new Set();
    }
  }
  function T({ nodes: _ }) {
    const y = _.length;
    let v = new Set(_), M = /* @__PURE__ */ new Set(), $ = 0;
    for (; v.size; ) {
      for (const S of v) {
        S.height = $;
        for (const { source: P } of S.targetLinks)
          M.add(P);
      }
      if (++$ > y) throw new Error("circular link");
      v = M, M = /* @__PURE__ */ new Set();
    }
  }
  function R({ nodes: _ }) {
    const y = vi(_, ($) => $.depth) + 1, v = (n - t - s) / (y - 1), M = new Array(y);
    for (const $ of _) {
      const S = Math.max(0, Math.min(y - 1, Math.floor(c.call(null, $, y))));
      $.layer = S, $.x0 = t + S * v, $.x1 = $.x0 + s, M[S] ? M[S].push($) : M[S] = [$];
    }
    if (u) for (const $ of M)
      $.sort(u);
    return M;
  }
  function k(_) {
    const y = po(_, (v) => (i - e - (v.length - 1) * o) / an(v, ln));
    for (const v of _) {
      let M = e;
      for (const $ of v) {
        $.y0 = M, $.y1 = M + $.value * y, M = $.y1 + o;
        for (const S of $.sourceLinks)
          S.width = S.value * y;
      }
      M = (i - M + o) / (v.length + 1);
      for (let $ = 0; $ < v.length; ++$) {
        const S = v[$];
        S.y0 += M * ($ + 1), S.y1 += M * ($ + 1);
      }
      z(v);
    }
  }
  function L(_) {
    const y = R(_);
    o = Math.min(r, (i - e) / (vi(y, (v) => v.length) - 1)), k(y);
    for (let v = 0; v < p; ++v) {
      const M = Math.pow(0.99, v), $ = Math.max(1 - M, (v + 1) / p);
      q(y, M, $), g(y, M, $);
    }
  }
  function g(_, y, v) {
    for (let M = 1, $ = _.length; M < $; ++M) {
      const S = _[M];
      for (const P of S) {
        let H = 0, W = 0;
        for (const { source: U, value: Z } of P.targetLinks) {
          let K = Z * (P.layer - U.layer);
          H += C(U, P) * K, W += K;
        }
        if (!(W > 0)) continue;
        let X = (H / W - P.y0) * y;
        P.y0 += X, P.y1 += X, O(P);
      }
      u === void 0 && S.sort(Re), B(S, v);
    }
  }
  function q(_, y, v) {
    for (let M = _.length, $ = M - 2; $ >= 0; --$) {
      const S = _[$];
      for (const P of S) {
        let H = 0, W = 0;
        for (const { target: U, value: Z } of P.sourceLinks) {
          let K = Z * (U.layer - P.layer);
          H += m(P, U) * K, W += K;
        }
        if (!(W > 0)) continue;
        let X = (H / W - P.y0) * y;
        P.y0 += X, P.y1 += X, O(P);
      }
      u === void 0 && S.sort(Re), B(S, v);
    }
  }
  function B(_, y) {
    const v = _.length >> 1, M = _[v];
    A(_, M.y0 - o, v - 1, y), x(_, M.y1 + o, v + 1, y), A(_, i, _.length - 1, y), x(_, e, 0, y);
  }
  function x(_, y, v, M) {
    for (; v < _.length; ++v) {
      const $ = _[v], S = (y - $.y0) * M;
      S > 1e-6 && ($.y0 += S, $.y1 += S), y = $.y1 + o;
    }
  }
  function A(_, y, v, M) {
    for (; v >= 0; --v) {
      const $ = _[v], S = ($.y1 - y) * M;
      S > 1e-6 && ($.y0 -= S, $.y1 -= S), y = $.y0 - o;
    }
  }
  function O({ sourceLinks: _, targetLinks: y }) {
    if (h === void 0) {
      for (const { source: { sourceLinks: v } } of y)
        v.sort(Mi);
      for (const { target: { targetLinks: v } } of _)
        v.sort($i);
    }
  }
  function z(_) {
    if (h === void 0)
      for (const { sourceLinks: y, targetLinks: v } of _)
        y.sort(Mi), v.sort($i);
  }
  function C(_, y) {
    let v = _.y0 - (_.sourceLinks.length - 1) * o / 2;
    for (const { target: M, width: $ } of _.sourceLinks) {
      if (M === y) break;
      v += $ + o;
    }
    for (const { source: M, width: $ } of y.targetLinks) {
      if (M === _) break;
      v -= $;
    }
    return v;
  }
  function m(_, y) {
    let v = y.y0 - (y.targetLinks.length - 1) * o / 2;
    for (const { source: M, width: $ } of y.targetLinks) {
      if (M === _) break;
      v += $ + o;
    }
    for (const { target: M, width: $ } of _.sourceLinks) {
      if (M === y) break;
      v -= $;
    }
    return v;
  }
  return b;
}
var Nn = Math.PI, Sn = 2 * Nn, wt = 1e-6, xo = Sn - wt;
function Tn() {
  this._x0 = this._y0 = // start of current subpath
  this._x1 = this._y1 = null, this._ = "";
}
function qs() {
  return new Tn();
}
Tn.prototype = qs.prototype = {
  constructor: Tn,
  moveTo: function(t, e) {
    this._ += "M" + (this._x0 = this._x1 = +t) + "," + (this._y0 = this._y1 = +e);
  },
  closePath: function() {
    this._x1 !== null && (this._x1 = this._x0, this._y1 = this._y0, this._ += "Z");
  },
  lineTo: function(t, e) {
    this._ += "L" + (this._x1 = +t) + "," + (this._y1 = +e);
  },
  quadraticCurveTo: function(t, e, n, i) {
    this._ += "Q" + +t + "," + +e + "," + (this._x1 = +n) + "," + (this._y1 = +i);
  },
  bezierCurveTo: function(t, e, n, i, s, r) {
    this._ += "C" + +t + "," + +e + "," + +n + "," + +i + "," + (this._x1 = +s) + "," + (this._y1 = +r);
  },
  arcTo: function(t, e, n, i, s) {
    t = +t, e = +e, n = +n, i = +i, s = +s;
    var r = this._x1, o = this._y1, a = n - t, c = i - e, u = r - t, h = o - e, d = u * u + h * h;
    if (s < 0) throw new Error("negative radius: " + s);
    if (this._x1 === null)
      this._ += "M" + (this._x1 = t) + "," + (this._y1 = e);
    else if (d > wt) if (!(Math.abs(h * a - c * u) > wt) || !s)
      this._ += "L" + (this._x1 = t) + "," + (this._y1 = e);
    else {
      var f = n - r, p = i - o, b = a * a + c * c, N = f * f + p * p, E = Math.sqrt(b), w = Math.sqrt(d), T = s * Math.tan((Nn - Math.acos((b + d - N) / (2 * E * w))) / 2), R = T / w, k = T / E;
      Math.abs(R - 1) > wt && (this._ += "L" + (t + R * u) + "," + (e + R * h)), this._ += "A" + s + "," + s + ",0,0," + +(h * f > u * p) + "," + (this._x1 = t + k * a) + "," + (this._y1 = e + k * c);
    }
  },
  arc: function(t, e, n, i, s, r) {
    t = +t, e = +e, n = +n, r = !!r;
    var o = n * Math.cos(i), a = n * Math.sin(i), c = t + o, u = e + a, h = 1 ^ r, d = r ? i - s : s - i;
    if (n < 0) throw new Error("negative radius: " + n);
    this._x1 === null ? this._ += "M" + c + "," + u : (Math.abs(this._x1 - c) > wt || Math.abs(this._y1 - u) > wt) && (this._ += "L" + c + "," + u), n && (d < 0 && (d = d % Sn + Sn), d > xo ? this._ += "A" + n + "," + n + ",0,1," + h + "," + (t - o) + "," + (e - a) + "A" + n + "," + n + ",0,1," + h + "," + (this._x1 = c) + "," + (this._y1 = u) : d > wt && (this._ += "A" + n + "," + n + ",0," + +(d >= Nn) + "," + h + "," + (this._x1 = t + n * Math.cos(s)) + "," + (this._y1 = e + n * Math.sin(s))));
  },
  rect: function(t, e, n, i) {
    this._ += "M" + (this._x0 = this._x1 = +t) + "," + (this._y0 = this._y1 = +e) + "h" + +n + "v" + +i + "h" + -n + "Z";
  },
  toString: function() {
    return this._;
  }
};
function Si(t) {
  return function() {
    return t;
  };
}
function wo(t) {
  return t[0];
}
function vo(t) {
  return t[1];
}
var $o = Array.prototype.slice;
function Mo(t) {
  return t.source;
}
function ko(t) {
  return t.target;
}
function No(t) {
  var e = Mo, n = ko, i = wo, s = vo, r = null;
  function o() {
    var a, c = $o.call(arguments), u = e.apply(this, c), h = n.apply(this, c);
    if (r || (r = a = qs()), t(r, +i.apply(this, (c[0] = u, c)), +s.apply(this, c), +i.apply(this, (c[0] = h, c)), +s.apply(this, c)), a) return r = null, a + "" || null;
  }
  return o.source = function(a) {
    return arguments.length ? (e = a, o) : e;
  }, o.target = function(a) {
    return arguments.length ? (n = a, o) : n;
  }, o.x = function(a) {
    return arguments.length ? (i = typeof a == "function" ? a : Si(+a), o) : i;
  }, o.y = function(a) {
    return arguments.length ? (s = typeof a == "function" ? a : Si(+a), o) : s;
  }, o.context = function(a) {
    return arguments.length ? (r = a ?? null, o) : r;
  }, o;
}
function So(t, e, n, i, s) {
  t.moveTo(e, n), t.bezierCurveTo(e = (e + i) / 2, n, e, s, i, s);
}
function To() {
  return No(So);
}
function Eo(t) {
  return [t.source.x1, t.y0];
}
function Ao(t) {
  return [t.target.x0, t.y1];
}
function Lo() {
  return To().source(Eo).target(Ao);
}
const Co = { threads: "SM", l1: "L1", shared: "shared", local: "local", l2: "L2", l2_far: "L2 far", dram: "DRAM" }, Rt = (t) => Co[t] ?? t, Ht = { threads: 0, l1: 1, shared: 1, local: 1, l2: 2, l2_far: 3, dram: 4 }, Ie = (t) => (Ht[t.from] ?? 0) > (Ht[t.to] ?? 0), ne = (t) => Ie(t) ? `${Rt(t.to)} ← ${Rt(t.from)}` : `${Rt(t.from)} → ${Rt(t.to)}`, ie = (t) => Math.min(t.bytes, Math.max(0, t.wasted ?? 0));
function qo(t) {
  const e = [["moved", F(t.bytes)]];
  return t.asked !== void 0 && e.unshift(["asked for", F(t.asked)]), ie(t) > 0 && e.push(["nobody asked for", `${F(ie(t))} (${Y(ie(t) / t.bytes)})`]), [ut(`${ne(t)}, ${t.what}`, e), l("p", { class: "quiet" }, t.source)];
}
const Ti = (t) => t.reduce((e, n) => e + n.bytes, 0), zs = (t, e) => Math.max(Ti(t.filter((n) => n.to === e)), Ti(t.filter((n) => n.from === e)));
function Ei(t, e, n, i, s) {
  if (t.length === 0) return null;
  const r = t.map((g) => Ie(g) ? { ...g } : { ...g, from: g.to, to: g.from }), o = [...new Set(r.flatMap((g) => [g.to, g.from]))], a = o.map((g) => ({ id: g })), c = (g) => zs(t, g), u = t.flatMap((g, q) => {
    const B = r[q];
    if (!B) return [];
    const x = ie(g), A = { source: B.to, target: B.from }, O = [];
    return g.bytes - x > 0 && O.push({ ...A, value: g.bytes - x, moved: g, wasted: !1 }), x > 0 && O.push({ ...A, value: x, moved: g, wasted: !0 }), O;
  }), h = i ? 5 : 4, d = (g) => Math.min(h - 1, (Ht[g] ?? 0) - (!i && Ht[g] === 4 ? 1 : 0)), f = 56, p = 8, b = 12, N = 36, E = f + p + Math.max(...Array.from({ length: h }, (g, q) => {
    const B = o.filter((x) => d(x) === q);
    return B.reduce((x, A) => x + Math.max(1 / s, c(A)) * s, 0) + Math.max(0, B.length - 1) * N;
  })), T = bo().nodeId((g) => g.id).nodeWidth(b).nodePadding(N).nodeSort(null).nodeAlign((g) => d(g.id)).extent([[1, f], [n - 1, E - p]])({ nodes: a, links: u }), R = Lo(), k = Rr("hatch"), L = (g) => 1 + (n - 2 - b) * d(g) / (h - 1);
  for (const g of T.nodes)
    g.x0 = L(g.id), g.x1 = g.x0 + b;
  return fe(
    n,
    E,
    `${e}: ${t.map((g) => `${ne(g)} ${F(g.bytes)}`).join(", ")}`,
    I("defs", {}, I("pattern", { id: k, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, I("rect", { width: 6, height: 6, class: "hatch-ground" }), I("rect", { width: 2.5, height: 6, class: "hatch-line" }))),
    I("text", { x: 0, y: 14, class: "strong" }, e),
    T.links.map((g) => st(I("path", {
      d: R(g) ?? "",
      class: `flow-link ${g.wasted ? "wasted" : ""}`,
      style: g.wasted ? `stroke: url(#${k})` : null,
      "stroke-width": Math.max(1.5, g.width ?? 0),
      tabindex: 0,
      "data-step": ne(g.moved),
      "aria-label": `${ne(g.moved)}: ${F(g.moved.bytes)}`
    }), () => qo(g.moved))),
    T.nodes.map((g) => {
      const q = g.x0 ?? 0, B = d(g.id) === h - 1, x = d(g.id) === 0, A = x ? "" : B ? "end" : "middle", O = x ? q : B ? q + b : q + b / 2;
      return [
        I("rect", { x: q, y: g.y0, width: b, height: Math.max(2, (g.y1 ?? 0) - (g.y0 ?? 0)), class: "flow-node", rx: 1.5 }),
        I("text", { x: O, y: (g.y0 ?? 0) - 17, class: `strong ${A}` }, Rt(g.id)),
        I("text", { x: O, y: (g.y0 ?? 0) - 4, class: `quiet ${A}` }, F(c(g.id)))
      ];
    })
  );
}
function Th(t) {
  const e = l("div", { class: "part part-flow" }), n = t.links.filter((c) => c.bytes > 0);
  if (n.length === 0)
    return e.append(l("p", { class: "nothing" }, "This launch moves no bytes through the memory that is counted.")), e;
  const i = n.filter(Ie), s = n.filter((c) => !Ie(c)), r = l("div", { class: "flow-picture" }), o = n.some((c) => c.from === "l2_far" || c.to === "l2_far"), a = Math.max(...[i, s].flatMap((c) => c.flatMap((u) => Ht[u.from] ?? 0).map((u) => [...new Set(c.flatMap((h) => [h.from, h.to]))].filter((h) => Ht[h] === u).reduce((h, d) => h + zs(c, d), 0))));
  return St(r, (c) => l("div", {}, Ei(i, "read", c, o, (c < 500 ? 130 : 170) / a), Ei(s, "written", c, o, (c < 500 ? 130 : 170) / a))), e.append(r, l("ul", { class: "key" }, l("li", { class: "s1" }, l("span", { class: "swatch" }), "asked for"), l("li", {}, l("span", { class: "swatch hatched" }), "moved, though nobody asked for it"), l("li", { class: "quiet" }, "one scale for both; the widest is as tall as it can be"))), e.append(l("div", { class: "scroll" }, l(
    "table",
    { class: "flow-table" },
    l("thead", {}, l("tr", {}, l("th", {}, "step"), l("th", {}, "what"), l("th", { class: "number" }, "asked for"), l("th", { class: "number" }, "moved"), l("th", { class: "number" }, "wasted"))),
    l("tbody", {}, n.map((c) => l(
      "tr",
      {},
      l("td", {}, ne(c)),
      l("td", {}, c.what),
      l("td", { class: "number" }, c.asked === void 0 ? "" : F(c.asked)),
      l("td", { class: "number", title: D(c.bytes) }, F(c.bytes), V(c.source)),
      l("td", { class: "number" }, c.wasted === void 0 ? "" : Y(ie(c) / c.bytes))
    )))
  ))), e;
}
function Eh(t) {
  const e = t;
  if (e.length === 0) return l("div", { class: "part part-buffers" });
  const i = [
    ["size", (s) => s.bytes, F],
    ["asked for", (s) => s.asked, F],
    ["each byte", (s) => s.times_each_byte, (s) => `${D(s)}×`],
    ["L1 hits", (s) => s.l1_hit_rate, Y],
    ["read of L2", (s) => s.l2_read_bytes, F],
    ["L2 hits", (s) => s.l2_hit_rate, Y],
    ["written to L2", (s) => s.l2_write_bytes, F],
    ["read of DRAM", (s) => s.dram_read_bytes, F],
    ["written to DRAM", (s) => s.dram_write_bytes, F]
  ].filter(([, s]) => e.some((r) => s(r) !== void 0 && s(r) !== 0));
  return l("div", { class: "part part-buffers" }, l(
    "table",
    { class: "whole stack" },
    l("thead", {}, l("tr", {}, l("th", {}, "buffer"), i.map(([s]) => l("th", { class: "number" }, s)))),
    l("tbody", {}, e.map((s) => l("tr", {}, l("td", { class: "name" }, l("code", {}, s.name || s.kind)), i.map(([r, o, a]) => {
      const c = o(s);
      return l("td", { class: "number", "data-label": r }, c === void 0 ? "–" : a(c));
    }))))
  ));
}
const Ai = ["s1", "s2", "s3", "s4", "s5", "s6"];
function Ah(t) {
  const e = l("div", { class: "part part-misses" });
  for (const n of ["l1", "l2"]) {
    const i = t.filter((r) => r.level === n && r.sectors > 0).sort((r, o) => o.sectors - r.sectors), s = i.reduce((r, o) => r + o.sectors, 0);
    s !== 0 && e.append(l(
      "div",
      { class: "misses-level" },
      l("div", { class: "small" }, l("b", {}, Rt(n)), l("span", { class: "quiet" }, ` ${D(s)} sectors missed`, V("modelled"))),
      l("div", { class: "whole-bar thin" }, i.map((r, o) => st(
        l("span", { class: `piece ${Ai[o % 6]}`, style: `flex-grow: ${r.sectors}`, tabindex: 0 }),
        () => ut(r.why, [["sectors", D(r.sectors)], ["share", Y(r.sectors / s)]])
      ))),
      l("ul", { class: "key" }, i.map((r, o) => l("li", { class: Ai[o % 6] ?? "s6" }, l("span", { class: "swatch" }), `${r.why} `, l("b", {}, Y(r.sectors / s)))))
    ));
  }
  return e.firstChild || e.append(l("p", { class: "nothing" }, "No misses were modelled.")), e;
}
const zo = /* @__PURE__ */ new Set([
  "advice",
  "assert",
  "at most",
  "capacity",
  "card",
  "cold",
  "constant",
  "dynamic",
  "event",
  "fault",
  "global",
  "hidden",
  "hit",
  "index",
  "leak",
  "limit",
  "limited by",
  "line",
  "local",
  "miss",
  "missed",
  "needs",
  "pad",
  "page",
  "pass",
  "passes",
  "potential",
  "roof",
  "runtime",
  "shared",
  "tail",
  "time",
  "trap",
  "under way",
  "version",
  "waiting",
  "warm",
  "wave",
  "word"
]), Po = (t) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
function Lh(t) {
  const e = /* @__PURE__ */ new Map();
  for (const i of t) for (const s of [i.name, ...i.also ?? []]) e.has(s.toLowerCase()) || e.set(s.toLowerCase(), i);
  const n = [...e.keys()].filter((i) => i.length > 2 && !zo.has(i)).sort((i, s) => s.length - i.length);
  return {
    terms: t,
    find: (i) => e.get(i.toLowerCase()) ?? e.get(i.toLowerCase().replace(/s$/, "")),
    pattern: n.length > 0 ? new RegExp(`(?<![\\w-])(?:${n.map(Po).join("|")})s?(?![\\w-])`, "giu") : void 0
  };
}
function Ch(t, e, n = /* @__PURE__ */ new Set()) {
  if (!e.pattern) return t;
  const i = [];
  let s = 0;
  for (const r of t.matchAll(e.pattern)) {
    const o = e.find(r[0]);
    !o || n.has(o.name) || (n.add(o.name), i.push(t.slice(s, r.index), Ro(r[0], o)), s = r.index + r[0].length);
  }
  return i.push(t.slice(s)), i;
}
function Ro(t, e) {
  return st(l("span", { class: "term", tabindex: 0 }, t), () => [l("b", {}, e.name), l("p", {}, e.text)]);
}
function qh(t) {
  const e = l("input", { type: "search", placeholder: "a word", "aria-label": "search the glossary", autocomplete: "off", spellcheck: "false" }), n = l("dl", { class: "terms" }), i = () => {
    const s = e.value.trim().toLowerCase(), r = t.terms.filter((o) => s === "" || [o.name, ...o.also ?? [], o.text].some((a) => a.toLowerCase().includes(s)));
    n.replaceChildren(...r.map((o) => l("div", {}, l("dt", {}, o.name, (o.also ?? []).length > 0 && l("span", { class: "quiet" }, ` ${(o.also ?? []).join(", ")}`)), l("dd", {}, o.text)))), r.length === 0 && n.append(l("p", { class: "nothing" }, "Nothing is called so here."));
  };
  return e.addEventListener("input", i), i(), l("div", { class: "part part-glossary" }, l("div", { class: "controls" }, e), n);
}
const cn = 20, Li = 2, Ci = (t, e) => {
  for (const n of t?.parts ?? []) {
    const i = n.text[e - n.first];
    if (i !== void 0) return i;
  }
};
function Io(t, e, n, i) {
  const s = e[0]?.file ?? "", r = /* @__PURE__ */ new Set();
  for (const h of e) for (let d = h.line - Li; d <= h.line + Li; ++d) r.add(d);
  const o = [...r].filter((h) => h > 0 && Ci(t, h) !== void 0).sort((h, d) => h - d);
  let a = 0;
  const c = [];
  o.length === 0 && c.push(e.map((h) => l("div", { class: "end-line" }, l("span", { class: "no" }, String(h.line)), l("code", {}, "the source is not here"), l("span", { class: "end" }, `${h.shape} ${h.label}`))));
  for (const h of o) {
    a > 0 && h > a + 1 && c.push(l("div", { class: "gap quiet" }, "⋮"));
    const d = e.filter((f) => f.line === h);
    c.push(l("div", { class: d.length > 0 ? "end-line" : "" }, l("span", { class: "no" }, String(h)), l("code", {}, Ci(t, h) || " "), d.map((f) => l("span", { class: "end" }, `${f.shape} ${f.label}`)))), n === h && c.push(l("div", { class: "missing" }, l("span", { class: "no" }, "+"), l("code", {}, "a barrier is missing here"))), a = h;
  }
  const u = e[0];
  return l("figure", { class: "snippet" }, l("figcaption", { class: "quiet" }, u && i && i.knows?.(s) !== !1 ? l("a", { href: "#source", title: s, click: (h) => {
    h.preventDefault(), i(u.file, u.line);
  } }, `${Tt(s)}:${e.map((h) => h.line).join(", ")}`) : `${Tt(s)}:${e.map((h) => h.line).join(", ")}`), l("div", { class: "snippet-code" }, c));
}
function Oo(t) {
  const e = /add __sync\w+\(\)[^;.]*?\bafter line (\d+)/.exec(t.hint ?? "") ?? /add __sync\w+\(\)[^;.]*?\bbetween lines (\d+)/.exec(t.hint ?? "");
  return e ? Number(e[1]) : void 0;
}
function Bo(t, e, n) {
  const i = [];
  t.file && t.line && i.push({ file: t.file, line: t.line, label: t.facts?.act?.deed ? `${t.facts.act.deed}s` : "here", shape: "①" }), t.other_file && t.other_line && i.push({ file: t.other_file, line: t.other_line, label: t.facts?.other?.deed ? `${t.facts.other.deed}s` : "and here", shape: "②" });
  const s = Oo(t), r = [...new Set(i.map((o) => o.file))];
  return l(
    "article",
    { class: "hazard" },
    l("header", {}, l("span", { class: "hazard-kind" }, `✖ ${t.kind}`), t.order && l("span", { class: "quiet" }, t.order), t.space && l("span", { class: "quiet" }, `${t.space} memory`), t.count !== void 0 && t.count > 1 && l("span", { class: "quiet" }, `${D(t.count)} times`)),
    l("p", {}, t.message),
    t.hint && l("p", { class: "hint" }, l("b", {}, "Mend it: "), t.hint),
    i.length > 0 && l("div", { class: "ends" }, r.map((o) => Io(e[o], i.filter((a) => a.file === o), s, n)))
  );
}
function zh(t, e, n, i) {
  const s = l("div", { class: "part part-hazards" });
  if (t.length === 0)
    return s.append(l("p", { class: "nothing" }, i && i.length > 0 ? `None was found; looked for: ${i.join(", ")}.` : "None was looked for; run with --check all to look.")), s;
  const r = l("div", {}), o = l("button", { type: "button" });
  let a = 0;
  const c = () => {
    for (const h of t.slice(a, a + cn)) r.append(Bo(h, e, n));
    a = Math.min(t.length, a + cn), o.textContent = `show ${Math.min(cn, t.length - a)} more of ${D(t.length - a)}`, o.hidden = a >= t.length;
  };
  o.addEventListener("click", c), c();
  const u = t.reduce((h, d) => h + (d.count ?? 1), 0);
  return s.append(l("p", {}, l("b", {}, ct(t.length, "place")), u > t.length ? `, ${D(u)} times in all.` : "."), r, o), s;
}
const se = (t, e) => t?.values?.find((n) => n.name === e), re = (t, e) => t?.rows?.find((n) => n.key === e);
function be(t, e, n, i = "") {
  return l("div", { class: `tile ${i}` }, l("div", { class: "tile-label" }, t), l("div", { class: "tile-value" }, e), n && l("div", { class: "tile-note" }, n));
}
function Ps(t, e) {
  if (!t) return null;
  const n = se(t, "saves_microseconds"), i = se(t, "rule"), s = (t.places ?? []).filter(Ts);
  return l(
    "div",
    { class: "do-first" },
    l(
      "div",
      { class: "do-first-head" },
      l("b", {}, "Do first"),
      i && l("span", { class: "rule" }, String(i.text)),
      n && l("span", { class: "saves" }, "saves ", n.text, V(t.source))
    ),
    l("p", {}, ae(t)),
    s.length > 0 && l("p", { class: "quiet" }, "at ", s.map((r, o) => [o > 0 && ", ", Es(r, e)]))
  );
}
const un = { kernels: "kernels", copies: "copies", pages: "page faults", idle: "idle device" }, qi = { kernels: "s1", copies: "s2", pages: "s4", idle: "s6" };
function Ph(t, e) {
  const n = t.document.sections.find((c) => c.kind === "head"), i = re(n, "program"), s = re(n, "remedy"), r = t.program, o = l("div", { class: "part part-headline" });
  if (i?.text && o.append(l("p", { class: "lead" }, i.text, V(i.source))), r && r.microseconds > 0) {
    const c = r.parts.filter((u) => u.microseconds > 0);
    o.append(
      l(
        "div",
        { class: "whole-bar", role: "img", "aria-label": c.map((u) => `${un[u.name] ?? u.name} ${Y(u.microseconds / r.microseconds)}`).join(", ") },
        c.map((u) => st(
          l("span", { class: `piece ${qi[u.name] ?? "s5"}`, style: `flex-grow: ${u.microseconds}`, tabindex: 0, "data-part": u.name }),
          () => ut(un[u.name] ?? u.name, [["time", j(u.microseconds)], ["share", Y(u.microseconds / r.microseconds)]])
        ))
      ),
      l("ul", { class: "key" }, c.map((u) => l(
        "li",
        { class: qi[u.name] ?? "s5" },
        l("span", { class: "swatch" }),
        un[u.name] ?? u.name,
        " ",
        l("b", {}, j(u.microseconds)),
        l("span", { class: "quiet" }, ` ${Y(u.microseconds / r.microseconds)}`)
      )))
    ), r.hidden && o.append(l("p", { class: "quiet small" }, `${j(r.hidden)} of the copies run beside kernels and are not counted twice.`));
  }
  const a = Ps(s, e);
  return a && o.append(a), o;
}
function Fo(t) {
  const e = (t.values ?? []).filter((n) => typeof n.value == "number" && n.name !== "achieved_occupancy");
  return l("ul", { class: "peaks" }, e.map((n) => {
    const i = Number(n.value), s = n.text.replace(/\s*[<≈]?\s*[\d.,]+\s*%.*$/, "");
    return l("li", { class: n.matters ? "matters" : "", "data-name": n.name }, l("span", { class: "peak-name" }, s), l(
      "span",
      { class: "track" },
      l("span", { class: "peak-bar", style: `width: ${Math.min(100, Math.max(0, i * 100))}%` })
    ), l("span", { class: "peak-value" }, Y(i)));
  }));
}
function Rh(t, e) {
  const n = re(t, "time"), i = re(t, "of_peak"), s = re(t, "remedy"), r = se(n, "time"), o = se(i, "achieved_occupancy"), a = (t.facts ?? []).map((d) => l("li", {}, d.text)), c = t.title ?? "", u = l(
    "div",
    { class: "part part-headline" },
    l("p", { class: "signature" }, l("b", {}, tt(c)), l("span", { class: "quiet" }, c.slice(tt(c).length))),
    a.length > 0 && l("ul", { class: "facts" }, a)
  );
  if (n) {
    const d = (n.text ?? "").replace(/^[^,]*,\s*/, ""), [f, p] = d.split(/;\s*next:\s*/), b = se(s, "saves_microseconds");
    u.append(l(
      "div",
      { class: "tiles" },
      be(["time", V(n.source, "gpu__time_duration.sum")], r ? j(Number(r.value)) : "–", /^on \d/.test(d) ? d.split(",")[0] : null),
      be("what binds it", (f ?? "").replace(/^on [^,]*,\s*/, "").replace(/^bound by /, "").replace(/\s*\(.*\)/, ""), [/\(([^)]*)\)/.exec(f ?? "")?.[1], p ? `; next: ${p}` : ""].join("").replace(/^; /, ""), "words"),
      o && be(["occupancy", V(i?.source ?? "modelled", "sm__warps_active.avg.pct_of_peak_sustained_active")], Y(Number(o.value)), /of .*$/.exec(o.text)?.[0]?.replace(/^of/, "achieved, of") + " possible"),
      b && be(["best remedy saves", V(s?.source ?? "modelled")], b.text.replace(/ of .*/, ""), `of the kernel's ${j(Number(r?.value))}`)
    ));
  }
  i && u.append(l("h4", {}, "How busy each unit is, of its peak", V(i.source)), Fo(i));
  const h = Ps(s, e);
  return h && u.append(h), n || u.append(l("p", { class: "nothing" }, "No time is modelled for this launch; counts are below.")), u;
}
const zi = (t) => {
  const [e = 1, n = 1, i = 1] = t;
  return i > 1 ? `${e}×${n}×${i}` : n > 1 ? `${e}×${n}` : `${e}`;
};
function Ih({ total: t, kernels: e, rows: n }, i, s) {
  const r = Math.max(0, ...n.map((c) => c.microseconds ?? 0)), o = n.some((c) => (c.stream ?? 0) !== 0), a = l("tbody", {}, n.map((c) => {
    const u = e[c.kernel] ?? "", h = c.entry !== void 0;
    return l(
      "tr",
      { "data-launch": c.index },
      l("td", { class: "number quiet" }, D(c.index)),
      l("td", { class: "name", title: u }, h ? l("button", { type: "button", class: "plain", click: () => s(c.index) }, tt(u)) : tt(u)),
      l("td", { class: "number", "data-label": "grid" }, zi(c.grid)),
      l("td", { class: "number", "data-label": "block" }, zi(c.block)),
      o && l("td", { class: "number", "data-label": "stream" }, c.stream ?? 0),
      l("td", { class: "number time", "data-label": "time", style: c.microseconds && r > 0 ? `--part: ${(c.microseconds / r * 100).toFixed(1)}%` : null }, c.microseconds === void 0 ? "" : j(c.microseconds)),
      l("td", { "data-label": "bound by" }, c.bound ? i.find((d) => d.name === c.bound)?.label ?? c.bound : "")
    );
  }));
  return l(
    "div",
    { class: "part part-launches" },
    l("table", { class: "whole stack" }, l("thead", {}, l("tr", {}, l("th", { class: "number" }, "launch"), l("th", {}, "kernel"), l("th", { class: "number" }, "grid"), l("th", { class: "number" }, "block"), o && l("th", { class: "number" }, "stream"), l("th", { class: "number" }, "time"), l("th", {}, "bound by"))), a),
    n.length < t && l("p", { class: "quiet small" }, `${D(t - n.length)} more launches are not listed.`)
  );
}
function Gt(t, e, n) {
  t.prototype = e.prototype = n, n.constructor = t;
}
function pe(t, e) {
  var n = Object.create(t.prototype);
  for (var i in e) n[i] = e[i];
  return n;
}
function bt() {
}
var Et = 0.7, Xt = 1 / Et, Bt = "\\s*([+-]?\\d+)\\s*", le = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*", at = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*", Do = /^#([0-9a-f]{3,8})$/, Ho = new RegExp(`^rgb\\(${Bt},${Bt},${Bt}\\)$`), Xo = new RegExp(`^rgb\\(${at},${at},${at}\\)$`), Vo = new RegExp(`^rgba\\(${Bt},${Bt},${Bt},${le}\\)$`), Yo = new RegExp(`^rgba\\(${at},${at},${at},${le}\\)$`), jo = new RegExp(`^hsl\\(${le},${at},${at}\\)$`), Wo = new RegExp(`^hsla\\(${le},${at},${at},${le}\\)$`), Pi = {
  aliceblue: 15792383,
  antiquewhite: 16444375,
  aqua: 65535,
  aquamarine: 8388564,
  azure: 15794175,
  beige: 16119260,
  bisque: 16770244,
  black: 0,
  blanchedalmond: 16772045,
  blue: 255,
  blueviolet: 9055202,
  brown: 10824234,
  burlywood: 14596231,
  cadetblue: 6266528,
  chartreuse: 8388352,
  chocolate: 13789470,
  coral: 16744272,
  cornflowerblue: 6591981,
  cornsilk: 16775388,
  crimson: 14423100,
  cyan: 65535,
  darkblue: 139,
  darkcyan: 35723,
  darkgoldenrod: 12092939,
  darkgray: 11119017,
  darkgreen: 25600,
  darkgrey: 11119017,
  darkkhaki: 12433259,
  darkmagenta: 9109643,
  darkolivegreen: 5597999,
  darkorange: 16747520,
  darkorchid: 10040012,
  darkred: 9109504,
  darksalmon: 15308410,
  darkseagreen: 9419919,
  darkslateblue: 4734347,
  darkslategray: 3100495,
  darkslategrey: 3100495,
  darkturquoise: 52945,
  darkviolet: 9699539,
  deeppink: 16716947,
  deepskyblue: 49151,
  dimgray: 6908265,
  dimgrey: 6908265,
  dodgerblue: 2003199,
  firebrick: 11674146,
  floralwhite: 16775920,
  forestgreen: 2263842,
  fuchsia: 16711935,
  gainsboro: 14474460,
  ghostwhite: 16316671,
  gold: 16766720,
  goldenrod: 14329120,
  gray: 8421504,
  green: 32768,
  greenyellow: 11403055,
  grey: 8421504,
  honeydew: 15794160,
  hotpink: 16738740,
  indianred: 13458524,
  indigo: 4915330,
  ivory: 16777200,
  khaki: 15787660,
  lavender: 15132410,
  lavenderblush: 16773365,
  lawngreen: 8190976,
  lemonchiffon: 16775885,
  lightblue: 11393254,
  lightcoral: 15761536,
  lightcyan: 14745599,
  lightgoldenrodyellow: 16448210,
  lightgray: 13882323,
  lightgreen: 9498256,
  lightgrey: 13882323,
  lightpink: 16758465,
  lightsalmon: 16752762,
  lightseagreen: 2142890,
  lightskyblue: 8900346,
  lightslategray: 7833753,
  lightslategrey: 7833753,
  lightsteelblue: 11584734,
  lightyellow: 16777184,
  lime: 65280,
  limegreen: 3329330,
  linen: 16445670,
  magenta: 16711935,
  maroon: 8388608,
  mediumaquamarine: 6737322,
  mediumblue: 205,
  mediumorchid: 12211667,
  mediumpurple: 9662683,
  mediumseagreen: 3978097,
  mediumslateblue: 8087790,
  mediumspringgreen: 64154,
  mediumturquoise: 4772300,
  mediumvioletred: 13047173,
  midnightblue: 1644912,
  mintcream: 16121850,
  mistyrose: 16770273,
  moccasin: 16770229,
  navajowhite: 16768685,
  navy: 128,
  oldlace: 16643558,
  olive: 8421376,
  olivedrab: 7048739,
  orange: 16753920,
  orangered: 16729344,
  orchid: 14315734,
  palegoldenrod: 15657130,
  palegreen: 10025880,
  paleturquoise: 11529966,
  palevioletred: 14381203,
  papayawhip: 16773077,
  peachpuff: 16767673,
  peru: 13468991,
  pink: 16761035,
  plum: 14524637,
  powderblue: 11591910,
  purple: 8388736,
  rebeccapurple: 6697881,
  red: 16711680,
  rosybrown: 12357519,
  royalblue: 4286945,
  saddlebrown: 9127187,
  salmon: 16416882,
  sandybrown: 16032864,
  seagreen: 3050327,
  seashell: 16774638,
  sienna: 10506797,
  silver: 12632256,
  skyblue: 8900331,
  slateblue: 6970061,
  slategray: 7372944,
  slategrey: 7372944,
  snow: 16775930,
  springgreen: 65407,
  steelblue: 4620980,
  tan: 13808780,
  teal: 32896,
  thistle: 14204888,
  tomato: 16737095,
  turquoise: 4251856,
  violet: 15631086,
  wheat: 16113331,
  white: 16777215,
  whitesmoke: 16119285,
  yellow: 16776960,
  yellowgreen: 10145074
};
Gt(bt, At, {
  copy(t) {
    return Object.assign(new this.constructor(), this, t);
  },
  displayable() {
    return this.rgb().displayable();
  },
  hex: Ri,
  // Deprecated! Use color.formatHex.
  formatHex: Ri,
  formatHex8: Go,
  formatHsl: Uo,
  formatRgb: Ii,
  toString: Ii
});
function Ri() {
  return this.rgb().formatHex();
}
function Go() {
  return this.rgb().formatHex8();
}
function Uo() {
  return Rs(this).formatHsl();
}
function Ii() {
  return this.rgb().formatRgb();
}
function At(t) {
  var e, n;
  return t = (t + "").trim().toLowerCase(), (e = Do.exec(t)) ? (n = e[1].length, e = parseInt(e[1], 16), n === 6 ? Oi(e) : n === 3 ? new G(e >> 8 & 15 | e >> 4 & 240, e >> 4 & 15 | e & 240, (e & 15) << 4 | e & 15, 1) : n === 8 ? xe(e >> 24 & 255, e >> 16 & 255, e >> 8 & 255, (e & 255) / 255) : n === 4 ? xe(e >> 12 & 15 | e >> 8 & 240, e >> 8 & 15 | e >> 4 & 240, e >> 4 & 15 | e & 240, ((e & 15) << 4 | e & 15) / 255) : null) : (e = Ho.exec(t)) ? new G(e[1], e[2], e[3], 1) : (e = Xo.exec(t)) ? new G(e[1] * 255 / 100, e[2] * 255 / 100, e[3] * 255 / 100, 1) : (e = Vo.exec(t)) ? xe(e[1], e[2], e[3], e[4]) : (e = Yo.exec(t)) ? xe(e[1] * 255 / 100, e[2] * 255 / 100, e[3] * 255 / 100, e[4]) : (e = jo.exec(t)) ? Di(e[1], e[2] / 100, e[3] / 100, 1) : (e = Wo.exec(t)) ? Di(e[1], e[2] / 100, e[3] / 100, e[4]) : Pi.hasOwnProperty(t) ? Oi(Pi[t]) : t === "transparent" ? new G(NaN, NaN, NaN, 0) : null;
}
function Oi(t) {
  return new G(t >> 16 & 255, t >> 8 & 255, t & 255, 1);
}
function xe(t, e, n, i) {
  return i <= 0 && (t = e = n = NaN), new G(t, e, n, i);
}
function Wn(t) {
  return t instanceof bt || (t = At(t)), t ? (t = t.rgb(), new G(t.r, t.g, t.b, t.opacity)) : new G();
}
function En(t, e, n, i) {
  return arguments.length === 1 ? Wn(t) : new G(t, e, n, i ?? 1);
}
function G(t, e, n, i) {
  this.r = +t, this.g = +e, this.b = +n, this.opacity = +i;
}
Gt(G, En, pe(bt, {
  brighter(t) {
    return t = t == null ? Xt : Math.pow(Xt, t), new G(this.r * t, this.g * t, this.b * t, this.opacity);
  },
  darker(t) {
    return t = t == null ? Et : Math.pow(Et, t), new G(this.r * t, this.g * t, this.b * t, this.opacity);
  },
  rgb() {
    return this;
  },
  clamp() {
    return new G(kt(this.r), kt(this.g), kt(this.b), Oe(this.opacity));
  },
  displayable() {
    return -0.5 <= this.r && this.r < 255.5 && -0.5 <= this.g && this.g < 255.5 && -0.5 <= this.b && this.b < 255.5 && 0 <= this.opacity && this.opacity <= 1;
  },
  hex: Bi,
  // Deprecated! Use color.formatHex.
  formatHex: Bi,
  formatHex8: Ko,
  formatRgb: Fi,
  toString: Fi
}));
function Bi() {
  return `#${Mt(this.r)}${Mt(this.g)}${Mt(this.b)}`;
}
function Ko() {
  return `#${Mt(this.r)}${Mt(this.g)}${Mt(this.b)}${Mt((isNaN(this.opacity) ? 1 : this.opacity) * 255)}`;
}
function Fi() {
  const t = Oe(this.opacity);
  return `${t === 1 ? "rgb(" : "rgba("}${kt(this.r)}, ${kt(this.g)}, ${kt(this.b)}${t === 1 ? ")" : `, ${t})`}`;
}
function Oe(t) {
  return isNaN(t) ? 1 : Math.max(0, Math.min(1, t));
}
function kt(t) {
  return Math.max(0, Math.min(255, Math.round(t) || 0));
}
function Mt(t) {
  return t = kt(t), (t < 16 ? "0" : "") + t.toString(16);
}
function Di(t, e, n, i) {
  return i <= 0 ? t = e = n = NaN : n <= 0 || n >= 1 ? t = e = NaN : e <= 0 && (t = NaN), new it(t, e, n, i);
}
function Rs(t) {
  if (t instanceof it) return new it(t.h, t.s, t.l, t.opacity);
  if (t instanceof bt || (t = At(t)), !t) return new it();
  if (t instanceof it) return t;
  t = t.rgb();
  var e = t.r / 255, n = t.g / 255, i = t.b / 255, s = Math.min(e, n, i), r = Math.max(e, n, i), o = NaN, a = r - s, c = (r + s) / 2;
  return a ? (e === r ? o = (n - i) / a + (n < i) * 6 : n === r ? o = (i - e) / a + 2 : o = (e - n) / a + 4, a /= c < 0.5 ? r + s : 2 - r - s, o *= 60) : a = c > 0 && c < 1 ? 0 : o, new it(o, a, c, t.opacity);
}
function Zo(t, e, n, i) {
  return arguments.length === 1 ? Rs(t) : new it(t, e, n, i ?? 1);
}
function it(t, e, n, i) {
  this.h = +t, this.s = +e, this.l = +n, this.opacity = +i;
}
Gt(it, Zo, pe(bt, {
  brighter(t) {
    return t = t == null ? Xt : Math.pow(Xt, t), new it(this.h, this.s, this.l * t, this.opacity);
  },
  darker(t) {
    return t = t == null ? Et : Math.pow(Et, t), new it(this.h, this.s, this.l * t, this.opacity);
  },
  rgb() {
    var t = this.h % 360 + (this.h < 0) * 360, e = isNaN(t) || isNaN(this.s) ? 0 : this.s, n = this.l, i = n + (n < 0.5 ? n : 1 - n) * e, s = 2 * n - i;
    return new G(
      hn(t >= 240 ? t - 240 : t + 120, s, i),
      hn(t, s, i),
      hn(t < 120 ? t + 240 : t - 120, s, i),
      this.opacity
    );
  },
  clamp() {
    return new it(Hi(this.h), we(this.s), we(this.l), Oe(this.opacity));
  },
  displayable() {
    return (0 <= this.s && this.s <= 1 || isNaN(this.s)) && 0 <= this.l && this.l <= 1 && 0 <= this.opacity && this.opacity <= 1;
  },
  formatHsl() {
    const t = Oe(this.opacity);
    return `${t === 1 ? "hsl(" : "hsla("}${Hi(this.h)}, ${we(this.s) * 100}%, ${we(this.l) * 100}%${t === 1 ? ")" : `, ${t})`}`;
  }
}));
function Hi(t) {
  return t = (t || 0) % 360, t < 0 ? t + 360 : t;
}
function we(t) {
  return Math.max(0, Math.min(1, t || 0));
}
function hn(t, e, n) {
  return (t < 60 ? e + (n - e) * t / 60 : t < 180 ? n : t < 240 ? e + (n - e) * (240 - t) / 60 : e) * 255;
}
const Is = Math.PI / 180, Os = 180 / Math.PI, Be = 18, Bs = 0.96422, Fs = 1, Ds = 0.82521, Hs = 4 / 29, Ft = 6 / 29, Xs = 3 * Ft * Ft, Qo = Ft * Ft * Ft;
function Vs(t) {
  if (t instanceof lt) return new lt(t.l, t.a, t.b, t.opacity);
  if (t instanceof pt) return Ys(t);
  t instanceof G || (t = Wn(t));
  var e = mn(t.r), n = mn(t.g), i = mn(t.b), s = fn((0.2225045 * e + 0.7168786 * n + 0.0606169 * i) / Fs), r, o;
  return e === n && n === i ? r = o = s : (r = fn((0.4360747 * e + 0.3850649 * n + 0.1430804 * i) / Bs), o = fn((0.0139322 * e + 0.0971045 * n + 0.7141733 * i) / Ds)), new lt(116 * s - 16, 500 * (r - s), 200 * (s - o), t.opacity);
}
function Jo(t, e, n, i) {
  return arguments.length === 1 ? Vs(t) : new lt(t, e, n, i ?? 1);
}
function lt(t, e, n, i) {
  this.l = +t, this.a = +e, this.b = +n, this.opacity = +i;
}
Gt(lt, Jo, pe(bt, {
  brighter(t) {
    return new lt(this.l + Be * (t ?? 1), this.a, this.b, this.opacity);
  },
  darker(t) {
    return new lt(this.l - Be * (t ?? 1), this.a, this.b, this.opacity);
  },
  rgb() {
    var t = (this.l + 16) / 116, e = isNaN(this.a) ? t : t + this.a / 500, n = isNaN(this.b) ? t : t - this.b / 200;
    return e = Bs * dn(e), t = Fs * dn(t), n = Ds * dn(n), new G(
      pn(3.1338561 * e - 1.6168667 * t - 0.4906146 * n),
      pn(-0.9787684 * e + 1.9161415 * t + 0.033454 * n),
      pn(0.0719453 * e - 0.2289914 * t + 1.4052427 * n),
      this.opacity
    );
  }
}));
function fn(t) {
  return t > Qo ? Math.pow(t, 1 / 3) : t / Xs + Hs;
}
function dn(t) {
  return t > Ft ? t * t * t : Xs * (t - Hs);
}
function pn(t) {
  return 255 * (t <= 31308e-7 ? 12.92 * t : 1.055 * Math.pow(t, 1 / 2.4) - 0.055);
}
function mn(t) {
  return (t /= 255) <= 0.04045 ? t / 12.92 : Math.pow((t + 0.055) / 1.055, 2.4);
}
function ta(t) {
  if (t instanceof pt) return new pt(t.h, t.c, t.l, t.opacity);
  if (t instanceof lt || (t = Vs(t)), t.a === 0 && t.b === 0) return new pt(NaN, 0 < t.l && t.l < 100 ? 0 : NaN, t.l, t.opacity);
  var e = Math.atan2(t.b, t.a) * Os;
  return new pt(e < 0 ? e + 360 : e, Math.sqrt(t.a * t.a + t.b * t.b), t.l, t.opacity);
}
function ea(t, e, n, i) {
  return arguments.length === 1 ? ta(t) : new pt(t, e, n, i ?? 1);
}
function pt(t, e, n, i) {
  this.h = +t, this.c = +e, this.l = +n, this.opacity = +i;
}
function Ys(t) {
  if (isNaN(t.h)) return new lt(t.l, 0, 0, t.opacity);
  var e = t.h * Is;
  return new lt(t.l, Math.cos(e) * t.c, Math.sin(e) * t.c, t.opacity);
}
Gt(pt, ea, pe(bt, {
  brighter(t) {
    return new pt(this.h, this.c, this.l + Be * (t ?? 1), this.opacity);
  },
  darker(t) {
    return new pt(this.h, this.c, this.l - Be * (t ?? 1), this.opacity);
  },
  rgb() {
    return Ys(this).rgb();
  }
}));
var js = -0.14861, Gn = 1.78277, Un = -0.29227, Je = -0.90649, ce = 1.97294, Xi = ce * Je, Vi = ce * Gn, Yi = Gn * Un - Je * js;
function na(t) {
  if (t instanceof Nt) return new Nt(t.h, t.s, t.l, t.opacity);
  t instanceof G || (t = Wn(t));
  var e = t.r / 255, n = t.g / 255, i = t.b / 255, s = (Yi * i + Xi * e - Vi * n) / (Yi + Xi - Vi), r = i - s, o = (ce * (n - s) - Un * r) / Je, a = Math.sqrt(o * o + r * r) / (ce * s * (1 - s)), c = a ? Math.atan2(o, r) * Os - 120 : NaN;
  return new Nt(c < 0 ? c + 360 : c, a, s, t.opacity);
}
function An(t, e, n, i) {
  return arguments.length === 1 ? na(t) : new Nt(t, e, n, i ?? 1);
}
function Nt(t, e, n, i) {
  this.h = +t, this.s = +e, this.l = +n, this.opacity = +i;
}
Gt(Nt, An, pe(bt, {
  brighter(t) {
    return t = t == null ? Xt : Math.pow(Xt, t), new Nt(this.h, this.s, this.l * t, this.opacity);
  },
  darker(t) {
    return t = t == null ? Et : Math.pow(Et, t), new Nt(this.h, this.s, this.l * t, this.opacity);
  },
  rgb() {
    var t = isNaN(this.h) ? 0 : (this.h + 120) * Is, e = +this.l, n = isNaN(this.s) ? 0 : this.s * e * (1 - e), i = Math.cos(t), s = Math.sin(t);
    return new G(
      255 * (e + n * (js * i + Gn * s)),
      255 * (e + n * (Un * i + Je * s)),
      255 * (e + n * (ce * i)),
      this.opacity
    );
  }
}));
var tn = (t) => () => t;
function Ws(t, e) {
  return function(n) {
    return t + n * e;
  };
}
function ia(t, e, n) {
  return t = Math.pow(t, n), e = Math.pow(e, n) - t, n = 1 / n, function(i) {
    return Math.pow(t + i * e, n);
  };
}
function sa(t, e) {
  var n = e - t;
  return n ? Ws(t, n > 180 || n < -180 ? n - 360 * Math.round(n / 360) : n) : tn(isNaN(t) ? e : t);
}
function ra(t) {
  return (t = +t) == 1 ? Dt : function(e, n) {
    return n - e ? ia(e, n, t) : tn(isNaN(e) ? n : e);
  };
}
function Dt(t, e) {
  var n = e - t;
  return n ? Ws(t, n) : tn(isNaN(t) ? e : t);
}
var Fe = (function t(e) {
  var n = ra(e);
  function i(s, r) {
    var o = n((s = En(s)).r, (r = En(r)).r), a = n(s.g, r.g), c = n(s.b, r.b), u = Dt(s.opacity, r.opacity);
    return function(h) {
      return s.r = o(h), s.g = a(h), s.b = c(h), s.opacity = u(h), s + "";
    };
  }
  return i.gamma = t, i;
})(1);
function oa(t, e) {
  e || (e = []);
  var n = t ? Math.min(e.length, t.length) : 0, i = e.slice(), s;
  return function(r) {
    for (s = 0; s < n; ++s) i[s] = t[s] * (1 - r) + e[s] * r;
    return i;
  };
}
function aa(t) {
  return ArrayBuffer.isView(t) && !(t instanceof DataView);
}
function la(t, e) {
  var n = e ? e.length : 0, i = t ? Math.min(n, t.length) : 0, s = new Array(i), r = new Array(n), o;
  for (o = 0; o < i; ++o) s[o] = Kn(t[o], e[o]);
  for (; o < n; ++o) r[o] = e[o];
  return function(a) {
    for (o = 0; o < i; ++o) r[o] = s[o](a);
    return r;
  };
}
function ca(t, e) {
  var n = /* @__PURE__ */ new Date();
  return t = +t, e = +e, function(i) {
    return n.setTime(t * (1 - i) + e * i), n;
  };
}
function nt(t, e) {
  return t = +t, e = +e, function(n) {
    return t * (1 - n) + e * n;
  };
}
function ua(t, e) {
  var n = {}, i = {}, s;
  (t === null || typeof t != "object") && (t = {}), (e === null || typeof e != "object") && (e = {});
  for (s in e)
    s in t ? n[s] = Kn(t[s], e[s]) : i[s] = e[s];
  return function(r) {
    for (s in n) i[s] = n[s](r);
    return i;
  };
}
var Ln = /[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g, _n = new RegExp(Ln.source, "g");
function ha(t) {
  return function() {
    return t;
  };
}
function fa(t) {
  return function(e) {
    return t(e) + "";
  };
}
function Gs(t, e) {
  var n = Ln.lastIndex = _n.lastIndex = 0, i, s, r, o = -1, a = [], c = [];
  for (t = t + "", e = e + ""; (i = Ln.exec(t)) && (s = _n.exec(e)); )
    (r = s.index) > n && (r = e.slice(n, r), a[o] ? a[o] += r : a[++o] = r), (i = i[0]) === (s = s[0]) ? a[o] ? a[o] += s : a[++o] = s : (a[++o] = null, c.push({ i: o, x: nt(i, s) })), n = _n.lastIndex;
  return n < e.length && (r = e.slice(n), a[o] ? a[o] += r : a[++o] = r), a.length < 2 ? c[0] ? fa(c[0].x) : ha(e) : (e = c.length, function(u) {
    for (var h = 0, d; h < e; ++h) a[(d = c[h]).i] = d.x(u);
    return a.join("");
  });
}
function Kn(t, e) {
  var n = typeof e, i;
  return e == null || n === "boolean" ? tn(e) : (n === "number" ? nt : n === "string" ? (i = At(e)) ? (e = i, Fe) : Gs : e instanceof At ? Fe : e instanceof Date ? ca : aa(e) ? oa : Array.isArray(e) ? la : typeof e.valueOf != "function" && typeof e.toString != "function" || isNaN(e) ? ua : nt)(t, e);
}
function da(t, e) {
  return t = +t, e = +e, function(n) {
    return Math.round(t * (1 - n) + e * n);
  };
}
var ji = 180 / Math.PI, Cn = {
  translateX: 0,
  translateY: 0,
  rotate: 0,
  skewX: 0,
  scaleX: 1,
  scaleY: 1
};
function Us(t, e, n, i, s, r) {
  var o, a, c;
  return (o = Math.sqrt(t * t + e * e)) && (t /= o, e /= o), (c = t * n + e * i) && (n -= t * c, i -= e * c), (a = Math.sqrt(n * n + i * i)) && (n /= a, i /= a, c /= a), t * i < e * n && (t = -t, e = -e, c = -c, o = -o), {
    translateX: s,
    translateY: r,
    rotate: Math.atan2(e, t) * ji,
    skewX: Math.atan(c) * ji,
    scaleX: o,
    scaleY: a
  };
}
var ve;
function pa(t) {
  const e = new (typeof DOMMatrix == "function" ? DOMMatrix : WebKitCSSMatrix)(t + "");
  return e.isIdentity ? Cn : Us(e.a, e.b, e.c, e.d, e.e, e.f);
}
function ma(t) {
  return t == null || (ve || (ve = document.createElementNS("http://www.w3.org/2000/svg", "g")), ve.setAttribute("transform", t), !(t = ve.transform.baseVal.consolidate())) ? Cn : (t = t.matrix, Us(t.a, t.b, t.c, t.d, t.e, t.f));
}
function Ks(t, e, n, i) {
  function s(u) {
    return u.length ? u.pop() + " " : "";
  }
  function r(u, h, d, f, p, b) {
    if (u !== d || h !== f) {
      var N = p.push("translate(", null, e, null, n);
      b.push({ i: N - 4, x: nt(u, d) }, { i: N - 2, x: nt(h, f) });
    } else (d || f) && p.push("translate(" + d + e + f + n);
  }
  function o(u, h, d, f) {
    u !== h ? (u - h > 180 ? h += 360 : h - u > 180 && (u += 360), f.push({ i: d.push(s(d) + "rotate(", null, i) - 2, x: nt(u, h) })) : h && d.push(s(d) + "rotate(" + h + i);
  }
  function a(u, h, d, f) {
    u !== h ? f.push({ i: d.push(s(d) + "skewX(", null, i) - 2, x: nt(u, h) }) : h && d.push(s(d) + "skewX(" + h + i);
  }
  function c(u, h, d, f, p, b) {
    if (u !== d || h !== f) {
      var N = p.push(s(p) + "scale(", null, ",", null, ")");
      b.push({ i: N - 4, x: nt(u, d) }, { i: N - 2, x: nt(h, f) });
    } else (d !== 1 || f !== 1) && p.push(s(p) + "scale(" + d + "," + f + ")");
  }
  return function(u, h) {
    var d = [], f = [];
    return u = t(u), h = t(h), r(u.translateX, u.translateY, h.translateX, h.translateY, d, f), o(u.rotate, h.rotate, d, f), a(u.skewX, h.skewX, d, f), c(u.scaleX, u.scaleY, h.scaleX, h.scaleY, d, f), u = h = null, function(p) {
      for (var b = -1, N = f.length, E; ++b < N; ) d[(E = f[b]).i] = E.x(p);
      return d.join("");
    };
  };
}
var _a = Ks(pa, "px, ", "px)", "deg)"), ga = Ks(ma, ", ", ")", ")"), ya = 1e-12;
function Wi(t) {
  return ((t = Math.exp(t)) + 1 / t) / 2;
}
function ba(t) {
  return ((t = Math.exp(t)) - 1 / t) / 2;
}
function xa(t) {
  return ((t = Math.exp(2 * t)) - 1) / (t + 1);
}
var wa = (function t(e, n, i) {
  function s(r, o) {
    var a = r[0], c = r[1], u = r[2], h = o[0], d = o[1], f = o[2], p = h - a, b = d - c, N = p * p + b * b, E, w;
    if (N < ya)
      w = Math.log(f / u) / e, E = function(q) {
        return [
          a + q * p,
          c + q * b,
          u * Math.exp(e * q * w)
        ];
      };
    else {
      var T = Math.sqrt(N), R = (f * f - u * u + i * N) / (2 * u * n * T), k = (f * f - u * u - i * N) / (2 * f * n * T), L = Math.log(Math.sqrt(R * R + 1) - R), g = Math.log(Math.sqrt(k * k + 1) - k);
      w = (g - L) / e, E = function(q) {
        var B = q * w, x = Wi(L), A = u / (n * T) * (x * xa(e * B + L) - ba(L));
        return [
          a + A * p,
          c + A * b,
          u * x / Wi(e * B + L)
        ];
      };
    }
    return E.duration = Math.abs(w) * 1e3 * e / Math.SQRT2, E;
  }
  return s.rho = function(r) {
    var o = Math.max(1e-3, +r), a = o * o, c = a * a;
    return t(o, a, c);
  }, s;
})(Math.SQRT2, 2, 4);
function Zs(t) {
  return (function e(n) {
    n = +n;
    function i(s, r) {
      var o = t((s = An(s)).h, (r = An(r)).h), a = Dt(s.s, r.s), c = Dt(s.l, r.l), u = Dt(s.opacity, r.opacity);
      return function(h) {
        return s.h = o(h), s.s = a(h), s.l = c(Math.pow(h, n)), s.opacity = u(h), s + "";
      };
    }
    return i.gamma = e, i;
  })(1);
}
Zs(sa);
Zs(Dt);
function va(t) {
  return Math.abs(t = Math.round(t)) >= 1e21 ? t.toLocaleString("en").replace(/,/g, "") : t.toString(10);
}
function De(t, e) {
  if (!isFinite(t) || t === 0) return null;
  var n = (t = e ? t.toExponential(e - 1) : t.toExponential()).indexOf("e"), i = t.slice(0, n);
  return [
    i.length > 1 ? i[0] + i.slice(2) : i,
    +t.slice(n + 1)
  ];
}
function Vt(t) {
  return t = De(Math.abs(t)), t ? t[1] : NaN;
}
function $a(t, e) {
  return function(n, i) {
    for (var s = n.length, r = [], o = 0, a = t[0], c = 0; s > 0 && a > 0 && (c + a + 1 > i && (a = Math.max(1, i - c)), r.push(n.substring(s -= a, s + a)), !((c += a + 1) > i)); )
      a = t[o = (o + 1) % t.length];
    return r.reverse().join(e);
  };
}
function Ma(t) {
  return function(e) {
    return e.replace(/[0-9]/g, function(n) {
      return t[+n];
    });
  };
}
var ka = /^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;
function ue(t) {
  if (!(e = ka.exec(t))) throw new Error("invalid format: " + t);
  var e;
  return new Zn({
    fill: e[1],
    align: e[2],
    sign: e[3],
    symbol: e[4],
    zero: e[5],
    width: e[6],
    comma: e[7],
    precision: e[8] && e[8].slice(1),
    trim: e[9],
    type: e[10]
  });
}
ue.prototype = Zn.prototype;
function Zn(t) {
  this.fill = t.fill === void 0 ? " " : t.fill + "", this.align = t.align === void 0 ? ">" : t.align + "", this.sign = t.sign === void 0 ? "-" : t.sign + "", this.symbol = t.symbol === void 0 ? "" : t.symbol + "", this.zero = !!t.zero, this.width = t.width === void 0 ? void 0 : +t.width, this.comma = !!t.comma, this.precision = t.precision === void 0 ? void 0 : +t.precision, this.trim = !!t.trim, this.type = t.type === void 0 ? "" : t.type + "";
}
Zn.prototype.toString = function() {
  return this.fill + this.align + this.sign + this.symbol + (this.zero ? "0" : "") + (this.width === void 0 ? "" : Math.max(1, this.width | 0)) + (this.comma ? "," : "") + (this.precision === void 0 ? "" : "." + Math.max(0, this.precision | 0)) + (this.trim ? "~" : "") + this.type;
};
function Na(t) {
  t: for (var e = t.length, n = 1, i = -1, s; n < e; ++n)
    switch (t[n]) {
      case ".":
        i = s = n;
        break;
      case "0":
        i === 0 && (i = n), s = n;
        break;
      default:
        if (!+t[n]) break t;
        i > 0 && (i = 0);
        break;
    }
  return i > 0 ? t.slice(0, i) + t.slice(s + 1) : t;
}
var He;
function Sa(t, e) {
  var n = De(t, e);
  if (!n) return He = void 0, t.toPrecision(e);
  var i = n[0], s = n[1], r = s - (He = Math.max(-8, Math.min(8, Math.floor(s / 3))) * 3) + 1, o = i.length;
  return r === o ? i : r > o ? i + new Array(r - o + 1).join("0") : r > 0 ? i.slice(0, r) + "." + i.slice(r) : "0." + new Array(1 - r).join("0") + De(t, Math.max(0, e + r - 1))[0];
}
function Gi(t, e) {
  var n = De(t, e);
  if (!n) return t + "";
  var i = n[0], s = n[1];
  return s < 0 ? "0." + new Array(-s).join("0") + i : i.length > s + 1 ? i.slice(0, s + 1) + "." + i.slice(s + 1) : i + new Array(s - i.length + 2).join("0");
}
var Ui = {
  "%": (t, e) => (t * 100).toFixed(e),
  b: (t) => Math.round(t).toString(2),
  c: (t) => t + "",
  d: va,
  e: (t, e) => t.toExponential(e),
  f: (t, e) => t.toFixed(e),
  g: (t, e) => t.toPrecision(e),
  o: (t) => Math.round(t).toString(8),
  p: (t, e) => Gi(t * 100, e),
  r: Gi,
  s: Sa,
  X: (t) => Math.round(t).toString(16).toUpperCase(),
  x: (t) => Math.round(t).toString(16)
};
function Ki(t) {
  return t;
}
var Zi = Array.prototype.map, Qi = ["y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"];
function Ta(t) {
  var e = t.grouping === void 0 || t.thousands === void 0 ? Ki : $a(Zi.call(t.grouping, Number), t.thousands + ""), n = t.currency === void 0 ? "" : t.currency[0] + "", i = t.currency === void 0 ? "" : t.currency[1] + "", s = t.decimal === void 0 ? "." : t.decimal + "", r = t.numerals === void 0 ? Ki : Ma(Zi.call(t.numerals, String)), o = t.percent === void 0 ? "%" : t.percent + "", a = t.minus === void 0 ? "−" : t.minus + "", c = t.nan === void 0 ? "NaN" : t.nan + "";
  function u(d, f) {
    d = ue(d);
    var p = d.fill, b = d.align, N = d.sign, E = d.symbol, w = d.zero, T = d.width, R = d.comma, k = d.precision, L = d.trim, g = d.type;
    g === "n" ? (R = !0, g = "g") : Ui[g] || (k === void 0 && (k = 12), L = !0, g = "g"), (w || p === "0" && b === "=") && (w = !0, p = "0", b = "=");
    var q = (f && f.prefix !== void 0 ? f.prefix : "") + (E === "$" ? n : E === "#" && /[boxX]/.test(g) ? "0" + g.toLowerCase() : ""), B = (E === "$" ? i : /[%p]/.test(g) ? o : "") + (f && f.suffix !== void 0 ? f.suffix : ""), x = Ui[g], A = /[defgprs%]/.test(g);
    k = k === void 0 ? 6 : /[gprs]/.test(g) ? Math.max(1, Math.min(21, k)) : Math.max(0, Math.min(20, k));
    function O(z) {
      var C = q, m = B, _, y, v;
      if (g === "c")
        m = x(z) + m, z = "";
      else {
        z = +z;
        var M = z < 0 || 1 / z < 0;
        if (z = isNaN(z) ? c : x(Math.abs(z), k), L && (z = Na(z)), M && +z == 0 && N !== "+" && (M = !1), C = (M ? N === "(" ? N : a : N === "-" || N === "(" ? "" : N) + C, m = (g === "s" && !isNaN(z) && He !== void 0 ? Qi[8 + He / 3] : "") + m + (M && N === "(" ? ")" : ""), A) {
          for (_ = -1, y = z.length; ++_ < y; )
            if (v = z.charCodeAt(_), 48 > v || v > 57) {
              m = (v === 46 ? s + z.slice(_ + 1) : z.slice(_)) + m, z = z.slice(0, _);
              break;
            }
        }
      }
      R && !w && (z = e(z, 1 / 0));
      var $ = C.length + z.length + m.length, S = $ < T ? new Array(T - $ + 1).join(p) : "";
      switch (R && w && (z = e(S + z, S.length ? T - m.length : 1 / 0), S = ""), b) {
        case "<":
          z = C + z + m + S;
          break;
        case "=":
          z = C + S + z + m;
          break;
        case "^":
          z = S.slice(0, $ = S.length >> 1) + C + z + m + S.slice($);
          break;
        default:
          z = S + C + z + m;
          break;
      }
      return r(z);
    }
    return O.toString = function() {
      return d + "";
    }, O;
  }
  function h(d, f) {
    var p = Math.max(-8, Math.min(8, Math.floor(Vt(f) / 3))) * 3, b = Math.pow(10, -p), N = u((d = ue(d), d.type = "f", d), { suffix: Qi[8 + p / 3] });
    return function(E) {
      return N(b * E);
    };
  }
  return {
    format: u,
    formatPrefix: h
  };
}
var $e, Qn, Qs;
Ea({
  thousands: ",",
  grouping: [3],
  currency: ["$", ""]
});
function Ea(t) {
  return $e = Ta(t), Qn = $e.format, Qs = $e.formatPrefix, $e;
}
function Aa(t) {
  return Math.max(0, -Vt(Math.abs(t)));
}
function La(t, e) {
  return Math.max(0, Math.max(-8, Math.min(8, Math.floor(Vt(e) / 3))) * 3 - Vt(Math.abs(t)));
}
function Ca(t, e) {
  return t = Math.abs(t), e = Math.abs(e) - t, Math.max(0, Vt(e) - Vt(t)) + 1;
}
function Js(t, e) {
  switch (arguments.length) {
    case 0:
      break;
    case 1:
      this.range(t);
      break;
    default:
      this.range(e).domain(t);
      break;
  }
  return this;
}
function qa(t) {
  return function() {
    return t;
  };
}
function za(t) {
  return +t;
}
var Ji = [0, 1];
function It(t) {
  return t;
}
function qn(t, e) {
  return (e -= t = +t) ? function(n) {
    return (n - t) / e;
  } : qa(isNaN(e) ? NaN : 0.5);
}
function Pa(t, e) {
  var n;
  return t > e && (n = t, t = e, e = n), function(i) {
    return Math.max(t, Math.min(e, i));
  };
}
function Ra(t, e, n) {
  var i = t[0], s = t[1], r = e[0], o = e[1];
  return s < i ? (i = qn(s, i), r = n(o, r)) : (i = qn(i, s), r = n(r, o)), function(a) {
    return r(i(a));
  };
}
function Ia(t, e, n) {
  var i = Math.min(t.length, e.length) - 1, s = new Array(i), r = new Array(i), o = -1;
  for (t[i] < t[0] && (t = t.slice().reverse(), e = e.slice().reverse()); ++o < i; )
    s[o] = qn(t[o], t[o + 1]), r[o] = n(e[o], e[o + 1]);
  return function(a) {
    var c = ho(t, a, 1, i) - 1;
    return r[c](s[c](a));
  };
}
function tr(t, e) {
  return e.domain(t.domain()).range(t.range()).interpolate(t.interpolate()).clamp(t.clamp()).unknown(t.unknown());
}
function er() {
  var t = Ji, e = Ji, n = Kn, i, s, r, o = It, a, c, u;
  function h() {
    var f = Math.min(t.length, e.length);
    return o !== It && (o = Pa(t[0], t[f - 1])), a = f > 2 ? Ia : Ra, c = u = null, d;
  }
  function d(f) {
    return f == null || isNaN(f = +f) ? r : (c || (c = a(t.map(i), e, n)))(i(o(f)));
  }
  return d.invert = function(f) {
    return o(s((u || (u = a(e, t.map(i), nt)))(f)));
  }, d.domain = function(f) {
    return arguments.length ? (t = Array.from(f, za), h()) : t.slice();
  }, d.range = function(f) {
    return arguments.length ? (e = Array.from(f), h()) : e.slice();
  }, d.rangeRound = function(f) {
    return e = Array.from(f), n = da, h();
  }, d.clamp = function(f) {
    return arguments.length ? (o = f ? !0 : It, h()) : o !== It;
  }, d.interpolate = function(f) {
    return arguments.length ? (n = f, h()) : n;
  }, d.unknown = function(f) {
    return arguments.length ? (r = f, d) : r;
  }, function(f, p) {
    return i = f, s = p, h();
  };
}
function Oa() {
  return er()(It, It);
}
function Ba(t, e, n, i) {
  var s = fo(t, e, n), r;
  switch (i = ue(i ?? ",f"), i.type) {
    case "s": {
      var o = Math.max(Math.abs(t), Math.abs(e));
      return i.precision == null && !isNaN(r = La(s, o)) && (i.precision = r), Qs(i, o);
    }
    case "":
    case "e":
    case "g":
    case "p":
    case "r": {
      i.precision == null && !isNaN(r = Ca(s, Math.max(Math.abs(t), Math.abs(e)))) && (i.precision = r - (i.type === "e"));
      break;
    }
    case "f":
    case "%": {
      i.precision == null && !isNaN(r = Aa(s)) && (i.precision = r - (i.type === "%") * 2);
      break;
    }
  }
  return Qn(i);
}
function Fa(t) {
  var e = t.domain;
  return t.ticks = function(n) {
    var i = e();
    return kn(i[0], i[i.length - 1], n ?? 10);
  }, t.tickFormat = function(n, i) {
    var s = e();
    return Ba(s[0], s[s.length - 1], n ?? 10, i);
  }, t.nice = function(n) {
    n == null && (n = 10);
    var i = e(), s = 0, r = i.length - 1, o = i[s], a = i[r], c, u, h = 10;
    for (a < o && (u = o, o = a, a = u, u = s, s = r, r = u); h-- > 0; ) {
      if (u = Cs(o, a, n), u === c)
        return i[s] = o, i[r] = a, e(i);
      if (u > 0)
        o = Math.floor(o / u) * u, a = Math.ceil(a / u) * u;
      else if (u < 0)
        o = Math.ceil(o * u) / u, a = Math.floor(a * u) / u;
      else
        break;
      c = u;
    }
    return t;
  }, t;
}
function Xe() {
  var t = Oa();
  return t.copy = function() {
    return tr(t, Xe());
  }, Js.apply(t, arguments), Fa(t);
}
function Da(t, e) {
  t = t.slice();
  var n = 0, i = t.length - 1, s = t[n], r = t[i], o;
  return r < s && (o = n, n = i, i = o, o = s, s = r, r = o), t[n] = e.floor(s), t[i] = e.ceil(r), t;
}
function ts(t) {
  return Math.log(t);
}
function es(t) {
  return Math.exp(t);
}
function Ha(t) {
  return -Math.log(-t);
}
function Xa(t) {
  return -Math.exp(-t);
}
function Va(t) {
  return isFinite(t) ? +("1e" + t) : t < 0 ? 0 : t;
}
function Ya(t) {
  return t === 10 ? Va : t === Math.E ? Math.exp : (e) => Math.pow(t, e);
}
function ja(t) {
  return t === Math.E ? Math.log : t === 10 && Math.log10 || t === 2 && Math.log2 || (t = Math.log(t), (e) => Math.log(e) / t);
}
function ns(t) {
  return (e, n) => -t(-e, n);
}
function Wa(t) {
  const e = t(ts, es), n = e.domain;
  let i = 10, s, r;
  function o() {
    return s = ja(i), r = Ya(i), n()[0] < 0 ? (s = ns(s), r = ns(r), t(Ha, Xa)) : t(ts, es), e;
  }
  return e.base = function(a) {
    return arguments.length ? (i = +a, o()) : i;
  }, e.domain = function(a) {
    return arguments.length ? (n(a), o()) : n();
  }, e.ticks = (a) => {
    const c = n();
    let u = c[0], h = c[c.length - 1];
    const d = h < u;
    d && ([u, h] = [h, u]);
    let f = s(u), p = s(h), b, N;
    const E = a == null ? 10 : +a;
    let w = [];
    if (!(i % 1) && p - f < E) {
      if (f = Math.floor(f), p = Math.ceil(p), u > 0) {
        for (; f <= p; ++f)
          for (b = 1; b < i; ++b)
            if (N = f < 0 ? b / r(-f) : b * r(f), !(N < u)) {
              if (N > h) break;
              w.push(N);
            }
      } else for (; f <= p; ++f)
        for (b = i - 1; b >= 1; --b)
          if (N = f > 0 ? b / r(-f) : b * r(f), !(N < u)) {
            if (N > h) break;
            w.push(N);
          }
      w.length * 2 < E && (w = kn(u, h, E));
    } else
      w = kn(f, p, Math.min(p - f, E)).map(r);
    return d ? w.reverse() : w;
  }, e.tickFormat = (a, c) => {
    if (a == null && (a = 10), c == null && (c = i === 10 ? "s" : ","), typeof c != "function" && (!(i % 1) && (c = ue(c)).precision == null && (c.trim = !0), c = Qn(c)), a === 1 / 0) return c;
    const u = Math.max(1, i * a / e.ticks().length);
    return (h) => {
      let d = h / r(Math.round(s(h)));
      return d * i < i - 0.5 && (d *= i), d <= u ? c(h) : "";
    };
  }, e.nice = () => n(Da(n(), {
    floor: (a) => r(Math.floor(s(a))),
    ceil: (a) => r(Math.ceil(s(a)))
  })), e;
}
function zn() {
  const t = Wa(er()).domain([1, 10]);
  return t.copy = () => tr(t, zn()).base(t.base()), Js.apply(t, arguments), t;
}
const Qt = Math.PI, Pn = 2 * Qt, vt = 1e-6, Ga = Pn - vt;
function nr(t) {
  this._ += t[0];
  for (let e = 1, n = t.length; e < n; ++e)
    this._ += arguments[e] + t[e];
}
function Ua(t) {
  let e = Math.floor(t);
  if (!(e >= 0)) throw new Error(`invalid digits: ${t}`);
  if (e > 15) return nr;
  const n = 10 ** e;
  return function(i) {
    this._ += i[0];
    for (let s = 1, r = i.length; s < r; ++s)
      this._ += Math.round(arguments[s] * n) / n + i[s];
  };
}
function ir(t, e, n, i) {
  return t === n && e === i;
}
function Ka(t) {
  const e = Math.floor(t);
  if (!(e <= 15)) return ir;
  const n = 10 ** e, i = function(s) {
    return Math.round(s * n);
  };
  return function(s, r, o, a) {
    return i(s) === i(o) && i(r) === i(a);
  };
}
class Za {
  constructor(e) {
    this._x0 = this._y0 = // start of current subpath
    this._x1 = this._y1 = null, this._ = "", this._append = e == null ? nr : Ua(e), this._equal = e == null ? ir : Ka(e);
  }
  moveTo(e, n) {
    this._append`M${this._x0 = this._x1 = +e},${this._y0 = this._y1 = +n}`;
  }
  closePath() {
    this._x1 !== null && (this._x1 = this._x0, this._y1 = this._y0, this._append`Z`);
  }
  lineTo(e, n) {
    this._append`L${this._x1 = +e},${this._y1 = +n}`;
  }
  quadraticCurveTo(e, n, i, s) {
    this._append`Q${+e},${+n},${this._x1 = +i},${this._y1 = +s}`;
  }
  bezierCurveTo(e, n, i, s, r, o) {
    this._append`C${+e},${+n},${+i},${+s},${this._x1 = +r},${this._y1 = +o}`;
  }
  arcTo(e, n, i, s, r) {
    if (e = +e, n = +n, i = +i, s = +s, r = +r, r < 0) throw new Error(`negative radius: ${r}`);
    let o = this._x1, a = this._y1, c = i - e, u = s - n, h = o - e, d = a - n, f = h * h + d * d;
    if (this._x1 === null)
      this._append`M${this._x1 = e},${this._y1 = n}`;
    else if (f > vt) if (!(Math.abs(d * c - u * h) > vt) || !r)
      this._append`L${this._x1 = e},${this._y1 = n}`;
    else {
      let p = i - o, b = s - a, N = c * c + u * u, E = p * p + b * b, w = Math.sqrt(N), T = Math.sqrt(f), R = r * Math.tan((Qt - Math.acos((N + f - E) / (2 * w * T))) / 2), k = R / T, L = R / w;
      Math.abs(k - 1) > vt && this._append`L${e + k * h},${n + k * d}`, this._append`A${r},${r},0,0,${+(d * p > h * b)},${this._x1 = e + L * c},${this._y1 = n + L * u}`;
    }
  }
  arc(e, n, i, s, r, o) {
    if (e = +e, n = +n, i = +i, o = !!o, i < 0) throw new Error(`negative radius: ${i}`);
    let a = i * Math.cos(s), c = i * Math.sin(s), u = e + a, h = n + c, d = 1 ^ o, f = o ? s - r : r - s;
    if (this._x1 === null ? this._append`M${u},${h}` : (Math.abs(this._x1 - u) > vt || Math.abs(this._y1 - h) > vt) && this._append`L${u},${h}`, !!i) {
      if (f < 0 && (f = f % Pn + Pn), f > Ga)
        this._append`A${i},${i},0,1,${d},${e - a},${n - c}A${i},${i},0,1,${d},${this._x1 = u},${this._y1 = h}`;
      else if (f > vt) {
        const p = e + i * Math.cos(r), b = n + i * Math.sin(r);
        if (f >= Qt && this._equal(u, h, p, b)) {
          f /= 2;
          let N = s + f;
          this._append`A${i},${i},0,${+(f >= Qt)},${d},${e + i * Math.cos(N)},${n + i * Math.sin(N)}`;
        }
        this._append`A${i},${i},0,${+(f >= Qt)},${d},${this._x1 = p},${this._y1 = b}`;
      }
    }
  }
  rect(e, n, i, s) {
    this._append`M${this._x0 = this._x1 = +e},${this._y0 = this._y1 = +n}h${i = +i}v${+s}h${-i}Z`;
  }
  toString() {
    return this._;
  }
}
function ot(t) {
  return function() {
    return t;
  };
}
const sr = Math.cos, Ve = Math.sin, Ct = Math.sqrt, is = 1e-12, Ye = Math.PI, en = 2 * Ye;
function rr(t) {
  let e = 3;
  return t.digits = function(n) {
    if (!arguments.length) return e;
    if (n == null)
      e = null;
    else {
      const i = Math.floor(n);
      if (!(i >= 0)) throw new RangeError(`invalid digits: ${n}`);
      e = i;
    }
    return t;
  }, () => new Za(e);
}
function Qa(t) {
  return typeof t == "object" && "length" in t ? t : Array.from(t);
}
function or(t) {
  this._context = t;
}
or.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._point = 0;
  },
  lineEnd: function() {
    (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    switch (t = +t, e = +e, this._point) {
      case 0:
        this._point = 1, this._line ? this._context.lineTo(t, e) : this._context.moveTo(t, e);
        break;
      case 1:
        this._point = 2;
      // falls through
      default:
        this._context.lineTo(t, e);
        break;
    }
  }
};
function Ja(t) {
  return new or(t);
}
function tl(t) {
  return t[0];
}
function el(t) {
  return t[1];
}
function nl(t, e) {
  var n = ot(!0), i = null, s = Ja, r = null, o = rr(a);
  t = typeof t == "function" ? t : t === void 0 ? tl : ot(t), e = typeof e == "function" ? e : e === void 0 ? el : ot(e);
  function a(c) {
    var u, h = (c = Qa(c)).length, d, f = !1, p;
    for (i == null && (r = s(p = o())), u = 0; u <= h; ++u)
      !(u < h && n(d = c[u], u, c)) === f && ((f = !f) ? r.lineStart() : r.lineEnd()), f && r.point(+t(d, u, c), +e(d, u, c));
    if (p) return r = null, p + "" || null;
  }
  return a.x = function(c) {
    return arguments.length ? (t = typeof c == "function" ? c : ot(+c), a) : t;
  }, a.y = function(c) {
    return arguments.length ? (e = typeof c == "function" ? c : ot(+c), a) : e;
  }, a.defined = function(c) {
    return arguments.length ? (n = typeof c == "function" ? c : ot(!!c), a) : n;
  }, a.curve = function(c) {
    return arguments.length ? (s = c, i != null && (r = s(i)), a) : s;
  }, a.context = function(c) {
    return arguments.length ? (c == null ? i = r = null : r = s(i = c), a) : i;
  }, a;
}
var Jn = {
  draw(t, e) {
    const n = Ct(e / Ye);
    t.moveTo(n, 0), t.arc(0, 0, n, 0, en);
  }
};
const ar = Ct(1 / 3), il = ar * 2;
var sl = {
  draw(t, e) {
    const n = Ct(e / il), i = n * ar;
    t.moveTo(0, -n), t.lineTo(i, 0), t.lineTo(0, n), t.lineTo(-i, 0), t.closePath();
  }
}, rl = {
  draw(t, e) {
    const n = Ct(e), i = -n / 2;
    t.rect(i, i, n, n);
  }
};
const ol = 0.8908130915292852, lr = Ve(Ye / 10) / Ve(7 * Ye / 10), al = Ve(en / 10) * lr, ll = -sr(en / 10) * lr;
var cl = {
  draw(t, e) {
    const n = Ct(e * ol), i = al * n, s = ll * n;
    t.moveTo(0, -n), t.lineTo(i, s);
    for (let r = 1; r < 5; ++r) {
      const o = en * r / 5, a = sr(o), c = Ve(o);
      t.lineTo(c * n, -a * n), t.lineTo(a * i - c * s, c * i + a * s);
    }
    t.closePath();
  }
};
const gn = Ct(3);
var ul = {
  draw(t, e) {
    const n = -Ct(e / (gn * 3));
    t.moveTo(0, n * 2), t.lineTo(-gn * n, -n), t.lineTo(gn * n, -n), t.closePath();
  }
};
function cr(t, e) {
  let n = null, i = rr(s);
  t = typeof t == "function" ? t : ot(t || Jn), e = typeof e == "function" ? e : ot(e === void 0 ? 64 : +e);
  function s() {
    let r;
    if (n || (n = r = i()), t.apply(this, arguments).draw(n, +e.apply(this, arguments)), r) return n = null, r + "" || null;
  }
  return s.type = function(r) {
    return arguments.length ? (t = typeof r == "function" ? r : ot(r), s) : t;
  }, s.size = function(r) {
    return arguments.length ? (e = typeof r == "function" ? r : ot(+r), s) : e;
  }, s.context = function(r) {
    return arguments.length ? (n = r ?? null, s) : n;
  }, s;
}
function je() {
}
function ss(t, e, n) {
  t._context.bezierCurveTo(
    (2 * t._x0 + t._x1) / 3,
    (2 * t._y0 + t._y1) / 3,
    (t._x0 + 2 * t._x1) / 3,
    (t._y0 + 2 * t._y1) / 3,
    (t._x0 + 4 * t._x1 + e) / 6,
    (t._y0 + 4 * t._y1 + n) / 6
  );
}
function ti(t) {
  this._context = t;
}
ti.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x0 = this._x1 = this._y0 = this._y1 = NaN, this._point = 0;
  },
  lineEnd: function() {
    switch (this._point) {
      case 3:
        ss(this, this._x1, this._y1);
      // falls through
      case 2:
        this._context.lineTo(this._x1, this._y1);
        break;
    }
    (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    switch (t = +t, e = +e, this._point) {
      case 0:
        this._point = 1, this._line ? this._context.lineTo(t, e) : this._context.moveTo(t, e);
        break;
      case 1:
        this._point = 2;
        break;
      case 2:
        this._point = 3, this._context.lineTo((5 * this._x0 + this._x1) / 6, (5 * this._y0 + this._y1) / 6);
      // falls through
      default:
        ss(this, t, e);
        break;
    }
    this._x0 = this._x1, this._x1 = t, this._y0 = this._y1, this._y1 = e;
  }
};
function ur(t, e) {
  this._basis = new ti(t), this._beta = e;
}
ur.prototype = {
  lineStart: function() {
    this._x = [], this._y = [], this._basis.lineStart();
  },
  lineEnd: function() {
    var t = this._x, e = this._y, n = t.length - 1;
    if (n > 0)
      for (var i = t[0], s = e[0], r = t[n] - i, o = e[n] - s, a = -1, c; ++a <= n; )
        c = a / n, this._basis.point(
          this._beta * t[a] + (1 - this._beta) * (i + c * r),
          this._beta * e[a] + (1 - this._beta) * (s + c * o)
        );
    this._x = this._y = null, this._basis.lineEnd();
  },
  point: function(t, e) {
    this._x.push(+t), this._y.push(+e);
  }
};
(function t(e) {
  function n(i) {
    return e === 1 ? new ti(i) : new ur(i, e);
  }
  return n.beta = function(i) {
    return t(+i);
  }, n;
})(0.85);
function We(t, e, n) {
  t._context.bezierCurveTo(
    t._x1 + t._k * (t._x2 - t._x0),
    t._y1 + t._k * (t._y2 - t._y0),
    t._x2 + t._k * (t._x1 - e),
    t._y2 + t._k * (t._y1 - n),
    t._x2,
    t._y2
  );
}
function ei(t, e) {
  this._context = t, this._k = (1 - e) / 6;
}
ei.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._point = 0;
  },
  lineEnd: function() {
    switch (this._point) {
      case 2:
        this._context.lineTo(this._x2, this._y2);
        break;
      case 3:
        We(this, this._x1, this._y1);
        break;
    }
    (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    switch (t = +t, e = +e, this._point) {
      case 0:
        this._point = 1, this._line ? this._context.lineTo(t, e) : this._context.moveTo(t, e);
        break;
      case 1:
        this._point = 2, this._x1 = t, this._y1 = e;
        break;
      case 2:
        this._point = 3;
      // falls through
      default:
        We(this, t, e);
        break;
    }
    this._x0 = this._x1, this._x1 = this._x2, this._x2 = t, this._y0 = this._y1, this._y1 = this._y2, this._y2 = e;
  }
};
(function t(e) {
  function n(i) {
    return new ei(i, e);
  }
  return n.tension = function(i) {
    return t(+i);
  }, n;
})(0);
function ni(t, e) {
  this._context = t, this._k = (1 - e) / 6;
}
ni.prototype = {
  areaStart: je,
  areaEnd: je,
  lineStart: function() {
    this._x0 = this._x1 = this._x2 = this._x3 = this._x4 = this._x5 = this._y0 = this._y1 = this._y2 = this._y3 = this._y4 = this._y5 = NaN, this._point = 0;
  },
  lineEnd: function() {
    switch (this._point) {
      case 1: {
        this._context.moveTo(this._x3, this._y3), this._context.closePath();
        break;
      }
      case 2: {
        this._context.lineTo(this._x3, this._y3), this._context.closePath();
        break;
      }
      case 3: {
        this.point(this._x3, this._y3), this.point(this._x4, this._y4), this.point(this._x5, this._y5);
        break;
      }
    }
  },
  point: function(t, e) {
    switch (t = +t, e = +e, this._point) {
      case 0:
        this._point = 1, this._x3 = t, this._y3 = e;
        break;
      case 1:
        this._point = 2, this._context.moveTo(this._x4 = t, this._y4 = e);
        break;
      case 2:
        this._point = 3, this._x5 = t, this._y5 = e;
        break;
      default:
        We(this, t, e);
        break;
    }
    this._x0 = this._x1, this._x1 = this._x2, this._x2 = t, this._y0 = this._y1, this._y1 = this._y2, this._y2 = e;
  }
};
(function t(e) {
  function n(i) {
    return new ni(i, e);
  }
  return n.tension = function(i) {
    return t(+i);
  }, n;
})(0);
function ii(t, e) {
  this._context = t, this._k = (1 - e) / 6;
}
ii.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._point = 0;
  },
  lineEnd: function() {
    (this._line || this._line !== 0 && this._point === 3) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    switch (t = +t, e = +e, this._point) {
      case 0:
        this._point = 1;
        break;
      case 1:
        this._point = 2;
        break;
      case 2:
        this._point = 3, this._line ? this._context.lineTo(this._x2, this._y2) : this._context.moveTo(this._x2, this._y2);
        break;
      case 3:
        this._point = 4;
      // falls through
      default:
        We(this, t, e);
        break;
    }
    this._x0 = this._x1, this._x1 = this._x2, this._x2 = t, this._y0 = this._y1, this._y1 = this._y2, this._y2 = e;
  }
};
(function t(e) {
  function n(i) {
    return new ii(i, e);
  }
  return n.tension = function(i) {
    return t(+i);
  }, n;
})(0);
function si(t, e, n) {
  var i = t._x1, s = t._y1, r = t._x2, o = t._y2;
  if (t._l01_a > is) {
    var a = 2 * t._l01_2a + 3 * t._l01_a * t._l12_a + t._l12_2a, c = 3 * t._l01_a * (t._l01_a + t._l12_a);
    i = (i * a - t._x0 * t._l12_2a + t._x2 * t._l01_2a) / c, s = (s * a - t._y0 * t._l12_2a + t._y2 * t._l01_2a) / c;
  }
  if (t._l23_a > is) {
    var u = 2 * t._l23_2a + 3 * t._l23_a * t._l12_a + t._l12_2a, h = 3 * t._l23_a * (t._l23_a + t._l12_a);
    r = (r * u + t._x1 * t._l23_2a - e * t._l12_2a) / h, o = (o * u + t._y1 * t._l23_2a - n * t._l12_2a) / h;
  }
  t._context.bezierCurveTo(i, s, r, o, t._x2, t._y2);
}
function hr(t, e) {
  this._context = t, this._alpha = e;
}
hr.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._l01_a = this._l12_a = this._l23_a = this._l01_2a = this._l12_2a = this._l23_2a = this._point = 0;
  },
  lineEnd: function() {
    switch (this._point) {
      case 2:
        this._context.lineTo(this._x2, this._y2);
        break;
      case 3:
        this.point(this._x2, this._y2);
        break;
    }
    (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    if (t = +t, e = +e, this._point) {
      var n = this._x2 - t, i = this._y2 - e;
      this._l23_a = Math.sqrt(this._l23_2a = Math.pow(n * n + i * i, this._alpha));
    }
    switch (this._point) {
      case 0:
        this._point = 1, this._line ? this._context.lineTo(t, e) : this._context.moveTo(t, e);
        break;
      case 1:
        this._point = 2;
        break;
      case 2:
        this._point = 3;
      // falls through
      default:
        si(this, t, e);
        break;
    }
    this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = t, this._y0 = this._y1, this._y1 = this._y2, this._y2 = e;
  }
};
(function t(e) {
  function n(i) {
    return e ? new hr(i, e) : new ei(i, 0);
  }
  return n.alpha = function(i) {
    return t(+i);
  }, n;
})(0.5);
function fr(t, e) {
  this._context = t, this._alpha = e;
}
fr.prototype = {
  areaStart: je,
  areaEnd: je,
  lineStart: function() {
    this._x0 = this._x1 = this._x2 = this._x3 = this._x4 = this._x5 = this._y0 = this._y1 = this._y2 = this._y3 = this._y4 = this._y5 = NaN, this._l01_a = this._l12_a = this._l23_a = this._l01_2a = this._l12_2a = this._l23_2a = this._point = 0;
  },
  lineEnd: function() {
    switch (this._point) {
      case 1: {
        this._context.moveTo(this._x3, this._y3), this._context.closePath();
        break;
      }
      case 2: {
        this._context.lineTo(this._x3, this._y3), this._context.closePath();
        break;
      }
      case 3: {
        this.point(this._x3, this._y3), this.point(this._x4, this._y4), this.point(this._x5, this._y5);
        break;
      }
    }
  },
  point: function(t, e) {
    if (t = +t, e = +e, this._point) {
      var n = this._x2 - t, i = this._y2 - e;
      this._l23_a = Math.sqrt(this._l23_2a = Math.pow(n * n + i * i, this._alpha));
    }
    switch (this._point) {
      case 0:
        this._point = 1, this._x3 = t, this._y3 = e;
        break;
      case 1:
        this._point = 2, this._context.moveTo(this._x4 = t, this._y4 = e);
        break;
      case 2:
        this._point = 3, this._x5 = t, this._y5 = e;
        break;
      default:
        si(this, t, e);
        break;
    }
    this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = t, this._y0 = this._y1, this._y1 = this._y2, this._y2 = e;
  }
};
(function t(e) {
  function n(i) {
    return e ? new fr(i, e) : new ni(i, 0);
  }
  return n.alpha = function(i) {
    return t(+i);
  }, n;
})(0.5);
function dr(t, e) {
  this._context = t, this._alpha = e;
}
dr.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._l01_a = this._l12_a = this._l23_a = this._l01_2a = this._l12_2a = this._l23_2a = this._point = 0;
  },
  lineEnd: function() {
    (this._line || this._line !== 0 && this._point === 3) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    if (t = +t, e = +e, this._point) {
      var n = this._x2 - t, i = this._y2 - e;
      this._l23_a = Math.sqrt(this._l23_2a = Math.pow(n * n + i * i, this._alpha));
    }
    switch (this._point) {
      case 0:
        this._point = 1;
        break;
      case 1:
        this._point = 2;
        break;
      case 2:
        this._point = 3, this._line ? this._context.lineTo(this._x2, this._y2) : this._context.moveTo(this._x2, this._y2);
        break;
      case 3:
        this._point = 4;
      // falls through
      default:
        si(this, t, e);
        break;
    }
    this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = t, this._y0 = this._y1, this._y1 = this._y2, this._y2 = e;
  }
};
(function t(e) {
  function n(i) {
    return e ? new dr(i, e) : new ii(i, 0);
  }
  return n.alpha = function(i) {
    return t(+i);
  }, n;
})(0.5);
function rs(t) {
  return t < 0 ? -1 : 1;
}
function os(t, e, n) {
  var i = t._x1 - t._x0, s = e - t._x1, r = (t._y1 - t._y0) / (i || s < 0 && -0), o = (n - t._y1) / (s || i < 0 && -0), a = (r * s + o * i) / (i + s);
  return (rs(r) + rs(o)) * Math.min(Math.abs(r), Math.abs(o), 0.5 * Math.abs(a)) || 0;
}
function as(t, e) {
  var n = t._x1 - t._x0;
  return n ? (3 * (t._y1 - t._y0) / n - e) / 2 : e;
}
function yn(t, e, n) {
  var i = t._x0, s = t._y0, r = t._x1, o = t._y1, a = (r - i) / 3;
  t._context.bezierCurveTo(i + a, s + a * e, r - a, o - a * n, r, o);
}
function Rn(t) {
  this._context = t;
}
Rn.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x0 = this._x1 = this._y0 = this._y1 = this._t0 = NaN, this._point = 0;
  },
  lineEnd: function() {
    switch (this._point) {
      case 2:
        this._context.lineTo(this._x1, this._y1);
        break;
      case 3:
        yn(this, this._t0, as(this, this._t0));
        break;
    }
    (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
  },
  point: function(t, e) {
    var n = NaN;
    if (t = +t, e = +e, !(t === this._x1 && e === this._y1)) {
      switch (this._point) {
        case 0:
          this._point = 1, this._line ? this._context.lineTo(t, e) : this._context.moveTo(t, e);
          break;
        case 1:
          this._point = 2;
          break;
        case 2:
          this._point = 3, yn(this, as(this, n = os(this, t, e)), n);
          break;
        default:
          yn(this, this._t0, n = os(this, t, e));
          break;
      }
      this._x0 = this._x1, this._x1 = t, this._y0 = this._y1, this._y1 = e, this._t0 = n;
    }
  }
};
Object.create(Rn.prototype).point = function(t, e) {
  Rn.prototype.point.call(this, e, t);
};
function pr(t, e) {
  this._context = t, this._t = e;
}
pr.prototype = {
  areaStart: function() {
    this._line = 0;
  },
  areaEnd: function() {
    this._line = NaN;
  },
  lineStart: function() {
    this._x = this._y = NaN, this._point = 0;
  },
  lineEnd: function() {
    0 < this._t && this._t < 1 && this._point === 2 && this._context.lineTo(this._x, this._y), (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line >= 0 && (this._t = 1 - this._t, this._line = 1 - this._line);
  },
  point: function(t, e) {
    switch (t = +t, e = +e, this._point) {
      case 0:
        this._point = 1, this._line ? this._context.lineTo(t, e) : this._context.moveTo(t, e);
        break;
      case 1:
        this._point = 2;
      // falls through
      default: {
        if (this._t <= 0)
          this._context.lineTo(this._x, e), this._context.lineTo(t, e);
        else {
          var n = this._x * (1 - this._t) + t * this._t;
          this._context.lineTo(n, this._y), this._context.lineTo(n, e);
        }
        break;
      }
    }
    this._x = t, this._y = e;
  }
};
function hl(t) {
  return new pr(t, 0);
}
const In = Number.POSITIVE_INFINITY, Me = (t) => t === null ? In : t ?? 0;
function On(t, e) {
  const n = t.registers.find((o) => o.most >= e.registers), i = t.shared.find((o) => o.most >= e.shared), s = {
    threads: Me(t.threads[e.warps - 1]),
    blocks: Me(t.by_blocks),
    registers: e.registers === 0 ? In : Me(n?.blocks[e.warps - 1]),
    shared: Me(i?.blocks),
    barriers: t.barriers === void 0 || !e.barriers ? In : Math.floor(t.barriers / e.barriers)
  }, r = Math.min(...Object.values(s));
  return {
    blocks: r,
    warps: r * e.warps,
    occupancy: r * e.warps / t.max_warps_per_sm,
    limiters: Object.keys(s).filter((o) => s[o] === r)
  };
}
const fl = { threads: "warps", blocks: "blocks", registers: "registers", shared: "shared memory", barriers: "barriers" }, dl = (t) => t.length < 2 ? t.join("") : `${t.slice(0, -1).join(", ")} and ${t[t.length - 1]}`, pl = [
  { key: "warps", label: "threads of a block", values: (t) => t.threads.map((e, n) => n + 1), text: (t, e) => D(t * e.warp) },
  { key: "registers", label: "registers of a thread", values: (t) => Array.from({ length: t.registers[t.registers.length - 1]?.most ?? 0 }, (e, n) => n + 1), text: (t) => D(t) },
  { key: "shared", label: "shared memory of a block", values: (t) => t.shared.map((e) => e.most), text: (t) => F(t) }
];
function ls(t, e, n, i) {
  const u = e.values(n), h = u[u.length - 1] ?? 1, d = u[0] ?? 0, f = Xe().domain([d, h]).range([36, t - 10]), p = Xe().domain([0, 1]).range([98, 8]), b = u.map((T) => [T, On(n, { ...i, [e.key]: T }).occupancy]), N = nl((T) => f(T[0]), (T) => p(T[1])).curve(hl)(b) ?? "", E = On(n, i).occupancy, w = Math.min(h, Math.max(d, i[e.key]));
  return fe(
    t,
    120,
    `occupancy by ${e.label}`,
    [0, 0.5, 1].map((T) => [I("line", { x1: 36, x2: t - 10, y1: p(T), y2: p(T), class: "grid" }), I("text", { x: 31, y: p(T) + 4, class: "quiet end" }, `${T * 100} %`)]),
    I("text", { x: 36, y: 114, class: "quiet" }, e.text(d, n)),
    I("text", { x: t - 10, y: 114, class: "quiet end" }, e.text(h, n)),
    I("path", { d: N, class: "line s1" }),
    I("line", { x1: f(w), x2: f(w), y1: p(0), y2: p(1), class: "here" }),
    I("circle", { cx: f(w), cy: p(E), r: 4.5, class: "fill s1 dot" })
  );
}
function Oh(t, e, n, i = t[0]?.name) {
  const s = l("div", { class: "part part-occupancy" });
  if (t.length === 0)
    return s.append(l("p", { class: "nothing" }, "No device's limits are known here.")), s;
  let r = { ...e };
  const o = l("select", { "aria-label": "device", "data-control": "device" }, t.map((f) => l("option", { value: f.name, selected: f.name === i }, f.product ?? f.name))), a = () => (t.find((f) => f.name === o.value) ?? t[0])?.table, c = l("p", { class: "said", "aria-live": "polite" }), u = l("button", { type: "button", click: () => {
    r = { ...e }, d();
  } }, "as launched"), h = pl.map((f) => {
    const p = l("input", { type: "range", "aria-label": f.label, "data-knob": f.key }), b = l("output", {}), N = l("div", { class: "curve" });
    let E = () => {
    };
    return St(N, (T) => (E = () => N.replaceChildren(ls(T, f, a(), r)), ls(T, f, a(), r)), 320), p.addEventListener("input", () => {
      const T = f.values(a());
      r = { ...r, [f.key]: T[Number(p.value)] ?? r[f.key] }, d();
    }), { show: () => {
      const T = f.values(a());
      p.min = "0", p.max = String(T.length - 1);
      const R = T.findIndex((k) => k >= r[f.key]);
      p.value = String(R < 0 ? T.length - 1 : R), b.textContent = f.text(r[f.key], a()), p.setAttribute("aria-valuetext", b.textContent), E();
    }, node: l("div", { class: "knob" }, l("div", { class: "knob-head" }, l("span", {}, f.label), b), N, p) };
  });
  function d() {
    const f = On(a(), r), p = r.warps === e.warps && r.registers === e.registers && r.shared === e.shared;
    u.disabled = p;
    const b = f.blocks === 0 ? "Not even one block fits" : `${ct(f.blocks, "block")} of ${ct(r.warps, "warp")} fit${f.blocks === 1 ? "s" : ""} on an SM: ${D(f.warps)} of ${a().max_warps_per_sm} warps`, N = [
      l("b", { class: "big", "data-occupancy": String(f.occupancy) }, Y(f.occupancy)),
      V("counted", "sm__maximum_warps_per_active_cycle_pct"),
      ` ${b}; limited by ${dl(f.limiters.map((E) => fl[E] ?? E))}.`
    ];
    p && n !== void 0 && N.push(` Achieved: ${Y(n)}`, V("modelled", "sm__warps_active.avg.pct_of_peak_sustained_active")), c.replaceChildren(...N);
    for (const E of h) E.show();
  }
  return o.addEventListener("change", d), s.append(l("div", { class: "controls" }, t.length > 1 ? l("label", {}, "device ", o) : "", u), c, l("div", { class: "knobs" }, h.map((f) => f.node))), d(), s;
}
function Bh(t, e) {
  const n = t.total, i = l("div", { class: "part part-pages" });
  t.message && i.append(l("p", { class: "trouble" }, t.trouble ? l("b", {}, `${t.trouble}: `) : "", t.message));
  const s = [
    ["managed memory at once", F(t.managed_bytes)],
    ["touched by kernels", F(t.touched_bytes)],
    ["on the device at most", `${F(t.resident_bytes)} of ${F(t.room_bytes)}`],
    ["faults of kernels", `${D(n.faults)}${n.refaults > 0 ? `, ${D(n.refaults)} of them again` : ""}`],
    ["faults of the host", D(n.host_faults)],
    ["moved to the device", `${F(n.to_device_bytes)}, ${F(n.prefetched_in_bytes)} prefetched`],
    ["moved to the host", `${F(n.to_host_bytes)}, ${F(n.prefetched_back_bytes)} prefetched`],
    ["kernels stood still", j(n.device_stall_microseconds)],
    ["the host stood still", j(n.host_stall_microseconds)]
  ];
  n.evicted_bytes > 0 && s.push(["evicted for want of room", F(n.evicted_bytes)]), n.mapped_bytes > 0 && s.push(["reached across the link", F(n.mapped_bytes)]), i.append(l("dl", { class: "page-figures" }, s.map(([o, a]) => l("div", {}, l("dt", {}, o, V("modelled")), l("dd", {}, a)))));
  const r = Math.max(1, ...t.launches.map(({ moves: o }) => o.to_device_bytes + o.to_host_bytes));
  return t.launches.length > 0 && i.append(l(
    "table",
    { class: "whole stack" },
    l("thead", {}, l("tr", {}, l("th", {}, "launch"), l("th", {}, "moved"), l("th", { class: "number" }, "to device"), l("th", { class: "number" }, "to host"), l("th", { class: "number" }, "faults"), l("th", { class: "number" }, "stood still"))),
    l("tbody", {}, t.launches.map(({ launch: o, moves: a }) => {
      const c = e.get(o), u = (h, d, f) => st(l("span", { class: `piece ${d}`, style: `width: ${(h / r * 100).toFixed(2)}%` }), () => ut(f, [["bytes", F(h)], ["of the most", Y(h / r)]]));
      return l(
        "tr",
        {},
        l("td", { class: "name" }, `${o}`, c ? l("span", { class: "quiet" }, ` ${tt(c)}`) : ""),
        l("td", { class: "moved" }, l("span", { class: "bars" }, u(a.to_device_bytes, "s2", "to the device"), u(a.to_host_bytes, "s3", "to the host"))),
        l("td", { class: "number", "data-label": "to device" }, F(a.to_device_bytes)),
        l("td", { class: "number", "data-label": "to host" }, F(a.to_host_bytes)),
        l("td", { class: "number", "data-label": "faults" }, D(a.faults), a.refaults > 0 ? ` (${D(a.refaults)} again)` : ""),
        l("td", { class: "number", "data-label": "stood still" }, j(a.device_stall_microseconds))
      );
    }))
  )), t.left_out && i.append(l("p", { class: "quiet small" }, `${t.left_out} more launches have something to tell and are not listed.`)), i;
}
const ml = { store: "to", compute: "computes", load: "loads", copy: "to" };
function _l(t, e) {
  const [n = 1, i = 1, s = 1] = e;
  return [t % n, Math.floor(t / n) % i, Math.floor(t / (n * i))].slice(0, s > 1 ? 3 : i > 1 ? 2 : 1).join(", ");
}
function gl(t, e) {
  const n = t.phases[e], i = t.phase_count;
  return n ? n.first === 0 || n.first > i ? i === 0 ? "the whole kernel" : t.phases.slice(0, e).some((s) => s.first > 0) ? "after the last phase" : "before the first phase" : n.first === n.last ? `phase ${n.first} of ${i}` : `phases ${n.first} to ${n.last} of ${i}, alike` : "";
}
function Fh(t) {
  const e = (o) => o.filter((a, c) => a > 1 || c === 0).join("×"), n = (o) => t.arrays.filter((a) => a.space === o).map((a) => `${a.name}${a.shape.length > 0 ? a.shape.map((c) => `[${c}]`).join("") : `[${a.bytes / Math.max(1, a.element_bytes)}]`}`), i = [...new Set(t.arrays.map((o) => o.space))], s = l("div", { class: "part part-phases" }, l(
    "p",
    { class: "quiet" },
    `Block (${t.block_index.slice(0, t.grid[2] && t.grid[2] > 1 ? 3 : 2).join(", ")}) of ${tt(t.kernel)}, ${e(t.block)} threads; lines of ${Tt(t.file)}. `,
    i.map((o) => [l("span", { class: "space" }, `${o} `), l("code", {}, n(o).join("  ")), " "])
  ));
  for (const [o, a] of t.phases.entries()) {
    const c = (h) => h > 0 && a.columns[h]?.interval !== a.columns[h - 1]?.interval, u = (h) => {
      const d = a.columns[h];
      return d ? `${ml[d.kind] ?? d.kind} ${d.array}`.trim() : "";
    };
    s.append(l("h4", {}, gl(t, o)), l(
      "table",
      { class: "whole phase" },
      l("thead", {}, l("tr", {}, l("th", {}, "thread"), a.columns.map((h, d) => l(
        "th",
        { class: c(d) ? "behind-barrier" : "" },
        c(d) && l("span", { class: "barrier", title: "nobody passes before all threads of the block are there" }, "barrier"),
        u(d),
        " ",
        l("span", { class: "quiet lines" }, `:${h.lines.join(", ")}`)
      )))),
      l("tbody", {}, a.rows.map((h) => l("tr", {}, l("td", { class: "thread" }, _l(h.thread, t.block)), h.cells.map((d, f) => l(
        "td",
        { "data-label": `${u(f)} :${a.columns[f]?.lines.join(", ") ?? ""}`, class: c(f) ? "behind-barrier" : "" },
        d.map((p) => l("code", {}, p.text))
      )))))
    )), a.other_threads && s.append(l("p", { class: "quiet small" }, `${ct(a.other_threads, "more thread")} do${a.other_threads === 1 ? "es" : ""} the like.`));
  }
  const r = Object.entries(t.total).filter(([, o]) => o > 0);
  return s.append(l("p", { class: "quiet small" }, "The block in all: ", r.map(([o, a]) => `${D(a)} ${o.replaceAll("_", " ")}`).join(", "), "."), ...t.notes.map((o) => l("p", { class: "quiet small" }, o))), s;
}
const yl = {
  requested: { label: "asked for by threads", shape: Jn, series: "s1" },
  shared: { label: "shared memory", shape: cl, series: "s5" },
  l1: { label: "L1", shape: rl, series: "s2" },
  l2: { label: "L2", shape: ul, series: "s3" },
  dram: { label: "DRAM", shape: sl, series: "s4" }
}, Se = (t) => yl[t] ?? { label: t, shape: Jn, series: "s6" }, bl = { dram: "DRAM", l2: "L2", l1: "L1", shared: "shared" }, Te = (t, e = "FLOP/s") => `${de(t)}${e}`, cs = (t) => de(t).replace(/\.0+(?=\D|$)/, ""), xl = (t) => `${de(t)}B/s`, Ut = (t, e) => t.achieved ?? Math.min(e.ceiling, t.peak);
function wl(t, e, { peaks: n, memory: i }) {
  const s = t < 500 ? 300 : 380, r = { left: t < 500 ? 44 : 58, right: 12, top: 18, bottom: 44 }, o = n[0]?.unit ?? "FLOP/s", a = e.flatMap((x) => x.roofline.points.map((A) => A.intensity)).filter((x) => x > 0), c = e.flatMap((x) => x.roofline.points.map((A) => Ut(x.roofline, A))).filter((x) => x > 0), u = Math.max(...n.map((x) => x.peak), ...c), h = Math.min(...i.map((x) => x.bandwidth)), d = u / h, f = zn().domain([Math.min(0.1, d / 100, ...a.map((x) => x / 2)), Math.max(d * 6, ...a.map((x) => x * 2))]).range([r.left, t - r.right]), p = zn().domain([Math.min(u / 1e4, ...c.map((x) => x / 3)), u * 2.2]).range([s - r.bottom, r.top]), [b = 0.01, N = 1e3] = f.domain(), [E = 1] = p.domain(), w = (x, A) => {
    const O = [];
    for (let z = Math.ceil(Math.log10(x)); z <= Math.log10(A); ++z) O.push(10 ** z);
    return O;
  }, T = w(b, N), k = [
    w(E, p.domain()[1] ?? 1).map((x) => [I("line", { x1: r.left, x2: t - r.right, y1: p(x), y2: p(x), class: "grid" }), I("text", { x: r.left - 6, y: p(x) + 4, class: "quiet end" }, cs(x))]),
    T.map((x) => [I("line", { x1: f(x), x2: f(x), y1: r.top, y2: s - r.bottom, class: "grid" }), I("text", { x: f(x), y: s - r.bottom + 16, class: "quiet middle" }, cs(x))]),
    I("text", { x: t - r.right, y: s - 8, class: "quiet end" }, `intensity, ${o.replace("/s", "")} a byte`),
    I("text", { x: 0, y: 11, class: "quiet" }, o)
  ], L = Math.max(...n.map((x) => x.peak)), q = [
    [...new Set(i.map((x) => x.bandwidth))].map((x) => ({ bandwidth: x, levels: i.filter((A) => A.bandwidth === x).map((A) => A.level) })).map((x) => {
      const A = Math.min(N, L / x.bandwidth), O = Math.max(b, E / x.bandwidth), z = Math.atan2(p(A * x.bandwidth) - p(O * x.bandwidth), f(A) - f(O)) * 180 / Math.PI, C = Math.min(O * 1.6, A);
      return [
        I("line", { x1: f(O), y1: p(O * x.bandwidth), x2: f(A), y2: p(A * x.bandwidth), class: "roof", "data-level": x.levels.join(" ") }),
        I("text", { transform: `translate(${f(C)} ${p(C * x.bandwidth) - 6}) rotate(${z})`, class: "quiet roof-label" }, `${x.levels.map((m) => bl[m] ?? m).join(", ")} ${xl(x.bandwidth)}`)
      ];
    }),
    n.map((x) => [
      I("line", { x1: f(Math.max(b, x.peak / Math.max(...i.map((A) => A.bandwidth)))), y1: p(x.peak), x2: f(N), y2: p(x.peak), class: "roof", "data-type": x.type }),
      I("text", { x: t - r.right, y: p(x.peak) - 6, class: "quiet end roof-label" }, `${x.type} ${Te(x.peak, x.unit ?? o)}`)
    ])
  ], B = [...e].sort((x, A) => Number(x.chosen ?? !1) - Number(A.chosen ?? !1)).map((x) => {
    const A = x.roofline.points.filter((m) => m.intensity > 0), O = A[0], z = A[A.length - 1];
    return [x.chosen && O && z && A.length > 1 && I("line", {
      x1: f(Math.min(...A.map((m) => m.intensity))),
      x2: f(Math.max(...A.map((m) => m.intensity))),
      y1: p(Ut(x.roofline, O)),
      y2: p(Ut(x.roofline, O)),
      class: "between"
    }), A.map((m) => {
      const _ = Se(m.level), y = I("path", {
        d: cr(_.shape, x.chosen ? 110 : 44)() ?? "",
        transform: `translate(${f(m.intensity)} ${p(Ut(x.roofline, m))})`,
        class: `point ${_.series} ${x.chosen ? "chosen" : "other"}`,
        tabindex: x.chosen ? 0 : -1,
        "data-level": m.level,
        "aria-label": `${tt(x.name)}, ${_.label}: ${et(m.intensity)} a byte`
      });
      return st(y, () => ut(`${tt(x.name)}: ${_.label}`, [
        ["intensity", `${et(m.intensity)} ${o.replace("/s", "")}/B`],
        [x.roofline.achieved === void 0 ? "could do" : "does", Te(Ut(x.roofline, m), o)],
        ["roof here", Te(Math.min(m.ceiling, x.roofline.peak), o)]
      ]));
    })];
  });
  return fe(t, s, `roofline of ${e.map((x) => tt(x.name)).join(", ")}`, k, q, B);
}
function vl(t, e) {
  const n = l("div", { class: "part part-roofline" }), i = l("div", {});
  St(i, (r) => wl(r, t, e));
  const s = [...new Set(t.flatMap((r) => r.roofline.points.map((o) => o.level)))];
  return n.append(i, l("ul", { class: "key" }, s.map((r) => l("li", { class: Se(r).series }, I("svg", { class: "shape", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, I("path", { d: cr(Se(r).shape, 90)() ?? "", class: "fill" })), Se(r).label)))), n;
}
function Dh(t, e, n, i, s = t[0]?.name) {
  const r = l("div", { class: "part" }), o = t.filter((d) => d.kernels.some((f) => f.launch === e));
  if (o.length === 0)
    return r.append(l("p", { class: "nothing" }, "This launch has no arithmetic that a roofline could show.")), r;
  const a = l("select", { "aria-label": "device", "data-control": "device" }, o.map((d) => l("option", { value: d.name, selected: d.name === s }, d.product ?? d.name))), c = l("div", {}), u = l("p", { class: "verdict" }), h = () => {
    const d = o.find((w) => w.name === a.value) ?? o[0];
    if (!d) return;
    const f = d.kernels.find((w) => w.launch === e), p = d.kernels.flatMap((w) => w.roofline ? [{ name: n.get(w.launch) ?? "", roofline: w.roofline, chosen: w.launch === e }] : []).filter((w) => w.chosen || w.roofline.type === f?.roofline?.type);
    if (!f?.roofline) {
      c.replaceChildren(l("p", { class: "nothing" }, "This launch has no arithmetic that a roofline could show.")), u.textContent = "";
      return;
    }
    const b = f.roofline, N = d.roofs.compute.filter((w) => w.type === b.type);
    c.replaceChildren(vl(p, { peaks: N.length > 0 ? N : [{ type: b.type, unit: b.unit, peak: b.peak }], memory: d.roofs.memory }));
    const E = f.microseconds === void 0 ? d.no_time ? ` No time: ${d.no_time}.` : "" : ` On the ${d.name} it takes ${f.microseconds.toFixed(1)} µs.`;
    u.textContent = (b.verdict ?? `Its ceiling there is ${Te(b.attainable ?? b.peak, N[0]?.unit)}; the device needs ${et(b.ridge)} operations a byte to be bound by ${b.type}.`) + (b.verdict ? "" : E);
  };
  return a.addEventListener("change", () => {
    h(), i?.(a.value);
  }), r.append(o.length > 1 ? l("div", { class: "controls" }, l("label", {}, "device ", a)) : "", c, u), h(), r;
}
const $t = "share", us = 100, $l = (t) => {
  const e = /* @__PURE__ */ new Set();
  for (const n of t.shares) for (const [i, s] of Object.entries(n.figures)) s && e.add(i);
  for (const n of t.lines) for (const [i, s] of Object.entries(n.counters)) s && e.add(i);
  return [$t, ...e];
};
function Hh(t) {
  const e = l("div", { class: "part part-source" }), n = [.../* @__PURE__ */ new Set([...t.lines.map((k) => k.file), ...Object.keys(t.files)])], i = $l(t), s = new Map(t.shares.map((k) => [`${k.file}:${k.line}`, k])), r = new Map(t.lines.map((k) => [`${k.file}:${k.line}`, k])), o = (k, L, g) => {
    const q = `${k}:${L}`;
    return g === $t ? s.get(q)?.share : r.get(q)?.counters[g] ?? s.get(q)?.figures[g];
  }, a = [...t.shares].sort((k, L) => L.share - k.share)[0];
  if (n.length === 0)
    return e.append(l("p", { class: "nothing" }, "No line of the source is known: compile with -lineinfo (nvcc) or -gline-tables-only (clang).")), { node: e, open: () => !1 };
  const c = (k) => k === $t ? "share of traffic" : k.replaceAll("_", " "), u = l("select", { "aria-label": "what the column shows", "data-control": "counter" }, i.map((k) => l("option", { value: k }, c(k)))), h = l("select", { "aria-label": "file", "data-control": "file" }, n.map((k) => l("option", { value: k, selected: k === a?.file }, Tt(k)))), d = l("p", { class: "quiet small about" }), f = l("div", { class: "code", tabindex: 0, role: "region", "aria-label": "source" });
  let p;
  const b = (k, L) => L === void 0 || L === 0 ? "" : k === $t ? Y(L) : Number.isInteger(L) ? de(L) : et(L);
  function N(k, L) {
    const g = t.pictures.filter((A) => A.file === k && A.line === L), q = (t.notes ?? []).filter((A) => A.file === k && A.line === L), B = r.get(`${k}:${L}`), x = Object.entries({ ...s.get(`${k}:${L}`)?.figures, ...B?.counters }).filter(([, A]) => A !== 0);
    return [
      q.map((A) => l("p", { class: `line-note ${A.kind}` }, l("b", {}, A.kind), " ", A.text)),
      g.length > 0 ? Zr(g) : x.length > 0 ? l("p", { class: "quiet small" }, "No request of this line was recorded to be drawn.") : null,
      x.length > 0 ? l("details", { open: g.length === 0 }, l("summary", {}, `All ${x.length} numbers of line ${L}`), l("dl", { class: "numbers" }, x.map(([A, O]) => l("div", {}, l("dt", {}, A.replaceAll("_", " "), V(t.figures[A]?.source ?? "counted", t.figures[A]?.profiler)), l("dd", {}, Number.isInteger(O) ? D(O) : et(O)))))) : l("p", { class: "quiet small" }, "Nothing was counted at this line.")
    ];
  }
  function E(k, L, g) {
    const q = p;
    p?.previousElementSibling?.setAttribute("aria-expanded", "false"), p?.remove(), p = void 0, !(q && q.previousElementSibling === k) && (q?.dataset.line === String(g) && q.dataset.file === L || (p = l("div", { class: "line-details", "data-line": g, "data-file": L }, N(L, g)), k.after(p), k.setAttribute("aria-expanded", "true")));
  }
  function w(k, L, g, q, B) {
    const x = o(k, L, q), A = x && B > 0 ? x / B : 0, O = r.has(`${k}:${L}`), z = (t.notes ?? []).find((m) => m.file === k && m.line === L), C = l(
      "div",
      { class: `src ${O ? "known" : ""}`, "data-line": L, ...O ? { role: "button", tabindex: 0, "aria-expanded": "false" } : {} },
      l("span", { class: "heat", style: A > 0 ? `--warm: ${(0.08 + 0.5 * A).toFixed(3)}` : null }, l("span", { class: "heat-bar", style: `width: ${(A * 100).toFixed(1)}%` }), l("span", { class: "heat-value" }, b(q, x))),
      l("span", { class: "no" }, String(L), z && l("span", { class: `flag ${z.kind}`, title: z.text }, z.kind === "hazard" ? "✖" : "▸")),
      l("code", {}, g === "" ? " " : g)
    );
    if (O) {
      const m = () => E(C, k, L);
      C.addEventListener("click", () => {
        String(window.getSelection() ?? "") || m();
      }), C.addEventListener("keydown", (_) => {
        _.key !== "Enter" && _.key !== " " || (_.preventDefault(), m());
      });
    }
    return C;
  }
  function T() {
    const k = h.value, L = u.value, g = t.files[k];
    p = void 0;
    const q = t.lines.filter((C) => C.file === k).map((C) => o(k, C.line, L) ?? 0), B = L === $t ? 1 : Math.max(0, ...q), x = t.figures[L];
    d.replaceChildren(L === $t ? "Bytes that a line moves, of all that the launch moves. Click a line that has numbers." : [x?.text ?? c(L)].join(""), L === $t ? V("counted") : V(x?.source ?? "counted", x?.profiler));
    const A = g ? g.parts.flatMap((C) => C.text.map((m, _) => [C.first + _, m])) : t.lines.filter((C) => C.file === k).map((C) => [C.line, C.text ?? ""]), O = [];
    let z = 0;
    for (let C = 0; C < A.length; C += us) {
      const m = [];
      for (const [_, y] of A.slice(C, C + us))
        g && z > 0 && _ > z + 1 && m.push(l("div", { class: "gap quiet" }, `${_ - z - 1} lines left out`)), m.push(w(k, _, y, L, B)), z = _;
      O.push(l("div", { class: "block", style: `contain-intrinsic-height: auto ${m.length * 1.45}em` }, m));
    }
    f.replaceChildren(...O), g || f.prepend(l("p", { class: "quiet small gap" }, `${k} was not found; lines that were counted stand here without the others.`)), !g && A.length === 0 && f.append(l("p", { class: "nothing" }, "Nothing was counted in this file."));
  }
  function R(k, L) {
    const g = f.querySelector(`.src[data-line="${k}"]`);
    if (!g) return !1;
    const q = g.getBoundingClientRect().top - f.getBoundingClientRect().top + f.scrollTop;
    return f.scrollTop = Math.max(0, q - f.clientHeight / 3), f.querySelectorAll(".src.here").forEach((B) => B.classList.remove("here")), g.classList.add("here"), L && g.classList.contains("known") && g.getAttribute("aria-expanded") !== "true" && E(g, h.value, k), !0;
  }
  return u.addEventListener("change", T), h.addEventListener("change", T), T(), e.append(l("div", { class: "controls" }, l("label", {}, "colour by ", u), n.length > 1 ? l("label", {}, "file ", h) : ""), d, f), new ResizeObserver(() => f.style.setProperty("--code-room", `${f.clientWidth}px`)).observe(f), a && requestAnimationFrame(() => R(a.line, !1)), {
    node: e,
    open: (k, L) => n.includes(k) ? (h.value !== k && (h.value = k, T()), R(L, !0)) : !1
  };
}
var Bn = "http://www.w3.org/1999/xhtml", hs = {
  svg: "http://www.w3.org/2000/svg",
  xhtml: Bn,
  xlink: "http://www.w3.org/1999/xlink",
  xml: "http://www.w3.org/XML/1998/namespace",
  xmlns: "http://www.w3.org/2000/xmlns/"
};
function nn(t) {
  var e = t += "", n = e.indexOf(":");
  return n >= 0 && (e = t.slice(0, n)) !== "xmlns" && (t = t.slice(n + 1)), hs.hasOwnProperty(e) ? { space: hs[e], local: t } : t;
}
function Ml(t) {
  return function() {
    var e = this.ownerDocument, n = this.namespaceURI;
    return n === Bn && e.documentElement.namespaceURI === Bn ? e.createElement(t) : e.createElementNS(n, t);
  };
}
function kl(t) {
  return function() {
    return this.ownerDocument.createElementNS(t.space, t.local);
  };
}
function mr(t) {
  var e = nn(t);
  return (e.local ? kl : Ml)(e);
}
function Nl() {
}
function ri(t) {
  return t == null ? Nl : function() {
    return this.querySelector(t);
  };
}
function Sl(t) {
  typeof t != "function" && (t = ri(t));
  for (var e = this._groups, n = e.length, i = new Array(n), s = 0; s < n; ++s)
    for (var r = e[s], o = r.length, a = i[s] = new Array(o), c, u, h = 0; h < o; ++h)
      (c = r[h]) && (u = t.call(c, c.__data__, h, r)) && ("__data__" in c && (u.__data__ = c.__data__), a[h] = u);
  return new Q(i, this._parents);
}
function Tl(t) {
  return t == null ? [] : Array.isArray(t) ? t : Array.from(t);
}
function El() {
  return [];
}
function _r(t) {
  return t == null ? El : function() {
    return this.querySelectorAll(t);
  };
}
function Al(t) {
  return function() {
    return Tl(t.apply(this, arguments));
  };
}
function Ll(t) {
  typeof t == "function" ? t = Al(t) : t = _r(t);
  for (var e = this._groups, n = e.length, i = [], s = [], r = 0; r < n; ++r)
    for (var o = e[r], a = o.length, c, u = 0; u < a; ++u)
      (c = o[u]) && (i.push(t.call(c, c.__data__, u, o)), s.push(c));
  return new Q(i, s);
}
function gr(t) {
  return function() {
    return this.matches(t);
  };
}
function yr(t) {
  return function(e) {
    return e.matches(t);
  };
}
var Cl = Array.prototype.find;
function ql(t) {
  return function() {
    return Cl.call(this.children, t);
  };
}
function zl() {
  return this.firstElementChild;
}
function Pl(t) {
  return this.select(t == null ? zl : ql(typeof t == "function" ? t : yr(t)));
}
var Rl = Array.prototype.filter;
function Il() {
  return Array.from(this.children);
}
function Ol(t) {
  return function() {
    return Rl.call(this.children, t);
  };
}
function Bl(t) {
  return this.selectAll(t == null ? Il : Ol(typeof t == "function" ? t : yr(t)));
}
function Fl(t) {
  typeof t != "function" && (t = gr(t));
  for (var e = this._groups, n = e.length, i = new Array(n), s = 0; s < n; ++s)
    for (var r = e[s], o = r.length, a = i[s] = [], c, u = 0; u < o; ++u)
      (c = r[u]) && t.call(c, c.__data__, u, r) && a.push(c);
  return new Q(i, this._parents);
}
function br(t) {
  return new Array(t.length);
}
function Dl() {
  return new Q(this._enter || this._groups.map(br), this._parents);
}
function Ge(t, e) {
  this.ownerDocument = t.ownerDocument, this.namespaceURI = t.namespaceURI, this._next = null, this._parent = t, this.__data__ = e;
}
Ge.prototype = {
  constructor: Ge,
  appendChild: function(t) {
    return this._parent.insertBefore(t, this._next);
  },
  insertBefore: function(t, e) {
    return this._parent.insertBefore(t, e);
  },
  querySelector: function(t) {
    return this._parent.querySelector(t);
  },
  querySelectorAll: function(t) {
    return this._parent.querySelectorAll(t);
  }
};
function Hl(t) {
  return function() {
    return t;
  };
}
function Xl(t, e, n, i, s, r) {
  for (var o = 0, a, c = e.length, u = r.length; o < u; ++o)
    (a = e[o]) ? (a.__data__ = r[o], i[o] = a) : n[o] = new Ge(t, r[o]);
  for (; o < c; ++o)
    (a = e[o]) && (s[o] = a);
}
function Vl(t, e, n, i, s, r, o) {
  var a, c, u = /* @__PURE__ */ new Map(), h = e.length, d = r.length, f = new Array(h), p;
  for (a = 0; a < h; ++a)
    (c = e[a]) && (f[a] = p = o.call(c, c.__data__, a, e) + "", u.has(p) ? s[a] = c : u.set(p, c));
  for (a = 0; a < d; ++a)
    p = o.call(t, r[a], a, r) + "", (c = u.get(p)) ? (i[a] = c, c.__data__ = r[a], u.delete(p)) : n[a] = new Ge(t, r[a]);
  for (a = 0; a < h; ++a)
    (c = e[a]) && u.get(f[a]) === c && (s[a] = c);
}
function Yl(t) {
  return t.__data__;
}
function jl(t, e) {
  if (!arguments.length) return Array.from(this, Yl);
  var n = e ? Vl : Xl, i = this._parents, s = this._groups;
  typeof t != "function" && (t = Hl(t));
  for (var r = s.length, o = new Array(r), a = new Array(r), c = new Array(r), u = 0; u < r; ++u) {
    var h = i[u], d = s[u], f = d.length, p = Wl(t.call(h, h && h.__data__, u, i)), b = p.length, N = a[u] = new Array(b), E = o[u] = new Array(b), w = c[u] = new Array(f);
    n(h, d, N, E, w, p, e);
    for (var T = 0, R = 0, k, L; T < b; ++T)
      if (k = N[T]) {
        for (T >= R && (R = T + 1); !(L = E[R]) && ++R < b; ) ;
        k._next = L || null;
      }
  }
  return o = new Q(o, i), o._enter = a, o._exit = c, o;
}
function Wl(t) {
  return typeof t == "object" && "length" in t ? t : Array.from(t);
}
function Gl() {
  return new Q(this._exit || this._groups.map(br), this._parents);
}
function Ul(t, e, n) {
  var i = this.enter(), s = this, r = this.exit();
  return typeof t == "function" ? (i = t(i), i && (i = i.selection())) : i = i.append(t + ""), e != null && (s = e(s), s && (s = s.selection())), n == null ? r.remove() : n(r), i && s ? i.merge(s).order() : s;
}
function Kl(t) {
  for (var e = t.selection ? t.selection() : t, n = this._groups, i = e._groups, s = n.length, r = i.length, o = Math.min(s, r), a = new Array(s), c = 0; c < o; ++c)
    for (var u = n[c], h = i[c], d = u.length, f = a[c] = new Array(d), p, b = 0; b < d; ++b)
      (p = u[b] || h[b]) && (f[b] = p);
  for (; c < s; ++c)
    a[c] = n[c];
  return new Q(a, this._parents);
}
function Zl() {
  for (var t = this._groups, e = -1, n = t.length; ++e < n; )
    for (var i = t[e], s = i.length - 1, r = i[s], o; --s >= 0; )
      (o = i[s]) && (r && o.compareDocumentPosition(r) ^ 4 && r.parentNode.insertBefore(o, r), r = o);
  return this;
}
function Ql(t) {
  t || (t = Jl);
  function e(d, f) {
    return d && f ? t(d.__data__, f.__data__) : !d - !f;
  }
  for (var n = this._groups, i = n.length, s = new Array(i), r = 0; r < i; ++r) {
    for (var o = n[r], a = o.length, c = s[r] = new Array(a), u, h = 0; h < a; ++h)
      (u = o[h]) && (c[h] = u);
    c.sort(e);
  }
  return new Q(s, this._parents).order();
}
function Jl(t, e) {
  return t < e ? -1 : t > e ? 1 : t >= e ? 0 : NaN;
}
function tc() {
  var t = arguments[0];
  return arguments[0] = this, t.apply(null, arguments), this;
}
function ec() {
  return Array.from(this);
}
function nc() {
  for (var t = this._groups, e = 0, n = t.length; e < n; ++e)
    for (var i = t[e], s = 0, r = i.length; s < r; ++s) {
      var o = i[s];
      if (o) return o;
    }
  return null;
}
function ic() {
  let t = 0;
  for (const e of this) ++t;
  return t;
}
function sc() {
  return !this.node();
}
function rc(t) {
  for (var e = this._groups, n = 0, i = e.length; n < i; ++n)
    for (var s = e[n], r = 0, o = s.length, a; r < o; ++r)
      (a = s[r]) && t.call(a, a.__data__, r, s);
  return this;
}
function oc(t) {
  return function() {
    this.removeAttribute(t);
  };
}
function ac(t) {
  return function() {
    this.removeAttributeNS(t.space, t.local);
  };
}
function lc(t, e) {
  return function() {
    this.setAttribute(t, e);
  };
}
function cc(t, e) {
  return function() {
    this.setAttributeNS(t.space, t.local, e);
  };
}
function uc(t, e) {
  return function() {
    var n = e.apply(this, arguments);
    n == null ? this.removeAttribute(t) : this.setAttribute(t, n);
  };
}
function hc(t, e) {
  return function() {
    var n = e.apply(this, arguments);
    n == null ? this.removeAttributeNS(t.space, t.local) : this.setAttributeNS(t.space, t.local, n);
  };
}
function fc(t, e) {
  var n = nn(t);
  if (arguments.length < 2) {
    var i = this.node();
    return n.local ? i.getAttributeNS(n.space, n.local) : i.getAttribute(n);
  }
  return this.each((e == null ? n.local ? ac : oc : typeof e == "function" ? n.local ? hc : uc : n.local ? cc : lc)(n, e));
}
function xr(t) {
  return t.ownerDocument && t.ownerDocument.defaultView || t.document && t || t.defaultView;
}
function dc(t) {
  return function() {
    this.style.removeProperty(t);
  };
}
function pc(t, e, n) {
  return function() {
    this.style.setProperty(t, e, n);
  };
}
function mc(t, e, n) {
  return function() {
    var i = e.apply(this, arguments);
    i == null ? this.style.removeProperty(t) : this.style.setProperty(t, i, n);
  };
}
function _c(t, e, n) {
  return arguments.length > 1 ? this.each((e == null ? dc : typeof e == "function" ? mc : pc)(t, e, n ?? "")) : Yt(this.node(), t);
}
function Yt(t, e) {
  return t.style.getPropertyValue(e) || xr(t).getComputedStyle(t, null).getPropertyValue(e);
}
function gc(t) {
  return function() {
    delete this[t];
  };
}
function yc(t, e) {
  return function() {
    this[t] = e;
  };
}
function bc(t, e) {
  return function() {
    var n = e.apply(this, arguments);
    n == null ? delete this[t] : this[t] = n;
  };
}
function xc(t, e) {
  return arguments.length > 1 ? this.each((e == null ? gc : typeof e == "function" ? bc : yc)(t, e)) : this.node()[t];
}
function wr(t) {
  return t.trim().split(/^|\s+/);
}
function oi(t) {
  return t.classList || new vr(t);
}
function vr(t) {
  this._node = t, this._names = wr(t.getAttribute("class") || "");
}
vr.prototype = {
  add: function(t) {
    var e = this._names.indexOf(t);
    e < 0 && (this._names.push(t), this._node.setAttribute("class", this._names.join(" ")));
  },
  remove: function(t) {
    var e = this._names.indexOf(t);
    e >= 0 && (this._names.splice(e, 1), this._node.setAttribute("class", this._names.join(" ")));
  },
  contains: function(t) {
    return this._names.indexOf(t) >= 0;
  }
};
function $r(t, e) {
  for (var n = oi(t), i = -1, s = e.length; ++i < s; ) n.add(e[i]);
}
function Mr(t, e) {
  for (var n = oi(t), i = -1, s = e.length; ++i < s; ) n.remove(e[i]);
}
function wc(t) {
  return function() {
    $r(this, t);
  };
}
function vc(t) {
  return function() {
    Mr(this, t);
  };
}
function $c(t, e) {
  return function() {
    (e.apply(this, arguments) ? $r : Mr)(this, t);
  };
}
function Mc(t, e) {
  var n = wr(t + "");
  if (arguments.length < 2) {
    for (var i = oi(this.node()), s = -1, r = n.length; ++s < r; ) if (!i.contains(n[s])) return !1;
    return !0;
  }
  return this.each((typeof e == "function" ? $c : e ? wc : vc)(n, e));
}
function kc() {
  this.textContent = "";
}
function Nc(t) {
  return function() {
    this.textContent = t;
  };
}
function Sc(t) {
  return function() {
    var e = t.apply(this, arguments);
    this.textContent = e ?? "";
  };
}
function Tc(t) {
  return arguments.length ? this.each(t == null ? kc : (typeof t == "function" ? Sc : Nc)(t)) : this.node().textContent;
}
function Ec() {
  this.innerHTML = "";
}
function Ac(t) {
  return function() {
    this.innerHTML = t;
  };
}
function Lc(t) {
  return function() {
    var e = t.apply(this, arguments);
    this.innerHTML = e ?? "";
  };
}
function Cc(t) {
  return arguments.length ? this.each(t == null ? Ec : (typeof t == "function" ? Lc : Ac)(t)) : this.node().innerHTML;
}
function qc() {
  this.nextSibling && this.parentNode.appendChild(this);
}
function zc() {
  return this.each(qc);
}
function Pc() {
  this.previousSibling && this.parentNode.insertBefore(this, this.parentNode.firstChild);
}
function Rc() {
  return this.each(Pc);
}
function Ic(t) {
  var e = typeof t == "function" ? t : mr(t);
  return this.select(function() {
    return this.appendChild(e.apply(this, arguments));
  });
}
function Oc() {
  return null;
}
function Bc(t, e) {
  var n = typeof t == "function" ? t : mr(t), i = e == null ? Oc : typeof e == "function" ? e : ri(e);
  return this.select(function() {
    return this.insertBefore(n.apply(this, arguments), i.apply(this, arguments) || null);
  });
}
function Fc() {
  var t = this.parentNode;
  t && t.removeChild(this);
}
function Dc() {
  return this.each(Fc);
}
function Hc() {
  var t = this.cloneNode(!1), e = this.parentNode;
  return e ? e.insertBefore(t, this.nextSibling) : t;
}
function Xc() {
  var t = this.cloneNode(!0), e = this.parentNode;
  return e ? e.insertBefore(t, this.nextSibling) : t;
}
function Vc(t) {
  return this.select(t ? Xc : Hc);
}
function Yc(t) {
  return arguments.length ? this.property("__data__", t) : this.node().__data__;
}
function jc(t) {
  return function(e) {
    t.call(this, e, this.__data__);
  };
}
function Wc(t) {
  return t.trim().split(/^|\s+/).map(function(e) {
    var n = "", i = e.indexOf(".");
    return i >= 0 && (n = e.slice(i + 1), e = e.slice(0, i)), { type: e, name: n };
  });
}
function Gc(t) {
  return function() {
    var e = this.__on;
    if (e) {
      for (var n = 0, i = -1, s = e.length, r; n < s; ++n)
        r = e[n], (!t.type || r.type === t.type) && r.name === t.name ? this.removeEventListener(r.type, r.listener, r.options) : e[++i] = r;
      ++i ? e.length = i : delete this.__on;
    }
  };
}
function Uc(t, e, n) {
  return function() {
    var i = this.__on, s, r = jc(e);
    if (i) {
      for (var o = 0, a = i.length; o < a; ++o)
        if ((s = i[o]).type === t.type && s.name === t.name) {
          this.removeEventListener(s.type, s.listener, s.options), this.addEventListener(s.type, s.listener = r, s.options = n), s.value = e;
          return;
        }
    }
    this.addEventListener(t.type, r, n), s = { type: t.type, name: t.name, value: e, listener: r, options: n }, i ? i.push(s) : this.__on = [s];
  };
}
function Kc(t, e, n) {
  var i = Wc(t + ""), s, r = i.length, o;
  if (arguments.length < 2) {
    var a = this.node().__on;
    if (a) {
      for (var c = 0, u = a.length, h; c < u; ++c)
        for (s = 0, h = a[c]; s < r; ++s)
          if ((o = i[s]).type === h.type && o.name === h.name)
            return h.value;
    }
    return;
  }
  for (a = e ? Uc : Gc, s = 0; s < r; ++s) this.each(a(i[s], e, n));
  return this;
}
function kr(t, e, n) {
  var i = xr(t), s = i.CustomEvent;
  typeof s == "function" ? s = new s(e, n) : (s = i.document.createEvent("Event"), n ? (s.initEvent(e, n.bubbles, n.cancelable), s.detail = n.detail) : s.initEvent(e, !1, !1)), t.dispatchEvent(s);
}
function Zc(t, e) {
  return function() {
    return kr(this, t, e);
  };
}
function Qc(t, e) {
  return function() {
    return kr(this, t, e.apply(this, arguments));
  };
}
function Jc(t, e) {
  return this.each((typeof e == "function" ? Qc : Zc)(t, e));
}
function* tu() {
  for (var t = this._groups, e = 0, n = t.length; e < n; ++e)
    for (var i = t[e], s = 0, r = i.length, o; s < r; ++s)
      (o = i[s]) && (yield o);
}
var Nr = [null];
function Q(t, e) {
  this._groups = t, this._parents = e;
}
function me() {
  return new Q([[document.documentElement]], Nr);
}
function eu() {
  return this;
}
Q.prototype = me.prototype = {
  constructor: Q,
  select: Sl,
  selectAll: Ll,
  selectChild: Pl,
  selectChildren: Bl,
  filter: Fl,
  data: jl,
  enter: Dl,
  exit: Gl,
  join: Ul,
  merge: Kl,
  selection: eu,
  order: Zl,
  sort: Ql,
  call: tc,
  nodes: ec,
  node: nc,
  size: ic,
  empty: sc,
  each: rc,
  attr: fc,
  style: _c,
  property: xc,
  classed: Mc,
  text: Tc,
  html: Cc,
  raise: zc,
  lower: Rc,
  append: Ic,
  insert: Bc,
  remove: Dc,
  clone: Vc,
  datum: Yc,
  on: Kc,
  dispatch: Jc,
  [Symbol.iterator]: tu
};
function yt(t) {
  return typeof t == "string" ? new Q([[document.querySelector(t)]], [document.documentElement]) : new Q([[t]], Nr);
}
var nu = 0;
function fs() {
  this._ = "@" + (++nu).toString(36);
}
fs.prototype = {
  constructor: fs,
  get: function(t) {
    for (var e = this._; !(e in t); ) if (!(t = t.parentNode)) return;
    return t[e];
  },
  set: function(t, e) {
    return t[this._] = e;
  },
  remove: function(t) {
    return this._ in t && delete t[this._];
  },
  toString: function() {
    return this._;
  }
};
function iu(t) {
  let e;
  for (; e = t.sourceEvent; ) t = e;
  return t;
}
function xt(t, e) {
  if (t = iu(t), e === void 0 && (e = t.currentTarget), e) {
    var n = e.ownerSVGElement || e;
    if (n.createSVGPoint) {
      var i = n.createSVGPoint();
      return i.x = t.clientX, i.y = t.clientY, i = i.matrixTransform(e.getScreenCTM().inverse()), [i.x, i.y];
    }
    if (e.getBoundingClientRect) {
      var s = e.getBoundingClientRect();
      return [t.clientX - s.left - e.clientLeft, t.clientY - s.top - e.clientTop];
    }
  }
  return [t.pageX, t.pageY];
}
var su = { value: () => {
} };
function ai() {
  for (var t = 0, e = arguments.length, n = {}, i; t < e; ++t) {
    if (!(i = arguments[t] + "") || i in n || /[\s.]/.test(i)) throw new Error("illegal type: " + i);
    n[i] = [];
  }
  return new Ee(n);
}
function Ee(t) {
  this._ = t;
}
function ru(t, e) {
  return t.trim().split(/^|\s+/).map(function(n) {
    var i = "", s = n.indexOf(".");
    if (s >= 0 && (i = n.slice(s + 1), n = n.slice(0, s)), n && !e.hasOwnProperty(n)) throw new Error("unknown type: " + n);
    return { type: n, name: i };
  });
}
Ee.prototype = ai.prototype = {
  constructor: Ee,
  on: function(t, e) {
    var n = this._, i = ru(t + "", n), s, r = -1, o = i.length;
    if (arguments.length < 2) {
      for (; ++r < o; ) if ((s = (t = i[r]).type) && (s = ou(n[s], t.name))) return s;
      return;
    }
    if (e != null && typeof e != "function") throw new Error("invalid callback: " + e);
    for (; ++r < o; )
      if (s = (t = i[r]).type) n[s] = ds(n[s], t.name, e);
      else if (e == null) for (s in n) n[s] = ds(n[s], t.name, null);
    return this;
  },
  copy: function() {
    var t = {}, e = this._;
    for (var n in e) t[n] = e[n].slice();
    return new Ee(t);
  },
  call: function(t, e) {
    if ((s = arguments.length - 2) > 0) for (var n = new Array(s), i = 0, s, r; i < s; ++i) n[i] = arguments[i + 2];
    if (!this._.hasOwnProperty(t)) throw new Error("unknown type: " + t);
    for (r = this._[t], i = 0, s = r.length; i < s; ++i) r[i].value.apply(e, n);
  },
  apply: function(t, e, n) {
    if (!this._.hasOwnProperty(t)) throw new Error("unknown type: " + t);
    for (var i = this._[t], s = 0, r = i.length; s < r; ++s) i[s].value.apply(e, n);
  }
};
function ou(t, e) {
  for (var n = 0, i = t.length, s; n < i; ++n)
    if ((s = t[n]).name === e)
      return s.value;
}
function ds(t, e, n) {
  for (var i = 0, s = t.length; i < s; ++i)
    if (t[i].name === e) {
      t[i] = su, t = t.slice(0, i).concat(t.slice(i + 1));
      break;
    }
  return n != null && t.push({ name: e, value: n }), t;
}
const Fn = { capture: !0, passive: !1 };
function Dn(t) {
  t.preventDefault(), t.stopImmediatePropagation();
}
function au(t) {
  var e = t.document.documentElement, n = yt(t).on("dragstart.drag", Dn, Fn);
  "onselectstart" in e ? n.on("selectstart.drag", Dn, Fn) : (e.__noselect = e.style.MozUserSelect, e.style.MozUserSelect = "none");
}
function lu(t, e) {
  var n = t.document.documentElement, i = yt(t).on("dragstart.drag", null);
  e && (i.on("click.drag", Dn, Fn), setTimeout(function() {
    i.on("click.drag", null);
  }, 0)), "onselectstart" in n ? i.on("selectstart.drag", null) : (n.style.MozUserSelect = n.__noselect, delete n.__noselect);
}
var jt = 0, Jt = 0, Kt = 0, Sr = 1e3, Ue, te, Ke = 0, Lt = 0, sn = 0, he = typeof performance == "object" && performance.now ? performance : Date, Tr = typeof window == "object" && window.requestAnimationFrame ? window.requestAnimationFrame.bind(window) : function(t) {
  setTimeout(t, 17);
};
function li() {
  return Lt || (Tr(cu), Lt = he.now() + sn);
}
function cu() {
  Lt = 0;
}
function Ze() {
  this._call = this._time = this._next = null;
}
Ze.prototype = Er.prototype = {
  constructor: Ze,
  restart: function(t, e, n) {
    if (typeof t != "function") throw new TypeError("callback is not a function");
    n = (n == null ? li() : +n) + (e == null ? 0 : +e), !this._next && te !== this && (te ? te._next = this : Ue = this, te = this), this._call = t, this._time = n, Hn();
  },
  stop: function() {
    this._call && (this._call = null, this._time = 1 / 0, Hn());
  }
};
function Er(t, e, n) {
  var i = new Ze();
  return i.restart(t, e, n), i;
}
function uu() {
  li(), ++jt;
  for (var t = Ue, e; t; )
    (e = Lt - t._time) >= 0 && t._call.call(void 0, e), t = t._next;
  --jt;
}
function ps() {
  Lt = (Ke = he.now()) + sn, jt = Jt = 0;
  try {
    uu();
  } finally {
    jt = 0, fu(), Lt = 0;
  }
}
function hu() {
  var t = he.now(), e = t - Ke;
  e > Sr && (sn -= e, Ke = t);
}
function fu() {
  for (var t, e = Ue, n, i = 1 / 0; e; )
    e._call ? (i > e._time && (i = e._time), t = e, e = e._next) : (n = e._next, e._next = null, e = t ? t._next = n : Ue = n);
  te = t, Hn(i);
}
function Hn(t) {
  if (!jt) {
    Jt && (Jt = clearTimeout(Jt));
    var e = t - Lt;
    e > 24 ? (t < 1 / 0 && (Jt = setTimeout(ps, Math.ceil(t - he.now() - sn) + 1)), Kt && (Kt = clearInterval(Kt))) : (Kt || (Ke = he.now(), Kt = setInterval(hu, Sr)), jt = 1, Tr(ps));
  }
}
function ms(t, e, n) {
  var i = new Ze();
  return e = e == null ? 0 : +e, i.restart((s) => {
    i.stop(), t(s + e);
  }, e, n), i;
}
function du(t) {
  return ((t *= 2) <= 1 ? t * t * t : (t -= 2) * t * t + 2) / 2;
}
var ci = 3;
(function t(e) {
  e = +e;
  function n(i) {
    return Math.pow(i, e);
  }
  return n.exponent = t, n;
})(ci);
(function t(e) {
  e = +e;
  function n(i) {
    return 1 - Math.pow(1 - i, e);
  }
  return n.exponent = t, n;
})(ci);
(function t(e) {
  e = +e;
  function n(i) {
    return ((i *= 2) <= 1 ? Math.pow(i, e) : 2 - Math.pow(2 - i, e)) / 2;
  }
  return n.exponent = t, n;
})(ci);
function Qe(t) {
  return (Math.pow(2, -10 * t) - 9765625e-10) * 1.0009775171065494;
}
var ui = 1.70158;
(function t(e) {
  e = +e;
  function n(i) {
    return (i = +i) * i * (e * (i - 1) + i);
  }
  return n.overshoot = t, n;
})(ui);
(function t(e) {
  e = +e;
  function n(i) {
    return --i * i * ((i + 1) * e + i) + 1;
  }
  return n.overshoot = t, n;
})(ui);
(function t(e) {
  e = +e;
  function n(i) {
    return ((i *= 2) < 1 ? i * i * ((e + 1) * i - e) : (i -= 2) * i * ((e + 1) * i + e) + 2) / 2;
  }
  return n.overshoot = t, n;
})(ui);
var Wt = 2 * Math.PI, hi = 1, fi = 0.3;
(function t(e, n) {
  var i = Math.asin(1 / (e = Math.max(1, e))) * (n /= Wt);
  function s(r) {
    return e * Qe(- --r) * Math.sin((i - r) / n);
  }
  return s.amplitude = function(r) {
    return t(r, n * Wt);
  }, s.period = function(r) {
    return t(e, r);
  }, s;
})(hi, fi);
(function t(e, n) {
  var i = Math.asin(1 / (e = Math.max(1, e))) * (n /= Wt);
  function s(r) {
    return 1 - e * Qe(r = +r) * Math.sin((r + i) / n);
  }
  return s.amplitude = function(r) {
    return t(r, n * Wt);
  }, s.period = function(r) {
    return t(e, r);
  }, s;
})(hi, fi);
(function t(e, n) {
  var i = Math.asin(1 / (e = Math.max(1, e))) * (n /= Wt);
  function s(r) {
    return ((r = r * 2 - 1) < 0 ? e * Qe(-r) * Math.sin((i - r) / n) : 2 - e * Qe(r) * Math.sin((i + r) / n)) / 2;
  }
  return s.amplitude = function(r) {
    return t(r, n * Wt);
  }, s.period = function(r) {
    return t(e, r);
  }, s;
})(hi, fi);
var pu = ai("start", "end", "cancel", "interrupt"), mu = [], Ar = 0, _s = 1, Xn = 2, Ae = 3, gs = 4, Vn = 5, Le = 6;
function rn(t, e, n, i, s, r) {
  var o = t.__transition;
  if (!o) t.__transition = {};
  else if (n in o) return;
  _u(t, n, {
    name: e,
    index: i,
    // For context during callback.
    group: s,
    // For context during callback.
    on: pu,
    tween: mu,
    time: r.time,
    delay: r.delay,
    duration: r.duration,
    ease: r.ease,
    timer: null,
    state: Ar
  });
}
function di(t, e) {
  var n = rt(t, e);
  if (n.state > Ar) throw new Error("too late; already scheduled");
  return n;
}
function ht(t, e) {
  var n = rt(t, e);
  if (n.state > Ae) throw new Error("too late; already running");
  return n;
}
function rt(t, e) {
  var n = t.__transition;
  if (!n || !(n = n[e])) throw new Error("transition not found");
  return n;
}
function _u(t, e, n) {
  var i = t.__transition, s;
  i[e] = n, n.timer = Er(r, 0, n.time);
  function r(u) {
    n.state = _s, n.timer.restart(o, n.delay, n.time), n.delay <= u && o(u - n.delay);
  }
  function o(u) {
    var h, d, f, p;
    if (n.state !== _s) return c();
    for (h in i)
      if (p = i[h], p.name === n.name) {
        if (p.state === Ae) return ms(o);
        p.state === gs ? (p.state = Le, p.timer.stop(), p.on.call("interrupt", t, t.__data__, p.index, p.group), delete i[h]) : +h < e && (p.state = Le, p.timer.stop(), p.on.call("cancel", t, t.__data__, p.index, p.group), delete i[h]);
      }
    if (ms(function() {
      n.state === Ae && (n.state = gs, n.timer.restart(a, n.delay, n.time), a(u));
    }), n.state = Xn, n.on.call("start", t, t.__data__, n.index, n.group), n.state === Xn) {
      for (n.state = Ae, s = new Array(f = n.tween.length), h = 0, d = -1; h < f; ++h)
        (p = n.tween[h].value.call(t, t.__data__, n.index, n.group)) && (s[++d] = p);
      s.length = d + 1;
    }
  }
  function a(u) {
    for (var h = u < n.duration ? n.ease.call(null, u / n.duration) : (n.timer.restart(c), n.state = Vn, 1), d = -1, f = s.length; ++d < f; )
      s[d].call(t, h);
    n.state === Vn && (n.on.call("end", t, t.__data__, n.index, n.group), c());
  }
  function c() {
    n.state = Le, n.timer.stop(), delete i[e];
    for (var u in i) return;
    delete t.__transition;
  }
}
function Ce(t, e) {
  var n = t.__transition, i, s, r = !0, o;
  if (n) {
    e = e == null ? null : e + "";
    for (o in n) {
      if ((i = n[o]).name !== e) {
        r = !1;
        continue;
      }
      s = i.state > Xn && i.state < Vn, i.state = Le, i.timer.stop(), i.on.call(s ? "interrupt" : "cancel", t, t.__data__, i.index, i.group), delete n[o];
    }
    r && delete t.__transition;
  }
}
function gu(t) {
  return this.each(function() {
    Ce(this, t);
  });
}
function yu(t, e) {
  var n, i;
  return function() {
    var s = ht(this, t), r = s.tween;
    if (r !== n) {
      i = n = r;
      for (var o = 0, a = i.length; o < a; ++o)
        if (i[o].name === e) {
          i = i.slice(), i.splice(o, 1);
          break;
        }
    }
    s.tween = i;
  };
}
function bu(t, e, n) {
  var i, s;
  if (typeof n != "function") throw new Error();
  return function() {
    var r = ht(this, t), o = r.tween;
    if (o !== i) {
      s = (i = o).slice();
      for (var a = { name: e, value: n }, c = 0, u = s.length; c < u; ++c)
        if (s[c].name === e) {
          s[c] = a;
          break;
        }
      c === u && s.push(a);
    }
    r.tween = s;
  };
}
function xu(t, e) {
  var n = this._id;
  if (t += "", arguments.length < 2) {
    for (var i = rt(this.node(), n).tween, s = 0, r = i.length, o; s < r; ++s)
      if ((o = i[s]).name === t)
        return o.value;
    return null;
  }
  return this.each((e == null ? yu : bu)(n, t, e));
}
function pi(t, e, n) {
  var i = t._id;
  return t.each(function() {
    var s = ht(this, i);
    (s.value || (s.value = {}))[e] = n.apply(this, arguments);
  }), function(s) {
    return rt(s, i).value[e];
  };
}
function Lr(t, e) {
  var n;
  return (typeof e == "number" ? nt : e instanceof At ? Fe : (n = At(e)) ? (e = n, Fe) : Gs)(t, e);
}
function wu(t) {
  return function() {
    this.removeAttribute(t);
  };
}
function vu(t) {
  return function() {
    this.removeAttributeNS(t.space, t.local);
  };
}
function $u(t, e, n) {
  var i, s = n + "", r;
  return function() {
    var o = this.getAttribute(t);
    return o === s ? null : o === i ? r : r = e(i = o, n);
  };
}
function Mu(t, e, n) {
  var i, s = n + "", r;
  return function() {
    var o = this.getAttributeNS(t.space, t.local);
    return o === s ? null : o === i ? r : r = e(i = o, n);
  };
}
function ku(t, e, n) {
  var i, s, r;
  return function() {
    var o, a = n(this), c;
    return a == null ? void this.removeAttribute(t) : (o = this.getAttribute(t), c = a + "", o === c ? null : o === i && c === s ? r : (s = c, r = e(i = o, a)));
  };
}
function Nu(t, e, n) {
  var i, s, r;
  return function() {
    var o, a = n(this), c;
    return a == null ? void this.removeAttributeNS(t.space, t.local) : (o = this.getAttributeNS(t.space, t.local), c = a + "", o === c ? null : o === i && c === s ? r : (s = c, r = e(i = o, a)));
  };
}
function Su(t, e) {
  var n = nn(t), i = n === "transform" ? ga : Lr;
  return this.attrTween(t, typeof e == "function" ? (n.local ? Nu : ku)(n, i, pi(this, "attr." + t, e)) : e == null ? (n.local ? vu : wu)(n) : (n.local ? Mu : $u)(n, i, e));
}
function Tu(t, e) {
  return function(n) {
    this.setAttribute(t, e.call(this, n));
  };
}
function Eu(t, e) {
  return function(n) {
    this.setAttributeNS(t.space, t.local, e.call(this, n));
  };
}
function Au(t, e) {
  var n, i;
  function s() {
    var r = e.apply(this, arguments);
    return r !== i && (n = (i = r) && Eu(t, r)), n;
  }
  return s._value = e, s;
}
function Lu(t, e) {
  var n, i;
  function s() {
    var r = e.apply(this, arguments);
    return r !== i && (n = (i = r) && Tu(t, r)), n;
  }
  return s._value = e, s;
}
function Cu(t, e) {
  var n = "attr." + t;
  if (arguments.length < 2) return (n = this.tween(n)) && n._value;
  if (e == null) return this.tween(n, null);
  if (typeof e != "function") throw new Error();
  var i = nn(t);
  return this.tween(n, (i.local ? Au : Lu)(i, e));
}
function qu(t, e) {
  return function() {
    di(this, t).delay = +e.apply(this, arguments);
  };
}
function zu(t, e) {
  return e = +e, function() {
    di(this, t).delay = e;
  };
}
function Pu(t) {
  var e = this._id;
  return arguments.length ? this.each((typeof t == "function" ? qu : zu)(e, t)) : rt(this.node(), e).delay;
}
function Ru(t, e) {
  return function() {
    ht(this, t).duration = +e.apply(this, arguments);
  };
}
function Iu(t, e) {
  return e = +e, function() {
    ht(this, t).duration = e;
  };
}
function Ou(t) {
  var e = this._id;
  return arguments.length ? this.each((typeof t == "function" ? Ru : Iu)(e, t)) : rt(this.node(), e).duration;
}
function Bu(t, e) {
  if (typeof e != "function") throw new Error();
  return function() {
    ht(this, t).ease = e;
  };
}
function Fu(t) {
  var e = this._id;
  return arguments.length ? this.each(Bu(e, t)) : rt(this.node(), e).ease;
}
function Du(t, e) {
  return function() {
    var n = e.apply(this, arguments);
    if (typeof n != "function") throw new Error();
    ht(this, t).ease = n;
  };
}
function Hu(t) {
  if (typeof t != "function") throw new Error();
  return this.each(Du(this._id, t));
}
function Xu(t) {
  typeof t != "function" && (t = gr(t));
  for (var e = this._groups, n = e.length, i = new Array(n), s = 0; s < n; ++s)
    for (var r = e[s], o = r.length, a = i[s] = [], c, u = 0; u < o; ++u)
      (c = r[u]) && t.call(c, c.__data__, u, r) && a.push(c);
  return new _t(i, this._parents, this._name, this._id);
}
function Vu(t) {
  if (t._id !== this._id) throw new Error();
  for (var e = this._groups, n = t._groups, i = e.length, s = n.length, r = Math.min(i, s), o = new Array(i), a = 0; a < r; ++a)
    for (var c = e[a], u = n[a], h = c.length, d = o[a] = new Array(h), f, p = 0; p < h; ++p)
      (f = c[p] || u[p]) && (d[p] = f);
  for (; a < i; ++a)
    o[a] = e[a];
  return new _t(o, this._parents, this._name, this._id);
}
function Yu(t) {
  return (t + "").trim().split(/^|\s+/).every(function(e) {
    var n = e.indexOf(".");
    return n >= 0 && (e = e.slice(0, n)), !e || e === "start";
  });
}
function ju(t, e, n) {
  var i, s, r = Yu(e) ? di : ht;
  return function() {
    var o = r(this, t), a = o.on;
    a !== i && (s = (i = a).copy()).on(e, n), o.on = s;
  };
}
function Wu(t, e) {
  var n = this._id;
  return arguments.length < 2 ? rt(this.node(), n).on.on(t) : this.each(ju(n, t, e));
}
function Gu(t) {
  return function() {
    var e = this.parentNode;
    for (var n in this.__transition) if (+n !== t) return;
    e && e.removeChild(this);
  };
}
function Uu() {
  return this.on("end.remove", Gu(this._id));
}
function Ku(t) {
  var e = this._name, n = this._id;
  typeof t != "function" && (t = ri(t));
  for (var i = this._groups, s = i.length, r = new Array(s), o = 0; o < s; ++o)
    for (var a = i[o], c = a.length, u = r[o] = new Array(c), h, d, f = 0; f < c; ++f)
      (h = a[f]) && (d = t.call(h, h.__data__, f, a)) && ("__data__" in h && (d.__data__ = h.__data__), u[f] = d, rn(u[f], e, n, f, u, rt(h, n)));
  return new _t(r, this._parents, e, n);
}
function Zu(t) {
  var e = this._name, n = this._id;
  typeof t != "function" && (t = _r(t));
  for (var i = this._groups, s = i.length, r = [], o = [], a = 0; a < s; ++a)
    for (var c = i[a], u = c.length, h, d = 0; d < u; ++d)
      if (h = c[d]) {
        for (var f = t.call(h, h.__data__, d, c), p, b = rt(h, n), N = 0, E = f.length; N < E; ++N)
          (p = f[N]) && rn(p, e, n, N, f, b);
        r.push(f), o.push(h);
      }
  return new _t(r, o, e, n);
}
var Qu = me.prototype.constructor;
function Ju() {
  return new Qu(this._groups, this._parents);
}
function th(t, e) {
  var n, i, s;
  return function() {
    var r = Yt(this, t), o = (this.style.removeProperty(t), Yt(this, t));
    return r === o ? null : r === n && o === i ? s : s = e(n = r, i = o);
  };
}
function Cr(t) {
  return function() {
    this.style.removeProperty(t);
  };
}
function eh(t, e, n) {
  var i, s = n + "", r;
  return function() {
    var o = Yt(this, t);
    return o === s ? null : o === i ? r : r = e(i = o, n);
  };
}
function nh(t, e, n) {
  var i, s, r;
  return function() {
    var o = Yt(this, t), a = n(this), c = a + "";
    return a == null && (c = a = (this.style.removeProperty(t), Yt(this, t))), o === c ? null : o === i && c === s ? r : (s = c, r = e(i = o, a));
  };
}
function ih(t, e) {
  var n, i, s, r = "style." + e, o = "end." + r, a;
  return function() {
    var c = ht(this, t), u = c.on, h = c.value[r] == null ? a || (a = Cr(e)) : void 0;
    (u !== n || s !== h) && (i = (n = u).copy()).on(o, s = h), c.on = i;
  };
}
function sh(t, e, n) {
  var i = (t += "") == "transform" ? _a : Lr;
  return e == null ? this.styleTween(t, th(t, i)).on("end.style." + t, Cr(t)) : typeof e == "function" ? this.styleTween(t, nh(t, i, pi(this, "style." + t, e))).each(ih(this._id, t)) : this.styleTween(t, eh(t, i, e), n).on("end.style." + t, null);
}
function rh(t, e, n) {
  return function(i) {
    this.style.setProperty(t, e.call(this, i), n);
  };
}
function oh(t, e, n) {
  var i, s;
  function r() {
    var o = e.apply(this, arguments);
    return o !== s && (i = (s = o) && rh(t, o, n)), i;
  }
  return r._value = e, r;
}
function ah(t, e, n) {
  var i = "style." + (t += "");
  if (arguments.length < 2) return (i = this.tween(i)) && i._value;
  if (e == null) return this.tween(i, null);
  if (typeof e != "function") throw new Error();
  return this.tween(i, oh(t, e, n ?? ""));
}
function lh(t) {
  return function() {
    this.textContent = t;
  };
}
function ch(t) {
  return function() {
    var e = t(this);
    this.textContent = e ?? "";
  };
}
function uh(t) {
  return this.tween("text", typeof t == "function" ? ch(pi(this, "text", t)) : lh(t == null ? "" : t + ""));
}
function hh(t) {
  return function(e) {
    this.textContent = t.call(this, e);
  };
}
function fh(t) {
  var e, n;
  function i() {
    var s = t.apply(this, arguments);
    return s !== n && (e = (n = s) && hh(s)), e;
  }
  return i._value = t, i;
}
function dh(t) {
  var e = "text";
  if (arguments.length < 1) return (e = this.tween(e)) && e._value;
  if (t == null) return this.tween(e, null);
  if (typeof t != "function") throw new Error();
  return this.tween(e, fh(t));
}
function ph() {
  for (var t = this._name, e = this._id, n = qr(), i = this._groups, s = i.length, r = 0; r < s; ++r)
    for (var o = i[r], a = o.length, c, u = 0; u < a; ++u)
      if (c = o[u]) {
        var h = rt(c, e);
        rn(c, t, n, u, o, {
          time: h.time + h.delay + h.duration,
          delay: 0,
          duration: h.duration,
          ease: h.ease
        });
      }
  return new _t(i, this._parents, t, n);
}
function mh() {
  var t, e, n = this, i = n._id, s = n.size();
  return new Promise(function(r, o) {
    var a = { value: o }, c = { value: function() {
      --s === 0 && r();
    } };
    n.each(function() {
      var u = ht(this, i), h = u.on;
      h !== t && (e = (t = h).copy(), e._.cancel.push(a), e._.interrupt.push(a), e._.end.push(c)), u.on = e;
    }), s === 0 && r();
  });
}
var _h = 0;
function _t(t, e, n, i) {
  this._groups = t, this._parents = e, this._name = n, this._id = i;
}
function qr() {
  return ++_h;
}
var dt = me.prototype;
_t.prototype = {
  constructor: _t,
  select: Ku,
  selectAll: Zu,
  selectChild: dt.selectChild,
  selectChildren: dt.selectChildren,
  filter: Xu,
  merge: Vu,
  selection: Ju,
  transition: ph,
  call: dt.call,
  nodes: dt.nodes,
  node: dt.node,
  size: dt.size,
  empty: dt.empty,
  each: dt.each,
  on: Wu,
  attr: Su,
  attrTween: Cu,
  style: sh,
  styleTween: ah,
  text: uh,
  textTween: dh,
  remove: Uu,
  tween: xu,
  delay: Pu,
  duration: Ou,
  ease: Fu,
  easeVarying: Hu,
  end: mh,
  [Symbol.iterator]: dt[Symbol.iterator]
};
var gh = {
  time: null,
  // Set on use.
  delay: 0,
  duration: 250,
  ease: du
};
function yh(t, e) {
  for (var n; !(n = t.__transition) || !(n = n[e]); )
    if (!(t = t.parentNode))
      throw new Error(`transition ${e} not found`);
  return n;
}
function bh(t) {
  var e, n;
  t instanceof _t ? (e = t._id, t = t._name) : (e = qr(), (n = gh).time = li(), t = t == null ? null : t + "");
  for (var i = this._groups, s = i.length, r = 0; r < s; ++r)
    for (var o = i[r], a = o.length, c, u = 0; u < a; ++u)
      (c = o[u]) && rn(c, t, e, u, o, n || yh(c, e));
  return new _t(i, this._parents, t, e);
}
me.prototype.interrupt = gu;
me.prototype.transition = bh;
var ke = (t) => () => t;
function xh(t, {
  sourceEvent: e,
  target: n,
  transform: i,
  dispatch: s
}) {
  Object.defineProperties(this, {
    type: { value: t, enumerable: !0, configurable: !0 },
    sourceEvent: { value: e, enumerable: !0, configurable: !0 },
    target: { value: n, enumerable: !0, configurable: !0 },
    transform: { value: i, enumerable: !0, configurable: !0 },
    _: { value: s }
  });
}
function mt(t, e, n) {
  this.k = t, this.x = e, this.y = n;
}
mt.prototype = {
  constructor: mt,
  scale: function(t) {
    return t === 1 ? this : new mt(this.k * t, this.x, this.y);
  },
  translate: function(t, e) {
    return t === 0 & e === 0 ? this : new mt(this.k, this.x + this.k * t, this.y + this.k * e);
  },
  apply: function(t) {
    return [t[0] * this.k + this.x, t[1] * this.k + this.y];
  },
  applyX: function(t) {
    return t * this.k + this.x;
  },
  applyY: function(t) {
    return t * this.k + this.y;
  },
  invert: function(t) {
    return [(t[0] - this.x) / this.k, (t[1] - this.y) / this.k];
  },
  invertX: function(t) {
    return (t - this.x) / this.k;
  },
  invertY: function(t) {
    return (t - this.y) / this.k;
  },
  rescaleX: function(t) {
    return t.copy().domain(t.range().map(this.invertX, this).map(t.invert, t));
  },
  rescaleY: function(t) {
    return t.copy().domain(t.range().map(this.invertY, this).map(t.invert, t));
  },
  toString: function() {
    return "translate(" + this.x + "," + this.y + ") scale(" + this.k + ")";
  }
};
var oe = new mt(1, 0, 0);
mt.prototype;
function bn(t) {
  t.stopImmediatePropagation();
}
function Zt(t) {
  t.preventDefault(), t.stopImmediatePropagation();
}
function wh(t) {
  return (!t.ctrlKey || t.type === "wheel") && !t.button;
}
function vh() {
  var t = this;
  return t instanceof SVGElement ? (t = t.ownerSVGElement || t, t.hasAttribute("viewBox") ? (t = t.viewBox.baseVal, [[t.x, t.y], [t.x + t.width, t.y + t.height]]) : [[0, 0], [t.width.baseVal.value, t.height.baseVal.value]]) : [[0, 0], [t.clientWidth, t.clientHeight]];
}
function ys() {
  return this.__zoom || oe;
}
function $h(t) {
  return -t.deltaY * (t.deltaMode === 1 ? 0.05 : t.deltaMode ? 1 : 2e-3) * (t.ctrlKey ? 10 : 1);
}
function Mh() {
  return navigator.maxTouchPoints || "ontouchstart" in this;
}
function kh(t, e, n) {
  var i = t.invertX(e[0][0]) - n[0][0], s = t.invertX(e[1][0]) - n[1][0], r = t.invertY(e[0][1]) - n[0][1], o = t.invertY(e[1][1]) - n[1][1];
  return t.translate(
    s > i ? (i + s) / 2 : Math.min(0, i) || Math.max(0, s),
    o > r ? (r + o) / 2 : Math.min(0, r) || Math.max(0, o)
  );
}
function Nh() {
  var t = wh, e = vh, n = kh, i = $h, s = Mh, r = [0, 1 / 0], o = [[-1 / 0, -1 / 0], [1 / 0, 1 / 0]], a = 250, c = wa, u = ai("start", "zoom", "end"), h, d, f, p = 500, b = 150, N = 0, E = 10;
  function w(m) {
    m.property("__zoom", ys).on("wheel.zoom", B, { passive: !1 }).on("mousedown.zoom", x).on("dblclick.zoom", A).filter(s).on("touchstart.zoom", O).on("touchmove.zoom", z).on("touchend.zoom touchcancel.zoom", C).style("-webkit-tap-highlight-color", "rgba(0,0,0,0)");
  }
  w.transform = function(m, _, y, v) {
    var M = m.selection ? m.selection() : m;
    M.property("__zoom", ys), m !== M ? L(m, _, y, v) : M.interrupt().each(function() {
      g(this, arguments).event(v).start().zoom(null, typeof _ == "function" ? _.apply(this, arguments) : _).end();
    });
  }, w.scaleBy = function(m, _, y, v) {
    w.scaleTo(m, function() {
      var M = this.__zoom.k, $ = typeof _ == "function" ? _.apply(this, arguments) : _;
      return M * $;
    }, y, v);
  }, w.scaleTo = function(m, _, y, v) {
    w.transform(m, function() {
      var M = e.apply(this, arguments), $ = this.__zoom, S = y == null ? k(M) : typeof y == "function" ? y.apply(this, arguments) : y, P = $.invert(S), H = typeof _ == "function" ? _.apply(this, arguments) : _;
      return n(R(T($, H), S, P), M, o);
    }, y, v);
  }, w.translateBy = function(m, _, y, v) {
    w.transform(m, function() {
      return n(this.__zoom.translate(
        typeof _ == "function" ? _.apply(this, arguments) : _,
        typeof y == "function" ? y.apply(this, arguments) : y
      ), e.apply(this, arguments), o);
    }, null, v);
  }, w.translateTo = function(m, _, y, v, M) {
    w.transform(m, function() {
      var $ = e.apply(this, arguments), S = this.__zoom, P = v == null ? k($) : typeof v == "function" ? v.apply(this, arguments) : v;
      return n(oe.translate(P[0], P[1]).scale(S.k).translate(
        typeof _ == "function" ? -_.apply(this, arguments) : -_,
        typeof y == "function" ? -y.apply(this, arguments) : -y
      ), $, o);
    }, v, M);
  };
  function T(m, _) {
    return _ = Math.max(r[0], Math.min(r[1], _)), _ === m.k ? m : new mt(_, m.x, m.y);
  }
  function R(m, _, y) {
    var v = _[0] - y[0] * m.k, M = _[1] - y[1] * m.k;
    return v === m.x && M === m.y ? m : new mt(m.k, v, M);
  }
  function k(m) {
    return [(+m[0][0] + +m[1][0]) / 2, (+m[0][1] + +m[1][1]) / 2];
  }
  function L(m, _, y, v) {
    m.on("start.zoom", function() {
      g(this, arguments).event(v).start();
    }).on("interrupt.zoom end.zoom", function() {
      g(this, arguments).event(v).end();
    }).tween("zoom", function() {
      var M = this, $ = arguments, S = g(M, $).event(v), P = e.apply(M, $), H = y == null ? k(P) : typeof y == "function" ? y.apply(M, $) : y, W = Math.max(P[1][0] - P[0][0], P[1][1] - P[0][1]), X = M.__zoom, U = typeof _ == "function" ? _.apply(M, $) : _, Z = c(X.invert(H).concat(W / X.k), U.invert(H).concat(W / U.k));
      return function(K) {
        if (K === 1) K = U;
        else {
          var ft = Z(K), on = W / ft[2];
          K = new mt(on, H[0] - ft[0] * on, H[1] - ft[1] * on);
        }
        S.zoom(null, K);
      };
    });
  }
  function g(m, _, y) {
    return !y && m.__zooming || new q(m, _);
  }
  function q(m, _) {
    this.that = m, this.args = _, this.active = 0, this.sourceEvent = null, this.extent = e.apply(m, _), this.taps = 0;
  }
  q.prototype = {
    event: function(m) {
      return m && (this.sourceEvent = m), this;
    },
    start: function() {
      return ++this.active === 1 && (this.that.__zooming = this, this.emit("start")), this;
    },
    zoom: function(m, _) {
      return this.mouse && m !== "mouse" && (this.mouse[1] = _.invert(this.mouse[0])), this.touch0 && m !== "touch" && (this.touch0[1] = _.invert(this.touch0[0])), this.touch1 && m !== "touch" && (this.touch1[1] = _.invert(this.touch1[0])), this.that.__zoom = _, this.emit("zoom"), this;
    },
    end: function() {
      return --this.active === 0 && (delete this.that.__zooming, this.emit("end")), this;
    },
    emit: function(m) {
      var _ = yt(this.that).datum();
      u.call(
        m,
        this.that,
        new xh(m, {
          sourceEvent: this.sourceEvent,
          target: w,
          transform: this.that.__zoom,
          dispatch: u
        }),
        _
      );
    }
  };
  function B(m, ..._) {
    if (!t.apply(this, arguments)) return;
    var y = g(this, _).event(m), v = this.__zoom, M = Math.max(r[0], Math.min(r[1], v.k * Math.pow(2, i.apply(this, arguments)))), $ = xt(m);
    if (y.wheel)
      (y.mouse[0][0] !== $[0] || y.mouse[0][1] !== $[1]) && (y.mouse[1] = v.invert(y.mouse[0] = $)), clearTimeout(y.wheel);
    else {
      if (v.k === M) return;
      y.mouse = [$, v.invert($)], Ce(this), y.start();
    }
    Zt(m), y.wheel = setTimeout(S, b), y.zoom("mouse", n(R(T(v, M), y.mouse[0], y.mouse[1]), y.extent, o));
    function S() {
      y.wheel = null, y.end();
    }
  }
  function x(m, ..._) {
    if (f || !t.apply(this, arguments)) return;
    var y = m.currentTarget, v = g(this, _, !0).event(m), M = yt(m.view).on("mousemove.zoom", H, !0).on("mouseup.zoom", W, !0), $ = xt(m, y), S = m.clientX, P = m.clientY;
    au(m.view), bn(m), v.mouse = [$, this.__zoom.invert($)], Ce(this), v.start();
    function H(X) {
      if (Zt(X), !v.moved) {
        var U = X.clientX - S, Z = X.clientY - P;
        v.moved = U * U + Z * Z > N;
      }
      v.event(X).zoom("mouse", n(R(v.that.__zoom, v.mouse[0] = xt(X, y), v.mouse[1]), v.extent, o));
    }
    function W(X) {
      M.on("mousemove.zoom mouseup.zoom", null), lu(X.view, v.moved), Zt(X), v.event(X).end();
    }
  }
  function A(m, ..._) {
    if (t.apply(this, arguments)) {
      var y = this.__zoom, v = xt(m.changedTouches ? m.changedTouches[0] : m, this), M = y.invert(v), $ = y.k * (m.shiftKey ? 0.5 : 2), S = n(R(T(y, $), v, M), e.apply(this, _), o);
      Zt(m), a > 0 ? yt(this).transition().duration(a).call(L, S, v, m) : yt(this).call(w.transform, S, v, m);
    }
  }
  function O(m, ..._) {
    if (t.apply(this, arguments)) {
      var y = m.touches, v = y.length, M = g(this, _, m.changedTouches.length === v).event(m), $, S, P, H;
      for (bn(m), S = 0; S < v; ++S)
        P = y[S], H = xt(P, this), H = [H, this.__zoom.invert(H), P.identifier], M.touch0 ? !M.touch1 && M.touch0[2] !== H[2] && (M.touch1 = H, M.taps = 0) : (M.touch0 = H, $ = !0, M.taps = 1 + !!h);
      h && (h = clearTimeout(h)), $ && (M.taps < 2 && (d = H[0], h = setTimeout(function() {
        h = null;
      }, p)), Ce(this), M.start());
    }
  }
  function z(m, ..._) {
    if (this.__zooming) {
      var y = g(this, _).event(m), v = m.changedTouches, M = v.length, $, S, P, H;
      for (Zt(m), $ = 0; $ < M; ++$)
        S = v[$], P = xt(S, this), y.touch0 && y.touch0[2] === S.identifier ? y.touch0[0] = P : y.touch1 && y.touch1[2] === S.identifier && (y.touch1[0] = P);
      if (S = y.that.__zoom, y.touch1) {
        var W = y.touch0[0], X = y.touch0[1], U = y.touch1[0], Z = y.touch1[1], K = (K = U[0] - W[0]) * K + (K = U[1] - W[1]) * K, ft = (ft = Z[0] - X[0]) * ft + (ft = Z[1] - X[1]) * ft;
        S = T(S, Math.sqrt(K / ft)), P = [(W[0] + U[0]) / 2, (W[1] + U[1]) / 2], H = [(X[0] + Z[0]) / 2, (X[1] + Z[1]) / 2];
      } else if (y.touch0) P = y.touch0[0], H = y.touch0[1];
      else return;
      y.zoom("touch", n(R(S, P, H), y.extent, o));
    }
  }
  function C(m, ..._) {
    if (this.__zooming) {
      var y = g(this, _).event(m), v = m.changedTouches, M = v.length, $, S;
      for (bn(m), f && clearTimeout(f), f = setTimeout(function() {
        f = null;
      }, p), $ = 0; $ < M; ++$)
        S = v[$], y.touch0 && y.touch0[2] === S.identifier ? delete y.touch0 : y.touch1 && y.touch1[2] === S.identifier && delete y.touch1;
      if (y.touch1 && !y.touch0 && (y.touch0 = y.touch1, delete y.touch1), y.touch0) y.touch0[1] = this.__zoom.invert(y.touch0[0]);
      else if (y.end(), y.taps === 2 && (S = xt(S, this), Math.hypot(d[0] - S[0], d[1] - S[1]) < E)) {
        var P = yt(this).on("dblclick.zoom");
        P && P.apply(this, arguments);
      }
    }
  }
  return w.wheelDelta = function(m) {
    return arguments.length ? (i = typeof m == "function" ? m : ke(+m), w) : i;
  }, w.filter = function(m) {
    return arguments.length ? (t = typeof m == "function" ? m : ke(!!m), w) : t;
  }, w.touchable = function(m) {
    return arguments.length ? (s = typeof m == "function" ? m : ke(!!m), w) : s;
  }, w.extent = function(m) {
    return arguments.length ? (e = typeof m == "function" ? m : ke([[+m[0][0], +m[0][1]], [+m[1][0], +m[1][1]]]), w) : e;
  }, w.scaleExtent = function(m) {
    return arguments.length ? (r[0] = +m[0], r[1] = +m[1], w) : [r[0], r[1]];
  }, w.translateExtent = function(m) {
    return arguments.length ? (o[0][0] = +m[0][0], o[1][0] = +m[1][0], o[0][1] = +m[0][1], o[1][1] = +m[1][1], w) : [[o[0][0], o[0][1]], [o[1][0], o[1][1]]];
  }, w.constrain = function(m) {
    return arguments.length ? (n = m, w) : n;
  }, w.duration = function(m) {
    return arguments.length ? (a = +m, w) : a;
  }, w.interpolate = function(m) {
    return arguments.length ? (c = m, w) : c;
  }, w.on = function() {
    var m = u.on.apply(u, arguments);
    return m === u ? w : m;
  }, w.clickDistance = function(m) {
    return arguments.length ? (N = (m = +m) * m, w) : Math.sqrt(N);
  }, w.tapDistance = function(m) {
    return arguments.length ? (E = +m, w) : E;
  }, w;
}
const gt = 26, qt = 8, bs = 26, xs = 3e3, ws = (t) => t.kind === "kernel" ? "s1" : t.lane === "HtoD" ? "s2" : t.lane === "DtoH" ? "s3" : t.kind === "wait" ? "s6" : t.kind === "copy" ? "s4" : "s5", vs = (t) => t.lane === "compute" ? `kernels, stream ${t.stream}` : t.lane === "HtoD" ? "copies to device" : t.lane === "DtoH" ? "copies to host" : t.lane === "host" ? "host waits" : t.lane, $s = (t) => t.startsWith("host") ? 0 : t.startsWith("copies") ? 1 : 2;
function Xh(t, e, n = 0) {
  const i = l("div", { class: "part part-time-line" }), s = t.filter((g) => g.microseconds > 0);
  if (s.length === 0)
    return i.append(l("p", { class: "nothing" }, "No time line is known for this run.")), i;
  const r = [...new Set(s.map(vs))].sort((g, q) => $s(g) - $s(q) || g.localeCompare(q, "en", { numeric: !0 })), o = Math.min(...s.map((g) => g.begin)), a = Math.max(...s.map((g) => g.begin + g.microseconds)), c = qt + r.length * gt + bs, u = I("svg", { class: "lanes", role: "group", "aria-label": `time line of ${j(a - o)}, ${s.length} spans`, tabindex: 0, height: c }), h = l("div", { class: "lane-names", style: `padding-top: ${qt}px` }, r.map((g) => l("div", { style: `height: ${gt}px` }, g))), d = l("div", { class: "lane-place" }, u);
  let f = 700, p = oe;
  function b() {
    const g = p.rescaleX(Xe().domain([o, a]).range([0, f])), [q = o, B = a] = g.domain(), x = s.filter((C) => C.begin + C.microseconds >= q && C.begin <= B), A = x.length > xs ? [...x].sort((C, m) => m.microseconds - C.microseconds).slice(0, xs) : x, O = g.ticks(Math.max(2, Math.floor(f / 130))), z = document.activeElement instanceof SVGElement && u.contains(document.activeElement) ? document.activeElement.dataset.span : void 0;
    u.setAttribute("viewBox", `0 0 ${f} ${c}`), u.replaceChildren(
      ...r.map((C, m) => I("rect", { x: 0, y: qt + m * gt, width: f, height: gt, class: m % 2 ? "lane odd" : "lane" })),
      ...O.flatMap((C) => [I("line", { x1: g(C), x2: g(C), y1: qt, y2: c - bs + 4, class: "grid" }), I("text", { x: Math.min(f - 2, Math.max(2, g(C))), y: c - 8, class: `quiet ${g(C) > f - 40 ? "end" : g(C) < 30 ? "" : "middle"}` }, j(C))]),
      ...A.map((C) => {
        const m = r.indexOf(vs(C)), _ = Math.max(-2, g(C.begin)), y = Math.min(f + 2, g(C.begin + C.microseconds)), v = Math.max(1.5, y - _), M = C.kind === "kernel" ? tt(C.name) : C.name.replace(/^copy /, ""), $ = st(
          I("rect", { x: _, y: qt + m * gt + 3, width: v, height: gt - 6, rx: 2, class: `span ${ws(C)} ${C.kind}`, tabindex: -1, "data-span": s.indexOf(C), "data-launch": C.launch ?? null, "aria-label": `${M}, ${j(C.microseconds)}` }),
          () => ut(M, [["begins", j(C.begin)], ["takes", j(C.microseconds)], ...C.bytes ? [["moves", F(C.bytes)]] : [], ["stream", String(C.stream)], ...C.file ? [["at", `${Tt(C.file)}:${C.line}`]] : []])
        ), S = C.launch;
        S !== void 0 && e && ($.classList.add("opens"), $.addEventListener("click", () => e(S)));
        const P = v - 10;
        return I("g", {}, $, P > 26 ? I("text", { x: _ + 5, y: qt + m * gt + gt / 2 + 4, class: "on name" }, M.length * 6.4 > P ? `${M.slice(0, Math.max(1, Math.floor(P / 6.4) - 1))}…` : M) : "");
      })
    ), z && u.querySelector(`[data-span="${z}"]`)?.focus(), N.textContent = x.length > A.length ? `${x.length - A.length} short spans are not drawn at this zoom. ` : "";
  }
  const N = l("span", {}), E = Nh().scaleExtent([1, Math.max(50, (a - o) * 4)]).on("zoom", (g) => {
    p = g.transform, b();
  }).filter((g) => g.type !== "wheel" || g.ctrlKey || g.shiftKey || p.k > 1), w = yt(u), T = () => E.extent([[0, 0], [f, c]]).translateExtent([[0, 0], [f, c]]), R = (g) => w.call(E.scaleBy, g), k = (g) => w.call(E.translateBy, g * f / p.k, 0);
  u.addEventListener("keydown", (g) => {
    const B = { "+": () => R(2), "=": () => R(2), "-": () => R(0.5), 0: () => w.call(E.transform, oe), ArrowLeft: () => k(0.25), ArrowRight: () => k(-0.25) }[g.key];
    B && (g.preventDefault(), B());
  }), T(), w.call(E), new ResizeObserver(([g]) => {
    const q = Math.round(g?.contentRect.width ?? f);
    q <= 0 || q === f || (f = q, T(), b());
  }).observe(d);
  const L = (g, q, B) => l("button", { type: "button", "aria-label": q, title: q, click: B }, g);
  return i.append(
    l(
      "div",
      { class: "controls" },
      L("+", "zoom in", () => R(2)),
      L("−", "zoom out", () => R(0.5)),
      L("◂", "earlier", () => k(0.25)),
      L("▸", "later", () => k(-0.25)),
      L("whole", "the whole time line", () => w.call(E.transform, oe)),
      l("span", { class: "quiet small" }, "drag to move, Ctrl and wheel to zoom; or + − 0 ← →")
    ),
    l("div", { class: "lane-box" }, h, d),
    l("ul", { class: "key" }, [["s1", "kernel"], ["s2", "copy to device"], ["s3", "copy to host"], ["s6", "host waits"], ["s5", "other"]].filter(([g]) => s.some((q) => ws(q) === g)).map(([g, q]) => l("li", { class: g ?? "" }, l("span", { class: "swatch" }), q))),
    l("p", { class: "quiet small" }, N, n > 0 ? `${n} more spans are not in the profile.` : "")
  ), b(), i;
}
const Ne = ["s1", "s2", "s3", "s4", "s5", "s6"];
function Ms(t, e, n) {
  const i = e.filter((s) => s.share > 5e-4).sort((s, r) => r.share - s.share);
  return l(
    "div",
    { class: "time-stack" },
    l("h4", {}, t),
    l(
      "div",
      { class: "whole-bar", role: "img", "aria-label": i.map((s) => `${s.label} ${Y(s.share)}`).join(", ") },
      i.map((s, r) => st(
        l("span", { class: `piece ${Ne[r % Ne.length]}`, style: `flex-grow: ${s.share}`, tabindex: 0, "data-name": s.name }, s.share > 0.14 ? l("span", {}, s.label) : ""),
        () => [ut(s.label, [["share", Y(s.share)], ...s.value ? [[n, s.value]] : []]), s.text && l("p", {}, s.text)]
      ))
    ),
    l("table", { class: "whole" }, l("tbody", {}, i.map((s, r) => l(
      "tr",
      { "data-name": s.name, class: Ne[r % Ne.length] ?? "s6" },
      l("td", {}, l("span", { class: "swatch" }), s.label),
      l("td", { class: "number" }, Y(s.share)),
      s.value && l("td", { class: "number" }, s.value),
      l("td", { class: "note quiet" }, s.note)
    ))))
  );
}
function Vh({ time: t, replay: e }, n, i) {
  const s = l("div", { class: "part part-time" });
  if (t && t.microseconds > 0) {
    const r = Object.values(t.breakdown).reduce((a, c) => a + c, 0) || 1, o = Object.entries(t.breakdown).map(([a, c]) => {
      const u = n.find((h) => h.name === a);
      return { name: a, label: u?.label ?? a, share: c / r, value: j(c), note: u?.text ?? "", text: u?.text };
    });
    s.append(Ms(["What the time is spent on", V("modelled")], o, "time"));
  }
  if (e) {
    const r = i.filter((a) => (e[a.name] ?? 0) > 0), o = r.reduce((a, c) => a + (e[c.name] ?? 0), 0);
    if (o > 0) {
      const a = r.map((c) => ({
        name: c.name,
        label: c.name,
        share: (e[c.name] ?? 0) / o,
        value: "",
        text: c.text,
        note: [l("span", { class: "reasons" }, c.reasons.map((u) => u.name).join(", ")), c.text ? l("span", {}, c.text) : null]
      }));
      s.append(Ms(["What warps wait for", V("modelled"), l("span", { class: "quiet" }, " and what Nsight Compute calls it")], a, "cycles"));
    }
  }
  return s.firstChild || s.append(l("p", { class: "nothing" }, "No time is modelled for this launch.")), s;
}
function Yh(t, e) {
  return l(
    "div",
    { class: "part part-trust" },
    Jr(),
    l("dl", { class: "part-rows" }, t.map((n) => [l("dt", {}, n.label ?? n.key.replaceAll("_", " ")), l("dd", {}, ae(n), V(n.source), (n.rows ?? []).map((i) => l("div", { class: "quiet small" }, i.label ? `${i.label}: ` : "", ae(i))))])),
    e.length > 0 && [l("h4", {}, "Left out of this page"), l("ul", { class: "left-out" }, e.map((n) => l("li", {}, n)))]
  );
}
function jh(t) {
  const e = l("div", { class: "part part-variables" });
  if (t.length === 0)
    return e.append(l("p", { class: "nothing" }, "No variables are known by name.")), e;
  const n = (s) => [
    ["memory", s.space, !1],
    ["bytes", F(s.bytes), !0],
    ["copies", s.versions === void 0 ? "" : D(s.versions), !0],
    ["in all", s.versions === void 0 ? "" : F(s.bytes * s.versions), !0],
    ["seen by a", s.scope ?? "", !1],
    ["lives as long as the", s.lifetime ?? "", !1]
  ], i = n(t[0]);
  return e.append(l(
    "table",
    { class: "whole stack" },
    l("thead", {}, l("tr", {}, l("th", {}, "variable", V("counted")), i.map(([s, , r]) => l("th", { class: r ? "number" : "" }, s)))),
    l("tbody", {}, t.map((s) => l("tr", {}, l("td", { class: "name" }, l("code", {}, `${s.name}${(s.extents ?? []).map((r) => `[${r}]`).join("")}`)), n(s).map(([r, o, a]) => l("td", { class: a ? "number" : "", "data-label": r }, o)))))
  )), e;
}
export {
  Zr as accesses,
  Ss as bankPicture,
  Ur as bankTrial,
  Ot as banks,
  _i as banksOf,
  Eh as buffers,
  Yr as collisions,
  Sh as compare,
  On as fit,
  Th as flow,
  qh as glossaryList,
  Lh as glossaryOf,
  zh as hazards,
  Rh as kernelHeadline,
  Ih as launches,
  zt as lineBytes,
  Ah as misses,
  Oh as occupancy,
  Bh as pages,
  Fh as phases,
  Ph as programHeadline,
  vl as roofline,
  Dh as rooflineOn,
  no as rowsOf,
  J as sectorBytes,
  Wr as sectorPicture,
  Ns as sectorsOf,
  Hh as source,
  Ch as termed,
  jr as tileLanes,
  Xh as timeLine,
  Vh as timeStack,
  Yh as trust,
  jh as variables,
  ee as warpLanes,
  Vr as wavefronts,
  xn as wordBytes
};
