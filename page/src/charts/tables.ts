import type { Series } from "../api/types";
import { inUnit } from "../lib/format";

export interface Table {
  columns: string[];
  rows: (string | number | null)[][];
}

/** What a group of fans shows on one day. */
export function fanTable(series: Series, at: number): Table {
  const told = (v: number | null | undefined, own?: string): string => inUnit(v, own ?? series.unit);
  return {
    columns: ["", series.unit ? `Median (${series.unit})` : "Median", "Half of the runs between", "Nine in ten between"],
    rows: series.groups.map((g) => [
      g.unit ? `${g.label} (${g.unit})` : g.label, told(g.median[at], g.unit), `${told(g.q25[at], g.unit)} and ${told(g.q75[at], g.unit)}`, `${told(g.q05[at], g.unit)} and ${told(g.q95[at], g.unit)}`,
    ]),
  };
}

/** Everything of a group of fans, a row for each day and group. */
export function fanRows(series: Series): Table {
  const rows: (string | number | null)[][] = [];
  for (const g of series.groups)
    series.days.forEach((day, k) =>
      rows.push([day, g.label, g.q05[k] ?? null, g.q25[k] ?? null, g.median[k] ?? null, g.q75[k] ?? null, g.q95[k] ?? null, g.unit ?? series.unit]),
    );
  return { columns: ["date", "group", "q05", "q25", "median", "q75", "q95", "unit"], rows };
}
