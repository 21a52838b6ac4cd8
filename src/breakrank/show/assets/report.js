"use strict";
(() => {
  const specs = JSON.parse(document.getElementById("specs").textContent);
  const config = JSON.parse(document.getElementById("config").textContent);
  const tip = document.getElementById("tip");
  const root = document.documentElement;

  // Rows travel by column; dates that follow each other evenly as the first and the step.
  const rows = (packed) => {
    if (Array.isArray(packed)) return packed;
    const out = Array.from({ length: packed.n }, () => ({}));
    for (const [key, column] of Object.entries(packed.columns)) {
      if (Array.isArray(column)) column.forEach((value, i) => { out[i][key] = value; });
      else {
        const first = Date.parse(column.from);
        out.forEach((row, i) => { row[key] = new Date(first + i * column.step * 864e5).toISOString().slice(0, 10); });
      }
    }
    return out;
  };

  const hide = () => { tip.hidden = true; };
  const tell = (_, event, __, value) => {
    if (value === null || value === undefined || value === "") return hide();
    const list = document.createElement("dl");
    const pairs = typeof value === "object" ? Object.entries(value) : [["", value]];
    for (const [name, text] of pairs) {
      if (name.trim()) { const dt = document.createElement("dt"); dt.textContent = name; list.append(dt); }
      const dd = document.createElement("dd"); dd.textContent = String(text);
      if (!name.trim()) dd.style.gridColumn = "1 / -1";
      list.append(dd);
    }
    tip.replaceChildren(list);
    tip.hidden = false;
    const room = root.clientWidth, gap = 14;
    const left = event.clientX + gap + tip.offsetWidth > room ? event.clientX - gap - tip.offsetWidth : event.clientX + gap;
    tip.style.left = `${Math.max(4, left) + scrollX}px`;
    tip.style.top = `${event.clientY + gap + scrollY}px`;
  };

  // Nothing is ever fetched; links lead to places in this page only.
  const loader = {
    load: () => Promise.reject(new Error("this report loads nothing")),
    sanitize: (uri) => String(uri).startsWith("#") ? Promise.resolve({ href: String(uri) }) : Promise.reject(new Error("no outside links")),
    http: () => Promise.reject(new Error("this report loads nothing")),
    file: () => Promise.reject(new Error("this report loads nothing")),
  };

  const draw = async (holder) => {
    const spec = structuredClone(specs[holder.dataset.chart]);
    for (const name of Object.keys(spec.datasets)) spec.datasets[name] = rows(spec.datasets[name]);
    await vegaEmbed(holder, spec, { mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false, config, loader, tooltip: tell });
    holder.dataset.drawn = "yes";
  };

  const waiting = new Set(document.querySelectorAll("[data-chart]"));
  let busy = false;
  const work = async () => {
    if (busy) return;
    busy = true;
    for (;;) {
      const next = [...waiting].find((holder) => holder.clientWidth > 0);
      if (!next) break;
      waiting.delete(next);
      try { await draw(next); } catch (error) {
        console.error(error);
        next.textContent = "This chart could not be drawn; its numbers are in the table.";
      }
      await new Promise((done) => setTimeout(done));
    }
    busy = false;
    root.dataset.charts = "drawn";
  };

  // A width is known to Vega by the window's resize only; a column may change without it.
  const watch = new ResizeObserver(() => { if (waiting.size) work(); });
  document.querySelectorAll("[data-chart]").forEach((holder) => watch.observe(holder));

  // A link may lead into something folded: unfold it.
  const reveal = () => {
    let place = null;
    try { place = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (!place) return;
    for (let up = place; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    place.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", reveal);

  const folded = [];
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details.printed:not([open])")) { each.open = true; folded.push(each); }
  });
  addEventListener("afterprint", () => { while (folded.length) folded.pop().open = false; });
  addEventListener("scroll", hide, { passive: true });

  const font = document.fonts && document.fonts.load ? Promise.all([document.fonts.load("12px Inter"), document.fonts.load("600 12px Inter")]) : Promise.resolve();
  font.catch(() => {}).then(work).then(reveal);
})();
