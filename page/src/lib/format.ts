const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** A count or level for reading: whole above 20, else with as many digits as tell something. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 20 || Number.isInteger(value)) return WHOLE.format(value);
  if (size === 0) return "0";
  const digits = size >= 1 ? 1 : Math.min(6, 1 - Math.floor(Math.log10(size)));
  return String(Number(value.toFixed(digits)));
}

/** A share as a percentage. */
export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const hundred = 100 * value;
  if (hundred === 0) return "0%";
  if (hundred < 0.01) return "under 0.01%";
  return `${hundred >= 10 ? hundred.toFixed(0) : hundred >= 1 ? hundred.toFixed(1) : hundred.toFixed(2)}%`;
}

/** A value in its unit, where shares read as percentages. */
export function inUnit(value: number | null | undefined, unit: string): string {
  return isShare(unit) ? percent(value) : number(value);
}

export function isShare(unit: string): boolean {
  return unit === "share" || unit === "fraction" || unit === "probability";
}

/** A short label for an axis: 12k, 1.5M. */
export function axis(value: number, unit = "", top = value): string {
  if (isShare(unit)) return `${Number((100 * value).toPrecision(3))}%`;
  if (value === 0) return "0";
  const size = Math.abs(top);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  if (size >= 1e3) return WHOLE.format(value);
  return String(Number(value.toPrecision(3)));
}

/** A value of a parameter: up to four significant digits, no noise. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return WHOLE.format(value);
  return String(Number(value.toPrecision(4)));
}

/** A text that begins a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A count of things in words: `1 run`, `40 runs`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(n)} ${n === 1 ? one : many}`;
}

/** A span of seconds. */
export function seconds(value: number): string {
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 100) return `${Math.round(value)} s`;
  return `${Math.round(value / 60)} min`;
}
