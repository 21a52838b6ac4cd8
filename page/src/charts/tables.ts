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

const all = (series: Series): Group[] => [...series.groups, ...(series.sums ?? [])];

/** What a group of fans shows on one day. */
export function fanTable(series: Series, at: number): Table {
  return {
    columns: ["", `Median${series.unit ? ` (${series.unit})` : ""}`, "50% of runs", series.runs < FEW ? `all ${series.runs} runs` : "90% of runs"],
    rows: all(series).map((g) => [
      g.label, between(g.median[at], g.q05[at], g.q95[at], series.unit),
      interval(g.q25[at], g.q75[at], series.unit), interval(g.q05[at], g.q95[at], series.unit),
    ]),
  };
}

/** Everything of a group of fans, a row for each day and group. */
export function fanRows(series: Series): Table {
  const rows = all(series).flatMap((g) =>
    series.days.map((day, k) => [day, g.label, g.q05[k] ?? null, g.q25[k] ?? null, g.median[k] ?? null, g.q75[k] ?? null, g.q95[k] ?? null, series.unit]),
  );
  return { columns: ["date", "group", "q05", "q25", "median", "q75", "q95", "unit"], rows };
}
