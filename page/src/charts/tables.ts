import type { RecordPoint, Series } from "../api/types";
import { inUnit } from "../lib/format";

export interface Table {
  columns: string[];
  rows: (string | number | null)[][];
}

/** What a point of the record says. */
export function pointTold(one: RecordPoint, unit: string): string {
  if (one.low === null) return `at most ${inUnit(one.high, unit)}`;
  if (one.high === null) return `at least ${inUnit(one.low, unit)}`;
  return one.high === one.low ? inUnit(one.low, unit) : `${inUnit(one.low, unit)} to ${inUnit(one.high, unit)}`;
}

/** What a group of fans shows on one day. */
export function fanTable(series: Series, at: number): Table {
  const told = (v: number | null | undefined, own?: string): string => inUnit(v, own ?? series.unit);
  return {
    columns: ["", series.unit ? `Median (${series.unit})` : "Median", "Half of the runs between", "Nine in ten between"],
    rows: [...series.groups, ...(series.sums ?? [])].map((g) => [
      g.unit ? `${g.label} (${g.unit})` : g.label, told(g.median[at], g.unit), `${told(g.q25[at], g.unit)} and ${told(g.q75[at], g.unit)}`, `${told(g.q05[at], g.unit)} and ${told(g.q95[at], g.unit)}`,
    ]),
  };
}

/** Everything of a group of fans, a row for each day and group. */
export function fanRows(series: Series): Table {
  const rows: (string | number | null)[][] = [];
  for (const g of [...series.groups, ...(series.sums ?? [])])
    series.days.forEach((day, k) =>
      rows.push([day, g.label, g.q05[k] ?? null, g.q25[k] ?? null, g.median[k] ?? null, g.q75[k] ?? null, g.q95[k] ?? null, g.unit ?? series.unit]),
    );
  return { columns: ["date", "group", "q05", "q25", "median", "q75", "q95", "unit"], rows };
}
