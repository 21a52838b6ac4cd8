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

const INKS = ["#18212b", "#ffffff", "#000000"];
const READABLE = 4.5;

/** The ink that reads on such a colour: the page's own where it can, and 4.5 to 1 at least (WCAG 2.2, 1.4.3). */
export function inkOn(ramp: string[], share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "var(--muted)";
  const ground = colour(ramp, share);
  return INKS.find((ink) => contrast(ink, ground) >= READABLE) ?? "#000000";
}

/** The contrast of two colours, 1 to 21, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(text: string): number {
  const parts = text.startsWith("#") ? rgb(text) : (text.match(/\d+/g) ?? []).map(Number);
  const [r = 0, g = 0, b = 0] = parts.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function rgb(hex: string): number[] {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

/** A round top for a scale of shares that reach up to `most`. */
export function topOf(most: number): number {
  return [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1].find((t) => most <= t) ?? 1;
}
