import type { CaseView, ViewAnswer } from "../api/types";

/** Characters that a file may have, so that it can be sent. */
export const MOST = 1_000_000;

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 Inter,system-ui,sans-serif;max-width:960px;margin:32px auto;padding:0 18px}
h1{font-size:24px;line-height:1.3;font-weight:600}h2{font-size:16px;margin:28px 0 6px}.quiet{opacity:.75}svg{max-width:100%;height:auto;background:#fff}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}th,td{text-align:left;padding:4px 14px 4px 0;border-bottom:1px solid #8884;vertical-align:top}
.n{text-align:right;white-space:nowrap}.scroll{overflow-x:auto}code{overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 6px}summary{cursor:pointer}`;

const html = (text: string): string => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);

function grid(columns: string[], rows: string[][], numbers: number): string {
  const cell = (tag: string) => (text: string, k: number): string => `<${tag}${k >= numbers ? ' class="n"' : ""}>${html(text)}</${tag}>`;
  return `<div class="scroll"><table><thead><tr>${columns.map(cell("th")).join("")}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("")}</tbody></table></div>`;
}

/** What a view is of: the case, and what was asked of it. */
export const called = (found: ViewAnswer, view: CaseView): string => (found.title.startsWith(view.title) ? found.title : `${view.title}: ${found.title}`);

/** A view as one HTML file that holds everything and loads nothing: sentence, chart, doubt, tables, evidence, command. */
export function frozen(found: ViewAnswer, view: CaseView, chart: string | null, link: string, cite: string): string {
  const tables = (most: number): string => found.tables
    .map((table) => `<h2>${html(table.title)}</h2>${table.parts.map((p) => (p.heading ? `<h3>${html(p.heading)}</h3>` : "") + grid(p.grid.columns, p.grid.rows.slice(0, most), p.grid.numbers)).join("")}${table.note ? `<p class="quiet">${html(table.note)}</p>` : ""}`)
    .join("");
  const evidence = found.evidence.length
    ? `<details><summary>Evidence: ${found.evidence.length}</summary><dl>${found.evidence.map((one) => `<dt>${html(one.of)}</dt><dd>${html(one.says)}</dd>`).join("")}</dl></details>`
    : "";
  const page = (most: number): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><title>${html(found.finding)}</title><style>${STYLE}</style></head>
<body><main><p class="quiet">${html(called(found, view))}</p>
<h1>${html(found.finding)}</h1>
${chart ?? ""}
<p class="quiet">${html(found.doubt)}</p>
${found.notes.map((note) => `<p>${html(note)}</p>`).join("")}
${tables(most)}
<h2>Where it comes from</h2>
${evidence}
<p>${html(found.made.join(" "))}</p>
<p>Open it in Breakrank: <code>breakrank ui ${html(view.id)}</code>, then put this after the address: <code>${html(link.slice(link.indexOf("#")))}</code></p>
${found.command ? `<p>On the command line: <code>${html(found.command)}</code></p>` : ""}
<p class="quiet">${html(cite)} All soldiers are synthetic; the spread of a model is not the certainty of a forecast.</p>
</main></body></html>
`;
  const whole = page(Infinity);
  return whole.length <= MOST ? whole : page(200);
}
