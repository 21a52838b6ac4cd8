import type { Group, RecordPoint, Series } from "../api/types";
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

const all = (series: Series): Group[] => [...series.groups, ...(series.sums ?? [])];

/** What a group of fans shows on one day; with `others`, what stands beside each in another question. */
export function fanTable(series: Series, at: number, others: Series | null = null, called = ""): Table {
  const told = (v: number | null | undefined, own?: string): string => inUnit(v, own ?? series.unit);
  const row = (g: Group, side: string): string[] => [
    (g.unit ? `${g.label} (${g.unit})` : g.label) + side, told(g.median[at], g.unit), `${told(g.q25[at], g.unit)} and ${told(g.q75[at], g.unit)}`, `${told(g.q05[at], g.unit)} and ${told(g.q95[at], g.unit)}`,
  ];
  const before = (g: Group): string[][] => (others ? all(others).filter((o) => o.id === g.id) : []).map((o) => row(o, `, ${called}`));
  return {
    columns: ["", series.unit ? `Median (${series.unit})` : "Median", "Half of the runs between", "Nine in ten between"],
    rows: all(series).flatMap((g) => [row(g, others ? ", changed" : ""), ...before(g)]),
  };
}

/** Everything of a group of fans, a row for each day and group, and with `others` for each side. */
export function fanRows(series: Series, others: Series | null = null, called = ""): Table {
  const rows: (string | number | null)[][] = [];
  const sides: [string, Series][] = others ? [["changed", series], [called, others]] : [["", series]];
  for (const [side, one] of sides)
    for (const g of all(one))
      one.days.forEach((day, k) =>
        rows.push([day, g.label, ...(others ? [side] : []), g.q05[k] ?? null, g.q25[k] ?? null, g.median[k] ?? null, g.q75[k] ?? null, g.q95[k] ?? null, g.unit ?? one.unit]),
      );
  return { columns: ["date", "group", ...(others ? ["side"] : []), "q05", "q25", "median", "q75", "q95", "unit"], rows };
}
