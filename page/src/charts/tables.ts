import type { Course, RecordPoint } from "../api/types";
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
export function missed(one: RecordPoint, course: Course): boolean {
  const at = course.days.indexOf(one.date);
  const [low, high] = [course.q05[at] ?? null, course.q95[at] ?? null];
  if (low === null || high === null) return false;
  return (one.high !== null && one.high < low) || (one.low !== null && one.low > high);
}

/** What a course shows on its last day. */
export function courseTable(c: Course): Table {
  const at = c.days.length - 1;
  return {
    columns: ["", `Median${c.unit ? ` (${c.unit})` : ""}`, "50% of runs", c.runs < FEW ? `all ${c.runs} runs` : "90% of runs"],
    rows: [[c.label, between(c.median[at], c.q05[at], c.q95[at], c.unit), interval(c.q25[at], c.q75[at], c.unit), interval(c.q05[at], c.q95[at], c.unit)]],
  };
}

/** Everything of a course, a row for each day. */
export function courseRows(c: Course): Table {
  const rows = c.days.map((day, k) => [day, c.label, c.q05[k] ?? null, c.q25[k] ?? null, c.median[k] ?? null, c.q75[k] ?? null, c.q95[k] ?? null, c.unit]);
  return { columns: ["date", "group", "q05", "q25", "median", "q75", "q95", "unit"], rows };
}
