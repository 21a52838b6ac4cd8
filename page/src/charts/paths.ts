import type { Numbers } from "../api/types";

/** Where day `k` of `n` stands, and how high a value is, on a plot of this size. */
export interface Plane {
  width: number;
  height: number;
  days: number;
  /** Which day each value is of, counted from the first, where not every day has one. */
  at?: readonly number[];
  low: number;
  top: number;
}

export function xAt(plane: Plane, day: number): number {
  return plane.days > 1 ? (day / (plane.days - 1)) * plane.width : plane.width / 2;
}

/** Where the k-th value of a series stands. */
const placed = (plane: Plane, k: number): number => xAt(plane, plane.at?.[k] ?? k);

export function yAt(plane: Plane, value: number): number {
  const span = plane.top - plane.low || 1;
  return plane.height * (1 - (value - plane.low) / span);
}

/** A line through values by day; where one is not known the line is broken. */
export function line(values: Numbers, plane: Plane): string {
  let path = "";
  let pen = "M";
  values.forEach((value, day) => {
    if (value === null) pen = "M";
    else {
      path += `${pen}${r(placed(plane, day))} ${r(yAt(plane, value))}`;
      pen = "L";
    }
  });
  return path;
}

/** The area between two series; one piece for each stretch of days on which both are known. */
export function area(low: Numbers, high: Numbers, plane: Plane): string {
  let path = "";
  let from = -1;
  for (let day = 0; day <= low.length; day += 1) {
    const known = day < low.length && low[day] !== null && high[day] !== null;
    if (known && from < 0) from = day;
    if (!known && from >= 0) {
      for (let k = from; k < day; k += 1) path += `${k === from ? "M" : "L"}${r(placed(plane, k))} ${r(yAt(plane, high[k] ?? 0))}`;
      for (let k = day - 1; k >= from; k -= 1) path += `L${r(placed(plane, k))} ${r(yAt(plane, low[k] ?? 0))}`;
      path += "Z";
      from = -1;
    }
  }
  return path;
}

function r(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The largest value of a series, nought where there is none. */
export function most(...series: Numbers[]): number {
  let found = 0;
  for (const one of series) for (const value of one) if (value !== null && value > found) found = value;
  return found;
}
