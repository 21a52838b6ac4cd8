import type { Parameter } from "../api/types";
import { clamp } from "../lib/scale";

/** Where a value stands on a slider, 0 to 1, and back. */
export interface Slide {
  at: (value: number) => number;
  value: (at: number) => number;
}

/**
 * The scale of a slider: over the case's own range; by the square root where what is likely lies near the
 * lower end, so that it can be set there at all.
 */
export function scaleOf(one: Parameter): Slide {
  const low = Number.isFinite(one.low) ? one.low : one.least;
  const high = Number.isFinite(one.high) && one.high > low ? one.high : Math.max(one.most, low + 1);
  const upper = one.prior?.q[19] ?? one.value;
  const bend = low >= 0 && upper - low < 0.2 * (high - low) && upper > low ? (upper - low < 0.02 * (high - low) ? 4 : 2) : 1;
  return {
    at: (value) => clamp((value - low) / (high - low), 0, 1) ** (1 / bend),
    value: (at) => low + at ** bend * (high - low),
  };
}

/** The outline of a distribution on a slider of 100 by 16, from its quantiles at 0, 5, .. 100 %. */
export function shade(one: Parameter, scale: Slide, which: "prior" | "posterior"): string {
  const q = one[which]?.q.map((v) => (v === null ? null : scale.at(v)));
  if (!q || q.some((v) => v === null)) return "";
  const at = q as number[];
  const BINS = 50;
  const heights = new Array<number>(BINS).fill(0);
  // Each twentieth of the mass is spread evenly between its quantiles; the outermost are tails.
  for (let k = 0; k + 1 < at.length; k += 1) {
    const from = at[k] ?? 0;
    const to = Math.max(at[k + 1] ?? 0, from + 1e-4);
    for (let bin = 0; bin < BINS; bin += 1) {
      const inside = Math.min(to, (bin + 1) / BINS) - Math.max(from, bin / BINS);
      if (inside > 0) heights[bin] = (heights[bin] ?? 0) + (0.05 * inside) / (to - from);
    }
  }
  const smooth = heights.map((h, k) => (h * 2 + (heights[k - 1] ?? h) + (heights[k + 1] ?? h)) / 4);
  const most = Math.max(...smooth);
  if (!(most > 0)) return "";
  const points = smooth.map((h, k) => `L${(100 * (k + 0.5)) / BINS} ${(16 - (15 * h) / most).toFixed(2)}`);
  return `M0 16${points.join("")}L100 16Z`;
}
