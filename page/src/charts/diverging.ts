/** The classes of a difference, from most less to most more; the middle holds nought. */
export const DIVERGING = ["--less-3", "--less-2", "--less-1", "--none", "--more-1", "--more-2", "--more-3"];

/** Which of the seven classes holds a value, on a scale from -top to top; both sides are alike. */
export function classOf(value: number, top: number): number {
  if (!(top > 0) || !Number.isFinite(value)) return 3;
  const share = Math.min(1, Math.abs(value) / top);
  const steps = Math.min(3, Math.floor(share * 3.5 + 0.5));
  return 3 + Math.sign(value) * steps;
}

/** A round end for a scale that reaches as far on both sides of nought. */
export function topOf(most: number): number {
  const least = Math.max(most, 1e-4);
  const power = 10 ** Math.floor(Math.log10(least));
  return Number((([1, 1.5, 2, 3, 5, 7.5].find((s) => s * power >= least * 0.9999) ?? 10) * power).toPrecision(3));
}

export function diverging(value: number | null | undefined, top: number): string {
  return value === null || value === undefined ? "var(--axis)" : `var(${DIVERGING[classOf(value, top)] ?? "--none"})`;
}

/** A round top for a scale of shares that reach up to `most`. */
export function topOfShares(most: number): number {
  return [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1].find((t) => most <= t) ?? 1;
}

/** Which of the seven classes of `--gone-0` to `--gone-6` holds a share. */
export function goneClass(share: number, top: number): number {
  return Math.min(6, Math.max(0, Math.floor((share / top) * 7)));
}

/** A difference of people, with its sign; one decimal below ten. */
export function signed(value: number | null | undefined): string {
  if (value === null || value === undefined) return "not known";
  const size = Math.abs(value);
  const text = size >= 9.95 ? Math.round(size).toLocaleString("en-US") : size.toFixed(1);
  if (Number(text.replaceAll(",", "")) === 0) return "0";
  return `${value < 0 ? "−" : "+"}${text}`;
}

/** A difference of shares in percentage points, with its sign. */
export function points(value: number | null | undefined): string {
  if (value === null || value === undefined) return "not known";
  const size = Math.abs(100 * value);
  const text = size.toFixed(size >= 9.95 ? 1 : 2);
  return Number(text) === 0 ? "0" : `${value < 0 ? "−" : "+"}${text}`;
}
