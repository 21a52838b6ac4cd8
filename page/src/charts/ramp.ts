/** The ramps of `breakrank.show.style`: luminance falls at every step; a test keeps them equal. */
export const GONE = ["#f6f1e7", "#f5dcb4", "#f3b877", "#e78c45", "#c9602a", "#943a17", "#571b07"];
export const OPPOSED = ["#f4f0f6", "#e2d3e8", "#c9abd3", "#a97fba", "#86559c", "#623478", "#3c1650"];

/** A colour between the steps of a ramp; null, which is not known, has none. */
export function colour(ramp: string[], share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "var(--paper)";
  const at = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(at));
  const [a, b] = [rgb(ramp[low] ?? "#fff"), rgb(ramp[low + 1] ?? "#000")];
  const mixed = a.map((v, k) => Math.round(v + (at - low) * ((b[k] ?? 0) - v)));
  return `rgb(${mixed.join(",")})`;
}

/** The ink that reads best on such a colour. */
export function inkOn(share: number | null | undefined): string {
  if (share === null || share === undefined) return "var(--muted)";
  return share > 0.58 ? "#ffffff" : "#18212b";
}

function rgb(hex: string): number[] {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

/** A round top for a scale of shares that reach up to `most`. */
export function topOf(most: number): number {
  return [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1].find((t) => most <= t) ?? 1;
}
