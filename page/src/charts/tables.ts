import type { Group, RecordPoint, Series } from "../api/types";
import { between, interval, span } from "../lib/format";

/** Runs below which the ends of a band are the least and the most, as on the server. */
export const FEW = 20;

export interface Table {
  columns: string[];
  rows: (string | number | null)[][];
}

/** What a point of the record says. */
export const pointTold = (one: RecordPoint, unit: string): string => span(one.low, one.high, unit);

/** Whether a spread on the day of a figure of the record, ends included, leaves it out. */
export function missed(one: RecordPoint, group: Group, days: readonly string[]): boolean {
  const at = days.indexOf(one.date);
  const [low, high] = [group.q05[at] ?? null, group.q95[at] ?? null];
  if (low === null || high === null) return false;
  return (one.high !== null && one.high < low) || (one.low !== null && one.low > high);
}

/** The middle of a group's runs: the mean where two sides stand beside each other, whose difference is one of means. */
export const middleOf = (group: Group, paired: boolean): Group["median"] => (paired ? group.mean : group.median);

const all = (series: Series): Group[] => [...series.groups, ...(series.sums ?? [])];

/** What a group of fans shows on one day; with `others`, what stands beside each in another question. */
export function fanTable(series: Series, at: number, others: Series | null = null, called = ""): Table {
  const row = (g: Group, side: string): string[] => [
    (g.unit ? `${g.label} (${g.unit})` : g.label) + side, between(middleOf(g, others !== null)[at], g.q05[at], g.q95[at], g.unit ?? series.unit),
    interval(g.q25[at], g.q75[at], g.unit ?? series.unit), interval(g.q05[at], g.q95[at], g.unit ?? series.unit),
  ];
  const before = (g: Group): string[][] => (others ? all(others).filter((o) => o.id === g.id) : []).map((o) => row(o, `, ${called}`));
  return {
    columns: ["", `${others ? "Mean" : "Median"}${series.unit ? ` (${series.unit})` : ""}`, "50% of runs", series.runs < FEW ? `all ${series.runs} runs` : "90% of runs"],
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
        rows.push([day, g.label, ...(others ? [side] : []), g.q05[k] ?? null, g.q25[k] ?? null, middleOf(g, others !== null)[k] ?? null, g.q75[k] ?? null, g.q95[k] ?? null, g.unit ?? one.unit]),
      );
  return { columns: ["date", "group", ...(others ? ["side"] : []), "q05", "q25", others ? "mean" : "median", "q75", "q95", "unit"], rows };
}
